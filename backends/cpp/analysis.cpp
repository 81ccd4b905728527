// The analyses. All are least fixed points on the part of the automaton that an exploration can use.
#include "backends/cpp/analysis.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "core/analysis/analysis.hpp"

namespace rgtrans::cpp {

Analysis::Analysis(Model& m) : model(m) {
  hides = model.assigned[model.game.visible().value];
  read_pragmas();
  find_entries();
  goal_live.resize(model.game.variables().size());
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
  for (Context* context : {&moves, &apply, &system}) {
    explore(*context);
    find_liveness(*context);
    find_dirty(*context);
    find_tests(*context);
    count_tags(*context);
  }
  find_parameters();
  find_duplicates();
}

void Analysis::find_entries() {
  const std::size_t bound = model.out.size();
  keeper_entry.assign(bound, false);
  player_entry.assign(bound, false);
  const std::uint32_t universe = model.variable_shape(model.game.player()).leaf;
  const std::uint32_t keeper = model.code(universe, model.game.keeper());
  const auto add = [&](std::uint32_t node, const BitSet& movers) {
    if (!keeper_entry[node] && !player_entry[node]) entries.push_back(node);
    BitSet others = movers;
    if (movers.test(keeper)) keeper_entry[node] = true;
    others.reset(keeper);
    if (others.any()) player_entry[node] = true;
  };
  BitSet first(model.universes[universe].size());
  const ValueId initial = model.game.variable(model.game.player()).initial;
  first.set(model.code(universe, model.game.values.as_symbol(initial)));
  add(model.game.begin().value, first);
  for (const Step& step : model.steps) {
    if (step.ends_move) add(step.to, model.possible(step.rhs, universe));
  }
}

// Nodes that can be reached and from which the goal can be reached.
void Analysis::explore(Context& context) {
  const std::size_t bound = model.out.size();
  std::vector<bool> seen(bound, false);
  std::vector<std::uint32_t> order;
  for (const std::uint32_t node : context.entries) {
    if (!seen[node]) order.push_back(node);
    seen[node] = true;
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (context.is_goal(order[i])) continue;
    for (const std::uint32_t s : model.out[order[i]]) {
      const Step& step = model.steps[s];
      if (!continues(context, step) || seen[step.to]) continue;
      seen[step.to] = true;
      order.push_back(step.to);
    }
  }
  std::vector<bool> useful(bound, context.purpose == Purpose::whole);
  if (context.purpose != Purpose::whole) {
    std::vector<std::uint32_t> work;
    const auto mark = [&](std::uint32_t node) {
      if (!seen[node] || useful[node]) return;
      useful[node] = true;
      work.push_back(node);
    };
    if (context.purpose == Purpose::check) {
      mark(context.target);
    } else {
      for (const std::uint32_t node : order) {
        for (const std::uint32_t s : model.out[node]) {
          if (model.steps[s].ends_move) mark(node);
        }
      }
    }
    while (!work.empty()) {
      const std::uint32_t node = work.back();
      work.pop_back();
      for (const std::uint32_t s : model.in[node]) {
        const Step& step = model.steps[s];
        if (continues(context, step) && !context.is_goal(step.from)) mark(step.from);
      }
    }
  }
  for (const std::uint32_t node : order)
    if (useful[node]) context.nodes.push_back(node);
  context.local.assign(context.nodes, bound);
  context.info.resize(context.nodes.size());
  for (std::size_t i = 0; i < context.nodes.size(); ++i) {
    if (context.is_goal(context.nodes[i])) continue;
    for (const std::uint32_t s : model.out[context.nodes[i]]) {
      const Step& step = model.steps[s];
      if (continues(context, step)) {
        const std::uint32_t to = context.local.find(step.to);
        if (to == NodeNumbers::kNone) continue;
        ++context.info[to].in_degree;
      }
      context.info[i].out.push_back(s);
    }
  }
}

// Inner checks first, so that a check's reads are known where it is used.
void Analysis::build_checks() {
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
    Context& context = checks[index];
    context.purpose = Purpose::check;
    context.check = index;
    context.entries = {check.from};
    context.target = check.to;
    context.always = check.from == check.to;
    explore(context);
    for (const Context::Node& node : context.info) {
      for (const std::uint32_t s : node.out) {
        if (model.steps[s].kind == StepKind::check) build(model.steps[s].check);
      }
    }
    find_liveness(context);
    find_dirty(context);
    find_tests(context);
    context.params.resize(model.game.variables().size());
    state_of[index] = 2;
  };
  for (std::uint32_t i = 0; i < checks.size(); ++i) build(i);
}

