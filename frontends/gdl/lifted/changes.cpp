#include "frontends/gdl/lifted/changes.hpp"

#include <algorithm>

#include "core/support/coverage.hpp"
#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/datalog/functional.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

Changes::Changes(Model& model, const Tables& tables, Walks& walks)
    : m_(model),
      t_(tables),
      w_(walks),
      conditions_(model, [this](RelKey key) { return !is_monotone(key, Direction::shrinks); }),
      causes_(model) {}

std::optional<Changes::AfterStep> Changes::after_step(RelKey key) {
  AfterStep result;
  bool less = false;
  for (const LiftedRule* rule : joined_rules(key)) {
    for (const LiftedRule* part : conditions_.unfold(*rule)) {
      const std::vector<Look> list = variants(*part);
      less = less || list != std::vector{Look{part, {}, {}}};
      result.looks.insert(result.looks.end(), list.begin(), list.end());
      for (const Look& look : list) {
        for (const auto& [variable, scalar] : look.before) result.before.insert(scalar);
        if (!look.recorded) continue;
        result.recorded.insert(look.rule->rule->body[*look.recorded].relation);
      }
    }
  }
  if (!less || result.looks.size() > kLiftedLimits.unfolded_looks) return std::nullopt;
  return result;
}

// --- Rules for all values. ---

// For example, (<= terminal (line red)) and (<= terminal (line blue)), if a line is always one of the two.
std::vector<const LiftedRule*> Changes::joined_rules(RelKey key) {
  std::vector<const LiftedRule*> result, open;
  for (const LiftedRule& rule : m_.rules(key)) open.push_back(&rule);
  const auto asks_alike = [](const LiftedRule* a, const LiftedRule* b) {
    const EngineLiteral& x = a->rule->body[0];
    const EngineLiteral& y = b->rule->body[0];
    return b->rule->body.size() == 1 && x.relation == y.relation && !x.negated && !y.negated && x.derived == y.derived;
  };
  while (!open.empty()) {
    const LiftedRule* first = open.front();
    std::vector<const LiftedRule*> alike;
    if (first->rule->body.size() == 1)
      std::ranges::copy_if(open, std::back_inserter(alike), [&](const LiftedRule* r) { return asks_alike(first, r); });
    const LiftedRule* joined = alike.size() > 1 ? for_any(alike) : nullptr;
    if (joined == nullptr) alike = {first};
    result.push_back(joined == nullptr ? first : joined);
    std::erase_if(open, [&](const LiftedRule* rule) { return std::ranges::find(alike, rule) != alike.end(); });
  }
  return result;
}

// One rule for several that call one unary derived relation with all of its possible values.
const LiftedRule* Changes::for_any(const std::vector<const LiftedRule*>& rules) {
  const EngineLiteral& literal = rules[0]->rule->body[0];
  if (m_.kind(literal) != LiteralKind::derived || literal.arguments.size() != 1) return nullptr;
  if (!rules[0]->rule->head.arguments.empty()) return nullptr;
  std::vector<std::uint32_t> values;
  for (const LiftedRule* rule : rules) {
    const Pattern p = rule->rule->body[0].arguments[0];
    if (!p.is_ground()) return nullptr;
    values.push_back(p.term().value);
  }
  const SortId column = m_.column(literal.relation, 0);
  if (m_.sort(values) != column) return nullptr;
  Rule& source = sources_.emplace_back(*rules[0]->rule->source);
  source.variables = {m_.symbol("any")};
  EngineRule& made = rules_.emplace_back(*rules[0]->rule);
  made.variables = 1;
  made.source = &source;
  made.body[0].arguments[0] = Pattern::variable(0);
  joined_.push_back({&made, {column}});
  return &joined_.back();
}

// --- Facts that a step adds. ---

