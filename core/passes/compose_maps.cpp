// compose-maps: a lookup in a constant map whose index is itself a lookup in a constant map becomes one lookup in a
// new constant, the composition. Maps of maps are composed in their first or last argument.
//
//   const f: C -> C = { r: g, :b };   const h: C -> C = { b: g, :r };   k = f[h[k]];    =>    k = f_h[k];
#include <algorithm>
#include <map>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::ExprId;
using ir::ExprKind;
using ir::ValueId;

namespace {

constexpr std::size_t kMostCells = 5'000;

class ComposeMaps {
 public:
  explicit ComposeMaps(ir::Game& game) : game_(game) {}

  std::size_t run() {
    for (ir::EdgeId edge : game_.graph.edges()) {
      const ir::Label old = game_.graph.label(edge);
      ir::Label now = old;
      std::visit(ir::Overloaded{
                     [&](ir::Compare& c) {
                       c.lhs = composed(c.lhs);
                       c.rhs = composed(c.rhs);
                     },
                     [&](ir::Assign& a) {
                       a.lhs = composed(a.lhs);
                       a.rhs = composed(a.rhs);
                     },
                     [&](ir::AssignAny& a) { a.lhs = composed(a.lhs); },
                     [](auto&) {},
                 },
                 now);
      if (now == old || !well_typed(game_, now)) continue;
      game_.graph.set_label(edge, now);
      ++changes_;
    }
    return changes_;
  }

 private:
  // Bottom-up.
  ExprId composed(ExprId expression) {
    if (game_.expressions().kind(expression) != ExprKind::access) return expression;
    const ExprId old_map = game_.expressions().map(expression);
    const ExprId old_index = game_.expressions().index(expression);
    const ExprId map = composed(old_map);
    const ExprId index = composed(old_index);
    if (map != old_map || index != old_index) expression = game_.access(map, index);
    // F[H[x]]
    if (!constant(map) || game_.expressions().kind(index) != ExprKind::access) return expression;
    const ExprId inner = game_.expressions().map(index);
    if (!constant(inner)) return expression;
    const auto key = std::pair(map, inner);
    auto it = made_.find(key);
    if (it == made_.end()) it = made_.emplace(key, compose(map, inner)).first;
    if (!it->second.valid()) return expression;
    return game_.access(it->second, game_.expressions().index(index));
  }

  bool constant(ExprId expression) const { return game_.expressions().kind(expression) == ExprKind::constant; }

  // A reference to the composition, or none when it would be too large.
  ExprId compose(ExprId outer, ExprId inner) {
    const ir::Constant f = game_.constant(game_.expressions().constant(outer));
    const ir::Constant h = game_.constant(game_.expressions().constant(inner));
    const ir::TypeId ft = game_.resolve(f.type);
    const ir::TypeId ht = game_.resolve(h.type);
    if (game_.values.is_symbol(f.value) || game_.values.is_symbol(h.value) || !game_.is_set(game_.types.to(ht)))
      return {};
    const ir::TypeId from = game_.types.from(ht);
    const ir::TypeId to = game_.types.to(ft);
    if (game_.cell_count(ht) * game_.cell_count(to) > kMostCells) return {};
    auto look_up = [&](SymbolId at) {
      return game_.values.at(f.value, game_.values.as_symbol(game_.values.at(h.value, at)));
    };
    // Outside its domain h gives its default.
    const ValueId otherwise = game_.values.at(f.value, game_.values.as_symbol(game_.values.default_of(h.value)));
    std::vector<ir::Values::Entry> entries;
    const auto span = game_.members(from);
    for (SymbolId member : std::vector<SymbolId>(span.begin(), span.end()))
      entries.push_back({member, look_up(member)});
    for (const auto& entry : game_.values.exceptions(h.value)) entries.push_back({entry.key, look_up(entry.key)});
    const ValueId value = game_.values.map(otherwise, entries);
    for (std::uint32_t i = 0; i < game_.constants().size(); ++i) {
      const ir::Constant& c = game_.constant(ir::ConstId(i));
      if (c.alive && c.value == value && game_.resolve(c.type) == game_.types.arrow(from, to))
        return game_.constant_ref(ir::ConstId(i));
    }
    const std::string stem = game_.symbols.str(f.name) + "_" + game_.symbols.str(h.name);
    std::string name = stem;
    for (std::size_t k = 2; taken(name); ++k) name = stem + "_" + std::to_string(k);
    return game_.constant_ref(
        game_.define_constant(game_.symbols.intern(name), game_.types.arrow(from, to), value, f.where));
  }

  // Any known name counts, so that no symbol is shadowed.
  bool taken(const std::string& name) const { return game_.symbols.find(name).valid(); }

  ir::Game& game_;
  std::map<std::pair<ExprId, ExprId>, ExprId> made_;
  std::size_t changes_ = 0;
};

}  // namespace

std::size_t compose_maps(ir::Game& game, const PassContext&) { return ComposeMaps(game).run(); }

}  // namespace rgtrans::passes
