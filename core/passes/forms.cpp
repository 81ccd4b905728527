// expand-any, expand-tags, normalize-types, explicit-casts, mangle-symbols: other forms of the same game, for tools
// that do not know some construct. They run only when named, and undo each other's friends: run them last.
//
//   a, b: k = C(*);                =>   a, b: k = r;   a, b: k = g;
//   a, b: $$ k;                    =>   a, 1: k == r;   1, b: $ r;   a, 2: k == g;   2, b: $ g;
//   var m: C -> C -> C = …;        =>   type Type1 = C -> C;   type Type2 = C -> Type1;   var m: Type2 = …;
//   m[k] = r                       =>   C(M(m)[C(k)]) = C(r)
//   var board: M = …;              =>   var _0: M = …;
#include <algorithm>
#include <set>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::EdgeId;
using ir::ExprId;
using ir::NodeId;
using ir::TypeId;

std::size_t expand_any(ir::Game& game, const PassContext&) {
  std::size_t changes = 0;
  const auto bound = static_cast<std::uint32_t>(game.graph.edge_bound());
  for (std::uint32_t i = 0; i < bound; ++i) {
    const EdgeId edge(i);
    if (!game.graph.alive(edge)) continue;
    const auto* any = std::get_if<ir::AssignAny>(&game.graph.label(edge));
    if (any == nullptr || !game.is_set(any->type)) continue;
    const ExprId lhs = any->lhs;
    const auto span = game.members(any->type);
    const NodeId source = game.graph.source(edge);
    const NodeId target = game.graph.target(edge);
    const Range where = game.graph.where(edge);
    game.graph.remove_edge(edge);
    for (SymbolId member : std::vector<SymbolId>(span.begin(), span.end())) {
      game.graph.add_edge(source, target, ir::Assign{lhs, game.symbol(member)}, where);
    }
    ++changes;
  }
  return changes;
}

std::size_t expand_tags(ir::Game& game, const PassContext&) {
  std::size_t changes = 0;
  const auto bound = static_cast<std::uint32_t>(game.graph.edge_bound());
  for (std::uint32_t i = 0; i < bound; ++i) {
    const EdgeId edge(i);
    if (!game.graph.alive(edge)) continue;
    const auto* tag = std::get_if<ir::TagVariable>(&game.graph.label(edge));
    if (tag == nullptr) continue;
    const ExprId variable = game.variable_ref(tag->variable);
    const auto span = game.members(game.variable(tag->variable).type);
    const NodeId source = game.graph.source(edge);
    const NodeId target = game.graph.target(edge);
    const Range where = game.graph.where(edge);
    game.graph.remove_edge(edge);
    for (SymbolId member : std::vector<SymbolId>(span.begin(), span.end())) {
      const NodeId middle = game.graph.add_node({}, where);
      game.graph.add_edge(source, middle, ir::Compare{variable, game.symbol(member), false}, where);
      game.graph.add_edge(middle, target, ir::Tag{member}, where);
    }
    ++changes;
  }
  return changes;
}

namespace {

// The first alias that stands for exactly this type, or none.
TypeId named(ir::Game& game, TypeId type) {
  if (!type.valid() || game.types.kind(type) == ir::TypeKind::alias) return type;
  for (const ir::TypeDef& def : game.type_defs()) {
    if (def.alive && game.resolve(def.type) == type) return game.types.alias(def.name);
  }
  return {};
}

class NormalizeTypes {
 public:
  explicit NormalizeTypes(ir::Game& game) : game_(game) {}

  std::size_t run() {
    for (std::uint32_t i = 0; i < game_.type_defs().size(); ++i) {
      if (!game_.type_defs()[i].alive) continue;
      const TypeId type = game_.type_defs()[i].type;
      const TypeId flat = flattened(type);
      if (flat == type) continue;
      game_.type_defs()[i].type = flat;
      ++changes_;
    }
    for (std::uint32_t i = 0; i < game_.constants().size(); ++i) {
      ir::Constant& c = game_.constant(ir::ConstId(i));
      if (c.alive) c.type = name(c.type);
    }
    for (std::uint32_t i = 0; i < game_.variables().size(); ++i) {
      ir::Variable& v = game_.variable(ir::VarId(i));
      if (v.alive) v.type = name(v.type);
    }
    if (changes_ > 0) game_.retype_expressions();
    return changes_;
  }

 private:
  // An arrow between names.
  TypeId flattened(TypeId type) {
    if (game_.types.kind(type) != ir::TypeKind::arrow) return type;
    const TypeId from = game_.types.from(type);
    const TypeId to = game_.types.to(type);
    return game_.types.arrow(name(from), name(to));
  }

