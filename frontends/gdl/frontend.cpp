// The row of the front end table.
#include <array>

#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/lower/lower.hpp"
#include "frontends/gdl/syntax/format.hpp"

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
  const GroundProgram program = ground(file, diagnostics, ground_option);
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
