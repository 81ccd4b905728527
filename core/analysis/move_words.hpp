// Move words: an automaton that overapproximates the tag sequences of moves, independent of the state. Its places are
// nodes of the game's automaton after a tag, paired with the known values of variables chosen within the move. Known
// values narrow the possible successors: after `next = ahead[from]`, a known `from` determines `next`.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/analysis/flow.hpp"
#include "core/analysis/value_sets.hpp"
#include "core/ir/ir.hpp"
#include "core/support/bits.hpp"

namespace rgtrans::analysis {

// Thrown when the automaton exceeds its limits.
struct TooManyWords {};

class MoveWords {
 public:
  using Place = std::uint32_t;
  struct Ways {
    bool ends = false;                              // a move can end before the next tag
    std::vector<std::pair<SymbolId, Place>> steps;  // sorted, without duplicates
  };
  // The moves of players, or of random. Without `values`, no values are tracked: less precise but faster.
  MoveWords(ir::Game& game, bool random, bool values);

  [[nodiscard]] std::vector<Place> starts();
  // Throws TooManyWords.
  const Ways& ways(Place place);
  // All symbols that occur as tags.
  [[nodiscard]] std::vector<SymbolId> tags();

 private:
  // The known values of variables, sorted by variable.
  using Known = std::vector<std::pair<std::uint32_t, SymbolId>>;
  struct Spot {
    ir::NodeId node;
    std::uint32_t known;  // position in knowns_
    bool operator==(const Spot&) const = default;
  };

  void find_tracked();
  void find_relevant();
  [[nodiscard]] bool pure(ir::ExprId expression) const;
  [[nodiscard]] bool all_tracked(ir::ExprId expression) const;
  [[nodiscard]] bool decides(const ir::Compare& compare) const;
  void add_reads(ir::ExprId expression, Bits& into) const;
  void add_uses(const ir::Label& label, const Bits& after, Bits& before) const;

  bool movers(ir::EdgeId edge, std::vector<SymbolId>& who);
  std::uint32_t keep(const Known& known, ir::NodeId node);
  Place place(Spot spot);
  void walk(ir::EdgeId edge, const Known& known, Ways& ways);
  void go(ir::NodeId node, const Known& known);
  void show(SymbolId tag, ir::NodeId node, const Known& known, Ways& ways);
  [[nodiscard]] ir::Folded fold(ir::ExprId expression, const Known& known) const;
  ir::VarId unknown(ir::ExprId expression, const Known& known, ir::NodeId node);
  bool can_hold(const ir::Compare& compare, ir::EdgeId edge);

  ir::Game& game_;
  const bool random_;
  const Flow flow_;
  ValueSets sets_;
  const std::vector<bool> artificial_;
  std::vector<bool> written_;                      // by variable
  Bits tracked_;                                   // variables that can influence the tags
  std::vector<Bits> relevant_;                     // by flow index: tracked variables that are still relevant
  std::unordered_map<std::uint32_t, bool> holds_;  // by edge: whether the comparison can hold
  std::map<Known, std::uint32_t> known_index_;
  std::vector<Known> knowns_;
  std::unordered_map<std::uint64_t, Place> place_index_;
  std::vector<Spot> places_;
  std::vector<std::unique_ptr<Ways>> ways_;
  std::uint64_t looked_at_ = 0;
  // State of the current walk.
  std::vector<Spot> open_;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace rgtrans::analysis
