// Keeps conjunctions in normal form: leaves of one variable are intersected, inputs are sorted, short conjunctions are
// spliced in.
#include "frontends/gdl/circuit/circuit.hpp"

#include <algorithm>
#include <iterator>
#include <range/v3/view/chunk_by.hpp>
#include <unordered_map>

#include "core/support/effort.hpp"
#include "core/support/progress.hpp"
#include "core/support/sorted.hpp"
#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl {

Circuit::Circuit() { add(Kind::constant, 0, {}); }

std::uint32_t Circuit::add_variable(std::uint32_t values) {
  domains_.push_back(values);
  return variables() - 1;
}

void Circuit::add(Kind kind, std::uint32_t variable, std::span<const std::uint32_t> content) {
  kinds_.push_back(kind);
  variables_.push_back(variable);
  content_.insert(content_.end(), content.begin(), content.end());
  first_.push_back(content_.size());
}

std::uint32_t Circuit::find_or_add(Kind kind, std::uint32_t variable, std::span<const std::uint32_t> content) {
  check_wanted();
  // Gates have thousands of inputs: one multiplication for each, and the mixing at the end.
  std::uint64_t hash = combine_hash(static_cast<std::uint64_t>(kind), variable);
  for (const std::uint32_t x : content) hash = (hash ^ x) * 0x9e3779b97f4a7c15ULL;
  hash = mix_hash(hash);
  const std::uint32_t fresh = size();
  const std::uint32_t node = index_.find_or_insert(hash, fresh, [&](std::uint32_t other) {
    return kinds_[other] == kind && variables_[other] == variable && std::ranges::equal(this->content(other), content);
  });
  if (node == fresh) add(kind, variable, content);
  return node;
}

Wire Circuit::leaf(std::uint32_t variable, std::vector<std::uint32_t> values) {
  const std::uint32_t domain = domains_[variable];
  if (values.empty()) return kNever;
  if (values.size() == domain) return kAlways;
  const bool flip = 2 * values.size() > domain || (2 * values.size() == domain && values[0] != 0);
  if (flip) {
    std::vector<std::uint32_t> others;
    others.reserve(domain - values.size());
    std::size_t i = 0;
    for (std::uint32_t v = 0; v < domain; ++v) {
      if (i < values.size() && values[i] == v) {
        ++i;
      } else {
        others.push_back(v);
      }
    }
    values = std::move(others);
  }
  return 2 * find_or_add(Kind::leaf, variable, values) + (flip ? 1 : 0);
}

Wire Circuit::recursive() {
  add(Kind::recursive, 0, {});
  return 2 * (size() - 1);
}

bool Circuit::allows(Wire leaf, std::uint32_t value) const {
  return std::ranges::binary_search(values(node_of(leaf)), value) != is_inverted(leaf);
}

// The intersection of leaves of one variable.
Wire Circuit::meet(std::uint32_t variable, std::span<const Wire> leaves) {
  std::vector<std::uint32_t> excluded;
  const Wire* smallest = nullptr;
  for (const Wire& wire : leaves) {
    const auto list = values(node_of(wire));
    if (is_inverted(wire)) {
      excluded.insert(excluded.end(), list.begin(), list.end());
    } else if (smallest == nullptr || list.size() < values(node_of(*smallest)).size()) {
      smallest = &wire;
    }
  }
  if (smallest != nullptr) {
    const auto list = values(node_of(*smallest));
    std::vector<std::uint32_t> allowed(list.begin(), list.end());
    std::erase_if(allowed, [&](std::uint32_t v) {
      return std::ranges::any_of(leaves, [&](Wire wire) { return !allows(wire, v); });
    });
    return leaf(variable, std::move(allowed));
  }
  sort_unique(excluded);
  return invert(leaf(variable, std::move(excluded)));
}

