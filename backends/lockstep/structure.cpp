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
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "backends/lockstep/equal.hpp"
#include "backends/lockstep/explored_game.hpp"
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

// Which moves may share a name in the other game.
enum class Sharing {
  none,
  first,   // moves of the first game
  second,  // moves of the second game
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
  // `shared`: several moves of the first game may have one name in the second, though not in one state.
  Matching(ExploredGame& first, ExploredGame& second, const std::vector<Path>& plays, std::size_t round,
           std::optional<std::size_t> deep, bool shared)
      : graphs_{&first, &second},
        shared_(shared),
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
  [[nodiscard]] std::size_t plies(const Known& known, const std::vector<ExploredGame::Move>& moves) {
    if (deep_.value_or(0) > 0) return *deep_;
    const auto is_named = [&](const ExploredGame::Move& move) {
      return move.name < known.name.size() && known.name[move.name] != kNone;
    };
    if (std::ranges::all_of(moves, is_named)) return 0;
    std::size_t depth = 0, classes = 1, states = moves.size();
    for (;; ++depth) {
      std::unordered_set<std::uint64_t> different;
      for (const ExploredGame::Move& move : moves) different.insert(graphs_[0]->signature(move.behind, depth));
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
        graphs_[0]->stop_at_bound();
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
    const ExploredGame::State &first = graphs_[0]->at(a), &second = graphs_[1]->at(b);
    if (first.over != second.over || first.mover != second.mover || first.scores != second.scores ||
        first.moves.size() != second.moves.size())
      return std::nullopt;
    // Signatures may expand states, which moves all states.
    const std::vector<ExploredGame::Move> first_moves = first.moves, second_moves = second.moves;
    const std::size_t depth = plies(known, first_moves);
    std::size_t unnamed = 0;
    known.make_room(graphs_[0]->names().size(), graphs_[1]->names().size());
    std::vector<std::uint32_t> taken;  // names of moves of this state
    const auto free = [&](std::uint32_t other) {
      return shared_ ? std::ranges::find(taken, other) == taken.end() : known.inverse[other] == kNone;
    };
    if (shared_) {
      for (const ExploredGame::Move& move : first_moves)
        if (known.name[move.name] != kNone) taken.push_back(known.name[move.name]);
      std::ranges::sort(taken);
      if (std::ranges::adjacent_find(taken) != taken.end()) return std::nullopt;
    }
    std::unordered_map<std::uint64_t, std::vector<ExploredGame::Move>> classes;
    for (const ExploredGame::Move& move : second_moves)
      classes[combine_hash(move.look, graphs_[1]->signature(move.behind, depth))].push_back(move);
    for (const ExploredGame::Move& move : first_moves) {
      const auto fitting = classes.find(combine_hash(move.look, graphs_[0]->signature(move.behind, depth)));
      if (fitting == classes.end()) return std::nullopt;
      known.make_room(graphs_[0]->names().size(), graphs_[1]->names().size());
      if (known.name[move.name] != kNone) {
        const auto same = std::ranges::find(fitting->second, known.name[move.name], &ExploredGame::Move::name);
        if (same == fitting->second.end()) return std::nullopt;
        go(known, move.behind, same->behind, changed);
        continue;
      }
      std::vector<std::uint32_t> left;
      for (const ExploredGame::Move& other : fitting->second) {
        const bool possible =
            known.candidates[move.name].empty() || std::ranges::binary_search(known.candidates[move.name], other.name);
        if (possible && free(other.name)) left.push_back(other.name);
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
        taken.push_back(left[0]);
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
      const std::vector<ExploredGame::Move>& others = graphs_[1]->at(b).moves;
      const auto other = std::ranges::find(others, known.name[move->name], &ExploredGame::Move::name);
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
      const std::vector<ExploredGame::Move>& moves = graphs_[0]->at(a).moves;
      if (moves.empty()) break;
      random = combine_hash(random, ply);
      const ExploredGame::Move move = moves[random % moves.size()];
      if (move.name >= known.name.size() || known.name[move.name] == kNone) break;
      const std::vector<ExploredGame::Move>& others = graphs_[1]->at(b).moves;
      const auto other = std::ranges::find(others, known.name[move.name], &ExploredGame::Move::name);
      if (other == others.end()) break;
      a = move.behind;
      b = other->behind;
      known.add(a, b);
    }
    return known.pairs.size() > before;
  }
  static std::optional<ExploredGame::Move> find(ExploredGame& graph, std::uint32_t state,
                                                const Path::value_type& step) {
    for (const ExploredGame::Move& move : graph.at(state).moves)
      if (graph.names()[move.name] == step) return move;
    return std::nullopt;
  }

  // A move without a name, in the earliest pair, with the fewest candidates there.
  std::optional<std::uint32_t> undecided(Known& known) {
    for (const auto& [a, b] : known.pairs) {
      std::optional<std::uint32_t> best;
      for (const ExploredGame::Move& move : graphs_[0]->at(a).moves) {
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
      if (!shared_ && known.inverse[candidate] != kNone) continue;
      if (++guesses_ > (deep_ ? kMostGuesses : kGuessesToShow)) throw SearchBound{};
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

  std::array<ExploredGame*, 2> graphs_;
  bool shared_;
  const std::vector<Path>& plays_;
  std::size_t most_pairs_, random_plays_;
  std::optional<std::size_t> deep_;
  std::size_t guesses_ = 0, most_named_ = 0;
  std::vector<std::uint32_t> farthest_;
};

// How far signatures of all states reach: to the end if the games are small, else 0. Nothing if the signatures show
// that no renaming makes the games equal.
std::optional<std::size_t> reach(ExploredGame& a, ExploredGame& b) {
  for (std::size_t plies = 0; plies <= kFarthest; ++plies) {
    const std::size_t before = a.size();
    if (a.signature(0, plies) != b.signature(0, plies)) return std::nullopt;
    if (a.size() > kMostStates) return 0;
    if (plies > 0 && a.size() == before) return plies;
  }
  return kFarthest;
}

// The play of a result as a path of the graph of one game.
Path path_of(const EqualResult& result, const GameInfo& first, bool second) {
  Path play;
  for (const EqualResult::Step& step : result.path) {
    const auto player = std::ranges::find(first.players, step.mover);
    const std::size_t mover =
        player != first.players.end() ? static_cast<std::size_t>(player - first.players.begin()) : first.random();
    play.emplace_back(mover, second ? step.second : step.first);
  }
  return play;
}

// The result under the last renaming that was found. Throws SearchBound.
EqualResult search_names(const Reasoner& first, const Reasoner& second, ExploredGame& a, ExploredGame& b,
                         const std::vector<std::size_t>& players, std::optional<std::size_t> deep, Sharing sharing,
                         EqualOptions& options) {
  const bool reversed = sharing == Sharing::second;
  ExploredGame &from = reversed ? b : a, &to = reversed ? a : b;
  std::vector<Path> plays;
  std::optional<EqualResult> last;
  for (std::size_t round = 0; deep || round < kRoundsToShow; ++round) {
    std::optional<std::vector<std::uint32_t>> names;
    Matching matching(from, to, plays, round, deep, sharing != Sharing::none);
    try {
      if (round == kRounds) throw SearchBound{};
      names = matching.run();
    } catch (const SearchBound&) {
      if (deep) throw;
    }
    if (!names && last) break;
    if (!names) names = matching.farthest();
    NameMap renaming{players, {}, reversed, true};
    for (std::size_t i = 0; i < names->size(); ++i)
      if ((*names)[i] != UINT32_MAX) renaming.moves[from.names()[i]] = to.names()[(*names)[i]].second;
    if (renaming.moves.empty()) renaming.complete = false;
    options.renaming = std::move(renaming);
    last = compare_games(first, second, options);
    last->unused.clear();
    last->match = Match::structure;
    if (last->verdict != Verdict::different) break;
    // The search knows nothing of these, so another renaming might do.
    if (last->kind == "views" || last->kind == "ways") {
      if (matching.forced()) break;
      last->verdict = Verdict::open;
      last->stopped = "the search for a renaming of the moves; under one, " + last->difference;
      break;
    }
    plays.push_back(path_of(*last, first.info(), reversed));
  }
  return std::move(*last);
}

}  // namespace

EqualResult compare_by_structure(const Reasoner& first, const Reasoner& second, EqualOptions& options) {
  std::optional<EqualResult> likeliest, open;
  NameMap shown;
  const auto ways = options.renaming.players.empty() ? player_orders(first.info(), second.info())
                                                     : std::vector<std::vector<std::size_t>>{options.renaming.players};
  bool refuted = true;  // by signatures, which know no names
  try {
    for (const std::vector<std::size_t>& players : ways) {
      ExploredGame a(first, players, false, options), b(second, players, true, options);
      const std::optional<std::size_t> deep = reach(a, b);
      refuted &= !deep.has_value();
      for (const Sharing sharing : {Sharing::none, Sharing::first, Sharing::second}) {
        if (!deep && sharing != Sharing::none) break;
        try {
          EqualResult result = search_names(first, second, a, b, players, deep, sharing, options);
          const bool bounded = result.verdict == Verdict::open && result.difference.empty();
          if (result.verdict == Verdict::equal || bounded) return result;
          if (result.verdict == Verdict::open && !open) {
            open = std::move(result);
          } else if (!likeliest) {
            likeliest = std::move(result);
            shown = options.renaming;
          }
        } catch (const SearchBound& bound) {
          if (!open) open.emplace().stopped = bound.why;
        }
        if (options.following.stopped()) break;
      }
    }
  } catch (const SearchBound& bound) {
    refuted = false;
    if (!open) open.emplace().stopped = bound.why;
  }
  if (open && !refuted) {
    open->match = Match::structure;
    return std::move(*open);
  }
  EqualResult result = std::move(likeliest ? *likeliest : *open);
  if (likeliest) options.renaming = std::move(shown);
  if (refuted) {
    result.verdict = Verdict::different;
    result.stopped = "";
    result.match = Match::results;
    explain_difference(first, second, options.renaming.players, kFarthest, options, result);
  }
  return result;
}

}  // namespace rgtrans::lockstep
