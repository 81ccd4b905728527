// Incremental evaluation of a condition that was false before a step. A test for "five stones in a row" need not scan
// the whole board, only the lines through the new stone.
//
// If a body becomes true, one of its literals has turned true. For a fact, some cause (a rule of `next` that is no
// frame) derives it. The literal is unified with the head of the cause, which depends on the move. A scalar before the
// step may determine further arguments: for example, all stones that join a group get the number of the step. Otherwise
// the step records the fact that it adds, such as the row in which a disc lands; if it adds several, the whole rule is
// evaluated. The complete body is tested afterwards, so extra candidates do no harm. All other literals must be unable
// to turn true: static literals, negated facts that never vanish, derived relations that can only shrink.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "frontends/gdl/lifted/unfold.hpp"
#include "frontends/gdl/lifted/walks.hpp"

namespace rgtrans::gdl::lifted {

class Changes {
 public:
  Changes(Model& model, const Tables& tables, Walks& walks);

  // A scalar and one of its columns.
  using Scalar = std::pair<RelId, std::uint32_t>;
  // A rule to evaluate, possibly restricted: `recorded` is the literal that equals the recorded fact, and the variables
  // in `before` equal scalars before the step.
  struct Look {
    const LiftedRule* rule;
    std::optional<std::uint32_t> recorded;
    std::map<std::uint32_t, Scalar> before;
    // The literal that the cause derives.
    std::uint32_t literal = 0;
    const LiftedRule* cause = nullptr;
    bool operator==(const Look&) const = default;
  };
  struct AfterStep {
    std::vector<Look> looks;
    std::set<RelId> recorded;  // if the step has added several of one of these, all rules are evaluated
    std::set<Scalar> before;
  };
  // Restricted rules for the relation, one of which holds after a step if the relation does, provided that it was empty
  // before. Null if they save nothing.
  std::optional<AfterStep> after_step(RelKey key);

 private:
  enum class Direction : std::uint8_t { grows, shrinks };

  // The restricted variants of a rule; the rule itself if it needs the whole board.
  std::vector<Look> variants(const LiftedRule& rule);
  bool by_causes(const LiftedRule& rule, std::uint32_t literal, std::vector<Look>& out);
  // Merges looks at several literals with the same cause: the derived fact determines one variable (the anchor),
  // whichever literal it matches. So a line through a cell is tested from its first cell on.
  void join_anchored(const LiftedRule& rule, std::vector<Look>& looks);
  [[nodiscard]] std::optional<Look> anchored(const LiftedRule& rule, const std::vector<std::uint32_t>& literals,
                                             const LiftedRule& cause);
  // The columns that all causes of the fact copy from one scalar.
  std::map<std::uint32_t, Scalar> from_scalars(RelId fact);
  [[nodiscard]] std::optional<Scalar> scalar_of(const LiftedRule& rule, Pattern p) const;
  bool by_scalars(const LiftedRule& rule, std::uint32_t literal, std::vector<Look>& out);
  // The expected cost with the known variables is lower than that of the whole rule.
  [[nodiscard]] bool saves(const LiftedRule& rule, double steps);
  // The rules of a relation; rules for all values of an argument are merged.
  std::vector<const LiftedRule*> joined_rules(RelKey key);
  const LiftedRule* for_any(const std::vector<const LiftedRule*>& rules);
  // Few facts are added in one step.
  bool recordable(RelId fact);
  [[nodiscard]] bool narrow(const LiftedRule& rule, const EngineLiteral& literal) const;
  // The number of keys for which the literal may hold.
  [[nodiscard]] double places(const LiftedRule& rule, const EngineLiteral& literal) const;
  [[nodiscard]] bool can_turn_true(const EngineLiteral& literal);
  static Direction other(Direction direction) {
    return direction == Direction::grows ? Direction::shrinks : Direction::grows;
  }
  bool is_monotone(RelKey key, Direction direction);
  void collect(RelKey key, Direction direction);
  bool is_monotone(const EngineLiteral& literal, Direction direction);
  [[nodiscard]] bool appears(RelId fact) const;
  [[nodiscard]] bool vanishes(RelId fact) const;

  Model& m_;
  const Tables& t_;
  Walks& w_;
  Unfolder conditions_, causes_;
  std::map<std::pair<RelKey, Direction>, bool> monotone_;
  std::deque<Rule> sources_;
  std::deque<EngineRule> rules_;
  std::deque<LiftedRule> joined_;
};

}  // namespace rgtrans::gdl::lifted
