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
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "backends/lockstep/equal.hpp"
#include "core/support/ids.hpp"
#include "core/support/support.hpp"
#include "core/support/text.hpp"

namespace rgtrans::lockstep {

namespace {

constexpr std::size_t kFirstPairs = 200;  // pairs of states near the first one that a renaming is made from
constexpr std::size_t kFirstPlays = 4;    // random plays, too; both grow with each renaming that fails
constexpr std::size_t kRounds = 12;
constexpr std::size_t kMostGuesses = 5'000;
constexpr std::size_t kGuessesToShow = 100;  // where it is known that no renaming is left
constexpr std::size_t kRoundsToShow = 2;
constexpr std::size_t kMostStates = 30'000;  // of one game, for signatures that reach as far as possible
constexpr std::size_t kFarthest = 60;        // plies
constexpr std::size_t kMostPermuted = 4;     // players

struct TooMuch {};  // no answer within the bounds

using Path = std::vector<std::pair<std::size_t, std::string>>;  // movers and texts of the first game

// The states of one game, expanded when they are asked for.
class Graph {
 public:
  struct Move {
    std::uint32_t name, behind;
    std::uint64_t look;  // how well players can tell the move from the others
  };
  struct State {
    std::vector<std::byte> bytes;
    bool expanded = false, over = false;
    std::size_t mover = 0;  // as in the first game
    std::string scores;     // in the order of the first game's players
    std::vector<Move> moves;
    std::vector<std::uint64_t> signatures;  // by plies; 0 if not known
  };

  Graph(const Reasoner& game, std::vector<std::size_t> players, bool second, const EqualOptions& options)
      : play_(game.clone()),
        players_(std::move(players)),
        first_mover_(players_.size() + 2),
        options_(options),
        second_(second) {
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
  // Equal for states that play alike for some plies, under whatever names.
  std::uint64_t signature(std::uint32_t state, std::size_t plies) {
    at(state);
    if (states_[state].signatures.size() <= plies) states_[state].signatures.resize(plies + 1, 0);
    if (states_[state].signatures[plies] != 0) return states_[state].signatures[plies];
    std::uint64_t sum = std::hash<std::string>()(states_[state].scores);
    sum = combine_hash(combine_hash(sum, states_[state].mover), states_[state].moves.size());
    if (plies > 0) {
      std::vector<std::uint64_t> behind;
      const std::vector<Move> moves = states_[state].moves;
      for (const Move& move : moves) behind.push_back(combine_hash(move.look, signature(move.behind, plies - 1)));
      std::ranges::sort(behind);
      for (const std::uint64_t part : behind) sum = combine_hash(sum, part);
    }
    sum = std::max<std::uint64_t>(sum, 1);
    states_[state].signatures[plies] = sum;
    return sum;
  }
  [[nodiscard]] std::size_t size() const { return states_.size(); }
  [[nodiscard]] const Path& names() const { return names_; }

 private:
  std::uint32_t number(const std::vector<std::byte>& bytes) {
    std::string key(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto [known, fresh] = numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(states_.size()));
    if (fresh) states_.emplace_back().bytes = bytes;
    return known->second;
  }
  // For each player, whether a move shows something, and how many moves look the same.
  void look(std::vector<Move>& moves) {
    for (const std::size_t player : players_) {
      std::vector<std::string> seen;
      for (std::size_t i = 0; i < moves.size(); ++i) seen.push_back(play_->observed_move_text(i, player));
      for (std::size_t i = 0; i < moves.size(); ++i) {
        const auto same = static_cast<std::size_t>(std::ranges::count(seen, seen[i]));
        moves[i].look = combine_hash(moves[i].look, 2 * same + (seen[i].empty() ? 1 : 0));
      }
    }
  }
  void expand(std::uint32_t state) {
    play_->set_state_bytes(states_[state].bytes);
    while (!play_->terminal() && (options_.skip_forced || play_->keeper_moves()) && play_->move_count() == 1)
      play_->apply(0);
    State made;
    made.over = play_->terminal();
    made.mover = made.over ? 0 : first_mover_[play_->mover()];
    for (std::size_t p = 0; made.over && p < players_.size(); ++p) made.scores += play_->goal(players_[p]) + ' ';
    std::vector<std::vector<std::byte>> behind;
    if (!made.over) {
      for (std::size_t i = 0; i < play_->move_count(); ++i) {
        Path::value_type name{made.mover, options_.name(second_ ? 1 : 0, play_->move_text(i))};
        const auto [known, fresh] =
            name_numbers_.try_emplace(std::to_string(name.first) + ' ' + name.second, names_.size());
        if (fresh) names_.push_back(std::move(name));
        made.moves.push_back({static_cast<std::uint32_t>(known->second), 0, 0});
      }
      if (play_->info().hidden) look(made.moves);
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
  const EqualOptions& options_;
  bool second_;
  std::vector<State> states_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  Path names_;  // movers and texts of the moves
  std::unordered_map<std::string, std::size_t> name_numbers_;
};

// Which tags of the second game stand for tags of the first, as far as the names of moves are known. Tags are compared
// by their places in the moves.
class Tags {
 public:
  void learn(const std::string& first, const std::string& second) {
    const auto a = split_list(first, " "), b = split_list(second, " ");
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < b.size(); ++j) {
        Place& place = places_[{i, j}];
        place.broken |= place.there.try_emplace(a[i], b[j]).first->second != b[j];
        place.broken |= place.back.try_emplace(b[j], a[i]).first->second != a[i];
      }
    }
  }
  [[nodiscard]] int agreement(const std::string& first, const std::string& second) const {
    const auto a = split_list(first, " "), b = split_list(second, " ");
    int sum = 0;
    for (const auto& [where, place] : places_) {
      if (place.broken || where.first >= a.size() || where.second >= b.size()) continue;
      const auto there = place.there.find(a[where.first]);
      const auto back = place.back.find(b[where.second]);
      if (there != place.there.end()) sum += there->second == b[where.second] ? 1 : -2;
      if (back != place.back.end()) sum += back->second == a[where.first] ? 1 : -2;
    }
    return sum;
  }

 private:
  struct Place {
    std::unordered_map<std::string, std::string> there, back;
    bool broken = false;
  };
  std::map<std::pair<std::size_t, std::size_t>, Place> places_;
};

class Matching {
 public:
  // `deep`: signatures reach so many plies, or 0 for fewer in states with many moves. Nothing if no renaming is left.
  Matching(Graph& first, Graph& second, const std::vector<Path>& plays, std::size_t round,
           std::optional<std::size_t> deep)
      : graphs_{&first, &second},
        plays_(plays),
        most_pairs_(kFirstPairs << round),
        random_plays_(kFirstPlays << round),
        deep_(deep) {}

