// Relations that ask themselves once, followed forwards: from what a rule without recursion derives to what the
// recursive rule derives from that, and so on. Each has at most one successor, and none ever comes back to where it
// was:
//
//   affected(X2, Y2, D) <- does(P, move(X1, Y1)), beside(X1, Y1, D, X2, Y2), ...
//   affected(X2, Y2, D) <- affected(X1, Y1, D), beside(X1, Y1, D, X2, Y2), ...
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "frontends/gdl/lifted/recursion.hpp"
#include "frontends/gdl/lifted/walks.hpp"

namespace rgtrans::gdl::lifted {

struct Chain {
  std::vector<const LiftedRule*> first;  // rules without recursion
  const LiftedRule* step = nullptr;      // the one with recursion
  std::uint32_t again = 0;               // the literal of it that asks the relation itself
  std::vector<bool> kept;                // columns that a step does not change
};

class Chains {
 public:
  Chains(Model& model, Walks& walks) : m_(model), w_(walks) {}
  // None where the relation cannot be followed.
  const std::optional<Chain>& of(RelKey relation);

 private:
  [[nodiscard]] std::optional<Chain> find(RelKey relation);

  Model& m_;
  Walks& w_;
  std::map<RelKey, std::optional<Chain>> chains_;
};

}  // namespace rgtrans::gdl::lifted
