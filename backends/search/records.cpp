// Records of matches. Seats, seeds and chance follow from the seed of the match, so they are derived again and
// compared; a chain of digests protects the players' decisions.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>

#include "backends/search/table.hpp"
#include "core/support/digest.hpp"
#include "core/support/json_integer.hpp"
#include "core/support/json_text.hpp"
#include "core/support/support.hpp"

namespace rgtrans::search {

namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

// The fields of the match that every line repeats.
Json match_of(const MatchOptions& options) {
  return {{"players", options.players}, {"seed", options.seed}, {"opening", options.limits.random_opening}};
}

// The digests of the lines so far.
class Chain {
 public:
  // Of a line without its digest, which becomes the last one.
  const std::string& add(const std::string& line) {
    last_ = Digest().field(last_).field(line).hex();
    return last_;
  }

 private:
  std::string last_ = "rgtrans match";
};

}  // namespace

struct MatchRecords::Parts {
  GameInfo info;
  MatchOptions options;
  std::function<void(std::string_view)> write;
  Chain chain;
  std::uint64_t plays = 0;
  std::optional<Json> waiting;  // until it is known whether another one follows

  void flush(bool last) {
    if (!waiting) return;
    if (last) (*waiting)["last"] = true;
    (*waiting)["chain"] = chain.add(dumped(*waiting));
    write(dumped(*waiting) + "\n");
    waiting.reset();
  }
};

MatchRecords::MatchRecords(const GameInfo& info, const MatchOptions& options,
                           std::function<void(std::string_view)> write)
    : parts_(std::make_unique<Parts>(Parts{info, options, std::move(write), {}, 0, {}})) {}
MatchRecords::~MatchRecords() = default;

void MatchRecords::add(const PlayRecord& record) {
  parts_->flush(false);
  const std::vector<std::string>& players = parts_->info.players;
  Json out;
  Json seats = Json::object(), goals = Json::object(), seconds = Json::object();
  for (std::size_t p = 0; p < players.size(); ++p) {
    seats[players[p]] = record.seats[p];
    if (!record.goals.empty()) goals[players[p]] = record.goals[p];
    seconds[players[p]] = std::round(record.seconds[p] * 1e6) / 1e6;
  }
  out["match"] = match_of(parts_->options);
  out["play"] = parts_->plays++;
  out["seats"] = seats;
  out["seed"] = record.seeds.table;
  out["goals"] = goals;
  if (!record.stopped.empty()) out["stopped"] = record.stopped;
  out["seconds"] = seconds;
  out["moves"] = record.moves;
  parts_->waiting = std::move(out);
}

void MatchRecords::finish() { parts_->flush(true); }

namespace {

// A line written by hand may lack anything.
template <class T>
T get(const Json& object, const char* key) {
  try {
    const Json& value = object.at(key);
    if constexpr (!std::is_integral_v<T>)
      return value.get<T>();
    else if (const std::optional<T> integer = integer_of<T>(value))
      return *integer;
  } catch (const Json::exception&) {
  }
  throw Error(fmt::format("this line is no record of a play of a match: '{}' is not as it should be", key));
}

class RecordChecker {
 public:
  explicit RecordChecker(const Reasoner& game) : game_(game) {}

  void check(const std::string& line) {
    if (last_) throw Error("a line follows the last play of the match");
    Json record = parse_json<Json>(line);
    const auto has = [&](const char* key) { return record.contains(key); };
    if (!record.is_object() || !has("match") || !has("moves") || !has("chain")) {
      throw Error("this line is no record of a play of a match");
    }
    const std::string chain = get<std::string>(record, "chain");
    record.erase("chain");
    if (get<std::uint64_t>(record, "play") != plays_) {
      throw Error(fmt::format("here the play number {} should be, and it is number {}", plays_,
                              get<std::uint64_t>(record, "play")));
    }
    last_ = record.contains("last");
    compare_match(record);
    replay(record);
    ++plays_;
    if (chain_.add(dumped(record)) != chain) throw Error("this line, or one before it, was changed");
  }
  std::uint64_t finish() const {
    if (!last_) throw Error("the plays end before the last one of the match");
    return plays_;
  }

 private:
  // Seats and seeds must be those of the match.
  void compare_match(const Json& record) {
    const Json& match = record.at("match");
    if (plays_ == 0) {
      options_.players = get<std::vector<std::string>>(match, "players");
      options_.seed = get<std::uint64_t>(match, "seed");
      options_.limits.random_opening = get<std::uint64_t>(match, "opening");
      if (options_.players.empty()) throw Error("this line is no record of a play of a match: it has no players");
    }
    if (match != match_of(options_)) throw Error("the match is another one than in the first line");
    const std::vector<std::string>& names = game_.info().players;
    const std::vector<std::size_t> seats = seats_of_play(options_, names.size(), plays_);
    Json expected = Json::object();
    for (std::size_t p = 0; p < names.size(); ++p) expected[names[p]] = options_.players[seats[p]];
    if (record.value("seats", Json()) != expected) {
      throw Error(fmt::format("the seats of this play must be {}", dumped(expected)));
    }
    const std::uint64_t seed = seeds_of_play(options_, plays_).table;
    if (get<std::uint64_t>(record, "seed") != seed) throw Error(fmt::format("the seed of this play must be {}", seed));
  }
  void replay(const Json& record) const {
    const std::unique_ptr<Reasoner> game = game_.clone();
    TableChance chance(seeds_of_play(options_, plays_), options_.limits);
    std::size_t number = 0;
    for (const std::string& move : get<std::vector<std::string>>(record, "moves")) {
      ++number;
      const auto index = game->find_move(move);
      if (!index) throw Error(fmt::format("move {}, '{}', is not legal there", number, move));
      const auto drawn = chance.draw(*game);
      if (drawn && !game->keeper_moves() && game->move_text(*drawn) != move) {
        throw Error(fmt::format("move {}, '{}', is not the one that the seed of this play gives", number, move));
      }
      game->apply(*index);
    }
    if (record.contains("stopped")) return;
    if (!game->terminal()) throw Error("the play is not over after the last move");
    const std::vector<double> goals = goal_numbers(*game);
    Json expected = Json::object();
    for (std::size_t p = 0; p < goals.size(); ++p) expected[game->info().players[p]] = goals[p];
    if (record.value("goals", Json()) != expected) {
      throw Error(fmt::format("the goals of this play are {}, not the recorded ones", dumped(expected)));
    }
  }

  const Reasoner& game_;
  MatchOptions options_;
  Chain chain_;
  std::uint64_t plays_ = 0;
  bool last_ = false;
};

}  // namespace

std::uint64_t check_records(const Reasoner& game, LineSource& lines) {
  RecordChecker checker(game);
  std::uint64_t number = 0;
  try {
    for (auto line = lines.next(); line; line = lines.next()) {
      ++number;
      checker.check(*line);
    }
    return checker.finish();
  } catch (const Error& e) {
    throw Error(fmt::format("line {}: {}", number, e.what()));
  }
}

}  // namespace rgtrans::search
