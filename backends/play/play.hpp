// Operations on a Reasoner, independent of its engine: counting leaves, running playouts on several threads, going to a
// state by its path. All functions return data or text; none prints.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/reasoner.hpp"
#include "backends/scene/scene.hpp"

namespace rgtrans::play {

// --- Perft. ---
struct PerftLine {
  unsigned depth = 0;
  std::uint64_t leaves = 0;
  double seconds = 0;
};
// One line per depth from `first` to `last`. Calls `report` for each line as soon as it is known.
std::vector<PerftLine> perft(Reasoner& reasoner, unsigned first, unsigned last, bool walks = false,
                             const std::function<void(const PerftLine&)>& report = {});

// The same as Reasoner::perft in steps. `check` is called before each step and may throw. The last `in_one_go` moves
// form one step.
std::uint64_t perft_in_steps(Reasoner& reasoner, unsigned depth, const std::function<void()>& check,
                             unsigned in_one_go = 2);

struct DivideLine {
  std::string move;  // of the first mover other than keeper
  std::uint64_t leaves = 0;
};
// The leaves at `depth`, by first move. Their sum is perft(depth), or at least that if random moves first.
std::vector<DivideLine> divide(Reasoner& reasoner, unsigned depth,
                               const std::function<void(const DivideLine&)>& report = {});

// For games in which simultaneous roles decide in turn and keeper shows the tag `step` after all have chosen. For each
// number of steps from 1, counts the sequences of choices. Returns fewer than `depth` numbers if more than `max_states`
// states would be stored.
std::vector<std::uint64_t> joint_perft(Reasoner& reasoner, std::string_view step, unsigned depth,
                                       std::uint64_t max_states = 20'000'000);

// --- Playouts. --- Each thread has a clone and a stream of random numbers. For a given count, the same seed and number
// of threads give the same result.
PlayoutStats playouts(const Reasoner& reasoner, const PlayoutOptions& options, unsigned threads = 1);
std::string text(const PlayoutStats& stats, const GameInfo& info);
// How far the mean goals may be from the true ones, at 95 %: "white 48.20 ± 1.31, black …".
std::string confidence(const PlayoutStats& stats, const GameInfo& info);
std::string json(const PlayoutStats& stats, const GameInfo& info);

// --- States. ---
// Follows a path such as "//e4 e5/" from the initial state, including keeper's moves. Moves may be written as in RG or
// as the author writes them; a slash in a move is written \/, a backslash \\. Throws Error with the wrong segment and
// the possible moves there. Returns the moves made, as in RG.
std::vector<std::string> go_to(Reasoner& reasoner, std::string_view path, const scene::Wording& wording = {});
// Makes the moves of a line such as "e2 e4, e7 e5" from the initial state. Makes keeper's moves that show nothing
// before and after each of them. Returns all moves made, as in RG.
std::vector<std::string> follow_line(Reasoner& reasoner, std::string_view line, const scene::Wording& wording = {});
// The legal moves, one per line, each ending in "/". If keeper is to move, keeper's forced moves come first, so that
// the path of the state followed by a line is a path again.
std::string moves_text(Reasoner& reasoner, const scene::Wording& wording = {});

}  // namespace rgtrans::play