// live: what is live behind the step, changed to what is live in front of it.
void Analysis::transfer(const Context& context, const Step& step, BitSet& live) const {
  const auto read = [&](ExprId expression) { model.for_each_read(expression, [&](VarId v) { live.set(v.value); }); };
  switch (step.kind) {
    case StepKind::empty:
      break;
    case StepKind::tag:
    case StepKind::tag_variable:
      // Who sees a tag is decided when it is passed.
      if (context.purpose == Purpose::apply || context.purpose == Purpose::system ||
          context.purpose == Purpose::whole) {
        if (hides) live.set(model.game.visible().value);
      }
      if (step.kind == StepKind::tag_variable && context.purpose != Purpose::check &&
          model.assigned[step.variable.value])
        live.set(step.variable.value);
      break;
    case StepKind::compare:
      read(step.lhs);
      read(step.rhs);
      break;
    case StepKind::check: {
      const Context& check = checks[step.check];
      if (!check.always && check.contains(check.entries[0])) live |= check.at(check.entries[0]).live;
      break;
    }
    case StepKind::assign:
    case StepKind::assign_any: {
      if (!live.test(step.variable.value)) return;
      if (step.lhs == model.game.expressions().root(step.lhs))
        live.reset(step.variable.value);
      else
        model.for_each_index_read(step.lhs, [&](VarId v) { live.set(v.value); });
      if (step.kind == StepKind::assign) read(step.rhs);
      break;
    }
  }
}

namespace {

// The nodes so that, but for cycles, each comes before those that lead to it; or the other way round.
analysis::Order order_of(const Model& model, const Context& context, bool backward) {
  std::vector<std::uint32_t> all(context.nodes.size());
  std::iota(all.begin(), all.end(), 0U);
  std::vector<std::uint32_t> order = analysis::post_order(all.size(), all, [&](std::uint32_t node, auto&& f) {
    for (const std::uint32_t s : context.info[node].out) {
      const Step& step = model.steps[s];
      if (continues(context, step)) f(context.local.at(step.to));
    }
  });
  if (!backward) std::ranges::reverse(order);
  return analysis::Order(std::move(order));
}

// The steps inside a context, from node to node.
template <class Taken>
analysis::Arcs arcs_of(const Model& model, const Context& context, Taken&& taken) {
  analysis::Arcs arcs;
  for (std::uint32_t i = 0; i < context.info.size(); ++i) {
    for (const std::uint32_t s : context.info[i].out) {
      const Step& step = model.steps[s];
      if (continues(context, step) && taken(step)) arcs.emplace_back(i, context.local.at(step.to));
    }
  }
  return arcs;
}

// Who is one step before a node.
class Users {
 public:
  Users(const Model& model, const Context& context)
      : arcs_(arcs_of(model, context, [](const Step&) { return true; })),
        by_target_(context.nodes.size(), arcs_.size(), [&](std::uint32_t i) { return arcs_[i].second; }) {}
  template <class F>
  void for_each(std::uint32_t node, F&& f) const {
    for (const std::uint32_t arc : by_target_[node]) f(arcs_[arc].first);
  }

 private:
  analysis::Arcs arcs_;
  Grouped by_target_;
};

// True when something was new.
bool absorb(BitSet& into, const BitSet& more) {
  if (more.is_subset_of(into)) return false;
  into |= more;
  return true;
}

}  // namespace

void Analysis::find_liveness(Context& context) {
  const std::size_t variables = model.game.variables().size();
  for (Context::Node& node : context.info) node.live.resize(variables);
  const Users users(model, context);
  if (context.purpose == Purpose::whole) {
    const std::uint32_t end = context.local.find(model.game.end().value);
    if (end != NodeNumbers::kNone) context.info[end].live |= goal_live;
  }
  const bool needs_boundary = context.purpose == Purpose::apply || context.purpose == Purpose::system;
  BitSet live(variables), through(variables);
  const analysis::Order order = order_of(model, context, true);
  analysis::Worklist work(order, /*all=*/true);
  work.run([&](std::uint32_t i) {
    live = context.info[i].live;
    for (const std::uint32_t s : context.info[i].out) {
      const Step& step = model.steps[s];
      if (continues(context, step)) {
        const BitSet& behind = context.info[context.local.at(step.to)].live;
        if (!is_assignment(step)) {  // what is live behind is live in front, too
          live |= behind;
          transfer(context, step, live);
          continue;
        }
        through = behind;
      } else if (needs_boundary) {
        through = exact ? state : live_at_entry(step.to);
        through.set(model.game.player().value);
      } else {
        continue;
      }
      transfer(context, step, through);
      live |= through;
    }
    if (live == context.info[i].live) return true;
    context.info[i].live.swap(live);
    users.for_each(i, [&](std::uint32_t user) { work.queue(user); });
    return true;
  });
}

