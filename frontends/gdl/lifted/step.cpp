#include "frontends/gdl/lifted/step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

using ir::ExprId;
using ir::NodeId;

// --- Order. ---

void LiftedStep::reads_of(const EngineLiteral& literal, std::set<RelKey>& seen, std::set<RelId>& out) const {
  const LiteralKind kind = m_.kind(literal);
  if (kind == LiteralKind::fact) out.insert(literal.relation);
  if (const auto scalar = m_.holder(literal.relation); scalar && kind == LiteralKind::does) out.insert(scalar->first);
  if (kind != LiteralKind::derived || !seen.insert(Model::key(literal)).second) return;
  for (const LiftedRule& rule : m_.rules(Model::key(literal)))
    for (const EngineLiteral& l : rule.rule->body) reads_of(l, seen, out);
}

// The facts that the step of a fact reads, except the fact that a frame keeps.
void LiftedStep::collect_reads(RelId fact, std::set<RelId>& out) const {
  std::set<RelKey> seen;
  for (const LiftedRule& rule : m_.rules({fact, true})) {
    const auto own = Model::frame_literal(rule);
    for (std::uint32_t i = 0; i < rule.rule->body.size(); ++i)
      if (i != own) reads_of(rule.rule->body[i], seen, out);
  }
}

// Updates a fact in place if no later update reads it, else in a copy.
void LiftedStep::plan() {
  std::map<RelId, std::set<RelId>> readers;
  for (const RelId fact : m_.facts()) {
    std::set<RelId> reads;
    collect_reads(fact, reads);
    for (const RelId read : reads) readers[read].insert(fact);
  }
  std::vector<RelId> open = m_.facts();
  while (!open.empty()) {
    const auto free = std::ranges::find_if(open, [&](RelId fact) { return readers[fact].empty(); });
    const RelId next = free == open.end() ? open.front() : *free;
    if (free == open.end()) copied_.insert(next);
    order_.push_back(next);
    std::erase(open, next);
    for (auto& [fact, list] : readers) list.erase(next);
  }
}

NodeId LiftedStep::emit(NodeId at) {
  plan();
  for (const auto& [scalar, r] : before_) {
    const Stored& s = t_.stored_of(scalar.first);
    at = w_.then(at, ir::Assign{r.expression, game_.variable_ref(s.maps[s.map_of(scalar.second)])});
  }
  for (const RelId fact : order_) at = emit_fact(fact, at);
  for (const RelId fact : order_) {
    if (!copied_.contains(fact)) continue;
    const Stored& s = t_.stored_of(fact);
    for (std::size_t i = 0; i < s.maps.size(); ++i)
      at = w_.then(at, ir::Assign{game_.variable_ref(s.maps[i]), game_.variable_ref(t_.copies(fact)[i])});
  }
  return at;
}

NodeId LiftedStep::emit_fact(RelId fact, NodeId at) {
  if (t_.stored_of(fact).never) return at;
  w_.at(m_.where({fact, true}));
  const bool frames = std::ranges::any_of(
      m_.rules({fact, true}), [](const LiftedRule& rule) { return Model::frame_literal(rule).has_value(); });
  causes_.clear();
  written_.clear();
  for (const LiftedRule& rule : m_.causes(fact)) {
    const std::vector<const LiftedRule*> parts = split_rule(rule, {});
    causes_.insert(causes_.end(), parts.begin(), parts.end());
    for (const LiftedRule* part : parts) written_[part] = &rule;
  }
  at = frames ? remove(fact, at) : clear(fact, at);
  return emit_causes(at);
}

NodeId LiftedStep::clear(RelId fact, NodeId at) {
  const Stored& s = t_.stored_of(fact);
  for (std::size_t i = 0; i < s.maps.size(); ++i) {
    ExprId nothing = s.values.empty() ? t_.zero() : t_.none();
    if (!s.key.empty()) {
      nothing = t_.constant("no_" + game_.symbols.str(game_.variable(s.maps[i]).name), s.types[i], s.empty[i]);
    }
    at = w_.then(at, ir::Assign{game_.variable_ref(target(fact)[i]), nothing});
  }
  return at;
}

