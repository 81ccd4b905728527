// What people do with a Reasoner, whatever engine is behind it: count leaves, run playouts on several threads, go
// to a state by its path. Everything here returns data or text; nothing prints.
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
// One line per depth first..last; `report` is called as soon as each is known.
std::vector<PerftLine> perft(Reasoner& reasoner, unsigned first, unsigned last, bool walks = false,
                             const std::function<void(const PerftLine&)>& report = {});

// As Reasoner::perft, in steps: before each of them `check` may throw.
std::uint64_t perft_in_steps(Reasoner& reasoner, unsigned depth, const std::function<void()>& check);

struct DivideLine {
  std::string move;  // of the first mover that is not keeper
  std::uint64_t leaves = 0;
};
// The leaves at `depth`, by first move; they add up to perft(depth) (for random: to at least that).
std::vector<DivideLine> divide(Reasoner& reasoner, unsigned depth);

// Where roles that move at the same time decide in turn, and keeper shows the tag `step` once all have chosen: for each
// number of such steps from 1, the sequences of choices that lead so far. Fewer numbers than `depth` where more than
// `max_states` different states would have to be kept.
std::vector<std::uint64_t> joint_perft(Reasoner& reasoner, std::string_view step, unsigned depth,
                                       std::uint64_t max_states = 20'000'000);

// --- Playouts. ---
// One clone and one stream of random numbers per thread; the same seed and number of threads give the same
// result for a given count.
PlayoutStats playouts(const Reasoner& reasoner, const PlayoutOptions& options, unsigned threads = 1);
std::string text(const PlayoutStats& stats, const GameInfo& info);
std::string json(const PlayoutStats& stats, const GameInfo& info);

// --- States. ---
// Follows a path such as "//e4 e5/" from the initial state; keeper's moves are part of it. Moves may be written as RG
// or the author of the game writes them. Throws Error saying which segment is wrong and what could stand there.
// Returns the moves that were made, as in RG.
std::vector<std::string> go_to(Reasoner& reasoner, std::string_view path, const scene::Wording& wording = {});
// Makes the moves of a line such as "e2 e4, e7 e5" from the initial state; moves of the keeper that show nothing are
// made by themselves, before and behind each of them. Returns all moves that were made, as in RG.
std::vector<std::string> follow_line(Reasoner& reasoner, std::string_view line, const scene::Wording& wording = {});
// The legal moves, one a line, each ending in "/". Where it is keeper's turn, first come the moves that keeper makes
// alone, so that the path of the state with such a line behind it is a path again.
std::string moves_text(Reasoner& reasoner, const scene::Wording& wording = {});

}  // namespace rgtrans::play