void Analysis::find_dirty(Context& context) {
  const std::size_t variables = model.game.variables().size();
  for (Context::Node& node : context.info) {
    node.dirty.resize(variables);
    node.segment.resize(variables);
  }
  const analysis::Order order = order_of(model, context, false);
  analysis::Worklist work(order, /*all=*/true);
  work.run([&](std::uint32_t i) {
    const Context::Node& node = context.info[i];
    for (const std::uint32_t s : node.out) {
      const Step& step = model.steps[s];
      if (!continues(context, step)) continue;
      const std::uint32_t to = context.local.at(step.to);
      Context::Node& next = context.info[to];
      bool grew = absorb(next.dirty, node.dirty);
      if (!is_tag(step) || context.purpose == Purpose::check) grew |= absorb(next.segment, node.segment);
      if (is_assignment(step)) {
        grew |= !next.dirty.test_set(step.variable.value);
        grew |= !next.segment.test_set(step.variable.value);
      }
      if (grew) work.queue(to);
    }
    return true;
  });
}

// Which nodes can come back to themselves without a tag, and where that must be recognised.
void Analysis::find_tests(Context& context) {
  const std::size_t count = context.nodes.size();
  if (count == 0) return;
  const bool tags_pass = context.purpose == Purpose::check;
  const analysis::Arcs arcs = arcs_of(model, context, [&](const Step& step) { return tags_pass || !is_tag(step); });
  choose_tests(context);
  const auto [component, components] = analysis::strong_components(count, arcs);
  context.assigned_in.assign(components, BitSet(model.game.variables().size()));
  for (std::uint32_t i = 0; i < count; ++i) context.info[i].component = component[i];
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const std::uint32_t s : context.info[i].out) {
      const Step& step = model.steps[s];
      if (!is_assignment(step) || !continues(context, step)) continue;
      if (context.at(step.to).component == component[i]) context.assigned_in[component[i]].set(step.variable.value);
    }
  }
  find_tag_cycles(context);
  choose_visits(context);
}

std::uint64_t Analysis::key_cells(const BitSet& key) const {
  std::uint64_t cells = 1;
  for (std::size_t v = key.find_first(); v != BitSet::npos; v = key.find_next(v)) {
    if (!model.scalar(VarId(v))) return kMostVisitCells + 1;
    cells = std::min(cells * model.universes[model.variable_shape(VarId(v)).leaf].size(), kMostVisitCells + 1);
  }
  return cells;
}

// A visit is known by the values of what was assigned since the last tag. Maps, and scalars where there are too many
// combinations, are left out of the key where they do not change on the cycle itself.
void Analysis::choose_visits(Context& context) {
  constexpr std::uint64_t kFew = 1U << 14U;
  context.renewing.resize(model.game.variables().size());
  for (const Context::Node& node : context.info) {
    if (!node.test) continue;
    const BitSet outside = (node.live & node.segment) - context.assigned_in[node.component];
    BitSet scalars(outside.size());
    for (std::size_t v = outside.find_first(); v != BitSet::npos; v = outside.find_next(v)) {
      if (model.scalar(VarId(v)))
        scalars.set(v);
      else
        context.renewing.set(v);
    }
    if (key_cells((node.live & node.segment) - (outside - scalars)) > kFew) context.renewing |= scalars;
  }
  // What changes on a cycle stays in all keys: new epochs would hide that the cycle was gone before.
  for (const Context::Node& node : context.info) {
    if (node.test) context.renewing -= context.assigned_in[node.component];
  }
  spread_tests(context);
}

// Which nodes come before a test.
void Analysis::spread_tests(Context& context) {
  const std::size_t count = context.nodes.size();
  std::vector<std::uint32_t> work;
  const Users users(model, context);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (context.info[i].test) {
      context.info[i].reaches_test = true;
      work.push_back(i);
    }
  }
  while (!work.empty()) {
    const std::uint32_t i = work.back();
    work.pop_back();
    users.for_each(i, [&](std::uint32_t user) {
      if (context.info[user].reaches_test) return;
      context.info[user].reaches_test = true;
      work.push_back(user);
    });
  }
}