// --- Causes. ---

double LiftedStep::steps_of(const LiftedRule& rule, const std::set<std::uint32_t>& given) {
  BodyState f = w_.body_state(rule, 0);
  for (const std::uint32_t v : given) w_.planner.suppose(f, Pattern::variable(v));
  f.want(rule.rule->head.arguments);
  return solutions_.expected_steps(f);
}

std::vector<const LiftedRule*> LiftedStep::split_rule(const LiftedRule& rule, const std::set<std::uint32_t>& given) {
  std::vector<const LiftedRule*> done;
  std::vector<const LiftedRule*> open = unfolder_.unfold(rule);
  while (!open.empty()) {
    const LiftedRule* const next = open.back();
    open.pop_back();
    const auto& body = next->rule->body;
    const std::span head =
        std::span(next->rule->head.arguments).first(m_.info(next->rule->head.relation).tuples->arity());
    std::vector<const LiftedRule*> best;
    std::optional<double> least;
    for (std::size_t i = 0; i < body.size() && done.size() + open.size() < kLiftedLimits.cause_rules; ++i) {
      const auto of_head = [&](Pattern p) { return p.is_variable() && std::ranges::find(head, p) != head.end(); };
      if (!unfolder_.can_unfold(body[i]) || std::ranges::none_of(body[i].arguments, of_head)) continue;
      if (!least) least = kPlanCosts.alternative * steps_of(*next, given);
      std::vector<const LiftedRule*> made = unfolder_.unfold(*next, i);
      double steps = 0;
      for (std::size_t k = 0; k < made.size() && steps < *least; ++k) steps += steps_of(*made[k], given);
      if (steps >= *least) continue;
      least = steps;
      best = std::move(made);
    }
    if (best.empty()) done.push_back(next);
    open.insert(open.end(), best.begin(), best.end());
  }
  return done;
}

std::optional<LiftedStep::Moved> LiftedStep::moved(const LiftedRule& rule) {
  const auto& body = rule.rule->body;
  const auto is_move = [&](const EngineLiteral& l) { return !l.negated && m_.kind(l) == LiteralKind::does; };
  const auto does = std::ranges::find_if(body, is_move);
  if (does == body.end() || std::ranges::count_if(body, is_move) > 1) return std::nullopt;
  // The argument is unconstrained.
  const auto free = [&](const EngineLiteral& l, std::uint32_t c) {
    const Pattern p = l.arguments[c];
    return p.is_variable() && std::ranges::count(l.arguments, p) == 1 &&
           m_.subset(m_.column(l.relation, c), rule.sorts[p.number()]);
  };
  for (std::uint32_t c = 1; c < does->arguments.size(); ++c)
    if (!free(*does, c)) return std::nullopt;
  for (std::uint32_t i = 0; i < body.size(); ++i) {
    const EngineLiteral& l = body[i];
    if (l.negated || m_.kind(l) != LiteralKind::fact || !t_.stored_of(l.relation).key.empty()) continue;
    const auto role = std::ranges::find(l.arguments, does->arguments[0]);
    if (l.arguments.size() > 1 || role == l.arguments.end() || !free(l, 0)) continue;
    return Moved{{static_cast<std::uint32_t>(does - body.begin()), i}, {does->relation, l.relation}};
  }
  return std::nullopt;
}

// Groups causes that test for the same move: if another move was made, all of them are skipped.
NodeId LiftedStep::emit_causes(NodeId at) {
  std::vector<std::pair<std::optional<Moved>, std::vector<const LiftedRule*>>> groups;
  for (const LiftedRule* rule : causes_) {
    const auto by = moved(*rule);
    const auto same = [&](const auto& group) { return by && group.first && group.first->what == by->what; };
    const auto known = std::ranges::find_if(groups, same);
    (known == groups.end() ? groups.emplace_back(by, std::vector<const LiftedRule*>()) : *known).second.push_back(rule);
  }
  for (const auto& [by, rules] : groups) {
    const NodeId behind = rules.size() > 1 ? w_.node() : NodeId();
    for (const LiftedRule* rule : rules) at = cause(w_.body_state(*rule, 0), at, behind);
    if (!behind.valid()) continue;
    w_.edge(at, behind, ir::Empty());
    at = behind;
  }
  return at;
}

