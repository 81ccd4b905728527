// Which symbols expressions can be, as far as somebody knows: at a node (ValueSets) or wherever it is
// (HeldValues). Sets of symbols are interned, so that equal ones are equal numbers.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/analysis/memo.hpp"
#include "core/ir/ir.hpp"
#include "core/support/sorted.hpp"
#include "core/support/truth.hpp"

namespace rgtrans::analysis {

using SetId = std::uint32_t;

// Interned sets of symbols.
class SymbolSets {
 public:
  SymbolSets() { intern({}); }
  static constexpr SetId kEmpty = 0;

  SetId intern(std::vector<SymbolId> sorted);
  SetId one(SymbolId symbol) { return intern({symbol}); }
  SetId unite(SetId a, SetId b);
  // Of many sets: one after the other would keep each set on the way.
  SetId unite_all(std::vector<SetId> parts);
  SetId intersect(SetId a, SetId b);
  SetId without(SetId set, SymbolId symbol);
  [[nodiscard]] const std::vector<SymbolId>& of(SetId id) const { return sets_[id]; }
  [[nodiscard]] bool disjoint(SetId a, SetId b) const;
  // The member of a set with one member, or none.
  [[nodiscard]] SymbolId single(SetId id) const { return sets_[id].size() == 1 ? sets_[id][0] : SymbolId(); }

 private:
  std::vector<std::vector<SymbolId>> sets_;
  IndexSet index_;
  Memo unions_;
};

// What somebody knows.
class Possible {
 public:
  // `most_maps`: of more maps together that an expression can be, the parts are not looked at one by one.
  Possible(const ir::Game& game, std::size_t most_maps) : game_(game), most_maps_(most_maps) {}
  virtual ~Possible() = default;
  Possible(const Possible&) = delete;
  Possible& operator=(const Possible&) = delete;

  // False where no state can ever be.
  [[nodiscard]] virtual bool possible(ir::NodeId) const { return true; }
  // What an expression of a set type can be at a possible node; of a map, its cells.
  virtual SetId values(ir::ExprId expression, ir::NodeId node) = 0;
  // Whether a comparison at a possible node holds; unknown also where it compares maps.
  [[nodiscard]] Truth holds(const ir::Compare& compare, ir::NodeId node);
  [[nodiscard]] SymbolSets& sets() { return sets_; }
  // The symbols of a type, or those that the cells of its maps have.
  SetId members(ir::TypeId type);

 protected:
  // The symbols in a value: itself, or those in its cells.
  SetId leaves(ir::ValueId value);

  // What an expression can be when its variables can be of(variable).
  template <class Of>
  SetId evaluate(ir::ExprId expression, const Of& of) {
    const ir::Expressions& e = game_.expressions();
    const ir::ExprId plain = e.uncast(expression);
    const ir::ExprId root = e.root(plain);
    if (e.kind(root) == ir::ExprKind::variable) return of(e.variable(root));
    if (e.kind(root) == ir::ExprKind::symbol) return sets_.one(e.symbol(root));
    if (root == plain) return leaves(game_.constant(e.constant(plain)).value);
    // The same lookup with the same sets comes again and again around loops.
    std::uint64_t hash = plain.value;
    game_.for_each_variable(plain, [&](ir::VarId v) { hash = combine_hash(hash, of(v)); });
    const auto same = [&](std::uint32_t row) {
      if (lookups_[row].expression != plain) return false;
      const SetId* set = lookup_sets_.data() + lookups_[row].first_set;
      bool equal = true;
      game_.for_each_variable(plain, [&](ir::VarId v) { equal = *set++ == of(v) && equal; });
      return equal;
    };
    if (const std::uint32_t row = lookup_index_.find(hash, same); row != kNone) return lookups_[row].result;
    SetId found;
    if (std::vector<ir::ValueId> values; parts(plain, of, values)) {
      found = leaves(values);
    } else {
      found = leaves(game_.constant(e.constant(root)).value);
    }
    const auto row = static_cast<std::uint32_t>(lookups_.size());
    lookup_index_.find_or_insert(hash, row, [](std::uint32_t) { return false; });
    lookups_.push_back({plain, lookup_sets_.size(), found});
    game_.for_each_variable(plain, [&](ir::VarId v) { lookup_sets_.push_back(of(v)); });
    return found;
  }

  const ir::Game& game_;
  SymbolSets sets_;

 private:
  // The values that a part of a constant map can be, where they are not too many.
  template <class Of>
  bool parts(ir::ExprId expression, const Of& of, std::vector<ir::ValueId>& out) {
    const ir::Expressions& e = game_.expressions();
    const ir::ExprId plain = e.uncast(expression);
    if (e.kind(plain) == ir::ExprKind::constant) {
      out.push_back(game_.constant(e.constant(plain)).value);
      return true;
    }
    constexpr std::size_t kMostKeys = 64;
    std::vector<ir::ValueId> maps;
    if (!parts(e.map(plain), of, maps)) return false;
    const SetId keys = evaluate(e.index(plain), of);
    if (sets_.of(keys).size() * maps.size() > kMostKeys * most_maps_) return false;
    for (const ir::ValueId map : maps) {
      if (game_.values.is_symbol(map)) return false;
      for_each_at(map, keys, [&](ir::ValueId value) {
        if (out.empty() || out.back() != value) out.push_back(value);
      });
    }
    sort_unique(out);
    return out.size() <= most_maps_;
  }
  // What stands at each of these keys. They ascend as those of the map do.
  template <class Visit>
  void for_each_at(ir::ValueId map, SetId keys, Visit&& visit) const {
    if (const SymbolId only = sets_.single(keys); only.valid()) return visit(game_.values.at(map, only));
    const auto entries = game_.values.exceptions(map);
    auto entry = entries.begin();
    for (const SymbolId key : sets_.of(keys)) {
      while (entry != entries.end() && entry->key < key) ++entry;
      visit(entry != entries.end() && entry->key == key ? entry->value : game_.values.default_of(map));
    }
  }
  SetId leaves(const std::vector<ir::ValueId>& values);

  std::size_t most_maps_;
  // Of an expression and the sets of its variables, one for each occurrence.
  struct Lookup {
    ir::ExprId expression;
    std::size_t first_set;
    SetId result;
  };
  std::vector<Lookup> lookups_;
  std::vector<SetId> lookup_sets_;
  IndexSet lookup_index_;
  std::unordered_map<ir::ValueId, SetId> leaves_;
  std::unordered_map<ir::TypeId, SetId> members_;
};

}  // namespace rgtrans::analysis
