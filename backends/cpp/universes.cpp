// Joins types into universes by the flow of values, numbers their symbols, and finds how long arrays are.
#include <boost/pending/disjoint_sets.hpp>
#include <functional>
#include <map>
#include <set>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/model.hpp"

namespace rgtrans::cpp {

using ir::ExprKind;

// Symbols in a value that no type of their universe has.
static void add_literals(const ir::Game& game, std::vector<Universe>& universes, ValueId value, const ArrayShape& shape,
                         std::size_t depth = 0) {
  if (game.values.is_symbol(value)) {
    if (depth == shape.keys.size()) universes[shape.leaf].add(game.values.as_symbol(value));
    return;
  }
  if (depth >= shape.keys.size()) return;
  add_literals(game, universes, game.values.default_of(value), shape, depth + 1);
  for (const auto& entry : game.values.exceptions(value)) {
    universes[shape.keys[depth]].add(entry.key);
    add_literals(game, universes, entry.value, shape, depth + 1);
  }
}

// Types are joined along the flow of values. A bare symbol has no universe of its own: it takes the one it meets,
// so that a 0 that is a Score and a 0 that is a Bool do not join the two.
void NumberedGame::find_universes() {
  boost::disjoint_sets_with_storage<> groups(game.types.size());
  const auto& e = game.expressions();
  const std::function<void(TypeId, TypeId)> join = [&](TypeId a, TypeId b) {
    a = game.resolve(a);
    b = game.resolve(b);
    if (!a.valid() || !b.valid() || a == b) return;
    const bool arrow = game.types.kind(a) == ir::TypeKind::arrow;
    if (arrow != (game.types.kind(b) == ir::TypeKind::arrow)) return;
    if (arrow) {
      join(game.types.from(a), game.types.from(b));
      join(game.types.to(a), game.types.to(b));
    } else {
      groups.union_set(a.value, b.value);
    }
  };
  const auto join_values = [&](ExprId a, ExprId b) {
    if (e.kind(a) != ExprKind::symbol && e.kind(b) != ExprKind::symbol) join(e.type(a), e.type(b));
  };
  // Casts connect what they convert; the original labels still have them.
  const auto join_index = [&](ExprId id) {
    const TypeId map = game.resolve(e.type(e.map(id)));
    if (game.is_arrow(map) && e.kind(e.index(id)) != ExprKind::symbol) join(game.types.from(map), e.type(e.index(id)));
  };
  for (const Step& step : steps) {
    for_each_access(step, join_index);
    if (step.kind == Deed::compare || step.kind == Deed::assign) join_values(step.lhs, step.rhs);
    if (step.kind == Deed::assign_any) join(e.type(step.lhs), step.type);
  }
  // Player and its union with the system's players are one thing to every user of the interface.
  join(game.variable(game.player()).type, game.types.from(game.resolve(game.variable(game.goals()).type)));
  join(game.variable(game.player()).type, game.types.from(game.resolve(game.variable(game.visible()).type)));

  std::vector<std::uint32_t> root(game.types.size(), kNone);
  for (std::uint32_t i = 0; i < game.types.size(); ++i) {
    if (game.types.kind(TypeId(i)) == ir::TypeKind::set) root[i] = static_cast<std::uint32_t>(groups.find_set(i));
  }
  number_universes(root);
  find_shapes();

  // Symbols that are no member of any type of the universe they are used in still get a number.
  const auto add_key = [&](ExprId id) {
    const ArrayShape map = shape(e.type(e.map(id)));
    if (e.kind(e.index(id)) == ExprKind::symbol && !map.scalar()) universes[map.keys[0]].add(e.symbol(e.index(id)));
  };
  for (const Step& step : steps) {
    for_each_access(step, add_key);
    if (step.kind != Deed::compare && step.kind != Deed::assign) continue;
    for (const auto& [a, b] : {std::pair(step.lhs, step.rhs), std::pair(step.rhs, step.lhs)}) {
      if (e.kind(a) == ExprKind::symbol && e.kind(b) != ExprKind::symbol) {
        universes[shape(e.type(b)).leaf].add(e.symbol(a));
      }
    }
  }
  for (std::size_t i = 0; i < game.variables().size(); ++i)
    add_literals(game, universes, game.variables()[i].initial, shapes_[i]);
  for (std::size_t i = 0; i < game.constants().size(); ++i) {
    if (game.constants()[i].alive) add_literals(game, universes, game.constants()[i].value, constant_shapes_[i]);
  }
  for (const SymbolId player : game.players()) universes[shapes_[game.player().value].leaf].add(player);
  universes[shapes_[game.player().value].leaf].add(game.keeper());
  universes[shapes_[game.player().value].leaf].add(game.random());
  name_universes();
}

// Members of a type that do not follow each other in another one.
static bool has_gaps(const ir::Game& game, TypeId part, TypeId whole) {
  const auto members = game.types.members(whole);
  const auto of_part = game.types.members(part);
  const std::set<SymbolId> wanted(of_part.begin(), of_part.end());
  const auto inside = [&](SymbolId member) { return wanted.contains(member); };
  const auto first = std::ranges::find_if(members, inside);
  const auto behind = std::find_if_not(first, members.end(), inside);
  return std::any_of(behind, members.end(), inside);
}

void NumberedGame::number_universes(std::vector<std::uint32_t>& root) {
  // Small types come first, so that maps from them are small. A part of a board that no map is from does not when
  // it is small or has gaps: its cells stay among their neighbours, so that most of these are equally far away.
  std::vector<std::uint32_t> order;
  std::vector<TypeId> largest(root.size());  // by root
  std::vector<bool> maps(root.size(), false);
  for (std::uint32_t i = 0; i < root.size(); ++i) {
    if (const TypeId type(i); game.types.kind(type) == ir::TypeKind::arrow) {
      const TypeId from = game.resolve(game.types.from(type));
      if (from.valid()) maps[from.value] = true;
    }
    if (root[i] == kNone) continue;
    order.push_back(i);
    TypeId& most = largest[root[i]];
    if (!most.valid() || game.types.members(TypeId(i)).size() > game.types.members(most).size()) most = TypeId(i);
  }
  std::map<std::uint32_t, std::pair<bool, std::size_t>> rank;
  for (const std::uint32_t i : order) {
    const std::size_t size = game.types.members(TypeId(i)).size();
    const std::size_t most = game.types.members(largest[root[i]]).size();
    const bool stays =
        most > kCosts.large_type && !maps[i] && (2 * size < most || has_gaps(game, TypeId(i), largest[root[i]]));
    rank[i] = {stays, size};
  }
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return rank.at(i); });
  // Types that nothing names would only add symbols: the singletons of literals.
  std::vector<std::uint32_t> index(root.size(), kNone);
  universe_of_type_.assign(root.size(), kNone);
  for (const std::uint32_t type : order) {
    if (index[root[type]] == kNone) {
      index[root[type]] = static_cast<std::uint32_t>(universes.size());
      universes.emplace_back();
    }
    universe_of_type_[type] = index[root[type]];
    for (const SymbolId member : game.types.members(TypeId(type))) universes[universe_of_type_[type]].add(member);
  }
}

