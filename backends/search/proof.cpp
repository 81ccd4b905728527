// A proof is a strategy, written down as a walk: from the start into depth, each position once; where the chooser moves
// there is one line, its move, everywhere else all moves are followed, in the order of their texts. Whoever checks it
// walks in the same way and needs no keys of positions, only the rules. Every end must hold what is claimed; where
// positions come back, plays without end must hold it, too, or the walk must be free of circles.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "backends/play/play.hpp"
#include "backends/search/positions.hpp"
#include "core/support/support.hpp"
#include "core/support/text.hpp"

namespace rgtrans::search {

namespace {

using Json = nlohmann::ordered_json;

// Walks a strategy. `choose` tells the chooser's move.
class Walk {
 public:
  Walk(const Reasoner& start, const Claim& claim, double cycle_value, std::function<std::size_t(Walker&)> choose,
       SolveLimits& limits)
      : at_(start),
        claim_(claim),
        endless_is_fine_(claim.holds(cycle_value)),
        choose_(std::move(choose)),
        limits_(limits) {}

  void run() {
    enter();
    while (!stack_.empty()) {
      Frame& frame = stack_.back();
      if (frame.next == frame.moves.size()) {
        if (!endless_is_fine_) seen_[frame.key] = kDone;
        stack_.pop_back();
        if (!stack_.empty()) at_.up();
        continue;
      }
      at_.down(frame.moves[frame.next++]);
      if (!enter()) at_.up();
    }
  }
  [[nodiscard]] std::uint64_t positions() const { return seen_.size(); }

 private:
  enum State : std::uint8_t { kNew, kOpen, kDone };
  struct Frame {
    Key key;
    std::vector<std::uint32_t> moves;
    std::size_t next = 0;
  };

  // False where there is nothing below.
  bool enter() {
    if (at_.at().terminal()) {
      const double goal = goal_numbers(at_.at())[claim_.player];
      if (!claim_.holds(goal)) throw Error(fmt::format("a play of this strategy ends with {}", goal));
      return false;
    }
    // The checker knows no symmetries.
    std::vector<std::byte> bytes = at_.at().state_bytes();
    at_.at().canonical(bytes, false);
    const Key key = key_of(bytes);
    State& state = seen_[key];
    if (state == kOpen && !endless_is_fine_) throw Error("this strategy can go on without end");
    if (state != kNew) return false;
    state = kOpen;
    limits_.check(seen_.bytes());
    Frame frame{key, {}, 0};
    const std::size_t count = at_.list();
    if (at_.at().mover() == claim_.chooser) {
      frame.moves = {static_cast<std::uint32_t>(choose_(at_))};
    } else {
      const std::vector<std::string> texts = at_.at().move_texts();
      frame.moves.resize(count);
      std::iota(frame.moves.begin(), frame.moves.end(), 0U);
      std::ranges::sort(frame.moves, {}, [&](std::uint32_t i) -> const std::string& { return texts[i]; });
    }
    stack_.push_back(std::move(frame));
    return true;
  }

