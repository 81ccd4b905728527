// Monte Carlo tree search (UCT) on the graph of positions that a search meets. Nodes keep their position, so that going
// down the tree plays no moves: a simulation loads the position of the last node, makes one move and plays on at
// random. Equal positions are one node (transpositions), and what lies below the position that is really reached next
// stays known (reuse). Values are kept per edge, for the one who moves there, which is max^n for more than two players;
// chance nodes draw their edge. Proven results climb: a node is proven when one move reaches the best result there is,
// or when all its moves are proven.
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
#include <atomic>
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

namespace rgtrans::search {

struct TreeOptions {
  double exploration = 0.5;  // of results between 0 and 1
  double first_play = 10;    // a move that was never tried counts as its node's mean and this much
  double rave = 0;           // as many visits as the moves of later turns are worth (RAVE); 0: they are not looked at
  double mast = 0;           // how often a random move is the better one of several by its average (MAST)
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
      : game_(std::move(game)), options_(options), seeds_(seed), players_(game_.players()), size_(game_.state_size()) {
    span_ = game_.most() > game_.least() ? game_.most() - game_.least() : 1;
    clear();
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
    while (threads_.size() < threads) threads_.push_back(std::make_unique<Thread>(game_.worker(), seeds_.next()));
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
  static constexpr std::uint64_t kNoEdge = ~std::uint64_t{0};
  static constexpr std::uint32_t kDeepest = 4000;
  static constexpr std::uint32_t kContest = 4;  // moves that MAST compares

  struct Edge {
    double sum = 0;  // of results, of the one who moves
    std::uint32_t visits = 0;
    std::uint32_t child = kNone;
    std::uint32_t move = 0;
    std::uint32_t later_visits = 0;  // RAVE
    double later_sum = 0;
    std::uint64_t key = 0;
  };
  struct Node {
    std::uint64_t first_edge = 0;
    std::uint64_t visitor = 0;  // the last simulation that came by
    double sum = 0;             // of the one who moves
    std::uint32_t edges = 0;    // 0: not listed yet
    std::uint32_t tried = 0;
    std::uint32_t visits = 0;
    std::uint32_t outcome = kNone;  // proven
    std::uint32_t mover = 0;
  };
  struct Step {
    std::uint32_t node;
    std::uint64_t edge;
    std::uint32_t least;  // an outcome that the mover can have anyway
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
    std::vector<Average> averages;  // MAST
  };

  // --- The store of nodes. ---

  void clear() {
    nodes_.clear();
    edges_.clear();
    states_.clear();
    table_.assign(1024, kNone);
    root_ = kNone;
  }
  [[nodiscard]] std::uint64_t used() const {
    return nodes_.size() * (sizeof(Node) + size_) + edges_.size() * sizeof(Edge) +
           table_.size() * sizeof(std::uint32_t);
  }
  // Vectors double, so half of their memory may be room.
  [[nodiscard]] bool full() const { return used() > options_.memory / 2; }
  [[nodiscard]] const std::byte* state_of(std::uint32_t node) const {
    return states_.data() + std::size_t{node} * size_;
  }
  [[nodiscard]] std::uint64_t hash(const std::byte* state) const {
    std::uint64_t h = size_ * 0x9e3779b97f4a7c15U;
    const auto mix = [&](std::uint64_t part) {
      h = (h ^ part) * 0xd6e8feb86659fd93U;
      h ^= h >> 32U;
    };
    std::size_t at = 0;
    std::uint64_t part = 0;
    for (; at + 8 <= size_; at += 8) {
      std::memcpy(&part, state + at, 8);
      mix(part);
    }
    part = 0;
    std::memcpy(&part, state + at, size_ - at);
    mix(part);
    mix(part);
    return h;
  }
  // The slot of a state: of its node, or a free one.
  std::size_t slot(const std::byte* state) const {
    const std::size_t mask = table_.size() - 1;
    std::size_t i = hash(state) & mask;
    while (table_[i] != kNone && std::memcmp(state_of(table_[i]), state, size_) != 0) i = (i + 1) & mask;
    return i;
  }
  // The position of the worker as a node; second: it is new.
  std::pair<std::uint32_t, bool> node_of(Thread& t) {
    t.state.resize(size_);
    t.worker->store(t.state.data());
    std::size_t at = slot(t.state.data());
    if (table_[at] != kNone) return {table_[at], false};
    if ((nodes_.size() + 1) * 2 > table_.size()) {
      grow_table();
      at = slot(t.state.data());
    }
    const auto id = static_cast<std::uint32_t>(nodes_.size());
    Node node;
    if (t.worker->terminal()) {
      t.results.resize(players_);
      t.worker->results(t.results.data());
      node.outcome = outcome(t.results);
    } else {
      node.mover = t.worker->mover();
    }
    table_[at] = id;
    nodes_.push_back(node);
    states_.insert(states_.end(), t.state.begin(), t.state.end());
    return {id, true};
  }
  void grow_table() {
    table_.assign(table_.size() * 2, kNone);
    for (std::uint32_t id = 0; id < nodes_.size(); ++id) table_[slot(state_of(id))] = id;
  }
  std::uint32_t outcome(const std::vector<double>& results) {
    const auto [it, fresh] = outcome_numbers_.try_emplace(results, static_cast<std::uint32_t>(outcomes_.size()));
    if (fresh) outcomes_.push_back(results);
    return it->second;
  }

  void set_root(const std::byte* state) {
    Thread& t = *threads_[0];
    std::size_t at = slot(state);
    if (used() > options_.memory / 4) {
      if (table_[at] == kNone) {
        clear();
      } else {
        keep_below(table_[at]);
      }
      at = slot(state);
    }
    if (table_[at] != kNone) {
      root_ = table_[at];
    } else {
      t.worker->load(state);
      root_ = node_of(t).first;
    }
    if (nodes_[root_].outcome == kNone && nodes_[root_].edges == 0) expand(t, root_);
  }

  // Forgets what cannot be reached from a node any more.
  void keep_below(std::uint32_t root) {
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    std::vector<std::byte> states;
    std::vector<std::uint32_t> name(nodes_.size(), kNone), order = {root};
    name[root] = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      Node node = nodes_[order[i]];
      const std::uint64_t first = node.first_edge;
      node.first_edge = edges.size();
      for (std::uint32_t k = 0; k < node.edges; ++k) {
        Edge edge = edges_[first + k];
        if (edge.child != kNone && name[edge.child] == kNone) {
          name[edge.child] = static_cast<std::uint32_t>(order.size());
          order.push_back(edge.child);
        }
        if (edge.child != kNone) edge.child = name[edge.child];
        edges.push_back(edge);
      }
      nodes.push_back(node);
      states.insert(states.end(), state_of(order[i]), state_of(order[i]) + size_);
    }
    nodes_ = std::move(nodes);
    edges_ = std::move(edges);
    states_ = std::move(states);
    // A tree that fills the memory by itself begins anew.
    if (used() > options_.memory / 8 * 3) clear();
    table_.assign(std::max<std::size_t>(table_.size(), 1024), kNone);
    for (std::uint32_t id = 0; id < nodes_.size(); ++id) table_[slot(state_of(id))] = id;
  }

