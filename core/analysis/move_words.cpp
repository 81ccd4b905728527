#include "core/analysis/move_words.hpp"

#include <algorithm>
#include <set>

#include "core/ir/ir.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::analysis {

namespace {

constexpr std::uint64_t kMostSteps = 6'000'000;  // limit on the edges that walks follow
constexpr std::size_t kMostValues = 4096;        // largest set of values that is enumerated for a variable

SymbolId value_of(const std::vector<std::pair<std::uint32_t, SymbolId>>& known, std::uint32_t variable) {
  const auto it = std::ranges::lower_bound(known, variable, {}, [](const auto& entry) { return entry.first; });
  return it != known.end() && it->first == variable ? it->second : SymbolId();
}

void set_value(std::vector<std::pair<std::uint32_t, SymbolId>>& known, std::uint32_t variable, SymbolId value) {
  const auto it = std::ranges::lower_bound(known, variable, {}, [](const auto& entry) { return entry.first; });
  const bool present = it != known.end() && it->first == variable;
  if (!value.valid()) {
    if (present) known.erase(it);
  } else if (present) {
    it->second = value;
  } else {
    known.insert(it, {variable, value});
  }
}

}  // namespace

MoveWords::MoveWords(ir::Game& game, bool random, bool values)
    : game_(game),
      random_(random),
      flow_(game),
      sets_(game, flow_),
      artificial_(ir::artificial_tags(game)),
      written_(game.variables().size(), false),
      tracked_(game.variables().size()) {
  for (const ir::EdgeId edge : game.graph.edges()) {
    const ir::VarId written = ir::written_variable(game, game.graph.label(edge));
    if (written.valid()) written_[written.value] = true;
  }
  if (values) find_tracked();
  find_relevant();
}

// --- Relevant variables. ---

// Whether the value depends only on scalar variables and constants. A map that is never written counts as a constant.
bool MoveWords::pure(ir::ExprId expression) const {
  bool result = true;
  game_.for_each_variable(expression, [&](ir::VarId v) {
    result = result && (!game_.is_arrow(game_.variable(v).type) || !written_[v.value]);
  });
  return result;
}

bool MoveWords::all_tracked(ir::ExprId expression) const {
  bool result = pure(expression);
  game_.for_each_variable(expression,
                          [&](ir::VarId v) { result = result && (!written_[v.value] || tracked_.test(v.value)); });
  return result;
}

// Whether the values of tracked variables determine the truth of the comparison.
bool MoveWords::decides(const ir::Compare& compare) const {
  return all_tracked(compare.lhs) && all_tracked(compare.rhs);
}

// Tracks the variables that tags show, and scalar variables from which tracked ones are computed.
void MoveWords::find_tracked() {
  const auto scalar = [&](ir::VarId v) { return !game_.is_arrow(game_.variable(v).type); };
  for (const ir::EdgeId edge : game_.graph.edges()) {
    if (const auto* shown = std::get_if<ir::TagVariable>(&game_.graph.label(edge))) tracked_.set(shown->variable.value);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const ir::EdgeId edge : game_.graph.edges()) {
      const auto* assign = std::get_if<ir::Assign>(&game_.graph.label(edge));
      if (assign == nullptr || !ir::writes_whole(game_, *assign) || !pure(assign->rhs)) continue;
      const ir::VarId target = game_.assigned_variable(assign->lhs);
      if (!scalar(target) || !tracked_.test(target.value)) continue;
      game_.for_each_variable(assign->rhs, [&](ir::VarId v) {
        if (!scalar(v) || !written_[v.value] || tracked_.test(v.value)) return;
        tracked_.set(v.value);
        changed = true;
      });
    }
  }
}

void MoveWords::add_reads(ir::ExprId expression, Bits& into) const {
  game_.for_each_variable(expression, [&](ir::VarId v) {
    if (tracked_.test(v.value)) into.set(v.value);
  });
}

// Merges into `before` the tracked variables that are relevant before an edge. None are relevant where a move ends.
void MoveWords::add_uses(const ir::Label& label, const Bits& after, Bits& before) const {
  if (game_.is_player_assignment(label)) return;
  Bits now = after;
  const ir::VarId written = ir::written_variable(game_, label);
  if (written.valid() && ir::writes_whole(game_, label)) now.reset(written.value);
  if (const auto* assign = std::get_if<ir::Assign>(&label)) {
    if (written.valid() && after.test(written.value) && pure(assign->rhs)) add_reads(assign->rhs, now);
  } else if (const auto* compare = std::get_if<ir::Compare>(&label)) {
    if (decides(*compare)) {
      add_reads(compare->lhs, now);
      add_reads(compare->rhs, now);
    }
  } else if (const auto* shown = std::get_if<ir::TagVariable>(&label)) {
    if (tracked_.test(shown->variable.value)) now.set(shown->variable.value);
  }
  before |= now;
}

