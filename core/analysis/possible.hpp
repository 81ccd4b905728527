// The possible symbols of expressions, at a node (ValueSets) or in all states (HeldValues). Sets of symbols are
// interned: equal sets have equal ids.
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
  // Union of many sets. Uniting them one by one would intern each intermediate set.
  SetId unite_all(std::vector<SetId> parts);
  SetId intersect(SetId a, SetId b);
  SetId without(SetId set, SymbolId symbol);
  [[nodiscard]] const std::vector<SymbolId>& of(SetId id) const { return sets_[id]; }
  [[nodiscard]] bool disjoint(SetId a, SetId b) const;
  // The only member of a set with one member, or none.
  [[nodiscard]] SymbolId single(SetId id) const { return sets_[id].size() == 1 ? sets_[id][0] : SymbolId(); }

 private:
  std::vector<std::vector<SymbolId>> sets_;
  IndexSet index_;
  Memo unions_;
};

// Interface of analyses that bound the values of expressions.
class Possible {
 public:
  // `most_maps`: if an expression can be one of more maps than this, all cells of the root constant are used instead.
  Possible(const ir::Game& game, std::size_t most_maps) : game_(game), most_maps_(most_maps) {}
  virtual ~Possible() = default;
  Possible(const Possible&) = delete;
  Possible& operator=(const Possible&) = delete;

  // False if no state reaches the node.
  [[nodiscard]] virtual bool possible(ir::NodeId) const { return true; }
  // The possible values of an expression at a possible node; for a map, the values of its cells.
  virtual SetId values(ir::ExprId expression, ir::NodeId node) = 0;
  // Whether a comparison holds at a possible node; unknown for comparisons of maps.
  [[nodiscard]] Truth holds(const ir::Compare& compare, ir::NodeId node);
  [[nodiscard]] SymbolSets& sets() { return sets_; }
  // The members of a set type; for a map type, the possible values of its cells.
  SetId members(ir::TypeId type);

 protected:
  // The symbols in a value: itself, or those in its cells.
  SetId leaves(ir::ValueId value);

  // The possible values of an expression, if its variables can have the values of(variable).
  template <class Of>
  SetId evaluate(ir::ExprId expression, const Of& of) {
    const ir::Expressions& e = game_.expressions();
    const ir::ExprId plain = e.uncast(expression);
    const ir::ExprId root = e.root(plain);
    if (e.kind(root) == ir::ExprKind::variable) return of(e.variable(root));
    if (e.kind(root) == ir::ExprKind::symbol) return sets_.one(e.symbol(root));
    if (root == plain) return leaves(game_.constant(e.constant(plain)).value);
    // Cached, because solvers repeat the same lookup around loops.
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
  // Collects the possible values of a part of a constant map. Returns false if there are too many.
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
  // Visits the values at these keys. Keys and map entries are both sorted.
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
  // Key of the cache: an expression and the sets of its variables, one for each occurrence.
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
