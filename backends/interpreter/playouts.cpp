// Random playouts: the tight loop, on the graph of known states as far as it reaches and on the machine beyond.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "backends/interpreter/engine.hpp"

namespace rgtrans::interpreter {

namespace {

template <class Cell>
class Player {
 public:
  Player(const Compiled& compiled, Machine<Cell>& machine, StateGraph<Cell>& graph, const PlayoutOptions& options)
      : compiled_(compiled),
        machine_(machine),
        graph_(graph),
        options_(options),
        rng_(options.seed),
        random_(compiled.layout.code(compiled.game.random())),
        keeper_(compiled.layout.code(compiled.game.keeper())) {
    goals_.resize(compiled.goal_cells.size());
  }

  PlayoutStats run(const std::vector<Cell>& state, std::uint32_t start) {
    const auto begin = std::chrono::steady_clock::now();
    state_ = state;
    start_ = start;
    run_keeper();
    root_state_ = state_;
    root_start_ = start_;
    root_ = graph_.find(state_.data(), start_);
    if (root_ == StateGraph<Cell>::kUnknown) root_ = add_node();
    // How many playouts fit between two looks at the clock is found out on the way.
    std::uint64_t budget = options_.count > 0 ? options_.count : options_.seconds > 0 ? 1 : 0;
    for (;;) {
      for (; budget > 0 && !options_.stopped(); --budget) play();
      if (options_.count > 0 || options_.stopped()) break;
      const double passed = seconds_since(begin);
      if (passed >= options_.seconds) break;
      const double rate = static_cast<double>(stats_.playouts) / std::max(passed, 1e-6);
      budget = static_cast<std::uint64_t>(std::clamp(rate * std::min(options_.seconds - passed, 0.02), 1.0, 1e7));
    }
    stats_.seconds = seconds_since(begin);
    add_goals();
    stats_.length_squares = static_cast<double>(squares_);
    return std::move(stats_);
  }

 private:
  static double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  void run_keeper() {
    for (std::uint64_t moves = 0; state_[compiled_.player_cell] == keeper_ && !compiled_.final_start[start_]; ++moves) {
      if (moves > kMaxKeeperMoves) {
        throw Error(fmt::format("keeper moves more than {} times in a row, last at {}", kMaxKeeperMoves, position()));
      }
      if (!machine_.first(state_.data(), start_)) stuck();
    }
  }
  [[nodiscard]] std::string position() const { return compiled_.node_names[compiled_.program.starts[start_].node]; }
  [[noreturn]] void stuck() const {
    throw Error(fmt::format("{} has no move at {}, and the play is not over",
                            compiled_.symbol_text(state_[compiled_.player_cell]), position()),
                "`check --dynamic` shows the moves that lead there");
  }

  std::uint32_t outcome() {
    for (std::size_t i = 0; i < goals_.size(); ++i) goals_[i] = state_[compiled_.goal_cells[i]];
    return outcomes_.number(goals_);
  }

  void list() {
    machine_.list_for_play(state_.data(), start_, moves_, compiled_.matters);
    if (moves_.moves.empty()) stuck();
  }

  void make(const Change* changes, std::size_t count, std::uint32_t start) {
    for (std::size_t i = 0; i < count; ++i) state_[changes[i].cell] = static_cast<Cell>(changes[i].value);
    start_ = start;
    run_keeper();
  }

  // The node of the current state, added to the graph.
  std::uint32_t add_node() {
    typename StateGraph<Cell>::Node node{};
    node.start = start_;
    if (compiled_.final_start[start_]) {
      for (std::size_t i = 0; i < goals_.size(); ++i) goals_[i] = state_[compiled_.goal_cells[i]];
      node.outcome = outcome();
    } else {
      list();
      node.first_edge = static_cast<std::uint32_t>(graph_.edges.size());
      node.moves = static_cast<std::uint32_t>(moves_.moves.size());
      node.player = state_[compiled_.player_cell] != random_;
      node.state = static_cast<std::uint32_t>(graph_.states.size());
      graph_.states.insert(graph_.states.end(), state_.begin(), state_.end());
      for (std::size_t i = 0; i < moves_.moves.size(); ++i) {
        const MoveList::Move& move = moves_.moves[i];
        graph_.edges.push_back({StateGraph<Cell>::kUnknown, move.start,
                                static_cast<std::uint32_t>(graph_.changes.size()),
                                move.end_change - move.first_change});
        graph_.changes.insert(graph_.changes.end(), moves_.changes.data() + move.first_change,
                              moves_.changes.data() + move.end_change);
      }
    }
    const auto id = static_cast<std::uint32_t>(graph_.nodes.size());
    graph_.nodes.push_back(node);
    graph_.insert(state_.data(), start_, id);
    return id;
  }

  void leave_graph(const typename StateGraph<Cell>::Node& node, const typename StateGraph<Cell>::Edge& edge) {
    std::copy_n(graph_.states.begin() + node.state, state_.size(), state_.begin());
    make(graph_.changes.data() + edge.first_change, edge.changes, edge.start);
  }

