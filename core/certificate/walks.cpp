#include "core/certificate/walks.hpp"

#include <algorithm>

#include "core/support/sorted.hpp"

namespace rgtrans::certificate {

namespace {

// Limits of the work for one pair.
constexpr std::size_t kMostWalks = 300;
constexpr std::size_t kMostDelays = 32;
constexpr std::uint32_t kDelayed = 1'000'000;    // the value of the delayed variable, as a choice
constexpr std::uint32_t kUnread = kDelayed + 1;  // and those of unread cells
constexpr std::size_t kMostUnfolded = 3000;
constexpr std::size_t kMostNested = 10;  // checks

// A choice has values that were not counted so far.
struct MoreChoices {};

}  // namespace

SideBySide::SideBySide(Version& version_before, Version& version_after, const PassRecord& record,
                       const Doubtful& doubtful, bool merges, const Limits& limits)
    : after_{version_after.game(), version_after.needs(), version_after.facts(), true},
      before_{version_before.game(), version_before.needs(), version_before.facts(), false},
      terms_(after_.game),
      assumptions_(terms_),
      artificial_(ir::artificial_tags(before_.game)),
      doubtful_(doubtful),
      hides_(ir::hides_moves(before_.game) || ir::hides_moves(after_.game)),
      most_effort_(limits.effort),
      work_(limits.work) {
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
  if (pair.after_target.valid()) checks_.erase({pair.after, pair.after_target});
}

// --- Values ---

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
  if (!checks_.contains(key)) {
    Walk inner{check.from, walk.changes};
    // Checks may contain each other.
    if (++nested_ > kMostNested) throw TooHard();
    std::size_t effort = kMostUnfolded;
    const bool found = unfold(side, inner, check.to, effort);
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

bool SideBySide::unfold(Side& side, const Walk& walk, NodeId target, std::size_t& effort) {
  if (walk.node == target) return true;
  const Needs::At& needs = side.needs.until(target);
  if (!needs.matters(walk.node)) return false;
  for (const EdgeId edge : side.game.graph.out_edges(walk.node)) {
    if (effort-- == 0) throw TooHard();
    if (work_ > 0) --work_;
    Walk next{side.game.graph.target(edge), walk.changes};
    if (!needs.matters(next.node)) continue;
    const ir::Label& label = side.game.graph.label(edge);
    if (const auto* compare = std::get_if<ir::Compare>(&label)) {
      if (!condition(side, walk, *compare)) continue;
    } else if (const auto* assign = std::get_if<ir::Assign>(&label)) {
      this->assign(side, next, assign->lhs, evaluate(side, walk, assign->rhs));
    } else if (const auto* any = std::get_if<ir::AssignAny>(&label)) {
      for (const SymbolId member : side.game.members(any->type)) {
        next.changes = walk.changes;
        this->assign(side, next, any->lhs, terms_.symbol(member));
        if (unfold(side, next, target, effort)) return true;
      }
      continue;
    } else if (const auto* check = std::get_if<ir::Reachability>(&label)) {
      if (check_holds(side, walk, *check) == check->negated) continue;
    }
    if (unfold(side, next, target, effort)) return true;
  }
  return false;
}

// --- Walks ---

// Whether the walk must meet another one where it is.
bool SideBySide::ends(const Tree& tree, const Walk& walk) const {
  return walk.move_ends || walk.node == (tree.target.valid() ? tree.target : tree.side.game.end());
}

// Whether the walk may meet one at the node in the other game that takes the place of its own.
bool SideBySide::shared(const Tree& tree, const Walk& walk) const {
  if (!tree.side.after) {
    const NodeId now = counterpart(walk.node);
    return now.valid() && !banned_.contains({now, walk.node, tree.other_target, tree.target});
  }
  const ir::Automaton& graph = before_.game.graph;
  return walk.node.value < graph.node_bound() && graph.alive(walk.node) &&
         !banned_.contains({walk.node, walk.node, tree.target, tree.other_target});
}

bool SideBySide::step(Tree& tree, const Walk& from, EdgeId edge, Walk& to) {
  Side& side = tree.side;
  const bool play = !tree.target.valid();
  const ir::Label& label = side.game.graph.label(edge);
  const auto in_type = [&](ExprId lhs, TermId value) {
    const auto it = doubtful_.find(side.game.assigned_variable(lhs));
    if (!side.after || it == doubtful_.end()) return;
    if (!side.game.is_set(side.game.expressions().type(lhs)) || !assumptions_.decide(value, it->second))
      throw TooHard();
  };
  to = Walk{side.game.graph.target(edge), from.changes, from.tags, from.choices};
  to.move_ends = play && side.game.is_player_assignment(label);
  // To arrive by a check that the target can be reached from a node is to arrive from that node.
  const auto* last = std::get_if<ir::Reachability>(&label);
  if (!play && last != nullptr && !last->negated && last->to == tree.target && to.node == tree.target) {
    to.node = last->from;
    return side.needs.until(tree.target).matters(to.node);
  }
  if (!to.move_ends && !side.needs.until(tree.target).matters(to.node)) return false;
  if (const auto* compare = std::get_if<ir::Compare>(&label)) return condition(side, from, *compare);
  if (const auto* check = std::get_if<ir::Reachability>(&label))
    return check_holds(side, from, *check) != check->negated;
  if (const auto* assign = std::get_if<ir::Assign>(&label)) {
    const TermId value = evaluate(side, from, assign->rhs);
    in_type(assign->lhs, value);
    this->assign(side, to, assign->lhs, value);
    if (to.move_ends) to.tags.push_back(terms_.make(TermKind::changes, side.game.player().value, value.value));
    return true;
  }
  if (const auto* any = std::get_if<ir::AssignAny>(&label)) {
    const TermId choice = terms_.make(TermKind::choice, to.choices++);
    SymbolSet members;
    const auto all = side.game.members(any->type);
    members.symbols.assign(all.begin(), all.end());
    sort_unique(members.symbols);
    if (members.empty()) return false;
    if (const auto it = choices_.find(choice); it == choices_.end() || !inside(members, it->second)) {
      std::vector<SymbolId>& known = choices_[choice].symbols;
      known.insert(known.end(), members.symbols.begin(), members.symbols.end());
      sort_unique(known);
      throw MoreChoices();
    }
    if (!assumptions_.decide(choice, members)) return false;
    in_type(any->lhs, choice);
    this->assign(side, to, any->lhs, choice);
    return true;
  }
  if (!play || !ir::is_tag(label)) return true;
  if (const auto* tag = std::get_if<ir::Tag>(&label)) {
    if (tag->symbol.value < artificial_.size() && artificial_[tag->symbol.value]) return true;
    to.tags.push_back(terms_.symbol(tag->symbol));
  } else {
    to.tags.push_back(variable(side, from, std::get<ir::TagVariable>(label).variable));
  }
  if (hides_) to.tags.push_back(variable(side, from, side.game.visible()));
  return true;
}

void SideBySide::spend() {
  if (effort_ == 0 || work_ == 0) throw TooHard();
  --effort_;
  --work_;
}

void SideBySide::expand(Tree& tree, std::size_t walk, const Edges& edges) {
  tree.walks[walk].expanded = true;
  for (const EdgeId edge : edges) {
    spend();
    if (tree.walks.size() > kMostWalks) throw TooHard();
    Walk next;
    if (!step(tree, tree.walks[walk], edge, next)) continue;
    next.spare = tree.walks[walk].matched || tree.walks[walk].spare;
    tree.walks[walk].next.push_back(tree.walks.size());
    tree.walks.push_back(std::move(next));
  }
}

void SideBySide::unmatched(const Tree& tree, std::size_t walk, std::vector<std::size_t>& open) const {
  if (tree.walks[walk].matched) return;
  if (walk > 0) open.push_back(walk);
  for (const std::size_t next : tree.walks[walk].next) unmatched(tree, next, open);
}

bool SideBySide::covered(const Tree& tree, std::size_t walk) const {
  const Walk& here = tree.walks[walk];
  if (here.matched) return true;
  return here.expanded && std::ranges::all_of(here.next, [&](std::size_t next) { return covered(tree, next); });
}

bool SideBySide::match(const Pair& from, const Walk& after, const Walk& before, bool deep, std::set<Pair>& used) {
  const Pair pair{after.node, before.node, from.after_target, from.before_target, kNone};
  if (after.move_ends != before.move_ends || !partners(pair)) return false;
  if (pair.after_target.valid() && pair.after == pair.after_target) return true;
  if (after.tags.size() != before.tags.size()) return false;
  spend();
  const auto same = [&](TermId a, TermId b) {
    return a == b || (deep ? assumptions_.equal(a, b) : assumptions_.reduce(a) == assumptions_.reduce(b));
  };
  for (std::size_t i = 0; i < after.tags.size(); ++i) {
    const TermTable::Row a = terms_.row(after.tags[i]), b = terms_.row(before.tags[i]);
    const bool end = a.kind == TermKind::changes && b.kind == TermKind::changes;
    if (!(end ? same(TermId(a.b), TermId(b.b)) : same(after.tags[i], before.tags[i]))) return false;
  }
  for (std::uint32_t delay = kNone; delay == kNone || delay < delays_.size(); ++delay) {
    const Pair to{pair.after, pair.before, pair.after_target, pair.before_target, delay};
    if (banned_.contains(to) || !agree(to, after, before, deep)) continue;
    used.insert(to);
    return true;
  }
  return false;
}

// Whether the walks agree on all variables that the game after needs.
bool SideBySide::agree(const Pair& pair, const Walk& after, const Walk& before, bool deep) {
  bool agree = true;
  const auto compare_values = [&](std::size_t v) {
    if (!agree) return;
    const TermId now = without_unread(after.node, VarId(v), variable(after_, after, VarId(v)));
    if (pair.delay != kNone && delays_[pair.delay].first == VarId(v)) {
      Walk moved = before;
      set(moved, VarId(v), now);
      const TermId expected = evaluate(before_, moved, delays_[pair.delay].second);
      agree = assumptions_.reduce(expected) == assumptions_.reduce(variable(before_, before, VarId(v)));
      return;
    }
    const TermId then =
        without_unread(after.node, VarId(v), origin(VarId(v), before.node, pair.before_target, &before));
    agree =
        now == then || (deep ? assumptions_.equal(now, then) : assumptions_.reduce(now) == assumptions_.reduce(then));
  };
  const Bits& live = after_.needs.until(pair.after_target).live(after.node);
  if (pair.delay != kNone) {
    const VarId delayed = delays_[pair.delay].first;
    if (!live.contains(delayed.value)) return false;
    compare_values(delayed.value);
    if (!agree) return false;
  }
  for (const std::size_t v : live) compare_values(v);
  if (agree && after.move_ends) compare_values(after_.game.player().value);
  return agree;
}

bool SideBySide::compare(const Pair& pair, const Question& question, std::set<Pair>& used) {
  Tree now{after_, {Walk{pair.after}}, pair.after_target, pair.before_target, question.of_after};
  Tree then{before_, {Walk{pair.before}}, pair.before_target, pair.after_target, question.of_before};
  expand(now, 0, question.after);
  expand(then, 0, question.before);
  bool deep = false;
  for (;;) {
    for (Tree* tree : {&now, &then}) {
      tree->open.clear();
      unmatched(*tree, 0, tree->open);
      std::ranges::sort(tree->open);
    }
    const auto done = [&](const Tree& tree) { return !tree.asked || covered(tree, 0); };
    if (done(now) && done(then)) return true;
    bool matched = false;
    for (Tree* tree : {&now, &then}) {
      if (!tree->asked) continue;
      const std::vector<Walk>& others = tree == &now ? then.walks : now.walks;
      for (const std::size_t i : tree->open) {
        Walk& walk = tree->walks[i];
        // Each two walks are compared once, and once more in depth.
        for (std::size_t& k = walk.tried[deep ? 1 : 0]; k < others.size() && !walk.matched; ++k) {
          walk.matched =
              tree == &now ? match(pair, walk, others[k], deep, used) : match(pair, others[k], walk, deep, used);
          walk.late = walk.matched && k == 0;
        }
        matched |= walk.matched;
      }
    }
    if (matched) continue;
    // Walks at nodes of one game alone go on first, with those of the other game that are late; then all, at first
    // those that are not asked for.
    bool moved = false;
    for (const int stage : {0, 1, 2}) {
      if (moved || (stage > 0 && !deep)) break;
      for (Tree* tree : {&now, &then}) {
        if (stage == 1 && tree->asked) continue;
        const bool others_open = !done(tree == &now ? then : now);
        for (std::size_t i = 0, size = tree->walks.size(); i < size; ++i) {
          const Walk& walk = tree->walks[i];
          if (walk.expanded || ends(*tree, walk)) continue;
          const bool is_open = std::ranges::binary_search(tree->open, i);
          const bool may = stage > 0 || walk.late || !shared(*tree, walk);
          if (!may || !(walk.matched || walk.spare ? others_open : is_open)) continue;
          expand(*tree, i, tree->side.game.graph.out_edge_list(walk.node));
          moved = true;
        }
      }
    }
    if (!moved && deep) return false;
    deep = !moved;
  }
}

bool SideBySide::by_cases(const Pair& pair, const Question& question, const Assumptions& assumptions,
                          std::set<Pair>& used) {
  assumptions_ = assumptions;
  nested_ = 0;
  Split split;
  spend();
  try {
    return compare(pair, question, used);
  } catch (const Split& open) {
    split = open;
  }
  for (const bool answer : {true, false}) {
    Assumptions next = assumptions;
    if (next.add(split, answer) && !by_cases(pair, question, next, used)) return false;
  }
  return true;
}

// What is known of the states at a pair: the facts of both games. Of the game after, they count for the needed
// variables, because the games may differ in others.
Assumptions SideBySide::at(const Pair& pair) {
  Assumptions known(terms_, concrete_);
  terms_.begin_at(before_.facts, pair.before);
  for (const auto& [choice, values] : choices_) terms_.choose(choice, values);
  const auto assume = [&](const Side& side, NodeId node, const ir::Compare& condition) {
    const ir::Game& game = side.game;
    if (!game.is_set(game.expressions().type(condition.lhs))) return;
    const Walk here{node};
    TermId lhs = evaluate(side, here, condition.lhs), rhs = evaluate(side, here, condition.rhs);
    if (terms_.is(lhs, TermKind::symbol)) std::swap(lhs, rhs);
    if (terms_.is(rhs, TermKind::symbol)) {
      const SymbolSet values{{SymbolId(terms_.row(rhs).a)}, condition.negated};
      known.restrict_to(lhs, values);
    } else {
      known.equate(lhs, rhs, !condition.negated);
    }
  };
  before_.facts.for_each_condition(pair.before, [&](const ir::Compare& c) { assume(before_, pair.before, c); });
  const Bits& live = after_.needs.until(pair.after_target).live(pair.after);
  after_.facts.for_each_condition(pair.after, [&](const ir::Compare& c) {
    bool counts = true;
    ir::for_each_read(after_.game, c, [&](VarId v) { counts = counts && live.contains(v.value); });
    if (counts) assume(after_, pair.after, c);
  });
  return known;
}

bool SideBySide::keeps_unread(const Pair& from, const Pair& to, const ir::Label& label) const {
  const auto it = unread_.find(from.after);
  if (it == unread_.end()) return true;
  const auto has_all = [&](NodeId node) {
    const auto there = unread_.find(node);
    return there != unread_.end() && std::ranges::includes(there->second, it->second);
  };
  const VarId written = ir::written_variable(after_.game, label);
  const auto* check = std::get_if<ir::Reachability>(&label);
  if (!has_all(to.after) || (check != nullptr && !has_all(check->from))) return false;
  return std::ranges::none_of(it->second, [&](std::size_t i) {
    const VarId map = cells_[i].variable;
    return map == written || (ir::is_tag(label) && map == after_.game.visible()) || ir::reads(after_.game, label, map);
  });
}

bool SideBySide::same_label(const Pair& from, const Pair& to, EdgeId after, EdgeId before, std::set<Pair>& used) {
  const ir::Label& now = after_.game.graph.label(after);
  const ir::Label& then = before_.game.graph.label(before);
  if (!partners(to) || banned_.contains(to) || now.index() != then.index()) return false;
  if (const auto* check = std::get_if<ir::Reachability>(&then)) {
    const auto& other = std::get<ir::Reachability>(now);
    const std::pair key(counterpart(check->from), counterpart(check->to));
    if (key != std::pair(other.from, other.to) || check->negated != other.negated || !checks_.contains(key))
      return false;
    used.insert({key.first, check->from, key.second, check->to});
  } else if (now != then && ir::canonical(after_.game, now) != ir::canonical(before_.game, then)) {
    return false;
  } else if (const auto* any = std::get_if<ir::AssignAny>(&now)) {
    if (!std::ranges::equal(after_.game.members(any->type), before_.game.members(any->type))) return false;
  }
  const VarId assigned = ir::written_variable(after_.game, now);
  if (!keeps_unread(from, to, now) || (assigned.valid() && doubtful_.contains(assigned))) return false;
  // Variables with another origin or a delay are compared as terms.
  if (origins_.empty() && from.delay == kNone) return true;
  bool own = true;
  if (from.delay != kNone) {
    const VarId delayed = delays_[from.delay].first;
    const ExprId value = delays_[from.delay].second;
    own = !ir::reads(after_.game, now, delayed) && !std::holds_alternative<ir::Reachability>(now) &&
          !(assigned.valid() && ir::reads(before_.game, value, assigned));
  }
  const auto look = [&](VarId v) { own = own && !origins_.contains(v); };
  ir::for_each_read(after_.game, now, look);
  if (assigned.valid()) look(assigned);
  for (const Pair& pair : {from, to})
    for (const std::size_t v : after_.needs.until(pair.after_target).live(pair.after)) look(VarId(v));
  return own;
}

// Leaves the edges that differ. An edge corresponds to an equal one that leads to a paired node. `skip`: an empty edge
// without such a partner is replaced by the edges behind it.
void SideBySide::match_edges(const Pair& pair, Edges& after, Edges& before, bool skip, std::set<Pair>& used) {
  Tree now{after_, {}, pair.after_target, pair.before_target}, then{before_, {}, pair.before_target, pair.after_target};
  std::set<EdgeId> met_after, met_before;
  std::set<NodeId> skipped[2];
  const auto unfold_empty = [&](const Tree& tree, Edges& edges, const std::set<EdgeId>& met,
                                std::set<NodeId>& skipped) {
    const ir::Automaton& graph = tree.side.game.graph;
    Edges more;
    const bool any = std::erase_if(edges, [&](EdgeId edge) {
      const NodeId next = graph.target(edge);
      if (met.contains(edge) || !std::holds_alternative<ir::Empty>(graph.label(edge)) || ends(tree, {next}))
        return false;
      if (skipped.insert(next).second) std::ranges::copy(useful_edges(tree, next), std::back_inserter(more));
      return true;
    });
    edges.insert(edges.end(), more.begin(), more.end());
    return any;
  };
  for (bool again = true; again;) {
    for (const EdgeId edge : after) {
      for (const EdgeId other : before) {
        if (met_after.contains(edge) && met_before.contains(other)) continue;
        const Pair to{after_.game.graph.target(edge), before_.game.graph.target(other), pair.after_target,
                      pair.before_target, pair.delay};
        if (!same_label(pair, to, edge, other, used)) continue;
        used.insert(to);
        met_after.insert(edge);
        met_before.insert(other);
      }
    }
    again = skip && unfold_empty(now, after, met_after, skipped[0]);
    again |= skip && unfold_empty(then, before, met_before, skipped[1]);
  }
  std::erase_if(after, [&](EdgeId edge) { return met_after.contains(edge); });
  std::erase_if(before, [&](EdgeId edge) { return met_before.contains(edge); });
}

// The edges that lead to a node that matters, or end a move.
SideBySide::Edges SideBySide::useful_edges(const Tree& tree, NodeId node) {
  const ir::Automaton& graph = tree.side.game.graph;
  const Needs::At& needs = tree.side.needs.until(tree.target);
  Edges edges = graph.out_edge_list(node);
  std::erase_if(edges, [&](EdgeId edge) {
    const bool move_ends = !tree.target.valid() && tree.side.game.is_player_assignment(graph.label(edge));
    return !move_ends && !needs.matters(graph.target(edge));
  });
  return edges;
}

bool SideBySide::correspond(const Pair& pair, std::set<Pair>& used) {
  if (pair.after_target.valid()) {
    const bool there = pair.after == pair.after_target;
    if (there != (pair.before == pair.before_target)) return false;
    if (there) return true;
  }
  root_ = pair.before;
  root_after_ = pair.after;
  root_target_ = pair.before_target;
  delay_ = pair.delay;
  used_ = &used;
  Edges after = useful_edges({after_, {}, pair.after_target, pair.before_target}, pair.after);
  Edges before = useful_edges({before_, {}, pair.before_target, pair.after_target}, pair.before);
  const Edges all_after = after, all_before = before;
  match_edges(pair, after, before, false, used);
  if (after.empty() && before.empty()) return true;
  const auto tried = [&](const Question& question, std::size_t effort) {
    const std::set<Pair> matched = used;
    for (const bool concrete : {false, true}) {
      concrete_ = concrete;
      if (correspond(pair, question, effort, used)) return true;
      used = matched;
    }
    return false;
  };
  // Edges with one number are compared alone, so that the conditions of others open no cases; then each edge with all
  // of the other game.
  // Where there is another way.
  const std::size_t small = std::min<std::size_t>(500, most_effort_ / 2);
  const std::size_t middle = std::min<std::size_t>(2'000, most_effort_);
  const std::size_t left = after.size() + before.size();
  if (left <= 4 && tried({after, before}, left == 2 ? most_effort_ : middle)) return true;
  if (after.size() != 1 || before.size() != 1) {
    Edges rest;
    const auto among = [](EdgeId edge, const Edges& edges) { return std::ranges::find(edges, edge) != edges.end(); };
    for (const EdgeId edge : after)
      if (!among(edge, before) || !tried({{edge}, {edge}}, small)) rest.push_back(edge);
    std::erase_if(before, [&](EdgeId edge) { return among(edge, after) && !among(edge, rest); });
    after = rest;
    match_edges(pair, after, before, true, used);
    const std::set<Pair> matched = used;
    const auto all_met = [&](const Side& side, const Edges& edges, const Edges& others, const Edges& all_others) {
      return std::ranges::all_of(edges, [&](EdgeId edge) {
        Edges alike = all_others;
        const ir::Label& label = side.game.graph.label(edge);
        const ir::Automaton& graph = (side.after ? before_ : after_).game.graph;
        std::erase_if(alike, [&](EdgeId other) { return graph.label(other) != label; });
        const Edges* last = nullptr;
        for (const Edges* to : {static_cast<const Edges*>(&alike), &others, &all_others}) {
          if (to->empty() || (last != nullptr && *to == *last)) continue;
          last = to;
          const Question question =
              side.after ? Question{{edge}, *to, true, false} : Question{*to, {edge}, false, true};
          if (tried(question, to == &all_others ? most_effort_ : middle)) return true;
        }
        return false;
      });
    };
    if (all_met(after_, after, before, all_before) && all_met(before_, before, after, all_after)) return true;
    used = matched;
    if (tried({after, before}, most_effort_)) return true;
  }
  used.clear();
  return tried({all_after, all_before}, most_effort_);
}

// Choices are compared value by value: the same value is taken by both games. All values of all choices count.
bool SideBySide::correspond(const Pair& pair, const Question& question, std::size_t effort, std::set<Pair>& used) {
  choices_.clear();
  for (;;) {
    if (work_ == 0) return false;
    effort_ = effort;
    bool same = false, again = false;
    try {
      same = by_cases(pair, question, at(pair), used);
    } catch (const MoreChoices&) {
      again = true;
    } catch (const TooHard&) {
    }
    if (!again) return same;
  }
}

bool SideBySide::same_begin() {
  const NodeId begin = before_.game.begin();
  root_ = begin;
  bool same = true;
  Bits live = after_.needs.until({}).live(after_.game.begin());
  live.set(after_.game.player().value);
  for (const std::size_t v : live) {
    // The initial value of the origin.
    TermId term = origin(VarId(v), begin, {}, nullptr);
    std::vector<TermId> keys;
    for (; terms_.is(term, TermKind::access); term = TermId(terms_.row(term).a))
      keys.push_back(TermId(terms_.row(term).b));
    const bool fixed = !terms_.is(term, TermKind::start);
    TermId value = fixed ? term : terms_.value(before_.game.variable(VarId(terms_.row(term).a)).initial);
    for (; !keys.empty(); keys.pop_back()) value = terms_.access(value, keys.back());
    same = same && value == terms_.value(after_.game.variable(VarId(v)).initial);
  }
  return same;
}

}  // namespace rgtrans::certificate