std::vector<Changes::Look> Changes::variants(const LiftedRule& rule) {
  std::vector<Look> result;
  double steps = 0;  // if the added fact is known
  const auto& body = rule.rule->body;
  for (std::uint32_t i = 0; i < body.size(); ++i) {
    if (!can_turn_true(body[i])) continue;
    const bool fact = !body[i].negated && m_.kind(body[i]) == LiteralKind::fact;
    if (!fact || places(rule, body[i]) < kPlanCosts.changed_least) return {{&rule, {}, {}}};
    if (by_causes(rule, i, result) || by_scalars(rule, i, result)) continue;
    if (!recordable(body[i].relation)) return {{&rule, {}, {}}};
    result.push_back({&rule, i, {}});
    BodyState f = w_.body_state(rule, 0);
    std::erase(f.open, i);
    for (const Pattern p : body[i].arguments) w_.planner.suppose(f, p);
    steps += w_.planner.expected(f).steps;
  }
  if (!saves(rule, steps)) return {{&rule, {}, {}}};
  join_anchored(rule, result);
  return result;
}

void Changes::join_anchored(const LiftedRule& rule, std::vector<Look>& looks) {
  std::map<const LiftedRule*, std::vector<std::uint32_t>> by_cause;
  for (const Look& look : looks)
    if (look.cause != nullptr) by_cause[look.cause].push_back(look.literal);
  for (const auto& entry : by_cause) {
    if (entry.second.size() < 2) continue;
    const std::optional<Look> joined = anchored(rule, entry.second, *entry.first);
    if (!joined) continue;
    reached("lifted", "changes: anchored");
    std::erase_if(looks, [&](const Look& look) { return look.cause == entry.first; });
    looks.push_back(*joined);
  }
}

std::optional<Changes::Look> Changes::anchored(const LiftedRule& rule, const std::vector<std::uint32_t>& literals,
                                               const LiftedRule& cause) {
  const auto& body = rule.rule->body;
  const std::vector<std::uint32_t>& key = t_.stored_of(cause.rule->head.relation).key;
  if (key.size() != 1 || !cause.rule->head.arguments[key[0]].is_variable()) return std::nullopt;
  std::set<std::uint32_t> fixed, known;
  for (std::uint32_t i = 0; i < body.size(); ++i) {
    if (body[i].negated || m_.kind(body[i]) != LiteralKind::fixed) continue;
    fixed.insert(i);
    known.merge(body[i].variables());
  }
  std::vector<std::uint32_t> cells;
  for (const std::uint32_t i : literals) {
    const Pattern p = body[i].arguments[key[0]];
    if (!p.is_variable() || !known.contains(p.number())) return std::nullopt;
    cells.push_back(p.number());
  }
  // Projects to all cells at once, or to pairs of them if these are too many.
  const auto all = m_.static_tuples(*rule.rule, fixed, cells);
  const auto pairs = [&](std::size_t cell, std::size_t anchor) -> std::optional<std::set<StaticJoins::Tuple>> {
    if (!all) return m_.static_tuples(*rule.rule, fixed, {cells[cell], cells[anchor]});
    std::set<StaticJoins::Tuple> result;
    for (const StaticJoins::Tuple& tuple : *all) result.insert({tuple[cell], tuple[anchor]});
    return result;
  };
  for (std::size_t a = 0; a < cells.size(); ++a) {
    const std::uint32_t anchor = cells[a];
    std::set<StaticJoins::Tuple> from;  // the changed cell, and the anchor that it determines
    bool determined = true;
    for (std::size_t i = 0; determined && i < cells.size(); ++i) {
      const auto tuples = pairs(i, a);
      determined = tuples.has_value();
      if (tuples) from.insert(tuples->begin(), tuples->end());
    }
    if (!determined || !gdl::determines(from, std::vector<std::uint32_t>{0}, {1})) continue;
    const std::uint32_t first = rule.rule->variables;
    Rule& source = sources_.emplace_back(*rule.rule->source);
    source.variables.resize(first, source.variables.empty() ? SymbolId(0U) : source.variables[0]);
    for (std::uint32_t v = 0; v < cause.rule->variables; ++v)
      source.variables.push_back(cause.rule->source->variables[v]);
    EngineRule& made = rules_.emplace_back(*rule.rule);
    made.variables = first + cause.rule->variables;
    made.source = &source;
    std::vector<SortId> sorts = rule.sorts;
    sorts.insert(sorts.end(), cause.sorts.begin(), cause.sorts.end());
    for (EngineLiteral l : cause.rule->body) {
      if (l.negated || m_.kind(l) != LiteralKind::does) continue;
      for (Pattern& p : l.arguments)
        if (p.is_variable()) p = Pattern::variable(p.number() + first);
      made.body.push_back(std::move(l));
    }
    const std::uint32_t changed = cause.rule->head.arguments[key[0]].number() + first;
    made.body.push_back(m_.relate({changed, anchor}, from, "anchor"));
    joined_.push_back({&made, std::move(sorts), false});
    return Look{&joined_.back(), {}, {}};
  }
  return std::nullopt;
}

