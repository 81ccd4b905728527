// The optimizer: all transformations of a game, their table, and the pipeline that applies them. Unless its row in the
// table states otherwise, a pass preserves everything that players observe: legal moves, movers, goals, visible tags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

// The inputs of a pass other than the game.
struct PassContext {
  analysis::Cache* analyses = nullptr;  // analyses of the game at the begin of the pass
  // Position in the automaton's journal: all changes since the last run of this pass come after it.
  std::size_t seen = 0;
  // Receives a note on work that the pass skipped because the game is too large; may be null.
  std::vector<std::string>* notes = nullptr;
};

// The change of a pass that players can observe.
enum class PassEffect : std::uint8_t {
  none,  // the game tree is unchanged, including the texts of moves
  tags,  // moves lose tags but still correspond one to one
};

enum class PassPhase : std::uint8_t { rounds, late, pragmas };

// The kinds of changes that a pass makes, and the kind that makes another run of it worthwhile. Each kind includes all
// kinds above it.
enum class PassChange : std::uint8_t {
  declarations,  // removes unused types, constants and variables
  nodes,         // merges nodes; the labels on each walk are the same
  reads,         // removes redundant conditions: no value becomes known, but fewer conditions read it
  order,         // moves conditions
  labels,        // any change
};
inline constexpr std::size_t kChanges = static_cast<std::size_t>(PassChange::labels) + 1;

struct Pass {
  std::string_view name;
  std::string_view help;  // one line
  int level;              // runs from this -O level on; kOnRequest: only if named
  PassEffect effect;
  std::size_t (*run)(ir::Game& game, const PassContext& context);  // returns the number of changes
  // When the pass runs: in every round; after the rounds; or once at the end, if it only writes pragmas.
  PassPhase phase = PassPhase::rounds;
  PassChange makes = PassChange::labels;
  PassChange wakes_on = PassChange::nodes;  // after a run without result, skipped until such a change
};
inline constexpr int kOnRequest = 9;

// All passes in the order of the pipeline.
[[nodiscard]] std::span<const Pass> all_passes();
[[nodiscard]] const Pass* find_pass(std::string_view name);

// The argument of a callback after each pass that changed something.
struct PassEvent {
  const Pass& pass;
  std::size_t number;  // counted from 1 over all runs of passes in this pipeline
  std::size_t changes;
  const ir::Game* before;  // null unless OptimizeOptions::keep_before is set
  const ir::Game& after;
};

// Compares a game before and after a pass by playing. Returns the first difference found, or "". Sets `walks` to the
// number of plays.
using Comparison =
    std::function<std::string(const ir::Game& before, const ir::Game& after, PassEffect effect, std::size_t& walks)>;

struct OptimizeOptions {
  int level = 2;
  // If set, runs exactly these passes, once each, in this order. The level then only tunes them.
  std::optional<std::vector<std::string>> passes = {};
  // Stops after this number of pass runs.
  std::optional<std::size_t> stop_after = {};
  // Also computes pragmas (never at level 0).
  bool pragmas = true;
  // Called before each pass, for profiling.
  std::function<void(const Pass&, const ir::Game&)> on_start = {};
  // Copies the game before each pass and passes the copy to on_change.
  bool keep_before = false;
  std::function<void(const PassEvent&)> on_change = {};
  // After each change, runs the verifier and compares the game with its previous version. Throws Error for a
  // difference.
  Comparison verify_each = {};
};

struct PassTiming {
  std::string_view name;
  std::size_t runs = 0;
  std::size_t changes = 0;
  double seconds = 0;
  std::int64_t nodes = 0;  // net number of removed nodes
  std::int64_t edges = 0;
};

struct OptimizeReport {
  std::vector<PassTiming> timings;  // in order of first run
  std::size_t pass_runs = 0;
  std::size_t rounds = 0;
  double seconds = 0;
  std::vector<std::string> notes;  // work that was skipped because the game is large
  // With verify_each: the number of compared changes, and the smallest number of plays for one of them.
  std::size_t compared = 0;
  std::size_t fewest_walks = 0;
};

// Throws Error for an unknown pass name.
OptimizeReport optimize(ir::Game& game, const OptimizeOptions& options = {});

// A table with runs, changes, time, and removed nodes and edges per pass, followed by the notes.
[[nodiscard]] std::string render_timings(const OptimizeReport& report);

}  // namespace rgtrans::passes
