// Conditions are replaced by the bodies of their rules, one rule for each of them; those that depend on the move so
// that what the move tells is known at once: `next(p(X)) <- moved(X)` with `moved(X) <- does(r, go(X))` assigns to one
// key.
#pragma once

#include <deque>
#include <functional>
#include <set>

#include "frontends/gdl/lifted/model.hpp"

namespace rgtrans::gdl::lifted {

class Unfolder {
 public:
  using Wanted = std::function<bool(RelKey)>;

  // Of conditions that depend on the move, or are wanted.
  explicit Unfolder(Model& model) : Unfolder(model, [this](RelKey key) { return depends_on_move(key); }) {}
  Unfolder(Model& model, Wanted wanted) : m_(model), wanted_(std::move(wanted)) {}
  Unfolder(const Unfolder&) = delete;
  Unfolder& operator=(const Unfolder&) = delete;

  // Rules that together say the same. They live as long as this.
  std::vector<const LiftedRule*> unfold(const LiftedRule& rule);
  // The same for one literal, which has to be one of a relation with a few rules that does not ask itself.
  std::vector<const LiftedRule*> unfold(const LiftedRule& rule, std::size_t literal);
  [[nodiscard]] bool can_unfold(const EngineLiteral& literal) const;
  // The rule with what the cause needs of the move, where the literal is what the cause derives. None where it cannot
  // be.
  const LiftedRule* with_move_of(const LiftedRule& rule, std::size_t literal, const LiftedRule& cause);
  // A rule for the facts that a frame does not hand on because of a literal: they are there, and its opposite holds.
  // The given variables are further arguments of its head, so that unfolding keeps what it asks of them.
  const LiftedRule* where_fails(const LiftedRule& frame, std::uint32_t fact, const EngineLiteral& opposite,
                                const std::set<std::uint32_t>& given);
  // The same rule with another body about its variables.
  const LiftedRule* with_body(const LiftedRule& rule, std::vector<EngineLiteral> body);
  // The same rule with these literals of its body at the beginning.
  const LiftedRule* beginning_with(const LiftedRule& rule, const std::set<std::uint32_t>& literals);

 private:
  bool depends_on_move(RelKey key);
  enum class Taken : std::uint8_t { body, moves };
  // The literal becomes the other rule's body; or it stays, and the moves in that body are added. None where the heads
  // do not fit.
  const LiftedRule* replace(const LiftedRule& rule, std::size_t literal, const LiftedRule& by, Taken taken);

  Model& m_;
  Wanted wanted_;
  std::map<RelKey, bool> moves_;
  std::deque<Rule> sources_;
  std::deque<EngineRule> rules_;
  std::deque<LiftedRule> lifted_;
};

}  // namespace rgtrans::gdl::lifted