// Adds the facts that a rule derives; some of its variables may be bound.
NodeId LiftedStep::cause(BodyState f, NodeId at, NodeId elsewhere) {
  const LiftedRule& rule = *f.rule;
  f.want(rule.rule->head.arguments);
  const NodeId out = w_.node();
  const auto add = [&](BodyState& g, NodeId from, NodeId to) { derive(g, from, to); };
  if (elsewhere.valid())
    solutions_.each_behind(f, moved(rule)->literals, at, elsewhere, out, add);
  else
    solutions_.each(f, at, out, add);
  return out;
}

// Adds the fact of the head.
void LiftedStep::derive(BodyState& f, NodeId from, NodeId to) {
  const EngineLiteral& head = f.rule->rule->head;
  const Stored& s = t_.stored_of(head.relation);
  const std::vector<ir::VarId>& maps = target(head.relation);
  if (const auto kept = records_.find(head.relation); kept != records_.end()) from = record_fact(kept->second, f, from);
  std::vector<Value> key;
  for (const std::uint32_t c : s.key) key.push_back(*w_.value(f, head.arguments[c]));
  if (s.values.empty()) {
    w_.edge(from, to, ir::Assign{w_.cell(maps[0], key), t_.one()});
    return;
  }
  for (std::size_t i = 0; i < s.values.size(); ++i) {
    const Value v = *w_.value(f, head.arguments[s.values[i]]);
    from = w_.then(from, ir::Assign{w_.cell(maps[i], key), t_.expression(v)});
  }
  w_.edge(from, to, ir::Empty());
}

const Register& LiftedStep::before(RelId scalar, std::uint32_t column) {
  const auto [it, fresh] = before_.try_emplace({scalar, column});
  if (fresh) {
    const Stored& s = t_.stored_of(scalar);
    const std::size_t map = s.map_of(column);
    const std::string wish = game_.symbols.str(game_.variable(s.maps[map]).name) + "_before";
    const ir::VarId kept = t_.variable(wish, s.types[map], s.empty[map]);
    it->second = {kept, game_.variable_ref(kept), s.columns[column], {}};
  }
  return it->second;
}

const LiftedStep::Record& LiftedStep::record(RelId fact) {
  const auto [it, fresh] = records_.try_emplace(fact);
  if (!fresh) return it->second;
  Record& record = it->second;
  const std::string name = Names::readable(m_.name(fact));
  const std::vector<SortId>& columns = t_.stored_of(fact).columns;
  for (std::size_t c = 0; c < columns.size(); ++c)
    record.columns.push_back(t_.declare(fmt::format("added_{}_{}", name, c + 1), columns[c]));
  const ir::ValueId no = game_.values.symbol(t_.symbol("0"));
  record.one = t_.variable("added_" + name, t_.bool_type(), no);
  record.several = t_.variable(fmt::format("added_{}_several", name), t_.bool_type(), no);
  return record;
}

// Records the first added fact; a different one sets `several`.
NodeId LiftedStep::record_fact(const Record& record, const BodyState& f, NodeId from) {
  const std::vector<Pattern>& arguments = f.rule->rule->head.arguments;
  const ExprId one = game_.variable_ref(record.one);
  const NodeId out = w_.node();
  NodeId first = w_.then(from, ir::Compare{one, t_.zero(), false});
  NodeId again = w_.then(from, ir::Compare{one, t_.zero(), true});
  const NodeId other = w_.node();
  for (std::size_t c = 0; c < arguments.size(); ++c) {
    const ExprId v = t_.expression(*w_.value(f, arguments[c]));
    const ExprId kept = record.columns[c].expression;
    first = w_.then(first, ir::Assign{kept, v});
    w_.edge(again, other, ir::Compare{v, kept, true});
    again = w_.then(again, ir::Compare{v, kept, false});
  }
  w_.edge(first, out, ir::Assign{one, t_.one()});
  w_.edge(again, out, ir::Empty());
  w_.edge(other, out, ir::Assign{game_.variable_ref(record.several), t_.one()});
  return out;
}

