// Finds a renaming under which two games are equal.
//
// Every move of the first game has a set of candidates: moves of the second game that fit it in all pairs of states
// seen so far. Two moves fit in a pair if the states behind them have equal signatures: the scores, movers and numbers
// of moves of the next few plies, without any name. A move with a single candidate is named, and leads to further
// pairs. Where several candidates remain, as in a game with symmetries, one is tried after the other (as in the search
// for isomorphisms of graphs: individualize and refine).
//
// The names that are found are tried on all states. If that shows a difference, its play becomes one that the next
// renaming has to explain, until one explains everything or none is left.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "backends/lockstep/equal.hpp"
#include "core/support/ids.hpp"
#include "core/support/support.hpp"

namespace rgtrans::lockstep {

namespace {

constexpr std::size_t kFirstPairs = 300;  // pairs of states that a renaming is made from; twice as many each time
constexpr std::size_t kRounds = 24;
constexpr std::size_t kMostGuesses = 20'000;
constexpr std::size_t kMostPermuted = 4;  // players

struct TooMuch {};  // no answer within the bounds

using Path = std::vector<std::pair<std::size_t, std::string>>;  // movers and texts of the first game

// The states of one game, expanded when they are asked for.
class Graph {
 public:
  struct Move {
    std::uint32_t name, behind;
  };
  struct State {
    std::vector<std::byte> bytes;
    bool expanded = false, over = false;
    std::size_t mover = 0;  // as in the first game
    std::string scores;     // in the order of the first game's players
    std::vector<Move> moves;
    std::array<std::optional<std::uint64_t>, 4> signature;
  };

  Graph(const Reasoner& game, std::vector<std::size_t> players, bool second, bool skip_forced)
      : play_(game.clone()),
        players_(std::move(players)),
        first_mover_(players_.size() + 2),
        skip_forced_(skip_forced) {
    std::iota(first_mover_.begin(), first_mover_.end(), 0);
    for (std::size_t p = 0; second && p < players_.size(); ++p) first_mover_[players_[p]] = p;
    if (!second) std::iota(players_.begin(), players_.end(), 0);
    play_->reset();
    number(play_->state_bytes());
  }

  const State& at(std::uint32_t state) {
    if (!states_[state].expanded) expand(state);
    return states_[state];
  }
  // Equal for states that play alike for some plies.
  std::uint64_t signature(std::uint32_t state, std::size_t plies) {
    at(state);
    if (const auto known = states_[state].signature[plies]) return *known;
    std::uint64_t sum = std::hash<std::string>()(states_[state].scores);
    sum = combine_hash(combine_hash(sum, states_[state].mover), states_[state].moves.size());
    if (plies > 0) {
      std::vector<std::uint64_t> behind;
      const std::vector<Move> moves = states_[state].moves;
      for (const Move& move : moves) behind.push_back(signature(move.behind, plies - 1));
      std::ranges::sort(behind);
      for (const std::uint64_t part : behind) sum = combine_hash(sum, part);
    }
    states_[state].signature[plies] = sum;
    return sum;
  }
  [[nodiscard]] const Path& names() const { return names_; }

 private:
  std::uint32_t number(const std::vector<std::byte>& bytes) {
    std::string key(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto [known, fresh] = numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(states_.size()));
    if (fresh) states_.emplace_back().bytes = bytes;
    return known->second;
  }
  void expand(std::uint32_t state) {
    play_->set_state_bytes(states_[state].bytes);
    while (!play_->terminal() && (skip_forced_ || play_->keeper_moves()) && play_->move_count() == 1) play_->apply(0);
    State made;
    made.over = play_->terminal();
    made.mover = made.over ? 0 : first_mover_[play_->mover()];
    for (std::size_t p = 0; made.over && p < players_.size(); ++p) made.scores += play_->goal(players_[p]) + ' ';
    std::vector<std::vector<std::byte>> behind;
    if (!made.over) {
      for (std::size_t i = 0; i < play_->move_count(); ++i) {
        Path::value_type name{made.mover, play_->move_text(i)};
        const auto [known, fresh] =
            name_numbers_.try_emplace(std::to_string(name.first) + ' ' + name.second, names_.size());
        if (fresh) names_.push_back(std::move(name));
        made.moves.push_back({static_cast<std::uint32_t>(known->second), 0});
      }
      play_->each_result(
          [&](std::size_t, std::span<const std::byte> bytes) { behind.emplace_back(bytes.begin(), bytes.end()); });
    }
    for (std::size_t i = 0; i < behind.size(); ++i) made.moves[i].behind = number(behind[i]);
    made.expanded = true;
    made.bytes = std::move(states_[state].bytes);
    states_[state] = std::move(made);
  }

