// Every state stores its untried moves. A round begins at some state with an untried move and continues until it
// reaches a state without one. Moves are thus listed only about once per move made, and rounds reach the end of plays
// early.
#include "backends/lockstep/joint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <unordered_map>

#include "core/support/clock.hpp"
#include "core/support/support.hpp"

namespace rgtrans::lockstep {

namespace {

constexpr std::size_t kMostUndecided = 1'000;  // consecutive moves without a decision

using Bytes = std::vector<std::byte>;

// Splits a text into terms, which may contain parentheses.
std::vector<std::string> terms_of(const std::string& text) {
  std::vector<std::string> out;
  int depth = 0;
  bool inside = false;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    const bool between = c == ' ' && depth == 0;
    if (!between && !inside) out.emplace_back();
    inside = !between;
    if (inside) out.back() += c;
  }
  return out;
}

class Explorer {
 public:
  Explorer(std::span<const Companion> companions, const JointOptions& options)
      : companions_(companions), options_(options), random_(options.seed), passed_(companions.size()) {
    if (options.seconds > 0) deadline_ = processor_seconds() + options.seconds;
    players_ = companions[0].reasoner->info().players.size();
    all_list_keeper_ = std::ranges::all_of(companions, &Companion::lists_keeper);
  }

  JointResult run() {
    for (const Companion& companion : companions_) companion.reasoner->reset();
    for (std::size_t i = 1; i < companions_.size(); ++i) {
      if (companions_[i].reasoner->info().players.size() != players_) {
        differs(i, "players", "another number of players");
        return result_;
      }
    }
    begin_step();
    settle();
    if (!arrive(kNone, "")) return result_;
    while (!open_.empty()) {
      const std::size_t state = open_[below(open_.size())];
      for (std::size_t i = 0; i < companions_.size(); ++i)
        companions_[i].reasoner->set_state_bytes(states_[state].bytes[i]);
      if (!walk(state)) return result_;
    }
    result_.complete = !cut_short_;
    return result_;
  }

 private:
  struct State {
    std::vector<Bytes> bytes;            // by companion
    std::vector<std::uint32_t> untried;  // moves in the order of their texts
    std::size_t parent = kNone;
    std::string move;  // the first move that led here
    std::size_t depth = 0;
    std::size_t place = kNone;  // position in open_
  };
  struct Move {
    std::string text;
    std::size_t index = 0;
    friend bool operator==(const Move& a, const Move& b) { return a.text == b.text; }
    friend auto operator<=>(const Move& a, const Move& b) { return a.text <=> b.text; }
  };
  // The actions of a companion since the last state.
  struct Passed {
    std::vector<std::string> forced;             // movers and moves without an alternative
    std::vector<std::string> seen;               // texts that each player saw
    std::vector<std::vector<std::string>> told;  // texts shown during keeper's moves, by player
    bool endless = false;                        // no decision follows
    bool uncertain = false;                      // the game does not define the result of the move
  };

  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  [[nodiscard]] bool over() const {
    return result_.moves >= options_.moves || states_.size() > options_.states ||
           (deadline_ > 0 && processor_seconds() > deadline_) || (options_.stop && options_.stop());
  }
  [[nodiscard]] std::string words(std::size_t companion, const std::string& text) const {
    const auto& words = companions_[companion].words;
    return words ? words(text) : text;
  }

  bool differs(std::size_t companion, std::string_view kind, std::string what) {
    result_.kind = kind;
    result_.difference = std::move(what);
    result_.companion = companion;
    return false;
  }

  // Makes the move and records the texts that players see.
  void make(std::size_t companion, std::size_t index) {
    Reasoner& play = *companions_[companion].reasoner;
    Passed& passed = passed_[companion];
    const bool keeper = play.keeper_moves();
    for (std::size_t p = 0; (options_.views || options_.percepts) && p < play.info().players.size(); ++p) {
      const std::string seen = play.observed_move_text(index, p);
      if (seen.empty()) continue;
      passed.seen[p] += (passed.seen[p].empty() ? "" : " ") + seen;
      if (!keeper || !options_.percepts) continue;
      for (std::string& term : terms_of(words(companion, seen))) passed.told[p].push_back(std::move(term));
    }
    play.apply(index);
  }