// Adds a variant of the rule per cause, in which the move determines the literal.
bool Changes::by_causes(const LiftedRule& rule, std::uint32_t literal, std::vector<Look>& out) {
  const RelId fact = rule.rule->body[literal].relation;
  std::vector<Look> found;
  for (const LiftedRule& cause : m_.causes(fact)) {
    for (const LiftedRule* part : causes_.unfold(cause)) {
      const LiftedRule* made = conditions_.with_move_of(rule, literal, *part);
      if (made == nullptr) continue;
      if (!narrow(*made, made->rule->body[literal])) return false;
      found.push_back({made, {}, {}, literal, part});
    }
  }
  reached("lifted", "changes: by causes");
  out.insert(out.end(), found.begin(), found.end());
  return true;
}

bool Changes::saves(const LiftedRule& rule, double steps) {
  return steps <= kPlanCosts.changed_steps * w_.planner.expected(w_.body_state(rule, 0)).steps;
}

// The scalar whose value a positive literal assigns to the variable.
std::optional<Changes::Scalar> Changes::scalar_of(const LiftedRule& rule, Pattern p) const {
  for (const EngineLiteral& l : rule.rule->body) {
    if (!p.is_variable() || l.negated) continue;
    const auto holder = m_.holder(l.relation);
    if (m_.kind(l) == LiteralKind::does && holder && l.arguments[0] == p) return Scalar{*holder};
    if (m_.kind(l) != LiteralKind::fact) continue;
    const auto column = std::ranges::find(l.arguments, p);
    if (column == l.arguments.end() || !t_.stored_of(l.relation).key.empty()) continue;
    return Scalar{l.relation, static_cast<std::uint32_t>(column - l.arguments.begin())};
  }
  return std::nullopt;
}

std::map<std::uint32_t, Changes::Scalar> Changes::from_scalars(RelId fact) {
  std::map<std::uint32_t, Scalar> result;
  for (std::uint32_t c = 0; c < t_.stored_of(fact).columns.size(); ++c) {
    std::optional<Scalar> scalar;
    bool all = true;
    for (const LiftedRule& cause : m_.causes(fact)) {
      const std::optional<Scalar> own = scalar_of(cause, cause.rule->head.arguments[c]);
      all = all && own && (!scalar || *scalar == *own);
      scalar = own;
    }
    if (all && scalar) result.emplace(c, *scalar);
  }
  return result;
}

// Adds the rule with the values of scalars before the step. The literal itself is tested, too.
bool Changes::by_scalars(const LiftedRule& rule, std::uint32_t literal, std::vector<Look>& out) {
  Look look = {&rule, {}, {}};
  BodyState f = w_.body_state(rule, 0);
  const EngineLiteral& fact = rule.rule->body[literal];
  for (const auto& [column, scalar] : from_scalars(fact.relation)) {
    const Pattern p = fact.arguments[column];
    if (!p.is_variable()) continue;
    look.before.emplace(p.number(), scalar);
    w_.planner.suppose(f, p);
  }
  if (look.before.empty()) return false;
  if (places(rule, fact) > kPlanCosts.changed_most && !saves(rule, w_.planner.expected(f).steps)) return false;
  if (std::ranges::find(out, look) == out.end()) out.push_back(look);
  reached("lifted", "changes: by scalars");
  return true;
}

