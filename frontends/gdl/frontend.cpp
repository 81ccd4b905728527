// The row of the front end table.
#include <array>
#include <optional>

#include "frontends/gdl/format.hpp"
#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/grounder.hpp"
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

// Descriptions with more ground rules than this are lifted where that can be done.
constexpr std::uint64_t kMaxGroundRules = 300'000;

std::optional<ir::Game> lift(Program& rules, const std::shared_ptr<Sources>& sources,
                             const GroundOptions& ground_option, const FrontendOptions& options, std::string& why) {
  lifted::LiftOptions lift_options;
  lift_options.keep_forced = options.has("keep-forced");
  return lifted::lift(rules, sources, ground_option, lift_options, why);
}

// Whether the one who asks leaves the form to us.
bool free_choice(const FrontendOptions& options) {
  for (const char* name : {"ground", "no-groups", "max-rules", "max-memory", "max-seconds"})
    if (options.has(name)) return false;
  return true;
}

ir::Game load(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions& options) {
  GroundOptions ground_option = ground_options(options, diagnostics);
  ground_option.cone = true;
  if (diagnostics.has_errors()) return ir::Game(diagnostics.sources());
  Program rules = read_program(file, diagnostics, ground_option.fold_case);
  if (diagnostics.has_errors()) return ir::Game(diagnostics.sources());
  std::string why;
  if (options.has("lifted")) {
    auto game = lift(rules, diagnostics.sources(), ground_option, options, why);
    if (game) return std::move(*game);
    diagnostics.error({}, "the description cannot be lifted: " + why);
    return ir::Game(diagnostics.sources());
  }
  RawGround raw;
  if (free_choice(options)) {
    GroundOptions small = ground_option;
    small.max_rules = kMaxGroundRules;
    Diagnostics silent(diagnostics.sources());
    raw = instantiate(rules, small, silent);
    if (silent.has_errors()) {
      auto game = lift(rules, diagnostics.sources(), ground_option, options, why);
      if (game) return std::move(*game);
      raw.engine.reset();
    }
  }
  if (!raw.engine) raw = instantiate(rules, ground_option, diagnostics);
  if (diagnostics.has_errors()) return ir::Game(diagnostics.sources());
  const GroundProgram program = simplify(rules, raw, ground_option, diagnostics);
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