// Sorts leaves first, by variable. Most lists are almost sorted already.
void Circuit::sort_inputs(std::vector<Wire>& inputs) {
  constexpr std::uint64_t kGate = std::uint64_t{1} << 63U;
  order_.clear();
  for (const Wire w : inputs) order_.push_back((is_leaf(w) ? std::uint64_t{variables_[node_of(w)]} << 32U : kGate) | w);
  if (std::ranges::is_sorted(order_)) return;
  std::ranges::sort(order_);
  std::ranges::transform(order_, inputs.begin(), [](std::uint64_t place) { return static_cast<Wire>(place); });
}

bool Circuit::normalise(std::vector<Wire>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Wire wire = inputs[i];
    if (is_inverted(wire) || kinds_[node_of(wire)] != Kind::conjunction) continue;
    const auto inner = this->inputs(node_of(wire));
    if (inner.size() > kFormCosts.spliced_inputs) continue;
    inputs[i] = kAlways;
    for (const Wire w : inner) inputs.push_back(w);
  }
  sort_inputs(inputs);
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < inputs.size();) {
    Wire wire = inputs[i++];
    if (is_leaf(wire)) {
      const std::size_t begin = i - 1;
      const std::uint32_t variable = variables_[node_of(wire)];
      while (i < inputs.size() && is_leaf(inputs[i]) && variables_[node_of(inputs[i])] == variable) ++i;
      if (i - begin > 1) wire = meet(variable, std::span(inputs).subspan(begin, i - begin));
    }
    if (wire == kNever) return false;
    if (wire == kAlways) continue;
    if (kept > 0 && inputs[kept - 1] == invert(wire)) return false;
    inputs[kept++] = wire;
  }
  inputs.resize(kept);
  return true;
}

Wire Circuit::conjunction(std::vector<Wire> inputs) {
  if (!normalise(inputs)) return kNever;
  if (inputs.empty()) return kAlways;
  if (inputs.size() == 1) return inputs[0];
  return 2 * find_or_add(Kind::conjunction, 0, inputs);
}

Wire Circuit::disjunction(std::vector<Wire> inputs) {
  for (Wire& wire : inputs) wire = invert(wire);
  return invert(conjunction(std::move(inputs)));
}

namespace {

struct BodyHash {
  std::size_t operator()(const std::vector<Wire>& body) const {
    std::uint64_t hash = body.size();
    for (const Wire w : body) hash = combine_hash(hash, w);
    return hash;
  }
};

class Factoring {
 public:
  Factoring(Circuit& circuit, std::vector<std::vector<Wire>> bodies) : circuit_(circuit), bodies_(std::move(bodies)) {}

  Wire run() {
    std::erase_if(bodies_, [&](auto& body) { return !circuit_.normalise(body); });
    if (bodies_.size() > 1) {
      left_.assign(bodies_.size(), true);
      std::size_t bodies_left = bodies_.size();
      std::vector<Place> places;
      for (std::uint32_t i = 0; i < bodies_.size(); ++i)
        for_each_variable(bodies_[i], [&](std::uint32_t v) { places.emplace_back(v, i); });
      // Variables of moves have the highest numbers and are eliminated first.
      std::ranges::sort(places, [](const Place& a, const Place& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
      });
      Effort uniting("uniting conditions that differ in one variable", kCircuitLimits.uniting, limits::effort);
      const auto same = [](const Place& a, const Place& b) { return a.first == b.first; };
      for (const auto group : places | ranges::views::chunk_by(same)) {
        if (!uniting.spend(bodies_left)) break;
        if (group.size() > 1) bodies_left = unite(group.front().first, std::span(group), bodies_left);
      }
      std::size_t kept = 0;
      for (std::size_t i = 0; i < bodies_.size(); ++i) {
        if (left_[i] && kept++ != i) bodies_[kept - 1] = std::move(bodies_[i]);
      }
      bodies_.resize(kept);
    }
    return join(std::move(bodies_));
  }

 private:
  using Place = std::pair<std::uint32_t, std::uint32_t>;  // a variable, and a body with a leaf of it

