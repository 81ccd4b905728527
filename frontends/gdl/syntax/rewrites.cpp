#include "frontends/gdl/syntax/rewrites.hpp"

#include <array>

#include "frontends/gdl/syntax/closures.hpp"
#include "frontends/gdl/syntax/trails.hpp"

namespace rgtrans::gdl {

std::span<const Rewrite<ProgramDraft>> program_rewrites() {
  static constexpr std::array kRows = {
      Rewrite<ProgramDraft>{"drop-trails", "drop lists of visited places that only prevent a second visit",
                            [](ProgramDraft& draft) { drop_trails(draft.program, draft.claims); }},
      Rewrite<ProgramDraft>{"follow-steps", "follow single steps instead of joining a relation with itself",
                            [](ProgramDraft& draft) { follow_steps(draft.program); }},
  };
  return kRows;
}

void simplify_rules(Program& program, ir::Claims* claims, const std::function<void(std::string_view)>& watch) {
  ProgramDraft draft{program, claims};
  run_rewrites(program_rewrites(), draft, [&](std::string_view name) {
    watch(name);
    return true;
  });
}

}  // namespace rgtrans::gdl
