// Searches for violations and for proofs, and puts the answers together.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "backends/interpreter/interpreter.hpp"
#include "backends/proper/known_game.hpp"
#include "core/support/proof_error.hpp"

namespace rgtrans::proper {

namespace {

// By duty: its name, and its text.
constexpr std::array<std::pair<std::string_view, std::string_view>, kDuties> kTexts = {{
    {"moves", "every state before the end has a legal move"},
    {"keeper", "keeper has exactly one legal move"},
    {"ends", "every play ends"},
    {"results", "a move leads to one state"},
    {"actions", "actions are valid"},
    {"hidden", "hidden moves are indistinguishable"},
}};

// About as many edges as the explorer follows in that time. A number ends a play at the same state on each machine.
std::uint64_t steps_in(double seconds) {
  constexpr double kPerSecond = 2e6;
  return static_cast<std::uint64_t>(std::clamp(seconds * kPerSecond, 1e4, 1e12));
}

class Examiner {
 public:
  Examiner(const ir::Game& game, const ProperOptions& options) : game_(game), options_(options) {
    for (std::size_t i = 0; i < kDuties; ++i) report_.answers.push_back({Duty(i), DutyStanding::open, "", {}, {}});
  }

  ProperReport run() {
    if (options_.search) search();
    if (options_.prove) prove();
    if (options_.search && undecided()) play();
    return std::move(report_);
  }

 private:
  [[nodiscard]] DutyAnswer& answer(Duty duty) { return report_.answers[static_cast<std::size_t>(duty)]; }
  [[nodiscard]] bool undecided() const {
    return std::ranges::count(report_.answers, DutyStanding::open, &DutyAnswer::standing) > 0;
  }

  void refute(Duty duty, const Violation& violation) {
    DutyAnswer& known = answer(duty);
    if (known.standing == DutyStanding::refuted) return;
    if (known.standing == DutyStanding::proved)
      throw ProofError(fmt::format("{}: proved because {}, but in the state {} {}", describe(duty), known.reason,
                                   violation.path, violation.message));
    known = {duty, DutyStanding::refuted, violation.message, violation.where, violation.path};
  }

  // `actions`: whether the states had their own values in variables that nothing reads any more.
  void refute(const std::vector<Violation>& violations, bool actions = true) {
    for (const Violation& violation : violations) {
      if (violation.severity != Severity::error) continue;
      switch (violation.kind) {
        case Violation::Kind::keeper:
          refute(Duty::keeper, violation);
          break;
        case Violation::Kind::ambiguity:
          refute(Duty::results, violation);
          break;
        case Violation::Kind::action:
          if (actions) refute(Duty::actions, violation);
          break;
        case Violation::Kind::endless:
          refute(Duty::ends, violation);
          break;
        case Violation::Kind::stuck:
          refute(Duty::moves, violation);
          if (violation.message.starts_with("keeper ")) refute(Duty::keeper, violation);
          break;
        case Violation::Kind::length:
        case Violation::Kind::idle:
          break;
      }
    }
  }

  void search() {
    StateSearchOptions options;
    options.states = options_.states;
    options.seconds = options_.seconds;
    options.max_steps = steps_in(options_.seconds);
    options.following = options_.following;
    const StateSearch found = search_states(game_, options);
    report_.states = found.states;
    refute(found.violations, false);
    const std::string all = fmt::format("all {} states were visited", found.states);
    // Of a move with several results only one is followed.
    const bool complete = found.complete && answer(Duty::results).standing != DutyStanding::refuted;
    if (complete) {
      for (const Duty duty : {Duty::moves, Duty::keeper, Duty::ends, Duty::results}) settle(duty, all);
      if (answer(Duty::ends).standing == DutyStanding::proved) report_.bounds.length = static_cast<double>(found.turns);
      report_.bounds.states = static_cast<double>(found.states);
      report_.bounds.moves = static_cast<double>(found.branching);
      report_.bounds.exact = true;
    }
    if (!complete && !contains(found.violations, Violation::Kind::action)) return;
    // The validity of an action may depend on a variable that nothing reads any more.
    options.merge_unread = false;
    const StateSearch every = search_states(game_, options);
    refute(every.violations);
    // Walks of one move may differ in such a variable, and only one of them is followed.
    if (complete && every.complete && !contains(every.violations, Violation::Kind::ambiguity))
      settle(Duty::actions, all);
  }
  static bool contains(const std::vector<Violation>& violations, Violation::Kind kind) {
    return std::ranges::count(violations, kind, &Violation::kind) > 0;
  }
  void settle(Duty duty, const std::string& reason) {
    if (answer(duty).standing == DutyStanding::open) answer(duty) = {duty, DutyStanding::proved, reason, {}, {}};
  }

