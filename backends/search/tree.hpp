// Monte Carlo tree search (UCT) on the graph of positions that a search meets. TreeNodes keep their position, so
// descending the tree plays no moves: a simulation loads the position of the last node, makes one move and continues at
// random. Equal positions are one node (transpositions). The part of the tree below the position that the play reaches
// next is kept (reuse). Values belong to edges and to the player who moves there, which is max^n for more than two
// players; chance nodes draw their edge. Proven results climb: a node is proven if one move reaches the best possible
// result, or if all its moves are proven.
//
// Threads share the tree and hold one node at a time, only to choose one of its edges or to add results. No thread
// waits for longer work: if two threads list the same node, or make the same move, the second one finds the work done
// and continues. An edge counts visits without a reward while a thread is below it, so other threads choose other edges
// (virtual loss). The expensive part is memory that one processor wrote and another one needs, mostly around the root.
// So a thread that reaches a node makes several simulations below it before it returns, a small part of the node's
// visits so far: it is mostly alone there, and writes little above.
//
// Compiled reasoners include this text, so it uses the standard library alone. A Game has
//   std::size_t players() const, state_size() const; double least() const, most() const (bounds of all results);
//   std::unique_ptr<Worker> worker() const, one a thread, with
//     void load(const std::byte*), void store(std::byte*) const, std::uint32_t list(), void reload(const std::byte*) of
//     the state whose moves were listed last, std::uint64_t key(index) of a listed move, void apply(index) of a listed
//     move (then keeper moves), bool terminal() const,
//     std::uint32_t mover() const (players() for chance), void results(double*) const,
//     template <class Random, class Stop> bool play_out(Random&, std::uint32_t most_moves, Stop stop).
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "backends/search/choosing.hpp"
#include "backends/search/nodes.hpp"
#include "backends/search/tree_interface.hpp"

namespace rgtrans::search {

template <class Game>
class SearchTree {
 public:
  SearchTree(Game game, const TreeOptions& options, std::uint64_t seed)
      : game_(std::move(game)),
        options_(options),
        seeds_(seed),
        players_(static_cast<std::uint32_t>(game_.players())),
        chooser_(options, players_),
        nodes_(empty()) {
    if (game_.most() > game_.least()) scale_ = 1 / (game_.most() - game_.least());
  }

  // Searches below this state, in which keeper is not to move, with all that is known about it.
  TreeReport run(const std::byte* state, const Budget& budget) {
    const auto begin = Clock::now();
    deadline_ = budget.seconds > 0
                    ? begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(budget.seconds))
                    : Clock::time_point::max();
    most_ = budget.simulations;
    taken_ = 0;
    stopped_ = false;
    const unsigned threads = std::max(1U, budget.threads);
    shared_ = threads > 1;
    while (threads_.size() < threads) threads_.push_back(std::make_unique<Thread>(game_.worker(), seeds_.next()));
    for (const auto& thread : threads_) prepare(*thread);
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

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint32_t kDeepest = 4000;
  static constexpr std::uint32_t kContest = 4;      // moves that MAST compares
  static constexpr std::uint32_t kUnwatched = 512;  // nodes that are copied between two looks at the clock

  struct alignas(kLine) Thread {
    Thread(std::unique_ptr<typename Game::Worker> w, std::uint64_t seed) : worker(std::move(w)), random(seed) {}
    std::unique_ptr<typename Game::Worker> worker;
    TreeRandom random;
    TreeNodes::Share share;
    std::vector<std::uint32_t> way;                               // the nodes from the root down to where it is
    std::vector<double> results;                                  // sums of those of the last simulations
    std::vector<std::pair<std::uint32_t, std::uint64_t>> played;  // mover and key, of the playout and above
    std::vector<std::uint64_t> later;
    MoveAverages averages;
    Gain wins;
    std::vector<std::byte> here;  // the position of a playout
    // Of this run.
    std::uint64_t done = 0, longest = 0;
    std::vector<double> sums;
    bool over = false;
    std::uint32_t unwatched = 0, pause = 0;  // simulations until the next look at the clock, and between two of them
    Clock::time_point looked;
  };

