// Constants of the RG game with facts about the board: the values of functions and relations, and indicators of sets.
// Each constant is created on first use.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/rbg/emit/declarations.hpp"

namespace rgtrans::rbg {

class BoardTables {
 public:
  // The arguments must outlive this object. `null`: the game has the vertex `null`.
  BoardTables(const Relations& relations, const BoardDeclarations& declarations, bool null, Vocabulary& vocabulary,
              ir::Game& game)
      : r_(relations), declared_(declarations), null_(null), v_(vocabulary), g_(game) {}

  // A map from vertices to vertices or null.
  ir::ExprId function(std::uint32_t id);
  // A map from vertices to maps from numbers to vertices. Rows with fewer successors are padded with null.
  struct Choice {
    ir::ExprId expression;
    ir::TypeId numbers;
    bool partial = false;  // some entry is null
  };
  const Choice& choice(RelationId relation);
  // A new map to 1 for the keys (given by index) that satisfy `test`, and to 0 for the others.
  ir::ExprId indicator(std::string_view stem, ir::TypeId keys_type, const std::vector<SymbolId>& keys,
                       const std::function<bool(std::size_t)>& test);

 private:
  [[nodiscard]] ir::ValueId vertex(std::uint32_t v) const;

  const Relations& r_;
  const BoardDeclarations& declared_;
  bool null_;
  Vocabulary& v_;
  ir::Game& g_;
  std::map<std::uint32_t, ir::ExprId> functions_;
  std::map<RelationId, Choice> choices_;
  std::map<std::string, std::size_t> indicators_;  // by stem: how many exist
  std::size_t jumps_ = 0;                          // functions without a name
};

}  // namespace rgtrans::rbg
