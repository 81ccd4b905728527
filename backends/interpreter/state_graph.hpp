// StateGraph: playouts without listing the same moves twice. As a lazily built automaton does for text, it turns
// the states that come up often into nodes of an explicit graph, with an edge for every move. In a small game a playout
// is soon a mere walk on it; in a large one only its opening moves are, and when the memory is used up nothing more is
// added. A state is added when the edge to it is taken for the second time. Playouts do not depend on what is in the
// graph: both ways list the same moves in the same order and draw the same random numbers.
//
// Rules stand in a state, the present one, and keep what belongs to nodes and edges, by their numbers. They have
//   bool over(), in the present state; its outcome() then, a number; bool turn(), a player is to move there, not
//   random; std::uint32_t list(), the number of its moves; std::uint64_t hash(); bool same(node), whether it is that of
//   a node; void keep(), it becomes that of the next node, and its moves those of the next edges; bool make(node,
//   edge), stands in what follows from a node by the move of an edge, the keeper's moves included, false where he has
//   none; bool full(), there is no room for more.
//
// Reasoners that are compiled carry this text, so it stands on the standard library alone. A Sequence grows as
// std::vector does.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rgtrans::interpreter {

// What many plays add up to.
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
  // Instead of a node: it is not known how the play goes on; more moves than wanted; nobody has a move.
  static constexpr std::uint32_t kUnknown = 0xffffffffU, kStopped = 0xfffffffdU, kStuck = 0xfffffffcU;
  // The least of these.
  static constexpr std::uint32_t kNoNode = kStuck;

  // Of one play; what belongs to choices is added up over all.
  struct Counts {
    std::uint64_t moves = 0;  // those of random, too
    std::uint64_t turns = 0;  // of players
    std::uint64_t choices = 0;
    std::uint64_t most_choices = 0;
  };

  // The node of the present state, added where it is new; kStuck where somebody has no move.
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

  // Where a play left what is known: the edge that it takes from a node. Without one the play ended at the node, or is
  // kStopped.
  struct Step {
    std::uint32_t at;
    std::uint32_t edge = kUnknown;
  };

  // Plays from a node, and again while `more(series)`, by `random.choice(n)`, which says which of so many moves is
  // made, and calls `ended(node or kStopped)`, until a play leaves what is known: its step, and what was counted of it.
  template <class Random, class More, class Ended>
  Step play(std::uint32_t root, Random& random, std::uint64_t most_moves, Series& series, const More& more,
            const Ended& ended, Counts& counts) const {
    Random numbers = random;  // these copies stay in registers
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

  // Goes on where a play left what is known, and follows it. The node where it is over; kUnknown where it goes on from
  // the present state of the rules.
  template <class Rules, class Random>
  std::uint32_t walk(Step step, Rules& rules, Random& random, std::uint64_t most_moves, Counts& counts) {
    while (step.edge != kUnknown) {
      const std::uint32_t at = extend(step, rules);
      if (at >= kNoNode) return at;
      step = follow(at, random, most_moves, counts);
    }
    return step.at;
  }

  // What the rules said of a node where the play is over.
  [[nodiscard]] std::uint32_t outcome(std::uint32_t node) const { return nodes_[node].first; }

  // What it takes without what the rules keep.
  [[nodiscard]] std::size_t bytes() const {
    return nodes_.size() * (sizeof(Node) + 4 * sizeof(Slot)) + edges_.size() * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::uint32_t kOnce = 0xfffffffeU;  // of edges: taken once

  struct Node {
    std::uint32_t first;           // edge; the outcome where the play is over
    std::uint32_t moves_and_turn;  // without moves the play is over
  };
  struct Slot {
    std::uint64_t hash;
    std::uint32_t node;
  };
  // Follows a play from a node as far as edges are known.
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
  // The node that an edge leads to, which is added when the edge is taken for the second time.
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
  Sequence<std::uint32_t> edges_;  // where they lead
  Sequence<Slot> slots_;
};

}  // namespace rgtrans::interpreter