  [[nodiscard]] bool out_of_time() const {
    return stopped_ || (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_);
  }

  void prepare(Thread& t) const {
    t.results.assign(players_, 0);
    t.sums.assign(players_, 0);
    t.here.resize(game_.state_size());
    if (options_.mast > 0) t.averages.prepare();
    t.done = t.longest = 0;
    t.over = false;
    t.unwatched = t.pause = 0;
    t.way.clear();
  }

  // --- The nodes. ---

  [[nodiscard]] std::unique_ptr<TreeNodes> empty() const {
    return std::make_unique<TreeNodes>(game_.state_size(), options_.memory, chooser_.has_extras());
  }
  void replace(std::unique_ptr<TreeNodes> nodes, TreeNodes::Share&& share) {
    nodes_ = std::move(nodes);
    for (const auto& thread : threads_) thread->share = {};
    threads_[0]->share = std::move(share);
  }
  // Locked while the result exists.
  [[nodiscard]] std::unique_lock<MomentLock> hold(TreeNode& node) const {
    return shared_ ? std::unique_lock(node.lock) : std::unique_lock(node.lock, std::defer_lock);
  }

  // The position of the worker as a node; second: it is new.
  std::pair<std::uint32_t, bool> node_of(Thread& t) {
    TreeNode& node = (*nodes_)[nodes_->spare(t.share)];
    t.worker->store(node.state());
    if (t.worker->terminal()) {
      t.worker->results(t.results.data());
      node.outcome.store(outcomes_.number(t.results), std::memory_order_relaxed);
    } else {
      node.mover = static_cast<std::uint16_t>(t.worker->mover());
    }
    return nodes_->insert(t.share);
  }

  void set_root(const std::byte* state) {
    Thread& t = *threads_[0];
    const std::uint32_t before = std::exchange(root_, nodes_->find(state));
    if (root_ != before && nodes_->used() > options_.memory / 4) {
      if (root_ == kUnknown || !keep_below(root_)) replace(empty(), {});
      root_ = nodes_->find(state);
    }
    if (root_ == kUnknown) {
      t.worker->load(state);
      root_ = node_of(t).first;
    }
    TreeNode& root = (*nodes_)[root_];
    if (!root.proven() && !root.listed()) list(t, root);
  }

  // Forgets the nodes that cannot be reached from this one any more, unless that takes longer than the run may. False
  // if the reachable ones alone fill the memory.
  bool keep_below(std::uint32_t root) {
    auto kept = empty();
    TreeNodes::Share share;
    std::vector<std::pair<const TreeNode*, TreeNode*>> copies;
    const auto copy = [&](std::uint32_t id) {
      const TreeNode& from = (*nodes_)[id];
      TreeNode& to = (*kept)[kept->spare(share)];
      std::copy_n(from.state(), game_.state_size(), to.state());
      const auto [name, fresh] = kept->insert(share);
      if (fresh) copies.emplace_back(&from, &to);
      return name;
    };
    copy(root);
    for (std::size_t i = 0; i < copies.size(); ++i) {
      if (kept->used() > options_.memory / 8 * 3) return false;
      if (i % kUnwatched == 0 && out_of_time()) return true;
      const auto [from, to] = copies[i];
      to->outcome = from->outcome.load();
      to->visits = from->visits;
      to->least = from->least;
      to->mover = from->mover;
      if (!from->listed()) continue;
      to->edges = from->edges;
      to->tried = from->tried;
      to->list = kept->edges(share, from->edges);
      for (std::uint32_t e = 0; e < from->edges; ++e) {
        const TreeEdge& edge = from->begin()[e];
        TreeEdge& same = to->begin()[e];
        same.assign(edge);
        if (const std::uint32_t child = edge.child; child != kUnknown) same.child = copy(child);
        if (chooser_.has_extras()) to->extras()[e] = from->extras()[e];
      }
    }
    replace(std::move(kept), std::move(share));
    return true;
  }

