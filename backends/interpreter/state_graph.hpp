// StateGraph speeds up playouts by caching move lists. Like a lazily built automaton for text, it turns frequent states
// into nodes of an explicit graph with an edge for every move. In a small game, playouts soon only follow edges; in a
// large one, only the opening is cached. When the memory limit is reached, no more states are added.
//
// A state is added when the edge to it is taken for the second time. The graph never changes the result of a playout,
// because cached and uncached states have the same moves in the same order and use the same random numbers.
//
// Rules hold the current state, and store data for nodes and edges by their numbers. They have these members:
// * bool over(): whether the play is over in the current state; outcome(): its outcome then, as a number.
// * bool turn(): whether a player, not random, is to move.
// * std::uint32_t list(): lists the moves of the current state and returns their number.
// * std::uint64_t hash(), bool same(node): hash of the current state, and whether it is equal to that of a node.
// * void keep(): stores the current state as the next node, and its moves as the next edges.
// * bool make(node, edge): sets the current state to the result of the edge's move from the node and makes keeper's
//   moves. Returns false if keeper has no move.
// * bool full(): whether the memory limit is reached.
//
// Compiled reasoners embed this file, so it depends on the standard library only. A Sequence has the interface of
// std::vector.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rgtrans::interpreter {

constexpr std::uint64_t kMaxKeeperMoves = 10'000'000;  // in a row; a play with more never ends

// Statistics over many plays.
struct Series {
  std::uint64_t count = 0, turns = 0, longest = 0, shortest = ~std::uint64_t{0}, squares = 0, choices = 0,
                most_choices = 0;

  void add(std::uint64_t length) {
    ++count;
    turns += length;
    longest = length > longest ? length : longest;
    shortest = length < shortest ? length : shortest;
    squares += length * length;
  }
};

template <template <class> class Sequence>
class StateGraph {
 public:
  // Results in place of a node: the continuation is unknown; the play exceeded the limit on moves; nobody has a move.
  static constexpr std::uint32_t kUnknown = 0xffffffffU, kStopped = 0xfffffffdU, kStuck = 0xfffffffcU;
  // The smallest of these values.
  static constexpr std::uint32_t kNoNode = kStuck;

  // Counts of one play. Statistics about choices are added up over all plays.
  struct Counts {
    std::uint64_t moves = 0;  // including those of random
    std::uint64_t turns = 0;  // of players only
    std::uint64_t choices = 0;
    std::uint64_t most_choices = 0;
  };

