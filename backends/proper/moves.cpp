// Every state before the end has a legal move, and keeper exactly one.
//
// A move can be made where some walk passes all its conditions. Symbolic walks turn this into a formula over the state
// at the start of the move; a solver shows that no state violates it which meets the conditions that are known there. A
// check that is known to succeed may also be matched walk by walk. Nodes from which some walk passes in each state end
// the walks early; those of a loop do if a measure falls in it. At last, the proof begins one move earlier, and all
// checks are followed.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>

#include "backends/interpreter/interpreter.hpp"
#include "backends/proper/known_game.hpp"
#include "backends/proper/matching.hpp"
#include "core/support/clock.hpp"
#include "core/support/components.hpp"
#include "core/support/reach.hpp"

namespace rgtrans::proper {

namespace {

constexpr std::uint64_t kMostSteps = 1'000'000;  // of one start
constexpr std::uint64_t kFewSteps = 20'000;      // of one other node
constexpr std::uint64_t kSomeSteps = 100'000;    // of one start, at first
constexpr std::uint64_t kLoopSteps = 30'000;     // of one node of a loop

// By node: a walk from there to the end of a move passes no condition.
std::vector<bool> find_sure_nodes(const ir::Game& game) {
  const auto free = [&](const ir::Label& label) {
    const auto* any = std::get_if<ir::AssignAny>(&label);
    return !ir::is_condition(label) && (any == nullptr || !game.members(any->type).empty());
  };
  std::vector<std::uint32_t> ends;
  for (const ir::EdgeId edge : game.graph.edges())
    if (game.is_player_assignment(game.graph.label(edge))) ends.push_back(game.graph.source(edge).value);
  return reached_from(game.graph.node_bound(), ends, [&](std::uint32_t node, auto&& f) {
    for (const ir::EdgeId edge : game.graph.in_edges(ir::NodeId(node)))
      if (free(game.graph.label(edge))) f(game.graph.source(edge).value);
  });
}

class MoveProver {
 public:
  MoveProver(KnownGame& known, double seconds)
      : known_(known), game_(known.game), sure_(find_sure_nodes(known.game)), seconds_(seconds) {
    if (!known_.cells.few()) return;
    find_deciding_variables();
    if (!known_.recursive) find_more_sure_nodes();
  }

  // All moves, and those of keeper alone.
  MoveAnswers run() {
    MoveAnswers answers;
    if (!known_.cells.few()) {
      answers.moves.reason = answers.keeper.reason = "the states have too many cells for the analysis";
      return answers;
    }
    // Those of keeper first, because they have an answer more often.
    std::vector<ir::NodeId> starts = known_.starts;
    const auto of_keeper = [&](ir::NodeId start) { return known_.can_be_mover(game_.keeper(), start); };
    std::ranges::stable_sort(starts, std::greater(), of_keeper);
    std::erase_if(starts, [&](ir::NodeId start) { return sure_[start.value]; });
    const std::size_t conditional = starts.size();
    const auto prove = [&](bool thorough) {
      std::erase_if(starts, [&](ir::NodeId start) { return sure_[start.value] || proved(start, thorough); });
    };
    if (!known_.recursive) prove(false);
    if (!starts.empty() && !known_.recursive && find_sure_loops()) {
      find_more_sure_nodes();
      prove(false);
    }
    prove(true);
    for (const ir::NodeId start : starts) {
      const std::string reason =
          fmt::format("no proof that a move can always be made{}{}", known_.at(start), why_not());
      if (answers.moves.reason.empty())
        answers.moves = {Duty::moves, DutyStanding::open, reason, known_.where(start), {}};
      if (answers.keeper.reason.empty() && of_keeper(start))
        answers.keeper = {Duty::keeper, DutyStanding::open, reason, known_.where(start), {}};
    }
    if (answers.keeper.reason.empty()) answers.keeper.standing = DutyStanding::proved;
    if (!starts.empty()) return answers;
    answers.moves.standing = DutyStanding::proved;
    answers.moves.reason =
        conditional == 0
            ? "some walk of every move has no condition"
            : fmt::format(
                  "the conditions of the walks cover all states at the {} place{} where a move begins with a condition",
                  conditional, conditional == 1 ? "" : "s");
    return answers;
  }

 private:
  void find_deciding_variables() { deciding_ = decide_moves(game_, known_.liveness, known_.flow, sure_); }

