// Lowering of rules with variables, without instantiating them: facts are maps, rules are walks. It is used where
// everything that it needs is proved; lower.hpp has the form that always works.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/gdl/ground/ground_program.hpp"
#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl::lifted {

struct LiftOptions {
  bool keep_forced = false;
  bool claims = false;      // the game keeps what was proved
  bool show_steps = false;  // keeper shows a tag when all roles have chosen, and its move ends there
};

// What RG calls the things of the description, for those who compare.
struct LiftedNames {
  std::vector<std::string> roles;
  // What a tag stands for: the first of a move, with a `?` for each of the others, and those.
  std::map<std::string, std::string> functors, terms;
  std::vector<std::string> notes;  // how each fact is stored
  bool board = false;              // the rules are about cells of a board, and one role moves at a time
  std::size_t saving = 0;          // edges that are there to look for the end at fewer places
  std::string step;                // the tag of `show_steps`
};

// Why a description is not lifted where, as far as its rules tell, terms become deeper and deeper.
inline constexpr std::string_view kGrowing = "terms that grow without bound";

// None when something cannot be done or proved; `why` says what.
std::optional<ir::Game> lift(const Program& description, const std::shared_ptr<Sources>& sources,
                             const GroundOptions& ground, const LiftOptions& options, std::string& why,
                             LiftedNames* names = nullptr);

}  // namespace rgtrans::gdl::lifted
