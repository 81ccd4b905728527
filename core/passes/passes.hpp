// The optimizer: every transformation of a game, the table of them, and the pipeline that applies them. A pass
// never changes what can be played: legal moves, who moves, goals, what players see, unless its row says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/ir.hpp"
#include "core/support/support.hpp"

namespace rgtrans::analysis {
class Cache;
}

namespace rgtrans::passes {

// What a pass works with besides the game.
struct PassContext {
  int level = 2;
  analysis::Cache* analyses = nullptr;  // of this game as it is when the pass begins
  // Edges in the journal of the automaton from here on have changed since this pass last ran.
  std::size_t seen = 0;
  // Where a pass says what it left out because the game is too large for it; null when nobody asks.
  std::vector<std::string>* notes = nullptr;
};

// What a pass may change in the eyes of a player.
enum class Effect : std::uint8_t {
  none,  // the game tree stays as it is, move texts included
  tags,  // tags disappear from moves; moves still correspond one to one
};

enum class Phase : std::uint8_t { rounds, late, pragmas };

struct Pass {
  std::string_view name;
  std::string_view help;  // one line
  int level;              // in the pipeline from this -O level on; kOnRequest: only when it is named
  Effect effect;
  std::size_t (*run)(ir::Game& game, const PassContext& context);  // the number of changes
  // When it runs: in every round; once the others have nothing left; or, as it only writes pragmas, once at the end.
  Phase phase = Phase::rounds;
};
inline constexpr int kOnRequest = 9;

// All passes, in the order of the pipeline.
[[nodiscard]] std::span<const Pass> all_passes();
[[nodiscard]] const Pass* find_pass(std::string_view name);

// Called after each pass that changed something: the game before and after.
struct PassEvent {
  const Pass& pass;
  std::size_t number;  // counted from 1 over all pass runs of this pipeline
  std::size_t changes;
  const ir::Game* before;  // null unless OptimizeOptions::keep_before is set
  const ir::Game& after;
};

// A game that can be played, for comparing what a pass made of it: the interpreter, or any other engine.
class Play {
 public:
  virtual ~Play() = default;
  virtual void reset() = 0;
  [[nodiscard]] virtual bool terminal() const = 0;
  [[nodiscard]] virtual std::string mover() const = 0;
  [[nodiscard]] virtual std::string goals() const = 0;
  // The legal moves, each written with what every player sees of it; no two are equal.
  virtual std::vector<std::string> moves() = 0;
  // A number for each of them, equal where the texts are; engines know faster ways than to write the texts.
  virtual std::vector<std::uint64_t> fingerprints();
  virtual void apply(std::size_t index) = 0;
};
using Engine = std::function<std::unique_ptr<Play>(const ir::Game&)>;

struct WalkOptions {
  std::size_t walks = 200;
  std::size_t longest = 200;  // moves
  std::uint64_t seed = 1;
  double seconds = 0;  // of processor time for one comparison; 0: no bound
};

// Walks at random through both games in lock-step. "" when they agree everywhere, else a description of the first
// difference with the shortest path to it that was found. With Effect::tags, moves are only counted and walks end at
// the first choice, because equal moves have different texts.
// `made` gets the number of walks.
std::string compare_by_walks(const Engine& engine, const ir::Game& before, const ir::Game& after, Effect effect,
                             const WalkOptions& options = {}, std::size_t* made = nullptr);

// The same for a series of versions of one game. The walks are made in the first version and kept as fingerprints of
// what players see, so that each later version is played alone.
class RecordedWalks {
 public:
  RecordedWalks(Engine engine, const WalkOptions& options) : engine_(std::move(engine)), options_(options) {}
  // As compare_by_walks, where `before` is the version that was compared last.
  std::string compare(const ir::Game& before, const ir::Game& after, Effect effect, std::size_t* made);

 private:
  struct Step {
    std::uint64_t position;
    std::uint64_t move;  // that was made there
  };
  void record(const ir::Game& game);
  [[nodiscard]] bool follows(Play& play, const std::vector<Step>& walk, double deadline, bool& cut_short) const;

  Engine engine_;
  WalkOptions options_;
  std::vector<std::vector<Step>> walks_;
  bool recorded_ = false;
};

struct OptimizeOptions {
  int level = 2;
  // When set, exactly these passes run, once each, in this order (the level only tunes them).
  std::optional<std::vector<std::string>> passes = {};
  // Stop after this many pass runs.
  std::optional<std::size_t> stop_after = {};
  // Also compute the pragmas (never at level 0).
  bool pragmas = true;
  // Called before each pass, for those who want to know where the time goes.
  std::function<void(const Pass&, const ir::Game&)> on_start = {};
  // Copy the game before each pass and hand it to on_change.
  bool keep_before = false;
  std::function<void(const PassEvent&)> on_change = {};
  // After each change run the verifier and compare the game with what it was; a difference is thrown as Error.
  Engine verify_each = {};
  WalkOptions verify_walks = {};
};

struct PassTiming {
  std::string_view name;
  std::size_t runs = 0;
  std::size_t changes = 0;
  double seconds = 0;
  std::int64_t nodes = 0;  // removed, net
  std::int64_t edges = 0;
};

struct OptimizeReport {
  std::vector<PassTiming> timings;  // in order of first run
  std::size_t pass_runs = 0;
  std::size_t rounds = 0;
  double seconds = 0;
  std::vector<std::string> notes;  // what was left out because the game is so large
  // With verify_each: how many changes were compared, and the fewest walks that were made for one of them.
  std::size_t compared = 0;
  std::size_t fewest_walks = 0;
};

// Throws Error for an unknown pass name.
OptimizeReport optimize(ir::Game& game, const OptimizeOptions& options = {});

// A table: runs, changes, time, nodes and edges removed per pass; below it the notes.
[[nodiscard]] std::string render_timings(const OptimizeReport& report);

// Why a node has the pragmas that it has, or could not get them: one paragraph for each kind.
[[nodiscard]] std::string explain_pragmas(ir::Game& game, ir::NodeId node);

}  // namespace rgtrans::passes