  TypeId name(TypeId type) {
    if (game_.types.kind(type) == ir::TypeKind::alias) return type;
    type = flattened(type);
    ++changes_;
    for (const ir::TypeDef& def : game_.type_defs()) {
      if (def.alive && def.type == type) return game_.types.alias(def.name);
    }
    for (std::size_t i = 1;; ++i) {
      const SymbolId fresh = game_.symbols.intern("Type" + std::to_string(i));
      if (game_.find_type(fresh) != nullptr) continue;
      game_.define_type(fresh, type);
      return game_.types.alias(fresh);
    }
  }

  ir::Game& game_;
  std::size_t changes_ = 0;
};

// Casts every part for which there is a named type.
ExprId cast_parts(ir::Game& game, ExprId expression, bool root_of_left_side) {
  const ir::Expressions& e = game.expressions();
  const ir::ExprKind kind = e.kind(expression);
  if (kind == ir::ExprKind::cast || kind == ir::ExprKind::symbol) return expression;
  if (kind == ir::ExprKind::variable && root_of_left_side) return expression;
  if (kind == ir::ExprKind::access) {
    const ExprId old_index = e.index(expression);
    const ExprId map = cast_parts(game, e.map(expression), root_of_left_side);
    expression = ir::with_parts(game, expression, map, cast_parts(game, old_index, false));
  }
  const TypeId type = named(game, game.expressions().type(expression));
  return type.valid() ? game.cast(type, expression) : expression;
}

ExprId with_type(ir::Game& game, ExprId expression, TypeId type) {
  if (game.expressions().kind(expression) != ir::ExprKind::symbol || !type.valid()) return expression;
  return game.index_of(type, game.expressions().symbol(expression)) >= 0 ? game.cast(type, expression) : expression;
}

}  // namespace

std::size_t normalize_types(ir::Game& game, const PassContext&) { return NormalizeTypes(game).run(); }

std::size_t explicit_casts(ir::Game& game, const PassContext&) {
  std::size_t changes = 0;
  for (EdgeId edge : game.graph.edges()) {
    const ir::Label old = game.graph.label(edge);
    ir::Label now = old;
    if (game.is_player_assignment(old)) continue;
    if (auto* c = std::get_if<ir::Compare>(&now)) {
      const TypeId left = named(game, game.expressions().type(c->lhs));
      const TypeId right = named(game, game.expressions().type(c->rhs));
      c->lhs = with_type(game, cast_parts(game, c->lhs, false), right);
      c->rhs = with_type(game, cast_parts(game, c->rhs, false), left);
    } else if (auto* a = std::get_if<ir::Assign>(&now)) {
      const TypeId left = named(game, game.expressions().type(a->lhs));
      a->lhs = cast_parts(game, a->lhs, true);
      a->rhs = with_type(game, cast_parts(game, a->rhs, false), left);
    }
    if (now == old || !ir::well_typed(game, now)) continue;
    game.graph.set_label(edge, now);
    ++changes;
  }
  return changes;
}

// Nodes, constants and variables get short names. Symbols and tags stay, because players and goals show them, and so do
// types. Looking declarations up by name finds the old names: nothing but printing should follow.
std::size_t mangle_symbols(ir::Game& game, const PassContext&) {
  static const std::set<std::string_view> kKept = {"Bool",       "Goals", "Player", "PlayerOrSystem", "Score",
                                                   "Visibility", "goals", "player", "visible"};
  std::size_t changes = 0;
  std::size_t next = 0;
  auto fresh = [&] {
    for (;;) {
      std::string text;
      for (std::size_t n = next++; text.empty() || n > 0; n /= 36)
        text += "0123456789abcdefghijklmnopqrstuvwxyz"[n % 36];
      text.insert(0, 1, '_');
      if (!game.symbols.find(text).valid()) return game.symbols.intern(text);
    }
  };
  const auto kept = [&](SymbolId name) { return kKept.contains(game.symbols.text(name)); };
  for (std::uint32_t i = 0; i < game.constants().size(); ++i) {
    const ir::ConstId id(i);
    if (!game.constant(id).alive) continue;
    game.constant(id).name = fresh();
    ++changes;
  }
  for (std::uint32_t i = 0; i < game.variables().size(); ++i) {
    const ir::VarId id(i);
    if (!game.variable(id).alive || kept(game.variable(id).name)) continue;
    game.variable(id).name = fresh();
    ++changes;
  }
  for (NodeId node : game.graph.nodes()) {
    if (node == game.begin() || node == game.end() || !game.graph.name(node).valid()) continue;
    game.graph.set_name(node, {});
    ++changes;
  }
  return changes;
}

}  // namespace rgtrans::passes
