// A negation for all values of a column becomes one negation without the column. For example, `not owned(C, white), not
// owned(C, black)` means that C is empty, if `owned(C, X) <- at(C, P), owns(P, X)`. So one test replaces two. Likewise,
// if no role has made a move, nobody has made it.
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

  // Returns whether it added rules for relations without a column.
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
