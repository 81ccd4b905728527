// Plans of bodies as data. The planner (planning.cpp) decides one step after the other, each for the literals and
// variables that the previous steps leave; here these steps become a list, before anything is written.
//
//   (<= (legal ?p (move ?c ?d)) (true (control ?p)) (true (cell ?c ?p)) (step ?p ?c ?d) (not (true (cell ?d ?p))))
//
//   key lookup  (true (control ?p))
//   choose      ?c of 36
//   test        (true (cell ?c ?p))
//   range scan  ?d of 3
//   test        (not (true (cell ?d ?p)))
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <range/v3/range/primitives.hpp>

#include "frontends/gdl/datalog/functional.hpp"
#include "frontends/gdl/ground/rule_text.hpp"
#include "frontends/gdl/lifted/planner.hpp"

namespace rgtrans::gdl::lifted {

namespace {

// If a fact is negated for all values of its key, one of the literals represents all of them.
void merge_negated_facts(Model& model, const Tables& tables, BodyState& f) {
  const auto& body = f.rule->rule->body;
  const auto denied = [&](std::uint32_t i) { return body[i].negated && model.kind(body[i]) == LiteralKind::fact; };
  for (std::uint32_t first = 0; first < body.size(); ++first) {
    if (!denied(first) || std::ranges::find(f.open, first) == f.open.end()) continue;
    const Stored& s = tables.stored_of(body[first].relation);
    if (s.values.empty()) continue;
    const auto same_key = [&](std::uint32_t i) {
      return denied(i) && body[i].relation == body[first].relation && std::ranges::all_of(s.key, [&](std::uint32_t c) {
               return body[i].arguments[c] == body[first].arguments[c];
             });
    };
    std::set<std::uint32_t> others;
    std::set<std::vector<std::uint32_t>> values;
    for (std::uint32_t i = first; i < body.size(); ++i) {
      if (!same_key(i)) continue;
      std::vector<std::uint32_t> mine;
      for (const std::uint32_t c : s.values) {
        const Pattern p = body[i].arguments[c];
        if (p.is_ground() && model.contains(s.columns[c], p.term().value)) mine.push_back(p.term().value);
      }
      if (mine.size() < s.values.size()) continue;
      values.insert(std::move(mine));
      if (i != first) others.insert(i);
    }
    double possible = 1;
    for (const std::uint32_t c : s.values) possible *= static_cast<double>(model.terms(s.columns[c]).size());
    if (others.empty() || static_cast<double>(values.size()) != possible) continue;
    f.absent.insert(first);
    std::erase_if(f.open, [&](std::uint32_t i) { return others.contains(i); });
  }
}

}  // namespace

BodyState BodyPlanner::body_state(const LiftedRule& rule, std::size_t region) {
  BodyState f;
  f.region = region;
  f.rule = &rule;
  f.values.resize(rule.sorts.size());
  f.wanted.resize(rule.sorts.size());
  for (std::uint32_t i = 0; i < rule.rule->body.size(); ++i) f.open.push_back(i);
  for (std::size_t v = 0; v < rule.sorts.size(); ++v)
    if (m_.terms(rule.sorts[v]).size() == 1) f.values[v] = t_.constant(TermId(m_.terms(rule.sorts[v])[0]));
  merge_negated_facts(m_, t_, f);
  return f;
}

// Finds open literals that share no unbound variable with the others, nor a wanted one. They form an independent
// existence test, which runs once instead of once per choice of the others.
std::vector<std::uint32_t> BodyPlanner::independent_literals(const BodyState& f) const {
  const auto open = [&](Pattern p) { return p.is_variable() && !f.values[p.number()]; };
  const auto& body = f.rule->rule->body;
  std::vector<std::uint32_t> rest = f.open;
  while (!rest.empty()) {
    std::vector<std::uint32_t> part = {rest.back()};
    rest.pop_back();
    for (std::size_t i = 0; i < part.size(); ++i) {
      const auto shares = [&](std::uint32_t other) {
        return std::ranges::any_of(body[other].arguments,
                                   [&](Pattern p) { return open(p) && body[part[i]].mentions(p); });
      };
      for (const std::uint32_t other : rest)
        if (shares(other)) part.push_back(other);
      std::erase_if(rest, shares);
    }
    const auto wanted = [&](std::uint32_t i) {
      return std::ranges::any_of(body[i].arguments, [&](Pattern p) { return open(p) && f.wanted[p.number()]; });
    };
    if (std::ranges::any_of(part, wanted)) continue;
    const bool walk = std::ranges::find(f.wanted, true) != f.wanted.end();
    if (walk || part.size() < f.open.size()) return part;
  }
  return {};
}

// Before a call for results, tests whether any fact exists that the results must match. Tests only facts without
// initial instances, because others usually exist.
std::vector<std::uint32_t> BodyPlanner::required_facts(const BodyState& f, std::uint32_t call) {
  const std::vector<ArgumentUse> uses = uses_of(f, f.rule->rule->body[call]);
  if (std::ranges::find(uses, ArgumentUse::result) == uses.end()) return {};
  const auto holds_at_first = [&](const EngineLiteral& fact) {
    const auto fits = [&](std::size_t c, std::uint32_t term) {
      const Pattern p = fact.arguments[c];
      return p.is_ground() ? p.term().value == term : m_.contains(f.rule->sorts[p.number()], term);
    };
    return !ranges::empty(matching_rows(*m_.info(fact.relation).tuples, fact.arguments, fits));
  };
  std::vector<std::uint32_t> result = f.open;
  std::erase_if(result, [&](std::uint32_t i) {
    const EngineLiteral& literal = f.rule->rule->body[i];
    return i == call || literal.negated || m_.kind(literal) != LiteralKind::fact ||
           t_.stored_of(literal.relation).never || holds_at_first(literal);
  });
  return result;
}

std::vector<ArgumentUse> BodyPlanner::uses_of(const BodyState& f, const EngineLiteral& literal) const {
  std::vector<ArgumentUse> uses;
  const bool recursive = m_.recursive(Model::key(literal));
  for (const Pattern p : literal.arguments)
    uses.push_back(f.known(p) ? ArgumentUse::known : f.singleton(p) ? ArgumentUse::ignored : ArgumentUse::result);
  // Recursion can pass an unused result on, but cannot always ignore it.
  if (recursive && std::ranges::find(uses, ArgumentUse::result) != uses.end())
    std::ranges::replace(uses, ArgumentUse::ignored, ArgumentUse::result);
  return uses;
}

BodyPlan BodyPlanner::plan_body(BodyState f) {
  BodyPlan result;
  const auto add = [&](PlanNode node) {
    node.open = f.open;
    node.bindings = f.bindings();
    result.push_back(std::move(node));
  };
  for (Plan next = plan(f); next.kind != Plan::Kind::none; next = plan(f)) {
    if (ready(f).kind == Plan::Kind::none) {
      if (const std::vector<std::uint32_t> apart = independent_literals(f); !apart.empty()) {
        PlanNode test = exists(f, apart);
        std::erase_if(f.open, [&](std::uint32_t i) { return std::ranges::find(apart, i) != apart.end(); });
        add(std::move(test));
        continue;
      }
      if (next.kind == Plan::Kind::literal)
        for (const std::uint32_t fact : required_facts(f, next.index)) add(exists(f, {fact}));
    }
    PlanNode node = node_of(f, next);
    assume(f, next);
    add(std::move(node));
  }
  for (std::uint32_t v = 0; v < f.wanted.size(); ++v) {
    if (!f.wanted[v] || f.values[v]) continue;
    PlanNode node = node_of(f, {Plan::Kind::choose, v});
    assume(f, {Plan::Kind::choose, v});
    add(std::move(node));
  }
  return result;
}

PlanNode BodyPlanner::exists(const BodyState& f, std::vector<std::uint32_t> literals) {
  PlanNode node{PlanNode::Kind::exists};
  node.inside = plan_body(f.apart(literals));
  node.apart = std::move(literals);
  return node;
}

PlanNode BodyPlanner::node_of(const BodyState& f, const Plan& next) {
  using Kind = PlanNode::Kind;
  if (next.kind == Plan::Kind::choose) {
    const auto listed = s_.lister(f, next.index);
    const auto all = static_cast<double>(m_.terms(f.rule->sorts[next.index]).size());
    return {listed ? Kind::range_scan : Kind::choose, next.index, listed ? listed->values : all};
  }
  const EngineLiteral& literal = f.rule->rule->body[next.index];
  const bool bound = f.all_known(literal);
  const bool derived = m_.kind(literal) == LiteralKind::derived;
  if (literal.negated) return {derived || !bound ? Kind::not_exists : Kind::test, next.index};
  if (!derived) return {bound ? Kind::test : Kind::key_lookup, next.index};
  const std::vector<ArgumentUse> uses = uses_of(f, literal);
  return {std::ranges::find(uses, ArgumentUse::result) == uses.end() ? Kind::exists : Kind::call, next.index};
}

void BodyPlanner::assume(BodyState& f, const Plan& next) {
  if (next.kind == Plan::Kind::choose) {
    const auto listed = s_.lister(f, next.index);
    suppose(f, Pattern::variable(next.index));
    if (listed) s_.finish(f, listed->literal);
    return;
  }
  const EngineLiteral& literal = f.rule->rule->body[next.index];
  const LiteralKind kind = m_.kind(literal);
  if (!literal.negated && kind != LiteralKind::distinct) {
    std::vector<Pattern> bound;
    for (const Pattern p : literal.arguments)
      if (!f.known(p) && !f.singleton(p)) bound.push_back(p);
    for (const Pattern p : bound) suppose(f, p);
  }
  s_.finish(f, next.index);
}

std::string BodyPlanner::plan_text(const LiftedRule& rule, const BodyPlan& plan, std::size_t indent) const {
  static constexpr std::array<std::string_view, 7> kNames = {"test", "key lookup", "range scan", "choose",
                                                             "call", "exists",     "not exists"};
  std::string text;
  for (const PlanNode& node : plan) {
    const std::string_view name = kNames[static_cast<std::size_t>(node.kind)];
    std::string what;
    if (node.kind == PlanNode::Kind::choose || node.kind == PlanNode::Kind::range_scan) {
      what = fmt::format("{} of {:.3g}", variable_name(m_.program(), *rule.rule, node.index), node.values);
    } else if (node.apart.empty()) {
      EngineLiteral literal = rule.rule->body[node.index];
      literal.negated = literal.negated && node.kind != PlanNode::Kind::not_exists;
      what = literal_text(m_.program(), m_.unground(), *rule.rule, literal);
    }
    text += fmt::format("{:{}}{:<12}{}\n", "", 2 * indent, name, what);
    text += plan_text(rule, node.inside, indent + 1);
  }
  return text;
}

// The plan of each rule: of `legal` for a role, of `next` for its facts, of other rules as a test of their heads.
std::string BodyPlanner::plans(const Sources& sources) {
  std::string text;
  for (const auto& [key, rules] : m_.rules()) {
    const RelationInfo::Kind kind = m_.info(key.relation).kind;
    for (const LiftedRule& rule : rules) {
      BodyState f = body_state(rule, 0);
      const std::vector<Pattern>& head = rule.rule->head.arguments;
      for (std::size_t c = 0; c < head.size(); ++c) {
        if (kind == RelationInfo::Kind::fact || (kind == RelationInfo::Kind::move && c > 0))
          f.want(head[c]);
        else
          suppose(f, head[c]);
      }
      text += fmt::format("{}  {}\n{}", literal_text(m_.program(), m_.unground(), *rule.rule, rule.rule->head),
                          sources.describe(rule.rule->source->where), plan_text(rule, plan_body(std::move(f))));
    }
  }
  return text;
}

}  // namespace rgtrans::gdl::lifted
