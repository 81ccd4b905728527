// Linear recursions that are evaluated forwards. A non-recursive rule derives the first tuple, and the recursive rule
// derives each next one. Each tuple has at most one successor, and no derivation returns to an earlier tuple:
//
//   affected(C2, D) <- does(P, move(C1)), step(C1, D, C2), ...
//   affected(C2, D) <- affected(C1, D), step(C1, D, C2), ...
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "frontends/gdl/lifted/recursion.hpp"
#include "frontends/gdl/lifted/walks.hpp"

namespace rgtrans::gdl::lifted {

struct Chain {
  std::vector<const LiftedRule*> first;  // non-recursive rules
  const LiftedRule* step = nullptr;      // the recursive rule
  std::uint32_t recursive_literal = 0;   // index in its body
  std::vector<bool> kept;                // columns that a step does not change
};

class Chains {
 public:
  Chains(Model& model, Walks& walks) : m_(model), w_(walks) {}
  // Null if the relation is no such chain.
  const std::optional<Chain>& of(RelKey relation);

 private:
  [[nodiscard]] std::optional<Chain> find(RelKey relation);

  Model& m_;
  Walks& w_;
  std::map<RelKey, std::optional<Chain>> chains_;
};

}  // namespace rgtrans::gdl::lifted