void NumberedGame::find_shapes() {
  shapes_.clear();
  constant_shapes_.clear();
  for (const ir::Variable& variable : game.variables()) shapes_.push_back(shape(variable.type));
  for (const ir::Constant& constant : game.constants()) constant_shapes_.push_back(shape(constant.type));
}

// Maps from one type have arrays of one size, and so have maps of types that are copied or compared as a whole.
void NumberedGame::find_extents() {
  std::vector<std::uint32_t> extents(game.types.size(), 0);
  boost::disjoint_sets_with_storage<> groups(game.types.size());
  const auto& e = game.expressions();
  const auto widen = [&](TypeId type, std::uint32_t to) { extents[type.value] = std::max(extents[type.value], to); };
  const std::function<void(TypeId, TypeId)> join = [&](TypeId a, TypeId b) {
    a = game.resolve(a);
    b = game.resolve(b);
    if (!game.is_arrow(a) || !game.is_arrow(b)) return;
    groups.union_set(game.resolve(game.types.from(a)).value, game.resolve(game.types.from(b)).value);
    join(game.types.to(a), game.types.to(b));
  };
  const auto widen_map = [&](ExprId id) {
    const TypeId map = game.resolve(e.type(e.map(id)));
    if (!game.is_arrow(map)) return;
    const Bits indices = possible(e.index(id), shape(map).keys[0]);
    for (const std::size_t c : indices) widen(game.resolve(game.types.from(map)), static_cast<std::uint32_t>(c) + 1);
  };
  for (std::uint32_t i = 0; i < game.types.size(); ++i) {
    if (game.types.kind(TypeId(i)) != ir::TypeKind::set) continue;
    for (const std::uint32_t c : member_codes(TypeId(i))) widen(TypeId(i), c + 1);
  }
  for (const Step& step : steps) {
    for_each_access(step, widen_map);
    if (step.kind == Deed::compare || step.kind == Deed::assign) join(e.type(step.lhs), e.type(step.rhs));
  }
  for (std::uint32_t i = 0; i < extents.size(); ++i) widen(TypeId(groups.find_set(i)), extents[i]);
  for (std::uint32_t i = 0; i < extents.size(); ++i) extents[i] = extents[groups.find_set(i)];
  extents_ = std::move(extents);
  for (const Bits& codes : variable_values) {
    std::size_t bound = 0;
    for (const std::size_t code : codes) bound = code + 1;
    bounds.push_back(static_cast<std::uint32_t>(bound));
  }
  find_shapes();
}

void NumberedGame::name_universes() {
  std::vector<std::size_t> best(universes.size(), 0);
  for (const ir::TypeDef& def : game.type_defs()) {
    if (!def.alive) continue;
    const TypeId type = game.resolve(def.type);
    if (!type.valid() || game.types.kind(type) != ir::TypeKind::set) continue;
    Universe& universe = universes[universe_of_type_[type.value]];
    std::size_t& size = best[universe_of_type_[type.value]];
    if (game.types.members(type).size() > size) {
      size = game.types.members(type).size();
      universe.name = game.symbols.str(def.name);
    }
  }
  Identifiers names;
  for (Universe& universe : universes) {
    universe.name = names.make(universe.name.empty() ? "Symbols" : universe.name);
    // Functions of the reasoner begin so, and none ends with an underscore.
    if (is_lower(universe.name.front()) && universe.name.back() != '_') universe.name += '_';
    Identifiers members;
    for (const SymbolId symbol : universe.symbols)
      universe.enumerators.push_back(members.make(game.symbols.text(symbol)));
  }
}

}  // namespace rgtrans::cpp
