// rgtrans equal: whether two descriptions are the same game.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/algorithm/string/trim.hpp>
#include <map>
#include <memory>
#include <optional>

#include "backends/lockstep/lockstep.hpp"
#include "backends/rg/rg.hpp"
#include "cli/engine.hpp"
#include "cli/watch.hpp"
#include "core/passes/passes.hpp"
#include "core/support/digest.hpp"
#include "core/support/pieces.hpp"
#include "core/support/text.hpp"

namespace rgtrans::cli {

namespace {

using lockstep::EqualResult;
using lockstep::Match;
using lockstep::NameMap;
using lockstep::Verdict;

constexpr int kDifferent = 3, kUndecided = 4;  // exit codes of this command
constexpr std::size_t kShownNames = 20;

struct EqualArguments {
  GameArguments first;
  std::string second, second_language;
  unsigned level = 2;
  bool level_given = false;
  std::string engine = "interpreter";
  std::string match = "auto";
  std::string map, written_map;
  lockstep::EqualOptions compare;
  std::uint64_t memory_mib = 4096;
  unsigned jobs = 1;
  bool json = false;
  ShowProgress progress = ShowProgress::on_terminal;
};

// A map of names and the lines of its entries.
struct MapFile {
  NameMap renaming;
  std::map<NameMap::Move, std::size_t> lines;  // by the keys of the renaming
};

[[noreturn]] void bad_line(const std::string& path, std::size_t line, const std::string& what,
                           const std::string& hint = "") {
  throw Error(fmt::format("{}:{}: {}", printable(path), line, what), hint);
}

std::size_t player_of(const GameInfo& info, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(info.players, name) - info.players.begin());
}

// Makes one of the games the one whose names are the keys: its names occur once. The others may occur several times.
void add_names(MapFile& map, const std::string& path, const std::vector<std::pair<NameMap::Move, std::string>>& entries,
               const std::vector<std::size_t>& lines) {
  for (const bool reversed : {false, true}) {
    map.renaming.reversed = reversed;
    map.renaming.moves.clear();
    map.lines.clear();
    std::optional<std::size_t> twice;
    for (std::size_t i = 0; i < entries.size() && !twice; ++i) {
      const auto& [first, second] = entries[i];
      NameMap::Move key(first.first, reversed ? second : first.second);
      map.lines[key] = lines[i];
      if (!map.renaming.moves.emplace(std::move(key), reversed ? first.second : second).second) twice = i;
    }
    if (!twice) return;
    if (reversed)
      bad_line(path, lines[*twice], "names on both sides of this map have several partners",
               "only one game may have several names for a move of the other");
  }
}

// Lines "text = text", "mover: text = text" and "player name = name"; '#' begins a comment.
MapFile read_map(const std::string& path, const GameInfo& first, const GameInfo& second) {
  MapFile map;
  FileLines lines(path);
  std::vector<std::size_t> players(first.players.size(), SIZE_MAX), numbers;
  std::vector<std::pair<NameMap::Move, std::string>> entries;
  std::size_t number = 0;
  while (const std::optional<std::string> line = lines.next()) {
    ++number;
    const std::string text = boost::algorithm::trim_copy(*line);
    if (text.empty() || text.starts_with('#')) continue;
    const std::size_t equals = text.find(" = ");
    if (equals == std::string::npos) bad_line(path, number, "a line is `text = text`", "as in `a1 = (mark 1 1)`");
    std::string left = boost::algorithm::trim_copy(text.substr(0, equals));
    const std::string right = boost::algorithm::trim_copy(text.substr(equals + 3));
    if (left.starts_with("player ")) {
      left = boost::algorithm::trim_copy(left.substr(7));
      const std::size_t a = player_of(first, left), b = player_of(second, right);
      if (a == first.players.size()) bad_line(path, number, fmt::format("the first game has no player {}", left));
      if (b == second.players.size()) bad_line(path, number, fmt::format("the second game has no player {}", right));
      players[a] = b;
      continue;
    }
    std::size_t mover = NameMap::kEveryMover;
    if (const std::size_t colon = left.find(": "); colon != std::string::npos) {
      const std::string name = left.substr(0, colon);
      const std::size_t player = player_of(first, name);
      if (player < first.players.size() || name == "random") {
        mover = name == "random" ? first.random() : player;
        left = left.substr(colon + 2);
      }
    }
    entries.emplace_back(NameMap::Move(mover, left), right);
    numbers.push_back(number);
  }
  add_names(map, path, entries, numbers);
  if (std::ranges::any_of(players, [](std::size_t p) { return p != SIZE_MAX; })) {
    for (std::size_t p = 0; p < players.size(); ++p)
      if (players[p] == SIZE_MAX) throw Error(fmt::format("{} names no player for {}", path, first.players[p]));
    if (std::vector<std::size_t> sorted = players;
        std::ranges::sort(sorted), std::ranges::adjacent_find(sorted) != sorted.end())
      throw Error(fmt::format("{} names one player twice", path));
    map.renaming.players = std::move(players);
  }
  return map;
}

std::string shown_move(const NameMap::Move& move, const GameInfo& info) {
  return move.first == NameMap::kEveryMover ? move.second
                                            : fmt::format("{}: {}", info.mover_name(move.first), move.second);
}

std::string map_text(const NameMap& renaming, const GameInfo& first, const GameInfo& second) {
  std::string out;
  for (std::size_t p = 0; p < renaming.players.size(); ++p)
    out += fmt::format("player {} = {}\n", first.players[p], second.players[renaming.players[p]]);
  for (const auto& entry : renaming.moves) {
    const auto& [a, b] = renaming.names(entry);
    out += fmt::format("{} = {}\n", shown_move({entry.first.first, a}, first), b);
  }
  return out;
}

std::string headline(const EqualResult& result) {
  if (result.verdict == Verdict::equal) return fmt::format("equal (proved, {} states)", result.states);
  if (result.verdict == Verdict::different) return fmt::format("different: {}", result.difference);
  const std::string plays = result.plays > 0 ? fmt::format(" and {} plays", result.plays) : "";
  return fmt::format("no difference in {} states to depth {}{}; stopped: {}", result.states, result.depth, plays,
                     result.stopped);
}

std::string text(const EqualResult& result, const NameMap& renaming, bool found, const GameInfo& first,
                 const GameInfo& second) {
  std::string out = headline(result) + "\n";
  if (!result.path.empty()) {
    out += "after the play\n";
    for (const EqualResult::Step& step : result.path) {
      out += fmt::format("  {}: {}", step.mover, step.first);
      out += step.first == step.second ? "\n" : fmt::format(" = {}\n", step.second);
    }
  } else if (result.verdict == Verdict::different) {
    out += "in the first state\n";
  }
  if (result.match == Match::results && result.verdict == Verdict::equal)
    out += "moves are matched by their results: their names depend on the state\n";
  if (result.match == Match::results && result.verdict == Verdict::different)
    out += "every matching of the moves leaves a difference\n";
  if (!found || renaming.moves.empty() || result.match == Match::results) return out;
  out += result.verdict == Verdict::different ? "under the renaming that came farthest\n" : "under the renaming\n";
  const std::string map = map_text(renaming, first, second);
  std::size_t lines = 0, at = 0;
  for (std::size_t end; lines < kShownNames && (end = map.find('\n', at)) != std::string::npos; at = end + 1, ++lines)
    out += "  " + map.substr(at, end - at) + "\n";
  const auto left = std::ranges::count(map.substr(at), '\n');
  if (left > 0) out += fmt::format("  and {} more; --write-map writes all\n", left);
  return out;
}

// Names moves as they are shown to people.
std::function<std::string(const std::string&)> as_shown(const ir::Game& game) {
  return [wording = scene::Wording(game)](const std::string& text) { return wording.shown({text}).front(); };
}

// Engines of both games. One game alone is compared with its optimized form.
std::pair<std::unique_ptr<Reasoner>, std::unique_ptr<Reasoner>> engines(EqualArguments& options) {
  ir::Game first = options.first.load();
  ir::Game second = first;
  const bool alone = options.second.empty();
  if (!alone) {
    GameArguments other = options.first;
    other.path = options.second;
    other.language = options.second_language;
    second = other.load();
    options.compare.named = {as_shown(first), as_shown(second)};
  }
  passes::OptimizeOptions optimize;
  optimize.level = static_cast<int>(options.level);
  if (alone || options.level_given) passes::optimize(second, optimize);
  if (!alone && options.level_given) passes::optimize(first, optimize);
  if (!options.compare.resume.empty()) {
    Digest games;
    games.field(options.engine).field(RGTRANS_VERSION).field(rg::print(first)).field(rg::print(second));
    options.compare.identity = games.hex();
  }
  return {make_reasoner(first, options.engine), make_reasoner(second, options.engine)};
}

int run(EqualArguments options) {
  FileRoles files = options.first.files();
  files.reads(options.second).reads(options.map).writes(options.written_map, "--write-map");
  files.writes(options.compare.resume, "--resume");
  const auto [first, second] = engines(options);
  MapFile map;
  if (!options.map.empty()) {
    map = read_map(options.map, first->info(), second->info());
    options.compare.renaming = map.renaming;
  }
  options.compare.memory = options.memory_mib << 20U;
  options.compare.threads = workers(options.jobs);
  Watch watch(options.progress, "comparing");
  options.compare.following = watch.following();
  const auto begin = Clock::now();
  Match match = !options.map.empty() ? Match::texts : lockstep::match_named(options.match);
  if (options.second.empty() && match == Match::automatic) match = Match::texts;  // the optimizer keeps names
  const EqualResult result = compare_matched(*first, *second, options.compare, match);
  // The renaming of a result that was not proved with it only shows how far it came.
  const bool found = options.map.empty() && !options.compare.renaming.identical();
  watch.clear();
  for (const NameMap::Move& move : result.unused) {
    const auto& [a, b] = map.renaming.names(*map.renaming.moves.find(move));
    const std::string what = fmt::format("\"{}\" or \"{}\" is no move of its game", a, b);
    if (result.verdict != Verdict::open) bad_line(options.map, map.lines.at(move), what);
    fmt::print(stderr, "warning: {}:{}: {} in the explored states\n", printable(options.map), map.lines.at(move), what);
  }
  if (!options.written_map.empty() && result.verdict != Verdict::different)
    write_file(options.written_map, map_text(options.compare.renaming, first->info(), second->info()));
  write_file("-", options.json ? json(result, found ? &options.compare.renaming : nullptr, seconds_since(begin),
                                      first->info(), second->info())
                               : text(result, options.compare.renaming, found, first->info(), second->info()));
  if (Watch::interrupted()) return kInterrupted;
  return result.verdict == Verdict::equal ? kSuccess : result.verdict == Verdict::different ? kDifferent : kUndecided;
}

}  // namespace

