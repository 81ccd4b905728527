// The row of the front end table.
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "frontends/gdl/editing.hpp"
#include "frontends/gdl/form.hpp"
#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/ground/rule_text.hpp"
#include "frontends/gdl/limits.hpp"
#include "frontends/gdl/rewriting.hpp"
#include "frontends/gdl/rule_play.hpp"
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

FormOptions form_options(const FrontendOptions& options) {
  FormOptions form;
  form.keep_forced = options.has("keep-forced");
  form.groups = !options.has("no-groups");
  form.claims = options.claims;
  if (options.has("lifted")) {
    form.form = ChosenForm::lifted;
  } else if (options.has("ground") || options.has("no-groups") || options.has("max-rules")) {
    form.form = ChosenForm::ground;
  }
  return form;
}

// Null after an error. `watch` sees each rewrite.
std::optional<Program> rules_to_translate(const Sources::File& file, Diagnostics& diagnostics,
                                          const FrontendOptions& options, RewriteWatch& watch,
                                          ir::Claims* claims = nullptr) {
  Program rules = read_program(file, diagnostics, ground_options(options).fold_case);
  if (diagnostics.has_errors()) return std::nullopt;
  if (!watch && options.verify_each) watch = verify_rewrites(rules);
  simplify_rules(rules, claims, [&](std::string_view name) {
    if (watch) watch({name, [&] { return rule_text(rules); }});
  });
  return rules;
}

ir::Game load(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions& options, RewriteWatch watch,
              std::string* plans = nullptr) {
  ir::Claims claims;
  claims.want(options.claims);
  const auto rules = rules_to_translate(file, diagnostics, options, watch, &claims);
  if (!rules) return ir::Game(diagnostics.sources());
  GroundOptions ground_option = ground_options(options);
  ground_option.cone = true;
  FormOptions form = form_options(options);
  form.watch = watch;
  form.plans = plans;
  ir::Game game = make_game(*rules, ground_option, form, diagnostics);
  if (!claims.empty()) game.claims.add(claims.take());
  return game;
}

ir::Game load(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions& options) {
  return load(file, diagnostics, options, {});
}

// The rules behind a rewrite.
std::string write_rules(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions& options) {
  FrontendOptions lifted = options;
  lifted.values["lifted"];
  std::string text;
  try {
    load(file, diagnostics, lifted, keep_rules(text, options.stop_after));
  } catch (const RewritingStopped&) {
  }
  return text;
}

std::string write_plans(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions& options) {
  FrontendOptions lifted = options;
  lifted.values["lifted"];
  std::string text;
  load(file, diagnostics, lifted, {}, &text);
  return text;
}

constexpr std::array<std::string_view, 2> kExtensions = {".kif", ".gdl"};

// The options of grounding come first.
constexpr std::array<LanguageOption, 8> kOptions = {{
    {"max-rules", "N", "give up after so many ground rules"},
    {kMaxMemoryOption, "MiB", "give up at so much memory", UINT64_MAX >> 20U},
    {kMaxSecondsOption, "N", "give up after so many seconds of processor time", UINT32_MAX},
    {"fold-case", "", "upper and lower case are the same"},
    {"keep-forced", "", "roles without a choice make their only move visibly"},
    {"no-groups", "", "every fact becomes a variable of its own"},
    {"ground", "", "rules are always instantiated"},
    {"lifted", "", "rules are never instantiated; an error where that cannot be done"},
}};
constexpr std::span<const LanguageOption> kGroundOptions = std::span(kOptions).first(4);

// The ground program for text forms and counts; null after an error.
std::optional<GroundProgram> ground_text(const Sources::File& file, Diagnostics& diagnostics,
                                         const FrontendOptions& options) {
  const GroundOptions ground_option = ground_options(options);
  GroundProgram program = ground(file, diagnostics, ground_option);
  if (diagnostics.has_errors()) return std::nullopt;
  return program;
}

template <void (*print)(const GroundProgram&, const std::function<void(std::string_view)>&)>
std::string write(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions& options) {
  std::string text;
  if (const auto program = ground_text(file, diagnostics, options))
    print(*program, [&](std::string_view piece) { text += piece; });
  return text;
}

constexpr std::array<TextForm, 4> kForms = {{
    {"ground", "GDL without variables", kGroundOptions, write<print_ground>},
    {"network", "the propositional network, for Graphviz", kGroundOptions, write<print_network>},
    {"rules", "GDL behind a rewrite of its rules (--stop-after)", kGroundOptions, write_rules},
    {"rule-plans", "the order of the literals in each rewritten rule of GDL", kGroundOptions, write_plans},
}};

std::variant<JointCounts, JointGame> count_joint(const Sources::File& file, Diagnostics& diagnostics,
                                                 const FrontendOptions& options, unsigned depth) {
  RewriteWatch watch;
  const auto rules = rules_to_translate(file, diagnostics, options, watch);
  if (!rules) return JointCounts{};
  JointForm form = make_joint(*rules, ground_options(options), form_options(options), diagnostics);
  if (form.lifted) return std::move(*form.lifted);
  if (!form.ground || diagnostics.has_errors()) return JointCounts{};
  return joint_counts(joint_perft(*form.ground, depth));
}

}  // namespace

JointCounts joint_counts(const JointPerft& perft) {
  JointCounts counts{{}, perft.complete};
  for (std::size_t i = 1; i < perft.rows.size(); ++i) counts.leaves.push_back(perft.rows[i].leaves);
  return counts;
}

const Frontend& frontend() {
  static constexpr Frontend kRow{.name = "gdl",
                                 .title = "Game Description Language (KIF prefix or infix, GDL-I and GDL-II)",
                                 .extensions = kExtensions,
                                 .looks_like = looks_like,
                                 .load = load,
                                 .format = format,
                                 .options = kOptions,
                                 .limits = limits::all,
                                 .forms = kForms,
                                 .rewrites = rewrites,
                                 .count_joint = count_joint,
                                 .play_rules = play_rules,
                                 .edges = &limits::edges,
                                 .editing = &kEditing};
  return kRow;
}

}  // namespace rgtrans::gdl