// --- Frames. ---

// Visits the keys at which all frames may fail, and removes the facts if they do.
NodeId LiftedStep::remove(RelId fact, NodeId at) {
  fact_ = fact;
  at_keys_.clear();
  const Stored& s = t_.stored_of(fact);
  keys_.clear();
  for (const std::uint32_t c : s.key) {
    Register r = t_.declare(fmt::format("{}_key_{}", Names::readable(m_.name(fact)), c + 1), s.columns[c]);
    t_.add_scratch(r.variable, r.initial);
    keys_.push_back(r);
  }
  stays_begin_ = NodeId();
  const std::vector<Frames> list = frames_of(fact);
  FactSets rest = {FactSet()};
  for (const Frames& frames : list)
    if (frames.prefix.empty()) rest = frames.failing;
  const bool always = rest != FactSets{FactSet()};  // some group has no prefix
  bool tried = true;
  const NodeId out = w_.node();
  for (const Frames& frames : list) {
    if (frames.prefix.empty()) continue;
    FactSets parts = always ? both(frames.failing, rest) : frames.failing;
    tried = tried && std::ranges::none_of(parts, &FactSet::whole);
    if (std::ranges::any_of(parts, &FactSet::whole)) continue;
    if (!always) std::erase_if(parts, [&](const FactSet& part) { return overwritten(frames, part); });
    for (FactSet& part : parts) part.certain = part.certain && excludes_others(frames, part);
    BodyState f = w_.body_state(*frames.rules[0], 0);
    f.open = frames.prefix;
    want_sorts(f);
    for (const FactSet& part : parts) {
      for (const auto& [c, term] : part.equal)
        if (term.pattern) f.want(*term.pattern);
      for (const std::uint32_t v : part.given) f.wanted[v] = true;
    }
    at = remove_at(std::move(f), parts, at, out);
  }
  // The case that no prefix holds.
  BodyState nothing;
  const bool only = list.size() == 1 && list[0].prefix.empty();
  if (only && rest == FactSets{FactSet()}) take_causes();
  std::optional<Renewal> last;
  for (FactSet& part : rest) {
    part.certain = part.certain && tried;
    const std::optional<Renewal> renewed = only && !last ? renewal(part) : std::nullopt;
    if (renewed)
      last = renewed;
    else
      at = visit_facts(part, nothing, at);
  }
  if (last) at = renew(*last, at);
  w_.edge(at, out, ir::Empty());
  return out;
}

// The analysis of failures relies on sorts that all literals of the rule give together. A walk through the open
// literals alone must test these sorts: it does so where it binds a wanted variable.
void LiftedStep::want_sorts(BodyState& f) const {
  for (const std::uint32_t i : f.open) {
    const EngineLiteral& literal = f.rule->rule->body[i];
    for (std::uint32_t c = 0; !literal.negated && c < literal.arguments.size(); ++c) {
      const Pattern p = literal.arguments[c];
      if (m_.kind(literal) == LiteralKind::distinct || p.is_ground()) continue;
      if (!m_.subset(m_.column(literal.relation, c), f.rule->sorts[p.number()])) f.want(p);
    }
  }
}