  // The name in the second game of each move of the first one, or nothing if there are none.
  // Whether the games leave no choice between names.
  [[nodiscard]] bool forced() const { return guesses_ == 0; }
  // The most names that a search which failed has found.
  [[nodiscard]] const std::vector<std::uint32_t>& farthest() const { return farthest_; }

  std::optional<std::vector<std::uint32_t>> run() {
    Known known;
    known.add(0, 0);
    known.make_room(1, 1);
    if (!settle(known)) return std::nullopt;
    return search(std::move(known));
  }

 private:
  struct Known {
    std::vector<std::vector<std::uint32_t>> candidates;  // by move of the first game; empty: any
    std::vector<std::uint32_t> name, inverse;            // kNone: not known
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    std::vector<bool> done;  // pairs whose moves are all named
    std::unordered_set<std::uint64_t> met;

    void add(std::uint32_t a, std::uint32_t b) {
      if (met.insert(std::uint64_t{a} << 32U | b).second) {
        pairs.emplace_back(a, b);
        done.push_back(false);
      }
    }
    void make_room(std::size_t first, std::size_t second) {
      if (candidates.size() < first) candidates.resize(first);
      if (name.size() < first) name.resize(first, static_cast<std::uint32_t>(kNone));
      if (inverse.size() < second) inverse.resize(second, static_cast<std::uint32_t>(kNone));
    }
  };
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // How many plies signatures of the states behind these moves reach: as many as tell more moves apart, while that is
  // cheap. States behind named moves need none.
  [[nodiscard]] std::size_t plies(const Known& known, const std::vector<Graph::Move>& moves) {
    if (deep_.value_or(0) > 0) return *deep_;
    const auto is_named = [&](const Graph::Move& move) {
      return move.name < known.name.size() && known.name[move.name] != kNone;
    };
    if (std::ranges::all_of(moves, is_named)) return 0;
    std::size_t depth = 0, classes = 1, states = moves.size();
    for (;; ++depth) {
      std::unordered_set<std::uint64_t> different;
      for (const Graph::Move& move : moves) different.insert(graphs_[0]->signature(move.behind, depth));
      states *= std::max<std::size_t>(moves.size(), 1);
      if (different.size() == moves.size() || states > kStatesOfPair) return depth;
      if (depth > 1 && different.size() == classes) return depth;
      classes = different.size();
    }
  }

