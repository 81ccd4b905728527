// Running the optimizer as the command line asks, and showing what it does.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <unordered_map>

#include "backends/lockstep/lockstep.hpp"
#include "backends/rg/rg.hpp"
#include "cli/command.hpp"
#include "cli/explain.hpp"
#include "cli/trace.hpp"
#include "core/passes/passes.hpp"

namespace rgtrans::cli {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

// Lines that only one of two texts has, in order, with - and +.
std::string line_difference(const std::string& before, const std::string& after) {
  const std::vector<std::string> old_lines = split(before, '\n');
  const std::vector<std::string> new_lines = split(after, '\n');
  std::unordered_map<std::string_view, int> balance;
  for (const std::string& line : old_lines) ++balance[line];
  for (const std::string& line : new_lines) --balance[line];
  std::string text;
  for (const std::string& line : old_lines) {
    int& count = balance[line];
    if (count <= 0) continue;
    --count;
    text += "- " + line + "\n";
  }
  for (const std::string& line : new_lines) {
    int& count = balance[line];
    if (count >= 0) continue;
    ++count;
    text += "+ " + line + "\n";
  }
  return text;
}

void explain(ir::Game& game, const std::vector<std::string>& wanted) {
  const std::vector<std::string> names = game.node_names();
  for (const std::string& name : wanted) {
    bool found = false;
    for (ir::NodeId node : game.graph.nodes()) {
      if (names[node.value] != name) continue;
      found = true;
      fmt::print(stderr, "{}", explain_pragmas(game, node));
      break;
    }
    if (!found) throw UsageError(fmt::format("the optimized game has no node {}", name));
  }
}

}  // namespace

void OptimizerArguments::add_to(OptionSet& app, int default_level) {
  level = default_level;
  app.add_option("-O", level, "optimize: 0 nothing, 1 cheap and readable, 2 everything that is safe")
      ->between(0, 2)
      ->capture_default_str()
      ->type_name("LEVEL")
      ->group("Optimizer");
  app.add_option("--passes", passes, "run exactly these, in this order (see rgtrans passes)")
      ->type_name("A,B,…")
      ->group("Optimizer");
  app.add_flag("--time-passes", time_passes, "a table of what each pass did, on standard error")->group("Optimizer");
  app.add_flag("--print-changed", print_changed, "the lines each pass changed, on standard error")->group("Optimizer");
  app.add_option("--print-after", print_after, "the whole game after each change by this pass, on standard error")
      ->type_name("PASS")
      ->group("Optimizer");
  app.add_option("--stop-after", stop_after, "stop after this many pass runs, to find the one that matters")
      ->type_name("N")
      ->group("Optimizer");
  app.add_flag("--verify-each", verify_each, "play the game before and after each pass; stop at the first difference")
      ->group("Optimizer");
  app.add_option("--verify-walks", verify_walks, "random plays for each pass with --verify-each")
      ->capture_default_str()
      ->type_name("N")
      ->group("Optimizer");
  app.add_option("--html-trace", html_trace, "write a page on which one steps through the passes")
      ->type_name("FILE")
      ->group("Optimizer");
  app.add_option("--explain-pragma", explained, "say why a node has or lacks each pragma, on standard error")
      ->type_name("NODE")
      ->take_all()
      ->group("Optimizer");
}

void OptimizerArguments::run(ir::Game& game) const {
  passes::OptimizeOptions options;
  options.level = level;
  if (!passes.empty()) options.passes = split(passes, ',');
  if (stop_after > 0) options.stop_after = stop_after;
  if (!print_after.empty() && passes::find_pass(print_after) == nullptr) {
    throw UsageError(fmt::format("unknown pass {}; rgtrans passes lists them", print_after));
  }
  options.keep_before = print_changed || !html_trace.empty();
  if (verify_each) {
    lockstep::WalkOptions walks;
    walks.walks = verify_walks;
    options.verify_each = lockstep::comparison(walks);
  }
  HtmlTrace trace("Optimizer trace", [](const ir::Game& g) { return rg::print(g); });
  if (print_changed || !print_after.empty() || !html_trace.empty()) {
    options.on_change = [this, &trace](const passes::PassEvent& event) {
      if (!html_trace.empty()) trace.add(event);
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
  if (time_passes) fmt::print(stderr, "{}", passes::render_timings(report));
  if (!html_trace.empty()) write_file(html_trace, trace.page());
  explain(game, explained);
}

}  // namespace rgtrans::cli
