// The ground form knows the board: it tests only the cells that a move can change, and it shares conditions. So it
// plays about twice as fast as the lifted one, as long as it is small code. It grows with the board, though. Beyond
// some thousand edges it costs more to build than it gains, until it must be a table, which plays slowly. So the ground
// form is tried within limits (FormLimits), and beyond these the rules are lifted:
//
//   few literals:  ground                      (certainly small)
//   else:          lifted? no:  ground, without the limits
//                          yes: ground if its automaton stays small, else lifted
//
// The lifted form knows the board, too, if its rules use cells and one role moves at a time. Then it is faster as soon
// as the ground form is many times as large.
//
// Only `max-seconds` depends on time, so the same text always gives the same game unless that limit ends grounding.
#include "frontends/gdl/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/support/effort.hpp"
#include "frontends/gdl/ground/grounder.hpp"
#include "frontends/gdl/lifted/lifted.hpp"
#include "frontends/gdl/lower/lower.hpp"

namespace rgtrans::gdl {

namespace {

// Passes on the diagnostics of an attempt that succeeded.
void pass_on(const Diagnostics& from, Diagnostics& to) {
  for (const Diagnostic& d : from.all())
    (d.severity == Severity::error ? to.error(d.where, d.message, d.hint) : to.warning(d.where, d.message, d.hint))
        .notes = d.notes;
}

// The first error, without the part after a semicolon.
std::string first_error(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics.all())
    if (d.severity == Severity::error) return d.message.substr(0, d.message.find(';'));
  return {};
}

class Maker {
 public:
  Maker(const Program& rules, const GroundOptions& ground, const FormOptions& options, Diagnostics& diagnostics)
      : rules_(rules), ground_(ground), options_(options), diagnostics_(diagnostics) {}

  ir::Game lifted() {
    auto game = lift();
    if (game) return std::move(*game);
    diagnostics_.error({}, "the description cannot be lifted: " + why_);
    return ir::Game(diagnostics_.sources());
  }

  ir::Game ground() {
    const auto program = instantiate(whole(), diagnostics_);
    if (!program) return ir::Game(diagnostics_.sources());
    return lower(*program, limits::edges, diagnostics_);
  }

  JointForm joint(ChosenForm form) {
    if (form == ChosenForm::ground) return {instantiate(ground_, diagnostics_), {}};
    Diagnostics trial(diagnostics_.sources());
    if (form == ChosenForm::best) {
      if (auto program = instantiate(small(), trial)) {
        pass_on(trial, diagnostics_);
        return {std::move(program), {}};
      }
    }
    if (auto game = lift(true)) {
      if (form == ChosenForm::best) note_lifted(first_error(trial));
      return {{}, JointGame{std::move(*game), step_}};
    }
    if (form == ChosenForm::best) return {instantiate(whole(), diagnostics_), {}};
    diagnostics_.error({}, "the description cannot be lifted: " + why_);
    return {};
  }

  ir::Game best() {
    Diagnostics trial(diagnostics_.sources());
    const auto program = instantiate(small(), trial);
    if (!program) {
      auto game = lift();
      if (!game) return without_choice(ground());
      note_lifted(first_error(trial));
      return std::move(*game);
    }
    if (program->literals.size() <= kFormLimits.certain_literals) {
      tell_note(fmt::format("form of the game: ground, which has only {} conditions", program->literals.size()));
      pass_on(trial, diagnostics_);
      return lower(*program, limits::edges, diagnostics_);
    }
    auto game = lift();
    if (!game) {
      pass_on(trial, diagnostics_);
      return without_choice(lower(*program, limits::edges, diagnostics_));
    }
    if (program->literals.size() > kFormLimits.literals) {
      note_lifted(fmt::format("the ground program has {} conditions", program->literals.size()));
      return std::move(*game);
    }
    Diagnostics lowering(diagnostics_.sources());
    const std::size_t lifted_edges = game->graph.edge_count() - saving_;
    ir::Game grounded = lower(*program, kFormLimits.edges, lowering);
    if (lowering.has_errors() && grounded.graph.edge_bound() > kFormLimits.edges) {
      note_lifted(fmt::format("ground it would have more than {} edges", kFormLimits.edges));
      return std::move(*game);
    }
    if (board_ && kFormLimits.board_share * lifted_edges < grounded.graph.edge_count()) {
      note_lifted(fmt::format("the rules are about cells of a board; ground it would have {} edges",
                              grounded.graph.edge_count()));
      return std::move(*game);
    }
    tell_note(fmt::format("form of the game: ground, which has {} edges; lifted it would have {}",
                          grounded.graph.edge_count(), lifted_edges));
    pass_on(trial, diagnostics_);
    pass_on(lowering, diagnostics_);
    return grounded;
  }

