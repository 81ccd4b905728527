// The pipeline. Passes run in the order of the table, in rounds, until a round changes nothing. A pass that found
// nothing is skipped until a change occurs that could enable it (passes.hpp), so the last rounds are cheap.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>

#include "core/analysis/analysis.hpp"
#include "core/passes/passes.hpp"
#include "core/passes/tools.hpp"
#include "core/support/clock.hpp"
#include "core/support/progress.hpp"

namespace rgtrans::passes {

namespace {

// A guard against bugs. Every pass shrinks some measure, so rounds end without it.
constexpr std::size_t kMostRounds = 100;
// In large games, rounds end early: when little remains to be done. The first rounds find most changes, and all rounds
// cost the same.
constexpr std::size_t kLittle = 200;          // a round is the last one if it removes less than one edge in this many
constexpr std::size_t kMostVisits = 400'000;  // sum of edges over all rounds; the first round always runs

// Names unnamed nodes by their ids. The printer numbers unnamed nodes, so one removed node would renumber all later
// ones; ids keep the texts of both games comparable line by line.
ir::Game with_lasting_names(ir::Game game) {
  std::unordered_set<std::string> taken;
  for (ir::NodeId node : game.graph.nodes()) {
    if (game.graph.name(node).valid()) taken.insert(game.symbols.str(game.graph.name(node)));
  }
  for (ir::NodeId node : game.graph.nodes()) {
    if (game.graph.name(node).valid()) continue;
    std::string name = std::to_string(node.value + 1);
    while (taken.contains(name)) name.insert(0, 1, 'n');
    game.graph.set_name(node, game.symbols.intern(name));
  }
  return game;
}

class Pipeline {
 public:
  Pipeline(ir::Game& game, const OptimizeOptions& options) : game_(game), options_(options), analyses_(game) {
    context_.analyses = &analyses_;
    context_.notes = &report_.notes;
  }

  OptimizeReport run() {
    const auto start = Clock::now();
    if (game_.claims.wanted()) game_.keep_stage(game_);  // claims of the front end
    if (options_.passes) {
      for (const std::string& name : *options_.passes) {
        if (find_pass(name) == nullptr) throw unknown(name);
      }
      for (const std::string& name : *options_.passes) {
        if (!step(*find_pass(name))) break;
      }
    } else if (options_.level > 0) {
      if (rounds() && options_.pragmas) {
        for (const Pass& pass : all_passes()) {
          if (pass.phase == PassPhase::pragmas && pass.level <= options_.level && !step(pass)) break;
        }
      }
    }
    report_.seconds = seconds_since(start);
    return std::move(report_);
  }

 private:
  static Error unknown(const std::string& name) {
    std::vector<std::string_view> names;
    for (const Pass& pass : all_passes()) names.push_back(pass.name);
    std::string hint = did_you_mean(name, names);
    if (hint.empty()) hint = "`rgtrans passes` lists all of them";
    return Error(fmt::format("there is no pass {}", name), hint);
  }

  // Runs rounds until nothing changes, then the late passes, and rounds again if one of those changed something.
  // Returns false if the pipeline must stop.
  bool rounds() {
    for (;;) {
      if (!round_until_stable(PassPhase::rounds)) return false;
      const std::size_t before = edits();
      if (!round_until_stable(PassPhase::late)) return false;
      if (edits() == before || report_.rounds >= kMostRounds || stopped_early_) return true;
    }
  }

  bool round_until_stable(PassPhase phase) {
    while (report_.rounds < kMostRounds) {
      ++report_.rounds;
      const std::size_t before = edits();
      const std::size_t size = game_.graph.edge_count();
      for (std::size_t i = 0; i < all_passes().size(); ++i) {
        const Pass& pass = all_passes()[i];
        if (pass.phase != phase || pass.level > options_.level || clean_[i] == edits(pass.wakes_on)) continue;
        const std::size_t old = edits();
        context_.seen = journal_seen_[i];
        const std::size_t looked_at = game_.graph.journal().size();
        if (!step(pass)) return false;
        // The next run of the pass also looks at the changes of this run, since they may enable more.
        journal_seen_[i] = looked_at;
        if (edits() == old) clean_[i] = edits(pass.wakes_on);
      }
      if (edits() == before || enough(size)) break;
    }
    return true;
  }

  // The number of changes of this kind or a larger one.
  std::size_t edits(PassChange kind = PassChange::declarations) const { return edits_[static_cast<std::size_t>(kind)]; }

  // Whether to stop after a round that began with `size` edges.
  bool enough(std::size_t size) {
    visits_ += size;
    const std::size_t now = game_.graph.edge_count();
    if (size <= kLargeGame || (now + size / kLittle < size && visits_ + now <= kMostVisits)) return false;
    if (!stopped_early_) leave_out(context_, fmt::format("rounds: no more than {} for {} edges", report_.rounds, now));
    stopped_early_ = true;
    return true;
  }

