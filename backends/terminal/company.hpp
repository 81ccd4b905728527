// The other participants in the user's play: players for the other seats, and an adviser for each seat of the user.
// They observe the play from its begin, because in a game that hides moves a player knows only what it has seen. After
// a move was taken back, they observe the play anew.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backends/search/search.hpp"

namespace rgtrans::terminal {

class Company {
 public:
  // `seats` names the player for each seat, "" for the user. The play begins in the state of `start`.
  Company(const Reasoner& start, std::vector<std::string> seats, std::string adviser, std::uint64_t seed);

  // Call before the mover makes move `index` in `play`.
  void observe(Reasoner& play, std::size_t index);
  // Call after moves were taken back; `left` moves remain.
  void take_back(std::size_t left);
  [[nodiscard]] std::size_t moves() const { return made_.size(); }

  // Selects a move for the seat whose turn it is in `play`.
  std::size_t choose(Reasoner& play);
  // The adviser's evaluation of the position, in which the user is to move.
  const search::TreeReport& advice(Reasoner& play);

 private:
  // A player that has observed all moves so far.
  std::unique_ptr<search::SeatPlayer> informed(const std::string& name, std::size_t seat) const;

  std::unique_ptr<Reasoner> start_;
  std::vector<std::string> seats_;
  std::string adviser_;
  std::uint64_t seed_;
  std::vector<std::size_t> made_;
  std::vector<std::unique_ptr<search::SeatPlayer>> sitting_;   // null for the user's seats
  std::vector<std::unique_ptr<search::SeatPlayer>> advisers_;  // for the user's seats, created on first use
};

}  // namespace rgtrans::terminal
