// Constants of the RG game that say what the rules know about the board: where functions and relations lead, and which
// keys belong to a set. Each is made when it is first asked for.
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
  // The arguments must outlive this object. Has the game `null` at all?
  BoardTables(const Relations& relations, const BoardDeclarations& declarations, bool null, Vocabulary& vocabulary,
              ir::Game& game)
      : r_(relations), declared_(declarations), null_(null), v_(vocabulary), g_(game) {}

  // From vertices to vertices or null.
  ir::ExprId function(std::uint32_t id);
  // From vertices to maps from numbers to vertices, filled up with null where the relation is narrower.
  struct Choice {
    ir::ExprId expression;
    ir::TypeId numbers;
    bool partial = false;  // null occurs
  };
  const Choice& choice(RelationId relation);
  // A map to 1 for some keys, given by their indices, and 0 for the others; always a new one.
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
  std::map<std::string, std::size_t> indicators_;  // made so far, by stem
  std::size_t jumps_ = 0;                          // functions without a name
};

}  // namespace rgtrans::rbg
