// Values in walks: of variables, expressions, conditions and checks.
#include <algorithm>
#include <utility>

#include "core/certificate/walks.hpp"

namespace rgtrans::certificate {

constexpr std::size_t kMostDelays = 32;
constexpr std::uint32_t kDelayed = 1'000'000;    // the value of the delayed variable, as a choice
constexpr std::uint32_t kUnread = kDelayed + 1;  // and those of unread cells
constexpr std::size_t kMostUnfolded = 3000;
constexpr std::size_t kMostNested = 10;  // checks

SideBySide::SideBySide(Version& version_before, Version& version_after, const PassRecord& record,
                       const Doubtful& doubtful, bool merges)
    : after_{version_after.game(), version_after.needs(), version_after.facts(), true},
      before_{version_before.game(), version_before.needs(), version_before.facts(), false},
      terms_(after_.game),
      assumptions_(terms_),
      artificial_(ir::artificial_tags(before_.game)),
      doubtful_(doubtful),
      hides_(ir::hides_moves(before_.game) || ir::hides_moves(after_.game)) {
  const ir::Game &before = before_.game, &after = after_.game;
  for (const auto& [now, then] : record.nodes) {
    const bool exist = now.value < after.graph.node_bound() && after.graph.alive(now) &&
                       then.value < before.graph.node_bound() && before.graph.alive(then);
    if (!exist) continue;
    partners_.emplace(now, then);
    counterparts_.try_emplace(then, now);
  }
  for (const PassRecord::Origin& origin : record.origins) {
    if (origin.after.value >= after.variables().size() || origin.before.value >= before.variables().size()) continue;
    if (!before.variable(origin.before).alive) continue;
    const bool fresh = origin.after.value >= before.variables().size() || !before.variable(origin.after).alive;
    if (fresh || (merges && origin.keys.empty())) origins_[origin.after].push_back(origin);
  }
  for (const EdgeId edge : before.graph.edges()) {
    const auto* assign = std::get_if<ir::Assign>(&before.graph.label(edge));
    if (assign == nullptr || (after.graph.alive(edge) && after.graph.label(edge) == before.graph.label(edge))) continue;
    const std::pair delay(before.assigned_variable(assign->lhs), assign->rhs);
    // Players see the built-in variables.
    if (before.built_in(delay.first)) continue;
    if (!ir::writes_whole(before, *assign) || !ir::reads(before, assign->rhs, delay.first)) continue;
    if (std::ranges::find(delays_, delay) == delays_.end() && delays_.size() < kMostDelays) delays_.push_back(delay);
  }
  for (const PassRecord::Unread& cell : record.unread) {
    const auto fits = [&](const ir::Game& game) {
      return cell.variable.value < game.variables().size() && game.variable(cell.variable).alive &&
             game.keys(game.variable(cell.variable).type).size() == cell.keys.size();
    };
    if (cell.keys.empty() || !fits(before) || !fits(after) || origins_.contains(cell.variable)) continue;
    // At the end, the players see all scores.
    for (const NodeId node : std::set<NodeId>(cell.nodes.begin(), cell.nodes.end()))
      if (node != after.end()) unread_[node].push_back(cells_.size());
    cells_.push_back(cell);
  }
  std::set<std::pair<NodeId, NodeId>> now;
  for (const EdgeId edge : after.graph.edges())
    if (const auto* check = std::get_if<ir::Reachability>(&after.graph.label(edge)))
      now.emplace(check->from, check->to);
  for (const EdgeId edge : before.graph.edges()) {
    const auto* check = std::get_if<ir::Reachability>(&before.graph.label(edge));
    if (check == nullptr) continue;
    const std::pair key(counterpart(check->from), counterpart(check->to));
    if (now.contains(key)) checks_.insert(key);
  }
}

NodeId SideBySide::counterpart(NodeId before) const {
  if (before.value < after_.game.graph.node_bound() && after_.game.graph.alive(before)) return before;
  const auto it = counterparts_.find(before);
  return it == counterparts_.end() ? NodeId() : it->second;
}

bool SideBySide::partners(const Pair& pair) const {
  if (pair.after_target.valid()) {
    const bool there = pair.after == pair.after_target;
    if (there != (pair.before == pair.before_target)) return false;
    if (there) return true;
  } else if ((pair.after == after_.game.end()) != (pair.before == before_.game.end())) {
    return false;
  }
  return pair.after == pair.before || partners_.contains({pair.after, pair.before});
}

void SideBySide::ban(const Pair& pair) {
  banned_.insert(pair);
  if (pair.after_target.valid()) banned_checks_.emplace(pair.after, pair.after_target);
}

void SideBySide::restart(const Limits& limits) {
  most_effort_ = limits.effort;
  work_ = limits.work;
  banned_.clear();
  banned_checks_.clear();
}

bool SideBySide::in_both(const std::pair<NodeId, NodeId>& check) const {
  return checks_.contains(check) && !banned_checks_.contains(check);
}

// The value of a variable of the game before at the begin of the walks.
TermId SideBySide::at_begin(VarId before) {
  if (delay_ != kNone && delays_[delay_].first == before) {
    const Walk known{root_, {{before, terms_.make(TermKind::choice, kDelayed)}}};
    return evaluate(before_, known, delays_[delay_].second);
  }
  if (!before_.facts.written(before)) return terms_.value(before_.game.variable(before).initial);
  return terms_.make(TermKind::start, before.value);
}

// The term that a variable of the game after has in the state of the game before at a node: now, or at the begin.
TermId SideBySide::origin(VarId after, NodeId before, NodeId target, const Walk* walk) {
  const auto value = [&](VarId v) { return walk == nullptr ? at_begin(v) : variable(before_, *walk, v); };
  const auto exists = [&](VarId v) {
    return v.value < before_.game.variables().size() && before_.game.variable(v).alive;
  };
  const auto it = origins_.find(after);
  if (it == origins_.end()) {
    if (exists(after)) return value(after);
    throw TooHard();
  }
  const Bits& live = before_.needs.until(target).live(before);
  if (exists(after) && live.contains(after.value)) return value(after);
  const PassRecord::Origin* chosen = &it->second.front();
  for (const PassRecord::Origin& one : it->second)
    if (live.contains(one.before.value) && !live.contains(chosen->before.value)) chosen = &one;
  if (exists(after) && !live.contains(chosen->before.value)) return value(after);
  TermId term = value(chosen->before);
  for (const SymbolId key : chosen->keys) term = terms_.access(term, terms_.symbol(key));
  return term;
}

TermId SideBySide::variable(const Side& side, const Walk& walk, VarId variable) {
  const auto it = std::ranges::lower_bound(walk.changes, variable, {}, &std::pair<VarId, TermId>::first);
  if (it != walk.changes.end() && it->first == variable) return it->second;
  if (!side.after) return at_begin(variable);
  if (delay_ != kNone && delays_[delay_].first == variable) return terms_.make(TermKind::choice, kDelayed);
  return without_unread(root_after_, variable, origin(variable, root_, root_target_, nullptr));
}

TermId SideBySide::without_unread(NodeId after, VarId variable, TermId value) {
  const auto it = unread_.find(after);
  if (it == unread_.end()) return value;
  for (const std::size_t i : it->second) {
    if (cells_[i].variable != variable) continue;
    std::vector<TermId> keys;
    for (const SymbolId symbol : cells_[i].keys) keys.push_back(terms_.symbol(symbol));
    value = terms_.store(value, keys, terms_.make(TermKind::choice, kUnread + static_cast<std::uint32_t>(i)));
  }
  return value;
}

TermId SideBySide::evaluate(const Side& side, const Walk& walk, ExprId expression) {
  const ir::Expressions& e = side.game.expressions();
  switch (e.kind(expression)) {
    case ir::ExprKind::symbol:
      return terms_.symbol(e.symbol(expression));
    case ir::ExprKind::constant:
      return terms_.value(side.game.constant(e.constant(expression)).value);
    case ir::ExprKind::variable:
      return variable(side, walk, e.variable(expression));
    case ir::ExprKind::cast:
      return evaluate(side, walk, e.operand(expression));
    case ir::ExprKind::access: {
      const TermId map = evaluate(side, walk, e.map(expression));
      return terms_.access(map, evaluate(side, walk, e.index(expression)));
    }
  }
  throw TooHard();
}

bool SideBySide::condition(const Side& side, const Walk& walk, const ir::Compare& compare) {
  const TermId lhs = evaluate(side, walk, compare.lhs), rhs = evaluate(side, walk, compare.rhs);
  // Maps are equal if they agree on the keys of their type, of which terms know nothing.
  const bool maps = !side.game.is_set(side.game.expressions().type(compare.lhs));
  if (maps && assumptions_.reduce(lhs) != assumptions_.reduce(rhs)) throw TooHard();
  return assumptions_.equal(lhs, rhs) != compare.negated;
}

void SideBySide::set(Walk& walk, VarId variable, TermId now) {
  const auto it = std::ranges::lower_bound(walk.changes, variable, {}, &std::pair<VarId, TermId>::first);
  if (it != walk.changes.end() && it->first == variable) {
    it->second = now;
  } else {
    walk.changes.insert(it, {variable, now});
  }
}

void SideBySide::assign(const Side& side, Walk& walk, ExprId lhs, TermId value) {
  const VarId variable = side.game.assigned_variable(lhs);
  std::vector<TermId> keys;
  for (const ExprId index : ir::indices_of(side.game.expressions(), lhs)) keys.push_back(evaluate(side, walk, index));
  const TermId now = keys.empty() ? value : terms_.store(this->variable(side, walk, variable), keys, value);
  set(walk, variable, now);
}

bool SideBySide::check_holds(Side& side, const Walk& walk, const ir::Reachability& check) {
  const std::pair key(side.after ? check.from : counterpart(check.from), side.after ? check.to : counterpart(check.to));
  if (!in_both(key)) {
    Tree tree{side, {}, check.to, {}};
    // Checks may contain each other.
    if (++nested_ > kMostNested) throw TooHard();
    std::size_t effort = kMostUnfolded;
    const bool found = unfold(tree, {check.from, walk.changes}, effort);
    --nested_;
    return found;
  }
  if (!side.after) used_->insert({key.first, check.from, key.second, check.to});
  // The check depends on the needed variables, of which those count that the walk has changed.
  std::uint32_t changes = kNone;
  for (const std::size_t needed : after_.needs.until(key.second).live(key.first)) {
    const VarId v(needed);
    const TermId begin = without_unread(key.first, v, variable(after_, Walk{}, v));
    const TermId then = side.after ? variable(side, walk, v) : origin(v, check.from, check.to, &walk);
    const TermId now = without_unread(key.first, v, then);
    if (now != begin) changes = terms_.make(TermKind::changes, v.value, now.value, changes).value;
  }
  return assumptions_.holds(terms_.make(TermKind::check, key.first.value, key.second.value, changes));
}

bool SideBySide::unfold(Tree& tree, const Walk& walk, std::size_t& effort) {
  if (walk.node == tree.target) return true;
  const Side& side = tree.side;
  if (!side.needs.until(tree.target).matters(walk.node)) return false;
  for (const EdgeId edge : side.game.graph.out_edges(walk.node)) {
    if (effort-- == 0) throw TooHard();
    if (work_ > 0) --work_;
    Walk next;
    if (const auto* any = std::get_if<ir::AssignAny>(&side.game.graph.label(edge))) {
      for (const SymbolId member : side.game.members(any->type)) {
        next = Walk{side.game.graph.target(edge), walk.changes};
        assign(side, next, any->lhs, terms_.symbol(member));
        if (unfold(tree, next, effort)) return true;
      }
    } else if (step(tree, walk, edge, next) && unfold(tree, next, effort)) {
      return true;
    }
  }
  return false;
}

}  // namespace rgtrans::certificate
