// Creates types, constants and symbols for a front end and reuses equal ones: types by name, constants by value, each
// created on first use. RG has one name space for symbols, constants and variables; a name that would clash gets the
// suffix _1, _2, …
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/ir/game.hpp"
#include "core/support/interval.hpp"

namespace rgtrans::ir {

class DefinedOnce {
 public:
  explicit DefinedOnce(Game& game);

  // --- Symbols. --- Whether the name has a predefined meaning in RG.
  [[nodiscard]] static bool has_meaning(std::string_view name);
  // Reserves a symbol: no constant or variable gets this name.
  SymbolId reserve(SymbolId symbol);
  [[nodiscard]] bool taken(SymbolId symbol) const { return taken_.contains(symbol); }
  // The symbol of a number: 7 is written 7, -7 is written minus_7.
  SymbolId number(std::int64_t value);
  std::vector<SymbolId> numbers(Interval range);

  // --- Types. ---
  TypeId type(std::string_view name, const std::vector<SymbolId>& members);
  TypeId booleans();
  TypeId number_type(Interval range);
  // Declares Player, Score and the types derived from them, for `goals` and `player`. The first score is the initial
  // one.
  void declare_play(const std::vector<SymbolId>& players, const std::vector<SymbolId>& scores);
  [[nodiscard]] ExprId goals() const { return goals_; }
  [[nodiscard]] ExprId mover() const { return mover_; }

  // --- Constants and variables. --- `wanted`, or the first variant of it that is free.
  SymbolId fresh_name(std::string_view wanted);
  // The constant with this value; reuses an equal constant.
  ConstId constant(std::string_view wanted, TypeId type, ValueId value);
  // The map from keys to values, paired by position. The most frequent value becomes the default.
  ValueId map(const std::vector<SymbolId>& keys, const std::vector<ValueId>& values);

 private:
  Game& game_;
  std::unordered_set<SymbolId> taken_;
  std::unordered_map<std::string, TypeId> types_;
  std::map<std::pair<ValueId, TypeId>, ConstId> constants_;
  ExprId goals_, mover_;
};

}  // namespace rgtrans::ir
