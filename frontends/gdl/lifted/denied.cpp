#include "frontends/gdl/lifted/denied.hpp"

#include <algorithm>
#include <set>

#include "core/support/coverage.hpp"
#include "frontends/gdl/lifted/flatten.hpp"

namespace rgtrans::gdl::lifted {

bool Denied::join() {
  for (EngineRule& rule : rules_)
    while (join(rule)) {
    }
  rules_.insert(rules_.end(), added_.begin(), added_.end());
  return !added_.empty();
}

bool Denied::join(EngineRule& rule) {
  for (const EngineLiteral& first : rule.body) {
    const bool made = first.kind == RelationInfo::Kind::move && !first.derived;
    if (!first.negated || !first.relation.valid() || joins_.fixed(first) || made_here(first.relation)) continue;
    if (first.kind != RelationInfo::Kind::ordinary && !made) continue;
    for (std::uint32_t c = 0; c < (made ? 1 : first.arguments.size()); ++c) {
      if (!first.arguments[c].is_ground()) continue;
      const auto same = [&](const EngineLiteral& l) {
        if (!l.negated || l.relation != first.relation || l.derived != first.derived) return false;
        for (std::uint32_t k = 0; k < l.arguments.size(); ++k)
          if (k == c ? !l.arguments[k].is_ground() : l.arguments[k] != first.arguments[k]) return false;
        return true;
      };
      const Domain& domain = u_.domains->column(first.relation, c);
      if (!domain.only_constants() || domain.constants().size() < 2) continue;
      std::set<std::uint32_t> missing(domain.constants().begin(), domain.constants().end());
      for (const EngineLiteral& l : rule.body)
        if (same(l)) missing.erase(l.arguments[c].term().value);
      if (!missing.empty()) continue;
      const std::optional<RelId> any =
          made ? made_by_any(rule, first) : without({first.relation, c}, domain.constants());
      if (!any) continue;
      reached("lifted", made ? "denied: a move" : "denied: a column");
      EngineLiteral all = first;
      all.relation = *any;
      all.kind = RelationInfo::Kind::ordinary;
      all.arguments.erase(all.arguments.begin() + c);
      std::vector<EngineLiteral> body;
      for (const EngineLiteral& l : rule.body) {
        if (!same(l))
          body.push_back(l);
        else if (&l == &first)
          body.push_back(all);
      }
      rule.body = std::move(body);
      return true;
    }
  }
  return false;
}

// The projection of the relation without the column, if all of its rules consist of one fact and static literals.
std::optional<RelId> Denied::without(Column column, std::span<const std::uint32_t> values) {
  const auto [it, fresh] = made_.try_emplace(column);
  if (!fresh) return it->second;
  std::vector<EngineRule> made;
  for (const EngineRule& old : rules_) {
    if (old.head.relation != column.first) continue;
    EngineRule& rule = made.emplace_back(old.unplanned());
    const Pattern p = rule.head.arguments[column.second];
    rule.head.arguments.erase(rule.head.arguments.begin() + column.second);
    if (p.is_ground() ? std::ranges::find(values, p.term().value) == values.end() : !forget(rule, p.number(), values))
      return std::nullopt;
    const bool fact = rule.body.size() == 1 && rule.body[0].kind == RelationInfo::Kind::fact && !rule.body[0].negated;
    if (!fact) return std::nullopt;
  }
  it->second = relation(program_[u_.info(column.first).predicate].name, u_.info(column.first).tuples->arity() - 1);
  for (EngineRule& rule : made) {
    rule.head.relation = *it->second;
    added_.push_back(std::move(rule));
  }
  return it->second;
}

// The relation of moves that any role has made.
RelId Denied::made_by_any(const EngineRule& like, const EngineLiteral& move) {
  const auto [it, fresh] = made_.try_emplace({move.relation, 0});
  if (!fresh) return *it->second;
  const auto arity = static_cast<std::uint32_t>(move.arguments.size());
  it->second = relation(u_.info(move.relation).functor, arity - 1);
  EngineRule& rule = added_.emplace_back(EngineRule{{}, {move}, arity, nullptr, {}});
  Rule& source = u_.source_like(*like.source, 0);
  source.variables.assign(arity, program_.symbols.intern("?made"));
  rule.source = &source;
  rule.body[0].negated = false;
  rule.head = EngineLiteral{*it->second, RelationInfo::Kind::ordinary, false, true, false, {}};
  for (std::uint32_t c = 0; c < arity; ++c) {
    rule.body[0].arguments[c] = Pattern::variable(c);
    if (c > 0) rule.head.arguments.push_back(Pattern::variable(c));
  }
  return *it->second;
}

RelId Denied::relation(SymbolId name, std::uint32_t arity) {
  const PredId predicate =
      program_.predicate(fresh_symbol(program_, program_.symbols.str(name)), arity, Keyword::none, {});
  return u_.engine().ordinary(predicate, true);
}

bool Denied::made_here(RelId relation) const {
  return std::ranges::any_of(made_, [&](const auto& made) { return made.second == relation; });
}

// Projects the variable out of the static literals. False unless the projection allows all values that the other
// variables have anyway.
bool Denied::forget(EngineRule& rule, std::uint32_t variable, std::span<const std::uint32_t> values) {
  const Pattern p = Pattern::variable(variable);
  if (rule.head.mentions(p)) return false;
  std::set<StaticJoins::Tuple> can_be;
  for (const std::uint32_t value : values) can_be.insert({value});
  rule.body.push_back(joins_.literal_of({variable}, can_be, "can_be"));
  std::set<std::uint32_t> literals, others;
  bool inside = false;
  for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
    if (!rule.body[i].mentions(p)) continue;
    if (!joins_.fixed(rule.body[i])) {
      inside = true;
      continue;
    }
    literals.insert(i);
    others.merge(rule.body[i].variables());
  }
  if (!inside) others.erase(variable);
  const StaticJoins::Tuple variables(others.begin(), others.end());
  const auto tuples = joins_.project(rule, literals, variables);
  if (!tuples || tuples->empty() || !StaticJoins::trivial(variables, *tuples, joins_.given(rule))) return false;
  for (auto it = literals.rbegin(); it != literals.rend(); ++it) rule.body.erase(rule.body.begin() + *it);
  return true;
}

}  // namespace rgtrans::gdl::lifted