  // Whether a move may come to the node, which is not known to be sure.
  [[nodiscard]] bool undecided(ir::NodeId node) const {
    return !sure_[node.value] && known_.flow.main(node) && known_.values.possible(node) && known_.known.possible(node);
  }
  [[nodiscard]] bool leads_to(const std::vector<bool>& nodes, ir::NodeId node) const {
    return std::ranges::any_of(game_.graph.out_edges(node),
                               [&](ir::EdgeId edge) { return nodes[game_.graph.target(edge).value]; });
  }

  // Nodes from which some walk to a sure node passes in each state.
  void find_more_sure_nodes() {
    std::vector<ir::NodeId> todo;
    for (std::uint32_t i = 1; i < known_.flow.size(); ++i) todo.push_back(known_.flow.node(i));
    while (!todo.empty() && left() > seconds_ / 4) {
      const ir::NodeId node = todo.back();
      todo.pop_back();
      if (!undecided(node) || !leads_to(sure_, node)) continue;
      sure_[node.value] = has_move(node, known_.known.at(node), Checks::none, kFewSteps);
      if (!sure_[node.value]) continue;
      for (const ir::EdgeId edge : game_.graph.in_edges(node)) todo.push_back(game_.graph.source(edge));
    }
    find_deciding_variables();
  }

  // Nodes of loops within a move: from each, some walk to another one or to a sure node passes in each state, and no
  // walk passes them for ever.
  bool find_sure_loops() {
    std::vector<ir::NodeId> loop = nodes_of_loops();
    const std::vector<bool> sure = sure_;
    for (const ir::NodeId node : loop) sure_[node.value] = true;
    for (bool changed = true; changed;) {
      const std::size_t before = loop.size();
      std::erase_if(loop, [&](ir::NodeId node) {
        sure_[node.value] = false;
        const Conditions known = known_.known.at(node);
        const bool passes =
            left() > seconds_ / 3 && (has_move(node, known, Checks::none, kFewSteps) ||
                                      (leads_to(sure, node) && has_move(node, known, Checks::all, kLoopSteps)));
        sure_[node.value] = passes;
        return !passes;
      });
      changed = loop.size() < before;
    }
    if (loop.empty()) return false;
    std::vector<bool> nodes(game_.graph.node_bound(), false);
    for (const ir::NodeId node : loop) nodes[node.value] = true;
    if (loops_end(known_, nodes, left() / 2)) return true;
    sure_ = sure;
    return false;
  }
  [[nodiscard]] std::vector<ir::NodeId> nodes_of_loops() {
    Arcs arcs;
    for (const ir::EdgeId edge : game_.graph.edges())
      if (!game_.is_player_assignment(game_.graph.label(edge)))
        arcs.emplace_back(game_.graph.source(edge).value, game_.graph.target(edge).value);
    const Components components = strong_components(game_.graph.node_bound(), arcs);
    std::vector<std::size_t> sizes(components.count, 0);
    for (const std::uint32_t component : components.of) ++sizes[component];
    std::vector<ir::NodeId> found;
    for (std::uint32_t i = 1; i < known_.flow.size(); ++i) {
      const ir::NodeId node = known_.flow.node(i);
      if (sizes[components.of[node.value]] > 1 && undecided(node)) found.push_back(node);
    }
    return found;
  }

  using Checks = SymbolicWalks::Checks;
  using Conditions = std::vector<ir::Label>;

  // `thorough`: whole moves are followed, and all checks.
  bool proved(ir::NodeId start, bool thorough) {
    gave_up_ = nullptr;
    if (!in_time()) return false;
    const Conditions known = known_.known.at(start);
    if (!thorough) return has_move(start, known, Checks::none, kSomeSteps) || entered_with_move(start, false);
    return entered_with_move(start, true) || (in_time() && has_move(start, known, Checks::all, kMostSteps));
  }
  [[nodiscard]] std::string why_not() const {
    return gave_up_ == nullptr ? "" : fmt::format(": its walks cannot be followed, because {}", gave_up_);
  }

  // Processor time, so that a busy machine proves as much as an idle one.
  [[nodiscard]] double left() const { return seconds_ - (processor_seconds() - begin_); }
  [[nodiscard]] bool in_time() const { return left() > 0; }

  [[nodiscard]] CellFormulas::Domain domain_at(ir::NodeId start) {
    return [this, start](std::uint32_t cell) { return known_.symbols(known_.cells.variable(cell), start); };
  }

  SymbolicWalks walks_from(ir::NodeId start, std::uint64_t most_steps = kMostSteps) {
    SymbolicWalks walks(game_, known_.cells, known_.liveness, sure_, deciding_, domain_at(start), most_steps, left());
    if (start == game_.begin() && game_.graph.in_degree(start) == 0) assume_initial_state(walks);
    return walks;
  }

