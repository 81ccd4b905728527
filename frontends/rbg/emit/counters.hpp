// Counters of pieces: one cell for each kind, kept true by every step that replaces a piece. Only the pieces whose
// number is read are counted, and those that cannot be told from them where a piece is replaced.
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

  // Declares the counters; `read` says whose number is read. Without this call nothing is counted.
  void declare(const std::vector<char>& read);
  [[nodiscard]] ir::ExprId expression() const { return counters_; }
  // The values that a counter can have.
  [[nodiscard]] Interval range() const { return {0, static_cast<std::int64_t>(d_.board.size())}; }

  // Adds what the step does when it puts that piece below the cursor.
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
