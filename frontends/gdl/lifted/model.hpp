// The description as the lifted lowering sees it: its rules with variables, and the possible values of every variable
// and column. Static relations are complete, and the needed and the recursive relations are known.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <range/v3/view/filter.hpp>
#include <string>
#include <utility>
#include <vector>

#include "frontends/gdl/lifted/joins.hpp"
#include "frontends/gdl/lifted/sorts.hpp"

namespace rgtrans::gdl::lifted {

// Thrown if the description has a feature that this lowering does not support; `why` names it.
struct NotLifted {
  std::string why;
};

// A relation with its role in rules: `derived` distinguishes `legal` from `does`, and `next` from `true`.
struct RelKey {
  RelId relation;
  bool derived = false;
  auto operator<=>(const RelKey& other) const {
    return std::pair(relation.value, derived) <=> std::pair(other.relation.value, other.derived);
  }
  bool operator==(const RelKey&) const = default;
};

enum class LiteralKind : std::uint8_t { distinct, fixed, fact, does, derived };

struct LiftedRule {
  const EngineRule* rule;
  std::vector<SortId> sorts;  // per variable
  bool same_state = true;     // its moves are made in the state of its facts
};

class Model : public Sorts {
 public:
  // The unground rules must not move.
  Model(Program& program, Unground& unground);

  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] SymbolId symbol(std::string_view text) { return program_.symbols.intern(text); }
  [[nodiscard]] const Unground& unground() const { return unground_; }
  [[nodiscard]] Engine& engine() { return unground_.engine(); }
  [[nodiscard]] const RelationInfo& info(RelId relation) const { return unground_.info(relation); }
  [[nodiscard]] std::string text(TermId term) const { return program_.text(term); }
  [[nodiscard]] std::string name(RelId relation) const;

  [[nodiscard]] LiteralKind kind(const EngineLiteral& literal) const;
  static RelKey key(const EngineLiteral& literal) {
    return {literal.relation, literal.derived || literal.kind == RelationInfo::Kind::ordinary};
  }
  [[nodiscard]] const std::vector<LiftedRule>& rules(RelKey key) const;
  // The place of the first rule for the relation.
  [[nodiscard]] Range where(RelKey key) const {
    return rules(key).empty() ? Range() : rules(key)[0].rule->source->where;
  }
  // All rules, by the relation that they derive.
  [[nodiscard]] const std::map<RelKey, std::vector<LiftedRule>>& rules() const { return rules_; }
  // A rule of `next` is a frame if its body contains the fact of its head. Returns the index of that literal.
  [[nodiscard]] static std::optional<std::uint32_t> frame_literal(const EngineRule& rule);
  [[nodiscard]] static std::optional<std::uint32_t> frame_literal(const LiftedRule& rule) {
    return frame_literal(*rule.rule);
  }
  // Some frame keeps the fact, so it can last for more than one state.
  [[nodiscard]] bool kept(RelId fact) const {
    return std::ranges::any_of(rules({fact, true}),
                               [](const LiftedRule& rule) { return frame_literal(rule).has_value(); });
  }
  // The causes: rules of `next` for a fact that are no frames.
  [[nodiscard]] auto causes(RelId fact) const {
    return rules({fact, true}) | ranges::views::filter([](const LiftedRule& rule) { return !frame_literal(rule); });
  }
  [[nodiscard]] bool recursive(RelKey key) const { return recursive_.contains(key) && recursive_.at(key); }
  // Mutually recursive, or equal.
  [[nodiscard]] bool same_component(RelKey a, RelKey b) const;
  // The facts on which something observable depends, and all moves.
  [[nodiscard]] const std::vector<RelId>& facts() const { return facts_; }
  [[nodiscard]] const std::vector<RelId>& moves() const { return moves_; }
  [[nodiscard]] RelId keyword(Keyword keyword) const;

  // Widens the sort of a variable to the column that binds it, or that receives it, if it contains at least half of
  // that column's values. So rules with a common prefix are written alike.
  template <class F>
  void widen(F&& concerns);

