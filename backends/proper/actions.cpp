// Actions are valid: an assignment writes to a key that the map has, a stored symbol belongs to the type of its place,
// and no check needs its own result. A map is read with any key: outside of the source type it gives its default. And:
// hidden moves.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "backends/proper/known_game.hpp"

namespace rgtrans::proper {

namespace {

// Why an assignment may find no place in its map, or "".
std::string lost_store(const ir::Game& game, ir::TypeRelations& types, analysis::ValueSets& values,
                       const ir::Label& label, ir::NodeId node) {
  if (!ir::is_assignment(label)) return "";
  const ir::Expressions& all = game.expressions();
  for (ir::ExprId place = all.uncast(ir::left_side(label)); all.kind(place) == ir::ExprKind::access;
       place = all.uncast(all.map(place))) {
    const ir::ExprId index = all.index(place);
    const ir::TypeId source = game.types.from(game.resolve(all.type(all.uncast(all.map(place)))));
    if (types.includes(source, all.type(all.uncast(index)))) continue;
    for (const SymbolId symbol : values.sets().of(values.values(index, node))) {
      if (game.index_of(source, symbol) < 0)
        return fmt::format("the key {} may be outside of the source type of its map", ir::written(game, symbol));
    }
  }
  return "";
}

class ActionProver {
 public:
  explicit ActionProver(KnownGame& known) : known_(known), game_(known.game), types_(game_) {}

  DutyAnswer run() {
    DutyAnswer answer{Duty::actions, DutyStanding::open, "", {}, {}};
    for (const ir::CheckOf& check : ir::reachability_checks(game_.graph)) {
      if (!check.recursive) continue;
      answer.reason = "a reachability check may need its own result";
      answer.where = game_.graph.where(check.edge);
      return answer;
    }
    const auto found = find([&](const ir::Label& label, ir::NodeId node) { return problem(label, node); });
    if (found) {
      answer.reason = found->second;
      answer.where = game_.graph.where(found->first);
      return answer;
    }
    answer.standing = DutyStanding::proved;
    answer.reason =
        "every key that is written and every symbol that is stored belongs to its type, and no check needs "
        "itself";
    return answer;
  }

 private:
  // The first edge for whose label `reason` is not empty, with that reason.
  template <class Reason>
  std::optional<std::pair<ir::EdgeId, std::string>> find(const Reason& reason) {
    for (const ir::EdgeId edge : game_.graph.edges()) {
      const ir::NodeId node = game_.graph.source(edge);
      if (!known_.flow.reached(node) || !known_.values.possible(node)) continue;
      std::string found = reason(game_.graph.label(edge), node);
      if (!found.empty()) return std::pair(edge, std::move(found));
    }
    return std::nullopt;
  }

  // Why the label may be invalid at the node, or "".
  std::string problem(const ir::Label& label, ir::NodeId node) {
    std::string found = lost_store(game_, types_, known_.values, label, node);
    const auto* assign = std::get_if<ir::Assign>(&label);
    if (!found.empty() || assign == nullptr) return found;
    const ir::Expressions& all = game_.expressions();
    const ir::TypeId place = all.type(all.uncast(assign->lhs));
    if (types_.includes(place, all.type(all.uncast(assign->rhs)))) return "";
    if (!game_.is_set(place)) return "a map of another type is stored";
    for (const SymbolId symbol : known_.symbols(assign->rhs, node)) {
      if (game_.index_of(place, symbol) < 0)
        return fmt::format("{} may be stored where its type does not allow it", ir::written(game_, symbol));
    }
    return "";
  }

  KnownGame& known_;
  const ir::Game& game_;
  ir::TypeRelations types_;
};

}  // namespace

DutyAnswer prove_actions(KnownGame& known) { return ActionProver(known).run(); }

Bits lost_stores(const ir::Game& game, const analysis::Flow& flow, analysis::ValueSets& values) {
  ir::TypeRelations types(game);
  Bits lost;
  for (const ir::EdgeId edge : game.graph.edges()) {
    const ir::NodeId node = game.graph.source(edge);
    if (flow.reached(node) && values.possible(node) &&
        !lost_store(game, types, values, game.graph.label(edge), node).empty())
      lost.insert(edge.value);
  }
  return lost;
}

DutyAnswer prove_hidden(KnownGame& known) {
  if (!ir::hides_moves(known.game))
    return {Duty::hidden, DutyStanding::proved, "no move is hidden from anybody", {}, {}};
  Range where;
  for (const ir::EdgeId edge : known.game.graph.edges())
    if (ir::written_variable(known.game, known.game.graph.label(edge)) == known.game.visible() && !where.known())
      where = known.game.graph.where(edge);
  return {
      Duty::hidden, DutyStanding::open, "moves are hidden, and no analysis compares the states behind them", where, {}};
}

}  // namespace rgtrans::proper