  void assume_initial_state(SymbolicWalks& walks) {
    for (const ir::VarId variable : game_.living_variables()) {
      std::vector<SymbolId> keys;
      assume(walks, variable, game_.variable(variable).initial, game_.keys(game_.variable(variable).type), keys);
    }
  }
  void assume(SymbolicWalks& walks, ir::VarId variable, ir::ValueId value, const std::vector<ir::TypeId>& types,
              std::vector<SymbolId>& keys) {
    if (keys.size() == types.size()) {
      if (game_.values.is_symbol(value)) walks.assume(known_.cells.cell(variable, keys), game_.values.as_symbol(value));
      return;
    }
    if (game_.values.is_symbol(value)) return;
    for (const SymbolId key : game_.members(types[keys.size()])) {
      keys.push_back(key);
      assume(walks, variable, game_.values.at(value, key), types, keys);
      keys.pop_back();
    }
  }

  // Conditions that hold, as formulas.
  std::vector<CellFormulas::Id> formulas_of(const Conditions& known, SymbolicWalks& walks) {
    std::vector<CellFormulas::Id> out;
    for (const ir::Label& condition : known) {
      try {
        out.push_back(walks.holds(condition));
      } catch (const SymbolicWalks::GivenUp&) {
        // A fact less.
      }
    }
    return out;
  }

  // A check that is known to succeed at the start has a matching move for each of its walks.
  bool follows_check(ir::NodeId start, const Conditions& known) {
    return std::ranges::any_of(known, [&](const ir::Label& condition) {
      const auto* check = std::get_if<ir::Reachability>(&condition);
      return check != nullptr && !check->negated && in_time() && implies_move(known_, *check, start, sure_, left());
    });
  }

  // Whether some walk from the node ends a move in each state that meets the conditions.
  bool has_move(ir::NodeId start, const Conditions& known, Checks checks, std::uint64_t most_steps) {
    try {
      SymbolicWalks walks = walks_from(start, most_steps);
      walks.follow(checks);
      const CellFormulas::Id legal = walks.can_move(start);
      if (legal == CellFormulas::kTrue) return true;
      std::vector<CellFormulas::Id> required = formulas_of(known, walks);
      required.push_back(walks.formulas().negation(legal));
      return walks.formulas().contradict(required, domain_at(start), left());
    } catch (const SymbolicWalks::GivenUp& reason) {
      gave_up_ = reason.why;
      return false;
    }
  }

  // Whether no move leads to a state at the start in which none can be made.
  bool entered_with_move(ir::NodeId start, bool thorough) {
    return start != game_.begin() && std::ranges::all_of(known_.starts, [&](ir::NodeId before) {
             return in_time() && entered_with_move(before, start, thorough);
           });
  }
  bool entered_with_move(ir::NodeId before, ir::NodeId start, bool thorough) {
    if (std::ranges::all_of(game_.graph.in_edges(start), [&](ir::EdgeId edge) {
          return !enters(before, edge) ||
                 (!known_.recursive && has_move_after(before, edge, thorough ? kMostSteps : kSomeSteps));
        }))
      return true;
    if (!thorough && before != game_.begin()) return false;
    try {
      SymbolicWalks walks = walks_from(before);
      const CellFormulas::Id stranded = walks.can_strand(before, start);
      if (stranded == CellFormulas::kFalse) return true;
      std::vector<CellFormulas::Id> required = formulas_of(known_.known.at(before), walks);
      required.push_back(stranded);
      return walks.formulas().contradict(required, domain_at(before), left());
    } catch (const SymbolicWalks::GivenUp& reason) {
      gave_up_ = reason.why;
      return false;
    }
  }

  // Whether a move from the start may end with this edge.
  bool enters(ir::NodeId before, ir::EdgeId end) {
    Arrivals& arrivals = arrivals_after(before);
    const ir::NodeId last = game_.graph.source(end);
    return game_.is_player_assignment(game_.graph.label(end)) && arrivals.flow.reached(last) &&
           arrivals.known.possible(last);
  }
  // Whether the conditions that are known when a move ends with this edge show that one can be made next.
  bool has_move_after(ir::NodeId before, ir::EdgeId end, std::uint64_t most_steps) {
    Conditions known = arrivals_after(before).known.at(game_.graph.source(end));
    std::erase_if(known, [&](const ir::Label& condition) { return reads_player(condition); });
    const ir::NodeId start = game_.graph.target(end);
    return follows_check(start, known) || (in_time() && has_move(start, known, Checks::of_start, most_steps));
  }
  [[nodiscard]] bool reads_player(const ir::Label& condition) const {
    const ir::VarId player = game_.player();
    if (const auto* check = std::get_if<ir::Reachability>(&condition))
      return known_.inputs.of(*check).test(player.value);
    return ir::reads(game_, condition, player);
  }

