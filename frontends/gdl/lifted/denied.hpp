// What is denied for all values of a column is denied without the column: `not owned(C, white), not owned(C, black)`
// says that there is nothing at C, if `owned(C, X) <- at(C, P), owns(P, X)`. That is one question instead of two. And
// moves that each of the roles has not made have been made by nobody.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "frontends/gdl/lifted/joins.hpp"

namespace rgtrans::gdl::lifted {

class Denied {
 public:
  Denied(Program& program, Unground& unground, StaticJoins& joins, std::vector<EngineRule>& rules)
      : program_(program), u_(unground), joins_(joins), rules_(rules) {}

  // Rules for the relations without a column are added; whether there are any.
  bool join();

 private:
  using Column = std::pair<RelId, std::uint32_t>;

  bool join(EngineRule& rule);
  [[nodiscard]] std::optional<RelId> without(Column column, std::span<const std::uint32_t> values);
  RelId made_by_any(const EngineRule& like, const EngineLiteral& move);
  RelId relation(SymbolId name, std::uint32_t arity);
  [[nodiscard]] bool made_here(RelId relation) const;
  bool forget(EngineRule& rule, std::uint32_t variable, std::span<const std::uint32_t> values);

  Program& program_;
  Unground& u_;
  StaticJoins& joins_;
  std::vector<EngineRule>& rules_;
  std::map<Column, std::optional<RelId>> made_;
  std::vector<EngineRule> added_;
};

}  // namespace rgtrans::gdl::lifted
