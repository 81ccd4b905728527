// The automaton of a ground program. One cycle of it is one step of the game:
//
//   start:   compute the conditions with several readers; if terminal, finish.
//   choose:  per phase of the game, the decisions of its roles in sequence.
//   reveal:  show the joint move to all (GDL-I), or its percepts to each player (GDL-II).
//   update:  by move if one role decides, else for every variable that depends on some move. Each variable is
//            assigned after the last read of its old value.
//
// emit.hpp describes conditions, updates.hpp the changes of a step.
#include "frontends/gdl/lower/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>

#include "core/support/progress.hpp"
#include "core/support/reach.hpp"
#include "core/support/sorted.hpp"
#include "frontends/gdl/circuit/conditions.hpp"
#include "frontends/gdl/circuit/exclusion.hpp"
#include "frontends/gdl/limits.hpp"
#include "frontends/gdl/lower/choice_writer.hpp"
#include "frontends/gdl/lower/claims.hpp"
#include "frontends/gdl/lower/stages.hpp"
#include "frontends/gdl/lower/update_writer.hpp"
#include "frontends/gdl/steps.hpp"

namespace rgtrans::gdl {

namespace {

using ir::ExprId;
using ir::NodeId;

struct Goal {
  std::uint32_t role;
  int value;
  GroundLiteral when;
  Range where;
};

// The goals of the players, highest first; null if a goal is not a number.
std::optional<std::vector<Goal>> read_goals(const GroundProgram& program, Diagnostics& diagnostics) {
  std::vector<Goal> goals;
  bool players = false;
  for (std::uint32_t r = 0; r < program.roles.size(); ++r) players = players || r != program.random;
  if (!players) {
    diagnostics.error({}, "the only role is random: nobody plays");
    return std::nullopt;
  }
  for (const auto& goal : program.goals) {
    if (goal.role == program.random) continue;
    const std::string text = program.text(goal.value);
    const std::optional<int> value = goal_number(text);
    if (!value) {
      diagnostics.error({}, fmt::format("the goal value '{}' is no number", text), "goals are numbers from 0 to 100");
      return std::nullopt;
    }
    goals.push_back({goal.role, *value, goal.when, goal.where});
  }
  std::ranges::stable_sort(goals, [](const Goal& a, const Goal& b) { return a.value > b.value; });
  return goals;
}

class Lowering {
 public:
  Lowering(const GroundProgram& program, ir::Game& game, std::vector<Goal> goals, std::vector<FactGroup> groups,
           TurnStructure turns, Conditions conditions, std::uint64_t max_edges)
      : p_(program),
        game_(game),
        goals_(std::move(goals)),
        groups_(std::move(groups)),
        turns_(std::move(turns)),
        c_(std::move(conditions)),
        plan_(plan_steps(p_, c_, groups_, turns_)),
        d_(p_, groups_, game_),
        e_(game_, d_, c_, max_edges),
        t_{p_, groups_, turns_, plan_, game_, c_, d_, e_},
        updates_(t_) {}

  void declare(Diagnostics& diagnostics) {
    std::vector<int> scores = {0};
    for (const Goal& goal : goals_) scores.push_back(goal.value);
    sort_unique(scores);
    d_.players_and_scores(scores);
    d_.moves();
    d_.facts();
    d_.computed(c_);
    ir::add_builtins(game_, diagnostics);
  }

  void emit() {
    std::vector<GroundLiteral> when;
    for (const Goal& goal : goals_) when.push_back(goal.when);
    stages_ = plan_stages(t_, when);
    const NodeId begin = game_.node("begin");
    e_.at(p_.terminal_where);
    game_.graph.set_where(begin, p_.terminal_where);
    const NodeId start = e_.node();
    e_.skip(begin, start);
    NodeId at = e_.compute(stages_.always, start);
    e_.at(p_.terminal_where);
    const NodeId finish = e_.node();
    const NodeId choose = e_.node();
    e_.branch(c_.terminal, at, finish, choose);
    const NodeId update = emit_phases(choose, start);
    emit_update(update, start);
    emit_finish(finish);
    e_.emit_checks();
    e_.remove_dead();
    game_.words = d_.words();
  }

  void export_names(LoweredNames& names) {
    names.groups = groups_;
    names.turns = turns_;
    names.computed = c_.computed.size();
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r) names.roles.push_back(game_.symbols.str(d_.role(r)));
    for (std::uint32_t m = 0; m < p_.moves.size(); ++m) names.moves.push_back(game_.symbols.str(d_.move(m)));
  }