  // Lists the moves of a node, in random order.
  void expand(Thread& t, std::uint32_t id) {
    t.worker->load(state_of(id));
    const std::uint32_t count = t.worker->list();
    Node& node = nodes_[id];
    node.first_edge = edges_.size();
    node.edges = count;
    const bool keys = options_.rave > 0 || options_.mast > 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      Edge& edge = edges_.emplace_back();
      edge.move = i;
      if (keys) edge.key = t.worker->key(i);
    }
    for (std::uint32_t i = count; i > 1; --i) {
      std::swap(edges_[node.first_edge + i - 1], edges_[node.first_edge + t.random.below(i)]);
    }
  }

  // --- A simulation. ---

  void work(Thread& t) {
    try {
      while (!stopped_ && simulate(t)) {
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!problem_) problem_ = std::current_exception();
      most_ = 1;  // the others end, too
    }
  }

  // False when the search is over.
  bool simulate(Thread& t) {
    std::unique_lock lock(mutex_);
    if ((most_ > 0 && started_ >= most_) || Clock::now() >= deadline_ || nodes_[root_].outcome != kNone) return false;
    ++started_;
    t.path.clear();
    t.played.clear();
    t.results.resize(players_);
    if (walk(t)) {
      lock.unlock();
      play_out(t);
      lock.lock();
    }
    back_up(t);
    return true;
  }

