// Comparing versions of a game by playing them: what each player sees of the moves, who moves, the results. A series of
// versions is compared with walks that are recorded once, in the first, as fingerprints of what players see, so that
// each later version is played alone; no text is written unless something differs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/lockstep/joint.hpp"  // IWYU pragma: export
#include "backends/reasoner.hpp"
#include "core/passes/passes.hpp"

namespace rgtrans::lockstep {

using Engine = std::function<std::unique_ptr<Reasoner>(const ir::Game&)>;

struct WalkOptions {
  std::size_t walks = 200;
  std::size_t longest = 200;  // moves
  std::uint64_t seed = 1;
  // Bounds of one comparison, beyond its first walk; 0: none. The last walk within `listed` ends where that is spent.
  double seconds = 0;        // of processor time
  std::uint64_t listed = 0;  // moves that positions have, all together
};

// The moves of a position, each written with what those players see of it who do not see all.
std::vector<std::string> seen_move_texts(Reasoner& reasoner);

// Walks at random through both games. "" when they agree everywhere, else a description of the first difference with
// the shortest path to it that was found. With Effect::tags, moves are only counted and walks end at the first choice,
// because equal moves have different texts. `made` gets the number of walks.
std::string compare_by_walks(const Engine& engine, const ir::Game& before, const ir::Game& after,
                             passes::PassEffect effect, const WalkOptions& options = {}, std::size_t* made = nullptr);

// The same for a series of versions of one game.
class RecordedWalks {
 public:
  RecordedWalks(Engine engine, const WalkOptions& options) : engine_(std::move(engine)), options_(options) {}
  // As compare_by_walks, where `before` is the version that was compared last.
  std::string compare(const ir::Game& before, const ir::Game& after, passes::PassEffect effect, std::size_t* made);

 private:
  struct Position {
    std::uint64_t seen;
    std::uint64_t move;  // that was made there
  };
  void record(const ir::Game& game);
  [[nodiscard]] static bool follows(Reasoner& play, const std::vector<Position>& walk,
                                    const std::function<bool()>& late, bool& cut_short);

  Engine engine_;
  WalkOptions options_;
  std::vector<std::vector<Position>> walks_;
  bool recorded_ = false;
};

// For OptimizeOptions::verify_each, with the interpreter or with another engine.
[[nodiscard]] passes::Comparison comparison(const WalkOptions& options = {}, Engine engine = {});

}  // namespace rgtrans::lockstep