  void prove() {
    KnownGame known(game_);
    if (answer(Duty::moves).standing == DutyStanding::open || answer(Duty::keeper).standing == DutyStanding::open) {
      MoveAnswers found = prove_moves(known, options_.seconds);
      take(std::move(found.moves));
      take(std::move(found.keeper));
    }
    if (answer(Duty::results).standing == DutyStanding::open) take(prove_results(known));
    if (answer(Duty::actions).standing == DutyStanding::open) take(prove_actions(known));
    if (answer(Duty::hidden).standing == DutyStanding::open) take(prove_hidden(known));
    if (answer(Duty::ends).standing == DutyStanding::open) take(prove_ends(known, options_.seconds, report_.bounds));
    if (!report_.bounds.exact) bound(known);
  }

  void bound(const KnownGame& known) {
    const analysis::ActionSpace moves(game_);
    if (moves.form() == analysis::ActionSpace::Form::flat) report_.bounds.moves = static_cast<double>(moves.size());
    const analysis::HeldValues held(game_);
    double magnitude = std::log10(static_cast<double>(known.starts.size() + 1));
    for (const ir::VarId variable : game_.living_variables()) {
      const auto symbols = static_cast<double>(std::max<std::size_t>(held.of(variable).size(), 1));
      magnitude += static_cast<double>(game_.cell_count(game_.variable(variable).type)) * std::log10(symbols);
    }
    if (magnitude < 300) report_.bounds.states = std::pow(10, magnitude);
  }
  // Keeps an answer of the search, which a proof must not contradict.
  void take(DutyAnswer found) {
    DutyAnswer& known = answer(found.duty);
    if (known.standing == DutyStanding::refuted && found.standing == DutyStanding::proved)
      throw ProofError(fmt::format("{}: proved because {}, but in the state {} {}", describe(found.duty), found.reason,
                                   *known.play, known.reason));
    if (known.standing == DutyStanding::open) known = std::move(found);
  }

  // Random plays, and searches near the states of some.
  void play() {
    DynamicCheckOptions options;
    options.plays = options_.plays;
    options.seed = options_.seed;
    options.keys = false;
    options.max_moves = 2000;
    options.max_steps = steps_in(options_.seconds);
    options.max_all_steps = 4 * options.max_steps;
    options.following = options_.following;
    refute(check_dynamic(game_, options));
    if (answer(Duty::ends).standing != DutyStanding::open) return;
    for (std::uint64_t i = 0; i < 4 && answer(Duty::ends).standing == DutyStanding::open; ++i) {
      StateSearchOptions near;
      near.after = 10 + 30 * i;
      near.states = 10'000;
      near.seconds = options_.seconds / 4;
      near.max_steps = steps_in(near.seconds);
      near.seed = options_.seed + i;
      near.following = options_.following;
      refute(search_states(game_, near).violations, false);
    }
  }

  const ir::Game& game_;
  const ProperOptions& options_;
  ProperReport report_;
};

}  // namespace

ProperReport examine(const ir::Game& game, const ProperOptions& options) { return Examiner(game, options).run(); }

std::string_view describe(Duty duty) { return kTexts[static_cast<std::size_t>(duty)].second; }
std::string_view name(Duty duty) { return kTexts[static_cast<std::size_t>(duty)].first; }
std::string_view describe(DutyStanding standing) {
  return standing == DutyStanding::proved ? "proved" : standing == DutyStanding::refuted ? "refuted" : "not decided";
}

}  // namespace rgtrans::proper