  std::unique_ptr<Reasoner> play_;
  std::vector<std::size_t> players_, first_mover_;
  bool skip_forced_;
  std::vector<State> states_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  Path names_;  // movers and texts of the moves
  std::unordered_map<std::string, std::size_t> name_numbers_;
};

class Matching {
 public:
  Matching(Graph& first, Graph& second, const std::vector<Path>& plays, std::size_t most_pairs)
      : graphs_{&first, &second}, plays_(plays), most_pairs_(most_pairs) {}

  // The name in the second game of each move of the first one, or nothing if there are none.
  std::optional<std::vector<std::uint32_t>> run() {
    Known known;
    known.add(0, 0);
    if (!settle(known)) return std::nullopt;
    return search(std::move(known));
  }

 private:
  struct Known {
    std::vector<std::vector<std::uint32_t>> candidates;  // by move of the first game; empty: any
    std::vector<std::uint32_t> name, inverse;            // kNone: not known
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    std::unordered_set<std::uint64_t> met;

    void add(std::uint32_t a, std::uint32_t b) {
      if (met.insert(std::uint64_t{a} << 32U | b).second) pairs.emplace_back(a, b);
    }
    void make_room(std::size_t first, std::size_t second) {
      if (candidates.size() < first) candidates.resize(first);
      if (name.size() < first) name.resize(first, static_cast<std::uint32_t>(kNone));
      if (inverse.size() < second) inverse.resize(second, static_cast<std::uint32_t>(kNone));
    }
  };
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // More plies tell more moves apart, and cost as many states.
  static std::size_t plies(std::size_t moves) { return moves <= 9 ? 3 : moves <= 30 ? 2 : 1; }

  // Narrows the candidates by all pairs and follows the moves that are named. False if some move has none.
  bool settle(Known& known) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < known.pairs.size(); ++i) {
        const auto [a, b] = known.pairs[i];
        if (!narrow(known, a, b, changed)) return false;
      }
      for (const Path& play : plays_) changed |= follow(known, play);
    }
    return true;
  }
  bool narrow(Known& known, std::uint32_t a, std::uint32_t b, bool& changed) {
    const Graph::State first = graphs_[0]->at(a), second = graphs_[1]->at(b);
    if (first.over != second.over || first.mover != second.mover || first.scores != second.scores ||
        first.moves.size() != second.moves.size())
      return false;
    const std::size_t depth = plies(first.moves.size()) - 1;
    known.make_room(graphs_[0]->names().size(), graphs_[1]->names().size());
    std::unordered_map<std::uint64_t, std::vector<Graph::Move>> classes;
    for (const Graph::Move& move : second.moves) classes[graphs_[1]->signature(move.behind, depth)].push_back(move);
    for (const Graph::Move& move : first.moves) {
      const auto fitting = classes.find(graphs_[0]->signature(move.behind, depth));
      if (fitting == classes.end()) return false;
      known.make_room(graphs_[0]->names().size(), graphs_[1]->names().size());
      if (known.name[move.name] != kNone) {
        const auto same = std::ranges::find(fitting->second, known.name[move.name], &Graph::Move::name);
        if (same == fitting->second.end()) return false;
        go(known, move.behind, same->behind, changed);
        continue;
      }
      std::vector<std::uint32_t> left;
      for (const Graph::Move& other : fitting->second) {
        const bool possible =
            known.candidates[move.name].empty() || std::ranges::binary_search(known.candidates[move.name], other.name);
        if (possible && known.inverse[other.name] == kNone) left.push_back(other.name);
      }
      if (left.empty()) return false;
      std::ranges::sort(left);
      if (left.size() == known.candidates[move.name].size()) continue;
      changed = true;
      if (left.size() == 1) {
        name(known, move.name, left[0]);
      } else {
        known.candidates[move.name] = std::move(left);
      }
    }
    return true;
  }
  static void name(Known& known, std::uint32_t move, std::uint32_t other) {
    known.name[move] = other;
    known.inverse[other] = move;
    known.candidates[move] = {other};
  }
  void go(Known& known, std::uint32_t a, std::uint32_t b, bool& changed) const {
    if (known.pairs.size() >= most_pairs_) return;
    const std::size_t before = known.pairs.size();
    known.add(a, b);
    changed |= known.pairs.size() > before;
  }
  // Adds the pairs of a play as far as its moves are named; returns whether some are new.
  bool follow(Known& known, const Path& play) {
    const std::size_t before = known.pairs.size();
    std::uint32_t a = 0, b = 0;
    for (const auto& step : play) {
      const auto move = find(*graphs_[0], a, step);
      if (!move || move->name >= known.name.size() || known.name[move->name] == kNone) break;
      const std::vector<Graph::Move>& others = graphs_[1]->at(b).moves;
      const auto other = std::ranges::find(others, known.name[move->name], &Graph::Move::name);
      if (other == others.end()) break;
      a = move->behind;
      b = other->behind;
      known.add(a, b);
    }
    return known.pairs.size() > before;
  }
  static std::optional<Graph::Move> find(Graph& graph, std::uint32_t state, const Path::value_type& step) {
    for (const Graph::Move& move : graph.at(state).moves)
      if (graph.names()[move.name] == step) return move;
    return std::nullopt;
  }

  // A move without a name, in the earliest pair, with the fewest candidates there.
  std::optional<std::uint32_t> undecided(Known& known) {
    for (const auto& [a, b] : known.pairs) {
      std::optional<std::uint32_t> best;
      for (const Graph::Move& move : graphs_[0]->at(a).moves) {
        if (known.name[move.name] != kNone) continue;
        if (!best || known.candidates[move.name].size() < known.candidates[*best].size()) best = move.name;
      }
      if (best) return best;
    }
    return std::nullopt;
  }
  std::optional<std::vector<std::uint32_t>> search(Known known) {
    const std::optional<std::uint32_t> move = undecided(known);
    if (!move) return std::move(known.name);
    for (const std::uint32_t candidate : std::vector<std::uint32_t>(known.candidates[*move])) {
      if (known.inverse[candidate] != kNone) continue;
      if (++guesses_ > kMostGuesses) throw TooMuch{};
      Known guess = known;
      name(guess, *move, candidate);
      if (!settle(guess)) continue;
      if (auto found = search(std::move(guess))) return found;
    }
    return std::nullopt;
  }

  std::array<Graph*, 2> graphs_;
  const std::vector<Path>& plays_;
  std::size_t most_pairs_, guesses_ = 0;
};

