// The declarations of the RG game and the names in it. RG knows one name space for symbols, constants and variables,
// RBG several; a name that would clash is renamed by appending _1, _2, …
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/rbg/ast.hpp"
#include "frontends/rbg/flow/arithmetic.hpp"

namespace rgtrans::rbg {

class Vocabulary {
 public:
  Vocabulary(const Description& description, ir::Game& game);

  // --- Symbols. ---
  std::vector<SymbolId> players, pieces, vertices;
  SymbolId null;
  SymbolId integer(std::int64_t value);
  SymbolId modifier(std::uint32_t number);
  std::vector<SymbolId> integer_list(Interval range);

  // --- Types by name, made when first asked for. ---
  ir::TypeId integers(Interval range);  // low to high
  ir::TypeId booleans();
  ir::TypeId type(std::string_view name, const std::vector<SymbolId>& members);
  ir::TypeId subset(std::string_view stem, const std::vector<SymbolId>& members);

  // A name for a constant or variable that clashes with nothing; `wanted` itself if possible.
  SymbolId fresh_name(std::string_view wanted);
  // The constant with this value: an equal one is used again.
  ir::ConstId constant(std::string_view wanted, ir::TypeId type, ir::ValueId value);
  // A map over the integers of a range or over any list of keys.
  ir::ValueId map(const std::vector<SymbolId>& keys, const std::vector<ir::ValueId>& values);

 private:
  SymbolId rename(SymbolId original);

  const Description& d_;
  ir::Game& g_;
  std::unordered_set<SymbolId> symbols_;  // names that constants and variables must not have
  std::unordered_set<SymbolId> taken_;
  std::unordered_map<std::string, ir::TypeId> types_;
  std::unordered_map<std::string, std::size_t> counters_;
  std::unordered_map<std::uint64_t, std::vector<std::pair<ir::TypeId, ir::ConstId>>> constants_;
};

}  // namespace rgtrans::rbg