 private:
  // The limits of the attempt at a ground form.
  [[nodiscard]] GroundOptions small() const {
    GroundOptions small = ground_;
    small.max_rules = std::min(small.max_rules, kFormLimits.rules);
    small.max_steps = kFormLimits.steps;
    small.most_fixed = kFormLimits.fixed_tuples;
    return small;
  }

  // Growing terms are found only when one is too deep, and each deeper layer can multiply the rules.
  [[nodiscard]] GroundOptions whole() const {
    GroundOptions options = ground_;
    if (why_ == lifted::kGrowing) options.max_rules = std::min(options.max_rules, kFormLimits.growing_rules);
    return options;
  }

  std::optional<GroundProgram> instantiate(const GroundOptions& options, Diagnostics& diagnostics) {
    Program rules = rules_;  // terms are added to it
    RawGround raw = gdl::instantiate(rules, options, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    GroundProgram program = simplify(rules, raw, options, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    return program;
  }

  ir::Game lower(const GroundProgram& program, std::uint64_t max_edges, Diagnostics& diagnostics) {
    LowerOptions options;
    options.keep_forced = options_.keep_forced;
    options.groups = options_.groups;
    options.claims = options_.claims;
    options.max_edges = std::min<std::uint64_t>(max_edges, limits::edges);
    return gdl::lower(program, diagnostics_.sources(), options, diagnostics);
  }

  std::optional<ir::Game> lift(bool show_steps = false) {
    lifted::LiftOptions options;
    options.keep_forced = options_.keep_forced;
    options.claims = options_.claims;
    options.show_steps = show_steps;
    options.watch = options_.watch;
    options.plans = options_.plans;
    lifted::LiftedNames names;
    GroundOptions fixed = ground_;  // for state-independent relations
    fixed.max_steps = kFormLimits.fixed_steps;
    fixed.most_fixed = kFormLimits.fixed_tuples;
    auto game = lifted::lift(rules_, diagnostics_.sources(), fixed, options, why_, &names);
    stored_ = std::move(names.notes);
    board_ = names.board;
    saving_ = names.saving;
    step_ = std::move(names.step);
    return game;
  }

  void note_lifted(const std::string& why) {
    tell_note("form of the game: lifted, because " + why);
    for (const std::string& note : stored_) tell_note("stored " + note);
  }

  ir::Game without_choice(ir::Game game) {
    tell_note("form of the game: ground, because it cannot be lifted: " + why_);
    return game;
  }

  const Program& rules_;
  const GroundOptions& ground_;
  const FormOptions& options_;
  Diagnostics& diagnostics_;
  std::string why_;                  // the reason for not lifting the description
  std::vector<std::string> stored_;  // how a lifted game stores facts
  bool board_ = false;               // it uses cells of a board
  std::size_t saving_ = 0;           // its edges that do not count as size
  std::string step_;                 // the tag that ends a step
};

// A user who sets a low limit wants its error, so the ground form is used.
ChosenForm chosen(const GroundOptions& ground, const FormOptions& options) {
  const bool limited = ground.max_rules < kFormLimits.rules;
  return options.form == ChosenForm::best && limited ? ChosenForm::ground : options.form;
}

}  // namespace

ir::Game make_game(const Program& rules, const GroundOptions& ground, const FormOptions& options,
                   Diagnostics& diagnostics) {
  Maker maker(rules, ground, options, diagnostics);
  const ChosenForm form = chosen(ground, options);
  if (form == ChosenForm::lifted) return maker.lifted();
  return form == ChosenForm::ground ? maker.ground() : maker.best();
}

JointForm make_joint(const Program& rules, const GroundOptions& ground, const FormOptions& options,
                     Diagnostics& diagnostics) {
  return Maker(rules, ground, options, diagnostics).joint(chosen(ground, options));
}

}  // namespace rgtrans::gdl
