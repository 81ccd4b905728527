// Decides whether the trees of plays of two games are isomorphic, whatever their moves are called.
//
// Each state of both games has a class: its end and scores, or its mover, and the classes of the states behind its
// moves, each as often as it occurs. Equal classes have equal numbers. They are compared as they are, without hashes,
// so equal classes of the first states are a proof. Two states have equal classes exactly if the trees behind them are
// isomorphic. Where plays can return to a state, classes are refined from those of few plies until nothing changes.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>

#include "backends/lockstep/equal.hpp"
#include "backends/lockstep/explored_game.hpp"
#include "backends/lockstep/forced.hpp"
#include "backends/lockstep/pairs.hpp"
#include "core/support/clock.hpp"
#include "core/support/support.hpp"

namespace rgtrans::lockstep {

namespace {

using State = std::uint32_t;
constexpr State kNoState = UINT32_MAX;
constexpr std::uint64_t kStatesToRename = 20'000;  // most pairs, besides those that show a difference under equal names

struct Stopped {
  std::string why;
};

// The states of both games as one graph without names.
class Trees {
 public:
  explicit Trees(const EqualOptions& options) : options_(options) {}

  // Adds the states of a game and returns the first one. `players`: those of the game by those of the first one.
  State add(const Reasoner& game, const std::vector<std::size_t>& players) {
    const std::unique_ptr<Reasoner> play = game.clone();
    std::vector<std::size_t> numbers(players.size() + kSystems);  // movers as in the first game
    std::iota(numbers.begin(), numbers.end(), 0);
    for (std::size_t p = 0; p < players.size(); ++p) numbers[players[p]] = p;
    play->reset();
    const auto root = static_cast<State>(first_.size());
    Pairs set(play->state_bytes().size());
    std::vector<Pairs::Id> ids;
    std::vector<State> known;
    const auto number = [&](std::span<const std::byte> bytes) {
      const auto [id, fresh] = set.insert(bytes, Pairs::kNoPair, 0);
      if (id >= known.size()) known.resize(std::max<std::size_t>(id + 1, known.size() * 2), kNoState);
      if (fresh) {
        known[id] = static_cast<State>(root + ids.size());
        ids.push_back(id);
      }
      return known[id];
    };
    std::vector<std::byte> bytes = play->state_bytes();
    number(bytes);
    std::size_t made = 0;
    for (; made < ids.size(); ++made) {
      stop_at_bound(root + ids.size(), set.memory());
      const std::span<const std::byte> here = set.bytes(ids[made]);
      bytes.assign(here.begin(), here.end());
      play->set_state_bytes(bytes);
      make_forced_moves(*play, options_.skip_forced);
      std::string look = play->terminal() ? "over" : fmt::format("{} moves", numbers[play->mover()]);
      for (std::size_t p = 0; play->terminal() && p < players.size(); ++p) look += ' ' + play->goal(players[p]);
      looks_.push_back(
          looks_known_.try_emplace(std::move(look), static_cast<std::uint32_t>(looks_known_.size())).first->second);
      first_.push_back(behind_.size());
      if (play->terminal()) continue;
      const std::size_t count = play->move_count();
      for (std::size_t i = 0; options_.ways && i < count; ++i) ways_.push_back(play->walk_count(i));
      if (options_.ways && play->mover() == play->info().random()) reduce(count);
      behind_.resize(behind_.size() + count);
      if (count > 0) {
        play->each_result([&](std::size_t index, std::span<const std::byte> state) {
          behind_[first_.back() + index] = number(state);
        });
      }
    }
    return root;
  }

  [[nodiscard]] std::size_t size() const { return first_.size(); }
  [[nodiscard]] std::size_t moves() const { return behind_.size(); }
  [[nodiscard]] std::uint32_t look(State state) const { return looks_[state]; }
  [[nodiscard]] std::span<const State> behind(State state) const {
    const std::size_t end = state + 1 < first_.size() ? first_[state + 1] : behind_.size();
    return std::span(behind_).subspan(first_[state], end - first_[state]);
  }
  // The number of walks of a move, or 1 if they do not count.
  [[nodiscard]] std::uint64_t ways(State state, std::size_t move) const {
    return options_.ways ? ways_[first_[state] + move] : 1;
  }

