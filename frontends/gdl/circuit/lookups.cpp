#include "frontends/gdl/circuit/lookups.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl {

LookupFinder::LookupFinder(Circuit& circuit) : circuit_(circuit) {}

// One unconditional lookup, or several under conditions.
std::optional<Lookups> LookupFinder::find(std::uint32_t variable, const std::vector<Wire>& next) {
  if (const auto lookup = single(variable, next)) return lookup;
  if (next.size() < kFormCosts.lookup_alternatives) return std::nullopt;
  const Alternatives all = alternatives_of(circuit_, next);
  const std::size_t most = std::min(kCircuitLimits.lookups, all.size() / kFormCosts.lookup_alternatives);
  return most < 2 ? std::nullopt : among(variable, next.size(), all, most);
}

std::optional<Lookups> LookupFinder::find_all(std::uint32_t variable, const std::vector<Wire>& next) {
  if (const auto lookup = single(variable, next)) return lookup;
  const Alternatives all = alternatives_of(circuit_, next);
  const std::uint64_t most = kCircuitLimits.looks * all.size() + kCircuitLimits.opened_alternatives;
  keep_ = alternatives_.left() - std::min(alternatives_.left(), most);
  auto lookups = by_value(variable, next.size(), all, kCircuitLimits.lookups);
  if (!lookups) lookups = among(variable, next.size(), all, kCircuitLimits.lookups);
  keep_ = 0;
  return lookups;
}

// Splits by the value of a variable that all alternatives mention.
std::optional<Lookups> LookupFinder::by_value(std::uint32_t variable, std::size_t values, const Alternatives& all,
                                              std::size_t most) {
  std::map<std::uint32_t, std::pair<std::size_t, std::set<Wire>>> mentions;  // per variable: occurrences and leaves
  for (const Alternative& alternative : all) {
    for (const Wire w : alternative.conditions) {
      if (!circuit_.is_leaf(w) || is_inverted(w)) continue;
      auto& [count, leaves] = mentions[circuit_.variable(node_of(w))];
      ++count;
      leaves.insert(w);
    }
  }
  std::erase_if(mentions, [&](const auto& entry) { return entry.second.first < all.size(); });
  if (mentions.empty()) return std::nullopt;
  const auto best =
      std::ranges::min_element(mentions, {}, [](const auto& entry) { return entry.second.second.size(); });
  const auto& leaves = best->second.second;
  std::size_t listed = 0;
  std::set<std::uint32_t> distinct;
  std::map<Wire, Alternatives> parts;
  for (const Wire leaf : leaves) {
    const auto own = circuit_.values(node_of(leaf));
    listed += own.size();
    distinct.insert(own.begin(), own.end());
  }
  if (distinct.size() < listed || leaves.size() >= most) return std::nullopt;
  for (const Alternative& alternative : all) {
    const auto leaf = std::ranges::find_if(alternative.conditions, [&](Wire w) { return leaves.contains(w); });
    Alternative& rest = parts[*leaf].emplace_back(alternative);
    std::erase(rest.conditions, *leaf);
  }
  Lookups result;
  for (const auto& [leaf, part] : parts) {
    const auto lookups = among(variable, values, part, most - result.size());
    if (!lookups) return std::nullopt;
    for (const Lookup& lookup : *lookups)
      result.push_back({circuit_.conjunction({leaf, lookup.when}), lookup.source, lookup.table});
  }
  const auto otherwise = single(variable, std::vector<Wire>(values, kNever));
  result.insert(result.end(), otherwise->begin(), otherwise->end());
  return result;
}

std::optional<Lookups> LookupFinder::among(std::uint32_t variable, std::size_t values, const Alternatives& all,
                                           std::size_t most) {
  if (std::ranges::all_of(all, [&](const Alternative& a) { return a.conditions.size() <= 1; })) {
    std::vector<std::vector<Wire>> each(values);
    for (const Alternative& a : all) each[a.owner].push_back(a.conditions.empty() ? kAlways : a.conditions[0]);
    std::vector<Wire> next;
    for (auto& wires : each) next.push_back(circuit_.disjunction(std::move(wires)));
    if (auto lookup = single(variable, next)) return lookup;
  }
  if (!alternatives_.spend(all.size()) || alternatives_.left() < keep_ || most < 2) return std::nullopt;
  const std::uint32_t node = contested(circuit_, all, true);
  if (node == 0) {
    const auto more = all.size() > kCircuitLimits.opened_alternatives ? std::nullopt : opened(circuit_, all, {});
    return more ? among(variable, values, *more, most) : std::nullopt;
  }
  const Alternatives with = given(circuit_, all, 2 * node);
  const Alternatives without = given(circuit_, all, 2 * node + 1);
  auto first = among(variable, values, with, most - 1);
  if (!first) return std::nullopt;
  auto rest = among(variable, values, without, most - first->size());
  if (!rest) return std::nullopt;
  Wire when = 2 * node;
  if (first->empty()) {
    std::swap(first, rest);
    when = invert(when);
  }
  if (first->empty()) return first;
  for (Lookup& lookup : *first) lookup.when = circuit_.conjunction({when, lookup.when});
  // If no lookup of this branch applies, the value must stay instead of reaching the other branch.
  if (!rest->empty() && first->back().when != when) first->push_back({when, variable, {}});
  first->insert(first->end(), rest->begin(), rest->end());
  return first;
}

// One table, or no lookups if the value always stays.
std::optional<Lookups> LookupFinder::single(std::uint32_t variable, const std::vector<Wire>& next) const {
  std::uint32_t source = kNone;
  for (const Wire w : next) {
    if (is_fixed(w)) continue;
    if (!circuit_.is_leaf(w)) return std::nullopt;
    const std::uint32_t mine = circuit_.variable(node_of(w));
    if (source != kNone && mine != source) return std::nullopt;
    source = mine;
  }
  if (source == kNone) source = variable;
  const std::uint32_t domain = circuit_.domain(source);
  if (domain > kCircuitLimits.table) return std::nullopt;
  const auto none = static_cast<std::uint32_t>(next.size());
  Lookup lookup{kAlways, source, std::vector<std::uint32_t>(domain, none)};
  for (std::uint32_t v = 0; v < next.size(); ++v) {
    const auto set = [&](std::uint32_t u) {
      if (lookup.table[u] == none) lookup.table[u] = v;
    };
    if (next[v] != kAlways && !is_inverted(next[v])) {
      for (const std::uint32_t u : circuit_.values(node_of(next[v]))) set(u);
    } else if (next[v] != kNever) {
      for (std::uint32_t u = 0; u < domain; ++u)
        if (next[v] == kAlways || circuit_.allows(next[v], u)) set(u);
    }
  }
  bool same = source == variable;
  for (std::uint32_t u = 0; u < domain; ++u) same = same && lookup.table[u] == u;
  return same ? Lookups() : Lookups{std::move(lookup)};
}

}  // namespace rgtrans::gdl