void Analysis::find_tag_cycles(Context& context) {
  if (context.purpose == Purpose::check) return;
  const std::size_t count = context.nodes.size();
  const auto [component, components] =
      analysis::strong_components(count, arcs_of(model, context, [](const Step&) { return true; }));
  std::vector<bool> has_tag(components, false);
  for (const auto& [from, to] : arcs_of(model, context, is_tag)) {
    if (component[from] == component[to]) has_tag[component[from]] = true;
  }
  for (std::uint32_t i = 0; i < count; ++i) context.info[i].tag_cycle = has_tag[component[i]];
}

// A variable that is dead wherever a move can start is no part of the state.
void Analysis::find_state() {
  const std::size_t variables = model.game.variables().size();
  const std::uint32_t universe = model.variable_shape(model.game.player()).leaf;
  exact = model.variable_values[model.game.player().value].test(model.code(universe, model.game.random()));
  state.resize(variables);
  for (std::uint32_t v = 0; v < variables; ++v) {
    // Maps need memory in any case.
    if (model.assigned[v] && (exact || !model.scalar(VarId(v)))) state.set(v);
  }
  for (const std::uint32_t node : entries) state |= whole.at(node).live;
  if (model.assigned[model.game.visible().value]) state.set(model.game.visible().value);
  state.set(model.game.player().value);
  state &= model.assigned;
  state.set(model.game.player().value);
}

std::vector<VarId> Analysis::parameters(const Context& context, std::uint32_t node) const {
  std::vector<VarId> result;
  const Context::Node& info = context.at(node);
  for (std::size_t v = info.live.find_first(); v != BitSet::npos; v = info.live.find_next(v)) {
    const VarId variable(v);
    if (!model.scalar(variable)) continue;
    const bool param = context.purpose == Purpose::check && context.params.test(v);
    if (scratch(variable) || info.dirty.test(v) || param) result.push_back(variable);
  }
  return result;
}

std::vector<VarId> Analysis::visit_key(const Context& context, std::uint32_t node) const {
  std::vector<VarId> result;
  const Context::Node& info = context.at(node);
  const BitSet key = (info.live & info.segment) - context.renewing;
  for (std::size_t v = key.find_first(); v != BitSet::npos; v = key.find_next(v)) result.emplace_back(v);
  return result;
}

// A check is handed the variables that may differ from the state where it is called: outer contexts come first.
// Straight code keeps the state up to date; where it gave way to searching code, the state is made so for the call.
void Analysis::find_parameters() {
  std::vector<std::uint32_t> order;
  std::vector<bool> done(checks.size(), false);
  const std::function<void(std::uint32_t)> visit = [&](std::uint32_t index) {
    if (done[index]) return;
    done[index] = true;
    for (const Context::Node& node : checks[index].info) {
      for (const std::uint32_t s : node.out) {
        if (model.steps[s].kind == StepKind::check) visit(model.steps[s].check);
      }
    }
    order.push_back(index);
  };
  for (std::uint32_t i = 0; i < checks.size(); ++i) visit(i);
  const auto calls = [&](const Context& context) {
    for (const Context::Node& node : context.info) {
      for (const std::uint32_t s : node.out) {
        if (model.steps[s].kind != StepKind::check) continue;
        Context& check = checks[model.steps[s].check];
        if (check.always || !check.contains(check.entries[0])) continue;
        BitSet handed = ~state;
        if (context.purpose == Purpose::moves || context.purpose == Purpose::check) handed |= node.dirty;
        if (context.purpose == Purpose::check) handed |= context.params;
        check.params |= handed & check.at(check.entries[0]).live;
      }
    }
  };
  for (const Context* context : {&moves, &apply, &system}) calls(*context);
  for (auto it = order.rbegin(); it != order.rend(); ++it) calls(checks[*it]);
}

bool Analysis::assignment_live(const Context& context, const Step& step) const {
  if (step.ends_move && context.purpose != Purpose::check) return true;
  return context.at(step.to).live.test(step.variable.value);
}

bool Analysis::complementary(const Step& a, const Step& b) const {
  if (a.kind != b.kind || a.negated == b.negated) return false;
  if (a.kind == StepKind::compare) return a.lhs == b.lhs && a.rhs == b.rhs;
  return a.kind == StepKind::check && a.check == b.check;
}