  // Goes down the tree. True when the rest is to be played at random from where the worker stands.
  bool walk(Thread& t) {
    const std::uint64_t number = ++visitors_;
    std::uint32_t at = root_;
    while (nodes_[at].outcome == kNone) {
      if (nodes_[at].visitor == number || t.path.size() >= kDeepest) {  // the way is a circle
        t.worker->load(state_of(at));
        return true;
      }
      if (nodes_[at].edges == 0) expand(t, at);
      nodes_[at].visitor = number;
      ++nodes_[at].visits;
      const auto [chosen, least] = select(t, nodes_[at]);
      ++edges_[chosen].visits;
      t.path.push_back({at, chosen, least});
      if (edges_[chosen].child == kNone) {
        t.worker->load(state_of(at));
        t.worker->list();
        t.worker->apply(edges_[chosen].move);
        if (full()) return true;
        const auto [child, fresh] = node_of(t);
        edges_[chosen].child = child;
        if (fresh && nodes_[child].outcome == kNone) return true;
      }
      at = edges_[chosen].child;
    }
    t.results = outcomes_[nodes_[at].outcome];
    return false;
  }

  // The edge to follow. Where a proven move is the best, another one is looked at, which may turn out to be better, and
  // the proven outcome is what the mover has at least.
  std::pair<std::uint64_t, std::uint32_t> select(Thread& t, Node& node) {
    if (node.mover == players_) return {node.first_edge + t.random.below(node.edges), kNone};
    const double spread = options_.exploration * std::sqrt(std::log(static_cast<double>(node.visits) + 1));
    double best = -std::numeric_limits<double>::infinity();
    double best_proven = best;
    std::uint64_t chosen = kNoEdge;
    std::uint64_t chosen_proven = kNoEdge;
    for (std::uint64_t e = node.first_edge; e < node.first_edge + node.tried; ++e) {
      const bool proven = is_proven(edges_[e]);
      const double score = worth(node, edges_[e], spread);
      if (score > (proven ? best_proven : best)) {
        (proven ? best_proven : best) = score;
        (proven ? chosen_proven : chosen) = e;
      }
    }
    if (node.tried < node.edges) {
      const double mean = node.visits > 1 ? node.sum / (node.visits - 1.0) : 0.5;
      if (chosen == kNoEdge || mean + options_.first_play + spread >= best) {
        chosen = node.first_edge + node.tried++;
        if (options_.rave > 0) bring_forward(node, chosen);
      }
    }
    if (chosen == kNoEdge) return {chosen_proven, kNone};
    return {chosen, chosen_proven == kNoEdge ? kNone : nodes_[edges_[chosen_proven].child].outcome};
  }
  [[nodiscard]] bool is_proven(const Edge& edge) const {
    return edge.child != kNone && nodes_[edge.child].outcome != kNone;
  }

  double worth(const Node& node, const Edge& edge, double spread) const {
    if (is_proven(edge)) {
      return share(outcomes_[nodes_[edge.child].outcome][node.mover]);
    }
    const double visits = edge.visits;
    double mean = edge.sum / visits;
    if (options_.rave > 0 && edge.later_visits > 0) {
      const double weight = std::sqrt(options_.rave / (3 * visits + options_.rave));
      mean += weight * (edge.later_sum / edge.later_visits - mean);
    }
    return mean + spread / std::sqrt(visits);
  }
  // Of the moves that were not tried yet, the one that did best in later turns is tried first.
  void bring_forward(const Node& node, std::uint64_t place) {
    std::uint64_t best = place;
    const auto mean = [](const Edge& e) { return e.later_visits > 0 ? e.later_sum / e.later_visits : 0.5; };
    for (std::uint64_t e = place + 1; e < node.first_edge + node.edges; ++e) {
      if (mean(edges_[e]) > mean(edges_[best])) best = e;
    }
    std::swap(edges_[best], edges_[place]);
  }

