// Conditions that did not hold before a step, looked for where the step has changed something: "five stones in a row"
// needs no look at the whole board, only at the lines through the stone that was placed.
//
// A body that did not hold and holds now has a literal that turned true. For a fact that means a cause, a rule of
// `next` that is no frame; the literal takes its arguments from the head of the cause, and these from the move that was
// made. A scalar as it was before the step may tell some of them: all stones that join a group get the number of the
// step. Where neither does, as a column does not tell where a disc comes to lie, the step records the
// fact that it has added; where it adds several, the whole rule is asked. The body is then tested as a whole, so that
// looking at too many places does no harm. It needs that everything else in the body cannot turn true: what is fixed,
// negated facts that never vanish, derived relations that can only shrink.
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
  // A rule to be asked; or only where this literal is the fact that the step has recorded, or where variables are what
  // scalars were before the step.
  struct Look {
    const LiftedRule* rule;
    std::optional<std::uint32_t> recorded;
    std::map<std::uint32_t, Scalar> before;
    // The literal that is what the cause derives.
    std::uint32_t literal = 0;
    const LiftedRule* cause = nullptr;
    bool operator==(const Look&) const = default;
  };
  struct AfterStep {
    std::vector<Look> looks;
    std::set<RelId> recorded;  // all rules are asked where the step has added several of one of these
    std::set<Scalar> before;
  };
  // Rules one of which holds after a step if one of the relation's does, provided that none of these held before. None
  // where that saves nothing.
  std::optional<AfterStep> after_step(RelKey key);

 private:
  enum class Way : std::uint8_t { grows, shrinks };

  // A rule that needs the whole board is its own only variant.
  std::vector<Look> variants(const LiftedRule& rule);
  bool by_causes(const LiftedRule& rule, std::uint32_t literal, std::vector<Look>& out);
  // Looks at several literals about what the same cause derives become one: what the cause derives tells one variable
  // of the rule, whichever of the literals it is. So a line through a cell is looked at from its first cell on.
  void join_anchored(const LiftedRule& rule, std::vector<Look>& looks);
  [[nodiscard]] std::optional<Look> anchored(const LiftedRule& rule, const std::vector<std::uint32_t>& literals,
                                             const LiftedRule& cause);
  // What the causes of the fact take from scalars alone; none where no cause can be.
  std::map<std::uint32_t, Scalar> from_scalars(RelId fact);
  [[nodiscard]] std::optional<Scalar> scalar_of(const LiftedRule& rule, Pattern p) const;
  bool by_scalars(const LiftedRule& rule, std::uint32_t literal, std::vector<Look>& out);
  // The rule is expected to cost less where what the frame supposes is known.
  [[nodiscard]] bool saves(const LiftedRule& rule, double steps);
  // The rules of a relation, those for all values of an argument as one.
  std::vector<const LiftedRule*> joined_rules(RelKey key);
  const LiftedRule* for_any(const std::vector<const LiftedRule*>& rules);
  // Few facts are added in one step.
  bool recordable(RelId fact);
  [[nodiscard]] bool narrow(const LiftedRule& rule, const EngineLiteral& literal) const;
  // Where the literal may hold.
  [[nodiscard]] double places(const LiftedRule& rule, const EngineLiteral& literal) const;
  [[nodiscard]] bool can_turn_true(const EngineLiteral& literal);
  static Way other(Way way) { return way == Way::grows ? Way::shrinks : Way::grows; }
  bool only(RelKey key, Way way);
  void collect(RelKey key, Way way);
  bool only(const EngineLiteral& literal, Way way);
  [[nodiscard]] bool appears(RelId fact) const;
  [[nodiscard]] bool vanishes(RelId fact) const;

  Model& m_;
  const Tables& t_;
  Walks& w_;
  Unfolder conditions_, causes_;
  std::map<std::pair<RelKey, Way>, bool> only_;
  std::deque<Rule> sources_;
  std::deque<EngineRule> rules_;
  std::deque<LiftedRule> joined_;
};

}  // namespace rgtrans::gdl::lifted
