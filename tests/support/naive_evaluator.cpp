#include "tests/support/naive_evaluator.hpp"

#include <algorithm>

namespace rgtrans::test {

namespace {
constexpr std::size_t kMaxTags = 8;
constexpr std::size_t kMaxWalks = 20'000;
}  // namespace

const NaiveValue& NaiveValue::at(const std::string& key) const {
  const auto it = cells.find(key);
  return it == cells.end() ? *otherwise : it->second;
}

NaiveEvaluator::NaiveEvaluator(const ir::Game& game) : game_(game) {
  for (const ir::Pragma& pragma : game.pragmas) {
    const auto* list = std::get_if<ir::ArtificialTag>(&pragma.content);
    if (list != nullptr) artificial_.insert(list->tags.begin(), list->tags.end());
  }
}

NaiveValue NaiveEvaluator::value(ir::ValueId id, ir::TypeId type) const {
  type = game_.resolve(type);
  NaiveValue out;
  if (game_.values.is_symbol(id)) {
    out.symbol = text(game_.values.as_symbol(id));
    return out;
  }
  const ir::TypeId to = game_.types.to(type);
  for (SymbolId key : game_.members(game_.types.from(type))) {
    out.cells[text(key)] = value(game_.values.at(id, key), to);
  }
  out.otherwise = std::make_shared<NaiveValue>(value(game_.values.default_of(id), to));
  return out;
}

NaiveState NaiveEvaluator::initial() const {
  NaiveState state;
  state.node = game_.begin();
  for (std::size_t i = 0; i < game_.variables().size(); ++i) {
    const ir::Variable& variable = game_.variable(ir::VarId(i));
    state.variables[ir::VarId(i)] = value(variable.initial, variable.type);
  }
  return state;
}

NaiveValue NaiveEvaluator::evaluate(const NaiveState& state, ir::ExprId expr) const {
  const ir::Expressions& all = game_.expressions();
  switch (all.kind(expr)) {
    case ir::ExprKind::symbol: {
      NaiveValue out;
      out.symbol = text(all.symbol(expr));
      return out;
    }
    case ir::ExprKind::constant: {
      const ir::Constant& constant = game_.constant(all.constant(expr));
      return value(constant.value, constant.type);
    }
    case ir::ExprKind::variable:
      return state.variables.at(all.variable(expr));
    case ir::ExprKind::access:
      return evaluate(state, all.map(expr)).at(evaluate(state, all.index(expr)).symbol);
    case ir::ExprKind::cast:
      return evaluate(state, all.operand(expr));
  }
  return {};
}

// A map read as one over the keys of `like`.
NaiveValue NaiveEvaluator::fit(const NaiveValue& value, const NaiveValue& like) const {
  if (!value.otherwise || !like.otherwise) return value;
  NaiveValue out;
  for (const auto& [key, cell] : like.cells) out.cells[key] = fit(value.at(key), cell);
  out.otherwise = value.otherwise;
  return out;
}

void NaiveEvaluator::store(NaiveState& state, ir::ExprId place, const NaiveValue& value) const {
  const ir::Expressions& all = game_.expressions();
  std::vector<std::string> keys;
  ir::ExprId at = place;
  while (at != all.root(at)) {
    if (all.kind(at) == ir::ExprKind::access) keys.push_back(evaluate(state, all.index(at)).symbol);
    at = all.kind(at) == ir::ExprKind::cast ? all.operand(at) : all.map(at);
  }
  NaiveValue* cell = &state.variables.at(all.variable(at));
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
    const auto it = cell->cells.find(*key);
    if (it == cell->cells.end()) return;  // outside the map: nothing to store into
    cell = &it->second;
  }
  *cell = fit(value, *cell);
}

