// Compares versions of a game by playing them: the texts that players see of moves, the movers, the results. For a
// series of versions, walks are recorded once, in the first version, as fingerprints of these texts. Later versions are
// played alone, and texts are created only for a difference.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/lockstep/equal.hpp"  // IWYU pragma: export
#include "backends/lockstep/joint.hpp"  // IWYU pragma: export
#include "backends/reasoner.hpp"
#include "core/passes/passes.hpp"

namespace rgtrans::lockstep {

using Engine = std::function<std::unique_ptr<Reasoner>(const ir::Game&)>;

struct WalkOptions {
  std::size_t walks = 200;
  std::size_t longest = 200;  // moves
  std::uint64_t seed = 1;
  // Bounds of one comparison after its first walk; 0 means none. A walk that exceeds `listed` is cut short there.
  double seconds = 0;        // processor time
  std::uint64_t listed = 0;  // total number of listed moves
};

// The legal moves, each followed by its observation for every player with hidden information.
std::vector<std::string> seen_move_texts(Reasoner& reasoner);

// Plays random walks through both games. Returns "" if they agree everywhere, else a description of the first
// difference with the shortest path found. With Effect::tags, equal moves have different texts: moves are only counted,
// and walks end at the first choice. `made` receives the number of walks.
std::string compare_by_walks(const Engine& engine, const ir::Game& before, const ir::Game& after,
                             passes::PassEffect effect, const WalkOptions& options = {}, std::size_t* made = nullptr);

// The same for a series of versions of one game.
class RecordedWalks {
 public:
  RecordedWalks(Engine engine, const WalkOptions& options) : engine_(std::move(engine)), options_(options) {}
  // Like compare_by_walks, but `before` must be the version compared last.
  std::string compare(const ir::Game& before, const ir::Game& after, passes::PassEffect effect, std::size_t* made);

 private:
  struct Position {
    std::uint64_t seen;
    std::uint64_t move;  // the move made there
  };
  void record(const ir::Game& game);
  [[nodiscard]] static bool follows(Reasoner& play, const std::vector<Position>& walk,
                                    const std::function<bool()>& late, bool& cut_short);

  Engine engine_;
  WalkOptions options_;
  std::vector<std::vector<Position>> walks_;
  bool recorded_ = false;
};

// A comparison for OptimizeOptions::verify_each, with the interpreter or another engine.
[[nodiscard]] passes::Comparison comparison(const WalkOptions& options = {}, Engine engine = {});

}  // namespace rgtrans::lockstep
