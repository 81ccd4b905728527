// The graph of all positions that can be reached, solved from its ends.
#pragma once

#include <map>

#include "backends/search/positions.hpp"

namespace rgtrans::search {

class PositionGraph {
 public:
  // Reaches everything; throws OutOfTime, NotConstant.
  PositionGraph(const Reasoner& start, double cycle_value, SolveLimits& limits);
  [[nodiscard]] double value();  // of the start, for the first player
  std::size_t advise(Walker& at, const ProofClaim& claim);
  [[nodiscard]] std::uint64_t positions() const { return mover_.size(); }

 private:
  using Ranks = std::vector<std::uint32_t>;
  std::uint32_t id(const Key& key);
  void link_back();
  // From where the player can force a terminal position in which the claim holds: the number of the round that found
  // it.
  [[nodiscard]] Ranks attractor(std::size_t player, const ProofClaim& claim) const;
  const Ranks& ranks(std::size_t player, const ProofClaim& claim);
  [[nodiscard]] std::uint64_t bytes() const;

  double cycle_value_;
  SolveLimits& limits_;
  KeyTable<std::uint32_t> ids_;
  std::vector<std::uint8_t> mover_;  // kOver where the play is over
  std::vector<std::uint64_t> first_;
  std::vector<std::uint32_t> edges_;
  std::vector<double> goal_;
  std::vector<std::uint64_t> first_back_;
  std::vector<std::uint32_t> back_;
  std::map<std::tuple<std::size_t, bool, double>, Ranks> ranks_;
};

}  // namespace rgtrans::search
