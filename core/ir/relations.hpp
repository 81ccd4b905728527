// Relations between types, and typing rules of expressions. Two types overlap if some value may belong to both. A type
// includes another one if it has all of its values. Aliases must not be cyclic.
//
//   { a, b } and { b, c } overlap; { a, b, c } includes both
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "core/ir/game.hpp"

namespace rgtrans::ir {

// Sets overlap if they have a common member; arrows if their sources and targets do. Symmetric.
[[nodiscard]] bool overlap(const Game& game, TypeId a, TypeId b);
// Every value of `part` is a value of `whole`. For arrows, sources and targets are compared in the same direction.
[[nodiscard]] bool includes(const Game& game, TypeId whole, TypeId part);
[[nodiscard]] inline bool same_values(const Game& game, TypeId a, TypeId b) {
  return includes(game, a, b) && includes(game, b, a);
}

// Whether a label satisfies the static rules for its expressions.
[[nodiscard]] bool well_typed(const Game& game, const Label& label);
[[nodiscard]] bool well_typed(const Game& game, ExprId expression);

// The same relations with a cache, which is valid until a type definition changes.
class TypeRelations {
 public:
  explicit TypeRelations(const Game& game) : game_(game) {}

  bool overlap(TypeId a, TypeId b) { return remembered(overlap_, a, b, ir::overlap); }
  bool includes(TypeId whole, TypeId part) { return remembered(includes_, whole, part, ir::includes); }

 private:
  using Known = std::unordered_map<std::uint64_t, bool>;
  template <class F>
  bool remembered(Known& known, TypeId a, TypeId b, F&& relation) {
    if (a == b && game_.resolve(a).valid()) return true;
    const auto [it, fresh] = known.try_emplace((std::uint64_t{a.value} << 32U) | b.value);
    if (fresh) it->second = relation(game_, a, b);
    return it->second;
  }

  const Game& game_;
  Known overlap_, includes_;
};

// A type as text for messages: its name, or its members, shortened if there are many.
std::string describe_type(const Game& game, TypeId type);
// An expression as text, with or without its casts.
enum class Casts : std::uint8_t { shown, hidden };
std::string describe_expression(const Game& game, ExprId expression, Casts casts = Casts::shown);

}  // namespace rgtrans::ir