std::vector<NaiveState> NaiveEvaluator::act(const NaiveState& state, ir::EdgeId edge, Pending& pending) const {
  std::vector<NaiveState> out;
  const auto go = [&](NaiveState next) {
    next.node = game_.graph.target(edge);
    out.push_back(std::move(next));
  };
  const ir::Label& label = game_.graph.label(edge);
  if (const auto* compare = std::get_if<ir::Compare>(&label)) {
    const NaiveValue left = evaluate(state, compare->lhs);
    const NaiveValue right = evaluate(state, compare->rhs);
    if ((fit(right, left) == left && fit(left, right) == right) != compare->negated) go(state);
  } else if (const auto* assign = std::get_if<ir::Assign>(&label)) {
    NaiveState next = state;
    store(next, assign->lhs, evaluate(state, assign->rhs));
    go(std::move(next));
  } else if (const auto* any = std::get_if<ir::AssignAny>(&label)) {
    for (SymbolId member : game_.members(any->type)) {
      NaiveState next = state;
      NaiveValue value;
      value.symbol = text(member);
      store(next, any->lhs, value);
      go(std::move(next));
    }
  } else if (const auto* check = std::get_if<ir::Reachability>(&label)) {
    if (reaches(state, check->from, check->to, pending) != check->negated) go(state);
  } else {
    go(state);
  }
  return out;
}

bool NaiveEvaluator::reaches(const NaiveState& state, ir::NodeId from, ir::NodeId to, Pending& pending) const {
  if (std::ranges::find(pending, std::pair(from, to)) != pending.end()) throw NaiveProblem("recursive check");
  pending.emplace_back(from, to);
  NaiveState start = state;
  start.node = from;
  std::set<NaiveState> seen{start};
  std::vector<NaiveState> todo{start};
  bool found = false;
  while (!todo.empty() && !found) {
    const NaiveState here = todo.back();
    todo.pop_back();
    found = here.node == to;
    if (found) break;
    if (seen.size() > kMaxWalks) throw NaiveProblem("too many states");
    for (ir::EdgeId edge : game_.graph.out_edges(here.node)) {
      for (NaiveState& next : act(here, edge, pending)) {
        if (seen.insert(next).second) todo.push_back(next);
      }
    }
  }
  pending.pop_back();
  return found;
}

std::map<NaiveEvaluator::Labeling, std::set<NaiveState>> NaiveEvaluator::moves(const NaiveState& state) const {
  std::map<Labeling, std::set<NaiveState>> out;
  if (final(state)) return out;
  Pending pending;
  std::set<Walk> seen{{state, {}}};
  std::vector<Walk> todo{{state, {}}};
  while (!todo.empty()) {
    const Walk here = todo.back();
    todo.pop_back();
    if (here.tags.size() > kMaxTags) throw NaiveProblem("endless move");
    if (seen.size() > kMaxWalks) throw NaiveProblem("too many walks");
    for (ir::EdgeId edge : game_.graph.out_edges(here.state.node)) {
      const ir::Label& label = game_.graph.label(edge);
      for (NaiveState& next : act(here.state, edge, pending)) {
        Walk walk{std::move(next), here.tags};
        if (const auto* tag = std::get_if<ir::Tag>(&label); tag != nullptr && !artificial_.contains(tag->symbol)) {
          walk.tags.push_back(text(tag->symbol));
        }
        if (const auto* tag = std::get_if<ir::TagVariable>(&label)) {
          walk.tags.push_back(here.state.variables.at(tag->variable).symbol);
        }
        if (game_.is_player_assignment(label)) {
          out[walk.tags].insert(walk.state);
        } else if (seen.insert(walk).second) {
          todo.push_back(std::move(walk));
        }
      }
    }
  }
  return out;
}

std::uint64_t NaiveEvaluator::perft(const NaiveState& state, unsigned depth) const {
  if (depth == 0) return 1;
  const std::string who = mover(state);
  std::set<NaiveState> results;
  std::uint64_t sum = 0;
  for (const auto& [tags, states] : moves(state)) {
    const NaiveState& next = *states.begin();
    if (who == "random" && !results.insert(next).second) continue;
    sum += perft(next, who == "keeper" ? depth : depth - 1);
  }
  return sum;
}

}  // namespace rgtrans::test
