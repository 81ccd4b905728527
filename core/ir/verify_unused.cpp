// Warnings: unused names, conditions with a fixed outcome, duplicate edges.
#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "core/ir/builtins.hpp"
#include "core/ir/parts.hpp"
#include "core/ir/relations.hpp"
#include "core/ir/verifier_parts.hpp"

namespace rgtrans::ir {

namespace {

class Unused {
 public:
  Unused(const Game& game, Diagnostics& diagnostics)
      : game_(game),
        diagnostics_(diagnostics),
        constant_used_(game.constants().size()),
        variable_used_(game.variables().size()) {}

  void run() {
    for (EdgeId edge : game_.graph.edges()) {
      std::visit([&](const auto& label) { use(label, edge); }, game_.graph.label(edge));
    }
    duplicate_edges();
    names();
  }

 private:
  void use(const Empty&, EdgeId) {}
  void use(const Tag&, EdgeId) {}
  void use(const Reachability&, EdgeId) {}
  void use(const TagVariable& tag, EdgeId) { variable_used_[tag.variable.value] = true; }
  void use(const AssignAny& assign, EdgeId) {
    use_target(assign.lhs);
    use_type(assign.type);
  }
  void use(const Assign& assign, EdgeId) {
    use_target(assign.lhs);
    use(assign.rhs);
  }
  void use(const Compare& compare, EdgeId edge) {
    use(compare.lhs);
    use(compare.rhs);
    const Expressions& e = game_.expressions();
    const bool same = e.uncast(compare.lhs) == e.uncast(compare.rhs);
    const auto left = game_.constant_symbol(compare.lhs);
    const auto right = game_.constant_symbol(compare.rhs);
    if (!same && !(left && right)) return;
    const bool holds = (same || *left == *right) != compare.negated;
    diagnostics_.warning(game_.graph.where(edge), fmt::format("the comparison {} holds", holds ? "always" : "never"));
  }

  // Writing to a variable does not use it, but its indices are used.
  void use_target(ExprId lhs) {
    const Expressions& e = game_.expressions();
    for (; e.kind(lhs) == ExprKind::access || e.kind(lhs) == ExprKind::cast;
         lhs = e.kind(lhs) == ExprKind::access ? e.map(lhs) : e.operand(lhs)) {
      if (e.kind(lhs) == ExprKind::access) use(e.index(lhs));
      if (e.kind(lhs) == ExprKind::cast) use_type(e.cast_type(lhs));
    }
  }

  void use(ExprId id) {
    const Expressions& e = game_.expressions();
    visit_parts(e, id, [&](ExprId part) {
      if (e.kind(part) == ExprKind::constant) constant_used_[e.constant(part).value] = true;
      if (e.kind(part) == ExprKind::variable) variable_used_[e.variable(part).value] = true;
      if (e.kind(part) == ExprKind::cast) use_type(e.cast_type(part));
      return true;
    });
  }

  void use_type(TypeId type) {
    game_.types.for_each_alias(type, [&](SymbolId name) { types_used_.insert(name); });
  }

  void duplicate_edges() {
    std::unordered_map<std::uint64_t, EdgeId> first;
    first.reserve(game_.graph.edge_count());
    for (EdgeId edge : game_.graph.edges()) {
      const auto& g = game_.graph;
      const std::uint64_t hash =
          combine_hash(combine_hash(hash_label(g.label(edge)), g.source(edge).value), g.target(edge).value);
      const auto [it, fresh] = first.try_emplace(hash, edge);
      if (fresh || g.source(it->second) != g.source(edge) || g.target(it->second) != g.target(edge) ||
          g.label(it->second) != g.label(edge)) {
        continue;
      }
      diagnostics_.warning(g.where(edge), "this edge is written twice")
          .notes.push_back({g.where(it->second), "the first one"});
    }
  }

  // A constant named inside another constant's literal is visible only as a shared part of that value.
  void collect_parts(ValueId value) {
    if (!value.valid() || game_.values.is_symbol(value) || !parts_.insert(value).second) return;
    collect_inner(value);
  }
  void collect_inner(ValueId map) {
    collect_parts(game_.values.default_of(map));
    for (const Values::Entry& entry : game_.values.exceptions(map)) collect_parts(entry.value);
  }

  void names() {
    for (const Constant& c : game_.constants()) {
      if (c.alive && c.value.valid() && !game_.values.is_symbol(c.value)) collect_inner(c.value);
    }
    for (const Variable& v : game_.variables()) {
      if (v.alive) collect_parts(v.initial);
    }
    for (std::size_t i = 0; i < constant_used_.size(); ++i) {
      const Constant& c = game_.constants()[i];
      if (!c.alive) continue;
      use_type(c.type);
      const bool map = c.value.valid() && !game_.values.is_symbol(c.value);
      if (!constant_used_[i] && c.where.known() && map && !parts_.contains(c.value)) {
        diagnostics_.warning(c.where, fmt::format("the constant {} is not used", game_.symbols.text(c.name)));
      }
    }
    for (std::size_t i = 0; i < variable_used_.size(); ++i) {
      const Variable& v = game_.variables()[i];
      const VarId id(i);
      if (!v.alive) continue;
      use_type(v.type);
      if (game_.built_in(id)) continue;
      if (!variable_used_[i] && v.where.known()) {
        diagnostics_.warning(v.where, fmt::format("the variable {} is never read", game_.symbols.text(v.name)));
      }
      if (game_.find_constant(v.name).valid()) {
        diagnostics_.warning(v.where, fmt::format("the variable {} is hidden by the constant of the same name",
                                                  game_.symbols.text(v.name)));
      }
    }
    for (const TypeDef& def : game_.type_defs()) {
      if (def.alive) use_type(def.type);
    }
    for (const TypeDef& def : game_.type_defs()) {
      const std::string_view name = game_.symbols.text(def.name);
      if (!def.alive || !def.where.known() || types_used_.contains(def.name) || is_builtin_type(name)) continue;
      diagnostics_.warning(def.where, fmt::format("the type {} is not used", name));
    }
  }

  const Game& game_;
  Diagnostics& diagnostics_;
  std::vector<bool> constant_used_;
  std::vector<bool> variable_used_;
  std::unordered_set<SymbolId> types_used_;
  std::unordered_set<ValueId> parts_;
};

}  // namespace

void warn_unused(const Game& game, Diagnostics& diagnostics) { Unused(game, diagnostics).run(); }

}  // namespace rgtrans::ir