  // The number of a move that ends the play with the best result for the one who moves, or none. The worker is at
  // `state`, has listed the moves, and stays there.
  std::uint32_t find_win(Thread& t, const std::byte* state, std::uint32_t mover, std::uint32_t count) const {
    if (mover == players_ || !t.wins.expected()) return kUnknown;
    std::uint32_t win = kUnknown;
    for (std::uint32_t i = 0; i < count && win == kUnknown; ++i) {
      t.worker->apply(i);
      if (t.worker->terminal()) {
        t.worker->results(t.results.data());
        if (t.results[mover] >= game_.most()) win = i;
      }
      t.worker->reload(state);
    }
    t.wins.note(win != kUnknown);
    return win;
  }

  // Lists the moves of a node, unless another thread does so at the same time. The worker stays there, unless the node
  // is proven then.
  void list(Thread& t, TreeNode& node) {
    t.worker->load(node.state());
    const std::uint32_t count = t.worker->list();
    TreeEdge* const edges = nodes_->edges(t.share, count);
    if (chooser_.has_extras()) {
      EdgeExtra* const extras = reinterpret_cast<EdgeExtra*>(edges + count);
      for (std::uint32_t i = 0; i < count; ++i) {
        new (extras + i) EdgeExtra{chooser_.notes_moves() ? t.worker->key(i) : 0, 0, 0, 0};
      }
    }
    const bool looks = options_.proofs && options_.wins > 0 && !nodes_->full();
    const std::uint32_t win = looks ? find_win(t, node.state(), node.mover, count) : kUnknown;
    std::uint32_t child = kUnknown;
    if (win != kUnknown) {
      t.worker->apply(win);
      child = node_of(t).first;
    }
    const auto held = hold(node);
    if (node.listed()) {
      nodes_->give_back(t.share, count);
    } else {
      node.edges = count;
      node.list.store(edges, std::memory_order_release);
    }
    if (win == kUnknown) return;
    const auto edge = std::find_if(node.begin(), node.end(), [&](const TreeEdge& other) { return other.move == win; });
    edge->child.store(child, std::memory_order_release);
    node.outcome.store((*nodes_)[child].outcome.load(std::memory_order_relaxed), std::memory_order_release);
  }

  // --- Simulations. ---

  void work(Thread& t) {
    try {
      while (!(*nodes_)[root_].proven() && !over(t) && simulate(t)) {
      }
    } catch (...) {
      const std::lock_guard lock(failing_);
      if (!problem_) problem_ = std::current_exception();
      stopped_ = true;
    }
  }

  // So many of those that are left to be made, or fewer, so that all threads have some at the end.
  std::uint32_t take(std::uint32_t wanted) {
    constexpr std::uint64_t kPart = 4;
    if (most_ == 0) return wanted;
    std::uint64_t before = taken_;
    std::uint64_t mine = 0;
    do {
      mine = std::min<std::uint64_t>(wanted, (most_ - before + kPart - 1) / kPart);
    } while (!taken_.compare_exchange_weak(before, before + mine));
    return static_cast<std::uint32_t>(mine);
  }

  // How many simulations are made in a row below what was visited so often.
  [[nodiscard]] std::uint32_t in_a_row(std::uint64_t visits) const {
    constexpr std::uint64_t kPart = 16, kMost = 4096;
    // RAVE notes each simulation all the way up.
    if (!shared_ || options_.rave > 0) return 1;
    return static_cast<std::uint32_t>(std::min(visits / kPart + 1, kMost));
  }

