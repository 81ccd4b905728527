// Makes the moves of a play that need no decision.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/reasoner.hpp"
#include "core/support/support.hpp"

namespace rgtrans::lockstep {

constexpr std::uint64_t kMostForced = 100'000;  // consecutive moves without a decision

// Those of keeper, and with `skip_forced` those of players without an alternative. `each` sees the play before each of
// them. Throws Error if keeper has a choice, or if no decision ever comes.
template <class Each>
void make_forced_moves(Reasoner& play, bool skip_forced, Each&& each) {
  for (std::uint64_t made = 0; !play.terminal(); ++made) {
    const bool keeper = play.keeper_moves();
    if (!keeper && !skip_forced) return;
    const std::size_t count = play.move_count();
    if (keeper && count > 1) throw Error("keeper has several moves in some state, so the game is improper");
    if (count != 1) return;
    if (made == kMostForced) throw Error("the play goes on without a decision, and without end");
    each();
    play.apply(0);
  }
}
inline void make_forced_moves(Reasoner& play, bool skip_forced) {
  make_forced_moves(play, skip_forced, [] {});
}

}  // namespace rgtrans::lockstep
