// StateGraph: playouts without listing the same moves twice. As a lazily built automaton does for text, it turns
// the states that come up often into nodes of an explicit graph: a state of which only what the rest of the play can
// depend on counts, with an edge for every move. In a small game a playout is soon a mere walk on it; in
// a large one only its opening moves are, and when the memory is used up nothing more is added. A state is
// added when the edge to it is taken for the second time. Playouts do not depend on what is in the graph: both
// ways list the same moves in the same order and draw the same random numbers.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <vector>

#include "backends/interpreter/compiled.hpp"
#include "backends/interpreter/machine.hpp"
#include "backends/interpreter/rng.hpp"

namespace rgtrans::interpreter {

template <class Cell>
class StateGraph {
 public:
  StateGraph(const Compiled& compiled, std::size_t memory) : compiled_(compiled), memory_(memory) {}

  static constexpr std::uint32_t kUnknown = 0xffffffffU;  // edges: never taken
  static constexpr std::uint32_t kOnce = 0xfffffffeU;     // edges: taken once

  struct Node {
    std::uint32_t first_edge;
    std::uint32_t moves;    // 0: final
    std::uint32_t outcome;  // of a final state
    std::uint32_t start;
    std::uint32_t state;  // its cells, where it is not final
    bool player;          // a player is to move, not random
  };
  struct Edge {
    std::uint32_t target;
    std::uint32_t start;
    std::uint32_t first_change;
    std::uint32_t changes;
  };

  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<Change> changes;
  std::vector<Cell> states;

  [[nodiscard]] bool full() const {
    return nodes.size() * (sizeof(Node) + 16) + edges.size() * sizeof(Edge) + changes.size() * sizeof(Change) +
               states.size() * sizeof(Cell) + keys_.size() * sizeof(Cell) >=
           memory_;
  }
  // The node of a state, or kUnknown.
  std::uint32_t find(const Cell* state, std::uint32_t start) {
    if (slots_.empty()) return kUnknown;
    const std::vector<std::uint32_t>& cells = compiled_.key_cells[start];
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash(state, start) & mask;; i = (i + 1) & mask) {
      if (slots_[i].node == kUnknown) return kUnknown;
      if (nodes[slots_[i].node].start != start) continue;
      const Cell* key = keys_.data() + slots_[i].key;
      bool same = true;
      for (std::size_t k = 0; k < cells.size() && same; ++k) same = key[k] == state[cells[k]];
      if (same) return slots_[i].node;
    }
  }
  void insert(const Cell* state, std::uint32_t start, std::uint32_t node) {
    if ((nodes.size() + 1) * 2 > slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t h = hash(state, start);
    std::size_t i = h & mask;
    while (slots_[i].node != kUnknown) i = (i + 1) & mask;
    slots_[i] = {node, static_cast<std::uint32_t>(keys_.size()), h};
    for (std::uint32_t cell : compiled_.key_cells[start]) keys_.push_back(state[cell]);
  }

 private:
  struct Slot {
    std::uint32_t node = kUnknown;
    std::uint32_t key = 0;
    std::uint64_t hash = 0;
  };
  std::uint64_t hash(const Cell* state, std::uint32_t start) const {
    std::uint64_t h = start;
    for (std::uint32_t cell : compiled_.key_cells[start]) h = (h ^ state[cell]) * 0x9fb21c651e98df25ULL + (h >> 29U);
    return mix_hash(h);
  }
  void grow() {
    std::vector<Slot> old(std::max<std::size_t>(64, slots_.size() * 2));
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.node == kUnknown) continue;
      std::size_t i = slot.hash & mask;
      while (slots_[i].node != kUnknown) i = (i + 1) & mask;
      slots_[i] = slot;
    }
  }

  const Compiled& compiled_;
  std::size_t memory_;
  std::vector<Slot> slots_;
  std::vector<Cell> keys_;
};

// The different results of plays, each with how often it came up.
class Outcomes {
 public:
  // The number of the outcome whose goals these codes are.
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

}  // namespace rgtrans::interpreter
