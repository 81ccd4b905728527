#include "frontends/gdl/lifted/proofs.hpp"

namespace rgtrans::gdl::lifted {

Proofs::Fingerprint ModelFingerprints::of(SortId sort) {
  const auto [it, fresh] = sorts_.try_emplace(sort);
  if (fresh)
    for (const std::uint32_t term : m_.terms(sort)) it->second.add(term);
  return it->second;
}

Proofs::Fingerprint ModelFingerprints::of(RelKey relation) {
  if (const auto known = rules_.find(relation); known != rules_.end()) return known->second;
  Proofs::Fingerprint result(m_.recursive(relation) ? 1U : 2U);
  if (relation.relation.valid()) result.add(m_.info(relation.relation).tuples->size());
  for (const LiftedRule& rule : m_.rules(relation)) {
    for (const SortId sort : rule.sorts) result.add(of(sort));
    for (const Pattern p : rule.rule->head.arguments) result.add(p.bits);
    for (const EngineLiteral& literal : rule.rule->body) {
      const RelKey key = Model::key(literal);
      const LiteralKind kind = m_.kind(literal);
      const bool within = kind == LiteralKind::derived && m_.same_component(relation, key);
      result.add(key.relation.value);
      result.add(8 * static_cast<std::uint64_t>(kind) + (key.derived ? 4U : 0U) + (literal.negated ? 2U : 0U) +
                 (within ? 1U : 0U));
      for (const Pattern p : literal.arguments) result.add(p.bits);
    }
    result.add(0);
  }
  return rules_[relation] = result;
}

}  // namespace rgtrans::gdl::lifted
