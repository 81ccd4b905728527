// For the games that are named: how many changes of each pass have a certificate that the checker confirms, and the
// processor times of optimizing and of checking. With -v also the reasons why others have none. Pragmas are left out.
// With --damages N, the result of each run is damaged N times, most often where the pass changed something. Both games
// are played by the interpreter; the checker must refuse each damage that makes a difference. Exit code 1 if it does
// not.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "backends/interpreter/interpreter.hpp"
#include "backends/lockstep/equal.hpp"
#include "core/passes/passes.hpp"
#include "core/recorder/recorder.hpp"
#include "core/support/clock.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/support/damage.hpp"

namespace {

struct Row {
  std::size_t runs = 0, confirmed_runs = 0, changes = 0, confirmed = 0;
  double seconds = 0;
};

using namespace rgtrans;

class Damages {
 public:
  explicit Damages(std::size_t each) : each_(each) {}

  void try_some(const std::string& game, const std::string& pass, certificate::Version& before, const ir::Game& after) {
    if (each_ == 0) return;
    const std::vector<ir::EdgeId> changed = test::changed_edges(before.game(), after);
    std::unique_ptr<Reasoner> original;
    for (std::size_t i = 0; i < each_; ++i) {
      ir::Game damaged = after;
      test::Choices choices(++tried_);
      const std::string kind = test::damage(damaged, tried_ % test::kDamages,
                                            tried_ % 4 == 0 ? std::vector<ir::EdgeId>() : changed, choices);
      if (kind.empty()) continue;
      try {
        if (original == nullptr) original = make_interpreter(before.game());
        if (!differ(*original, damaged)) continue;
      } catch (const std::exception&) {
        ++undecided_;
        continue;
      }
      certificate::Version version(damaged);
      const bool confirmed =
          certificate::check(before, version, certificate::derive_record(before.game(), damaged)).confirmed;
      ++by_kind_[kind];
      ++by_pass_[pass];
      ++changing_;
      if (!confirmed) continue;
      ++confirmed_;
      fmt::print("{}: damage {} of {} is confirmed: {}\n", game, tried_, pass, kind);
    }
  }

  // Returns whether all were refused.
  bool print() const {
    if (each_ == 0) return true;
    for (const auto& [pass, number] : by_pass_) fmt::print("{:<32} {:>6}\n", pass, number);
    for (const auto& [kind, number] : by_kind_) fmt::print("{:<32} {:>6}\n", kind, number);
    fmt::print("{} damages of {} passes change a game, {} confirmed; {} more cannot be played\n", changing_,
               by_pass_.size(), confirmed_, undecided_);
    return confirmed_ == 0;
  }

 private:
  static bool differ(const Reasoner& original, const ir::Game& damaged) {
    lockstep::EqualOptions options;
    options.states = 2'000;
    options.seconds = 0.3;
    return lockstep::compare_games(original, *make_interpreter(damaged), options).verdict ==
           lockstep::Verdict::different;
  }

  std::size_t each_, tried_ = 0, changing_ = 0, confirmed_ = 0, undecided_ = 0;
  std::map<std::string, std::size_t> by_kind_, by_pass_;
};

}  // namespace

int main(int count, char** arguments) {
  std::map<std::string, Row> rows;
  Damages damages(0);
  double optimizing = 0, checking = 0;
  std::size_t games = 0, failed = 0;
  bool verbose = false;
  for (int i = 1; i < count; ++i) {
    const std::string path = arguments[i];
    if (path == "-v") {
      verbose = true;
      continue;
    }
    if (path == "--damages" && i + 1 < count) {
      damages = Damages(std::strtoul(arguments[++i], nullptr, 10));
      continue;
    }
    try {
      Diagnostics diagnostics;
      ir::Game game = load_game({.path = path, .language = {}, .options = {}}, diagnostics);
      ++games;
      ir::Game plain = game;
      passes::OptimizeOptions options;
      options.pragmas = false;
      const double begin = processor_seconds();
      passes::optimize(plain, options);
      optimizing += processor_seconds() - begin;
      auto before = std::make_unique<certificate::Version>(game);
      options.on_change = [&](const passes::PassEvent& event) {
        auto after = std::make_unique<certificate::Version>(event.after);
        const double start = processor_seconds();
        const certificate::PassRecord record = certificate::derive_record(before->game(), event.after);
        const certificate::PassVerdict verdict = certificate::check(*before, *after, record);
        const double seconds = processor_seconds() - start;
        checking += seconds;
        const std::string row_name(event.pass.name);
        Row& row = rows[row_name];
        ++row.runs;
        row.changes += event.changes;
        row.seconds += seconds;
        if (verdict.confirmed) {
          ++row.confirmed_runs;
          row.confirmed += event.changes;
        } else if (verbose) {
          fmt::print("{}: run {} of {} ({} changes): {}\n", path, event.number, event.pass.name, event.changes,
                     verdict.reason);
        }
        damages.try_some(path, row_name, *before, event.after);
        before = std::move(after);
      };
      passes::optimize(game, options);
    } catch (const Error& error) {
      ++failed;
      if (verbose) fmt::print("{}: {}\n", path, std::string(error.what()).substr(0, 80));
    }
    std::fflush(stdout);
  }
  Row all;
  fmt::print("{:<22} {:>7} {:>9} {:>9} {:>9} {:>6} {:>8}\n", "pass", "runs", "confirmed", "changes", "confirmed", "%",
             "s");
  const auto print = [](const std::string& name, const Row& row) {
    fmt::print("{:<22} {:>7} {:>9} {:>9} {:>9} {:>6.1f} {:>8.2f}\n", name, row.runs, row.confirmed_runs, row.changes,
               row.confirmed,
               row.changes == 0 ? 100.0 : 100.0 * static_cast<double>(row.confirmed) / static_cast<double>(row.changes),
               row.seconds);
  };
  for (const auto& [name, row] : rows) {
    print(name, row);
    all.runs += row.runs;
    all.confirmed_runs += row.confirmed_runs;
    all.changes += row.changes;
    all.confirmed += row.confirmed;
    all.seconds += row.seconds;
  }
  print("all", all);
  fmt::print("{} games, {} not read; optimizing {:.2f} s, checking {:.2f} s\n", games, failed, optimizing, checking);
  return damages.print() ? 0 : 1;
}
