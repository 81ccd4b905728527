#include "frontends/gdl/lifted/table_constraints.hpp"

#include <algorithm>
#include <range/v3/algorithm/all_of.hpp>
#include <range/v3/algorithm/any_of.hpp>
#include <range/v3/range/primitives.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/indices.hpp>
#include <range/v3/view/map.hpp>
#include <set>

#include "frontends/gdl/datalog/functional.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

const std::vector<SortId>& TableConstraints::values(const ProofUnionFind& s, RelId relation, const Terms& arguments) {
  Question asked{relation.value};
  for (const Term t : arguments) {
    asked.push_back(ProofUnionFind::is_constant(t) ? t : s.sort_of(t).value);
    asked.push_back(std::ranges::find(arguments, t) - arguments.begin());
  }
  const auto [it, fresh] = values_.try_emplace(std::move(asked));
  if (!fresh) return it->second;
  effort_ += tuples(relation).size() / kLiftedLimits.rows_at_once;
  std::vector<std::set<std::uint32_t>> kept(arguments.size());
  const auto fits = [&](std::size_t c, std::uint32_t value) { return s.can_be(arguments[c], value); };
  for (const std::uint32_t* const row : matching_rows(tuples(relation), arguments, fits))
    for (std::size_t c = 0; c < arguments.size(); ++c) kept[c].insert(row[c]);
  for (const auto& terms : kept) it->second.push_back(m_.sort({terms.begin(), terms.end()}));
  return it->second;
}

bool TableConstraints::has_pattern(RelId relation, const Terms& numbers) {
  Question asked{relation.value};
  asked.insert(asked.end(), numbers.begin(), numbers.end());
  const auto [it, fresh] = patterns_.try_emplace(std::move(asked));
  if (!fresh) return it->second;
  effort_ += tuples(relation).size() / kLiftedLimits.rows_at_once;
  const auto any = [](std::size_t, std::uint32_t) { return true; };
  return it->second = !ranges::empty(matching_rows(tuples(relation), numbers, any));
}

bool TableConstraints::fit_together(const ProofUnionFind& s, const Literal& a, const Literal& b) {
  const auto is_constant = &ProofUnionFind::is_constant;
  boost::container::small_vector<std::pair<std::size_t, std::size_t>, 8> shared;
  std::size_t covered = 0;
  for (std::size_t k = 0; k < b.arguments.size(); ++k) {
    const Term t = s.resolve(b.arguments[k]);
    const std::size_t before = shared.size();
    for (std::size_t i = 0; i < a.arguments.size(); ++i)
      if (!is_constant(t) && t == s.resolve(a.arguments[i])) shared.emplace_back(i, k);
    covered += is_constant(t) || shared.size() > before ? 1 : 0;
  }
  if (b.negated ? shared.empty() || covered < b.arguments.size() : shared.size() < 2) return true;
  const Relation& x = tuples(a.relation);
  const Relation& y = tuples(b.relation);
  if (x.size() > kLiftedLimits.refuter_rows || y.size() > kLiftedLimits.refuter_rows) return true;
  Question asked{b.negated ? 1 : 0};
  for (const Literal* literal : {&a, &b}) {
    asked.push_back(literal->relation.value);
    for (const Term t : literal->arguments) {
      const Term now = s.resolve(t);
      asked.push_back(is_constant(now) ? now : s.sort_of(now).value);
    }
  }
  for (const auto& [i, k] : shared) asked.push_back(static_cast<Term>(a.arguments.size() * k + i));
  const auto [it, fresh] = together_.try_emplace(std::move(asked), false);
  if (!fresh) return it->second;
  effort_ += (x.size() + y.size()) / kLiftedLimits.rows_at_once;
  // Ignores equal arguments, which are no part of the question.
  const auto rows = [&](const Relation& table, const Terms& arguments) {
    return rows_of(table) | ranges::views::filter([&](const std::uint32_t* row) {
             return ranges::all_of(ranges::views::indices(arguments.size()),
                                   [&](std::size_t c) { return s.can_be(s.resolve(arguments[c]), row[c]); });
           });
  };
  if (b.negated) {
    std::vector<std::uint32_t> denied;
    for (const Term t : b.arguments)
      denied.push_back(is_constant(s.resolve(t)) ? ProofUnionFind::constant_of(s.resolve(t)) : 0);
    return it->second = ranges::any_of(rows(x, a.arguments), [&](const std::uint32_t* row) {
             for (const auto& [i, k] : shared) denied[k] = row[i];
             return y.find(denied.data()) == kNone;
           });
  }
  // A semijoin.
  const auto own = shared | ranges::views::keys;
  const auto other = shared | ranges::views::values;
  std::set<std::vector<std::uint32_t>> allowed;
  for (const std::uint32_t* const row : rows(x, a.arguments)) allowed.insert(projected(row, own));
  return it->second = ranges::any_of(rows(y, b.arguments),
                                     [&](const std::uint32_t* row) { return allowed.contains(projected(row, other)); });
}

bool TableConstraints::determines(RelId relation, std::uint64_t mask, std::size_t column) {
  const auto [it, fresh] = determined_.try_emplace({relation, mask, column});
  if (!fresh) return it->second;
  std::vector<std::uint32_t> key;
  for (std::uint32_t c = 0; c < tuples(relation).arity() && c < 64; ++c)
    if ((mask >> c & 1U) != 0) key.push_back(c);
  return it->second = gdl::determines(rows_of(tuples(relation)), key, {static_cast<std::uint32_t>(column)});
}

}  // namespace rgtrans::gdl::lifted
