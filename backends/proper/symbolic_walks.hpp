// Symbolic walks: whether a walk from a node ends a move, or reaches the target of a check, as a formula over the state
// at some start. Values that the walk chooses or computes are followed exactly; where it needs the value of a cell of
// the start, each possible value is followed by itself.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "backends/proper/formulas.hpp"
#include "core/analysis/analysis.hpp"
#include "core/ir/ir.hpp"
#include "core/support/bits.hpp"
#include "core/support/clock.hpp"

namespace rgtrans::proper {

// The numbers of all cells of all variables.
class NumberedCells {
 public:
  explicit NumberedCells(const ir::Game& game);
  // kNone for a key outside of the source type, or if keys are missing.
  [[nodiscard]] std::uint32_t cell(ir::VarId variable, std::span<const SymbolId> keys) const;
  // What a read with a key outside of the source type gives: the default, which only an assignment of a whole map could
  // change. Not valid if there is one, or if keys are missing.
  [[nodiscard]] SymbolId outside(ir::VarId variable, std::span<const SymbolId> keys) const;
  [[nodiscard]] ir::VarId variable(std::uint32_t cell) const;
  [[nodiscard]] bool few() const { return few_; }

 private:
  const ir::Game& game_;
  std::vector<std::uint32_t> first_;           // by variable
  std::vector<std::vector<ir::TypeId>> keys_;  // by variable
  std::vector<bool> copied_;                   // by variable: some assignment stores a whole map in it
  bool few_ = true;
};

// By reached node: the variables that decide whether a move that has come there can be ended.
[[nodiscard]] std::vector<Bits> decide_moves(const ir::Game& game, const analysis::Liveness& liveness,
                                             const analysis::Flow& flow, const std::vector<bool>& sure);

class SymbolicWalks {
 public:
  struct GivenUp {  // the walks are too many, or cannot be followed
    const char* why;
  };

  // `sure`: by node, whether a move that has come there certainly ends. `deciding`: see decide_moves().
  SymbolicWalks(const ir::Game& game, const NumberedCells& cells, const analysis::Liveness& liveness,
                const std::vector<bool>& sure, const std::vector<Bits>& deciding, CellFormulas::Domain domain,
                std::uint64_t most_steps, double seconds);

  [[nodiscard]] CellFormulas& formulas() { return formulas_; }

  // Whether a move from the node can be made. Throws GivenUp, as the others do.
  CellFormulas::Id can_move(ir::NodeId from) { return restart(), visit(from, {}, {Goal::move, {}}); }
  // Whether a move from the node can lead to `start`, where no move can be made.
  CellFormulas::Id can_strand(ir::NodeId from, ir::NodeId start) {
    return restart(), visit(from, {}, {Goal::stranded, start});
  }
  // A comparison or check in the state at the start.
  CellFormulas::Id holds(const ir::Label& condition) { return restart(), holds(condition, {}); }
  // Which reachability checks are followed. Of another one nothing is known but that it is true or false in each state.
  enum class Checks : std::uint8_t { none, of_start, all };  // of_start: those of the state at the start
  void follow(Checks checks) { checks_ = checks; }
  // Fixes the cells of the start whose value is known.
  void assume(std::uint32_t cell, SymbolId symbol) { known_[cell] = symbol; }

 private:
  struct Goal {
    enum Kind : std::uint8_t { move, node, stranded } kind;
    ir::NodeId target;
    bool operator==(const Goal&) const = default;
  };
  // A symbol, or the value that a cell has at the start.
  struct Term {
    SymbolId symbol;
    std::uint32_t cell = kNone;
  };
  // Sorted by key: 2 * cell for a written cell, with its term; 2 * cell + 1 for one whose value at the start is
  // assumed.
  using Changes = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  struct Split {  // thrown: the value of this cell at the start is needed
    std::uint32_t cell;
  };
  struct Key {
    std::uint32_t node, kind, target;
    Changes changes;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  // After GivenUp, walks are still open.
  void restart() {
    open_.clear();
    lowest_ = SIZE_MAX;
    depth_ = base_ = 0;
  }
  CellFormulas::Id visit(ir::NodeId node, Changes changes, Goal goal);
  CellFormulas::Id follow_all(ir::NodeId node, const Changes& changes, Goal goal);
  CellFormulas::Id follow(ir::EdgeId edge, const Changes& changes, Goal goal);
  CellFormulas::Id holds(const ir::Label& condition, const Changes& changes);
  CellFormulas::Id truth_of(const ir::Reachability& check, const Changes& changes);
  // Whether the value of the variable can matter from the node on.
  [[nodiscard]] bool matters(ir::VarId variable, ir::NodeId node, Goal goal) const {
    return goal.kind == Goal::move ? deciding_[node.value].test(variable.value) : liveness_.live(variable, node);
  }
  void forget_dead(Changes& changes, ir::NodeId node, Goal goal) const;
  CellFormulas::Id compare(const ir::Compare& compare, const Changes& changes);
  template <class Each>
  CellFormulas::Id split(std::uint32_t cell, const Changes& changes, const Each& each);

  [[nodiscard]] Term read(std::uint32_t cell, const Changes& changes) const;
  [[nodiscard]] Term value(ir::ExprId expression, const Changes& changes) const;
  [[nodiscard]] SymbolId symbol_of(ir::ExprId expression, const Changes& changes) const;
  // The cell that the expression names, or what a read outside of its map gives.
  [[nodiscard]] Term place(ir::ExprId expression, const Changes& changes) const;
  [[nodiscard]] Changes stored(const Term& place, Term term, const Changes& changes) const;
  static void set(Changes& changes, std::uint64_t key, std::uint64_t value);
  static const std::uint64_t* find(const Changes& changes, std::uint64_t key);
  void spend();

  const ir::Game& game_;
  const NumberedCells& cells_;
  const analysis::Liveness& liveness_;
  const std::vector<bool>& sure_;
  const std::vector<Bits>& deciding_;
  const CellFormulas::Domain domain_;
  std::uint64_t left_;  // steps
  const double seconds_;
  const double begin_ = processor_seconds();
  Checks checks_ = Checks::all;
  CellFormulas formulas_;
  std::unordered_map<std::uint32_t, SymbolId> known_;
  std::unordered_map<Key, CellFormulas::Id, KeyHash> done_;
  std::unordered_map<Key, std::size_t, KeyHash> open_;  // with their depth
  std::size_t lowest_ = SIZE_MAX;                       // the lowest open key that the last visit met again
  std::size_t depth_ = 0;                               // nodes on the walk
  std::size_t base_ = 0;                                // the depth at which the innermost check began
};

}  // namespace rgtrans::proper
