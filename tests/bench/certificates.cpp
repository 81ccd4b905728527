// For the games that are named: how many changes of each pass have a certificate that the checker confirms, and the
// processor times of optimizing and of checking. With -v also the reasons why others have none. Pragmas are left out.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "core/passes/passes.hpp"
#include "core/recorder/recorder.hpp"
#include "core/support/clock.hpp"
#include "frontends/registry/registry.hpp"

namespace {

struct Row {
  std::size_t runs = 0, confirmed_runs = 0, changes = 0, confirmed = 0;
  double seconds = 0;
};

}  // namespace

int main(int count, char** arguments) {
  using namespace rgtrans;
  std::map<std::string, Row> rows;
  double optimizing = 0, checking = 0;
  std::size_t games = 0, failed = 0;
  bool verbose = false;
  for (int i = 1; i < count; ++i) {
    const std::string path = arguments[i];
    if (path == "-v") {
      verbose = true;
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
        Row& row = rows[std::string(event.pass.name)];
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
}