  // Equal for states of one class if the states behind them have these classes.
  [[nodiscard]] std::u32string key(State state, const std::vector<std::uint32_t>& classes) const {
    const std::span<const State> next = behind(state);
    std::vector<std::pair<std::uint32_t, std::uint64_t>> parts;
    for (std::size_t i = 0; i < next.size(); ++i) parts.emplace_back(classes[next[i]], ways(state, i));
    std::ranges::sort(parts);
    std::u32string out(1, static_cast<char32_t>(look(state)));
    for (const auto& [part, number] : parts) {
      out += static_cast<char32_t>(part);
      if (!options_.ways) continue;
      out += static_cast<char32_t>(number);
      out += static_cast<char32_t>(number >> 32U);
    }
    return out;
  }
  // The states that `roots` reach, each behind those that its moves reach; nothing if plays can return to a state.
  [[nodiscard]] std::optional<std::vector<State>> backward(std::initializer_list<State> roots) const {
    enum Colour : std::uint8_t { unmet, open, done };
    std::vector<Colour> colour(size(), unmet);
    std::vector<State> out;
    std::vector<std::pair<State, std::size_t>> path;
    for (const State root : roots) {
      if (colour[root] == unmet) path.emplace_back(root, 0);
      while (!path.empty()) {
        auto& [state, at] = path.back();
        colour[state] = open;
        const std::span<const State> next = behind(state);
        while (at < next.size() && colour[next[at]] == done) ++at;
        if (at == next.size()) {
          colour[state] = done;
          out.push_back(state);
          path.pop_back();
        } else if (colour[next[at]] == open) {
          return std::nullopt;
        } else {
          path.emplace_back(next[at], 0);
        }
      }
    }
    return out;
  }
  void stop_at_bound(std::size_t states, std::uint64_t memory) const {
    if (options_.following.stopped()) throw Stopped{"interrupted"};
    // A pair of the other comparisons has two states.
    if (states > 2 * options_.states || states >= kNoState)
      throw Stopped{fmt::format("the limit of {} states", options_.states)};
    if (memory + (first_.size() * 12) + (behind_.size() * 4) + (ways_.size() * 8) > options_.memory)
      throw Stopped{fmt::format("the limit of {} MiB", options_.memory >> 20U)};
    if (options_.seconds > 0 && seconds_since(begin_) > options_.seconds)
      throw Stopped{fmt::format("the limit of {} s", options_.seconds)};
  }

 private:
  static constexpr std::size_t kSystems = 2;  // keeper and random

  // The numbers of ways to the moves of random are probabilities.
  void reduce(std::size_t count) {
    const auto begin = ways_.end() - static_cast<std::ptrdiff_t>(count);
    const std::uint64_t common =
        std::accumulate(begin, ways_.end(), std::uint64_t{0}, [](auto a, auto b) { return std::gcd(a, b); });
    for (auto at = begin; at != ways_.end(); ++at) *at /= std::max<std::uint64_t>(common, 1);
  }

  const EqualOptions& options_;
  Clock::time_point begin_ = Clock::now();
  std::vector<std::size_t> first_;  // by state: its first move
  std::vector<State> behind_;       // by move
  std::vector<std::uint64_t> ways_;
  std::vector<std::uint32_t> looks_;  // by state
  std::unordered_map<std::string, std::uint32_t> looks_known_;
};

using Classes = std::vector<std::uint32_t>;

class Numbers {
 public:
  std::uint32_t of(std::u32string key) {
    return known_.try_emplace(std::move(key), static_cast<std::uint32_t>(known_.size())).first->second;
  }
  [[nodiscard]] std::size_t size() const { return known_.size(); }

