#include "cli/flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <thread>

#include "core/support/secrets.hpp"

namespace rgtrans::cli {

namespace {

constexpr SharedFlag kJobs = {"--jobs", "-j", "--threads,--parallel", "N",
                              "run so many threads, games or plays at once; 0: one per core"};
constexpr SharedFlag kCount = {"--count", "", "--games,--plays,--matches", "N", "how many plays"};
constexpr SharedFlag kSeed = {"--seed", "", "", "K", "seed of all random choices: the same seed gives the same result"};
constexpr SharedFlag kSeconds = {"--seconds", "", "", "S", "effort: stop after so many seconds with the result so far"};
constexpr SharedFlag kTimeout = {"--timeout", "", "--within", "S", "abort after so many seconds, without a result"};
constexpr SharedFlag kMaxMoves = {"--max-moves", "", "--max-steps", "N", "stop a play after so many moves"};
constexpr SharedFlag kEngine = {"--engine", "", "--device", "ENGINE", "the engine that plays the game"};
constexpr SharedFlag kJson = {"--json", "", "", "", "print one JSON object"};

constexpr SharedFlag kProgress = {"--progress", "", "", "WHEN",
                                  "show the progress on standard error; by default auto: on a terminal"};

constexpr SharedFlag kFlags[] = {kJobs, kCount, kSeed, kSeconds, kTimeout, kMaxMoves, kEngine, kJson, kProgress};

std::string names_of(const SharedFlag& flag) {
  return *flag.shorthand == '\0' ? flag.name : fmt::format("{},{}", flag.shorthand, flag.name);
}

std::string help_of(const SharedFlag& flag, const std::string& detail) {
  return detail.empty() ? flag.meaning : fmt::format("{} ({})", flag.meaning, detail);
}

template <class T>
Option* number(OptionSet& app, const SharedFlag& flag, T& target, const std::string& detail, T least, T most) {
  const auto add = [&](const std::string& names, const std::string& help) {
    return app.add_option(names, target, help)->between(least, most);
  };
  Option* option = add(names_of(flag), help_of(flag, detail))->type_name(flag.value);
  if (target >= least) option->capture_default_str();  // else the command has no default
  if (*flag.old_names != '\0') option->replaces(add(flag.old_names, ""));
  return option;
}

}  // namespace

std::span<const SharedFlag> shared_flags() { return kFlags; }

Option* add_jobs(OptionSet& app, unsigned& target, const std::string& detail) {
  return number(app, kJobs, target, detail, 0U, 4096U);
}

unsigned workers(unsigned jobs) { return jobs > 0 ? jobs : std::max(1U, std::thread::hardware_concurrency()); }

Option* add_count(OptionSet& app, std::uint64_t& target, const std::string& detail) {
  return number(app, kCount, target, detail, std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max());
}

Option* add_seed(OptionSet& app, std::uint64_t& target, const std::string& detail) {
  return number(app, kSeed, target, detail, std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max());
}

Option* add_secret_seed(OptionSet& app, std::uint64_t& target, const std::string& detail) {
  target = fresh_secret();
  const std::string help = help_of(kSeed, detail + (detail.empty() ? "" : "; ") + "drawn anew if it is left out");
  return app.add_option(kSeed.name, target, help)->type_name(kSeed.value);
}

Option* add_seconds(OptionSet& app, double& target, const std::string& detail, double least) {
  return number(app, kSeconds, target, detail, least, 1e9);
}

Option* add_timeout(OptionSet& app, double& target, const std::string& detail) {
  return number(app, kTimeout, target, detail, 0.001, 1e7);
}

Option* add_max_moves(OptionSet& app, std::uint64_t& target, const std::string& detail) {
  return number(app, kMaxMoves, target, detail, std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max());
}

Option* add_engine(OptionSet& app, std::string& target, const std::vector<std::string>& engines) {
  static const std::map<std::string, std::string> kWays = {{"interpreter", "interpreter evaluates the automaton"},
                                                           {"cpp", "cpp compiles it first and keeps the result"},
                                                           {"cuda", "cuda runs many plays at once on a GPU"},
                                                           {"rules", "rules evaluates a GDL description directly"}};
  std::string ways;
  for (const std::string& engine : engines) ways += (ways.empty() ? "" : ", ") + kWays.at(engine);
  Option* option = app.add_option(kEngine.name, target, help_of(kEngine, ways))
                       ->one_of(engines)
                       ->capture_default_str()
                       ->type_name(kEngine.value);
  if (std::ranges::find(engines, "cuda") == engines.end()) return option;
  return option->replaces(app.add_option_function(
                                 kEngine.old_names,
                                 [&target](const std::vector<std::string>& values) {
                                   if (values.back() == "cuda") target = "cuda";
                                 },
                                 "")
                              ->one_of({"cpu", "cuda"}));
}

Option* add_json(OptionSet& app, bool& target) { return app.add_flag(kJson.name, target, kJson.meaning); }

Option* add_progress(OptionSet& app, ShowProgress& target) {
  static const std::map<std::string, ShowProgress> kWhen = {
      {"auto", ShowProgress::on_terminal}, {"always", ShowProgress::always}, {"never", ShowProgress::never}};
  std::vector<std::string> names;
  for (const auto& [name, when] : kWhen) names.push_back(name);
  return app
      .add_option_function(
          kProgress.name, [&target](const std::vector<std::string>& values) { target = kWhen.at(values.back()); },
          kProgress.meaning)
      ->one_of(names)
      ->type_name(kProgress.value);
}

}  // namespace rgtrans::cli
