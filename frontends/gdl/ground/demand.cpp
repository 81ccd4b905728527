#include "frontends/gdl/ground/demand.hpp"

#include <algorithm>

#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl {

RelId DomainRelations::get(const Domain& domain) {
  std::optional<std::vector<std::uint32_t>> values =
      domain.enumerate(engine_.program.patterns.terms, kGroundLimits.listed_values);
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

bool restrict_to_demand(EngineRule& rule, const Domains& domains, DomainRelations& relations) {
  const RelId head = rule.head.relation;
  if (!head.valid() || domains.wanted_whole(head)) return true;
  if (!domains.wanted(head)) return false;
  const std::vector<Domain> possible = domains.unrestricted(rule);
  const std::vector<Domain> values = domains.variables(rule);
  std::vector<bool> done(rule.variables);
  for (const Pattern p : rule.head.arguments) {
    if (!p.is_variable() || done[p.number()] || values[p.number()].unbounded()) continue;
    done[p.number()] = true;
    if (values[p.number()].empty()) return false;
    if (values[p.number()].size() > kSplitCosts.demand * possible[p.number()].size()) continue;
    EngineLiteral literal;
    literal.relation = relations.get(values[p.number()]);
    if (!literal.relation.valid()) continue;
    literal.arguments = {p};
    rule.body.push_back(std::move(literal));
  }
  return true;
}

}  // namespace rgtrans::gdl
