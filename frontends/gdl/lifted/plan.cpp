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

#include "frontends/gdl/ground/rule_text.hpp"
#include "frontends/gdl/lifted/walks.hpp"

namespace rgtrans::gdl::lifted {

std::vector<std::uint8_t> Walks::bindings_of(const BodyState& f) {
  std::vector<std::uint8_t> result;
  for (const std::optional<Value>& value : f.values) result.push_back(!value ? 0 : value->constant ? 2 : 1);
  return result;
}

Walks::BodyPlan Walks::plan_body(BodyState f) {
  BodyPlan result;
  const auto add = [&](PlanNode node) {
    node.open = f.open;
    node.bindings = bindings_of(f);
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

Walks::PlanNode Walks::exists(const BodyState& f, std::vector<std::uint32_t> literals) {
  PlanNode node{PlanNode::Kind::exists};
  node.inside = plan_body(apart_from(f, literals));
  node.apart = std::move(literals);
  return node;
}

Walks::PlanNode Walks::node_of(const BodyState& f, const Plan& next) {
  using Kind = PlanNode::Kind;
  if (next.kind == Plan::Kind::choose) {
    const auto listed = lister(f, next.index);
    const auto all = static_cast<double>(m_.terms(f.rule->sorts[next.index]).size());
    return {listed ? Kind::range_scan : Kind::choose, next.index, listed ? listed->values : all};
  }
  const EngineLiteral& literal = f.rule->rule->body[next.index];
  const bool bound = std::ranges::all_of(literal.arguments, [&](Pattern p) { return known(f, p); });
  const bool derived = m_.kind(literal) == LiteralKind::derived;
  if (literal.negated) return {derived || !bound ? Kind::not_exists : Kind::test, next.index};
  if (!derived) return {bound ? Kind::test : Kind::key_lookup, next.index};
  const std::vector<Use> uses = uses_of(f, literal);
  return {std::ranges::find(uses, Use::result) == uses.end() ? Kind::exists : Kind::call, next.index};
}

void Walks::assume(BodyState& f, const Plan& next) {
  if (next.kind == Plan::Kind::choose) {
    const auto listed = lister(f, next.index);
    suppose(f, Pattern::variable(next.index));
    if (listed) finish(f, listed->literal);
    return;
  }
  const EngineLiteral& literal = f.rule->rule->body[next.index];
  const LiteralKind kind = m_.kind(literal);
  if (!literal.negated && kind != LiteralKind::distinct) {
    std::vector<Pattern> bound;
    for (const Pattern p : literal.arguments)
      if (!known(f, p) && !singleton(f, p)) bound.push_back(p);
    for (const Pattern p : bound) suppose(f, p);
  }
  finish(f, next.index);
}

std::string Walks::plan_text(const LiftedRule& rule, const BodyPlan& plan, std::size_t indent) const {
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

}  // namespace rgtrans::gdl::lifted
