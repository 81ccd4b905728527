// Random playouts: a tight loop that uses the graph of known states where it can, and the machine elsewhere.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "backends/interpreter/engine.hpp"
#include "backends/interpreter/rng.hpp"
#include "backends/interpreter/state_graph.hpp"
#include "backends/results.hpp"
#include "core/support/clock.hpp"

namespace rgtrans::interpreter {

namespace {

// The distinct results of plays with their frequencies.
class Outcomes {
 public:
  // The number of the outcome with these goal codes.
  std::uint32_t number(const std::vector<std::uint32_t>& goals) {
    for (std::uint32_t i = 0; i < kLinear && i < goals_.size(); ++i) {
      if (goals_[i] == goals) return i;
    }
    const auto [it, fresh] = index_.try_emplace(goals, static_cast<std::uint32_t>(goals_.size()));
    if (fresh) {
      goals_.push_back(goals);
      hits.push_back(0);
    }
    return it->second;
  }
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& goals() const { return goals_; }
  std::vector<std::uint64_t> hits;

 private:
  static constexpr std::uint32_t kLinear = 4;
  std::vector<std::vector<std::uint32_t>> goals_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> index_;
};

template <class T>
using Sequence = std::vector<T>;
using Graph = StateGraph<Sequence>;

template <class Cell>
class Player {
 public:
  Player(const Compiled& compiled, Machine<Cell>& machine, const PlayoutOptions& options)
      : compiled_(compiled),
        machine_(machine),
        options_(options),
        rng_(options.seed),
        random_(compiled.layout.code(compiled.game.random())),
        keeper_(compiled.layout.code(compiled.game.keeper())) {
    goals_.resize(compiled.goal_cells.size());
  }

  PlayoutStats run(const std::vector<Cell>& state, std::uint32_t start) {
    const auto begin = Clock::now();
    state_ = state;
    start_ = start;
    run_keeper();
    root_ = graph_.node(*this);
    // Adapts the number of playouts between two reads of the clock to their speed.
    std::uint64_t budget = options_.count > 0 ? options_.count : options_.seconds > 0 ? 1 : 0;
    for (;;) {
      const std::uint64_t wanted = series_.count + budget;
      while (series_.count < wanted && !options_.stopped()) play(wanted);
      if (options_.count > 0 || options_.stopped()) break;
      const double passed = seconds_since(begin);
      if (passed >= options_.seconds) break;
      const double rate = static_cast<double>(series_.count) / std::max(passed, 1e-6);
      budget = static_cast<std::uint64_t>(std::clamp(rate * std::min(options_.seconds - passed, 0.02), 1.0, 1e7));
    }
    stats_.seconds = seconds_since(begin);
    add_goals();
    stats_.playouts = series_.count;
    stats_.moves = series_.turns;
    stats_.max_length = series_.longest;
    stats_.min_length = series_.shortest;
    stats_.length_squares = static_cast<double>(series_.squares);
    stats_.branching_sum = series_.choices;
    stats_.branching_max = series_.most_choices;
    return std::move(stats_);
  }

  // The Rules of a StateGraph. Only the part of a state that can affect the rest of the play is stored.
  [[nodiscard]] bool over() const { return compiled_.final_start[start_]; }
  [[nodiscard]] bool turn() const { return state_[compiled_.player_cell] != random_; }
  std::uint32_t outcome() {
    for (std::size_t i = 0; i < goals_.size(); ++i) goals_[i] = state_[compiled_.goal_cells[i]];
    return outcomes_.number(goals_);
  }
  std::uint32_t list() {
    const std::uint32_t count = machine_.find(state_.data(), start_);
    if (count == 0) stuck();
    return count;
  }
  [[nodiscard]] std::uint64_t hash() const {
    std::uint64_t h = start_;
    for (const std::uint32_t cell : compiled_.key_cells[start_]) {
      h = (h ^ state_[cell]) * 0x9fb21c651e98df25ULL + (h >> 29U);
    }
    return mix_hash(h);
  }
  [[nodiscard]] bool same(std::uint32_t node) const {
    if (known_[node].start != start_) return false;
    const Cell* const state = states_.data() + known_[node].state;
    return std::ranges::all_of(compiled_.key_cells[start_],
                               [&](std::uint32_t cell) { return state[cell] == state_[cell]; });
  }
  void keep() {
    known_.push_back({start_, static_cast<std::uint32_t>(states_.size())});
    states_.insert(states_.end(), state_.begin(), state_.end());
    const std::uint32_t moves = over() ? 0 : machine_.found();
    for (std::uint32_t i = 0; i < moves; ++i) {
      const std::size_t first = changes_.size();
      listed_.clear();
      const auto note = [&](std::uint32_t cell, std::uint32_t value) { listed_.push_back({cell, value}); };
      const std::uint32_t start = machine_.changes(i, state_.data(), note);
      for (const Change& change : listed_) {
        if (compiled_.matters[start][change.cell] != 0) changes_.push_back(change);
      }
      edges_.push_back({start, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(changes_.size() - first)});
    }
  }
  bool make(std::uint32_t node, std::uint32_t edge) {
    std::copy_n(states_.begin() + known_[node].state, state_.size(), state_.begin());
    const Change* const changes = changes_.data() + edges_[edge].first_change;
    for (std::size_t i = 0; i < edges_[edge].changes; ++i) {
      state_[changes[i].cell] = static_cast<Cell>(changes[i].value);
    }
    start_ = edges_[edge].start;
    run_keeper();
    return true;
  }
  [[nodiscard]] bool full() const {
    return graph_.bytes() + known_.size() * sizeof(Known) + edges_.size() * sizeof(Edge) +
               changes_.size() * sizeof(Change) + states_.size() * sizeof(Cell) >=
           compiled_.options.state_cache_bytes;
  }

