// The names in the RG game of RBG's players, pieces, vertices and numbers, and the sets of these names.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/rbg/ast.hpp"

namespace rgtrans::rbg {

class Vocabulary : public ir::DefinedOnce {
 public:
  Vocabulary(const Description& description, ir::Game& game);

  std::vector<SymbolId> players, pieces, vertices;
  SymbolId null;
  SymbolId modifier(std::uint32_t number);

  ir::TypeId subset(std::string_view stem, const std::vector<SymbolId>& members);

 private:
  SymbolId rename(SymbolId original);

  const Description& d_;
  ir::Game& g_;
  std::unordered_map<std::string, ir::TypeId> subsets_;
  std::unordered_map<std::string, std::size_t> counters_;
};

}  // namespace rgtrans::rbg
