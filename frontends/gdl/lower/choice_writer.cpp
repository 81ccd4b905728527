#include "frontends/gdl/lower/choice_writer.hpp"

#include <algorithm>

namespace rgtrans::gdl {

using ir::ExprId;
using ir::NodeId;

ChoiceWriter::ChoiceWriter(Turn& turn, const Emitter::Stage& percepts)
    : t_(turn),
      percepts_(percepts),
      uses_visible_(std::ranges::any_of(turn.turns.phases, [&](const Phase& phase) { return hidden(phase); })) {}

bool ChoiceWriter::hidden(const Phase& phase) const {
  return t_.program.imperfect || std::ranges::count(phase.forced, TurnStructure::kDecides) > 1;
}

NodeId ChoiceWriter::write(std::size_t index, NodeId at) {
  const Phase& phase = t_.turns.phases[index];
  const PhasePlan& plan = t_.plan.phases[index];
  const auto roles = static_cast<std::uint32_t>(t_.program.roles.size());
  if (!plan.dispatch || t_.program.imperfect) {
    for (std::uint32_t r = 0; r < roles; ++r)
      if (phase.forced[r] != TurnStructure::kDecides) at = assign_move(r, phase.forced[r], at);
  }
  for (std::uint32_t r = 0; r < roles; ++r)
    if (phase.forced[r] == TurnStructure::kDecides) at = decide(phase, plan, r, at);
  if (t_.program.imperfect) return perceive(at);
  return uses_visible_ ? reveal(phase, at) : at;
}

NodeId ChoiceWriter::reveal(const Phase& phase, NodeId at) {
  at = show(at, kEverybody);
  if (!hidden(phase)) return at;
  for (std::uint32_t r = 0; r < t_.program.roles.size(); ++r)
    if (t_.declarations.has_moves(r)) at = t_.emitter.then(at, ir::TagVariable{t_.declarations.move_variable(r)});
  return at;
}

NodeId ChoiceWriter::assign_move(std::uint32_t role, std::uint32_t move, NodeId at) {
  return t_.several_moves(role)
             ? t_.emitter.then(at, t_.emitter.assign(t_.declarations.of_role(role), t_.declarations.move(move)))
             : at;
}

NodeId ChoiceWriter::show(NodeId at, std::uint32_t role) {
  if (!uses_visible_) return at;
  for (std::uint32_t r = 0; r < t_.program.roles.size(); ++r) {
    if (r == t_.program.random) continue;
    const ExprId cell =
        t_.game.access(t_.game.variable_ref(t_.game.visible()), t_.game.symbol(t_.declarations.role(r)));
    at = t_.emitter.then(at, ir::Assign{cell, t_.game.symbol(t_.declarations.bit(role == kEverybody || role == r))});
  }
  return at;
}

// Each move ends with its own edge to keeper, so the walks of two moves do not meet earlier.
NodeId ChoiceWriter::decide(const Phase& phase, const PhasePlan& plan, std::uint32_t role, NodeId at) {
  at = show(at, hidden(phase) ? role : kEverybody);
  at = t_.emitter.then(at,
                       ir::Assign{t_.game.variable_ref(t_.game.player()), t_.game.symbol(t_.declarations.role(role))});
  const NodeId chosen = t_.emitter.node();
  for (const std::uint32_t m : phase.moves[role]) {
    if (plan.legal[m] == kNever) continue;
    t_.emitter.at(t_.program.where[t_.program.move_begin() + m]);
    const NodeId legal = t_.emitter.node();
    t_.emitter.branch(plan.legal[m], at, legal, NodeId());
    const NodeId tagged = t_.emitter.then(assign_move(role, m, legal), ir::Tag{t_.declarations.move(m)});
    t_.emitter.edge(tagged, chosen,
                    ir::Assign{t_.game.variable_ref(t_.game.player()), t_.game.symbol(t_.game.keeper())});
  }
  return chosen;
}

NodeId ChoiceWriter::perceive(NodeId at) {
  at = t_.emitter.compute(percepts_, at);
  for (std::uint32_t r = 0; r < t_.program.roles.size(); ++r) {
    if (r == t_.program.random || std::ranges::none_of(t_.program.sees, [&](const auto& s) { return s.role == r; }))
      continue;
    at = show(at, r);
    for (const auto& sees : t_.program.sees) {
      if (sees.role != r) continue;
      t_.emitter.at(sees.where);
      const NodeId yes = t_.emitter.node();
      const NodeId out = t_.emitter.node();
      t_.emitter.branch(t_.conditions.wire(sees.when), at, yes, out);
      t_.emitter.edge(yes, out, ir::Tag{t_.declarations.symbol(t_.declarations.names().term(sees.term))});
      at = out;
    }
  }
  at = show(at, kEverybody);
  t_.emitter.leave(percepts_);
  return t_.emitter.reset(percepts_, at);
}

}  // namespace rgtrans::gdl
