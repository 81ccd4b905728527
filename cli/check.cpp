// rgtrans check: everything that is wrong or suspicious in some files.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "backends/interpreter/interpreter.hpp"
#include "backends/proper/proper.hpp"
#include "backends/scene/scene.hpp"
#include "cli/command.hpp"
#include "cli/engine.hpp"
#include "cli/watch.hpp"
#include "core/passes/passes.hpp"
#include "core/support/play_path.hpp"
#include "core/support/text.hpp"

namespace rgtrans::cli {

namespace {

struct CheckArguments {
  std::vector<std::string> paths;
  std::string language;
  bool no_warnings = false;
  bool json_messages = false;
  bool quiet = false;
  DynamicCheckOptions dynamic{.plays = 0};
  std::uint64_t proofs = 0;  // plays in which they are asserted
  bool claims = false;       // print how many there are
  bool prove = false;        // decide the conditions of proper descriptions
  bool json = false;         // the decisions as JSON
  double seconds = 5;        // for each way of deciding them
  ShowProgress progress = ShowProgress::on_terminal;
};

// The text is RG itself.
bool is_rg(const CheckArguments& options, const ir::Game& game, const std::string& path) {
  const Sources::File* file = game.sources()->file_of(1);
  return file != nullptr && frontend_for(options.language, path, file->text).is_rg;
}

// A path of a long play would hide the message.
std::string seen_in(const std::string& path, bool whole) {
  constexpr std::size_t kShown = 200;
  if (path.empty()) return "";
  if (whole || path.size() <= kShown) return fmt::format("seen in the state {}", path);
  return fmt::format("seen after {} moves; --json-messages shows the path", path_length(path));
}

// Plays at random and shows what is improper; true when nothing is.
bool check_plays(const CheckArguments& options, const ir::Game& game, const std::string& path) {
  std::vector<Diagnostic> diagnostics;
  DynamicCheckOptions dynamic = options.dynamic;
  dynamic.keys = is_rg(options, game, path);
  dynamic.idle = true;
  Watch watch(options.progress, fmt::format("0 of {} plays", dynamic.plays));
  std::uint64_t played = 0;
  dynamic.following = watch.following();
  dynamic.played = &played;
  const std::vector<Violation> violations = check_dynamic(game, dynamic);
  watch.clear();
  if (Watch::interrupted()) {
    // Where n plays show nothing, at most about 3 of n do, at 95 %.
    const std::string sure =
        violations.empty() && played > 3
            ? fmt::format("; nothing improper was found, so at most {:.2g} % of random plays show it (95 %)",
                          300.0 / static_cast<double>(played))
            : "";
    fmt::print(stderr, "{}: interrupted after {} of {} plays{}\n", printable(path), played, dynamic.plays, sure);
  }
  bool proper = true;
  for (const Violation& v : violations) {
    proper = proper && v.severity != Severity::error;
    if (options.no_warnings && v.severity == Severity::warning) continue;
    const Sources::File* file = game.sources()->file_of(1);
    const Range where = v.where.known() || file == nullptr ? v.where : file->range(0, 0);
    diagnostics.push_back({v.severity, where, v.message, seen_in(v.path, options.json_messages), {}});
  }
  show(diagnostics, *game.sources(), options.json_messages);
  return proper;
}

// Plays at random and evaluates on the way what front end, optimizer and interpreter claim.
void assert_proofs(const CheckArguments& options, ir::Game game, const std::string& path) {
  passes::optimize(game, {});
  GameArguments arguments;
  arguments.path = path;
  arguments.language = options.language;
  if (options.proofs > 0) play_asserting(game, arguments, options.proofs);
  if (!options.claims) return;
  claims::Follower::Counts counts;
  for (const auto& follower : all_followers(game, arguments)) follower->count(counts);
  for (const auto& [kind, count] : counts.claims) fmt::print("{}\t{}\t{}\n", for_terminal(path), kind, count);
}

// Decides the conditions of proper descriptions; true when none is refuted.
bool prove(const CheckArguments& options, const ir::Game& game, const std::string& path, nlohmann::ordered_json& all) {
  proper::ProperOptions proper;
  proper.seconds = options.seconds;
  proper.seed = options.dynamic.seed;
  Watch watch(options.progress, "searching for proofs and violations");
  proper.following = watch.following();
  const proper::ProperReport report = proper::examine(game, proper);
  watch.clear();
  if (options.json) {
    auto& entry = all["games"].emplace_back(nlohmann::ordered_json{{"file", path}});
    entry.update(proper::json(report, *game.sources()));
  } else {
    fmt::print("{}:\n{}", for_terminal(path), proper::text(report, *game.sources()));
  }
  return std::ranges::count(report.answers, proper::DutyStanding::refuted, &proper::DutyAnswer::standing) == 0;
}

bool check_file(const CheckArguments& options, const std::string& path, nlohmann::ordered_json& all) {
  Diagnostics diagnostics;
  bool good = true;
  try {
    FrontendOptions language;
    language.claims = options.proofs > 0 || options.claims;
    const ir::Game game = load_game({path, options.language, language, !options.no_warnings}, diagnostics);
    if (!options.no_warnings) scene::read_hints(game, diagnostics);
    if (options.dynamic.plays > 0) good = check_plays(options, game, path);
    if (options.prove) good = prove(options, game, path, all) && good;
    if (language.claims) assert_proofs(options, game, path);
  } catch (const ProofError&) {
    throw;  // nothing is wrong with the file
  } catch (const Error& e) {
    show(e.diagnostics(), *e.sources(), options.json_messages);
    return false;
  }
  show(diagnostics.all(), *diagnostics.sources(), options.json_messages);
  const auto warnings = std::ranges::count(diagnostics.all(), Severity::warning, &Diagnostic::severity);
  if (options.prove) return good;  // the report says more
  if (good && !options.quiet && warnings == 0) fmt::print("{}: ok\n", for_terminal(path));
  // A game in which nobody can move has no errors, but "ok" would be wrong.
  if (good && !options.quiet && warnings > 0)
    fmt::print("{}: no errors, {} warning{}\n", for_terminal(path), warnings, warnings == 1 ? "" : "s");
  return good;
}

}  // namespace

const Command kCheck = {
    "check", "report mistakes and suspicious parts", "rgtrans check games/*.rg",
    [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<CheckArguments>();
      app.add_option("FILE", options->paths, "the games, or - for standard input")->required()->type_name("");
      app.add_option("--from", options->language, "language of all files")
          ->one_of(language_names())
          ->type_name("LANGUAGE");
      app.add_flag("--no-warnings", options->no_warnings, "errors only");
      app.add_flag("--json-messages", options->json_messages, "print errors and warnings as JSON");
      app.add_option("--dynamic", options->dynamic.plays, "also play N random games and look for improper states")
          ->type_name("N");
      app.add_option("--assert-proofs", options->proofs,
                     "also play N random games and evaluate the claims that the translation relies on; one that fails "
                     "ends the run with exit code 70")
          ->type_name("N");
      app.add_flag("--claims", options->claims, "print how many claims of each kind are made: file, kind, number");
      app.add_flag("--prove", options->prove,
                   "decide each condition of a proper description: proved, refuted by a play, or not decided");
      add_seconds(app, options->seconds, "of each way of deciding a condition (--prove)");
      add_json(app, options->json);
      add_seed(app, options->dynamic.seed, "of these games");
      app.add_flag("-q,--quiet", options->quiet, "print no line for files without errors");
      add_progress(app, options->progress);
      return [options] {
        if (options->json && !options->prove) throw UsageError("--json prints the answers of --prove");
        bool good = true;
        nlohmann::ordered_json all{{"games", nlohmann::ordered_json::array()}};
        for (const std::string& path : options->paths) {
          good = check_file(*options, path, all) && good;
          if (Watch::interrupted()) return kInterrupted;
        }
        if (options->json) write_file("-", all.dump(2) + "\n");
        return good ? kSuccess : kInputProblem;
      };
    }};

}  // namespace rgtrans::cli