  [[nodiscard]] double share(double result) const { return (result - game_.least()) / span_; }

  void play_out(Thread& t) {
    const bool noting = options_.rave > 0 || options_.mast > 0;
    const auto late = [&] { return stopped_ || Clock::now() >= deadline_; };
    const bool finished = noting ? play_noting(t, late) : t.worker->play_out(t.random, options_.most_moves, late);
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
      if (t.path[i].least != kNone && outcomes_[t.path[i].least][node.mover] > t.results[node.mover]) {
        t.results = outcomes_[t.path[i].least];
      }
      node.sum += node.mover < players_ ? share(t.results[node.mover]) : 0.5;
      proving = proving && prove(node, edge);
      if (options_.rave > 0 || options_.mast > 0) note(t, node, edge, result);
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
  void note(Thread& t, const Node& node, const Edge& edge, double result) {
    if (node.mover == players_) return;
    t.played.emplace_back(node.mover, edge.key);
    if (options_.rave <= 0) return;
    t.later.clear();
    for (const auto& [mover, key] : t.played) {
      if (mover == node.mover) t.later.push_back(key);
    }
    std::sort(t.later.begin(), t.later.end());
    for (std::uint64_t e = node.first_edge; e < node.first_edge + node.edges; ++e) {
      if (!std::binary_search(t.later.begin(), t.later.end(), edges_[e].key)) continue;
      ++edges_[e].later_visits;
      edges_[e].later_sum += result;
    }
  }

  // Whether a node is proven now that the child of this edge may be.
  bool prove(Node& node, const Edge& edge) {
    if (node.outcome != kNone) return true;
    if (edge.child == kNone || nodes_[edge.child].outcome == kNone) return false;
    const bool chance = node.mover == players_;
    std::uint32_t best = nodes_[edge.child].outcome;
    if (!chance && outcomes_[best][node.mover] >= game_.most()) {
      node.outcome = best;
      return true;
    }
    if (!chance && node.tried < node.edges) return false;
    for (std::uint64_t e = node.first_edge; e < node.first_edge + node.edges; ++e) {
      const std::uint32_t one = edges_[e].child == kNone ? kNone : nodes_[edges_[e].child].outcome;
      if (one == kNone || (chance && one != best)) return false;
      if (!chance && outcomes_[one][node.mover] > outcomes_[best][node.mover]) best = one;
    }
    node.outcome = best;
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
    for (std::uint64_t e = root.first_edge; e < root.first_edge + root.edges; ++e) {
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
      std::uint64_t best = node.first_edge;
      for (std::uint64_t e = best; e < node.first_edge + node.edges; ++e) {
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
  std::size_t players_, size_;
  double span_ = 1;

  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<std::byte> states_;     // size_ bytes a node
  std::vector<std::uint32_t> table_;  // nodes by their state; open addressing, a power of two
  std::vector<std::vector<double>> outcomes_;
  std::map<std::vector<double>, std::uint32_t> outcome_numbers_;
  std::uint32_t root_ = kNone;
  std::uint64_t visitors_ = 0;

  std::vector<std::unique_ptr<Thread>> threads_;
  std::mutex mutex_;  // of everything but the threads' own
  std::atomic<bool> stopped_ = false;
  std::exception_ptr problem_;
  typename Clock::time_point deadline_;
  std::uint64_t most_ = 0, started_ = 0, done_ = 0, longest_ = 0;
  std::vector<double> root_sums_;
};

}  // namespace rgtrans::search
