// Work on a game that takes long: it tells of its progress and looks now and then whether it shall end.
#pragma once

#include <atomic>
#include <functional>

#include "ide/desk/table.hpp"

namespace rgtrans::ide {

// What a piece of work is given besides its request.
struct Errand {
  const OpenedGame& game;
  const Json& request;
  std::function<void(Json)> tell;
  const std::atomic<bool>& stop;
};

Json count_leaves(const Errand& errand);  // {path, depth}
Json play_out(const Errand& errand);      // {path, count, seed}
// {path, seconds}: how many random plays the interpreter makes, and the compiled reasoner.
Json measure_engines(const Errand& errand);
// {depth, count, seed, other: as for `open`}: the same of both games, from their starts, side by side.
Json compare(const Errand& errand);
Json think(const Errand& errand);  // {path, seconds}: of a game in which nothing is hidden
Json reply(const Errand& errand);  // {path, player, seed}: the move that a player makes; as for --players

}  // namespace rgtrans::ide