 private:
  // --- Phases. ---
  NodeId emit_phases(NodeId choose, NodeId start) {
    choices_.emplace(t_, stages_.percepts);
    const NodeId update = e_.node();
    for (std::size_t i = 0; i < turns_.phases.size(); ++i) {
      NodeId at = choose;
      if (turns_.phases.size() > 1) {
        at = e_.node();
        for (const std::uint32_t v : turns_.phases[i].values)
          e_.edge(choose, at, ir::Compare{group_place().expression, game_.symbol(group_place().values[v]), false});
      }
      emit_phase(i, at, start, update);
    }
    return update;
  }
  [[nodiscard]] const Place& group_place() const { return d_.of_group(turns_.group); }

  void emit_phase(std::size_t index, NodeId at, NodeId start, NodeId update) {
    at = choices_->write(index, e_.compute(stages_.choices[index], at));
    if (plan_.phases[index].dispatch) {
      emit_dispatch(index, at, start);
    } else {
      e_.skip(at, update);
    }
    e_.leave(stages_.choices[index]);
  }

  // Dispatches by the move of the only role that decides.
  void emit_dispatch(std::size_t index, NodeId at, NodeId start) {
    const PhasePlan& plan = plan_.phases[index];
    const auto& phase = turns_.phases[index];
    at = e_.compute(stages_.common[index], at);
    std::unordered_set<std::uint32_t> read;
    std::vector<std::uint32_t> list;
    for (const auto& updates : plan.by_move)
      for (const Update& update : updates) updates_.reads_of(update, list);
    read.insert(list.begin(), list.end());
    updates_.enter_phase(phase);
    const UpdateWriter::Buffers buffers = updates_.write(plan.common, at, &read);
    // A variable with a common update and an update of some move gets both in the same buffer.
    updates_.wait_in(buffers);
    if (plan.decider != kNone) {
      const auto& moves = phase.moves[plan.decider];
      const Place& place = d_.of_role(plan.decider);
      const NodeId done = e_.node();
      for (std::size_t i = 0; i < moves.size(); ++i) {
        if (plan.legal[moves[i]] == kNever) continue;
        NodeId own = plan.by_move[i].empty() ? done : e_.node();
        if (t_.several_moves(plan.decider)) {
          e_.edge(at, own, ir::Compare{place.expression, game_.symbol(d_.move(moves[i])), false});
        } else {
          e_.skip(at, own);
        }
        if (plan.by_move[i].empty()) continue;
        updates_.commit(updates_.write(plan.by_move[i], own, nullptr), own);
        e_.skip(own, done);
      }
      at = done;
    }
    updates_.leave_phase();
    updates_.commit(buffers, at);
    e_.leave(stages_.common[index]);
    e_.skip(forget_moves(e_.reset(stages_.common[index], at)), start);
  }

  void emit_update(NodeId at, NodeId start) {
    if (std::ranges::all_of(plan_.phases, &PhasePlan::dispatch)) return;
    at = e_.compute(stages_.updates, at);
    updates_.commit(updates_.write(plan_.all, at, nullptr), at);
    e_.leave(stages_.updates);
    e_.skip(forget_moves(e_.reset(stages_.updates, at)), start);
  }

  NodeId forget_moves(NodeId at) {
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r)
      if (t_.several_moves(r)) at = e_.then(at, e_.assign(d_.of_role(r), d_.of_role(r).initial));
    return at;
  }

  // --- The end. ---
  void emit_finish(NodeId at) {
    at = e_.compute(stages_.ends, at);
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r) {
      if (r == p_.random) continue;
      const ExprId cell = game_.access(game_.variable_ref(game_.goals()), game_.symbol(d_.role(r)));
      const NodeId out = e_.node();
      for (const Goal& goal : goals_) {
        if (goal.role != r) continue;
        e_.at(goal.where);
        const NodeId yes = e_.node();
        const NodeId no = e_.node();
        e_.branch(c_.wire(goal.when), at, yes, no);
        e_.edge(yes, out, ir::Assign{cell, game_.symbol(d_.symbol(std::to_string(goal.value)))});
        at = no;
      }
      e_.edge(at, out, ir::Assign{cell, game_.symbol(d_.bit(false))});
      at = out;
    }
    game_.graph.set_where(game_.node("end"), p_.terminal_where);
    e_.edge(at, game_.node("end"), ir::Assign{game_.variable_ref(game_.player()), game_.symbol(game_.keeper())});
    e_.leave(stages_.ends);
  }

  const GroundProgram& p_;
  ir::Game& game_;
  std::vector<Goal> goals_;
  std::vector<FactGroup> groups_;
  TurnStructure turns_;
  Conditions c_;
  StepPlan plan_;
  Declarations d_;
  Emitter e_;
  Turn t_;
  Stages stages_;
  UpdateWriter updates_;
  std::optional<ChoiceWriter> choices_;
};