 private:
  struct Known {
    std::uint32_t start;
    std::uint32_t state;  // its first cell
  };
  struct Edge {
    std::uint32_t start;
    std::uint32_t first_change;
    std::uint32_t changes;
  };

  void run_keeper() {
    for (std::uint64_t moves = 0; state_[compiled_.player_cell] == keeper_ && !compiled_.final_start[start_]; ++moves) {
      if (moves > kMaxKeeperMoves) endless_keeper(position());
      if (!machine_.first(state_.data(), start_)) stuck();
    }
  }
  [[nodiscard]] std::string position() const { return compiled_.node_names[compiled_.program.starts[start_].node]; }
  [[noreturn]] void stuck() const {
    throw Error(fmt::format("{} has no move at {}, and the play is not over",
                            compiled_.symbol_text(state_[compiled_.player_cell]), position()),
                "`check --dynamic` shows the moves that lead there");
  }

  // Plays until `wanted` playouts are counted, or one of them leaves the known graph.
  void play(std::uint64_t wanted) {
    constexpr std::uint64_t kUnwatched = 1024;  // known plays between two checks of the stop condition
    wanted = std::min(wanted, series_.count + kUnwatched);
    const Graph::Step step = graph_.play(
        root_, rng_, options_.max_moves, series_, [wanted](const Series& series) { return series.count < wanted; },
        [this](std::uint32_t node) { end(node); }, counts_);
    if (step.edge == Graph::kUnknown) return;
    end(graph_.walk(step, *this, rng_, options_.max_moves, counts_));
    series_.choices = counts_.choices;
    series_.most_choices = counts_.most_choices;
    series_.add(counts_.turns);
  }
  void end(std::uint32_t node) {
    if (node == Graph::kStopped || (node == Graph::kUnknown && !play_on())) {
      ++stats_.stopped;
    } else {
      ++outcomes_.hits[node == Graph::kUnknown ? outcome() : graph_.outcome(node)];
    }
  }

  // Plays from the current state to the end, without the graph.
  bool play_on() {
    while (!over()) {
      if (options_.stopped() || counts_.moves == options_.max_moves) return false;
      const std::uint32_t count = list();
      ++counts_.moves;
      if (turn()) {
        ++counts_.turns;
        counts_.choices += count;
        counts_.most_choices = std::max<std::uint64_t>(counts_.most_choices, count);
      }
      machine_.make(rng_.choice(count), state_.data(), start_);
      run_keeper();
    }
    return true;
  }

  void add_goals() {
    const std::size_t players = compiled_.info.players.size();
    stats_.goal_sum.assign(players, 0);
    stats_.goal_squares.assign(players, 0);
    stats_.wins.assign(players, 0);
    for (std::size_t i = 0; i < outcomes_.hits.size(); ++i) {
      std::vector<double> goals;
      for (std::uint32_t code : outcomes_.goals()[i]) goals.push_back(compiled_.goal_value(code));
      add_result(stats_, goals, outcomes_.hits[i]);
    }
  }

  const Compiled& compiled_;
  Machine<Cell>& machine_;
  const PlayoutOptions& options_;
  Rng rng_;
  const std::uint32_t random_;
  const std::uint32_t keeper_;
  Graph graph_;
  std::vector<Known> known_;  // by node
  std::vector<Edge> edges_;
  std::vector<Change> changes_;
  std::vector<Change> listed_;  // changes of one move
  std::vector<Cell> states_;
  std::uint32_t root_ = 0;
  Graph::Counts counts_;
  std::vector<Cell> state_;
  std::uint32_t start_ = 0;
  Outcomes outcomes_;
  std::vector<std::uint32_t> goals_;
  Series series_;
  PlayoutStats stats_;
};

}  // namespace

template <class Cell>
PlayoutStats InterpreterEngine<Cell>::playouts(const PlayoutOptions& options) {
  PlayoutOptions limited = options;
  if (limited.max_moves == 0) limited.max_moves = UINT64_MAX;
  return Player<Cell>(*compiled_, machine_, limited).run(state_, start_);
}

template <class Cell>
bool InterpreterEngine<Cell>::play_out(std::uint64_t& random, std::uint64_t most_moves,
                                       const std::function<bool()>& stop) {
  constexpr std::uint64_t kUnwatched = 16;  // moves between two checks of the stop condition
  Rng rng(random);
  random = rng.next();
  listed_ = walked_ = false;
  history_.clear();
  old_.clear();
  for (std::uint64_t moves = 0;; ++moves) {
    run_keeper(machine_, state_.data(), start_);
    if (terminal()) return true;
    if (moves == most_moves || (moves % kUnwatched == kUnwatched - 1 && stop())) return false;
    const std::uint32_t count = machine_.find(state_.data(), start_);
    if (count == 0) stuck(start_, state_.data());
    machine_.make(rng.choice(count), state_.data(), start_);
  }
}

template PlayoutStats InterpreterEngine<ByteCell>::playouts(const PlayoutOptions&);
template PlayoutStats InterpreterEngine<std::uint16_t>::playouts(const PlayoutOptions&);
template PlayoutStats InterpreterEngine<std::uint32_t>::playouts(const PlayoutOptions&);
template bool InterpreterEngine<ByteCell>::play_out(std::uint64_t&, std::uint64_t, const std::function<bool()>&);
template bool InterpreterEngine<std::uint16_t>::play_out(std::uint64_t&, std::uint64_t, const std::function<bool()>&);
template bool InterpreterEngine<std::uint32_t>::play_out(std::uint64_t&, std::uint64_t, const std::function<bool()>&);

}  // namespace rgtrans::interpreter
