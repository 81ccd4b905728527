// Counters of pieces: one cell per kind, updated by every step that replaces a piece. A kind is counted if some
// expression reads its number, or if a step may replace either this kind or a counted one.
#pragma once

#include <vector>

#include "core/support/bits.hpp"
#include "frontends/rbg/emit/declarations.hpp"
#include "frontends/rbg/flow/flow.hpp"
#include "frontends/rbg/proofs/knowledge.hpp"

namespace rgtrans::rbg {

class Counters {
 public:
  // The arguments must outlive this object.
  Counters(const Description& description, const FlowGraph& flow, const Knowledge& knowledge,
           const BoardDeclarations& declarations, Vocabulary& vocabulary, ir::Game& game)
      : d_(description), f_(flow), k_(knowledge), declared_(declarations), v_(vocabulary), g_(game) {}

  // Declares the counters. `read` marks the kinds whose number is read. Without this call, nothing is counted.
  void declare(const std::vector<char>& read);
  [[nodiscard]] ir::ExprId expression() const { return counters_; }
  // The range of a counter.
  [[nodiscard]] Interval range() const { return {0, static_cast<std::int64_t>(d_.board.size())}; }

  // Appends the labels of a step that puts the piece at the cursor.
  void replace_piece(const FlowGraph::Edge& edge, ir::ExprId piece, std::vector<ir::Label>& labels) const;

 private:
  void find_counted(const std::vector<char>& read);
  [[nodiscard]] Bits possible_before(const FlowGraph::Edge& edge) const;
  [[nodiscard]] Bits possible_after(const FlowGraph::Edge& edge) const;
  void change(ir::ExprId piece, ir::ExprId table, std::vector<ir::Label>& labels) const;

  const Description& d_;
  const FlowGraph& f_;
  const Knowledge& k_;
  const BoardDeclarations& declared_;
  Vocabulary& v_;
  ir::Game& g_;
  Bits counted_;
  ir::ExprId counters_, more_, fewer_;
};

}  // namespace rgtrans::rbg
