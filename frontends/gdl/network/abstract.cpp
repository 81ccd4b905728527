#include "frontends/gdl/network/abstract.hpp"

#include <algorithm>

#include "core/support/progress.hpp"

namespace rgtrans::gdl {

AbstractEvaluation::AbstractEvaluation(const Network& network)
    : network_(network), truth_(network.size(), Truth::unknown) {
  starts_.assign(network.component_count() + 1, 0);
  for (std::uint32_t n = network.inputs(); n < network.size(); ++n) ++starts_[network.component(n) + 1];
  for (std::uint32_t c = 0; c < network.component_count(); ++c) starts_[c + 1] += starts_[c];
  order_.resize(network.size() - network.inputs());
  std::vector<std::uint32_t> fill(starts_.begin(), starts_.end() - 1);
  for (std::uint32_t n = network.inputs(); n < network.size(); ++n) order_[fill[network.component(n)]++] = n;
}

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
  for (std::uint32_t c = 0; c + 1 < starts_.size(); ++c) {
    check_wanted();
    if (starts_[c + 1] - starts_[c] == 1) {
      truth_[order_[starts_[c]]] = evaluate(order_[starts_[c]]);
      continue;
    }
    // Two least fixpoints from below: what is certainly true, then what is possibly true.
    const auto members = std::span(order_).subspan(starts_[c], starts_[c + 1] - starts_[c]);
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