  // The conditions that are known along one move from a start.
  struct Arrivals {
    Arrivals(KnownGame& known, ir::NodeId before)
        : flow(known.game, std::span(&before, 1), true), known(known.game, flow, known.options_of_known()) {}
    analysis::Flow flow;
    analysis::KnownConditions known;
  };
  Arrivals& arrivals_after(ir::NodeId before) {
    std::unique_ptr<Arrivals>& arrivals = arrivals_[before];
    if (arrivals == nullptr) arrivals = std::make_unique<Arrivals>(known_, before);
    return *arrivals;
  }

  KnownGame& known_;
  ir::Game& game_;
  std::vector<bool> sure_;  // by node: a move that has come there certainly ends
  std::vector<Bits> deciding_;
  const double seconds_;
  const double begin_ = processor_seconds();
  const char* gave_up_ = nullptr;
  std::map<ir::NodeId, std::unique_ptr<Arrivals>> arrivals_;  // by start of the move before
};

// What a move can show that begins at a node.
struct MoveShape {
  bool tags = false;      // it may have tags
  bool branches = false;  // more than one of its walks may be legal
};

MoveShape shape_of(KnownGame& known, ir::NodeId start) {
  const ir::Game& game = known.game;
  const std::vector<bool> artificial = ir::artificial_tags(game);
  MoveShape shape;
  std::vector<bool> seen(game.graph.node_bound(), false);
  std::vector<ir::NodeId> todo{start};
  seen[start.value] = true;
  while (!todo.empty()) {
    const ir::NodeId node = todo.back();
    todo.pop_back();
    const std::vector<ir::EdgeId> edges = game.graph.out_edge_list(node);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      for (std::size_t j = 0; j < i && !shape.branches; ++j) shape.branches = !known.exclusive(edges[i], edges[j]);
      const ir::Label& label = game.graph.label(edges[i]);
      const auto* tag = std::get_if<ir::Tag>(&label);
      shape.tags = shape.tags || (ir::is_tag(label) && (tag == nullptr || !artificial[tag->symbol.value]));
      if (const auto* any = std::get_if<ir::AssignAny>(&label))
        shape.branches = shape.branches || game.members(any->type).size() > 1;
      if (game.is_player_assignment(label)) continue;
      const ir::NodeId target = game.graph.target(edges[i]);
      if (seen[target.value] || !known.values.possible(target)) continue;
      seen[target.value] = true;
      todo.push_back(target);
    }
  }
  return shape;
}

// If keeper always has a move: whether it has only one.
DutyAnswer prove_single_move_of_keeper(KnownGame& known) {
  DutyAnswer answer{Duty::keeper, DutyStanding::open, "", {}, {}};
  bool tags = false;
  for (const ir::NodeId start : known.starts) {
    if (!known.can_be_mover(known.game.keeper(), start)) continue;
    const MoveShape shape = shape_of(known, start);
    tags = tags || shape.tags;
    if (!shape.tags || !shape.branches) continue;
    answer.reason = fmt::format("keeper's walks{} branch and have tags", known.at(start));
    answer.where = known.where(start);
    return answer;
  }
  answer.standing = DutyStanding::proved;
  answer.reason = tags ? "it always has a move, and no state allows two of its walks"
                       : "it always has a move, and its moves have no tags";
  return answer;
}

}  // namespace

MoveAnswers prove_moves(KnownGame& known, double seconds) {
  MoveAnswers answers = MoveProver(known, seconds).run();
  if (answers.keeper.standing == DutyStanding::proved) answers.keeper = prove_single_move_of_keeper(known);
  return answers;
}

DutyAnswer prove_results(KnownGame& known) {
  DutyAnswer answer{Duty::results, DutyStanding::open, "", {}, {}};
  InterpreterOptions options;
  options.trust_pragmas = false;
  std::vector<bool> distinct(known.game.graph.node_bound(), false);
  for (const ir::Claim& claim : claims_of_interpreter(known.game, options))
    if (const auto* one = std::get_if<ir::Distinct>(&claim.content)) distinct[one->start.value] = true;
  for (const ir::NodeId start : known.starts) {
    if (distinct[start.value] || !shape_of(known, start).branches) continue;
    answer.reason = fmt::format("no proof that walks{} with equal tags agree", known.at(start));
    answer.where = known.where(start);
    return answer;
  }
  answer.standing = DutyStanding::proved;
  answer.reason = "no two walks of one state have the same tags";
  return answer;
}

}  // namespace rgtrans::proper
