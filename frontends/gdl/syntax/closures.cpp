#include "frontends/gdl/syntax/closures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/support/sorted.hpp"

namespace rgtrans::gdl {

namespace {

// The columns of a transitive relation: those that a step keeps, and those of its two ends.
struct Columns {
  std::vector<std::uint32_t> kept, begin, end;  // begin[i] and end[i] are the two ends of one pair
};

class Follower {
 public:
  explicit Follower(Program& program) : p_(program), component_(program.components()) {}

  void run() {
    const auto count = static_cast<std::uint32_t>(component_.size());
    for (std::uint32_t p = 0; p < count; ++p)
      if (p_.predicates[p].keyword == Keyword::none && p_.predicates[p].arity > 1) look_at(PredId(p));
  }

 private:
  [[nodiscard]] bool asks_itself(PredId p, const Literal& l) const {
    return l.predicate.value < component_.size() && component_[l.predicate.value] == component_[p.value];
  }

  void look_at(PredId p) {
    std::vector<std::size_t> first, turned;
    std::optional<std::pair<std::size_t, std::size_t>> joined;  // the rule, and its literal that becomes a step
    std::optional<Columns> columns;
    for (std::size_t r = 0; r < p_.rules.size(); ++r) {
      if (p_.rules[r].head.predicate != p) continue;
      const std::vector<std::size_t> own = own_literals(p, p_.rules[r]);
      if (own.empty()) {
        first.push_back(r);
      } else if (own.size() == 1) {
        turned.push_back(r);
      } else {
        if (own.size() > 2 || columns) return;
        for (const auto& [a, b] : {std::pair(own[0], own[1]), std::pair(own[1], own[0])}) {
          columns = columns_of(p_.rules[r], a, b);
          if (!columns) continue;
          joined.emplace(r, a);
          break;
        }
        if (!columns) return;
      }
    }
    if (!columns || !std::ranges::all_of(turned, [&](std::size_t r) { return turns(p, p_.rules[r], *columns); }))
      return;
    const PredId step = rename(p, "step", first);
    rewrite(p, step, p_.rules[joined->first].body[joined->second], turned, *columns);
  }

  [[nodiscard]] std::vector<std::size_t> own_literals(PredId p, const Rule& rule) const {
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < rule.body.size(); ++i)
      if (asks_itself(p, rule.body[i])) own.push_back(i);
    return own;
  }

  // All arguments are variables, and they differ.
  [[nodiscard]] static bool plain(const Literal& l) {
    std::vector<std::uint32_t> numbers;
    for (const Pattern a : l.arguments) {
      if (!a.is_variable()) return false;
      numbers.push_back(a.number());
    }
    sort_unique(numbers);
    return numbers.size() == l.arguments.size();
  }

  // The columns, if head, literal a and literal b read (kept, begin, end), (kept, begin, middle) and (kept, middle,
  // end), and if the other literals mention kept columns only.
  [[nodiscard]] std::optional<Columns> columns_of(const Rule& rule, std::size_t a, std::size_t b) const {
    const Literal& head = rule.head;
    const Literal& from = rule.body[a];
    const Literal& to = rule.body[b];
    if (from.predicate != head.predicate || to.predicate != head.predicate || from.negated || to.negated) return {};
    if (!plain(head) || !plain(from) || !plain(to)) return {};
    Columns columns;
    for (std::uint32_t c = 0; c < head.arguments.size(); ++c) {
      const bool begins = from.arguments[c] == head.arguments[c];
      const bool ends = to.arguments[c] == head.arguments[c];
      if (!begins && !ends) return {};
      (begins && ends ? columns.kept : begins ? columns.begin : columns.end).push_back(c);
    }
    if (columns.begin.size() != columns.end.size() || columns.begin.empty()) return {};
    for (std::size_t i = 0; i < columns.begin.size(); ++i) {
      const Pattern middle = to.arguments[columns.begin[i]];
      const auto found = std::ranges::find_if(columns.end, [&](auto c) { return from.arguments[c] == middle; });
      if (found == columns.end.end()) return {};
      std::iter_swap(columns.end.begin() + static_cast<std::ptrdiff_t>(i), found);
    }
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
      if (i == a || i == b) continue;
      bool about_kept = true;
      for (const Pattern argument : rule.body[i].arguments)
        p_.patterns.for_each_variable(argument, [&](std::uint32_t v) {
          about_kept = about_kept && std::ranges::any_of(columns.kept, [&](std::uint32_t c) {
                         return head.arguments[c] == Pattern::variable(v);
                       });
        });
      if (!about_kept) return {};
    }
    return columns;
  }