  // Narrows the candidates by all pairs and follows the moves that are named. False if some move has none.
  bool settle(Known& known) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < known.pairs.size(); ++i) {
        if (known.done[i]) continue;
        const auto [a, b] = known.pairs[i];
        const std::optional<std::size_t> unnamed = narrow(known, a, b, changed);
        if (!unnamed) return false;
        known.done[i] = *unnamed == 0;
      }
      for (const Path& play : plays_) changed |= follow(known, play);
      for (std::size_t play = 0; play < random_plays_; ++play) changed |= follow_random(known, play);
    }
    return true;
  }
  // The number of moves without a name, or nothing if some move has no candidate.
  std::optional<std::size_t> narrow(Known& known, std::uint32_t a, std::uint32_t b, bool& changed) {
    const Graph::State &first = graphs_[0]->at(a), &second = graphs_[1]->at(b);
    if (first.over != second.over || first.mover != second.mover || first.scores != second.scores ||
        first.moves.size() != second.moves.size())
      return std::nullopt;
    // Signatures may expand states, which moves all states.
    const std::vector<Graph::Move> first_moves = first.moves, second_moves = second.moves;
    const std::size_t depth = plies(known, first_moves);
    std::size_t unnamed = 0;
    known.make_room(graphs_[0]->names().size(), graphs_[1]->names().size());
    std::unordered_map<std::uint64_t, std::vector<Graph::Move>> classes;
    for (const Graph::Move& move : second_moves)
      classes[combine_hash(move.look, graphs_[1]->signature(move.behind, depth))].push_back(move);
    for (const Graph::Move& move : first_moves) {
      const auto fitting = classes.find(combine_hash(move.look, graphs_[0]->signature(move.behind, depth)));
      if (fitting == classes.end()) return std::nullopt;
      known.make_room(graphs_[0]->names().size(), graphs_[1]->names().size());
      if (known.name[move.name] != kNone) {
        const auto same = std::ranges::find(fitting->second, known.name[move.name], &Graph::Move::name);
        if (same == fitting->second.end()) return std::nullopt;
        go(known, move.behind, same->behind, changed);
        continue;
      }
      std::vector<std::uint32_t> left;
      for (const Graph::Move& other : fitting->second) {
        const bool possible =
            known.candidates[move.name].empty() || std::ranges::binary_search(known.candidates[move.name], other.name);
        if (possible && known.inverse[other.name] == kNone) left.push_back(other.name);
      }
      if (left.empty()) return std::nullopt;
      std::ranges::sort(left);
      if (left.size() == known.candidates[move.name].size()) {
        ++unnamed;
        continue;
      }
      changed = true;
      ++unnamed;  // also if it gets its name now: the state behind it is new
      if (left.size() == 1) {
        name(known, move.name, left[0]);
      } else {
        known.candidates[move.name] = std::move(left);
      }
    }
    return unnamed;
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
  bool follow_random(Known& known, std::size_t seed) {
    const std::size_t before = known.pairs.size();
    std::uint32_t a = 0, b = 0;
    std::uint64_t random = combine_hash(seed, 1);
    for (std::size_t ply = 0; ply < kLongestPlay; ++ply) {
      const std::vector<Graph::Move>& moves = graphs_[0]->at(a).moves;
      if (moves.empty()) break;
      random = combine_hash(random, ply);
      const Graph::Move move = moves[random % moves.size()];
      if (move.name >= known.name.size() || known.name[move.name] == kNone) break;
      const std::vector<Graph::Move>& others = graphs_[1]->at(b).moves;
      const auto other = std::ranges::find(others, known.name[move.name], &Graph::Move::name);
      if (other == others.end()) break;
      a = move.behind;
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
    const auto unnamed = static_cast<std::size_t>(std::ranges::count(known.name, kNone));
    if (const std::size_t named = known.name.size() - unnamed; named > most_named_) {
      most_named_ = named;
      farthest_ = known.name;
    }
    Tags tags;
    for (std::size_t i = 0; i < known.name.size(); ++i)
      if (known.name[i] != kNone) tags.learn(text(0, i), text(1, known.name[i]));
    std::vector<std::pair<int, std::uint32_t>> candidates;
    for (const std::uint32_t candidate : known.candidates[*move])
      candidates.emplace_back(-tags.agreement(text(0, *move), text(1, candidate)), candidate);
    std::ranges::stable_sort(candidates);
    for (const auto& [agreement, candidate] : candidates) {
      if (known.inverse[candidate] != kNone) continue;
      if (++guesses_ > (deep_ ? kMostGuesses : kGuessesToShow)) throw TooMuch{};
      Known guess = known;
      name(guess, *move, candidate);
      if (!settle(guess)) continue;
      if (auto found = search(std::move(guess))) return found;
    }
    return std::nullopt;
  }

  [[nodiscard]] const std::string& text(std::size_t game, std::size_t move) const {
    return graphs_[game]->names()[move].second;
  }

  static constexpr std::size_t kLongestPlay = 300;
  static constexpr std::size_t kStatesOfPair = 12'000;  // behind one pair, for signatures

  std::array<Graph*, 2> graphs_;
  const std::vector<Path>& plays_;
  std::size_t most_pairs_, random_plays_;
  std::optional<std::size_t> deep_;
  std::size_t guesses_ = 0, most_named_ = 0;
  std::vector<std::uint32_t> farthest_;
};

// How far signatures of all states reach: to the end if the games are small, else 0. Nothing if the signatures show
// that no renaming makes the games equal.
std::optional<std::size_t> reach(Graph& a, Graph& b) {
  for (std::size_t plies = 0; plies <= kFarthest; ++plies) {
    const std::size_t before = a.size();
    if (a.signature(0, plies) != b.signature(0, plies)) return std::nullopt;
    if (a.size() > kMostStates) return 0;
    if (plies > 0 && a.size() == before) return plies;
  }
  return kFarthest;
}

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
  std::optional<EqualResult> likeliest;
  NameMap shown;
  const auto ways = options.renaming.players.empty() ? orders(first.info(), second.info())
                                                     : std::vector<std::vector<std::size_t>>{options.renaming.players};
  for (const std::vector<std::size_t>& players : ways) {
    Graph a(first, players, false, options), b(second, players, true, options);
    std::vector<Path> plays;
    const std::optional<std::size_t> deep = reach(a, b);
    std::optional<EqualResult> last;
    for (std::size_t round = 0; deep || round < kRoundsToShow; ++round) {
      std::optional<std::vector<std::uint32_t>> names;
      Matching matching(a, b, plays, round, deep);
      try {
        if (round == kRounds) throw TooMuch{};
        names = matching.run();
      } catch (const TooMuch&) {
        if (deep) {
          EqualResult open;
          open.stopped = "the search for a renaming of the moves";
          return open;
        }
      }
      if (!names && last) break;
      if (!names) names = matching.farthest();
      NameMap renaming{players, {}, true};
      for (std::size_t i = 0; i < names->size(); ++i)
        if ((*names)[i] != UINT32_MAX) renaming.moves[a.names()[i]] = b.names()[(*names)[i]].second;
      if (renaming.moves.empty()) renaming.complete = false;
      options.renaming = std::move(renaming);
      last = compare_games(first, second, options);
      last->unused.clear();
      if (last->verdict != Verdict::different) return std::move(*last);
      // The search knows nothing of these, so another renaming might do.
      if (last->kind == "views" || last->kind == "ways") {
        if (matching.forced()) break;
        last->verdict = Verdict::open;
        last->stopped = "the search for a renaming of the moves; under one, " + last->difference;
        return std::move(*last);
      }
      Path play;
      for (const EqualResult::Step& step : last->path) {
        const auto player = std::ranges::find(first.info().players, step.mover);
        const std::size_t mover = player != first.info().players.end()
                                      ? static_cast<std::size_t>(player - first.info().players.begin())
                                      : first.info().random();
        play.emplace_back(mover, step.first);
      }
      plays.push_back(std::move(play));
    }
    if (!likeliest) {
      likeliest = std::move(last);
      shown = options.renaming;
    }
  }
  options.renaming = std::move(shown);
  return std::move(*likeliest);
}

}  // namespace rgtrans::lockstep
