// A game with the analyses that the proofs share.
#pragma once

#include <string>
#include <vector>

#include "backends/proper/proper.hpp"
#include "backends/proper/symbolic_walks.hpp"
#include "core/analysis/analysis.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::proper {

// The edges whose assignment may have a key outside of its map. Then nothing is stored.
[[nodiscard]] Bits lost_stores(const ir::Game& game, const analysis::Flow& flow, analysis::ValueSets& values);

struct KnownGame {
  explicit KnownGame(const ir::Game& original);
  KnownGame(const KnownGame&) = delete;
  KnownGame& operator=(const KnownGame&) = delete;

  // The symbols that the variable, or a cell of it, can hold at a node that plays reach.
  [[nodiscard]] std::vector<SymbolId> symbols(ir::VarId variable, ir::NodeId node);
  [[nodiscard]] std::vector<SymbolId> symbols(ir::ExprId expression, ir::NodeId node) {
    return values.sets().of(values.values(expression, node));
  }
  // Whether the mover at the start of a move can be this one.
  [[nodiscard]] bool can_be_mover(SymbolId mover, ir::NodeId start);
  // Whether two edges of a node are never both legal.
  [[nodiscard]] bool exclusive(ir::EdgeId a, ir::EdgeId b) { return exclusion.never_both(a, b); }
  // " at name" for a node with a name in the text.
  [[nodiscard]] std::string at(ir::NodeId node) const;
  // The first place that is known among those of the node and its edges.
  [[nodiscard]] Range where(ir::NodeId node) const;

  // Options for known conditions along some flow.
  [[nodiscard]] analysis::KnownConditions::Options options_of_known() { return {lost, recursive ? nullptr : &inputs}; }

  ir::Game game;
  analysis::Flow flow;
  analysis::ValueSets values;
  analysis::Liveness liveness;
  Bits lost;                     // lost_stores()
  bool recursive;                // some check may need its own result
  analysis::CheckInputs inputs;  // not for recursive checks
  analysis::KnownConditions known;
  analysis::Exclusive exclusion;
  NumberedCells cells;
  std::vector<ir::NodeId> starts;  // where moves begin and plays go on
};

struct MoveAnswers {
  DutyAnswer moves{Duty::moves, DutyStanding::open, "", {}, {}};
  DutyAnswer keeper{Duty::keeper, DutyStanding::open, "", {}, {}};
};

// Each returns the answer that its analysis finds, proved or open.
[[nodiscard]] MoveAnswers prove_moves(KnownGame& known, double seconds);
// Whether no walk of a move passes these nodes for ever.
[[nodiscard]] bool loops_end(KnownGame& known, const std::vector<bool>& nodes, double seconds);
[[nodiscard]] DutyAnswer prove_results(KnownGame& known);
[[nodiscard]] DutyAnswer prove_actions(KnownGame& known);
[[nodiscard]] DutyAnswer prove_hidden(KnownGame& known);
[[nodiscard]] DutyAnswer prove_ends(KnownGame& known, double seconds, PlayBounds& bounds);

}  // namespace rgtrans::proper