 private:
  std::unordered_map<std::u32string, std::uint32_t> known_;
};

// The number of plies that show a difference; nothing if there is none.
std::optional<std::size_t> refine(const Trees& trees, State a, State b) {
  Classes classes(trees.size(), 0);
  std::size_t before = 0;
  for (std::size_t plies = 0;; ++plies) {
    Numbers numbers;
    Classes next(trees.size());
    for (State state = 0; state < trees.size(); ++state) {
      if (state % 1024 == 0) trees.stop_at_bound(trees.size(), 0);
      // The number of moves is part of the first look already.
      next[state] = numbers.of(trees.key(state, classes));
    }
    classes = std::move(next);
    if (classes[a] != classes[b]) return plies;
    if (numbers.size() == before) return std::nullopt;
    before = numbers.size();
  }
}

bool isomorphic(const Trees& trees, State a, State b) {
  const auto order = trees.backward({a, b});
  if (!order) return !refine(trees, a, b);
  Classes classes(trees.size(), 0);
  Numbers numbers;
  for (const State state : *order) classes[state] = numbers.of(trees.key(state, classes));
  return classes[a] == classes[b];
}

}  // namespace

EqualResult compare_by_results(const Reasoner& first, const Reasoner& second, const EqualOptions& options) {
  if (first.info().hidden || second.info().hidden)
    throw Error("moves of games with hidden information cannot be matched by their results",
                "what players see would have to be matched over whole plays");
  EqualResult result;
  result.match = Match::results;
  std::vector<std::size_t> own(first.info().players.size());
  std::iota(own.begin(), own.end(), 0);
  const auto orders = options.renaming.players.empty()
                          ? player_orders(first.info(), second.info())
                          : std::vector<std::vector<std::size_t>>{options.renaming.players};
  try {
    for (const std::vector<std::size_t>& players : orders) {
      Trees trees(options);
      const State a = trees.add(first, own);
      result.states = trees.size();
      const State b = trees.add(second, players);
      result.moves = trees.moves();
      if (isomorphic(trees, a, b)) {
        result.verdict = Verdict::equal;
        result.difference = "";
        result.path.clear();
        return result;
      }
      if (!result.difference.empty()) continue;
      if (const auto plies = refine(trees, a, b)) explain_difference(first, second, players, *plies, options, result);
      if (options.ways && result.kind == "views") {  // there is nothing to see
        result.kind = "ways";
        result.difference = "moves with equal results have other numbers of ways";
      }
    }
  } catch (const Stopped& bound) {
    result.stopped = bound.why;
    result.difference = "";
    return result;
  } catch (const SearchBound& bound) {
    result.stopped = bound.why;
    return result;
  }
  result.verdict = Verdict::different;
  return result;
}

namespace {

EqualResult compare_texts(const Reasoner& first, const Reasoner& second, EqualOptions& options) {
  EqualResult result = compare_games(first, second, options);
  if (result.kind == "names" && (options.named[0] || options.named[1])) {  // some moves are shown alike
    options.named = {};
    result = compare_games(first, second, options);
  }
  return result;
}

// By structure; then by results if `results`.
EqualResult compare_renamed(const Reasoner& first, const Reasoner& second, EqualOptions& options, bool results) {
  EqualResult renamed = compare_by_structure(first, second, options);
  const bool decided = renamed.verdict == Verdict::equal || renamed.match == Match::results;
  const bool bounded = renamed.verdict == Verdict::open && renamed.difference.empty() && renamed.states > 0;
  const bool hidden = first.info().hidden || second.info().hidden;
  if (!results || decided || bounded || hidden || options.following.stopped()) return renamed;
  EqualOptions unnamed = options;
  unnamed.renaming = {};
  EqualResult matched = compare_by_results(first, second, unnamed);
  // A difference under a renaming has both games' names.
  const bool better =
      matched.verdict == Verdict::equal || (matched.verdict == Verdict::different && renamed.verdict == Verdict::open);
  if (!better) return renamed;
  options.renaming = {};
  return matched;
}

}  // namespace

EqualResult compare_matched(const Reasoner& first, const Reasoner& second, EqualOptions& options, Match match) {
  if (match == Match::results) return compare_by_results(first, second, options);
  if (match == Match::structure) return compare_renamed(first, second, options, false);
  EqualResult result = compare_texts(first, second, options);
  if (match == Match::texts || result.verdict != Verdict::different) return result;
  if (result.kind == "moves" || result.kind == "names" || result.kind == "mover") {
    return compare_renamed(first, second, options, true);
  }
  // Equal names lead to a difference. They may name other moves, but in most cases the rules differ.
  EqualOptions renaming = options;
  renaming.states = std::min(options.states, kStatesToRename + 4 * result.states);
  renaming.plays = 0;
  renaming.resume.clear();
  EqualResult renamed = compare_renamed(first, second, renaming, true);
  if (renamed.verdict != Verdict::equal) return result;
  options.renaming = std::move(renaming.renaming);
  return renamed;
}

}  // namespace rgtrans::lockstep