  // The rule derives (kept, begin, end) from (kept, end, begin).
  [[nodiscard]] static bool turns(PredId p, const Rule& rule, const Columns& columns) {
    if (rule.body.size() != 1 || rule.body[0].predicate != p || rule.body[0].negated || !plain(rule.head)) return false;
    const auto& head = rule.head.arguments;
    const auto& other = rule.body[0].arguments;
    bool fits = std::ranges::all_of(columns.kept, [&](std::uint32_t c) { return head[c] == other[c]; });
    for (std::size_t i = 0; i < columns.begin.size(); ++i) {
      const std::uint32_t b = columns.begin[i], e = columns.end[i];
      fits = fits && head[b] == other[e] && head[e] == other[b];
    }
    return fits;
  }

  PredId make(PredId p, std::string_view what) {
    std::string name = fmt::format("#{}_{}", p_.symbols.text(p_[p].name), what);
    while (p_.symbols.find(name).valid()) name += '#';
    const PredId made = p_.predicate(p_.symbols.intern(name), p_[p].arity, Keyword::auxiliary, p_[p].where);
    p_.predicates[made.value].defined = true;
    return made;
  }

  // Moves the facts and these rules to a new relation.
  PredId rename(PredId p, std::string_view what, const std::vector<std::size_t>& rules) {
    const PredId made = make(p, what);
    for (const std::size_t r : rules) p_.rules[r].head.predicate = made;
    for (Fact& fact : p_.facts)
      if (fact.predicate == p) fact.predicate = made;
    return made;
  }

  void rewrite(PredId p, PredId step, Literal& joined, const std::vector<std::size_t>& turned, const Columns& columns) {
    joined.predicate = step;
    if (!turned.empty()) {
      const PredId either = make(p, "step_or_back");
      joined.predicate = either;
      std::vector<std::uint32_t> order(p_[p].arity);
      for (std::uint32_t c = 0; c < order.size(); ++c) order[c] = c;
      add_projection(either, step, order);
      for (std::size_t i = 0; i < columns.begin.size(); ++i) std::swap(order[columns.begin[i]], order[columns.end[i]]);
      add_projection(either, step, order);
      step = either;
      // The symmetric step relation replaces the symmetry rules.
      for (std::size_t i = turned.size(); i-- > 0;)
        p_.rules.erase(p_.rules.begin() + static_cast<std::ptrdiff_t>(turned[i]));
    }
    std::vector<std::uint32_t> same(p_[p].arity);
    for (std::uint32_t c = 0; c < same.size(); ++c) same[c] = c;
    add_projection(p, step, same);
  }

  // to(x1, x2, …) <= from(x of the order)
  void add_projection(PredId to, PredId from, const std::vector<std::uint32_t>& order) {
    Rule& rule = p_.rules.emplace_back();
    rule.where = p_[to].where;
    rule.head = {to, false, {}, rule.where};
    rule.body.push_back({from, false, {}, rule.where});
    for (std::uint32_t c = 0; c < order.size(); ++c) {
      rule.variables.push_back(p_.symbols.intern(fmt::format("?{}", c + 1)));
      rule.head.arguments.push_back(Pattern::variable(c));
      rule.body[0].arguments.push_back(Pattern::variable(order[c]));
    }
  }

  Program& p_;
  std::vector<std::uint32_t> component_;
};

}  // namespace

void follow_steps(Program& program) { Follower(program).run(); }

}  // namespace rgtrans::gdl