// The orders of the second game's players, beginning with the likeliest.
std::vector<std::vector<std::size_t>> orders(const GameInfo& first, const GameInfo& second) {
  std::vector<std::vector<std::size_t>> out = {match_players(first, second)};
  std::vector<std::size_t> next(first.players.size());
  if (next.size() > kMostPermuted) return out;
  std::iota(next.begin(), next.end(), 0);
  do {
    if (next != out[0]) out.push_back(next);
  } while (std::ranges::next_permutation(next).found);
  return out;
}

}  // namespace

EqualResult compare_by_structure(const Reasoner& first, const Reasoner& second, EqualOptions& options) {
  EqualResult last;
  std::optional<EqualResult> likeliest;
  const auto ways = options.renaming.players.empty() ? orders(first.info(), second.info())
                                                     : std::vector<std::vector<std::size_t>>{options.renaming.players};
  for (const std::vector<std::size_t>& players : ways) {
    Graph a(first, players, false, options.skip_forced), b(second, players, true, options.skip_forced);
    std::vector<Path> plays;
    std::size_t pairs = kFirstPairs;
    for (std::size_t round = 0;; ++round, pairs *= 2) {
      std::optional<std::vector<std::uint32_t>> names;
      try {
        if (round == kRounds) throw TooMuch{};
        names = Matching(a, b, plays, pairs).run();
      } catch (const TooMuch&) {
        last.verdict = Verdict::open;
        last.stopped = "no renaming of the moves was found";
        return last;
      }
      // The first comparison has to say where the games differ.
      if (!names && round > 0) break;
      Renaming renaming;
      renaming.players = players;
      renaming.complete = true;
      for (std::size_t i = 0; names && i < names->size(); ++i)
        if ((*names)[i] != UINT32_MAX) renaming.moves[a.names()[i]] = b.names()[(*names)[i]].second;
      options.renaming = std::move(renaming);
      last = compare_games(first, second, options);
      last.unused.clear();
      if (last.verdict != Verdict::different) return last;
      if (!names) break;
      Path play;
      for (const EqualResult::Step& step : last.path) {
        const auto player = std::ranges::find(first.info().players, step.mover);
        const std::size_t mover = player != first.info().players.end()
                                      ? static_cast<std::size_t>(player - first.info().players.begin())
                                      : first.info().random();
        play.emplace_back(mover, step.first);
      }
      plays.push_back(std::move(play));
    }
    if (!likeliest) likeliest = last;
  }
  return *likeliest;
}

}  // namespace rgtrans::lockstep
