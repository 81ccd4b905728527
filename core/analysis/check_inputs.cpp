#include "core/analysis/check_inputs.hpp"

#include "core/analysis/dataflow.hpp"
#include "core/analysis/flow.hpp"

namespace rgtrans::analysis {

void add_deciding(const ir::Game& game, const ir::Label& label, const Bits& after, Bits& before) {
  const ir::VarId written = ir::written_variable(game, label);
  const bool counts = written.valid() ? after.test(written.value) : ir::is_condition(label);
  Bits passed = after;
  if (ir::writes_whole(game, label)) passed.reset(written.value);
  before |= passed;
  if (counts) ir::for_each_read(game, label, [&](ir::VarId variable) { before.set(variable.value); });
}

namespace {

struct InputProblem {
  using Domain = Bits;

  const ir::Game& game;
  CheckInputs& inner;

  Bits boundary(std::uint32_t) const { return Bits(game.variables().size()); }
  void transfer(const FlowEdge& edge, const Bits& after, Bits& before) const {
    if (!edge.edge.valid()) {
      before |= after;
      return;
    }
    const ir::Label& label = game.graph.label(edge.edge);
    add_deciding(game, label, after, before);
    if (const auto* check = std::get_if<ir::Reachability>(&label)) before |= inner.of(*check);
  }
};

}  // namespace

const Bits& CheckInputs::of(const ir::Reachability& check) {
  const std::pair key(check.from, check.to);
  if (const auto known = inputs_.find(key); known != inputs_.end()) return known->second;
  const Flow flow(game_, std::span(&check.from, 1), false, check.to);
  const InputProblem problem{game_, *this};
  Bits inputs = solve_backward(flow, problem)[flow.index(check.from)];
  return inputs_.emplace(key, std::move(inputs)).first->second;
}

}  // namespace rgtrans::analysis
