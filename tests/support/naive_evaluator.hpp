// The semantics of RG once more, written for obviousness and not for speed: states are maps from names to values,
// explorations remember everything. It shares no code with the interpreter, which is compared with it.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/ir.hpp"

namespace rgtrans::test {

// A symbol, or a map with a value for every key of its source type and one for all other keys.
struct NaiveValue {
  std::string symbol;
  std::map<std::string, NaiveValue> cells;
  std::shared_ptr<const NaiveValue> otherwise;  // null for a symbol
  [[nodiscard]] const NaiveValue& at(const std::string& key) const;
  // Extensional: the default does not matter.
  auto operator<=>(const NaiveValue& other) const {
    if (const auto order = symbol <=> other.symbol; order != 0) return order;
    return std::lexicographical_compare_three_way(cells.begin(), cells.end(), other.cells.begin(), other.cells.end());
  }
  bool operator==(const NaiveValue& other) const { return symbol == other.symbol && cells == other.cells; }
};

struct NaiveState {
  ir::NodeId node;
  std::map<ir::VarId, NaiveValue> variables;
  auto operator<=>(const NaiveState&) const = default;
};

// Thrown where the description is improper: recursive checks, endless moves.
struct NaiveProblem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class NaiveEvaluator {
 public:
  explicit NaiveEvaluator(const ir::Game& game);

  using Labeling = std::vector<std::string>;
  [[nodiscard]] NaiveState initial() const;
  // Every legal move with the states it can lead to (one, unless the description is ambiguous).
  [[nodiscard]] std::map<Labeling, std::set<NaiveState>> moves(const NaiveState& state) const;
  [[nodiscard]] bool final(const NaiveState& state) const { return state.node == game_.end(); }
  [[nodiscard]] std::string mover(const NaiveState& state) const { return state.variables.at(game_.player()).symbol; }
  // As in rg.md 11.5.
  [[nodiscard]] std::uint64_t perft(const NaiveState& state, unsigned depth) const;

 private:
  using Pending = std::vector<std::pair<ir::NodeId, ir::NodeId>>;
  struct Walk {
    NaiveState state;
    Labeling tags;
    auto operator<=>(const Walk&) const = default;
  };
  [[nodiscard]] std::vector<NaiveState> act(const NaiveState& state, ir::EdgeId edge, Pending& pending) const;
  [[nodiscard]] bool reaches(const NaiveState& state, ir::NodeId from, ir::NodeId to, Pending& pending) const;
  [[nodiscard]] NaiveValue evaluate(const NaiveState& state, ir::ExprId expr) const;
  void store(NaiveState& state, ir::ExprId place, const NaiveValue& value) const;
  [[nodiscard]] NaiveValue value(ir::ValueId id, ir::TypeId type) const;
  [[nodiscard]] NaiveValue fit(const NaiveValue& value, const NaiveValue& like) const;
  [[nodiscard]] std::string text(SymbolId symbol) const { return game_.symbols.str(symbol); }

  const ir::Game& game_;
  std::set<SymbolId> artificial_;  // tags that are no part of a move
};

}  // namespace rgtrans::test
