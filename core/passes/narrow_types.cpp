// narrow-types: gives each variable the smallest type for its values, to make states smaller. These are the values of
// all its assignments (for a map, in all cells) and the initial value if it can still be read; an unread initial value
// is replaced.
//
// The keys of maps keep their type, because reading outside of it yields the default. A variable also keeps its type if
// some label would become ill-typed. A narrower type must save bits or a quarter of the members. The pass runs late:
// variables of equal types can be merged, but narrow types differ.
//
//   type T = { 1, 2, 3 };   var x: T = 3;   begin, a: x = U(*);   (U = { 1, 2 }, nothing else writes x)
//   =>   var x: U = 1;
#include <algorithm>
#include <bit>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"
#include "core/support/progress.hpp"

namespace rgtrans::passes {

using analysis::SetId;
using ir::TypeId;
using ir::VarId;

namespace {

class NarrowTypes {
 public:
  NarrowTypes(ir::Game& game, analysis::Cache& analyses)
      : game_(game), flow_(analyses.flow()), liveness_(analyses.liveness()), values_(analyses.values()) {}

  std::size_t run() {
    collect();
    narrow();
    if (narrowed_.empty()) return 0;
    game_.retype_expressions();
    while (take_back()) game_.retype_expressions();
    for (const Row& row : narrowed_) {
      const ir::Variable& variable = game_.variable(row.variable);
      if (!row.kept || !game_.claims.wanted()) continue;
      const auto members = game_.members(game_.value_type(variable.type));
      ir::OnlyHolds values{row.variable, {members.begin(), members.end()}};
      // An initial value that is never read may be replaced by any other one.
      if (variable.initial != row.old_initial) values.values.push_back(game_.values.as_symbol(row.old_initial));
      game_.claims.add("narrow-types", std::move(values), variable.where);
    }
    return static_cast<std::size_t>(std::ranges::count_if(narrowed_, [](const Row& row) { return row.kept; }));
  }

 private:
  struct Row {
    VarId variable;
    TypeId old_type;
    ir::ValueId old_initial;
    bool kept = true;
  };

  // Collects all symbols that are assigned to a variable or its cells.
  void collect() {
    std::vector<std::vector<SetId>> parts(game_.variables().size());
    for (const analysis::FlowEdge& e : flow_.edges()) {
      check_wanted();
      if (!e.edge.valid() || e.call) continue;
      const ir::Label& label = game_.graph.label(e.edge);
      const VarId written = ir::written_variable(game_, label);
      const ir::NodeId node = flow_.node(e.from);
      if (!written.valid() || !values_.possible(node)) continue;
      const auto* assign = std::get_if<ir::Assign>(&label);
      parts[written.value].push_back(assign != nullptr ? values_.values(assign->rhs, node)
                                                       : values_.members(std::get<ir::AssignAny>(label).type));
    }
    for (std::vector<SetId>& sets : parts) held_.push_back(values_.sets().unite_all(std::move(sets)));
  }

  // The target of the last arrow of a type, with its name if it has one.
  [[nodiscard]] TypeId leaf_name(TypeId type) const {
    for (TypeId at = game_.resolve(type); game_.types.kind(at) == ir::TypeKind::arrow; at = game_.resolve(type)) {
      type = game_.types.to(at);
    }
    return type;
  }

  // Whether the type saves a bit or many members. Removing a single member would only add a type for readers.
  static bool worthwhile(std::size_t kept, std::size_t all) {
    return std::bit_width(kept - 1) < std::bit_width(all - 1) || 4 * kept <= 3 * all;
  }

  TypeId with_leaf(TypeId type, TypeId leaf) {
    type = game_.resolve(type);
    if (game_.types.kind(type) != ir::TypeKind::arrow) return leaf;
    const TypeId from = game_.types.from(type);
    return game_.types.arrow(from, with_leaf(game_.types.to(type), leaf));
  }

  // The initial value of the variable as a set of values; for a map, the values of its cells.
  SetId initial_values(VarId v) {
    const ir::ValueId initial = game_.variable(v).initial;
    if (game_.values.is_symbol(initial)) return values_.sets().one(game_.values.as_symbol(initial));
    return values_.values(game_.variable_ref(v), game_.begin());
  }

  void narrow() {
    for (std::uint32_t i = 0; i < held_.size(); ++i) {
      const VarId v(i);
      const ir::Variable variable = game_.variable(v);
      if (!variable.alive || game_.built_in(v)) continue;
      const TypeId old_leaf = game_.value_type(variable.type);
      if (!old_leaf.valid()) continue;
      const bool set = game_.is_set(variable.type);
      const bool initial_read = !set || liveness_.at_index(0).test(i);
      SetId held = held_[i];
      if (initial_read) held = values_.sets().unite(held, initial_values(v));
      const auto& symbols = values_.sets().of(held);
      const auto members = game_.types.members(old_leaf);
      std::vector<SymbolId> kept;
      for (const SymbolId m : members) {
        if (std::ranges::binary_search(symbols, m)) kept.push_back(m);
      }
      // A value outside of the type means that the game is improper: leave the variable alone.
      if (kept.empty() || kept.size() != symbols.size() || !worthwhile(kept.size(), members.size())) continue;
      narrowed_.push_back({v, variable.type, variable.initial});
      const TypeId named = named_set(game_, leaf_name(variable.type), kept);
      game_.variable(v).type = alias_of(game_, with_leaf(variable.type, named));
      if (!initial_read && std::ranges::find(kept, game_.values.as_symbol(variable.initial)) == kept.end()) {
        game_.variable(v).initial = game_.values.symbol(kept.front());
      }
    }
  }

  // Restores the old types of variables in labels that became ill-typed. Returns true if there was one.
  bool take_back() {
    bool any = false;
    for (ir::EdgeId edge : game_.graph.edges()) {
      check_wanted();
      const ir::Label& label = game_.graph.label(edge);
      if (fits(label)) continue;
      for (Row& row : narrowed_) {
        if (!row.kept || !mentions(label, row.variable)) continue;
        row.kept = false;
        game_.variable(row.variable).type = row.old_type;
        game_.variable(row.variable).initial = row.old_initial;
        any = true;
      }
    }
    return any;
  }

  bool fits(const ir::Label& label) const {
    if (!ir::well_typed(game_, label)) return false;
    const auto* any = std::get_if<ir::AssignAny>(&label);
    if (any == nullptr) return true;
    return ir::includes(game_, game_.expressions().type(any->lhs), any->type);
  }

  bool mentions(const ir::Label& label, VarId v) const {
    return ir::written_variable(game_, label) == v || ir::reads(game_, label, v);
  }

  ir::Game& game_;
  const analysis::Flow& flow_;
  const analysis::Liveness& liveness_;
  analysis::ValueSets& values_;
  std::vector<SetId> held_;  // by variable
  std::vector<Row> narrowed_;
};

}  // namespace

std::size_t narrow_types(ir::Game& game, const PassContext& context) {
  return NarrowTypes(game, *context.analyses).run();
}

}  // namespace rgtrans::passes