  Walker at_;
  const Claim& claim_;
  bool endless_is_fine_;
  std::function<std::size_t(Walker&)> choose_;
  SolveLimits& limits_;
  KeyTable<State> seen_;
  std::vector<Frame> stack_;
};

std::string describe(const Claim& claim, const GameInfo& info) {
  const std::string what = fmt::format("{} {} {}", info.players[claim.player],
                                       claim.at_least ? "gets at least" : "gets at most", claim.value);
  return claim.chooser < info.players.size() ? fmt::format("{} sees to it that {}", info.players[claim.chooser], what)
                                             : fmt::format("whatever happens, {}", what);
}

}  // namespace

std::string write_proof(const Reasoner& start, std::span<const Claim> claims, double cycle_value,
                        const Adviser& adviser, SolveLimits& limits) {
  const std::vector<std::string>& players = start.info().players;
  std::string out;
  for (const Claim& claim : claims) {
    std::string moves;
    std::uint64_t count = 0;
    Walk walk(
        start, claim, cycle_value,
        [&](Walker& at) {
          const std::size_t index = adviser(at, claim);
          at.list();
          moves += at.at().move_text(index) + "\n";
          ++count;
          return index;
        },
        limits);
    walk.run();
    Json header;
    header["chooser"] = claim.chooser < players.size() ? Json(players[claim.chooser]) : Json();
    header["player"] = players[claim.player];
    header[claim.at_least ? "at_least" : "at_most"] = claim.value;
    header["endless"] = cycle_value;
    header["moves"] = count;
    out += header.dump() + "\n" + moves;
  }
  return out;
}

namespace {

// The lines of a proof.
class Lines {
 public:
  explicit Lines(std::string_view text) : lines_(split_lines(text)) {}
  [[nodiscard]] bool done() const { return number_ == lines_.size(); }
  const std::string& next() {
    if (done()) throw Error("the proof ends too early");
    return lines_[number_++];
  }
  // Of the line that was read last, from 1.
  [[nodiscard]] std::size_t number() const { return number_; }

 private:
  std::vector<std::string> lines_;
  std::size_t number_ = 0;
};

std::size_t player_number(const GameInfo& info, const Json& name, std::size_t line) {
  if (name.is_null()) return info.players.size();
  const auto it = std::ranges::find(info.players, name.is_string() ? name.get<std::string>() : "");
  if (it == info.players.end()) throw Error(fmt::format("line {}: the game has no player {}", line, name.dump()));
  return static_cast<std::size_t>(it - info.players.begin());
}

}  // namespace

std::string check_proof(const Reasoner& game, std::string_view proof) {
  Lines lines(proof);
  const Json first = Json::parse(lines.next(), nullptr, false);
  if (!first.is_object() || first.value("rgtrans-proof", 0) != 1) throw Error("line 1: this is no proof of rgtrans");
  const std::unique_ptr<Reasoner> start = game.clone();
  const std::string path = first.value("path", "");
  if (!path.empty()) play::go_to(*start, path);
  run_keeper(*start);
  std::string out = fmt::format("position {}\n", path.empty() ? "at the start" : path);
  SolveLimits limits(SolveOptions{.memory = UINT64_MAX});
  while (!lines.done()) {
    const Json header = Json::parse(lines.next(), nullptr, false);
    const std::size_t at = lines.number();
    if (!header.is_object() || !header.contains("player") || !header.contains("moves")) {
      throw Error(fmt::format("line {}: here a claim should begin", at));
    }
    Claim claim;
    claim.chooser = player_number(start->info(), header.value("chooser", Json()), at);
    claim.player = player_number(start->info(), header["player"], at);
    claim.at_least = header.contains("at_least");
    const Json value = header.value(claim.at_least ? "at_least" : "at_most", Json());
    if (claim.player == start->info().players.size() || !value.is_number() || !header["endless"].is_number()) {
      throw Error(fmt::format("line {}: this claim is not complete", at));
    }
    claim.value = value.get<double>();
    Walk walk(
        *start, claim, header["endless"].get<double>(),
        [&](Walker& here) {
          const std::string& move = lines.next();
          here.list();
          if (const auto index = here.at().find_move(move)) return *index;
          throw Error(fmt::format("line {}: the move '{}' is not legal there", lines.number(), move));
        },
        limits);
    try {
      walk.run();
    } catch (const Error& e) {
      throw Error(fmt::format("up to line {}: {}", lines.number(), e.what()));
    }
    if (lines.number() - at != header["moves"].get<std::uint64_t>()) {
      throw Error(fmt::format("line {}: the strategy needs {} moves", at, lines.number() - at));
    }
    out += fmt::format("verified: {} ({} positions, a play without end counts {})\n", describe(claim, start->info()),
                       walk.positions(), header["endless"].get<double>());
  }
  return out;
}

}  // namespace rgtrans::search
