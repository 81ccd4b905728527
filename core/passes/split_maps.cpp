// split-maps: splits a map variable into one variable per cell (scalar replacement of aggregates). All accesses must
// use constant keys of the map's type, and the map must never be used as a whole. Cells without an access disappear.
// Later passes can then analyse each cell separately: constants, lifetimes, sharing. `goals` and `visible` stay maps.
//
//   var m: T -> U = { 1: b, :a };   m[1] = c;   m[2] == a;      =>      var m_1: U = b;   m_1 = c;   var m_2: U = a;
//   m_2 == a;
#include <map>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::ExprId;
using ir::ExprKind;
using ir::VarId;

namespace {

class SplitMaps {
 public:
  explicit SplitMaps(ir::Game& game) : game_(game), keys_(game.variables().size()) {}

  std::size_t run() {
    bool any = false;
    for (std::uint32_t i = 0; i < keys_.size(); ++i) {
      const VarId v(i);
      const ir::Variable& variable = game_.variable(v);
      keys_[i].fits = variable.alive && v != game_.goals() && v != game_.visible() && game_.is_arrow(variable.type);
      any = any || keys_[i].fits;
    }
    if (!any) return 0;
    for (ir::EdgeId edge : game_.graph.edges()) {
      ir::for_each_expression(game_.graph.label(edge), [&](ExprId expression) { collect(expression); });
    }
    // Large maps stay: the analyses store data for every variable at every node.
    constexpr std::size_t kMostCells = 32;
    std::size_t changes = 0;
    for (std::uint32_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i].cells.size() > kMostCells) keys_[i].fits = false;
      if (!keys_[i].fits || keys_[i].cells.empty()) continue;
      define_cells(VarId(i));
      ++changes;
    }
    if (changes == 0) return 0;
    for (ir::EdgeId edge : game_.graph.edges()) {
      ir::Label label = game_.graph.label(edge);
      if (game_.claims.wanted()) claim(edge);
      ir::for_each_expression(label, [&](ExprId& expression) { expression = split(expression); });
      if (label != game_.graph.label(edge)) game_.graph.set_label(edge, label);
    }
    for (std::uint32_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i].fits && !keys_[i].cells.empty()) game_.remove_variable(VarId(i));
    }
    return changes;
  }

 private:
  struct Keys {
    bool fits = false;
    std::map<SymbolId, ExprId> cells;  // the new variable of each key
  };

  // The variable and key of an access m[key] of a variable m.
  [[nodiscard]] std::pair<VarId, SymbolId> cell(ExprId expression) const {
    const ir::Expressions& e = game_.expressions();
    if (e.kind(expression) != ExprKind::access) return {};
    const ExprId map = e.uncast(e.map(expression));
    if (e.kind(map) != ExprKind::variable) return {};
    const auto key = game_.constant_symbol(e.index(expression));
    const ir::TypeId type = game_.resolve(game_.variable(e.variable(map)).type);
    if (!key || game_.index_of(game_.types.from(type), *key) < 0) return {};
    return {e.variable(map), *key};
  }

  void collect(ExprId expression) {
    const ir::Expressions& e = game_.expressions();
    ir::visit_parts(e, expression, [&](ExprId part) {
      if (e.kind(part) == ExprKind::variable) keys_[e.variable(part).value].fits = false;
      const auto [variable, key] = cell(part);
      if (variable.valid()) keys_[variable.value].cells.try_emplace(key);
      return !variable.valid();
    });
  }

  // The cell that an edge reads or writes is that of the key.
  void claim(ir::EdgeId edge) {
    ir::for_each_expression(game_.graph.label(edge), [&](ExprId expression) {
      ir::visit_parts(game_.expressions(), expression, [&](ExprId part) {
        const auto [variable, key] = cell(part);
        if (variable.valid() && keys_[variable.value].fits)
          game_.claims.add("split-maps", ir::OneOf{edge, game_.expressions().index(part), {key}},
                           game_.graph.where(edge));
        return !variable.valid();
      });
    });
  }

  void define_cells(VarId v) {
    const ir::Variable map = game_.variable(v);
    const ir::TypeId type = game_.types.to(game_.resolve(map.type));
    for (auto& [key, reference] : keys_[v.value].cells) {
      const std::string stem = game_.symbols.str(map.name) + "_" + game_.symbols.str(key);
      std::string name = stem;
      for (std::size_t k = 2; game_.symbols.find(name).valid(); ++k) name = stem + "_" + std::to_string(k);
      const VarId fresh =
          game_.define_variable(game_.symbols.intern(name), type, game_.values.at(map.initial, key), map.where);
      reference = game_.variable_ref(fresh);
    }
  }

  ExprId split(ExprId expression) {
    return ir::rewrite(game_, expression, [&](ExprId part) {
      const auto [variable, key] = cell(part);
      return variable.valid() && keys_[variable.value].fits ? keys_[variable.value].cells.at(key) : ExprId();
    });
  }

  ir::Game& game_;
  std::vector<Keys> keys_;  // by variable
};

}  // namespace

std::size_t split_maps(ir::Game& game, const PassContext&) { return SplitMaps(game).run(); }

}  // namespace rgtrans::passes