// Moves causes that do not restrict the key to the visit of each key, if all keys are visited. They are tested only if
// no frame keeps the fact; otherwise they could only derive the existing fact.
void LiftedStep::take_causes() {
  const Stored& s = t_.stored_of(fact_);
  const auto fits = [&](const LiftedRule* rule) {
    const std::vector<Pattern>& head = rule->rule->head.arguments;
    return !s.key.empty() && std::ranges::all_of(s.key, [&](std::uint32_t c) {
      const Pattern p = head[c];
      return p.is_variable() && std::ranges::count(head, p) == 1 && rule->sorts[p.number()] == s.columns[c] &&
             std::ranges::none_of(rule->rule->body, [&](const EngineLiteral& l) {
               return m_.kind(l) == LiteralKind::does && std::ranges::find(l.arguments, p) != l.arguments.end();
             });
    });
  };
  std::ranges::copy_if(causes_, std::back_inserter(at_keys_), fits);
  std::erase_if(causes_, fits);
}

// If the prefix holds, visits the sets and continues at `out`. Returns the node of the other case.
NodeId LiftedStep::remove_at(BodyState f, const FactSets& parts, NodeId at, NodeId out) {
  // If the prefix holds for several roles, a frame that fails for one role may keep the fact for another.
  const auto visit_all = [&](BodyState& g, NodeId from, bool several) {
    for (FactSet part : parts) {
      part.certain = part.certain && !several;
      from = visit_facts(part, g, from);
    }
    return from;
  };
  const NodeId fails = w_.node();
  bool looped = false;
  const ExprId found = t_.flag("found");
  const NodeId begin = w_.node();
  solutions_.with_role(f, begin, fails, [&](BodyState& g, NodeId inside, NodeId fail) {
    if (!g.open.empty()) {
      const NodeId yes = w_.node();
      w_.branch_rest(g, inside, yes, fail);
      inside = yes;
    }
    looped = fail != fails;
    inside = visit_all(g, inside, looped);
    w_.edge(inside, looped ? fail : out, looped ? ir::Label(ir::Assign{found, t_.one()}) : ir::Label(ir::Empty()));
  });
  if (!looped) {
    w_.edge(at, begin, ir::Empty());
    return fails;
  }
  w_.edge(at, begin, ir::Assign{found, t_.zero()});
  const NodeId none = w_.node();
  w_.edge(fails, out, ir::Compare{found, t_.one(), false});
  w_.edge(fails, none, ir::Compare{found, t_.one(), true});
  return none;
}

// Continues at `out` if the key cannot have this value.
NodeId LiftedStep::set_key(std::size_t k, const Value& value, NodeId at, NodeId out) {
  const SortId column = keys_[k].sort;
  if (!m_.subset(value.sort, column)) {
    const ExprId member = game_.access(t_.membership(value.sort, false, column), value.expression);
    w_.edge(at, out, ir::Compare{member, t_.one(), true});
    at = w_.then(at, ir::Compare{member, t_.one(), false});
  }
  return w_.then(at, ir::Assign{keys_[k].expression, t_.expression(value)});
}

NodeId LiftedStep::visit_found(const FactSet& part, const BodyState& state, NodeId at) {
  const Stored& s = t_.stored_of(fact_);
  for (const LiftedRule* rule : split_rule(*part.found, part.given)) {
    BodyState f = w_.body_state(*rule, 0);
    const auto& head = rule->rule->head.arguments;
    for (const std::uint32_t c : s.key) f.want(head[c]);
    f.busy = state.busy;
    bool certain = part.certain;
    Solutions::Values values(s.columns.size());
    for (const std::uint32_t v : part.given) {
      values.push_back(v < state.values.size() ? state.values[v] : std::nullopt);
      certain = certain && values.back();
    }
    for (const Register& r : keys_) f.busy.insert(r.variable);
    const NodeId behind = w_.node();
    solutions_.each_with(f, rule->rule->head, values, at, behind, [&](BodyState& g, NodeId from, NodeId to) {
      for (std::size_t k = 0; k < keys_.size(); ++k) from = set_key(k, *w_.value(g, head[s.key[k]]), from, to);
      w_.edge(certain ? clear_certain(from) : visit_key(from), to, ir::Empty());
    });
    at = behind;
  }
  return at;
}