  // Runs a pass. Returns false if the pipeline must stop.
  bool step(const Pass& pass) {
    if (options_.stop_after && report_.pass_runs >= *options_.stop_after) return false;
    ++report_.pass_runs;
    std::optional<ir::Game> before;
    if (options_.keep_before || options_.verify_each || game_.claims.wanted()) before = game_;
    const auto nodes = static_cast<std::int64_t>(game_.graph.node_count());
    const auto edges = static_cast<std::int64_t>(game_.graph.edge_count());
    check_wanted();
    if (options_.on_start) options_.on_start(pass, game_);
    const auto start = Clock::now();
    const std::size_t changes = pass.run(game_, context_);
    PassTiming& timing = timing_of(pass);
    if (game_.claims.wanted()) game_.keep_stage(*before);
    timing.seconds += seconds_since(start);
    ++timing.runs;
    timing.changes += changes;
    timing.nodes += nodes - static_cast<std::int64_t>(game_.graph.node_count());
    timing.edges += edges - static_cast<std::int64_t>(game_.graph.edge_count());
    if (changes == 0) return true;
    if (pass.phase != PassPhase::pragmas) {
      analyses_.refresh();
      drop_stale_pragmas(game_);
    }
    for (std::size_t kind = 0; kind <= static_cast<std::size_t>(pass.makes); ++kind) ++edits_[kind];
    if (options_.verify_each) verify(pass, *before);
    if (options_.on_change) {
      if (options_.keep_before) {
        const ir::Game old = with_lasting_names(std::move(*before));
        options_.on_change({pass, report_.pass_runs, changes, &old, with_lasting_names(game_)});
      } else {
        options_.on_change({pass, report_.pass_runs, changes, nullptr, game_});
      }
    }
    return true;
  }

  void verify(const Pass& pass, const ir::Game& before) {
    Diagnostics diagnostics(game_.sources());
    ir::VerifyOptions quiet;
    quiet.warnings = false;
    ir::verify(game_, diagnostics, quiet);
    std::string problem;
    if (diagnostics.has_errors()) problem = diagnostics.all().front().message;
    if (problem.empty()) {
      std::size_t walks = 0;
      problem = options_.verify_each(before, game_, pass.effect, walks);
      report_.fewest_walks = report_.compared++ == 0 ? walks : std::min(report_.fewest_walks, walks);
    }
    if (problem.empty()) return;
    throw Error(fmt::format("pass {} (run {}) changed the game: {}", pass.name, report_.pass_runs, problem),
                fmt::format("--stop-after {} gives the game before it", report_.pass_runs - 1));
  }

  PassTiming& timing_of(const Pass& pass) {
    const auto it = std::ranges::find(report_.timings, pass.name, &PassTiming::name);
    if (it != report_.timings.end()) return *it;
    report_.timings.push_back({pass.name});
    return report_.timings.back();
  }

  ir::Game& game_;
  const OptimizeOptions& options_;
  analysis::Cache analyses_;
  PassContext context_;
  OptimizeReport report_;
  std::array<std::size_t, kChanges> edits_ = {};
  std::size_t visits_ = 0;  // sum of edges over all rounds
  bool stopped_early_ = false;
  // By pass: edits() after its last run without result, and the length of the journal at the begin of its last run.
  std::vector<std::size_t> clean_ = std::vector<std::size_t>(all_passes().size(), SIZE_MAX);
  std::vector<std::size_t> journal_seen_ = std::vector<std::size_t>(all_passes().size(), 0);
};

}  // namespace

OptimizeReport optimize(ir::Game& game, const OptimizeOptions& options) { return Pipeline(game, options).run(); }

std::string render_timings(const OptimizeReport& report) {
  std::string text =
      fmt::format("{:<24} {:>5} {:>8} {:>10} {:>8} {:>8}\n", "pass", "runs", "changes", "ms", "nodes", "edges");
  std::vector<PassTiming> rows = report.timings;
  std::ranges::stable_sort(rows, std::greater<>(), &PassTiming::seconds);
  for (const PassTiming& t : rows) {
    text += fmt::format("{:<24} {:>5} {:>8} {:>10.3f} {:>8} {:>8}\n", t.name, t.runs, t.changes, t.seconds * 1e3,
                        -t.nodes, -t.edges);
  }
  text += fmt::format("{:<24} {:>5} {:>8} {:>10.3f}\n", "all", report.pass_runs, "", report.seconds * 1e3);
  for (const std::string& note : report.notes) text += note + '\n';
  return text;
}

}  // namespace rgtrans::passes
