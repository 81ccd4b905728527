// Contexts of the machine: the exploration of all moves, or of one reachability check. A context also marks the nodes
// that an exploration can reach twice in equivalent states, where the machine must record visits.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "backends/interpreter/interpreter.hpp"
#include "backends/interpreter/symbolic.hpp"
#include "core/analysis/analysis.hpp"

namespace rgtrans::interpreter {

constexpr std::size_t kMaxCheckNesting = 500;

using analysis::Deed;

// The sides of a comparison of symbols.
struct EdgeFacts {
  bool symbolic = false;
  Sym left = 0, right = 0;
};

struct MachineContext : analysis::Exploration, analysis::Visits {
  explicit MachineContext(analysis::Exploration exploration) : Exploration(std::move(exploration)) {}

  std::vector<bool> tagged;       // by local node: tags may precede it, not counting artificial ones
  std::vector<bool> deduplicate;  // by start: two walks may have the same labeling
};

class Explorer {
 public:
  Explorer(const ir::Game& game, const StateLayout& layout, Symbolic& symbolic, const InterpreterOptions& options,
           bool claims = false);

  // The moves of the whole game. starts[0] is begin; the other starts are the targets of player assignments.
  MachineContext moves();
  MachineContext check(ir::NodeId from, ir::NodeId to);
  [[nodiscard]] const EdgeFacts& facts(ir::EdgeId edge) const { return facts_[edge.value]; }
  // Whether the two edges are never both legal in one state.
  [[nodiscard]] bool exclusive(ir::EdgeId first, ir::EdgeId second) const {
    return visit_facts().exclude(first, second);
  }
  // The variables that distinguish arrivals at a node according to @repeat, or null. After artificial tags the pragma
  // is ignored, because it may rely on those tags.
  [[nodiscard]] const Bits* repeat(const MachineContext& context, std::uint32_t node) const;

 private:
  void find_facts();
  std::uint32_t check_number(ir::NodeId from, ir::NodeId to);
  void simplify(MachineContext& context) const;
  [[nodiscard]] analysis::Exploration walks_between(ir::NodeId from, ir::NodeId to) const;
  void find_live(MachineContext& context, bool moves);
  void find_changes(MachineContext& context) const;
  void find_visits(MachineContext& context) const;
  [[nodiscard]] analysis::VisitFacts visit_facts() const {
    return {game_, deeds_, promises_, layout_.held(), exclusive_, claims_};
  }
  const Bits& reads_of_check(std::uint32_t check);

  const ir::Game& game_;
  const StateLayout& layout_;
  Symbolic& symbolic_;
  InterpreterOptions options_;
  const bool hiding_;  // some player may not see some tag
  const bool claims_;  // visits are claimed, so single arrivals need a proof
  std::vector<EdgeFacts> facts_;
  analysis::Deeds deeds_;
  analysis::Promises promises_;
  mutable analysis::Exclusive exclusive_;  // caches its results
  std::map<std::pair<ir::NodeId, ir::NodeId>, std::uint32_t> check_numbers_;
  std::vector<std::pair<ir::NodeId, ir::NodeId>> checks_;  // by number
  std::vector<std::optional<Bits>> check_reads_;           // by number, computed on demand
  std::size_t nesting_ = 0;
};

}  // namespace rgtrans::interpreter