NodeId LiftedStep::visit_facts(const FactSet& part, const BodyState& f, NodeId at) {
  if (part.found != nullptr && part.equal.empty()) return visit_found(part, f, at);
  const Stored& s = t_.stored_of(fact_);
  const NodeId out = w_.node();
  std::vector<std::uint32_t> open;
  for (std::size_t k = 0; k < s.key.size(); ++k) {
    const auto column_value = part.equal.find(s.key[k]);
    if (column_value == part.equal.end() ||
        (column_value->second.pattern && !w_.value(f, *column_value->second.pattern))) {
      open.push_back(static_cast<std::uint32_t>(k));
      continue;
    }
    Value v;
    if (column_value->second.pattern) {
      v = *w_.value(f, *column_value->second.pattern);
    } else {
      v = {{},
           w_.does.argument(*w_.value(f, column_value->second.role), column_value->second.argument),
           column_value->second.sort,
           false};
    }
    if (m_.disjoint(v.sort, s.columns[s.key[k]])) return at;
    at = set_key(k, v, at, out);
  }
  // Guards need the outer loops to run over their keys.
  std::set<std::uint32_t> asked;
  for (const auto& [rule, literal] : part.guards) asked.merge(keys_of(*rule, literal));
  std::stable_partition(open.begin(), open.end(), [&](std::uint32_t k) { return !asked.contains(k); });
  const bool certain = part.certain && open.empty();
  w_.edge(certain ? clear_certain(at) : loop_keys(open, part.guards, at), out, ir::Empty());
  return out;
}

NodeId LiftedStep::loop_keys(std::vector<std::uint32_t> open, Guards guards, NodeId at) {
  const NodeId out = w_.node();
  for (auto it = guards.begin(); it != guards.end();) {
    const std::set<std::uint32_t> keys = keys_of(*it->first, it->second);
    const bool ready = std::ranges::none_of(open, [&](std::uint32_t k) { return keys.contains(k); });
    if (ready && !open.empty()) at = guard(*it->first, it->second, at, out);
    it = ready ? guards.erase(it) : std::next(it);
  }
  NodeId end;
  if (open.empty()) {
    end = visit_key(at);
  } else {
    const Register& r = keys_[open.back()];
    open.pop_back();
    end = w_.loop_over(r, at, [&](NodeId begin) { return loop_keys(open, guards, begin); });
  }
  w_.edge(end, out, ir::Empty());
  return out;
}

// Continues at `holds` if the literal is true for the keys; returns the node of the other case.
NodeId LiftedStep::guard(const LiftedRule& rule, std::uint32_t literal, NodeId at, NodeId holds) {
  const Stored& s = t_.stored_of(fact_);
  const std::vector<Pattern>& head = rule.rule->head.arguments;
  BodyState f = w_.body_state(rule, 0);
  f.open = {literal};
  f.absent.clear();
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    f.busy.insert(keys_[k].variable);
    f.values[head[s.key[k]].number()] = Value{{}, keys_[k].expression, keys_[k].sort, false};
  }
  const NodeId fails = w_.node();
  w_.branch_rest(f, at, holds, fails);
  return fails;
}

// The positions in the key that the literal mentions.
std::set<std::uint32_t> LiftedStep::keys_of(const LiftedRule& rule, std::uint32_t literal) const {
  const Stored& s = t_.stored_of(fact_);
  std::set<std::uint32_t> keys;
  for (const Pattern p : rule.rule->body[literal].arguments)
    for (std::uint32_t k = 0; k < s.key.size(); ++k)
      if (p.is_variable() && rule.rule->head.arguments[s.key[k]] == p) keys.insert(k);
  return keys;
}

