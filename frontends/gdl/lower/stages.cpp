#include "frontends/gdl/lower/stages.hpp"

#include "frontends/gdl/lower/names.hpp"

namespace rgtrans::gdl {

namespace {

void add_wires(const Conditions& conditions, const std::vector<Update>& updates, std::vector<Wire>& out) {
  for (const Update& update : updates) {
    for (const Lookup& lookup : update.lookups) {
      out.push_back(lookup.when);
      if (const auto* source = conditions.computed_variable(lookup.source)) out.push_back(source->stand_in);
    }
    for (const auto& [value, wire] : update.effects) out.push_back(wire);
    for (const auto& [values, wire] : update.keeps) out.push_back(wire);
  }
}

void name_conditions(Turn& t) {
  for (std::uint32_t d = 0; d < t.program.derived_count(); ++d) {
    const Wire wire = t.conditions.atoms[t.program.derived_begin() + d];
    const auto& name = t.program.names[d];
    std::string wish = Names::readable(t.program.symbols.str(name.predicate));
    for (std::uint32_t i = 0; i < name.count && i < 4; ++i)
      wish += "_" + Names::readable(t.program.text(t.program.name_arguments[name.first + i]));
    t.emitter.name(node_of(wire), (is_inverted(wire) ? "not_" : "") + wish,
                   t.program.where[t.program.derived_begin() + d]);
  }
}

}  // namespace

Stages plan_stages(Turn& t, std::span<const GroundLiteral> goals) {
  Stages stages;
  std::vector<Wire> percepts, updates, ends;
  for (const auto& sees : t.program.sees) percepts.push_back(t.conditions.wire(sees.when));
  if (!t.program.imperfect) percepts.clear();
  add_wires(t.conditions, t.plan.all, updates);
  for (const GroundLiteral goal : goals) ends.push_back(t.conditions.wire(goal));
  std::vector<Wire> all = {t.conditions.terminal};
  for (const auto* list : {&percepts, &updates, &ends}) all.insert(all.end(), list->begin(), list->end());
  for (const PhasePlan& phase : t.plan.phases) {
    all.insert(all.end(), phase.legal.begin(), phase.legal.end());
    add_wires(t.conditions, phase.common, all);
    for (const auto& list : phase.by_move) add_wires(t.conditions, list, all);
  }
  t.emitter.count_uses(all);
  name_conditions(t);
  std::vector<Wire> first = t.emitter.steady_iterations();
  first.push_back(t.conditions.terminal);
  stages.always = t.emitter.stage(first, true);
  t.emitter.enter(stages.always);
  for (const PhasePlan& phase : t.plan.phases) {
    stages.choices.push_back(t.emitter.stage(phase.legal, false));
    std::vector<Wire> common, own;
    add_wires(t.conditions, phase.common, common);
    for (const auto& list : phase.by_move) add_wires(t.conditions, list, own);
    own = t.emitter.computed_below(own);
    common.insert(common.end(), own.begin(), own.end());
    stages.common.push_back(t.emitter.stage(common, false));
  }
  stages.percepts = t.emitter.stage(percepts, false);
  stages.updates = t.emitter.stage(updates, false);
  stages.ends = t.emitter.stage(ends, false);
  t.emitter.leave(stages.always);
  t.emitter.declare_bits();
  return stages;
}

}  // namespace rgtrans::gdl
