// The optimizer: every transformation of a game, the table of them, and the pipeline that applies them. A pass
// never changes what can be played: legal moves, who moves, goals, what players see, unless its row says so.
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

// What a pass works with besides the game.
struct PassContext {
  analysis::Cache* analyses = nullptr;  // of this game as it is when the pass begins
  // Edges in the journal of the automaton from here on have changed since this pass last ran.
  std::size_t seen = 0;
  // Where a pass says what it left out because the game is too large for it; null when nobody asks.
  std::vector<std::string>* notes = nullptr;
};

// What a pass may change in the eyes of a player.
enum class PassEffect : std::uint8_t {
  none,  // the game tree stays as it is, move texts included
  tags,  // tags disappear from moves; moves still correspond one to one
};

enum class PassPhase : std::uint8_t { rounds, late, pragmas };

// What a pass changes, and from which change on another one has something new to find: each kind may bring all that the
// kinds above it bring.
enum class PassChange : std::uint8_t {
  declarations,  // types, constants and variables that nothing uses are gone
  nodes,         // nodes became one; what is done on a walk is the same
  reads,         // conditions that add nothing are gone: nobody knows more of a value, but fewer ask for it
  order,         // conditions are tested elsewhere
  labels,        // anything
};
inline constexpr std::size_t kChanges = static_cast<std::size_t>(PassChange::labels) + 1;

struct Pass {
  std::string_view name;
  std::string_view help;  // one line
  int level;              // in the pipeline from this -O level on; kOnRequest: only when it is named
  PassEffect effect;
  std::size_t (*run)(ir::Game& game, const PassContext& context);  // the number of changes
  // When it runs: in every round; once the others have nothing left; or, as it only writes pragmas, once at the end.
  PassPhase phase = PassPhase::rounds;
  PassChange makes = PassChange::labels;
  PassChange wakes_on = PassChange::nodes;  // it is left out when all changes since it last looked in vain were smaller
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

// Compares what a pass made of a game with what it was, by playing: "" or the first difference that was found. `walks`
// becomes the number of plays that were made.
using Comparison =
    std::function<std::string(const ir::Game& before, const ir::Game& after, PassEffect effect, std::size_t& walks)>;

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
  Comparison verify_each = {};
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

}  // namespace rgtrans::passes
