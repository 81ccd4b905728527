// A condition that depends on the move is replaced by the bodies of its rules, one rule for each of them, so that what
// the move tells is known at once: `next(p(X)) <- moved(X)` with `moved(X) <- does(r, go(X))` assigns to one key.
#pragma once

#include <deque>

#include "frontends/gdl/lifted/model.hpp"

namespace rgtrans::gdl::lifted {

class Unfolder {
 public:
  explicit Unfolder(Model& model) : m_(model) {}

  // Rules that together say the same. They live as long as this.
  std::vector<const LiftedRule*> unfold(const LiftedRule& rule);

 private:
  bool depends_on_move(RelKey key);
  // None where the heads do not fit.
  const LiftedRule* replace(const LiftedRule& rule, std::size_t literal, const LiftedRule& by);

  Model& m_;
  std::map<RelKey, bool> moves_;
  std::deque<Rule> sources_;
  std::deque<EngineRule> rules_;
  std::deque<LiftedRule> lifted_;
};

}  // namespace rgtrans::gdl::lifted
