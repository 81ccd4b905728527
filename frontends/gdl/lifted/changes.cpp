#include "frontends/gdl/lifted/changes.hpp"

#include <algorithm>

#include "frontends/gdl/lifted/tables.hpp"

namespace rgtrans::gdl::lifted {

namespace {

constexpr double kFewPlaces = 4;           // fewer are looked at one by one
constexpr std::size_t kMostUnfolded = 64;  // of a condition, with their variants

}  // namespace

Changes::Changes(Model& model, const Tables& tables)
    : m_(model),
      t_(tables),
      conditions_(model, [this](RelKey key) { return !only(key, Way::shrinks); }),
      causes_(model) {}

std::vector<const LiftedRule*> Changes::rules_after_step(RelKey key) {
  std::vector<const LiftedRule*> result;
  bool saves = false;
  for (const LiftedRule& rule : m_.rules(key)) {
    for (const LiftedRule* part : conditions_.unfold(rule)) {
      const std::vector<const LiftedRule*> list = variants(*part);
      saves = saves || list != std::vector{part};
      result.insert(result.end(), list.begin(), list.end());
    }
  }
  if (!saves || result.size() > kMostUnfolded) result.clear();
  return result;
}

std::vector<const LiftedRule*> Changes::variants(const LiftedRule& rule) {
  std::vector<const LiftedRule*> result;
  const auto& body = rule.rule->body;
  for (std::uint32_t i = 0; i < body.size(); ++i) {
    if (!can_turn_true(body[i])) continue;
    const bool fact = !body[i].negated && m_.kind(body[i]) == LiteralKind::fact;
    if (!fact || places(rule, body[i]) < kFewPlaces || !by_causes(rule, i, result)) return {&rule};
  }
  return result;
}

// Adds the rule once for each cause, with what the move says of the literal.
bool Changes::by_causes(const LiftedRule& rule, std::uint32_t literal, std::vector<const LiftedRule*>& out) {
  const RelId fact = rule.rule->body[literal].relation;
  for (const LiftedRule& cause : m_.rules({fact, true})) {
    if (Model::handed_on(cause)) continue;
    for (const LiftedRule* part : causes_.unfold(cause)) {
      const LiftedRule* made = conditions_.with_move_of(rule, literal, *part);
      if (made == nullptr) continue;
      if (!narrow(*made, made->rule->body[literal])) return false;
      out.push_back(made);
    }
  }
  return true;
}

bool Changes::narrow(const LiftedRule& rule, const EngineLiteral& literal) const {
  const auto of_move = [&](Pattern p) {
    return std::ranges::any_of(rule.rule->body, [&](const EngineLiteral& l) {
      return !l.negated && m_.kind(l) == LiteralKind::does && std::ranges::find(l.arguments, p) != l.arguments.end();
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

bool Changes::can_turn_true(const EngineLiteral& literal) { return !only(literal, Way::shrinks); }

// --- What changes in one direction only. ---

bool Changes::appears(RelId fact) const {
  return std::ranges::any_of(m_.rules({fact, true}), [&](const LiftedRule& rule) { return !Model::handed_on(rule); });
}

bool Changes::vanishes(RelId fact) const {
  return std::ranges::none_of(m_.rules({fact, true}), [&](const LiftedRule& rule) {
    if (!Model::handed_on(rule) || rule.rule->body.size() > 1) return false;
    const auto& head = rule.rule->head.arguments;
    for (std::uint32_t c = 0; c < head.size(); ++c) {
      if (!head[c].is_variable() || std::ranges::count(head, head[c]) > 1) return false;
      if (!m_.subset(t_.stored_of(fact).columns[c], rule.sorts[head[c].number()])) return false;
    }
    return true;
  });
}

// What depends on itself does so if nothing speaks against it.
bool Changes::only(RelKey key, Way way) {
  if (const auto found = only_.find({key, way}); found != only_.end()) return found->second;
  collect(key, way);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [what, holds] : only_) {
      const Way to = what.second;
      const auto fits = [&](const LiftedRule& rule) {
        return std::ranges::all_of(rule.rule->body, [&](const EngineLiteral& l) { return only(l, to); });
      };
      if (!holds || std::ranges::all_of(m_.rules(what.first), fits)) continue;
      holds = false;
      changed = true;
    }
  }
  return only_.at({key, way});
}

// Everything that it depends on is thought to do so at first.
void Changes::collect(RelKey key, Way way) {
  if (!only_.try_emplace({key, way}, true).second) return;
  for (const LiftedRule& rule : m_.rules(key))
    for (const EngineLiteral& l : rule.rule->body)
      if (m_.kind(l) == LiteralKind::derived) collect(Model::key(l), l.negated ? other(way) : way);
}

bool Changes::only(const EngineLiteral& literal, Way way) {
  const LiteralKind kind = m_.kind(literal);
  if (kind == LiteralKind::distinct || kind == LiteralKind::fixed) return true;
  if (kind == LiteralKind::does) return false;
  if (literal.negated) way = other(way);
  if (kind == LiteralKind::derived) return only(Model::key(literal), way);
  return way == Way::grows ? !vanishes(literal.relation) : !appears(literal.relation);
}

}  // namespace rgtrans::gdl::lifted
