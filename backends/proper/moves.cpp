// Every state before the end has a legal move, and keeper exactly one.
//
// A move can be made where some walk passes all its conditions. Symbolic walks turn this into a formula over the state
// at the start of the move; a solver shows that no state violates it which fulfils what is known there. If that fails,
// the proof begins one move earlier, since a check before the end of that move often excludes dead ends.
#include <fmt/format.h>

#include <algorithm>

#include "backends/interpreter/interpreter.hpp"
#include "backends/proper/known_game.hpp"
#include "core/support/clock.hpp"

namespace rgtrans::proper {

namespace {

constexpr std::uint64_t kMostSteps = 1'000'000;  // of one start

// By node: a walk from there to the end of a move passes no condition.
std::vector<bool> find_sure_nodes(const ir::Game& game) {
  std::vector<bool> sure(game.graph.node_bound(), false);
  std::vector<ir::NodeId> todo;
  const auto add = [&](ir::NodeId node) {
    if (sure[node.value]) return;
    sure[node.value] = true;
    todo.push_back(node);
  };
  const auto free = [&](const ir::Label& label) {
    const auto* any = std::get_if<ir::AssignAny>(&label);
    return !ir::is_condition(label) && (any == nullptr || !game.members(any->type).empty());
  };
  for (const ir::EdgeId edge : game.graph.edges())
    if (game.is_player_assignment(game.graph.label(edge))) add(game.graph.source(edge));
  while (!todo.empty()) {
    const ir::NodeId node = todo.back();
    todo.pop_back();
    for (const ir::EdgeId edge : game.graph.in_edges(node))
      if (free(game.graph.label(edge))) add(game.graph.source(edge));
  }
  return sure;
}

class MoveProver {
 public:
  MoveProver(KnownGame& known, double seconds)
      : known_(known), game_(known.game), sure_(find_sure_nodes(known.game)), seconds_(seconds) {}

  DutyAnswer run() {
    DutyAnswer answer{Duty::moves, DutyStanding::open, "", {}, {}};
    if (!known_.cells.few()) {
      answer.reason = "the states have too many cells for the analysis";
      return answer;
    }
    std::size_t solved = 0;
    for (const ir::NodeId start : known_.starts) {
      if (sure_[start.value]) continue;
      ++solved;
      if (in_time() && (has_move(start) || entered_with_move(start))) continue;
      answer.reason = fmt::format("no proof that a move can always be made{}", known_.at(start));
      if (gave_up_) answer.reason += ": its walks are too many, or read outside of a map";
      answer.where = known_.where(start);
      return answer;
    }
    answer.standing = DutyStanding::proved;
    answer.reason = solved == 0 ? "some walk of every move has no condition"
                                : fmt::format(
                                      "the conditions of the walks cover all states at the {} place{} where a "
                                      "move begins with a condition",
                                      solved, solved == 1 ? "" : "s");
    return answer;
  }

 private:
  // Processor time, so that a busy machine proves as much as an idle one.
  [[nodiscard]] double left() const { return seconds_ - (processor_seconds() - begin_); }
  [[nodiscard]] bool in_time() const { return left() > 0; }

  [[nodiscard]] CellFormulas::Domain domain_at(ir::NodeId start) {
    return [this, start](std::uint32_t cell) { return known_.symbols(known_.cells.variable(cell), start); };
  }

  SymbolicWalks walks_from(ir::NodeId start) {
    SymbolicWalks walks(game_, known_.cells, known_.liveness, sure_, domain_at(start), kMostSteps, left());
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

  // The conditions that are known at the start, as formulas.
  std::vector<CellFormulas::Id> facts(ir::NodeId start, SymbolicWalks& walks) {
    std::vector<CellFormulas::Id> out;
    if (!known_.conditions_hold) return out;
    if (conditions_.empty()) {
      for (const ir::EdgeId edge : game_.graph.edges()) {
        ir::Label label = ir::canonical(game_, game_.graph.label(edge));
        if (!ir::is_condition(label)) continue;
        if (std::ranges::find(conditions_, label) == conditions_.end()) conditions_.push_back(std::move(label));
        if (conditions_.size() > 2000) break;
      }
    }
    for (const ir::Label& condition : conditions_) {
      const Truth truth = known_.known.ask(condition, start);
      if (truth == Truth::unknown) continue;
      try {
        const CellFormulas::Id formula = walks.holds(condition);
        out.push_back(truth == Truth::yes ? formula : walks.formulas().negation(formula));
      } catch (const SymbolicWalks::GivenUp&) {
        // A fact less.
      }
    }
    return out;
  }

  bool has_move(ir::NodeId start) {
    try {
      SymbolicWalks walks = walks_from(start);
      const CellFormulas::Id legal = walks.can_move(start);
      if (legal == CellFormulas::kTrue) return true;
      std::vector<CellFormulas::Id> required = facts(start, walks);
      required.push_back(walks.formulas().negation(legal));
      return walks.formulas().contradict(required, domain_at(start), left());
    } catch (const SymbolicWalks::GivenUp&) {
      gave_up_ = true;
      return false;
    }
  }

  // Whether no move leads to a state at the start in which none can be made.
  bool entered_with_move(ir::NodeId start) {
    if (start == game_.begin()) return false;
    try {
      for (const ir::NodeId before : known_.starts) {
        if (!in_time()) return false;
        SymbolicWalks walks = walks_from(before);
        const CellFormulas::Id stranded = walks.can_strand(before, start);
        if (stranded == CellFormulas::kFalse) continue;
        std::vector<CellFormulas::Id> required = facts(before, walks);
        required.push_back(stranded);
        if (!walks.formulas().contradict(required, domain_at(before), left())) return false;
      }
      return true;
    } catch (const SymbolicWalks::GivenUp&) {
      gave_up_ = true;
      return false;
    }
  }

  KnownGame& known_;
  ir::Game& game_;
  const std::vector<bool> sure_;
  const double seconds_;
  const double begin_ = processor_seconds();
  std::vector<ir::Label> conditions_;
  bool gave_up_ = false;
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

}  // namespace

DutyAnswer prove_moves(KnownGame& known, double seconds) { return MoveProver(known, seconds).run(); }

DutyAnswer prove_keeper(KnownGame& known, const DutyAnswer& moves) {
  DutyAnswer answer{Duty::keeper, DutyStanding::open, "", {}, {}};
  if (moves.standing != DutyStanding::proved) {
    answer.reason = "it is not proved that keeper always has a move";
    answer.where = moves.where;
    return answer;
  }
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
