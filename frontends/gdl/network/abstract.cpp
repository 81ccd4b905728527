#include "frontends/gdl/network/abstract.hpp"

#include <algorithm>

#include "core/support/progress.hpp"

namespace rgtrans::gdl {

AbstractEvaluation::AbstractEvaluation(const Network& network)
    : network_(network), gates_(network.gates_by_component()), truth_(network.size(), Truth::unknown) {}

Truth AbstractEvaluation::evaluate(std::uint32_t node) const {
  const bool conjunction = network_.gate(node) == Network::Gate::conjunction;
  const Truth decisive = conjunction ? Truth::no : Truth::yes;
  Truth result = conjunction ? Truth::yes : Truth::no;
  for (const GroundLiteral l : network_.inputs_of(node)) {
    const Truth t = (*this)(l);
    if (t == decisive) return decisive;
    if (t == Truth::unknown) result = Truth::unknown;
  }
  return result;
}

void AbstractEvaluation::run(const std::vector<Truth>& inputs) {
  std::ranges::copy(inputs, truth_.begin());
  for (std::uint32_t c = 0; c < network_.component_count(); ++c) {
    check_wanted();
    const std::span<const std::uint32_t> members = gates_[c];
    if (members.size() == 1) {
      truth_[members[0]] = evaluate(members[0]);
      continue;
    }
    // Computes two least fixpoints: the certainly true nodes, then the possibly true ones.
    const auto iterate = [&](bool possible) {
      for (const std::uint32_t n : members) truth_[n] = Truth::no;
      for (bool changed = true; changed;) {
        changed = false;
        for (const std::uint32_t n : members) {
          if (truth_[n] != Truth::no) continue;
          const Truth t = evaluate(n);
          if (t != Truth::yes && !(possible && t == Truth::unknown)) continue;
          truth_[n] = possible ? Truth::unknown : Truth::yes;
          changed = true;
        }
      }
    };
    iterate(false);
    std::vector<std::uint32_t> certain;
    for (const std::uint32_t n : members)
      if (truth_[n] == Truth::yes) certain.push_back(n);
    iterate(true);
    for (const std::uint32_t n : certain) truth_[n] = Truth::yes;
  }
}

}  // namespace rgtrans::gdl