std::vector<FactGroup> single_groups(const GroundProgram& program) {
  std::vector<FactGroup> result;
  for (std::uint32_t f = 0; f < program.facts.size(); ++f) result.emplace_back().facts = {f};
  return result;
}

// For messages about size: the relation with the most conditions in its bodies, as text and range.
std::pair<std::string, Range> largest_relation(const GroundProgram& program) {
  std::map<SymbolId, std::size_t> conditions;
  for (std::uint32_t d = 0; d < program.derived_count(); ++d) {
    std::size_t& count = conditions[program.names[d].predicate];
    for (std::uint32_t b = program.first_body[d]; b < program.first_body[d + 1]; ++b) count += program.body(b).size();
  }
  if (conditions.empty()) return {};
  const auto most = std::ranges::max_element(conditions, {}, [](const auto& row) { return row.second; });
  const auto mention = program.mentions.find(most->first);
  return {fmt::format("; most conditions, {}, are those of '{}'", most->second, program.symbols.str(most->first)),
          mention == program.mentions.end() ? Range{} : mention->second};
}

void warn(const GroundProgram& program, const PlayoutFindings& findings, Diagnostics& diagnostics) {
  for (std::uint32_t r = 0; r < program.roles.size(); ++r) {
    const std::string role = program.text(program.roles[r]);
    if (!findings.stuck[r].empty()) {
      diagnostics.warning(
          {}, fmt::format("the role {} has no legal move though the game is not over, {}", role, findings.stuck[r]),
          "every role needs a move in every state; a play that comes there ends with an error");
    }
    if (findings.no_goal[r])
      diagnostics.warning({}, fmt::format("a random playout ends without a goal value for {}: it counts as 0", role));
    if (findings.several_goals[r])
      diagnostics.warning(
          {}, fmt::format("a random playout ends with several goal values for {}: the highest counts", role));
  }
}

}  // namespace

ir::Game lower(const GroundProgram& program, const std::shared_ptr<Sources>& sources, const LowerOptions& options,
               Diagnostics& diagnostics, LoweredNames* names) {
  ir::Game game(sources);
  game.claims.want(options.claims);
  auto goals = read_goals(program, diagnostics);
  if (!goals) return game;
  const auto report_phase = [&](std::string_view what) {
    tell_phase(fmt::format("{} for {} facts, {} moves, {} bodies of derived atoms", what, program.facts.size(),
                           program.moves.size(), program.body_count()));
  };
  report_phase("looking for groups of facts");
  std::vector<FactGroup> groups;
  std::vector<DerivedGroups> derived;
  TurnStructure turns;
  {
    const Network network(program);
    groups = options.groups ? find_groups(program, network) : single_groups(program);
    turns = find_turns(program, network, groups, options.keep_forced);
    if (options.groups) {
      PlayoutFindings findings;
      ExclusiveAtoms exclusive = find_exclusions(program, network, groups, turns, options.derived, findings);
      groups = std::move(exclusive.groups);
      derived = std::move(exclusive.derived);
      warn(program, findings, diagnostics);
    }
  }
  if (options.claims) {
    claim_groups(program, groups, game.claims);
    claim_forced(program, groups, turns, game.claims);
  }
  report_phase("planning the automaton");
  try {
    Conditions conditions(program, groups, Conditions::Scope::everything, derived);
    if (options.claims) claim_computed(program, conditions.computed, game.claims);
    Lowering lowering(program, game, std::move(*goals), std::move(groups), std::move(turns), std::move(conditions),
                      options.max_edges);
    lowering.declare(diagnostics);
    if (diagnostics.has_errors()) return game;
    report_phase("making the automaton");
    lowering.emit();
    if (!leads_to(game.graph, game.begin(), game.end())) {
      diagnostics.error({}, "no play of this game ends: terminal can never hold",
                        "check the rules of terminal, and what they depend on; 'rgtrans ground' shows what is left");
    }
    if (names != nullptr) lowering.export_names(*names);
  } catch (const Emitter::TooLarge&) {
    const auto [largest, place] = largest_relation(program);
    diagnostics.error(
        place,
        fmt::format("the game in RG would have more than {} edges ({} facts, {} moves, {} bodies of derived atoms{})",
                    options.max_edges, program.facts.size(), program.moves.size(), program.body_count(), largest),
        "play it with 'rgtrans perft --joint' or print it with 'rgtrans ground'; " + limits::edges.advice());
  }
  return game;
}

}  // namespace rgtrans::gdl