  // Bodies are normalised: leaves come first, by variable.
  void for_each_variable(const std::vector<Wire>& body, const auto& use) const {
    for (const Wire w : body) {
      if (!circuit_.is_leaf(w)) break;
      use(circuit_.variable(node_of(w)));
    }
  }

  // Merges bodies that differ only in their leaf of one variable. Returns the number of remaining bodies.
  std::size_t unite(std::uint32_t variable, std::span<const Place> places, std::size_t bodies_left) {
    std::vector<std::uint32_t> bodies;
    std::ranges::transform(places, std::back_inserter(bodies), &Place::second);
    if (const auto later = later_.find(variable); later != later_.end())
      bodies.insert(bodies.end(), later->second.begin(), later->second.end());
    std::erase_if(bodies, [&](std::uint32_t i) { return !left_[i]; });
    std::unordered_map<std::vector<Wire>, std::size_t, BodyHash> known;
    std::vector<std::pair<const std::vector<Wire>*, std::vector<Wire>>> rests;  // with their leaves
    for (const std::uint32_t i : bodies) {
      std::vector<Wire>& body = bodies_[i];
      const auto at = std::ranges::find_if(body, [&](Wire w) { return circuit_.variable(node_of(w)) == variable; });
      const Wire wire = *at;
      body.erase(at);
      const auto [it, fresh] = known.try_emplace(std::move(body), rests.size());
      if (fresh) rests.emplace_back(&it->first, std::vector<Wire>());
      rests[it->second].second.push_back(wire);
      left_[i] = false;
    }
    bodies_left -= bodies.size();
    for (auto& [rest, leaves] : rests) {
      std::vector<Wire>& body = bodies_.emplace_back(*rest);
      body.push_back(circuit_.disjunction(std::move(leaves)));
      if (!circuit_.normalise(body)) {
        bodies_.pop_back();
        continue;
      }
      left_.push_back(true);
      ++bodies_left;
      for_each_variable(body, [&](std::uint32_t v) {
        if (v < variable) later_[v].push_back(static_cast<std::uint32_t>(bodies_.size() - 1));
      });
    }
    return bodies_left;
  }

  // Factors recursively: each body joins the group of its most common condition.
  Wire join(std::vector<std::vector<Wire>> bodies) {
    if (bodies.empty()) return kNever;
    if (bodies.size() == 1) return circuit_.conjunction(std::move(bodies[0]));
    std::unordered_map<Wire, std::uint32_t> count;
    for (const auto& body : bodies)
      for (const Wire w : body) ++count[w];
    std::unordered_map<Wire, std::size_t> group_of;
    std::vector<std::pair<Wire, std::vector<std::vector<Wire>>>> groups;
    std::vector<Wire> parts;
    for (auto& body : bodies) {
      if (body.empty()) return kAlways;
      const auto best = std::ranges::max_element(body, {}, [&](Wire w) { return count[w]; });
      if (count[*best] < 2) {
        parts.push_back(circuit_.conjunction(std::move(body)));
        continue;
      }
      const Wire common = *best;
      body.erase(best);
      const auto [it, fresh] = group_of.try_emplace(common, groups.size());
      if (fresh) groups.emplace_back(common, 0);
      groups[it->second].second.push_back(std::move(body));
    }
    for (auto& [common, rest] : groups) parts.push_back(circuit_.conjunction({common, join(std::move(rest))}));
    return circuit_.disjunction(std::move(parts));
  }

  Circuit& circuit_;
  std::vector<std::vector<Wire>> bodies_;
  std::vector<bool> left_;                                               // per body: not replaced by another one
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> later_;  // per variable: bodies created on the way
};

}  // namespace

Wire factor(Circuit& circuit, std::vector<std::vector<Wire>> bodies) {
  return Factoring(circuit, std::move(bodies)).run();
}

}  // namespace rgtrans::gdl
