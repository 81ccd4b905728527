// Running the optimizer as the command line asks, and showing what it does.
#include <fmt/format.h>

#include <charconv>
#include <memory>

#include "backends/rg/rg.hpp"
#include "cli/command.hpp"
#include "cli/parts.hpp"
#include "core/passes/passes.hpp"
#include "core/recorder/recorder.hpp"
#include "core/support/effort.hpp"
#include "core/support/text.hpp"

namespace rgtrans::cli {

namespace {

std::size_t pass_runs(const std::string& text) {
  std::size_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem == std::errc{} && end == text.data() + text.size()) return number;
  throw UsageError(
      fmt::format("--stop-after {}: not a number of pass runs; the name of a rewrite needs --to rules", text));
}

}  // namespace

void OptimizerArguments::add_to(OptionSet& app, int default_level) {
  level = default_level;
  app.add_option("-O", level, "optimize: 0 nothing, 1 cheap and readable, 2 everything that is safe")
      ->between(0, 2)
      ->capture_default_str()
      ->type_name("LEVEL")
      ->group("Optimizer");
  add_passes_option(app, passes)->group("Optimizer");
  app.add_flag("--time-passes", time_passes, "print a table of the effects of each pass, on standard error")
      ->group("Optimizer");
  app.add_flag("--print-changed", print_changed, "print the lines that each pass changed, on standard error")
      ->group("Optimizer");
  app.add_option("--print-after", print_after, "print the game after each change by this pass, on standard error")
      ->type_name("PASS")
      ->group("Optimizer");
  app.add_option("--stop-after", stop_after,
                 "stop after this many pass runs, to find the one that matters; with --to rules: after this rewrite")
      ->type_name("N|REWRITE")
      ->group("Optimizer");
  app.add_flag("--verify-each", verify_each,
               "play the game before and after each pass, and each rewrite of GDL rules; stop at the first difference")
      ->group("Optimizer");
  app.add_option("--verify-walks", verify_walks, "random plays for each pass with --verify-each")
      ->capture_default_str()
      ->type_name("N")
      ->group("Optimizer");
  if (asserts) {
    app.add_option("--assert-proofs", assert_proofs,
                   "also play N random games and evaluate the claims that the translation relies on; one that fails "
                   "ends the run with exit code 70")
        ->type_name("N")
        ->group("Optimizer");
    app.add_option("--certify", certificate,
                   "write a certificate of the changes that the passes make; rgtrans verify checks it")
        ->type_name("FILE")
        ->group("Optimizer");
  }
  app.add_option("--html-trace", html_trace, "write a page on which you step through the passes")
      ->type_name("FILE")
      ->group("Optimizer");
  app.add_option("--explain-pragma", explained, "explain why a node has or lacks each pragma, on standard error")
      ->type_name("NODE")
      ->take_all()
      ->group("Optimizer");
}

void OptimizerArguments::name_files(FileRoles& files) const {
  if (verify_each) here(parts().comparison);
  if (assert_proofs > 0) here(parts().assert_proofs);
  if (!html_trace.empty()) here(parts().trace_page);
  if (!explained.empty()) here(parts().explain);
  files.writes(html_trace, "--html-trace");
  files.writes(certificate, "--certify");
}

void OptimizerArguments::run(ir::Game& game) const {
  passes::OptimizeOptions options;
  options.level = level;
  if (!passes.empty()) options.passes = passes;
  if (!stop_after.empty()) options.stop_after = pass_runs(stop_after);
  if (!print_after.empty() && passes::find_pass(print_after) == nullptr) {
    throw UsageError(fmt::format("unknown pass {}; rgtrans passes lists them", print_after));
  }
  options.keep_before = print_changed || !html_trace.empty();
  if (verify_each) {
    options.verify_each = here(parts().comparison)(verify_walks);
  }
  const std::unique_ptr<TracePage> page = html_trace.empty() ? nullptr : here(parts().trace_page)(game);
  const auto proof = certificate.empty() ? nullptr : std::make_unique<rgtrans::certificate::Writer>(game);
  if (print_changed || !print_after.empty() || !html_trace.empty() || proof != nullptr) {
    options.on_change = [this, &page, &proof](const passes::PassEvent& event) {
      if (proof != nullptr) proof->add(event.pass.name, event.changes, event.after);
      if (page != nullptr) page->add(event);
      if (print_changed) {
        fmt::print(stderr, "--- {} {}\n{}", event.number, event.pass.name,
                   line_difference(rg::print(*event.before), rg::print(event.after)));
      }
      if (event.pass.name == print_after) {
        fmt::print(stderr, "--- after {} {}\n{}", event.number, event.pass.name, rg::print(event.after));
      }
    };
  }
  const passes::OptimizeReport report = passes::optimize(game, options);
  for (const std::string& note : report.notes) tell_note(note);
  if (verify_each && report.compared > 0 && report.fewest_walks < verify_walks) {
    tell_note(fmt::format("--verify-each: {} of {} walks were made, whose positions have many moves",
                          report.fewest_walks, verify_walks));
  }
  if (proof != nullptr) write_file(certificate, proof->text());
  if (time_passes) fmt::print(stderr, "{}", passes::render_timings(report));
  if (page != nullptr) write_file(html_trace, page->html(game, report));
  if (!explained.empty()) here(parts().explain)(game, explained);
}

}  // namespace rgtrans::cli
