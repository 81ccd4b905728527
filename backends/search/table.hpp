// Seats and chance at a table: everything in a play but the players' decisions.
#pragma once

#include <optional>

#include "backends/search/search.hpp"
#include "core/support/secrets.hpp"

namespace rgtrans::search {

// The seeds of the play with this number, from 0. The plays of a round, in which every player takes every seat once,
// share the opening but no other random number. A player who remembers a play must not know the cards of the next one.
[[nodiscard]] PlaySeeds seeds_of_play(const MatchOptions& options, std::uint64_t play);
// The players turn around the table.
[[nodiscard]] std::vector<std::size_t> seats_of_play(const MatchOptions& options, std::size_t seats,
                                                     std::uint64_t play);

// Draws the moves of chance and those of an opening, from the moves in the order of their texts, so that they are the
// same with every engine.
class TableChance {
 public:
  TableChance(const PlaySeeds& seeds, const PlayLimits& limits)
      : chance_(seeds.table, "chance"), opening_(seeds.opening, "opening"), left_(limits.random_opening) {}
  // Nothing where a player decides; keeper has one move.
  std::optional<std::size_t> draw(Reasoner& game);

 private:
  SecretNumbers chance_, opening_;
  std::uint64_t left_;  // moves of the opening
};

}  // namespace rgtrans::search
