// A match followed on a compiled reasoner, where every step has one decider.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/rules/rules.hpp"
#include "backends/search/search.hpp"
#include "frontends/gdl/gdl.hpp"

namespace rgtrans::cli::ggp {

class CompiledMatch {
 public:
  using Steps = std::span<const std::vector<std::uint32_t>>;  // joint moves, as MatchRules numbers them

  // Throws Error where the description cannot be followed like this; cpp::Stopped after `stop`.
  CompiledMatch(const std::string& text, std::shared_ptr<const rules::MatchRules> rules, std::function<bool()> stop);

  // In its initial state.
  [[nodiscard]] const Reasoner& engine() const { return *reasoner_; }
  // The position after these steps; null where the play is over.
  [[nodiscard]] std::unique_ptr<Reasoner> after(Steps steps) const;
  // The same at the decision of a role, after the only moves of others before it; null where it decides nothing.
  [[nodiscard]] std::unique_ptr<Reasoner> decision(Steps steps, std::uint32_t role) const;
  // A move of the game as a term of the description.
  [[nodiscard]] std::string term(std::uint32_t role, const std::string& move) const;

 private:
  std::shared_ptr<const rules::MatchRules> rules_;
  gdl::Playable playable_;
  gdl::Line beginning_;
  std::unique_ptr<Reasoner> reasoner_;
};

}  // namespace rgtrans::cli::ggp