  // Whether the game defines no single result of the move of keeper or of the forced move that follows.
  [[nodiscard]] bool uncertain() const {
    Reasoner& play = *companions_[0].reasoner;
    if (play.move_count() != 1) return !all_list_keeper_ && play.keeper_moves() && play.move_count() > 1;
    return options_.certain && play.walk_count(0) != 1;
  }
  // Makes the moves that need no decision. Where the first companion stops without a definite state, nothing is
  // compared, and the others stay: they could not stop at the same place.
  void settle() {
    for (std::size_t i = 0; i < companions_.size() && !passed_[0].uncertain && !passed_[0].endless; ++i) {
      Reasoner& play = *companions_[i].reasoner;
      for (std::size_t made = 0; !play.terminal() && (options_.forced || play.keeper_moves()); ++made) {
        passed_[i].uncertain = i == 0 && uncertain();
        if (passed_[i].uncertain || play.move_count() != 1) break;
        if (made == kMostUndecided) {
          passed_[i].endless = true;
          break;
        }
        if (!play.keeper_moves()) passed_[i].forced.push_back(play.mover_name() + ": " + words(i, play.move_text(0)));
        make(i, 0);
      }
    }
  }
  void begin_step() {
    for (Passed& passed : passed_) {
      passed.forced.clear();
      passed.endless = passed.uncertain = false;
      passed.seen.assign(players_, "");
      passed.told.assign(players_, {});
    }
  }

  // Compares the texts that players saw on the way to the current states.
  bool compare_passed() {
    if (nothing_follows()) return true;
    for (std::vector<std::string>& told : passed_[0].told) std::ranges::sort(told);
    for (std::size_t i = 1; i < companions_.size(); ++i) {
      const Reasoner& play = *companions_[i].reasoner;
      if (passed_[i].endless) return differs(i, "endless", "the play goes on without end and without a decision");
      std::size_t found = 0;
      for (const std::string& move : passed_[0].forced)
        found += found < passed_[i].forced.size() && passed_[i].forced[found] == move ? 1 : 0;
      if (found < passed_[i].forced.size())
        return differs(i, "forced",
                       fmt::format("without a choice, {} instead of {}", fmt::join(passed_[i].forced, ", "),
                                   fmt::join(passed_[0].forced, ", ")));
      for (std::size_t p = 0; options_.percepts && p < players_; ++p) {
        std::ranges::sort(passed_[i].told[p]);
        if (passed_[i].told[p] != passed_[0].told[p])
          return differs(i, "percepts",
                         fmt::format("{} observes {} instead of {}", play.info().players[p],
                                     fmt::join(passed_[i].told[p], ", "), fmt::join(passed_[0].told[p], ", ")));
      }
      std::size_t same = 0;
      while (companions_[same].views != companions_[i].views) ++same;
      for (std::size_t p = 0; options_.views && p < players_; ++p) {
        if (passed_[i].seen[p] != passed_[same].seen[p])
          return differs(i, "views",
                         fmt::format("{} sees \"{}\" instead of \"{}\"", play.info().players[p], passed_[i].seen[p],
                                     passed_[same].seen[p]));
      }
    }
    return true;
  }

  // Whether comparison ends here: some mover has no move, no decision will follow, or no move has a definite result.
  [[nodiscard]] bool nothing_follows() const {
    Reasoner& first = *companions_[0].reasoner;
    return passed_[0].endless || passed_[0].uncertain || (!first.terminal() && first.move_count() == 0);
  }

  std::vector<Move> moves_of(std::size_t companion) {
    Reasoner& play = *companions_[companion].reasoner;
    std::vector<Move> moves(play.terminal() ? 0 : play.move_count());
    for (std::size_t i = 0; i < moves.size(); ++i) moves[i] = {words(companion, play.move_text(i)), i};
    std::ranges::sort(moves);
    return moves;
  }

  // The shares of the moves: their numbers of walks, divided by the greatest common divisor.
  static std::vector<std::uint64_t> shares(Reasoner& play, const std::vector<Move>& moves) {
    std::vector<std::uint64_t> ways;
    std::uint64_t common = 0;
    for (const Move& move : moves) {
      ways.push_back(play.walk_count(move.index));
      common = std::gcd(common, ways.back());
    }
    for (std::uint64_t& number : ways) number /= std::max<std::uint64_t>(common, 1);
    return ways;
  }

  // Compares the current states and collects all companions' moves, ordered by text. Returns false after a difference.
  bool compare(std::vector<std::vector<Move>>& moves) {
    moves.assign(companions_.size(), {});
    if (nothing_follows()) return true;
    Reasoner& first = *companions_[0].reasoner;
    moves[0] = moves_of(0);
    if (std::ranges::adjacent_find(moves[0]) != moves[0].end())
      return differs(0, "texts", "two moves have the same text");
    for (std::size_t i = 1; i < companions_.size(); ++i) {
      Reasoner& play = *companions_[i].reasoner;
      if (first.terminal() != play.terminal())
        return differs(i, "end", first.terminal() ? "the play is not over" : "the play is over too early");
      for (std::size_t p = 0; first.terminal() && p < players_; ++p) {
        if (first.goal(p) != play.goal(p))
          return differs(
              i, "score",
              fmt::format("the score of {} is {} instead of {}", first.info().players[p], play.goal(p), first.goal(p)));
      }
      if (first.terminal()) continue;
      if (first.mover() != play.mover())
        return differs(i, "mover", fmt::format("{} moves instead of {}", play.mover_name(), first.mover_name()));
      moves[i] = moves_of(i);
      if (moves[i] != moves[0]) return differs(i, "moves", texts_differ(moves[0], moves[i]));
      if (options_.ways && first.mover() == first.info().random() && shares(play, moves[i]) != shares(first, moves[0]))
        return differs(i, "shares",
                       fmt::format("moves of random have the shares {} instead of {}",
                                   fmt::join(shares(play, moves[i]), " "), fmt::join(shares(first, moves[0]), " ")));
    }
    return true;
  }
  static std::string texts_differ(const std::vector<Move>& expected, const std::vector<Move>& found) {
    std::vector<Move> missing, extra;
    std::ranges::set_difference(expected, found, std::back_inserter(missing));
    std::ranges::set_difference(found, expected, std::back_inserter(extra));
    const auto list = [](const std::vector<Move>& moves) {
      std::string out;
      for (const Move& move : moves) out += (out.empty() ? "\"" : ", \"") + move.text + "\"";
      return out;
    };
    return fmt::format("{} moves instead of {}{}{}", found.size(), expected.size(),
                       missing.empty() ? "" : "; missing: " + list(missing),
                       extra.empty() ? "" : "; new: " + list(extra));
  }

