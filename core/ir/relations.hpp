// The relations between types: loose assignability (a common member), strict (every member), each memoised.
// Valid as long as no type definition changes; needs aliases without cycles.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "core/ir/game.hpp"

namespace rgtrans::ir {

class TypeRelations {
 public:
  explicit TypeRelations(const Game& game) : game_(game) {}

  // Sets with a common member; arrows part by part. Symmetric.
  bool loose(TypeId a, TypeId b);
  // Every value of `part` is one of `whole` (arrows part by part, in the same direction).
  bool strict(TypeId part, TypeId whole);
  bool equal(TypeId a, TypeId b) { return strict(a, b) && strict(b, a); }

 private:
  bool compute_loose(TypeId a, TypeId b);
  bool compute_strict(TypeId part, TypeId whole);

  const Game& game_;
  std::unordered_map<std::uint64_t, bool> loose_;
  std::unordered_map<std::uint64_t, bool> strict_;
};

// A type as a message shows it: its name, or its members, the long ones cut.
std::string describe_type(const Game& game, TypeId type);
// An expression as it is written, or without its casts.
enum class Casts : std::uint8_t { shown, hidden };
std::string describe_expression(const Game& game, ExprId expression, Casts casts = Casts::shown);

}  // namespace rgtrans::ir