  // The join of static literals, projected to some variables; null if that is too much work.
  [[nodiscard]] std::optional<std::set<StaticJoins::Tuple>> static_tuples(const EngineRule& rule,
                                                                          const std::set<std::uint32_t>& literals,
                                                                          const StaticJoins::Tuple& variables) {
    return joins_.project(rule, literals, variables);
  }
  // A literal that restricts the variables to these tuples.
  EngineLiteral relate(const StaticJoins::Tuple& variables, const std::set<StaticJoins::Tuple>& tuples,
                       const std::string& name);

  // Asserts that the scalar equals the role that makes a move of this shape, and adds that equality to every rule that
  // reads such a move. `always`: the scalar's role makes no other moves.
  void add_mover(RelId shape, RelId scalar, std::uint32_t column, bool always);
  // The scalar and its column that equal the maker of such a move, in the state of the move.
  [[nodiscard]] std::optional<std::pair<RelId, std::uint32_t>> holder(RelId shape) const {
    const auto found = always_.find(shape);
    return found == always_.end() ? std::nullopt : std::optional(found->second);
  }

  // --- Sorts. ---
  SortId column(RelId relation, std::uint32_t c);
  // The union of the arguments that callers pass for a column of a derived relation.
  SortId argument(RelKey key, std::uint32_t c);

 private:
  void find_needed();
  void find_components();
  void collect_arguments();
  SortId of_domain(const Domain& domain, const std::string& what);
  void take_rule(const EngineRule& rule);

  Program& program_;
  Unground& unground_;
  StaticJoins joins_;
  std::map<RelKey, std::vector<LiftedRule>> rules_;
  std::map<RelKey, std::uint32_t> component_;
  std::map<RelKey, bool> recursive_;
  std::map<RelKey, std::vector<SortId>> arguments_;
  std::vector<RelId> facts_, moves_;
  // The scalar's role makes moves of this shape only.
  std::map<RelId, std::pair<RelId, std::uint32_t>> always_;
  std::deque<Rule> sources_;       // of rules
  std::deque<EngineRule> longer_;  // rules with an added literal
};

template <class F>
void Model::widen(F&& concerns) {
  for (auto& [key, list] : rules_) {
    for (LiftedRule& rule : list) {
      std::vector<SortId> given(rule.sorts.size());
      for (const EngineLiteral& literal : rule.rule->body) {
        const LiteralKind what = kind(literal);
        if (literal.negated || what == LiteralKind::fixed || what == LiteralKind::distinct) continue;
        for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
          const Pattern p = literal.arguments[c];
          if (!p.is_variable()) continue;
          SortId& sort = given[p.number()];
          sort = sort.valid() ? intersect(sort, column(literal.relation, c)) : column(literal.relation, c);
        }
      }
      // An unbound variable takes the column that receives it.
      const auto goes = [&](const EngineLiteral& literal) {
        for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
          const Pattern p = literal.arguments[c];
          if (!p.is_variable() || given[p.number()].valid() || kind(literal) == LiteralKind::distinct) continue;
          if (subset(rule.sorts[p.number()], column(literal.relation, c)))
            given[p.number()] = column(literal.relation, c);
        }
      };
      goes(rule.rule->head);
      for (const EngineLiteral& literal : rule.rule->body)
        if (literal.negated) goes(literal);
      // The column of the head must contain the widened sort.
      const EngineLiteral& head = rule.rule->head;
      for (std::uint32_t c = 0; c < head.arguments.size(); ++c)
        if (const Pattern p = head.arguments[c]; p.is_variable() && given[p.number()].valid())
          if (!subset(given[p.number()], column(head.relation, c))) given[p.number()] = rule.sorts[p.number()];
      for (std::size_t v = 0; v < given.size(); ++v)
        if (given[v].valid() && concerns(rule.sorts[v]) && subset(rule.sorts[v], given[v]) &&
            2 * terms(rule.sorts[v]).size() >= terms(given[v]).size())
          rule.sorts[v] = given[v];
    }
  }
  arguments_.clear();
  collect_arguments();
}

}  // namespace rgtrans::gdl::lifted
