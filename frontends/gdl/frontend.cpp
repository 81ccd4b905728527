// The row of the front end table.
#include <array>

#include "frontends/gdl/format.hpp"
#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/lifted/lifted.hpp"
#include "frontends/gdl/lower.hpp"

namespace rgtrans::gdl {

namespace {

int looks_like(std::string_view text) {
  int score = 0;
  for (const std::string_view word : {"(role ", "(ROLE ", "(<= ", "(init ", "(INIT "})
    if (text.find(word) != std::string_view::npos) score += 30;
  for (const std::string_view word : {"role(", "init(", "true(", "does("})
    if (text.find(word) != std::string_view::npos) score += 20;
  return std::min(score, 90);
}

ir::Game load(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions& options) {
  GroundOptions ground_option = ground_options(options, diagnostics);
  ground_option.cone = true;
  if (diagnostics.has_errors()) return ir::Game(diagnostics.sources());
  Program rules = read_program(file, diagnostics, ground_option.fold_case);
  if (diagnostics.has_errors()) return ir::Game(diagnostics.sources());
  if (options.has("lifted")) {
    std::string why;
    lifted::LiftOptions lift_options;
    lift_options.keep_forced = options.has("keep-forced");
    auto game = lifted::lift(rules, diagnostics.sources(), ground_option, lift_options, why);
    if (game) return std::move(*game);
    diagnostics.error({}, "the description cannot be lifted: " + why);
    return ir::Game(diagnostics.sources());
  }
  const GroundProgram program = ground(rules, diagnostics, ground_option);
  if (diagnostics.has_errors()) return ir::Game(diagnostics.sources());
  LowerOptions lower_options;
  lower_options.keep_forced = options.has("keep-forced");
  lower_options.groups = !options.has("no-groups");
  return lower(program, diagnostics.sources(), lower_options, diagnostics);
}

constexpr std::array<std::string_view, 2> kExtensions = {".kif", ".gdl"};

}  // namespace

const Frontend& frontend() {
  static const Frontend row{"gdl",       "Game Description Language (KIF prefix or infix, GDL-I and GDL-II)",
                            kExtensions, looks_like,
                            load,        format};
  return row;
}

}  // namespace rgtrans::gdl