// The literal mentions some keys, but not all, and nothing else that matters. So it pays to test it before the other
// keys are chosen.
bool LiftedStep::can_guard(const LiftedRule& rule, std::uint32_t literal) const {
  const Stored& s = t_.stored_of(fact_);
  const std::vector<Pattern>& head = rule.rule->head.arguments;
  for (std::size_t k = 0; k < s.key.size(); ++k) {
    const Pattern p = head[s.key[k]];
    if (!p.is_variable() || std::ranges::count(head, p) > 1) return false;
    if (rule.sorts[p.number()] != s.columns[s.key[k]]) return false;
  }
  const std::size_t keys = keys_of(rule, literal).size();
  if (keys == 0 || keys == s.key.size()) return false;
  return std::ranges::all_of(rule.rule->body[literal].arguments, [&](Pattern p) {
    if (p.is_ground()) return true;
    const auto at = std::ranges::find(head, p);
    if (at != head.end()) return std::ranges::find(s.key, static_cast<std::uint32_t>(at - head.begin())) != s.key.end();
    std::size_t uses = 0;
    for (const EngineLiteral& l : rule.rule->body) uses += static_cast<std::size_t>(std::ranges::count(l.arguments, p));
    return uses == 1;
  });
}

// Removes the fact at the current key unless a frame keeps it.
NodeId LiftedStep::visit_key(NodeId at) {
  const Stored& s = t_.stored_of(fact_);
  const NodeId out = w_.node();
  if (!stays_begin_.valid()) emit_stays();
  w_.edge(at, out, ir::Reachability{stays_begin_, stays_end_, false});
  at = clear_key(w_.then(at, ir::Reachability{stays_begin_, stays_end_, true}));
  for (const LiftedRule* rule : at_keys_) {
    BodyState f = w_.body_state(*rule, 0);
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      f.busy.insert(keys_[k].variable);
      f.values[rule->rule->head.arguments[s.key[k]].number()] = Value{{}, keys_[k].expression, keys_[k].sort, false};
    }
    at = cause(std::move(f), at);
  }
  w_.edge(at, out, ir::Empty());
  return out;
}

NodeId LiftedStep::clear_key(NodeId at) {
  const Stored& s = t_.stored_of(fact_);
  std::vector<Value> key;
  for (const Register& r : keys_) key.push_back({{}, r.expression, r.sort, false});
  for (std::size_t i = 0; i < s.maps.size(); ++i)
    at = w_.then(at, ir::Assign{w_.cell(target(fact_)[i], key), s.values.empty() ? t_.zero() : t_.none()});
  return at;
}

// Removes the fact without a test, because a proof shows that no frame keeps it.
NodeId LiftedStep::clear_certain(NodeId at) {
  claim_gone(at);
  return clear_key(at);
}

// With claims, a dead end contains the test that no frame keeps the fact with the key in the registers, which must
// always pass.
void LiftedStep::claim_gone(NodeId at) {
  if (!game_.claims.wanted()) return;
  const std::size_t before = game_.graph.edge_count();
  if (!stays_begin_.valid()) emit_stays();
  const ir::EdgeId aside = w_.edge(at, w_.node(), ir::Reachability{stays_begin_, stays_end_, true});
  game_.claims.add("frames of a fact", ir::Passable{aside, true});
  claim_edges_ += game_.graph.edge_count() - before;
}

// Writes a check that some frame keeps the fact with the key in the registers.
void LiftedStep::emit_stays() {
  const Stored& s = t_.stored_of(fact_);
  stays_begin_ = w_.node();
  stays_end_ = w_.node();
  const std::size_t region = w_.new_region();
  for (const LiftedRule& rule : m_.rules({fact_, true})) {
    if (!Model::frame_literal(rule)) continue;
    BodyState f = w_.body_state(rule, region);
    std::vector<std::optional<Value>> values(s.columns.size());
    for (std::size_t k = 0; k < s.key.size(); ++k)
      values[s.key[k]] = Value{{}, keys_[k].expression, keys_[k].sort, false};
    for (const Register& r : keys_) f.busy.insert(r.variable);
    NodeId last = w_.unify(f, rule.rule->head, values, stays_begin_);
    if (last.valid()) last = w_.run(f, last);
    if (last.valid()) w_.edge(last, stays_end_, ir::Empty());
  }
}

}  // namespace rgtrans::gdl::lifted