void MoveWords::find_relevant() {
  relevant_.assign(flow_.size(), Bits(tracked_.any() ? game_.variables().size() : 0));
  if (!tracked_.any()) return;
  const Order order = flow_.order(/*backward=*/true);
  Worklist work(order, /*all=*/true);
  work.run([&](std::uint32_t i) {
    Bits before = relevant_[i];
    for (const FlowEdge& edge : flow_.out(i)) {
      if (edge.edge.valid() && !edge.call) add_uses(game_.graph.label(edge.edge), relevant_[edge.to], before);
    }
    if (before == relevant_[i]) return true;
    relevant_[i] = std::move(before);
    for (const std::uint32_t in : flow_.in(i)) work.queue(flow_.edges()[in].from);
    return true;
  });
}

// --- Places. ---

// The possible movers after an assignment to the player: random, or the players, depending on random_.
bool MoveWords::movers(ir::EdgeId edge, std::vector<SymbolId>& who) {
  const ir::NodeId source = game_.graph.source(edge);
  const ir::Label& label = game_.graph.label(edge);
  if (!flow_.main(source) || !sets_.possible(source) || !game_.is_player_assignment(label)) return false;
  std::vector<SymbolId> all;
  if (const auto* assign = std::get_if<ir::Assign>(&label)) {
    all = sets_.sets().of(sets_.values(assign->rhs, source));
  } else {
    const auto members = game_.members(std::get<ir::AssignAny>(label).type);
    all.assign(members.begin(), members.end());
  }
  for (const SymbolId symbol : all) {
    if (symbol != game_.keeper() && (symbol == game_.random()) == random_) who.push_back(symbol);
  }
  return !who.empty();
}

std::vector<MoveWords::Place> MoveWords::starts() {
  std::set<Place> result;
  const auto start = [&](ir::NodeId node, const std::vector<SymbolId>& who) {
    if (tracked_.any() && tracked_.test(game_.player().value)) {
      for (const SymbolId player : who) result.insert(place({node, keep({{game_.player().value, player}}, node)}));
    } else {
      result.insert(place({node, keep({}, node)}));
    }
  };
  for (const ir::EdgeId edge : game_.graph.edges()) {
    std::vector<SymbolId> who;
    if (movers(edge, who)) start(game_.graph.target(edge), who);
  }
  const SymbolId first = game_.values.as_symbol(game_.variable(game_.player()).initial);
  if (first != game_.keeper() && (first == game_.random()) == random_) start(game_.begin(), {first});
  return {result.begin(), result.end()};
}

// Keeps only values that are relevant at the node.
std::uint32_t MoveWords::keep(const Known& known, ir::NodeId node) {
  Known kept;
  if (flow_.reached(node) && tracked_.any()) {
    const Bits& relevant = relevant_[flow_.index(node)];
    for (const auto& entry : known) {
      if (relevant.test(entry.first)) kept.push_back(entry);
    }
  }
  const auto [it, fresh] = known_index_.emplace(std::move(kept), static_cast<std::uint32_t>(knowns_.size()));
  if (fresh) knowns_.push_back(it->first);
  return it->second;
}

MoveWords::Place MoveWords::place(Spot spot) {
  const std::uint64_t key = std::uint64_t{spot.node.value} << 32U | spot.known;
  const auto [it, fresh] = place_index_.emplace(key, static_cast<Place>(places_.size()));
  if (fresh) {
    places_.push_back(spot);
    ways_.emplace_back();
  }
  return it->second;
}

// --- Walking from one tag to the next. ---

const MoveWords::Ways& MoveWords::ways(Place from) {
  if (ways_[from]) return *ways_[from];
  auto result = std::make_unique<Ways>();
  seen_.clear();
  open_.clear();
  go(places_[from].node, knowns_[places_[from].known]);
  while (!open_.empty()) {
    const Spot spot = open_.back();
    open_.pop_back();
    const Known known = knowns_[spot.known];
    for (const ir::EdgeId edge : game_.graph.out_edges(spot.node)) walk(edge, known, *result);
  }
  sort_unique(result->steps);
  ways_[from] = std::move(result);
  return *ways_[from];
}

void MoveWords::go(ir::NodeId node, const Known& known) {
  if (!flow_.reached(node) || !sets_.possible(node)) return;
  const std::uint32_t kept = keep(known, node);
  if (seen_.insert(std::uint64_t{node.value} << 32U | kept).second) open_.push_back({node, kept});
}

void MoveWords::show(SymbolId tag, ir::NodeId node, const Known& known, Ways& ways) {
  if (!flow_.reached(node) || !sets_.possible(node)) return;
  ways.steps.emplace_back(tag, place({node, keep(known, node)}));
}

ir::Folded MoveWords::fold(ir::ExprId expression, const Known& known) const {
  const ir::Expressions& e = game_.expressions();
  return ir::fold(game_, expression, [&](ir::ExprId part) -> ir::Folded {
    if (e.kind(part) != ir::ExprKind::variable) return {};
    const ir::VarId variable = e.variable(part);
    if (!written_[variable.value]) return ir::folded(game_, game_.variable(variable).initial);
    return {value_of(known, variable.value), {}};
  });
}