bool Changes::recordable(RelId fact) {
  double added = 0;
  for (const LiftedRule& cause : m_.causes(fact)) {
    for (const LiftedRule* part : causes_.unfold(cause)) {
      BodyState f = w_.body_state(*part, 0);
      f.want(part->rule->head.arguments);
      for (const EngineLiteral& l : part->rule->body)
        if (!l.negated && m_.kind(l) == LiteralKind::does) w_.planner.suppose(f, l.arguments[0]);
      added += w_.planner.expected(f).walks;
    }
  }
  return added <= kPlanCosts.changed_facts;
}

bool Changes::narrow(const LiftedRule& rule, const EngineLiteral& literal) const {
  const auto of_move = [&](Pattern p) {
    return std::ranges::any_of(rule.rule->body, [&](const EngineLiteral& l) {
      return !l.negated && m_.kind(l) == LiteralKind::does && l.mentions(p);
    });
  };
  return std::ranges::all_of(t_.stored_of(literal.relation).key, [&](std::uint32_t column) {
    const Pattern p = literal.arguments[column];
    return p.is_ground() || of_move(p);
  });
}

double Changes::places(const LiftedRule& rule, const EngineLiteral& literal) const {
  double count = 1;
  for (const std::uint32_t column : t_.stored_of(literal.relation).key) {
    const Pattern p = literal.arguments[column];
    if (p.is_variable()) count *= static_cast<double>(m_.terms(rule.sorts[p.number()]).size());
  }
  return count;
}

bool Changes::can_turn_true(const EngineLiteral& literal) { return !is_monotone(literal, Direction::shrinks); }

// --- Monotone relations. ---

bool Changes::appears(RelId fact) const { return !m_.causes(fact).empty(); }

bool Changes::vanishes(RelId fact) const {
  return std::ranges::none_of(m_.rules({fact, true}), [&](const LiftedRule& rule) {
    if (!Model::frame_literal(rule) || rule.rule->body.size() > 1) return false;
    const auto& head = rule.rule->head.arguments;
    for (std::uint32_t c = 0; c < head.size(); ++c) {
      if (!head[c].is_variable() || std::ranges::count(head, head[c]) > 1) return false;
      if (!m_.subset(t_.stored_of(fact).columns[c], rule.sorts[head[c].number()])) return false;
    }
    return true;
  });
}

// A greatest fixpoint: recursive relations have the property unless a rule contradicts it.
bool Changes::is_monotone(RelKey key, Direction direction) {
  if (const auto found = monotone_.find({key, direction}); found != monotone_.end()) return found->second;
  collect(key, direction);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [what, holds] : monotone_) {
      const Direction to = what.second;
      const auto fits = [&](const LiftedRule& rule) {
        return std::ranges::all_of(rule.rule->body, [&](const EngineLiteral& l) { return is_monotone(l, to); });
      };
      if (!holds || std::ranges::all_of(m_.rules(what.first), fits)) continue;
      holds = false;
      changed = true;
    }
  }
  return monotone_.at({key, direction});
}

// Assumes the property for all relations on which this one depends.
void Changes::collect(RelKey key, Direction direction) {
  if (!monotone_.try_emplace({key, direction}, true).second) return;
  for (const LiftedRule& rule : m_.rules(key))
    for (const EngineLiteral& l : rule.rule->body)
      if (m_.kind(l) == LiteralKind::derived) collect(Model::key(l), l.negated ? other(direction) : direction);
}

bool Changes::is_monotone(const EngineLiteral& literal, Direction direction) {
  const LiteralKind kind = m_.kind(literal);
  if (kind == LiteralKind::distinct || kind == LiteralKind::fixed) return true;
  if (kind == LiteralKind::does) return false;
  if (literal.negated) direction = other(direction);
  if (kind == LiteralKind::derived) return is_monotone(Model::key(literal), direction);
  return direction == Direction::grows ? !vanishes(literal.relation) : !appears(literal.relation);
}

}  // namespace rgtrans::gdl::lifted
