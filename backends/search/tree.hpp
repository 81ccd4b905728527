// Monte Carlo tree search (UCT) on the graph of positions that a search meets. Nodes keep their position, so that going
// down the tree plays no moves: a simulation loads the position of the last node, makes one move and plays on at
// random. Equal positions are one node (transpositions), and what lies below the position that is really reached next
// stays known (reuse). Values are kept per edge, for the one who moves there, which is max^n for more than two players;
// chance nodes draw their edge. Proven results climb: a node is proven when one move reaches the best result there is,
// or when all its moves are proven.
//
// Choosing an edge looks at nothing but the edges of its node, which lie side by side and carry what is compared: their
// mean and the width of their interval, renewed when a result comes by. That a child is proven is learnt then, too.
//
// Threads share the tree under one lock, which they give back while they play at random; an edge counts a visit without
// a reward while a thread is below it, so that others look elsewhere (virtual loss).
//
// Reasoners that are compiled carry this text, so it stands on the standard library alone. A Game has
//   std::size_t players() const, state_size() const; double least() const, most() const (bounds of all results);
//   std::unique_ptr<Worker> worker() const, one a thread, with
//     void load(const std::byte*), void store(std::byte*) const, std::uint32_t list(), std::uint64_t key(index) of a
//     listed move, void apply(index) of a listed move (then keeper moves), bool terminal() const,
//     std::uint32_t mover() const (players() for chance), void results(double*) const,
//     template <class Random, class Stop> bool play_out(Random&, std::uint32_t most_moves, Stop stop).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "backends/search/store.hpp"

