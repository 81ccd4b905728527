// The declarations of a lifted game: sorts as types, stored facts as maps, static relations as constant maps, and
// registers for the variables of rules.
//
// Example: (cell ?x ?y ?piece), whose first two columns determine the third, becomes a map from two keys to a piece or
// `none`. Without the dependency it becomes a map from three keys to Bool.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/gdl/lifted/refuter.hpp"
#include "frontends/gdl/lower/names.hpp"

namespace rgtrans::gdl::lifted {

// The known value of a variable: a constant, or an expression with a value of the sort or `none`.
struct Value {
  std::optional<TermId> constant;
  ir::ExprId expression;
  SortId sort;
  bool maybe_none = false;
};

// A stored fact: a map from its key to Bool, or one map for each of its other columns.
struct Stored {
  RelId relation;
  std::vector<std::uint32_t> key, values;
  std::vector<SortId> columns;
  std::vector<ir::VarId> maps;
  std::vector<ir::TypeId> types;
  std::vector<ir::ValueId> empty;  // contents of the maps without facts
  bool never = false;              // no such fact ever holds

  // The index of the map that stores a column.
  [[nodiscard]] std::size_t map_of(std::uint32_t column) const {
    return static_cast<std::size_t>(std::ranges::find(values, column) - values.begin());
  }
};

struct Register {
  ir::VarId variable;
  ir::ExprId expression;
  SortId sort;
  SymbolId initial;
};

class Tables : public GameWords {
 public:
  Tables(Model& model, ir::Game& game);

  void players_and_scores(const std::vector<int>& scores);
  void stored(const Dependencies& dependencies);
  const Stored& stored_of(RelId fact) const { return stored_.at(fact); }
  // A second variable of the same type for each map of a fact.
  const std::vector<ir::VarId>& copies(RelId fact);

  SymbolId symbol(std::uint32_t term) {
    const auto [it, fresh] = symbols_.try_emplace(term);
    if (fresh) it->second = game_.symbols.intern(names_.term(TermId(term)));
    return it->second;
  }
  using GameWords::symbol;
  [[nodiscard]] ir::ExprId one() { return game_.symbol(one_); }
  [[nodiscard]] ir::ExprId zero() { return game_.symbol(zero_); }
  [[nodiscard]] ir::ExprId none() { return game_.symbol(none_); }
  [[nodiscard]] ir::TypeId bool_type() { return game_.types.alias(bool_); }
  ir::ExprId expression(const Value& value) {
    return value.constant ? game_.symbol(symbol(value.constant->value)) : value.expression;
  }
  using GameWords::constant;
  Value constant(TermId term) { return {term, {}, model_.single(term), false}; }

  // Subsets of this sort use its type from now on, so that a board is one type with one order.
  void board(SortId sort) { boards_.push_back(sort); }
  // The smallest board that contains the sort, else the sort itself.
  [[nodiscard]] SortId whole(SortId sort) const;
  // The type of a sort, or of its board, optionally with `none`. The wish names a new type.
  ir::TypeId type(SortId sort, bool with_none, std::string_view wish);
  // A constant map to Bool that is 1 on the members of `part`.
  ir::ExprId membership(SortId from, bool with_none, SortId part);
  // A constant map from each member of the sort to the next one.
  ir::ExprId successor(SortId sort);
  using Tuple = std::vector<std::uint32_t>;
  // A constant map with one level per sort, from different rows. Missing values are 0 or `none`. `with_none` marks keys
  // that may be `none`.
  ir::ExprId bool_table(std::string_view wish, const std::vector<SortId>& from, const std::vector<Tuple>& rows,
                        const std::vector<bool>& with_none = {});
  ir::ExprId function_table(std::string_view wish, const std::vector<SortId>& from, SortId to,
                            const std::vector<std::pair<Tuple, std::uint32_t>>& rows, bool total);

  // A constant map from keys and a number to the values of a list, or `none`, and the type of the number. If the last
  // key and the values are cells of a board, a number represents a distance on it, unless there are more distances than
  // numbers. So all cells move in the same direction at once.
  struct List {
    ir::ExprId table;
    ir::TypeId numbers;
    SymbolId first, last;
    ir::ExprId behind;  // from each number to the next one
    bool full = true;   // never `none`
    bool gaps = false;  // a value may follow `none`
  };
  List list_table(std::string_view wish, const std::vector<SortId>& from, SortId to,
                  const std::map<Tuple, Tuple>& rows);
  const Register& number(const List& list, const std::set<ir::VarId>& busy, std::string_view pool);
  // A register for values of a sort that is none of the busy ones.
  const Register& scratch(std::string_view wish, SortId sort, const std::set<ir::VarId>& busy,
                          std::string_view pool = "");
  Register declare(std::string_view wish, SortId sort);
  // A Bool for temporary results.
  ir::ExprId flag(std::string_view wish);
  [[nodiscard]] const std::map<ir::VarId, SymbolId>& scratch_initial() const { return scratch_initial_; }
  void add_scratch(ir::VarId variable, SymbolId initial) { scratch_initial_[variable] = initial; }
  std::string fresh(std::string_view wish) { return names_.fresh(wish); }

 private:
  // By all keys but the last: the distances from the last key to its values, with their numbers in order.
  using Distances = std::map<Tuple, std::map<std::int64_t, std::size_t>>;
  [[nodiscard]] Distances distances_of(const std::vector<SortId>& from, SortId to,
                                       const std::map<Tuple, Tuple>& rows) const;
  [[nodiscard]] std::int64_t distance(SortId board, std::uint32_t from, std::uint32_t to) const;
  // The symbols of a row.
  std::vector<SymbolId> path(const Tuple& row);
  ir::ExprId table(std::string_view wish, const std::vector<SortId>& from, ir::TypeId to, Paths rows, SymbolId missing,
                   const std::vector<bool>& with_none = {});
  void declare_stored(RelId fact, const Dependency* dependency);
  [[nodiscard]] bool asks_for_rows(const Stored& s) const;
  ir::ValueId initial_of(const Stored& stored, std::size_t map, ir::ValueId empty);
  std::string wish_of(SortId sort, std::string_view wish);

  Model& model_;
  std::map<std::string, ir::ExprId, std::less<>> flags_;
  std::map<std::pair<SortId, bool>, SymbolId> types_;
  std::vector<SortId> boards_;
  std::map<RelId, Stored> stored_;
  std::map<RelId, std::vector<ir::VarId>> copies_;
  std::map<std::tuple<SortId, bool, SortId>, ir::ExprId> memberships_;
  std::map<SortId, ir::ExprId> successors_;
  std::map<std::tuple<std::string, SortId, std::string>, std::deque<Register>> scratch_;
  std::unordered_map<std::uint32_t, SymbolId> symbols_;  // by term
  std::map<ir::VarId, SymbolId> scratch_initial_;
  struct Numbers {
    SymbolId type;
    ir::ExprId behind;
  };
  std::map<std::size_t, Numbers> numbers_;
  std::map<std::pair<ir::TypeId, std::string>, std::deque<Register>> number_registers_;
};

}  // namespace rgtrans::gdl::lifted