  void play() {
    std::uint64_t length = 0;
    std::uint64_t moves = 0;
    std::uint32_t at = root_;
    std::uint32_t result = 0;
    for (;;) {
      const typename StateGraph<Cell>::Node node = graph_.nodes[at];
      if (node.moves == 0) {
        result = node.outcome;
        break;
      }
      if (node.player) {
        ++length;
        stats_.branching_sum += node.moves;
        stats_.branching_max = std::max<std::uint64_t>(stats_.branching_max, node.moves);
      }
      if (++moves > options_.max_moves) return stop(length);
      const std::uint32_t chosen = node.first_edge + (node.moves == 1 ? 0 : rng_.below(node.moves));
      typename StateGraph<Cell>::Edge& edge = graph_.edges[chosen];
      if (edge.target < StateGraph<Cell>::kOnce) {
        at = edge.target;
        continue;
      }
      const bool again = edge.target == StateGraph<Cell>::kOnce;
      leave_graph(node, edge);
      if (again && !graph_.full()) {
        std::uint32_t next = graph_.find(state_.data(), start_);
        if (next == StateGraph<Cell>::kUnknown) next = add_node();
        graph_.edges[chosen].target = next;
        at = next;
        continue;
      }
      edge.target = StateGraph<Cell>::kOnce;
      if (!play_on(length, moves)) return stop(length);
      result = outcome();
      break;
    }
    finish(length);
    ++outcomes_.hits[result];
  }

  // From the current state to the end, without the graph.
  bool play_on(std::uint64_t& length, std::uint64_t& moves) {
    while (!compiled_.final_start[start_]) {
      if (options_.stopped()) return false;
      list();
      const auto count = static_cast<std::uint32_t>(moves_.moves.size());
      if (state_[compiled_.player_cell] != random_) {
        ++length;
        stats_.branching_sum += count;
        stats_.branching_max = std::max<std::uint64_t>(stats_.branching_max, count);
      }
      if (++moves > options_.max_moves) return false;
      const MoveList::Move& move = moves_.moves[count == 1 ? 0 : rng_.below(count)];
      make(moves_.changes.data() + move.first_change, move.end_change - move.first_change, move.start);
    }
    return true;
  }

  void finish(std::uint64_t length) {
    ++stats_.playouts;
    stats_.moves += length;
    squares_ += length * length;
    stats_.max_length = std::max(stats_.max_length, length);
    stats_.min_length = std::min(stats_.min_length, length);
  }
  void stop(std::uint64_t length) {
    finish(length);
    ++stats_.stopped;
  }

  void add_goals() {
    const std::size_t players = compiled_.info.players.size();
    stats_.goal_sum.assign(players, 0);
    stats_.goal_squares.assign(players, 0);
    stats_.wins.assign(players, 0);
    for (std::size_t i = 0; i < outcomes_.hits.size(); ++i) {
      const auto hits = static_cast<double>(outcomes_.hits[i]);
      std::vector<double> goals;
      for (std::uint32_t code : outcomes_.goals()[i]) goals.push_back(compiled_.goal_value(code));
      for (std::size_t p = 0; p < players; ++p) {
        stats_.goal_sum[p] += hits * goals[p];
        stats_.goal_squares[p] += hits * goals[p] * goals[p];
        bool best = players > 1 || goals[p] > 0;
        for (std::size_t q = 0; q < players; ++q) best = best && (q == p || goals[p] > goals[q]);
        if (best) stats_.wins[p] += outcomes_.hits[i];
      }
    }
  }

  const Compiled& compiled_;
  Machine<Cell>& machine_;
  StateGraph<Cell>& graph_;
  const PlayoutOptions& options_;
  Rng rng_;
  const std::uint32_t random_;
  const std::uint32_t keeper_;
  std::vector<Cell> root_state_;
  std::uint32_t root_start_ = 0;
  std::uint32_t root_ = 0;
  std::vector<Cell> state_;
  std::uint32_t start_ = 0;
  MoveList moves_;
  Outcomes outcomes_;
  std::vector<std::uint32_t> goals_;
  std::uint64_t squares_ = 0;
  PlayoutStats stats_;
};

}  // namespace

template <class Cell>
PlayoutStats InterpreterEngine<Cell>::playouts(const PlayoutOptions& options) {
  StateGraph<Cell> graph(*compiled_, compiled_->options.state_cache_bytes);
  return Player<Cell>(*compiled_, machine_, graph, options).run(state_, start_);
}

template <class Cell>
bool InterpreterEngine<Cell>::play_out(std::uint64_t& random, std::uint64_t most_moves,
                                       const std::function<bool()>& stop) {
  constexpr std::uint64_t kUnwatched = 16;  // moves between two questions whether to stop
  Rng rng(random);
  random = rng.next();
  listed_ = walked_ = false;
  history_.clear();
  old_.clear();
  for (std::uint64_t moves = 0;; ++moves) {
    run_keeper(machine_, state_.data(), start_);
    if (terminal()) return true;
    if (moves == most_moves || (moves % kUnwatched == kUnwatched - 1 && stop())) return false;
    machine_.list_for_play(state_.data(), start_, moves_, compiled_->matters);
    const auto count = static_cast<std::uint32_t>(moves_.moves.size());
    if (count == 0) stuck(start_, state_.data());
    const MoveList::Move& move = moves_.moves[count == 1 ? 0 : rng.below(count)];
    for (std::uint32_t i = move.first_change; i < move.end_change; ++i) {
      state_[moves_.changes[i].cell] = static_cast<Cell>(moves_.changes[i].value);
    }
    start_ = move.start;
  }
}

template PlayoutStats InterpreterEngine<ByteCell>::playouts(const PlayoutOptions&);
template PlayoutStats InterpreterEngine<std::uint16_t>::playouts(const PlayoutOptions&);
template PlayoutStats InterpreterEngine<std::uint32_t>::playouts(const PlayoutOptions&);
template bool InterpreterEngine<ByteCell>::play_out(std::uint64_t&, std::uint64_t, const std::function<bool()>&);
template bool InterpreterEngine<std::uint16_t>::play_out(std::uint64_t&, std::uint64_t, const std::function<bool()>&);
template bool InterpreterEngine<std::uint32_t>::play_out(std::uint64_t&, std::uint64_t, const std::function<bool()>&);

}  // namespace rgtrans::interpreter
