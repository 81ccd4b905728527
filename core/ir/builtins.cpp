// Appends missing built-in definitions in a fixed order. A definition in the description must be equal to the built-in
// one (as a set), because later stages rely on it.
#include "core/ir/builtins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "core/ir/parts.hpp"
#include "core/ir/relations.hpp"
#include "core/support/support.hpp"

namespace rgtrans::ir {

namespace {

class Builtins {
 public:
  Builtins(Game& game, Diagnostics& diagnostics) : game_(game), diagnostics_(diagnostics) {}

  // Returns false if a mandatory type is missing or not a set.
  bool mandatory(std::string_view name) {
    const TypeDef* def = game_.find_type(game_.symbols.intern(name));
    if (def == nullptr) {
      diagnostics_.error({}, fmt::format("type {} is not defined", name),
                         fmt::format("every game needs it, for instance: type {};",
                                     name == "Player" ? "Player = { white, black }" : "Score = { 0, 50, 100 }"));
      return false;
    }
    if (game_.types.kind(def->type) != TypeKind::set || game_.types.members(def->type).empty()) {
      diagnostics_.error(def->where, fmt::format("type {} must be a set of symbols", name),
                         fmt::format("write its members, as in: type {} = {{ a, b }};", name));
      return false;
    }
    return true;
  }

  TypeId type(std::string_view name) {
    const TypeId expected = builtin_type(game_, name);
    const SymbolId id = game_.symbols.intern(name);
    const TypeDef* def = game_.find_type(id);
    if (def == nullptr) {
      game_.define_type(id, expected);
    } else if (!same_values(game_, def->type, expected)) {
      diagnostics_.error(
          def->where, fmt::format("type {} differs from the built-in definition", name),
          fmt::format("expected {}; leave the definition out to get it", describe_type(game_, expected)));
    }
    return game_.types.alias(id);
  }

  VarId variable(std::string_view name, TypeId type, ValueId initial) {
    const SymbolId id = game_.symbols.intern(name);
    if (const VarId found = game_.find_variable(id); found.valid()) {
      const Variable& variable = game_.variable(found);
      if (!same_values(game_, variable.type, type)) {
        diagnostics_.error(variable.where,
                           fmt::format("variable {} must have the type {}", name, describe_type(game_, type)));
      } else if (name == "player" && variable.initial != initial) {
        diagnostics_.warning(variable.where, "the initial player is not keeper",
                             "a proper game starts with a move of keeper");
      }
      return found;
    }
    if (const ConstId clash = game_.find_constant(id); clash.valid()) {
      diagnostics_.error(game_.constant(clash).where, fmt::format("{} is a built-in variable, not a constant", name));
    }
    return game_.define_variable(id, type, initial);
  }

  void check_player_members() {
    const TypeDef* def = game_.find_type(game_.symbols.intern("Player"));
    for (SymbolId member : game_.types.members(def->type)) {
      if (member != game_.keeper() && member != game_.random()) continue;
      diagnostics_.error(def->where, fmt::format("{} is a system player and cannot be a member of Player",
                                                 game_.symbols.text(member)));
    }
  }

  // Every score must be a number, because playouts, players and solvers compare scores.
  void check_score_members() {
    const TypeDef* def = game_.find_type(game_.symbols.intern("Score"));
    const auto members = game_.types.members(def->type);
    const auto name = std::ranges::find_if(members, [&](SymbolId s) { return !score_number(game_.symbols.text(s)); });
    if (members.size() < 2 || name == members.end()) return;
    diagnostics_.warning(
        def->where,
        fmt::format("the score {} is no number: comparisons of scores treat it as 0", written(game_, *name)),
        "name scores by numbers, such as 0, 50 and 100");
  }

 private:
  Game& game_;
  Diagnostics& diagnostics_;
};

}  // namespace

bool is_builtin_type(std::string_view name) { return std::ranges::find(kBuiltinTypes, name) != kBuiltinTypes.end(); }

TypeId builtin_type(Game& game, std::string_view name) {
  const auto known = [&](std::string_view type) { return game.types.alias(game.symbols.intern(type)); };
  if (name == "Goals") return game.types.arrow(known("Player"), known("Score"));
  if (name == "Visibility") return game.types.arrow(known("Player"), known("Bool"));
  if (name == "Bool") {
    const std::array bits = {game.symbols.intern("0"), game.symbols.intern("1")};
    return game.types.set(bits);
  }
  std::vector<SymbolId> everybody(game.players().begin(), game.players().end());
  for (const SymbolId system : {game.keeper(), game.random()}) {
    if (std::ranges::find(everybody, system) == everybody.end()) everybody.push_back(system);
  }
  return game.types.set(everybody);
}

void add_builtins(Game& game, Diagnostics& diagnostics) {
  Builtins builtins(game, diagnostics);
  const auto given = [&](std::string_view name) { return builtins.mandatory(name); };
  if (std::ranges::count_if(kGivenTypes, given) < std::ssize(kGivenTypes)) return;
  builtins.check_player_members();
  builtins.check_score_members();
  for (const std::string_view name : kFollowingTypes) builtins.type(name);

  const auto type = [&](std::string_view name) { return game.types.alias(game.symbols.intern(name)); };
  const auto constant_map = [&](SymbolId value) { return game.values.map(game.values.symbol(value), {}); };
  game.goals_ = builtins.variable("goals", type("Goals"), constant_map(game.scores().front()));
  game.player_ = builtins.variable("player", type("PlayerOrSystem"), game.values.symbol(game.keeper_));
  game.visible_ = builtins.variable("visible", type("Visibility"), constant_map(game.symbols.intern("1")));
}

bool hides_moves(const Game& game) {
  if (!game.visible().valid()) return false;
  const ValueId initial = game.variable(game.visible()).initial;
  const auto one = [&](ValueId value) {
    return game.values.is_symbol(value) && game.symbols.text(game.values.as_symbol(value)) == "1";
  };
  if (!one(game.values.default_of(initial)) || !game.values.exceptions(initial).empty()) return true;
  for (const EdgeId edge : game.graph.edges()) {
    if (written_variable(game, game.graph.label(edge)) == game.visible()) return true;
  }
  return false;
}

}  // namespace rgtrans::ir
