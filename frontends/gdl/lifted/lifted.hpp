// Lowers rules with variables without instantiating them: facts become maps, rules become walks. It needs proofs that
// may fail; lower.hpp has the lowering that always works.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/gdl/ground/ground_program.hpp"
#include "frontends/gdl/syntax/rewrites.hpp"
#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl::lifted {

struct LiftOptions {
  bool keep_forced = false;
  bool claims = false;      // the game keeps the proved claims
  bool show_steps = false;  // keeper shows a tag after all choices, where its move ends
  RewriteWatch watch = {};
  std::string* plans = nullptr;  // receives the plans of all rules, as text
};

// The placeholder of an argument in the text of a move or fact. No word of a description contains it.
inline constexpr char kPlaceholder = '\t';

// The names of RG for the parts of the description, for comparisons.
struct LiftedNames {
  std::vector<std::string> roles;
  // The texts of tags: the first tag of a move, with a placeholder for each further one, and the terms.
  std::map<std::string, std::string> functors, terms;
  std::vector<std::string> notes;  // how each fact is stored
  bool board = false;              // the rules use cells of a board, and one role moves at a time
  std::size_t saving = 0;          // edges that restrict the test for the end to changed facts
  std::string step;                // the tag of `show_steps`
};

// The reason for not lifting a description whose rules may build unbounded terms.
inline constexpr std::string_view kGrowing = "terms that grow without bound";

// Null if a proof or a construction fails; `why` is the reason.
std::optional<ir::Game> lift(const Program& description, const std::shared_ptr<Sources>& sources,
                             const GroundOptions& ground, const LiftOptions& options, std::string& why,
                             LiftedNames* names = nullptr);

}  // namespace rgtrans::gdl::lifted
