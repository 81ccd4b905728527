// The rewrites on the way to a lifted game, in order. Each keeps the moves, the ends and the goals of the description.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "frontends/gdl/lifted/alike.hpp"
#include "frontends/gdl/lifted/cells.hpp"
#include "frontends/gdl/lifted/classes.hpp"
#include "frontends/gdl/lifted/flatten.hpp"
#include "frontends/gdl/syntax/rewrites.hpp"

namespace rgtrans::gdl::lifted {

struct RuleDraft {
  Program& program;
  const GroundOptions& ground;  // for static relations
  Diagnostics& diagnostics;
  bool keep_forced = false;
  std::optional<Unground> unground = {};  // once static relations are evaluated
  Proofs proofs = {};
  Forms forms = {};
  Parted parted = {};
  Cells cells = {};
  std::optional<OpenRules> open = {};

  [[nodiscard]] std::string text() const;
  // A move of that text, as the description writes it.
  [[nodiscard]] std::string author(const std::string& move) const;
};
std::span<const Rewrite<RuleDraft>> rule_rewrites();

// Stops at the first error in `draft.diagnostics`. Throws NotLifted.
void rewrite_rules(RuleDraft& draft, const RewriteWatch& watch);

}  // namespace rgtrans::gdl::lifted