  [[nodiscard]] bool over(Thread& t) {
    t.over = t.over || stopped_ || late(t);
    return t.over;
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

  // False when none are left.
  bool simulate(Thread& t) {
    const std::uint32_t count = take(in_a_row(t.done));
    if (count == 0) return false;
    const std::uint32_t done = descend(t, root_, count);
    if (most_ > 0) taken_ -= count - done;
    t.done += done;
    for (std::size_t p = 0; p < players_; ++p) t.sums[p] += t.results[p];
    return true;
  }

  // Makes this many simulations from a node, or fewer if more would gain nothing; at least one. Returns their number.
  std::uint32_t descend(Thread& t, std::uint32_t at, std::uint32_t count) {
    TreeNode& node = (*nodes_)[at];
    if (node.proven()) {
      const double* results = outcomes_[node.outcome.load(std::memory_order_relaxed)];
      t.results.assign(results, results + players_);
      t.played.clear();
      return 1;
    }
    const bool listed = node.listed();
    const bool circle = std::find(t.way.begin(), t.way.end(), at) != t.way.end();
    if (circle || t.way.size() >= kDeepest || (!listed && nodes_->full())) {
      t.worker->load(node.state());
      play_out(t);
      return 1;
    }
    if (!listed) {
      list(t, node);
      if (node.proven()) return descend(t, at, count);
    }
    t.way.push_back(at);
    std::uint32_t done = step(t, node, count, !listed);
    if (done < count) {
      std::vector<double> sums = t.results;
      while (done < count && !node.proven() && !over(t)) {
        done += step(t, node, count - done, false);
        for (std::size_t p = 0; p < players_; ++p) sums[p] += t.results[p];
      }
      t.results = std::move(sums);
    }
    t.way.pop_back();
    return done;
  }
  // The same along one edge. Ready: the worker is at the node and has listed its moves.
  std::uint32_t step(Thread& t, TreeNode& node, std::uint32_t most, bool ready) {
    t.longest = std::max<std::uint64_t>(t.longest, t.way.size());
    const auto [edge, count] = follow(t, node, most);
    const std::uint32_t child = edge->child.load(std::memory_order_acquire);
    const std::uint32_t done = child == kUnknown ? extend(t, node, *edge, count, ready) : descend(t, child, count);
    back_up(t, node, *edge, count, done);
    return done;
  }
  // The edge to follow, and for how many simulations. They count as lost until they are made.
  std::pair<TreeEdge*, std::uint32_t> follow(Thread& t, TreeNode& node, std::uint32_t most) {
    const auto held = hold(node);
    ++node.visits;
    TreeEdge& edge = chooser_.choose(node, t.random);
    const std::uint32_t count = std::min(most, in_a_row(edge.visits));
    node.visits += count - 1;
    edge.visits += count;
    if (shared_) edge.renew();
    return {&edge, count};
  }
  // Makes the move of an edge whose child is not known.
  std::uint32_t extend(Thread& t, TreeNode& node, TreeEdge& edge, std::uint32_t count, bool ready) {
    if (!ready) {
      t.worker->load(node.state());
      t.worker->list();
    }
    t.worker->apply(edge.move);
    if (!nodes_->full()) {
      const auto [child, fresh] = node_of(t);
      edge.child.store(child, std::memory_order_release);
      if (!fresh || (*nodes_)[child].proven()) return descend(t, child, count);
    }
    play_out(t);
    return 1;
  }

  // Between 0 and 1 for each of them.
  [[nodiscard]] double share(double sum, std::uint32_t count) const { return (sum - game_.least() * count) * scale_; }

  void play_out(Thread& t) {
    const auto stop = [&] { return out_of_time(); };
    t.played.clear();
    const std::uint32_t moves = play_listed(t, stop);
    const bool finished =
        chooser_.notes_moves() ? t.worker->terminal() : t.worker->play_out(t.random, options_.most_moves - moves, stop);
    if (finished) {
      t.worker->results(t.results.data());
    } else {
      t.results.assign(players_, (game_.least() + game_.most()) / 2);
    }
    if (options_.mast <= 0) return;
    for (const auto& [mover, key] : t.played) t.averages.add(mover, key, share(t.results[mover], 1), 1);
  }
  // The moves of a playout that the options ask to choose from a list: all, or the first ones. Returns their number.
  template <class Stop>
  std::uint32_t play_listed(Thread& t, const Stop& stop) {
    const std::uint32_t looks = options_.wins > 0 ? options_.wins - 1 : 0;
    const std::uint32_t most = chooser_.notes_moves() ? options_.most_moves : std::min(looks, options_.most_moves);
    std::uint32_t moves = 0;
    for (; moves < most && !t.worker->terminal() && !stop(); ++moves) {
      const std::uint32_t mover = t.worker->mover();
      const std::uint32_t count = t.worker->list();
      std::uint32_t win = kUnknown;
      if (moves < looks) {
        t.worker->store(t.here.data());
        win = find_win(t, t.here.data(), mover, count);
      }
      const std::uint32_t index = win == kUnknown ? any_move(t, mover, count) : win;
      if (chooser_.notes_moves() && mover < players_) t.played.emplace_back(mover, t.worker->key(index));
      t.worker->apply(index);
    }
    return moves;
  }
  // Of those listed: at random, or the better one of several by their averages.
  std::uint32_t any_move(Thread& t, std::uint32_t mover, std::uint32_t count) const {
    std::uint32_t index = t.random.below(count);
    if (mover == players_ || options_.mast <= 0 || t.random.unit() >= options_.mast) return index;
    for (std::uint32_t i = 1; i < std::min(count, kContest); ++i) {
      const std::uint32_t other = t.random.below(count);
      if (t.averages(mover, t.worker->key(other)) > t.averages(mover, t.worker->key(index))) index = other;
    }
    return index;
  }

  // Adds the results of `done` simulations, of `count` that were to be made.
  void back_up(Thread& t, TreeNode& node, TreeEdge& edge, std::uint32_t count, std::uint32_t done) {
    const double sum = node.mover < players_ ? share(t.results[node.mover], done) : 0.5 * done;
    const float line = chooser_.follows_lines() ? line_below(edge, node.mover) : 0;
    const auto held = hold(node);
    node.visits -= count - done;
    edge.visits -= count - done;
    edge.sum += sum;
    edge.renew();
    learn(node, edge);
    if (node.least != kUnknown && outcomes_[node.least][node.mover] * done > t.results[node.mover]) {
      for (std::size_t p = 0; p < players_; ++p) t.results[p] = outcomes_[node.least][p] * done;
    }
    if (options_.proofs) prove(node, edge);
    if (chooser_.notes_moves() && node.mover < players_) note(t, node, edge, sum, done);
    if (chooser_.follows_lines()) follow_line(node, edge, line);
  }
  void note(Thread& t, TreeNode& node, const TreeEdge& edge, double sum, std::uint32_t done) const {
    const std::uint64_t key = node.extra(edge).key;
    if (options_.mast > 0) t.averages.add(node.mover, key, sum, done);
    if (options_.rave <= 0) return;
    t.played.emplace_back(node.mover, key);
    t.later.clear();
    for (const auto& [mover, made] : t.played) {
      if (mover == node.mover) t.later.push_back(made);
    }
    std::sort(t.later.begin(), t.later.end());
    Chooser::note_later(node, t.later, sum);
  }
  // Negative where it is not settled. This holds the child, so nothing else may be held.
  float line_below(const TreeEdge& edge, std::uint32_t player) const {
    const std::uint32_t id = edge.child.load(std::memory_order_acquire);
    if (id == kUnknown) return -1;
    TreeNode& child = (*nodes_)[id];
    const auto held = hold(child);
    return chooser_.line_value(child, player);
  }
  // The value of the child is its mean until it has been visited often, and from then on that of its most visited move.
  void follow_line(TreeNode& node, const TreeEdge& edge, float below) const {
    float& line = node.extra(edge).line;
    line = below < 0 ? edge.mean : below;
    if (edge.outcome == kUnknown || node.mover == players_) return;
    line = static_cast<float>(share(outcomes_[edge.outcome][node.mover], 1));
  }

  // Copies the proven outcome of the child to the edge, where choosing reads it.
  void learn(TreeNode& node, TreeEdge& edge) const {
    if (edge.outcome != kUnknown) return;
    edge.outcome = outcome_below(edge);
    if (edge.outcome == kUnknown || node.mover == players_) return;
    if (node.least == kUnknown || outcomes_[edge.outcome][node.mover] > outcomes_[node.least][node.mover]) {
      node.least = edge.outcome;
    }
  }
  [[nodiscard]] std::uint32_t outcome_below(const TreeEdge& edge) const {
    const std::uint32_t child = edge.child.load(std::memory_order_acquire);
    return child == kUnknown ? kUnknown : (*nodes_)[child].outcome.load(std::memory_order_acquire);
  }
  // A node may be proven now that the child of this edge is.
  void prove(TreeNode& node, const TreeEdge& edge) const {
    if (edge.outcome == kUnknown || node.proven()) return;
    const bool chance = node.mover == players_;
    const bool best = !chance && outcomes_[edge.outcome][node.mover] >= game_.most();
    if (!best) {
      if (!chance && node.tried < node.edges) return;
      for (TreeEdge& other : node) {
        learn(node, other);
        if (other.outcome == kUnknown || (chance && other.outcome != edge.outcome)) return;
      }
    }
    node.outcome.store(best || chance ? edge.outcome : node.least, std::memory_order_release);
  }

  // --- What was found. ---

  TreeReport report(double seconds) const {
    TreeReport out;
    std::vector<double> sums(players_);
    for (const auto& thread : threads_) {
      out.simulations += thread->done;
      out.longest = std::max(out.longest, thread->longest);
      for (std::size_t p = 0; p < players_; ++p) sums[p] += thread->sums[p];
    }
    out.nodes = nodes_->count();
    out.seconds = seconds;
    const TreeNode& root = (*nodes_)[root_];
    out.proven = root.proven();
    for (std::size_t p = 0; p < players_; ++p) {
      const double middle = (game_.least() + game_.most()) / 2;
      const double mean = out.simulations > 0 ? sums[p] / static_cast<double>(out.simulations) : middle;
      out.values.push_back(out.proven ? outcomes_[root.outcome][p] : mean);
    }
    if (!root.listed()) return out;
    out.moves.resize(root.edges);
    for (const TreeEdge& edge : root) {
      RootMove& move = out.moves[edge.move];
      move.move = edge.move;
      move.visits = edge.visits;
      move.value = edge.visits > 0 ? edge.sum / edge.visits : 0.5;
      const std::uint32_t outcome = outcome_below(edge);
      if (outcome == kUnknown || root.mover == players_) continue;
      move.proven = true;
      move.value = share(outcomes_[outcome][root.mover], 1);
    }
    line(out.line);
    return out;
  }
  void line(std::vector<std::uint32_t>& out) const {
    constexpr std::size_t kLongest = 40;
    for (std::uint32_t at = root_; at != kUnknown && (*nodes_)[at].listed() && out.size() < kLongest;) {
      const TreeNode& node = (*nodes_)[at];
      const auto fewer = [](const TreeEdge& one, const TreeEdge& other) { return one.visits < other.visits; };
      const TreeEdge& best = *std::max_element(node.begin(), node.end(), fewer);
      if (best.visits == 0) return;
      out.push_back(best.move);
      at = best.child;
    }
  }

  Game game_;
  TreeOptions options_;
  TreeRandom seeds_;
  std::uint32_t players_;
  Chooser chooser_;
  double scale_ = 1;     // of results to numbers between 0 and 1
  bool shared_ = false;  // by several threads

  std::unique_ptr<TreeNodes> nodes_;
  TreeOutcomes outcomes_;
  std::uint32_t root_ = kUnknown;

  std::vector<std::unique_ptr<Thread>> threads_;
  std::atomic<bool> stopped_ = false;
  std::mutex failing_;
  std::exception_ptr problem_;
  typename Clock::time_point deadline_;
  std::uint64_t most_ = 0;
  alignas(kLine) std::atomic<std::uint64_t> taken_ = 0;  // simulations
};

}  // namespace rgtrans::search