namespace rgtrans::search {

struct TreeOptions {
  double exploration = 0.5;  // of results between 0 and 1
  double first_play = 10;    // a move that was never tried counts as its node's mean and this much
  double rave = 0;           // as many visits as the moves of later turns are worth (RAVE); 0: they are not looked at
  double mast = 0;           // how often a random move is the better one of several by its average (MAST)
  double minimax = 0;        // how much the value at the end of the most visited line counts beside the mean
  bool proofs = true;        // proven results climb
  std::uint32_t most_moves = 2000;       // of a playout; what it is then worth is the middle
  std::uint64_t memory = 512ULL << 20U;  // bytes; a full tree is searched without being extended
};

// A search ends at the first of these that is reached; 0 is no limit.
struct Budget {
  std::uint64_t simulations = 0;
  double seconds = 0;
  unsigned threads = 1;
};

// A move at the root, by its number.
struct RootMove {
  std::uint32_t move = 0;
  std::uint64_t visits = 0;
  double value = 0;     // the mean result of the one who moves, between 0 and 1
  bool proven = false;  // then the value is exact
};

struct TreeReport {
  std::uint64_t simulations = 0;  // of this call
  std::uint64_t nodes = 0;
  std::uint64_t longest = 0;  // moves from the root to the last node of the tree
  double seconds = 0;
  bool proven = false;              // the value of the root is exact
  std::vector<double> values;       // of the root, per player, in the game's numbers
  std::vector<RootMove> moves;      // in the order of the list
  std::vector<std::uint32_t> line;  // the most visited moves from the root on
};

// splitmix64.
class TreeRandom {
 public:
  explicit TreeRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(((next() >> 32U) * n) >> 32U); }
  double unit() { return static_cast<double>(next() >> 11U) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

template <class Game>
class Tree {
 public:
  Tree(Game game, const TreeOptions& options, std::uint64_t seed)
      : game_(std::move(game)),
        options_(options),
        seeds_(seed),
        players_(game_.players()),
        states_(game_.state_size()) {
    if (game_.most() > game_.least()) scale_ = 1 / (game_.most() - game_.least());
    notes_moves_ = options_.rave > 0 || options_.mast > 0;
    follows_lines_ = options_.minimax > 0 && players_ == 2;
    for (std::uint32_t i = 0; i < spreads_.size(); ++i) {
      const double visits = std::bit_cast<float>((i << kOctaveShift) + kFirstOctave);
      spreads_[i] = static_cast<float>(options_.exploration * std::sqrt(std::log(visits)));
    }
  }

  // Searches below this state, in which keeper is not to move, with all that is known about it.
  TreeReport run(const std::byte* state, const Budget& budget) {
    const auto begin = Clock::now();
    deadline_ = budget.seconds > 0
                    ? begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(budget.seconds))
                    : Clock::time_point::max();
    most_ = budget.simulations;
    started_ = done_ = 0;
    longest_ = 0;
    root_sums_.assign(players_, 0);
    const unsigned threads = std::max(1U, budget.threads);
    shared_ = threads > 1;
    while (threads_.size() < threads) threads_.push_back(std::make_unique<Thread>(game_.worker(), seeds_.next()));
    for (const auto& thread : threads_) thread->unwatched = thread->pause = 0;
    set_root(state);
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back([this, i] { work(*threads_[i]); });
    work(*threads_[0]);
    for (std::thread& other : others) other.join();
    if (std::exception_ptr problem = std::exchange(problem_, nullptr)) std::rethrow_exception(problem);
    return report(std::chrono::duration<double>(Clock::now() - begin).count());
  }
  // May be called by another thread: the run ends soon.
  void stop() { stopped_ = true; }
  void allow() { stopped_ = false; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint32_t kNone = 0xffffffffU;
  static constexpr std::uint32_t kDeepest = 4000;
  static constexpr std::uint32_t kContest = 4;  // moves that MAST compares
  static constexpr std::uint32_t kMostEdges = 1U << 31U;
  static constexpr double kTriedFirst = 1;       // so much for a first play, and nothing can be better
  static constexpr std::uint32_t kSettled = 32;  // visits of a node whose best move tells its value
  // Visits by their octave and the next five bits: exact up to 63, and as good as exact from there on.
  static constexpr std::uint32_t kOctaveShift = 18;
  static constexpr std::uint32_t kFirstOctave = 127U << 23U;

  struct Edge {
    double sum;  // of results, of the one who moves
    float mean;
    float width;  // one by the root of the visits
    std::uint32_t visits;
    std::uint32_t child;
    std::uint32_t move;
    std::uint32_t outcome;  // of the child where it is known to be proven
  };
  // What options that are off would carry for nothing.
  struct Extra {
    std::uint64_t key = 0;
    double later_sum = 0;  // RAVE
    std::uint32_t later_visits = 0;
    float line = 0;  // at the end of the most visited line, of the one who moves
  };
  struct Node {
    std::uint32_t first_edge = 0;
    std::uint32_t edges = 0;  // 0: not listed yet
    std::uint32_t tried = 0;
    std::uint32_t visits = 0;
    std::uint32_t outcome = kNone;  // proven
    std::uint32_t least = kNone;    // an outcome that the mover can have anyway
    std::uint32_t visitor = 0;      // the last simulation that came by
    std::uint32_t mover = 0;
  };
  struct Step {
    std::uint32_t node, edge;
  };
  struct Average {
    double sum = 0, visits = 0;
  };
  struct Thread {
    Thread(std::unique_ptr<typename Game::Worker> w, std::uint64_t seed) : worker(std::move(w)), random(seed) {}
    std::unique_ptr<typename Game::Worker> worker;
    TreeRandom random;
    std::vector<Step> path;
    std::vector<double> results;
    std::vector<std::byte> state;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> played;  // mover and key, of the playout and above
    std::vector<std::uint64_t> later;
    std::vector<Average> averages;           // MAST
    std::uint32_t unwatched = 0, pause = 0;  // simulations until the next look at the clock, and between two of them
    Clock::time_point looked;
  };

  // --- The store of nodes. ---

  void clear() {
    nodes_.clear();
    edges_.clear();
    extras_.clear();
    states_.clear();
    root_ = kNone;
  }
  [[nodiscard]] bool has_extras() const { return notes_moves_ || follows_lines_; }
  [[nodiscard]] std::uint64_t used() const {
    return nodes_.size() * sizeof(Node) + edges_.size() * sizeof(Edge) + extras_.size() * sizeof(Extra) +
           states_.bytes();
  }
  // Arrays double, so half of their memory may be room.
  [[nodiscard]] bool full() const { return used() > options_.memory / 2 || edges_.size() > kMostEdges; }

  // The position of the worker as a node; second: it is new.
  std::pair<std::uint32_t, bool> node_of(Thread& t) {
    t.worker->store(t.state.data());
    const auto known = states_.insert(t.state.data());
    if (!known.second) return known;
    Node& node = *new (nodes_.extend(1)) Node;
    if (t.worker->terminal()) {
      t.worker->results(t.results.data());
      node.outcome = outcome(t.results);
    } else {
      node.mover = t.worker->mover();
    }
    return known;
  }
  std::uint32_t outcome(const std::vector<double>& results) {
    const auto [it, fresh] = outcome_numbers_.try_emplace(results, static_cast<std::uint32_t>(outcomes_.size()));
    if (fresh) outcomes_.push_back(results);
    return it->second;
  }

  void set_root(const std::byte* state) {
    for (const auto& thread : threads_) {
      thread->state.resize(game_.state_size());
      thread->results.resize(players_);
    }
    Thread& t = *threads_[0];
    root_ = states_.find(state);
    if (used() > options_.memory / 4) {
      if (root_ == kNone) {
        clear();
      } else {
        keep_below(root_);
      }
      root_ = states_.find(state);
    }
    if (root_ == kNone) {
      t.worker->load(state);
      root_ = node_of(t).first;
    }
    if (nodes_[root_].outcome == kNone && nodes_[root_].edges == 0) expand(t, root_);
  }

  // Forgets what cannot be reached from a node any more.
  void keep_below(std::uint32_t root) {
    Pool<Node> nodes;
    Pool<Edge> edges;
    Pool<Extra> extras;
    Positions states(game_.state_size());
    std::vector<std::uint32_t> order = {root};
    states.insert(states_[root]);
    for (std::size_t i = 0; i < order.size(); ++i) {
      Node node = nodes_[order[i]];
      const std::uint32_t first = node.first_edge;
      node.first_edge = static_cast<std::uint32_t>(edges.size());
      for (std::uint32_t k = 0; k < node.edges; ++k) {
        Edge edge = edges_[first + k];
        if (edge.child != kNone) {
          const auto [name, fresh] = states.insert(states_[edge.child]);
          if (fresh) order.push_back(edge.child);
          edge.child = name;
        }
        *edges.extend(1) = edge;
        if (has_extras()) *extras.extend(1) = extras_[first + k];
      }
      *nodes.extend(1) = node;
    }
    nodes_ = std::move(nodes);
    edges_ = std::move(edges);
    extras_ = std::move(extras);
    states_ = std::move(states);
    // A tree that fills the memory by itself begins anew.
    if (used() > options_.memory / 8 * 3) clear();
  }

  // Lists the moves of a node. The worker stays there.
  void expand(Thread& t, std::uint32_t id) {
    t.worker->load(states_[id]);
    const std::uint32_t count = t.worker->list();
    Node& node = nodes_[id];
    node.first_edge = static_cast<std::uint32_t>(edges_.size());
    node.edges = count;
    Edge* edge = edges_.extend(count);
    for (std::uint32_t i = 0; i < count; ++i) edge[i] = {0, 0, 0, 0, kNone, i, kNone};
    if (!has_extras()) return;
    Extra* extra = extras_.extend(count);
    for (std::uint32_t i = 0; i < count; ++i) extra[i] = {notes_moves_ ? t.worker->key(i) : 0, 0, 0, 0};
  }

  // --- A simulation. ---

  // The lock is given back for playouts alone, so that a result and the next way down are one visit to the tree.
  void work(Thread& t) {
    std::unique_lock lock(mutex_, std::defer_lock);
    if (shared_) lock.lock();
    try {
      while (!stopped_ && simulate(t, lock)) {
      }
    } catch (...) {
      if (shared_ && !lock.owns_lock()) lock.lock();
      if (!problem_) problem_ = std::current_exception();
      most_ = 1;  // the others end, too
    }
  }

  // Looks at the clock as often as 50 microseconds go by, or after each simulation where these take longer.
  bool late(Thread& t) {
    constexpr std::uint32_t kMostUnwatched = 64;
    constexpr auto kShort = std::chrono::microseconds(50);
    if (deadline_ == Clock::time_point::max()) return false;
    if (t.unwatched > 0) {
      --t.unwatched;
      return false;
    }
    const auto now = Clock::now();
    t.pause = now - t.looked < kShort ? std::min(2 * t.pause + 1, kMostUnwatched) : t.pause / 2;
    t.unwatched = t.pause;
    t.looked = now;
    return now >= deadline_;
  }

  // False when the search is over.
  bool simulate(Thread& t, std::unique_lock<MomentLock>& lock) {
    if ((most_ > 0 && started_ >= most_) || nodes_[root_].outcome != kNone || late(t)) return false;
    ++started_;
    t.path.clear();
    t.played.clear();
    if (walk(t)) {
      if (shared_) lock.unlock();
      play_out(t);
      if (shared_) lock.lock();
    }
    back_up(t);
    return true;
  }

  // Goes down the tree. True when the rest is to be played at random from where the worker stands.
  bool walk(Thread& t) {
    const std::uint32_t number = ++visitors_;
    std::uint32_t at = root_;
    while (nodes_[at].outcome == kNone) {
      if (nodes_[at].visitor == number || t.path.size() >= kDeepest) {  // the way is a circle
        t.worker->load(states_[at]);
        return true;
      }
      const bool fresh_node = nodes_[at].edges == 0;
      if (fresh_node) expand(t, at);
      Node& node = nodes_[at];
      node.visitor = number;
      ++node.visits;
      const std::uint32_t chosen = select(t, node);
      t.path.push_back({at, chosen});
      Edge& edge = edges_[chosen];
      ++edge.visits;
      if (shared_) renew(edge);
      if (edge.child == kNone) {
        if (!fresh_node) {
          t.worker->load(states_[at]);
          t.worker->list();
        }
        t.worker->apply(edge.move);
        if (full()) return true;
        const auto [child, fresh] = node_of(t);
        edge.child = child;
        if (fresh && nodes_[child].outcome == kNone) return true;
      }
      at = edge.child;
    }
    t.results = outcomes_[nodes_[at].outcome];
    return false;
  }

  // The edge to follow. Where a proven move is the best, another one is looked at, which may turn out to be better.
  std::uint32_t select(Thread& t, Node& node) {
    if (node.mover == players_) return node.first_edge + t.random.below(node.edges);
    const bool untried = node.tried < node.edges;
    if (untried && options_.first_play >= kTriedFirst) return try_next(t, node);
    const float spread =
        spreads_[(std::bit_cast<std::uint32_t>(static_cast<float>(node.visits + 1)) - kFirstOctave) >> kOctaveShift];
    float best = -std::numeric_limits<float>::infinity();
    std::uint32_t chosen = kNone;
    for (std::uint32_t e = node.first_edge; e < node.first_edge + node.tried; ++e) {
      if (edges_[e].outcome != kNone) continue;
      const float score = (has_extras() ? mixed_mean(e) : edges_[e].mean) + spread * edges_[e].width;
      if (score > best) {
        best = score;
        chosen = e;
      }
    }
    if (untried && (chosen == kNone || node_mean(node) + options_.first_play + spread >= best))
      return try_next(t, node);
    for (std::uint32_t e = node.first_edge; chosen == kNone; ++e) {
      if (edges_[e].outcome == node.least) chosen = e;
    }
    return chosen;
  }
  // Another move, drawn at random, or by what it did in later turns.
  std::uint32_t try_next(Thread& t, Node& node) {
    const std::uint32_t place = node.first_edge + node.tried;
    std::uint32_t next = place + t.random.below(node.edges - node.tried);
    ++node.tried;
    if (options_.rave > 0) {
      const auto mean = [&](std::uint32_t e) {
        return extras_[e].later_visits > 0 ? extras_[e].later_sum / extras_[e].later_visits : 0.5;
      };
      for (std::uint32_t e = place; e < node.first_edge + node.edges; ++e) {
        if (mean(e) > mean(next)) next = e;
      }
    }
    std::swap(edges_[next], edges_[place]);
    if (has_extras()) std::swap(extras_[next], extras_[place]);
    return place;
  }
  [[nodiscard]] double node_mean(const Node& node) const {
    double sum = 0, visits = 0;
    for (std::uint32_t e = node.first_edge; e < node.first_edge + node.tried; ++e) {
      sum += edges_[e].sum;
      visits += edges_[e].visits;
    }
    return visits > 0 ? sum / visits : 0.5;
  }
  [[nodiscard]] float mixed_mean(std::uint32_t e) const {
    const Edge& edge = edges_[e];
    const Extra& extra = extras_[e];
    double mean = edge.mean;
    if (follows_lines_) mean += options_.minimax * (extra.line - mean);
    if (options_.rave > 0 && extra.later_visits > 0) {
      const double weight = std::sqrt(options_.rave / (3.0 * edge.visits + options_.rave));
      mean += weight * (extra.later_sum / extra.later_visits - mean);
    }
    return static_cast<float>(mean);
  }
  static void renew(Edge& edge) {
    const auto visits = static_cast<float>(edge.visits);
    edge.mean = static_cast<float>(edge.sum) / visits;
    edge.width = 1 / std::sqrt(visits);
  }

  [[nodiscard]] double share(double result) const { return (result - game_.least()) * scale_; }

  void play_out(Thread& t) {
    const auto over = [&] { return stopped_ || (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_); };
    const bool finished = notes_moves_ ? play_noting(t, over) : t.worker->play_out(t.random, options_.most_moves, over);
    if (finished) {
      t.worker->results(t.results.data());
    } else {
      t.results.assign(players_, (game_.least() + game_.most()) / 2);
    }
  }
  template <class Stop>
  bool play_noting(Thread& t, const Stop& stop) {
    for (std::uint32_t moves = 0; !t.worker->terminal(); ++moves) {
      if (moves == options_.most_moves || stop()) return false;
      const std::uint32_t mover = t.worker->mover();
      const std::uint32_t count = t.worker->list();
      std::uint32_t index = t.random.below(count);
      if (mover < players_ && options_.mast > 0 && t.random.unit() < options_.mast) {
        for (std::uint32_t i = 1; i < std::min(count, kContest); ++i) {
          const std::uint32_t other = t.random.below(count);
          if (average(t, mover, t.worker->key(other)) > average(t, mover, t.worker->key(index))) index = other;
        }
      }
      if (mover < players_) t.played.emplace_back(mover, t.worker->key(index));
      t.worker->apply(index);
    }
    return true;
  }
  // The table has a place for each hash of a move; two moves that meet there share their average.
  static Average& place(Thread& t, std::uint32_t mover, std::uint64_t key) {
    constexpr std::size_t kPlaces = 1U << 16U;
    if (t.averages.empty()) t.averages.resize(kPlaces);
    return t.averages[((key + mover) * 0x9e3779b97f4a7c15U) >> 48U];
  }
  static double average(Thread& t, std::uint32_t mover, std::uint64_t key) {
    const Average& known = place(t, mover, key);
    return known.visits > 0 ? known.sum / known.visits : 1;
  }

  void back_up(Thread& t) {
    ++done_;
    longest_ = std::max<std::uint64_t>(longest_, t.path.size());
    bool proving = options_.proofs;
    for (std::size_t i = t.path.size(); i-- > 0;) {
      Node& node = nodes_[t.path[i].node];
      Edge& edge = edges_[t.path[i].edge];
      const double result = node.mover < players_ ? share(t.results[node.mover]) : 0.5;
      edge.sum += result;
      renew(edge);
      learn(node, edge);
      if (node.least != kNone && outcomes_[node.least][node.mover] > t.results[node.mover]) {
        t.results = outcomes_[node.least];
      }
      proving = proving && prove(node, edge);
      if (notes_moves_) note(t, node, t.path[i].edge, result);
      if (follows_lines_) follow_line(node, t.path[i].edge);
    }
    for (std::size_t p = 0; p < players_; ++p) root_sums_[p] += t.results[p];
    if (options_.mast > 0) {
      for (const auto& [mover, key] : t.played) {
        Average& known = place(t, mover, key);
        known.sum += share(t.results[mover]);
        known.visits += 1;
      }
    }
  }
  void note(Thread& t, const Node& node, std::uint32_t edge, double result) {
    if (node.mover == players_) return;
    t.played.emplace_back(node.mover, extras_[edge].key);
    if (options_.rave <= 0) return;
    t.later.clear();
    for (const auto& [mover, key] : t.played) {
      if (mover == node.mover) t.later.push_back(key);
    }
    std::sort(t.later.begin(), t.later.end());
    for (std::uint32_t e = node.first_edge; e < node.first_edge + node.edges; ++e) {
      if (!std::binary_search(t.later.begin(), t.later.end(), extras_[e].key)) continue;
      ++extras_[e].later_visits;
      extras_[e].later_sum += result;
    }
  }
  // The value of the child is its mean until it has been visited often, and from then on that of its most visited move.
  void follow_line(const Node& node, std::uint32_t e) {
    const Edge& edge = edges_[e];
    float& line = extras_[e].line;
    line = edge.mean;
    if (edge.outcome != kNone && node.mover < players_) {
      line = static_cast<float>(share(outcomes_[edge.outcome][node.mover]));
    } else if (edge.child != kNone && nodes_[edge.child].visits >= kSettled && nodes_[edge.child].mover < players_) {
      const Node& below = nodes_[edge.child];
      std::uint32_t best = below.first_edge;
      for (std::uint32_t other = best; other < below.first_edge + below.tried; ++other) {
        if (edges_[other].visits > edges_[best].visits) best = other;
      }
      line = below.mover == node.mover ? extras_[best].line : 1 - extras_[best].line;
    }
  }

  // What is known about the child is written to the edge, where it is looked at.
  void learn(Node& node, Edge& edge) {
    if (edge.outcome != kNone || edge.child == kNone || nodes_[edge.child].outcome == kNone) return;
    edge.outcome = nodes_[edge.child].outcome;
    if (node.mover == players_) return;
    if (node.least == kNone || outcomes_[edge.outcome][node.mover] > outcomes_[node.least][node.mover]) {
      node.least = edge.outcome;
    }
  }
  // Whether a node is proven now that the child of this edge may be.
  bool prove(Node& node, const Edge& edge) {
    if (node.outcome != kNone) return true;
    if (edge.outcome == kNone) return false;
    const bool chance = node.mover == players_;
    if (!chance && outcomes_[edge.outcome][node.mover] >= game_.most()) {
      node.outcome = edge.outcome;
      return true;
    }
    if (!chance && node.tried < node.edges) return false;
    for (std::uint32_t e = node.first_edge; e < node.first_edge + node.edges; ++e) {
      learn(node, edges_[e]);
      if (edges_[e].outcome == kNone || (chance && edges_[e].outcome != edge.outcome)) return false;
    }
    node.outcome = chance ? edge.outcome : node.least;
    return true;
  }

  // --- What was found. ---

  TreeReport report(double seconds) const {
    TreeReport out;
    out.simulations = done_;
    out.nodes = nodes_.size();
    out.longest = longest_;
    out.seconds = seconds;
    const Node& root = nodes_[root_];
    out.proven = root.outcome != kNone;
    for (std::size_t p = 0; p < players_; ++p) {
      const double middle = (game_.least() + game_.most()) / 2;
      out.values.push_back(out.proven ? outcomes_[root.outcome][p] : done_ > 0 ? root_sums_[p] / done_ : middle);
    }
    out.moves.resize(root.edges);
    for (std::uint32_t e = root.first_edge; e < root.first_edge + root.edges; ++e) {
      const Edge& edge = edges_[e];
      RootMove& move = out.moves[edge.move];
      move.move = edge.move;
      move.visits = edge.visits;
      move.value = edge.visits > 0 ? edge.sum / edge.visits : 0.5;
      if (edge.child == kNone || nodes_[edge.child].outcome == kNone || root.mover == players_) continue;
      move.proven = true;
      move.value = share(outcomes_[nodes_[edge.child].outcome][root.mover]);
    }
    line(out.line);
    return out;
  }
  void line(std::vector<std::uint32_t>& out) const {
    constexpr std::size_t kLongest = 40;
    for (std::uint32_t at = root_; at != kNone && nodes_[at].edges > 0 && out.size() < kLongest;) {
      const Node& node = nodes_[at];
      std::uint32_t best = node.first_edge;
      for (std::uint32_t e = best; e < node.first_edge + node.edges; ++e) {
        if (edges_[e].visits > edges_[best].visits) best = e;
      }
      if (edges_[best].visits == 0) return;
      out.push_back(edges_[best].move);
      at = edges_[best].child;
    }
  }

  Game game_;
  TreeOptions options_;
  TreeRandom seeds_;
  std::size_t players_;
  double scale_ = 1;  // of results to numbers between 0 and 1
  bool notes_moves_ = false, follows_lines_ = false, shared_ = false;
  std::array<float, 32U << (23U - kOctaveShift)> spreads_{};  // by visits

  Positions states_;  // of nodes, by their numbers
  Pool<Node> nodes_;
  Pool<Edge> edges_;
  Pool<Extra> extras_;  // by edges, where an option needs them
  std::vector<std::vector<double>> outcomes_;
  std::map<std::vector<double>, std::uint32_t> outcome_numbers_;
  std::uint32_t root_ = kNone;
  std::uint32_t visitors_ = 0;

  std::vector<std::unique_ptr<Thread>> threads_;
  MomentLock mutex_;  // of everything but the threads' own
  std::atomic<bool> stopped_ = false;
  std::exception_ptr problem_;
  typename Clock::time_point deadline_;
  std::uint64_t most_ = 0, started_ = 0, done_ = 0, longest_ = 0;
  std::vector<double> root_sums_;
};

}  // namespace rgtrans::search
