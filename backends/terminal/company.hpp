// Who sits around the board besides the person: the players that move for the other seats, and an adviser for each seat
// of the person. They follow the play from its beginning, because what a player knows of a game that hides moves is
// what he saw; after a move was taken back they follow it anew.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backends/search/search.hpp"

namespace rgtrans::terminal {

class Company {
 public:
  // `seats` names who sits on each seat of the game, "" for the person. The play begins where `start` stands.
  Company(const Reasoner& start, std::vector<std::string> seats, std::string adviser, std::uint64_t seed);

  // The move `index` of the mover is about to be made in `play`.
  void observe(Reasoner& play, std::size_t index);
  // The last moves of the play were taken back; so many are left.
  void take_back(std::size_t left);
  [[nodiscard]] std::size_t moves() const { return made_.size(); }

  // The move of the player who sits there, whose turn it is in `play`.
  std::size_t choose(Reasoner& play);
  // What the adviser of the person thinks of the position; it is the person's turn in `play`.
  const search::TreeReport& advice(Reasoner& play);

 private:
  // A player that has seen the moves made so far.
  std::unique_ptr<search::SeatPlayer> informed(const std::string& name, std::size_t seat) const;

  std::unique_ptr<Reasoner> start_;
  std::vector<std::string> seats_;
  std::string adviser_;
  std::uint64_t seed_;
  std::vector<std::size_t> made_;
  std::vector<std::unique_ptr<search::SeatPlayer>> sitting_;   // none on the person's seats
  std::vector<std::unique_ptr<search::SeatPlayer>> advisers_;  // of the person's seats, once they are asked
};

}  // namespace rgtrans::terminal