namespace {

// The conditions at the start of a way: along empty steps and conditions with no alternative.
std::vector<const Step*> leading_conditions(const Model& model, const Step& first) {
  constexpr std::size_t kMost = 8;
  std::vector<const Step*> result;
  const Step* at = &first;
  for (std::size_t i = 0; i < kMost; ++i) {
    if (at->kind == StepKind::compare || at->kind == StepKind::check)
      result.push_back(at);
    else if (at->kind != StepKind::empty && !is_tag(*at))
      break;
    if (model.out[at->to].size() != 1) break;
    at = &model.steps[model.out[at->to][0]];
  }
  return result;
}

}  // namespace

// Of two conditions in one state at most one holds.
bool Analysis::conditions_exclude(const Step& a, const Step& b) const {
  if (complementary(a, b)) return true;
  if (a.from == b.from && disjoint_.contains({a.from, a.to}) && disjoint_.contains({b.from, b.to}) && a.to != b.to) {
    return disjoint_.at({a.from, a.to}) == disjoint_.at({b.from, b.to});
  }
  if (a.kind != StepKind::compare || b.kind != StepKind::compare) return false;
  const auto [known, fresh] = never_both_.try_emplace(std::minmax(a.edge.value, b.edge.value));
  if (fresh) known->second = never_both(a, b);
  if (known->second || a.negated || b.negated) return known->second;
  const auto& types = model.game.expressions();
  for (const auto& [l1, r1] : {std::pair(a.lhs, a.rhs), std::pair(a.rhs, a.lhs)}) {
    for (const auto& [l2, r2] : {std::pair(b.lhs, b.rhs), std::pair(b.rhs, b.lhs)}) {
      const auto universe = model.universe_of(l1);
      if (l1 != l2 || !universe || !model.shape(types.type(l1)).scalar()) continue;
      if (!model.possible(r1, *universe).intersects(model.possible(r2, *universe))) return true;
    }
  }
  return false;
}

// Tries all values of what both conditions read: variables, and cells of changing maps.
bool Analysis::never_both(const Step& a, const Step& b) const {
  constexpr std::size_t kMostTries = 2048;
  constexpr std::size_t kMostAtoms = 2;
  const auto& e = model.game.expressions();
  std::vector<ExprId> atoms;
  bool maps = false;
  for (const ExprId side : {a.lhs, a.rhs, b.lhs, b.rhs}) {
    model.for_each_atom(side, [&](ExprId atom) {
      maps = maps || !model.shape(e.type(atom)).scalar();
      if (std::find(atoms.begin(), atoms.end(), atom) == atoms.end()) atoms.push_back(atom);
    });
  }
  if (maps || atoms.empty() || atoms.size() > kMostAtoms) return false;
  Bindings bindings;
  std::vector<std::vector<SymbolId>> values;
  std::size_t tries = 1;
  for (const ExprId atom : atoms) {
    const Universe& universe = model.universes[*model.universe_of(atom)];
    const BitSet& can = model.variable_values[e.variable(e.root(atom)).value];
    values.emplace_back();
    for (std::uint32_t c = 0; c < universe.size(); ++c) {
      if (can.test(c)) values.back().push_back(universe.symbols[c]);
    }
    tries *= values.back().size();
    bindings.emplace_back(atom, SymbolId());
  }
  if (tries > kMostTries) return false;
  const auto holds = [&](const Step& step) {
    const Folded l = model.fold(step.lhs, bindings);
    const Folded r = model.fold(step.rhs, bindings);
    return !l.symbol.valid() || !r.symbol.valid() || (l.symbol == r.symbol) != step.negated;
  };
  for (std::size_t i = 0; i < tries; ++i) {
    std::size_t rest = i;
    for (std::size_t k = 0; k < atoms.size(); ++k) {
      bindings[k].second = values[k][rest % values[k].size()];
      rest /= values[k].size();
    }
    if (holds(a) && holds(b)) return false;
  }
  return true;
}

bool Analysis::exclusive(const Step& a, const Step& b) const {
  if (conditions_exclude(a, b)) return true;
  for (const Step* x : leading_conditions(model, a)) {
    for (const Step* y : leading_conditions(model, b)) {
      if (conditions_exclude(*x, *y)) return true;
    }
  }
  return false;
}

// The promises of @disjoint that name different nodes; the number tells which pragma it was.
void Analysis::read_pragmas() {
  int number = 0;
  for (const ir::Pragma& pragma : model.game.pragmas) {
    const auto* disjoint = std::get_if<ir::Disjoint>(&pragma.content);
    if (disjoint == nullptr) continue;
    ++number;
    for (const NodeId target : disjoint->targets) disjoint_.try_emplace({disjoint->node.value, target.value}, number);
  }
}

}  // namespace rgtrans::cpp
