// The least fixpoint from the outputs down: a rule asks of its body what its variables can be when the head is wanted.
#include "frontends/gdl/demand.hpp"

#include <algorithm>

namespace rgtrans::gdl {

namespace {

// A restriction must leave out at least this share of the values, or it is not worth a test.
constexpr double kNarrow = 0.8;
// Larger domains are not listed.
constexpr double kMaxListed = 5'000;

}  // namespace

RelId DomainRelations::get(const Domain& domain) {
  std::optional<std::vector<std::uint32_t>> values = domain.enumerate(engine_.program.patterns.terms, kMaxListed);
  if (!values) return {};
  std::ranges::sort(*values);
  RelId& known = known_[*values];
  if (known.valid()) return known;
  known = engine_.ordinary(engine_.program.auxiliary(1, {}), false);
  for (const std::uint32_t value : *values) engine_.insert(known, &value);
  Relation& tuples = *engine_.relations[known.value].tuples;
  tuples.delta_end = tuples.size();
  return known;
}

Demand::Demand(Engine& engine, const Domains& domains, std::uint32_t first) : engine_(engine), domains_(domains) {
  const std::size_t count = engine.relations.size();
  wanted_.resize(count);
  reached_.resize(count);
  rules_of_.resize(count);
  queued_.resize(count);
  for (std::uint32_t r = 0; r < count; ++r) wanted_[r].resize(engine.relations[r].tuples->arity());
  for (std::uint32_t r = first; r < engine.rule_count(); ++r) {
    const EngineRule& rule = engine.rule(r);
    if (!rule.head.relation.valid() || wanted_whole(rule.head.relation)) {
      visit(rule);
    } else {
      rules_of_[rule.head.relation.value].push_back(r);
    }
  }
  while (!open_.empty()) {
    const RelId relation = open_.front();
    open_.pop_front();
    queued_[relation.value] = false;
    for (const std::uint32_t r : rules_of_[relation.value]) visit(engine.rule(r));
  }
}

bool Demand::wanted_whole(RelId relation) const {
  const RelationInfo& info = engine_.relations[relation.value];
  if (info.kind != RelationInfo::Kind::ordinary) return true;
  const Keyword k = engine_.program[info.predicate].keyword;
  return k != Keyword::none && k != Keyword::auxiliary;
}

// The values of the variables of a rule whose head is wanted; all empty when it can make nothing that is.
std::vector<Domain> Demand::variables(const EngineRule& rule) const {
  std::vector<Domain> values = domains_.variables(rule);
  if (!rule.head.relation.valid() || wanted_whole(rule.head.relation)) return values;
  const std::vector<Domain>& wanted = wanted_[rule.head.relation.value];
  for (std::uint32_t c = 0; c < rule.head.arguments.size(); ++c) {
    const Pattern p = rule.head.arguments[c];
    if (p.is_ground() && !wanted[c].contains(engine_.program.patterns.terms, p.term()))
      return std::vector<Domain>(rule.variables);
    if (p.is_variable()) values[p.number()] = values[p.number()].intersect(wanted[c]);
  }
  return values;
}

void Demand::visit(const EngineRule& rule) {
  const std::vector<Domain> values = variables(rule);
  const Patterns& patterns = engine_.program.patterns;
  for (const EngineLiteral& literal : rule.body) {
    for (const Pattern p : literal.arguments) {
      bool never = false;
      patterns.for_each_variable(p, [&](std::uint32_t v) { never = never || values[v].empty(); });
      if (never) return;
    }
  }
  for (const EngineLiteral& literal : rule.body) {
    if (!literal.relation.valid() || !literal.dynamic || wanted_whole(literal.relation)) continue;
    bool grown = !reached_[literal.relation.value];
    reached_[literal.relation.value] = true;
    for (std::uint32_t c = 0; c < literal.arguments.size(); ++c)
      grown = wanted_[literal.relation.value][c].merge(domains_.domain_of(literal.arguments[c], values)) || grown;
    if (!grown || queued_[literal.relation.value]) continue;
    queued_[literal.relation.value] = true;
    open_.push_back(literal.relation);
  }
}

bool Demand::restrict(EngineRule& rule, DomainRelations& relations) const {
  const RelId head = rule.head.relation;
  if (!head.valid() || wanted_whole(head)) return true;
  if (!reached_[head.value]) return false;
  const std::vector<Domain> possible = domains_.variables(rule);
  const std::vector<Domain> values = variables(rule);
  std::vector<bool> done(rule.variables);
  for (const Pattern p : rule.head.arguments) {
    if (!p.is_variable() || done[p.number()] || values[p.number()].unbounded()) continue;
    done[p.number()] = true;
    if (values[p.number()].empty()) return false;
    if (values[p.number()].size() > kNarrow * possible[p.number()].size()) continue;
    EngineLiteral literal;
    literal.relation = relations.get(values[p.number()]);
    if (!literal.relation.valid()) continue;
    literal.arguments = {p};
    rule.body.push_back(std::move(literal));
  }
  return true;
}

}  // namespace rgtrans::gdl