  // The node of the current state, added if new; kStuck if some mover has no move.
  template <class Rules>
  std::uint32_t node(Rules& rules) {
    const std::uint64_t hash = rules.hash();
    if ((nodes_.size() + 1) * 2 > slots_.size()) grow();
    std::size_t i = hash & (slots_.size() - 1);
    for (; slots_[i].node != kUnknown; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].hash == hash && rules.same(slots_[i].node)) return slots_[i].node;
    }
    const bool over = rules.over();
    const std::uint32_t moves = over ? 0 : rules.list();
    if (moves == 0 && !over) return kStuck;
    const auto id = static_cast<std::uint32_t>(nodes_.size());
    slots_[i] = {hash, id};
    const std::uint32_t first = over ? rules.outcome() : static_cast<std::uint32_t>(edges_.size());
    nodes_.push_back({first, moves * 2 + (rules.turn() ? 1U : 0U)});
    for (std::uint32_t m = 0; m < moves; ++m) edges_.push_back(kUnknown);
    rules.keep();
    return id;
  }

  // The point where a play leaves the known graph: an edge taken from a node. Without an edge, the play ended at the
  // node, or `at` is kStopped.
  struct Step {
    std::uint32_t at;
    std::uint32_t edge = kUnknown;
  };

  // Plays from a node while `more(series)` holds. `random.choice(n)` selects one of n moves; `ended(node or kStopped)`
  // is called after each play. Returns when a play leaves the known graph, with its step and its counts.
  template <class Random, class More, class Ended>
  Step play(std::uint32_t root, Random& random, std::uint64_t most_moves, Series& series, const More& more,
            const Ended& ended, Counts& counts) const {
    Random numbers = random;  // local copies stay in registers
    Series all = series;
    Step left{root};
    do {
      Counts play{0, 0, all.choices, all.most_choices};
      const Step step = follow(root, numbers, most_moves, play);
      all.choices = play.choices;
      all.most_choices = play.most_choices;
      if (step.edge != kUnknown) {
        left = step;
        counts = play;
        break;
      }
      all.add(play.turns);
      ended(step.at);
    } while (more(all));
    random = numbers;
    series = all;
    return left;
  }

  // Continues a play that left the known graph. Returns its final node, or kUnknown if it continues from the current
  // state of the rules.
  template <class Rules, class Random>
  std::uint32_t walk(Step step, Rules& rules, Random& random, std::uint64_t most_moves, Counts& counts) {
    while (step.edge != kUnknown) {
      const std::uint32_t at = extend(step, rules);
      if (at >= kNoNode) return at;
      step = follow(at, random, most_moves, counts);
    }
    return step.at;
  }

  // The outcome that the rules returned for a final node.
  [[nodiscard]] std::uint32_t outcome(std::uint32_t node) const { return nodes_[node].first; }

  // The memory of the graph, excluding the data that the rules store.
  [[nodiscard]] std::size_t bytes() const {
    return nodes_.size() * (sizeof(Node) + 4 * sizeof(Slot)) + edges_.size() * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::uint32_t kOnce = 0xfffffffeU;  // an edge taken only once

  struct Node {
    std::uint32_t first;           // edge; the outcome if the play is over
    std::uint32_t moves_and_turn;  // without moves the play is over
  };
  struct Slot {
    std::uint64_t hash;
    std::uint32_t node;
  };
  // Follows a play from a node along known edges.
  template <class Random>
  Step follow(std::uint32_t at, Random& random, std::uint64_t most_moves, Counts& counts) const {
    for (;;) {
      const Node node = nodes_[at];
      const std::uint32_t moves = node.moves_and_turn / 2;
      if (moves == 0) return {at};
      if (counts.moves == most_moves) return {kStopped};
      ++counts.moves;
      if ((node.moves_and_turn & 1U) != 0) {
        ++counts.turns;
        counts.choices += moves;
        if (moves > counts.most_choices) counts.most_choices = moves;
      }
      const std::uint32_t edge = node.first + random.choice(moves);
      const std::uint32_t target = edges_[edge];
      if (target >= kNoNode) return {at, edge};
      at = target;
    }
  }
  // The node that an edge leads to; added when the edge is taken for the second time.
  template <class Rules>
  std::uint32_t extend(Step step, Rules& rules) {
    if (!rules.make(step.at, step.edge)) return kStuck;
    if (edges_[step.edge] != kOnce || rules.full()) {
      edges_[step.edge] = kOnce;
      return kUnknown;
    }
    const std::uint32_t at = node(rules);
    if (at != kStuck) edges_[step.edge] = at;
    return at;
  }
  void grow() {
    Sequence<Slot> old;
    for (const Slot& slot : slots_) {
      if (slot.node != kUnknown) old.push_back(slot);
    }
    const std::size_t room = slots_.size() < 64 ? 64 : slots_.size() * 2;
    slots_.clear();
    for (std::size_t i = 0; i < room; ++i) slots_.push_back({0, kUnknown});
    for (const Slot& slot : old) {
      std::size_t i = slot.hash & (room - 1);
      while (slots_[i].node != kUnknown) i = (i + 1) & (room - 1);
      slots_[i] = slot;
    }
  }

  Sequence<Node> nodes_;
  Sequence<std::uint32_t> edges_;  // target by edge
  Sequence<Slot> slots_;
};

}  // namespace rgtrans::interpreter
