// Checks that a game is proper along random plays, and finds the edges that recorded plays can take.
#include <fmt/format.h>

#include <map>
#include <set>
#include <span>

#include "backends/interpreter/rng.hpp"
#include "backends/interpreter/state_checker.hpp"
#include "core/support/play_path.hpp"

namespace rgtrans {

namespace interpreter {
namespace {

constexpr std::size_t kMaxGivenUp = 3;  // each endless exploration takes long

class PlayChecker : public StateChecker {
 public:
  PlayChecker(const ir::Game& game, const DynamicCheckOptions& options)
      : StateChecker(game, options), rng_(options.seed) {}

  std::vector<Violation> run() {
    std::uint64_t play = 0;
    for (; play < options_.plays && !enough() && !tired() && !options_.following.stopped(); ++play) {
      play_once();
      options_.following.tell([&] { return fmt::format("{} of {} plays", play + 1, options_.plays); });
    }
    if (options_.played != nullptr) *options_.played = play;
    look_at_all();
    return std::move(violations_);
  }

  // Follows recorded plays instead, within the limit on steps.
  WalkedEdges follow(std::span<const std::vector<std::string>> plays, std::uint64_t most_steps) {
    for (const std::vector<std::string>& play : plays) {
      try {
        follow(play, most_steps);
      } catch (const TooLong&) {
        // Abandon this play only: the other plays may reach other states.
      }
      if (all_steps_ >= most_steps) break;
    }
    return std::move(walked_);
  }

 private:
  [[nodiscard]] bool tired() const { return given_up_ >= kMaxGivenUp || all_steps_ > options_.max_all_steps; }

  // Reports violations that are certain only after all plays.
  void look_at_all() {
    if (ended_ == 0 || !options_.idle) return;
    const auto idle = [&](const std::string& what) {
      violations_.push_back({Violation::Kind::idle,
                             fmt::format("in {} random play{} {}", ended_, ended_ == 1 ? "" : "s", what),
                             "",
                             {},
                             Severity::warning});
    };
    if (moved_.empty()) {
      idle("no player ever moved");
    } else {
      for (SymbolId player : game_.players()) {
        if (!moved_.contains(game_.symbols.str(player))) idle(ir::written(game_, player) + " never moved");
      }
    }
    constexpr std::uint64_t kEnough = 20;  // plays; fewer could all be draws by chance
    if (!scored_ && ended_ >= kEnough && game_.scores().size() > 1) idle("nobody's score ever changed");
  }

  void look_at_end(const Cells& state) {
    ++ended_;
    const VariableLayout& goals = layout_.variable(game_.goals());
    const Cells initial = layout_.initial();
    for (std::uint32_t cell = goals.offset; cell < goals.offset + goals.shape.size; ++cell)
      scored_ = scored_ || (!layout_.is_trash(cell) && state[cell] != initial[cell]);
  }

  // --- Plays. ---

  void play_once() {
    Cells state = layout_.initial();
    NodeId node = game_.begin();
    path_ = "/";
    for (std::uint64_t length = 0; node != game_.end(); ++length) {
      if (length >= options_.max_moves) {
        if (options_.warnings)
          report(Violation::Kind::length, 0, fmt::format("a play goes on after {} moves{}", length, at(node)),
                 game_.graph.where(node));
        return;
      }
      std::map<Labeling, Result> moves;
      try {
        list(state, node, moves);
      } catch (const TooLong&) {
        ++given_up_;
        return;
      }
      if (enough()) return;
      const std::string mover = text(state[player_cell_]);
      judge(mover, node, moves);
      if (moves.empty()) return;
      if (mover != "keeper") moved_.insert(mover);
      auto chosen = moves.begin();
      std::advance(chosen, rng_.below(static_cast<std::uint32_t>(moves.size())));
      state = chosen->second.cells;
      node = chosen->second.node;
      path_ += path_step(text(chosen->first));
    }
    look_at_end(state);
  }

  // Moves of keeper without tags may be missing from the play, because the optimizer can remove them.
  void follow(const std::vector<std::string>& play, std::uint64_t most_steps) {
    Cells state = layout_.initial();
    NodeId node = game_.begin();
    auto next = play.begin();
    while (node != game_.end() && all_steps_ < most_steps) {
      std::map<Labeling, Result> moves;
      list(state, node, moves);
      ++walked_.states;
      const bool keeper = text(state[player_cell_]) == "keeper";
      auto made = moves.begin();
      while (!keeper && next != play.end() && next->empty() && !moves.contains({})) ++next;
      if (keeper) {
        if (next != play.end() && made != moves.end() && text(made->first) == *next) ++next;
      } else {
        if (next == play.end()) return;
        while (made != moves.end() && text(made->first) != *next) ++made;
        ++next;
      }
      if (made == moves.end()) return;
      state = made->second.cells;
      node = made->second.node;
    }
  }

  Rng rng_;
  std::size_t given_up_ = 0;
  std::set<std::string> moved_;  // players who have moved in some play
  std::uint64_t ended_ = 0;      // finished plays
  bool scored_ = false;          // some player has scored in some play
};

}  // namespace
}  // namespace interpreter

std::vector<Violation> check_dynamic(const ir::Game& game, const DynamicCheckOptions& options) {
  return interpreter::PlayChecker(game, options).run();
}

WalkedEdges walked_edges(const ir::Game& game, std::span<const std::vector<std::string>> plays,
                         std::uint64_t most_steps) {
  DynamicCheckOptions options;
  options.max_steps = most_steps;
  return interpreter::PlayChecker(game, options).follow(plays, most_steps);
}

}  // namespace rgtrans
