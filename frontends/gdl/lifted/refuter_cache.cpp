// The Refuter's answers from a cache that other refuters share.
#include <algorithm>
#include <set>
#include <utility>

#include "frontends/gdl/lifted/refuter.hpp"

namespace rgtrans::gdl::lifted {

// A refutation stays valid under more assumptions, and a failure under fewer.
bool Refuter::answer() {
  if (assumed_.empty()) bodies_ = query_fingerprint();
  std::vector<Proofs::Answer>& answers = proofs_->of(bodies_);
  std::vector<Proofs::Fingerprint> sorted = assumed_;
  std::ranges::sort(sorted);
  const auto known = std::ranges::find_if(answers, [&](const Proofs::Answer& a) {
    const auto same_rules = [&](const auto& entry) { return fingerprints_.of(entry.first) == entry.second; };
    const auto same_known = [&](const auto& entry) { return known_fingerprint(entry.first) == entry.second; };
    return (a.refuted ? std::ranges::includes(sorted, a.assumed) : std::ranges::includes(a.assumed, sorted)) &&
           std::ranges::all_of(a.relations, same_rules) && std::ranges::all_of(a.known, same_known);
  });
  if (known != answers.end()) {
    used_.insert(known->used.begin(), known->used.end());
    conflict_ = known->core;
    unfinished_ = known->unfinished;
    return known->refuted;
  }
  looked_at_.clear();
  std::set<RelId> others = std::exchange(used_, {});
  Proofs::Answer found;
  found.refuted = searched();
  found.unfinished = unfinished_;
  if (total_ <= most_) {
    for (std::size_t n = 0; n < assumed_.size(); ++n)
      if (!found.refuted || needed(literals_ + n)) found.assumed.push_back(assumed_[n]);
    std::ranges::sort(found.assumed);
    found.used = used_;
    found.core = conflict_;
    for (std::uint32_t place = 0; place < looked_at_.size(); ++place) {
      const RelKey relation{RelId(place / 2), place % 2 != 0};
      if (!looked_at_[place]) continue;
      found.relations.emplace_back(relation, fingerprints_.of(relation));
      if (!found.refuted || relation.derived || used_.contains(relation.relation))
        found.known.emplace_back(relation, known_fingerprint(relation));
    }
    answers.push_back(found);
  }
  used_.merge(others);
  return found.refuted;
}

std::vector<Proofs::Fingerprint> Refuter::query_fingerprint() {
  std::vector<Proofs::Fingerprint> result;
  for (const Term t : query_.bound()) result.emplace_back(static_cast<std::uint64_t>(t));
  for (const SortId sort : query_.sorts()) result.push_back(fingerprints_.of(sort));
  for (const Atom& atom : query_.atoms) {
    result.emplace_back(4 * std::uint64_t{atom.key.relation.value} + (atom.key.derived ? 1U : 0U) +
                        (atom.negated ? 2U : 0U));
    result.emplace_back(static_cast<std::uint64_t>(atom.kind));
    for (const Term t : atom.arguments) result.emplace_back(static_cast<std::uint64_t>(t));
  }
  return result;
}

Proofs::Fingerprint Refuter::fingerprint(const Dependency& dependency) {
  Proofs::Fingerprint result(dependency.key.size());
  for (const auto* columns : {&dependency.key, &dependency.values})
    for (const std::uint32_t c : *columns) result.add(c);
  for (const RelId other : dependency.excludes) result.add(other.value);
  for (const Dependency::Inclusion& inclusion : dependency.implies) {
    result.add(inclusion.in.value);
    for (const auto& [other, own] : inclusion.columns) result.add(std::uint64_t{other} << 32U | own);
    for (std::uint32_t c = 0; c < m_.info(inclusion.in).tuples->arity(); ++c)
      result.add(fingerprints_.of(m_.column(inclusion.in, c)));
  }
  return result;
}

// The current knowledge about a relation.
Proofs::Fingerprint Refuter::known_fingerprint(RelKey relation) {
  if (!relation.derived) {
    const auto found = dependencies_.find(relation.relation);
    return found == dependencies_.end() ? Proofs::Fingerprint() : fingerprint(found->second);
  }
  Proofs::Fingerprint result;
  if (const auto found = learned_.find(relation); found != learned_.end())
    for (const Dependency& dependency : found->second) result.add(fingerprint(dependency));
  return result;
}

}  // namespace rgtrans::gdl::lifted
