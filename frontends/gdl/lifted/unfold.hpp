// Unfolding: conditions are replaced by the bodies of their rules, with one copy of the rule for each. Unfolding
// conditions that depend on the move binds the move's arguments at once: `next(p(X)) <- moved(X)` with `moved(X) <-
// does(r, go(X))` assigns to a single key.
#pragma once

#include <deque>
#include <functional>
#include <set>

#include "frontends/gdl/lifted/model.hpp"

namespace rgtrans::gdl::lifted {

class Unfolder {
 public:
  using Wanted = std::function<bool(RelKey)>;

  // Unfolds the conditions that depend on the move, or that are wanted.
  explicit Unfolder(Model& model) : Unfolder(model, [this](RelKey key) { return depends_on_move(key); }) {}
  Unfolder(Model& model, Wanted wanted) : m_(model), wanted_(std::move(wanted)) {}
  Unfolder(const Unfolder&) = delete;
  Unfolder& operator=(const Unfolder&) = delete;

  // Rules that are equivalent in total; the Unfolder owns them.
  std::vector<const LiftedRule*> unfold(const LiftedRule& rule);
  // Unfolds one literal, whose relation must satisfy can_unfold().
  std::vector<const LiftedRule*> unfold(const LiftedRule& rule, std::size_t literal);
  [[nodiscard]] bool can_unfold(const EngineLiteral& literal) const;
  // Unifies the literal with the head of the cause, and adds the moves of the cause to the rule. Null if they do not
  // unify.
  const LiftedRule* with_move_of(const LiftedRule& rule, std::size_t literal, const LiftedRule& cause);
  // A rule for the facts that a frame does not keep because of a literal: the fact holds, and so does the literal's
  // complement. The given variables become further arguments of its head, so that unfolding keeps their conditions.
  const LiftedRule* where_fails(const LiftedRule& frame, std::uint32_t fact, const EngineLiteral& complement,
                                const std::set<std::uint32_t>& given);
  // The rule with another body over the same variables.
  const LiftedRule* with_body(const LiftedRule& rule, std::vector<EngineLiteral> body);
  // The rule with these literals first.
  const LiftedRule* beginning_with(const LiftedRule& rule, const std::set<std::uint32_t>& literals);

 private:
  bool depends_on_move(RelKey key);
  enum class Taken : std::uint8_t { body, moves };
  // Replaces the literal by the other rule's body; or keeps it and adds the moves of that body. Null if the heads do
  // not unify.
  const LiftedRule* replace(const LiftedRule& rule, std::size_t literal, const LiftedRule& by, Taken taken);

  Model& m_;
  Wanted wanted_;
  std::map<RelKey, bool> moves_;
  std::deque<Rule> sources_;
  std::deque<EngineRule> rules_;
  std::deque<LiftedRule> lifted_;
};

}  // namespace rgtrans::gdl::lifted