  // The number of the current states, added if new; lists the moves. kNone after a difference.
  std::size_t look(std::size_t parent, const std::string& move, std::vector<std::vector<Move>>& moves) {
    State fresh;
    std::string key;
    for (const Companion& companion : companions_) {
      fresh.bytes.push_back(companion.reasoner->state_bytes());
      const Bytes& bytes = fresh.bytes.back();
      key.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    if (!compare(moves)) return kNone;
    const auto [known, is_new] = numbers_.try_emplace(std::move(key), states_.size());
    if (!is_new) return known->second;
    fresh.parent = parent;
    fresh.move = move;
    fresh.depth = parent == kNone ? 0 : states_[parent].depth + 1;
    const bool over = companions_[0].reasoner->terminal();
    result_.ends += over ? 1 : 0;
    result_.stuck += !over && moves[0].empty() ? 1 : 0;
    if (fresh.depth < options_.depth) {
      for (std::uint32_t i = 0; i < moves[0].size(); ++i) {
        if (!options_.certain || companions_[0].reasoner->walk_count(moves[0][i].index) == 1)
          fresh.untried.push_back(i);
      }
      std::ranges::shuffle(fresh.untried, random_);
    } else {
      cut_short_ |= !moves[0].empty();
    }
    if (!fresh.untried.empty()) {
      fresh.place = open_.size();
      open_.push_back(states_.size());
    }
    states_.push_back(std::move(fresh));
    result_.states = states_.size();
    return states_.size() - 1;
  }
  void close(std::size_t state) {
    const std::size_t place = states_[state].place;
    open_[place] = open_.back();
    states_[open_[place]].place = place;
    open_.pop_back();
  }

  bool arrive(std::size_t parent, const std::string& move) {
    std::vector<std::vector<Move>> moves;
    if (compare_passed() && look(parent, move, moves) != kNone) return true;
    return trace(parent, move);
  }
  // Records the path to a difference.
  bool trace(std::size_t state, const std::string& move) {
    for (; state != kNone; state = states_[state].parent) {
      if (states_[state].parent != kNone) result_.path.push_back(states_[state].move);
    }
    std::ranges::reverse(result_.path);
    if (!move.empty() || !states_.empty()) result_.path.push_back(move);
    return false;
  }

  // Makes untried moves. Returns false after a difference, or when a bound is reached.
  bool walk(std::size_t state) {
    std::vector<std::vector<Move>> moves(companions_.size());
    for (std::size_t i = 0; i < companions_.size(); ++i) moves[i] = moves_of(i);
    while (!states_[state].untried.empty()) {
      if (over()) return false;
      const std::uint32_t chosen = states_[state].untried.back();
      states_[state].untried.pop_back();
      if (states_[state].untried.empty()) close(state);
      const std::string text = moves[0][chosen].text;
      ++result_.moves;
      begin_step();
      for (std::size_t i = 0; i < companions_.size(); ++i) make(i, moves[i][chosen].index);
      settle();
      if (!compare_passed()) return trace(state, text);
      const std::size_t next = look(state, text, moves);
      if (next == kNone) return trace(state, text);
      state = next;
    }
    return true;
  }

  std::span<const Companion> companions_;
  const JointOptions& options_;
  std::mt19937_64 random_;
  double deadline_ = 0;
  std::size_t players_ = 0;
  bool all_list_keeper_ = true;
  std::vector<Passed> passed_;
  std::vector<State> states_;
  std::vector<std::size_t> open_;  // states with untried moves
  std::unordered_map<std::string, std::size_t> numbers_;
  bool cut_short_ = false;
  JointResult result_;
};

}  // namespace

JointResult explore_together(std::span<const Companion> companions, const JointOptions& options) {
  return Explorer(companions, options).run();
}

}  // namespace rgtrans::lockstep
