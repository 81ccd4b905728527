// compose-maps: replaces a lookup in a constant map, indexed by a lookup in another constant map, by one lookup in
// their composition. Chains of lookups thus become one lookup.
//
// In a map of maps, every argument is composed, whatever other arguments it has; the inner lookup may have several
// arguments, too. Maps are total: a key outside of the type yields the default. The composition preserves this, because
// it is built from defaults and exceptions alone. Large products are skipped.
//
//   k = d[c][h[x][y]];      =>      k = d_h[c][x][y];
//   const f: C -> C = { r: g, :b };   const h: C -> C = { b: g, :r };   k = f[h[k]];    =>    k = f_h[k];
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

  std::size_t run(const PassContext& context) {
    Relabelling relabelling(game_, "compose-maps");
    for (ir::EdgeId edge : changed_edges(game_, context)) {
      const ir::Label old = game_.graph.label(edge);
      ir::Label now = old;
      ir::for_each_expression(now, [&](ir::ExprId& expression) { expression = composed(expression); });
      if (now == old || !ir::well_typed(game_, now)) continue;
      relabelling.set_label(edge, now);
      ++changes_;
    }
    return changes_;
  }

 private:
  // Bottom-up: an expression C[a1]…[ak] with a constant C absorbs every argument that is itself a lookup in a constant.
  ExprId composed(ExprId expression) {
    const ExprId old_root = game_.expressions().root(expression);
    std::vector<ExprId> arguments = ir::indices_of(game_.expressions(), expression);
    if (!plain(expression, arguments.size())) return expression;
    bool changed = false;
    for (ExprId& argument : arguments) {
      const ExprId now = composed(argument);
      changed = changed || now != argument;
      argument = now;
    }
    ExprId root = old_root;
    for (std::size_t i = 0; i < arguments.size() && constant(root);) {
      if (!take_in(root, arguments, i)) {
        ++i;
        continue;
      }
      changed = true;
    }
    if (!changed) return expression;
    for (const ExprId argument : arguments) root = game_.access(root, argument);
    return root;
  }

  // Replaces argument i = D[b1]…[bm] by b1, …, bm and the root by the composition.
  bool take_in(ExprId& root, std::vector<ExprId>& arguments, std::size_t i) {
    const ir::Expressions& e = game_.expressions();
    const ExprId inner = e.root(arguments[i]);
    const std::vector<ExprId> indices = ir::indices_of(e, arguments[i]);
    if (indices.empty() || !constant(inner) || !plain(arguments[i], indices.size())) return false;
    const Key key{root, i, inner, indices.size()};
    auto it = made_.find(key);
    if (it == made_.end()) it = made_.emplace(key, compose(key)).first;
    if (!it->second.valid()) return false;
    root = it->second;
    arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(i));
    arguments.insert(arguments.begin() + static_cast<std::ptrdiff_t>(i), indices.begin(), indices.end());
    return true;
  }

  // Whether the expression consists of exactly this number of lookups, without casts.
  bool plain(ExprId expression, std::size_t lookups) const {
    const ir::Expressions& e = game_.expressions();
    for (; e.kind(expression) == ExprKind::access; expression = e.map(expression)) --lookups;
    return lookups == 0;
  }
  bool constant(ExprId expression) const { return game_.expressions().kind(expression) == ExprKind::constant; }

  struct Key {
    ExprId outer;
    std::size_t position;
    ExprId inner;
    std::size_t depth;
    auto operator<=>(const Key&) const = default;
  };

  // A reference to the composition, or none if it would be too large.
  ExprId compose(const Key& key) {
    const ir::Constant f = game_.constant(game_.expressions().constant(key.outer));
    const ir::Constant h = game_.constant(game_.expressions().constant(key.inner));
    std::vector<ir::TypeId> keys;
    ir::TypeId to = f.type;
    for (std::size_t i = 0; i <= key.position; ++i) {
      const ir::TypeId arrow = game_.resolve(to);
      if (game_.types.kind(arrow) != ir::TypeKind::arrow) return {};
      if (i < key.position) keys.push_back(game_.types.from(arrow));
      to = game_.types.to(arrow);
    }
    ir::TypeId between = game_.resolve(h.type);
    for (std::size_t i = 0; i < key.depth; ++i) {
      if (game_.types.kind(between) != ir::TypeKind::arrow) return {};
      keys.push_back(game_.types.from(between));
      between = game_.resolve(game_.types.to(between));
    }
    if (game_.types.kind(between) != ir::TypeKind::set) return {};
    std::uint64_t cells = game_.cell_count(to);
    for (const ir::TypeId k : keys) {
      cells *= game_.members(k).size();
      if (cells == 0 || cells > kMostCells) return {};
    }
    ir::TypeId type = to;
    for (auto k = keys.rbegin(); k != keys.rend(); ++k) type = game_.types.arrow(*k, type);
    const ValueId value = outer_value(f.value, h.value, key.position, key.depth);
    return named_constant(game_, game_.symbols.str(f.name) + "_" + game_.symbols.str(h.name), type, value, f.where);
  }

  // Replaces everything below the keys of a map. Keys without an exception have the default before and after, also
  // outside of the type.
  template <class F>
  ValueId rebuilt(ValueId map, F&& below) {
    const ValueId otherwise = below(game_.values.default_of(map));
    const auto span = game_.values.exceptions(map);
    std::vector<ir::Values::Entry> entries(span.begin(), span.end());
    for (auto& entry : entries) entry.value = below(entry.value);
    return game_.values.map(otherwise, entries);
  }
  ValueId outer_value(ValueId f, ValueId h, std::size_t position, std::size_t depth) {
    if (position == 0) return inner_value(f, h, depth);
    return rebuilt(f, [&](ValueId below) { return outer_value(below, h, position - 1, depth); });
  }
  ValueId inner_value(ValueId f, ValueId h, std::size_t depth) {
    if (depth == 0) return game_.values.at(f, game_.values.as_symbol(h));
    return rebuilt(h, [&](ValueId below) { return inner_value(f, below, depth - 1); });
  }

  ir::Game& game_;
  std::map<Key, ExprId> made_;
  std::size_t changes_ = 0;
};

}  // namespace

std::size_t compose_maps(ir::Game& game, const PassContext& context) { return ComposeMaps(game).run(context); }

}  // namespace rgtrans::passes
