// The dependency graph of predicates: an arc leads from the head of each rule to the predicates of its body.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/support/components.hpp"
#include "core/support/reach.hpp"
#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

class PredicateGraph {
 public:
  explicit PredicateGraph(const Program& program) : bodies_(program.predicates.size()), heads_(bodies_.size()) {
    for (const Rule& rule : program.rules) {
      for (const Literal& literal : rule.body) {
        bodies_[rule.head.predicate.value].push_back(literal.predicate.value);
        heads_[literal.predicate.value].push_back(rule.head.predicate.value);
      }
    }
  }

  // Mutually recursive predicates share a component. Bodies have smaller numbers than heads.
  [[nodiscard]] Components components() const {
    Arcs arcs;
    for (std::uint32_t head = 0; head < bodies_.size(); ++head)
      for (const std::uint32_t body : bodies_[head]) arcs.emplace_back(head, body);
    return strong_components(bodies_.size(), arcs);
  }
  // The predicates with `root`, and everything on which they depend.
  template <class F>
  [[nodiscard]] std::vector<bool> needed_by(F&& root) const {
    return closure(bodies_, root);
  }
  // The predicates with `root`, and everything that depends on them.
  template <class F>
  [[nodiscard]] std::vector<bool> depending_on(F&& root) const {
    return closure(heads_, root);
  }

 private:
  using Adjacent = std::vector<std::vector<std::uint32_t>>;

  template <class F>
  [[nodiscard]] static std::vector<bool> closure(const Adjacent& adjacent, F&& root) {
    std::vector<std::uint32_t> roots;
    for (std::uint32_t p = 0; p < adjacent.size(); ++p)
      if (root(PredId(p))) roots.push_back(p);
    return reached_from(adjacent.size(), roots,
                        [&](std::uint32_t p, auto&& reach) { std::ranges::for_each(adjacent[p], reach); });
  }

  Adjacent bodies_, heads_;
};

}  // namespace rgtrans::gdl