const Command kEqual = {
    "equal", "decide whether two descriptions are the same game, in any two languages",
    "rgtrans equal games/hrg/tic-tac-toe.hrg games/rbg/tic-tac-toe.rbg", [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<EqualArguments>();
      options->first.add_to(app);
      app.add_option("OTHER", options->second,
                     "the other game; without it, the game is compared with its optimized form")
          ->type_name("");
      app.add_option("--other-from", options->second_language, "language of the other game")
          ->one_of(language_names())
          ->type_name("LANGUAGE");
      app.add_option_function(
             "-O",
             [options](const std::vector<std::string>& given) {
               options->level = given.at(0) == "0" ? 0 : given.at(0) == "1" ? 1 : 2;
               options->level_given = true;
             },
             "optimize both games, or the second form of a single one (2)")
          ->one_of({"0", "1", "2"})
          ->type_name("LEVEL");
      add_engine(app, options->engine, {"interpreter", "cpp"});
      auto* match =
          app.add_option("--match", options->match,
                         "match moves by their texts, by structure under a renaming that is found, by results alone, "
                         "or by the first of these under which the games are equal (auto)")
              ->one_of({lockstep::kMatches.begin(), lockstep::kMatches.end()})
              ->capture_default_str();
      app.add_option("--map", options->map,
                     "match moves by this file: lines `text = text`, `mover: text = text` and `player NAME = NAME`; "
                     "other moves keep their texts")
          ->type_name("MAP")
          ->excludes(match);
      app.add_option("--write-map", options->written_map, "write the renaming that was found")->type_name("FILE");
      app.add_option("--states", options->compare.states, "compare at most so many pairs of states")
          ->between(std::uint64_t{1}, std::uint64_t{1} << 40U)
          ->capture_default_str()
          ->type_name("N");
      add_count(app, options->compare.plays, "on from a limit that leaves states; they prefer rare moves");
      add_seconds(app, options->compare.seconds, "for the states, and as many for the plays");
      app.add_option("--memory", options->memory_mib, "stop at so much memory")
          ->between(std::uint64_t{1}, std::uint64_t{1} << 24U)
          ->capture_default_str()
          ->type_name("MiB");
      app.add_option("--resume", options->compare.resume,
                     "keep the work in this file where a limit or Ctrl-C ends it, and every few minutes; the same "
                     "command goes on from there")
          ->type_name("FILE");
      app.add_flag("--skip-forced", options->compare.skip_forced, "a move without an alternative is no decision");
      app.add_flag("--ways", options->compare.ways, "also compare how many walks make each move");
      add_jobs(app, options->jobs, "");
      add_seed(app, options->compare.seed, "of the plays");
      add_json(app, options->json);
      add_progress(app, options->progress);
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
