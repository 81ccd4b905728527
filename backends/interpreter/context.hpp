// Contexts of the machine: the exploration of all moves, or of one reachability check, and where in it a second arrival
// with nothing new to tell is possible, so that it must be recognised.
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

  std::vector<bool> tagged;       // by local node: perhaps with tags before; artificial ones do not count
  std::vector<bool> deduplicate;  // by start: two walks may have one labeling
};

class Explorer {
 public:
  Explorer(const ir::Game& game, const StateLayout& layout, Symbolic& symbolic, const InterpreterOptions& options);

  // The moves of the whole game; starts[0] is begin, the others are the targets of player assignments.
  MachineContext moves();
  MachineContext check(ir::NodeId from, ir::NodeId to);
  [[nodiscard]] const EdgeFacts& facts(ir::EdgeId edge) const { return facts_[edge.value]; }
  // Never both legal in one state.
  [[nodiscard]] bool exclusive(ir::EdgeId first, ir::EdgeId second) const {
    return visit_facts().exclude(first, second);
  }
  // The variables that tell arrivals at a node apart, if that was promised; else null. With artificial tags before the
  // promise means nothing: it may have been made with them in mind.
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
    return {game_, deeds_, promises_, layout_.held(), exclusive_};
  }
  const Bits& reads_of_check(std::uint32_t check);

  const ir::Game& game_;
  const StateLayout& layout_;
  Symbolic& symbolic_;
  InterpreterOptions options_;
  const bool hiding_;  // tags can be invisible to somebody
  std::vector<EdgeFacts> facts_;
  analysis::Deeds deeds_;
  analysis::Promises promises_;
  mutable analysis::Exclusive exclusive_;  // remembers what it has found out
  std::map<std::pair<ir::NodeId, ir::NodeId>, std::uint32_t> check_numbers_;
  std::vector<std::pair<ir::NodeId, ir::NodeId>> checks_;  // by number
  std::vector<std::optional<Bits>> check_reads_;           // by number, when they were asked for
  std::size_t nesting_ = 0;
};

}  // namespace rgtrans::interpreter