// A tracked variable in the expression with an unknown value and few enough candidates to enumerate.
ir::VarId MoveWords::unknown(ir::ExprId expression, const Known& known, ir::NodeId node) {
  ir::VarId result;
  game_.for_each_variable(expression, [&](ir::VarId v) {
    if (result.valid() || !tracked_.test(v.value) || value_of(known, v.value).valid()) return;
    if (sets_.sets().of(sets_.values(game_.variable_ref(v), node)).size() <= kMostValues) result = v;
  });
  return result;
}

bool MoveWords::can_hold(const ir::Compare& compare, ir::EdgeId edge) {
  const auto [it, fresh] = holds_.try_emplace(edge.value, true);
  if (fresh) it->second = sets_.holds(compare, game_.graph.source(edge)) != Truth::no;
  return it->second;
}

void MoveWords::walk(ir::EdgeId edge, const Known& known, Ways& ways) {
  if (++looked_at_ > kMostSteps) throw TooManyWords();
  const ir::Label& label = game_.graph.label(edge);
  const ir::NodeId node = game_.graph.source(edge);
  const ir::NodeId target = game_.graph.target(edge);
  if (game_.is_player_assignment(label)) {
    ways.ends = true;
    return;
  }
  // Case split over the possible values of a variable.
  const auto split = [&](ir::VarId variable) {
    for (const SymbolId value :
         std::vector<SymbolId>(sets_.sets().of(sets_.values(game_.variable_ref(variable), node)))) {
      Known more = known;
      set_value(more, variable.value, value);
      walk(edge, more, ways);
    }
  };
  if (const auto* shown = std::get_if<ir::TagVariable>(&label)) {
    const SymbolId value = value_of(known, shown->variable.value);
    if (!value.valid() && tracked_.any()) return split(shown->variable);
    // A known value that is not among the possible ones belongs to a walk that no play takes.
    for (const SymbolId each :
         std::vector<SymbolId>(sets_.sets().of(sets_.values(game_.variable_ref(shown->variable), node))))
      if (!value.valid() || value == each) show(each, target, known, ways);
    return;
  }
  if (const auto* tag = std::get_if<ir::Tag>(&label)) {
    if (artificial_[tag->symbol.value]) return go(target, known);
    return show(tag->symbol, target, known, ways);
  }
  if (const auto* compare = std::get_if<ir::Compare>(&label)) {
    if (!can_hold(*compare, edge)) return;
    if (tracked_.any() && decides(*compare)) {
      for (const ir::ExprId side : {compare->lhs, compare->rhs}) {
        if (const ir::VarId variable = unknown(side, known, node); variable.valid()) return split(variable);
      }
      const ir::Folded left = fold(compare->lhs, known);
      const ir::Folded right = fold(compare->rhs, known);
      if (left.symbol.valid() && right.symbol.valid() && (left.symbol == right.symbol) == compare->negated) return;
    }
    return go(target, known);
  }
  const ir::VarId written = ir::written_variable(game_, label);
  if (!written.valid() || !ir::writes_whole(game_, label) || !tracked_.any() || !tracked_.test(written.value)) {
    return go(target, known);
  }
  Known after = known;
  const bool matters = flow_.reached(target) && relevant_[flow_.index(target)].test(written.value);
  if (const auto* any = std::get_if<ir::AssignAny>(&label); any != nullptr && matters) {
    const auto members = game_.members(any->type);
    if (members.size() <= kMostValues) {
      for (const SymbolId value : members) {
        set_value(after, written.value, value);
        go(target, after);
      }
      return;
    }
  }
  SymbolId value;
  if (const auto* assign = std::get_if<ir::Assign>(&label); assign != nullptr && matters && pure(assign->rhs)) {
    if (const ir::VarId variable = unknown(assign->rhs, known, node); variable.valid()) return split(variable);
    value = fold(assign->rhs, known).symbol;
  }
  set_value(after, written.value, value);
  go(target, after);
}

std::vector<SymbolId> MoveWords::tags() {
  std::set<SymbolId> result;
  for (const ir::EdgeId edge : game_.graph.edges()) {
    const ir::NodeId source = game_.graph.source(edge);
    if (!flow_.main(source) || !sets_.possible(source)) continue;
    const ir::Label& label = game_.graph.label(edge);
    if (const auto* tag = std::get_if<ir::Tag>(&label)) {
      if (!artificial_[tag->symbol.value]) result.insert(tag->symbol);
    } else if (const auto* shown = std::get_if<ir::TagVariable>(&label)) {
      const SetId values = sets_.values(game_.variable_ref(shown->variable), source);
      result.insert(sets_.sets().of(values).begin(), sets_.sets().of(values).end());
    }
  }
  return {result.begin(), result.end()};
}

}  // namespace rgtrans::analysis
