// The analyses. All are least fixed points on the part of the automaton that an exploration can use.
#include "backends/cpp/facts.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "backends/cpp/cost_model.hpp"
#include "core/analysis/analysis.hpp"

namespace rgtrans::cpp {

void Reads::add(const NumberedGame& model, ExprId expression) {
  const auto& e = model.game.expressions();
  ir::visit_parts(e, expression, [&](ExprId part) {
    if (e.kind(part) == ir::ExprKind::access) ++lookups;
    return true;
  });
  model.for_each_read(expression, [&](VarId v) {
    if (!model.scalar(v))
      maps = true;
    else if (std::ranges::find(scalars, v) == scalars.end())
      scalars.push_back(v);
  });
}

GameFacts::GameFacts(NumberedGame& m)
    : model(m), deeds_(find_deeds()), promises_(m.game), exclusive_(m.game, *m.held, analysis::Exclusive::kTries) {
  hides = model.assigned[model.game.visible().value];
  find_entries();
  goal_live = Bits(model.game.variables().size());
  goal_live.set(model.game.goals().value);
  goal_live.set(model.game.player().value);
  build_checks();
  whole.purpose = Purpose::whole;
  whole.entries = entries;
  explore(whole);
  find_liveness(whole);
  find_state();
  for (const std::uint32_t node : entries) {
    if (player_entry[node]) {
      moves.entries.push_back(node);
      apply.entries.push_back(node);
    }
    if (keeper_entry[node]) system.entries.push_back(node);
  }
  moves.purpose = Purpose::moves;
  apply.purpose = Purpose::apply;
  system.purpose = Purpose::system;
  for (CodeContext* context : {&moves, &apply, &system}) {
    explore(*context);
    find_liveness(*context);
    find_changes(*context);
    find_tests(*context);
    count_tags(*context);
  }
  find_parameters();
  find_duplicates();
  find_waits();
}

void GameFacts::find_entries() {
  const std::size_t bound = model.out.size();
  keeper_entry.assign(bound, false);
  player_entry.assign(bound, false);
  const std::uint32_t universe = model.variable_shape(model.game.player()).leaf;
  const std::uint32_t keeper = model.code(universe, model.game.keeper());
  const auto add = [&](std::uint32_t node, const Bits& movers) {
    if (!keeper_entry[node] && !player_entry[node]) entries.push_back(node);
    Bits others = movers;
    if (movers.test(keeper)) keeper_entry[node] = true;
    others.reset(keeper);
    if (others.any()) player_entry[node] = true;
  };
  Bits first(model.universes[universe].size());
  const ValueId initial = model.game.variable(model.game.player()).initial;
  first.set(model.code(universe, model.game.values.as_symbol(initial)));
  add(model.game.begin().value, first);
  for (const Step& step : model.steps) {
    if (step.ends_move) add(step.to, model.possible(step.rhs, universe));
  }
}

analysis::Deeds GameFacts::find_deeds() const {
  analysis::Deeds deeds(model.out.size());
  std::vector<VarId> reads;
  const auto note = [&](VarId v) { reads.push_back(v); };
  for (const Step& step : model.steps) {
    reads.clear();
    if (step.kind == Deed::tag_variable && model.assigned[step.variable.value]) note(step.variable);
    if (step.kind == Deed::compare) model.for_each_read(step.lhs, note);
    if (is_assignment(step)) model.for_each_index_read(step.lhs, note);
    if (step.rhs.valid()) model.for_each_read(step.rhs, note);
    const bool whole = is_assignment(step) && step.lhs == model.game.expressions().root(step.lhs);
    deeds.add({step.edge, step.from, step.to, step.mark ? Deed::artificial_tag : step.kind, step.ends_move, whole,
               step.variable, step.check},
              reads);
  }
  deeds.finish();
  return deeds;
}

void GameFacts::explore(CodeContext& context) {
  analysis::Question question;
  question.starts = context.entries;
  if (context.purpose == Purpose::check) question.target = model.checks[context.check].to;
  question.all_moves = context.purpose == Purpose::whole;
  question.pruned = !question.all_moves;
  static_cast<analysis::Exploration&>(context) = analysis::explore(deeds_, question);
  context.info.resize(context.nodes.size());
  for (const CodeContext::Edge& edge : context.edges) context.info[edge.source].out.push_back(edge.number);
}

// Inner checks first, so that a check's reads are known where it is used.
void GameFacts::build_checks() {
  checks.resize(model.checks.size());
  std::vector<int> state_of(checks.size(), 0);
  const std::function<void(std::uint32_t)> build = [&](std::uint32_t index) {
    if (state_of[index] == 2) return;
    const Check& check = model.checks[index];
    if (state_of[index] == 1) {
      throw Error("the reachability check from " + model.node_names[check.from] + " to " + model.node_names[check.to] +
                      " can be started again while it is being evaluated",
                  "a check must not depend on itself");
    }
    state_of[index] = 1;
    CodeContext& context = checks[index];
    context.purpose = Purpose::check;
    context.check = index;
    context.entries = {check.from};
    context.always = check.from == check.to;
    explore(context);
    for (const CodeContext::Edge& edge : context.edges) {
      if (edge.deed == Deed::check) build(deeds_[edge.number].check);
    }
    find_liveness(context);
    find_changes(context);
    find_tests(context);
    context.params = Bits(model.game.variables().size());
    state_of[index] = 2;
    inner_first_.push_back(index);
  };
  for (std::uint32_t i = 0; i < checks.size(); ++i) build(i);
}

void GameFacts::find_liveness(CodeContext& context) {
  const std::size_t variables = model.game.variables().size();
  context.live.assign(context.nodes.size(), Bits(variables));
  analysis::Reading reading;
  reading.variables = variables;
  if (hides && context.purpose != Purpose::moves) reading.by_tags = model.game.visible();
  const Bits nothing(variables);
  reading.by_check = [&](std::uint32_t index) -> const Bits& {
    const CodeContext& check = checks[index];
    return check.always || !check.contains(check.entries[0]) ? nothing : check.live_at(check.entries[0]);
  };
  if (context.purpose == Purpose::whole && context.contains(model.game.end().value)) {
    context.live[context.local.at(model.game.end().value)] |= goal_live;
  }
  if (context.purpose == Purpose::apply || context.purpose == Purpose::system) {
    reading.behind_move = [&](std::uint32_t step) { return exact ? state : live_at_entry(model.steps[step].to); };
  }
  analysis::find_live(context, deeds_, reading);
}

void GameFacts::find_changes(CodeContext& context) {
  const std::size_t variables = model.game.variables().size();
  context.changed = analysis::changed_since(analysis::Since::start, context, deeds_, variables);
  context.changed_since_tag = analysis::changed_since(analysis::Since::tag, context, deeds_, variables);
}

// Which nodes can come back to themselves without a tag, and where that must be recognised.
void GameFacts::find_tests(CodeContext& context) {
  const std::size_t count = context.nodes.size();
  if (count == 0) return;
  const Arcs arcs =
      analysis::arcs_of(context, [](const CodeContext::Edge& edge) { return !analysis::shows(edge.deed); });
  choose_tests(context);
  const auto [component, components] = strong_components(count, arcs);
  context.assigned_in.assign(components, Bits(model.game.variables().size()));
  for (std::uint32_t i = 0; i < count; ++i) context.info[i].component = component[i];
  for (const CodeContext::Edge& edge : context.edges) {
    if (!analysis::writes(edge.deed) || component[edge.source] != component[edge.target]) continue;
    context.assigned_in[component[edge.source]].set(deeds_[edge.number].written.value);
  }
  find_tag_cycles(context);
  choose_visits(context);
  delay_tests(context);
}

bool GameFacts::one_way_on(const Step& a, const Step& b) const {
  return (is_condition(a) && is_condition(b) && a.to == b.to) || conditions_exclude(a, b);
}

// Where at most one way can be taken at each node of a cycle, and nothing is chosen, only a walk without end comes by
// twice, or one that began elsewhere. In a check that is so rare that complete keys are kept only after many arrivals.
void GameFacts::delay_tests(CodeContext& context) const {
  if (context.purpose != Purpose::check) return;
  std::vector<bool> branches(context.assigned_in.size(), false);  // by component
  for (const CodeContext::Node& node : context.info) {
    for (const std::uint32_t a : node.out) {
      const auto apart = [&](std::uint32_t b) { return a == b || one_way_on(model.steps[a], model.steps[b]); };
      if (model.steps[a].kind == Deed::assign_any || !std::ranges::all_of(node.out, apart))
        branches[node.component] = true;
    }
  }
  for (CodeContext::Node& node : context.info) node.late = node.late || (node.test && !branches[node.component]);
}

std::uint64_t GameFacts::key_cells(const Bits& key) const {
  std::uint64_t cells = 1;
  for (const std::size_t v : key) {
    if (!model.scalar(VarId(v))) return kSizes.visit_cells + 1;
    cells = std::min(cells * model.universe(VarId(v)).size(), kSizes.visit_cells + 1);
  }
  return cells;
}

// A visit is known by the values of what was assigned since the last tag. Maps, and scalars where there are too many
// combinations, are left out of the key where they do not change on the cycle itself.
void GameFacts::choose_visits(CodeContext& context) {
  context.begins_epoch = Bits(model.game.variables().size());
  for (std::uint32_t i = 0; i < context.info.size(); ++i) {
    const CodeContext::Node& node = context.info[i];
    if (!node.test) continue;
    const Bits key = context.live[i] & context.changed_since_tag[i];
    const Bits outside = key - context.assigned_in[node.component];
    Bits scalars(model.game.variables().size());
    for (const std::size_t v : outside) {
      if (model.scalar(VarId(v)))
        scalars.set(v);
      else
        context.begins_epoch.set(v);
    }
    if (key_cells(key - (outside - scalars)) > kSizes.key_values) context.begins_epoch |= scalars;
  }
  // What changes on a cycle stays in all keys: new epochs would hide that the cycle was walked before.
  for (const CodeContext::Node& node : context.info) {
    if (node.test) context.begins_epoch.remove(context.assigned_in[node.component]);
  }
  spread_tests(context);
}

// Which nodes come before a test.
void GameFacts::spread_tests(CodeContext& context) {
  const std::vector<bool> reaches = nodes_before(context, [&](std::uint32_t node) { return context.at(node).test; });
  for (std::uint32_t i = 0; i < context.info.size(); ++i) context.info[i].reaches_test = reaches[i];
}

void GameFacts::find_tag_cycles(CodeContext& context) {
  if (context.purpose == Purpose::check) return;
  const std::size_t count = context.nodes.size();
  const auto [component, components] =
      strong_components(count, analysis::arcs_of(context, [](const CodeContext::Edge&) { return true; }));
  std::vector<bool> has_tag(components, false);
  for (const CodeContext::Edge& edge : context.edges) {
    if (analysis::shows(edge.deed) && component[edge.source] == component[edge.target]) {
      has_tag[component[edge.source]] = true;
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) context.info[i].tag_cycle = has_tag[component[i]];
}

// A variable that is dead wherever a move can start is no part of the state.
void GameFacts::find_state() {
  const std::size_t variables = model.game.variables().size();
  const std::uint32_t universe = model.variable_shape(model.game.player()).leaf;
  exact = model.variable_values[model.game.player().value].test(model.code(universe, model.game.random()));
  state = Bits(variables);
  for (std::uint32_t v = 0; v < variables; ++v) {
    // Maps need memory in any case.
    if (model.assigned[v] && (exact || !model.scalar(VarId(v)))) state.set(v);
  }
  for (const std::uint32_t node : entries) state |= live_at_entry(node);
  if (model.assigned[model.game.visible().value]) state.set(model.game.visible().value);
  for (std::uint32_t v = 0; v < variables; ++v) {
    if (!model.assigned[v]) state.reset(v);
  }
  state.set(model.game.player().value);
}

std::vector<VarId> GameFacts::parameters(const CodeContext& context, std::uint32_t node) const {
  std::vector<VarId> result;
  const std::uint32_t i = context.local.at(node);
  for (const std::size_t v : context.live[i]) {
    const VarId variable(v);
    if (!model.scalar(variable)) continue;
    const bool param = context.purpose == Purpose::check && context.params.test(v);
    if (scratch(variable) || context.changed[i].test(v) || param) result.push_back(variable);
  }
  return result;
}

Bits GameFacts::visit_key(const CodeContext& context, std::uint32_t node) const {
  const std::uint32_t i = context.local.at(node);
  return (context.live[i] & context.changed_since_tag[i]) - context.begins_epoch;
}

// Between two visits of the node with one epoch there is none with another: to each of them as many epochs have begun
// since the start.
bool GameFacts::epochs_in_turn(const CodeContext& context, std::uint32_t node) const {
  std::vector<analysis::TagArc> arcs;
  for (const CodeContext::Edge& edge : context.edges) {
    if (edge.target == kNone) continue;
    const Step& step = model.steps[edge.number];
    const bool renews = is_assignment(step) && context.begins_epoch.test(step.variable.value);
    arcs.push_back({edge.source, edge.target, is_tag(step) || renews});
  }
  const analysis::TagBounds bounds = analysis::tag_bounds(context.nodes.size(), context.starts, arcs, kEfforts.epochs);
  const std::uint32_t i = context.local.at(node);
  return bounds.least[i] == bounds.most[i] && bounds.most[i] < kEfforts.epochs;
}

VarId GameFacts::sole_key(const CodeContext& context, std::uint32_t node) const {
  const CodeContext::Node& info = context.at(node);
  if (!info.test || info.late || info.tag_cycle) return {};
  const std::optional<std::size_t> key = visit_key(context, node).single();
  if (!key || !model.scalar(VarId(*key))) return {};
  // A check may look at something again.
  return context.purpose == Purpose::check || epochs_in_turn(context, node) ? VarId(*key) : VarId();
}

// A check is handed the variables that may differ from the state where it is called: outer contexts come first.
// Straight code keeps the state up to date; where it gave way to searching code, the state is made so for the call.
void GameFacts::find_parameters() {
  const auto calls = [&](const CodeContext& context) {
    for (const CodeContext::Edge& edge : context.edges) {
      if (edge.deed != Deed::check) continue;
      CodeContext& check = checks[deeds_[edge.number].check];
      if (check.always || !check.contains(check.entries[0])) continue;
      Bits handed = Bits::full(model.game.variables().size()) - state;
      if (context.purpose == Purpose::moves || context.purpose == Purpose::check)
        handed |= context.changed[edge.source];
      if (context.purpose == Purpose::check) handed |= context.params;
      check.params |= handed & check.live_at(check.entries[0]);
    }
  };
  for (const CodeContext* context : {&moves, &apply, &system}) calls(*context);
  for (auto it = inner_first_.rbegin(); it != inner_first_.rend(); ++it) calls(checks[*it]);
}

bool GameFacts::assignment_live(const CodeContext& context, const Step& step) const {
  if (step.ends_move && context.purpose != Purpose::check) return true;
  return context.live_at(step.to).test(step.variable.value);
}

bool GameFacts::complementary(const Step& a, const Step& b) const {
  if (a.kind != b.kind || a.negated == b.negated) return false;
  if (a.kind == Deed::compare) return a.lhs == b.lhs && a.rhs == b.rhs;
  return a.kind == Deed::check && a.check == b.check;
}

namespace {

// The conditions at the start of a way: along empty steps and conditions with no alternative.
std::vector<const Step*> leading_conditions(const NumberedGame& model, const Step& first) {
  std::vector<const Step*> result;
  const Step* at = &first;
  for (std::size_t i = 0; i < kEfforts.leading_steps; ++i) {
    if (at->kind == Deed::compare || at->kind == Deed::check)
      result.push_back(at);
    else if (at->kind != Deed::nothing && !is_tag(*at))
      break;
    if (model.out[at->to].size() != 1) break;
    at = &model.steps[model.out[at->to][0]];
  }
  return result;
}

}  // namespace

bool GameFacts::conditions_exclude(const Step& a, const Step& b) const {
  if (a.from == b.from && promises_.exclude(NodeId(a.from), NodeId(a.to), NodeId(b.to))) return true;
  const auto condition = [&](const Step& step) -> ir::Label {
    if (step.kind == Deed::compare) return ir::Compare{step.lhs, step.rhs, step.negated};
    if (step.kind != Deed::check) return ir::Empty{};
    const Check& check = model.checks[step.check];
    return ir::Reachability{NodeId(check.from), NodeId(check.to), step.negated};
  };
  return exclusive_.never_both(condition(a), condition(b), NodeId(a.from));
}

bool GameFacts::exclusive(const Step& a, const Step& b) const {
  if (conditions_exclude(a, b)) return true;
  for (const Step* x : leading_conditions(model, a)) {
    for (const Step* y : leading_conditions(model, b)) {
      if (conditions_exclude(*x, *y)) return true;
    }
  }
  return false;
}

}  // namespace rgtrans::cpp
