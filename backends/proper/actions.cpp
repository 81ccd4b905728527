// Actions are valid: keys belong to the source types of their maps, stored symbols to the types of their places, and no
// check needs its own result. And: hidden moves.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "backends/proper/known_game.hpp"

namespace rgtrans::proper {

namespace {

class ActionProver {
 public:
  ActionProver(KnownGame& known, bool keys) : known_(known), game_(known.game), types_(game_), keys_(keys) {}

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
    answer.reason = "every key and every stored symbol that can occur belongs to its type, and no check needs itself";
    return answer;
  }

  [[nodiscard]] bool may_lose_stores() {
    return find([&](const ir::Label& label, ir::NodeId node) {
             return ir::is_assignment(label) ? bad_key(ir::left_side(label), node) : std::string();
           })
        .has_value();
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
    std::string found;
    ir::for_each_expression(label, [&](ir::ExprId expression) {
      const bool writes = expression == ir::left_side(label);
      if (found.empty() && (keys_ || writes)) found = bad_key(expression, node);
    });
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

  std::string bad_key(ir::ExprId expression, ir::NodeId node) {
    const ir::Expressions& all = game_.expressions();
    std::string found;
    ir::visit_parts(all, expression, [&](ir::ExprId part) {
      if (!found.empty() || all.kind(part) != ir::ExprKind::access) return found.empty();
      const ir::TypeId map = game_.resolve(all.type(all.uncast(all.map(part))));
      if (!map.valid() || game_.types.kind(map) != ir::TypeKind::arrow) return true;
      const ir::TypeId source = game_.types.from(map);
      if (types_.includes(source, all.type(all.uncast(all.index(part))))) return true;
      for (const SymbolId symbol : known_.symbols(all.index(part), node)) {
        if (game_.index_of(source, symbol) >= 0) continue;
        found = fmt::format("the key {} may be outside of the source type of its map", ir::written(game_, symbol));
        break;
      }
      return true;
    });
    return found;
  }

  KnownGame& known_;
  const ir::Game& game_;
  ir::TypeRelations types_;
  const bool keys_;
};

}  // namespace

DutyAnswer prove_actions(KnownGame& known, bool keys) { return ActionProver(known, keys).run(); }

bool may_lose_stores(KnownGame& known) { return ActionProver(known, false).may_lose_stores(); }

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
