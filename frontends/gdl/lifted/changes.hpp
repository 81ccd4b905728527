// Conditions that did not hold before a step, looked for where the step has changed something: "five stones in a row"
// needs no look at the whole board, only at the lines through the stone that was placed.
//
// A body that did not hold and holds now has a literal that turned true. For a fact that means a cause, a rule of
// `next` that is no frame; the literal takes its arguments from the head of the cause, and these from the move that was
// made. The body is then tested as a whole, so that looking at too many places does no harm. It needs that everything
// else in the body cannot turn true: what is fixed, negated facts that never vanish, derived relations that can only
// shrink.
#pragma once

#include <map>
#include <vector>

#include "frontends/gdl/lifted/unfold.hpp"

namespace rgtrans::gdl::lifted {

class Tables;

class Changes {
 public:
  Changes(Model& model, const Tables& tables);

  // Rules one of which holds after a step if one of the relation's does, provided that none of these held before. None
  // where that saves nothing.
  std::vector<const LiftedRule*> rules_after_step(RelKey key);

 private:
  enum class Way : std::uint8_t { grows, shrinks };

  // A rule that needs the whole board is its own only variant.
  std::vector<const LiftedRule*> variants(const LiftedRule& rule);
  bool by_causes(const LiftedRule& rule, std::uint32_t literal, std::vector<const LiftedRule*>& out);
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
  Unfolder conditions_, causes_;
  std::map<std::pair<RelKey, Way>, bool> only_;
};

}  // namespace rgtrans::gdl::lifted
