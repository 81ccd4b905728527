// rgtrans ggp-host: matches of players of the Game Manager protocol.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/ggp/host.hpp"
#include "cli/watch.hpp"
#include "core/support/pieces.hpp"
#include "core/support/secrets.hpp"
#include "core/support/text.hpp"

namespace rgtrans::cli {

namespace {

struct GgpHostArguments {
  std::string path;
  ggp::HostOptions host;
  std::uint64_t matches = 1;
  std::string records;
  ShowProgress progress = ShowProgress::on_terminal;
};

struct Tally {
  double goals = 0;
  std::uint64_t with_goal = 0;  // matches that were completed with a goal
  std::uint64_t timeouts = 0, illegal = 0, connection = 0;
};

int run(const GgpHostArguments& options) {
  FileRoles().reads(options.path).writes(options.records, "--records");
  const std::string text = read_game(options.path).text;
  const auto rules = std::make_shared<const rules::MatchRules>(text);
  const std::size_t seats = rules->role_count() - (rules->program().random < rules->role_count() ? 1 : 0);
  if (options.host.players.empty()) throw UsageError("--players HOST:PORT,… names the players");
  for (const std::string& player : options.host.players) {
    if (player.find(':') == std::string::npos) throw UsageError(fmt::format("'{}' is no HOST:PORT", player));
  }
  if (options.host.players.size() != seats) {
    throw UsageError(fmt::format("this game needs {} players, not {}", seats, options.host.players.size()));
  }
  std::optional<FileWriter> records;
  if (!options.records.empty()) records.emplace(options.records);
  std::vector<Tally> tallies(rules->role_count());
  std::uint64_t completed = 0, match = 0;
  Watch watch(options.progress, fmt::format("0 of {} matches", options.matches));
  const Following following = watch.following();
  for (; match < options.matches && !Watch::interrupted(); ++match) {
    ggp::HostOptions one = options.host;
    one.seed = derived_seed(options.host.seed, "match", match);
    one.url = options.path;
    one.log = [&](const std::string& line) {
      watch.clear();
      fmt::print(stderr, "{}\n", printable(line));
    };
    one.following.stop = following.stop;
    one.following.told = [&](const std::string& state) {
      if (following.told) following.told(fmt::format("{} of {} matches, {}", match, options.matches, state));
    };
    // Players read it, so it identifies the match and reveals nothing else.
    one.match_id =
        fmt::format("{}.{:016x}.{}", one.match_id, derived_seed(options.host.seed, "match id", match), match + 1);
    const ggp::HostedMatch played = ggp::host_match(text, rules, one);
    completed += played.completed ? 1 : 0;
    for (std::size_t r = 0; r < tallies.size(); ++r) {
      if (played.completed && played.goals[r]) {
        tallies[r].goals += *played.goals[r];
        ++tallies[r].with_goal;
      }
      const auto count = [&](const std::string& error) {
        tallies[r].timeouts += error.starts_with("timeout") ? 1 : 0;
        tallies[r].illegal += error.starts_with("illegal") ? 1 : 0;
        tallies[r].connection += error.starts_with("connection") ? 1 : 0;
      };
      count(played.start_errors[r]);
      for (const ggp::HostedStep& step : played.steps) count(step.errors[r]);
    }
    if (records) records->write(ggp::record(played) + "\n");
  }
  watch.clear();
  if (records) records->finish();
  std::string out = fmt::format("{} of {} matches were completed\n", completed, options.matches);
  for (std::uint32_t r = 0; r < tallies.size(); ++r) {
    const Tally& t = tallies[r];
    const std::string goal =
        t.with_goal == 0 ? "no goal" : fmt::format("mean goal {:.2f}", t.goals / static_cast<double>(t.with_goal));
    const std::uint64_t without = completed - t.with_goal;
    out += fmt::format("{}: {}{}; errors: {} late, {} illegal, {} without connection\n", rules->role(r), goal,
                       t.with_goal > 0 && without > 0 ? fmt::format(" ({} matches gave none)", without) : "",
                       t.timeouts, t.illegal, t.connection);
  }
  write_file("-", out);
  if (!Watch::interrupted()) return kSuccess;
  fmt::print(stderr, "interrupted in match {} of {}\n", match, options.matches);
  return kInterrupted;
}

}  // namespace

const Command kGgpHost = {
    "ggp-host", "run matches of players that speak the Game Manager protocol",
    "rgtrans ggp-host --players localhost:9147,localhost:9148 --start 10 --play 5 game.kif",
    [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<GgpHostArguments>();
      app.add_option("FILE", options->path, "the description in GDL, prefix notation")->required()->type_name("");
      app.add_option("--players", options->host.players, "by role, in the order of the description")
          ->delimiter(',')
          ->type_name("HOST:PORT,…");
      app.add_option("--start", options->host.start_clock, "seconds to prepare")
          ->between(0.0, 1e6)
          ->capture_default_str()
          ->type_name("S");
      app.add_option("--play", options->host.play_clock, "seconds for each move")
          ->between(0.0, 1e6)
          ->capture_default_str()
          ->type_name("S");
      app.add_option("--grace", options->host.grace, "extra seconds for the network")
          ->between(0.0, 1e6)
          ->capture_default_str()
          ->type_name("S");
      add_count(app, options->matches, "");
      add_secret_seed(app, options->host.seed, "of random's moves and of replaced ones");
      add_max_moves(app, options->host.most_steps, "joint moves; the match is aborted");
      app.add_option("--records", options->records, "a file for the records, one JSON line each")->type_name("FILE");
      add_progress(app, options->progress);
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
