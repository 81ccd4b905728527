// A substitution of the variables of one rule, with Robinson unification. Its bindings may contain bound variables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

class Substitution {
 public:
  Substitution(Patterns& patterns, std::size_t variables) : patterns_(patterns), is_(variables) {}

  // Binds variables so that both terms become equal; `a` is bound first. False if that is impossible, but some
  // variables may be bound then.
  bool unify(Pattern a, Pattern b);

  // The binding of a variable at the top of the term, which may contain bound variables.
  [[nodiscard]] Pattern resolve(Pattern p) const {
    while (p.is_variable() && is_[p.number()]) p = *is_[p.number()];
    return p;
  }
  [[nodiscard]] Pattern apply(Pattern p) {
    return patterns_.substitute(p, [&](std::uint32_t v) { return is_[v] ? apply(*is_[v]) : Pattern::variable(v); });
  }
  [[nodiscard]] Literal apply(Literal literal) {
    std::ranges::transform(literal.arguments, literal.arguments.begin(), [&](Pattern p) { return apply(p); });
    return literal;
  }

 private:
  Patterns& patterns_;
  std::vector<std::optional<Pattern>> is_;
};

inline bool Substitution::unify(Pattern a, Pattern b) {
  a = resolve(a);
  b = resolve(b);
  if (a == b) return true;
  if (!a.is_variable() && b.is_variable()) std::swap(a, b);
  if (a.is_variable()) {
    const Pattern whole = apply(b);
    if (patterns_.occurs(a.number(), whole)) return false;
    is_[a.number()] = whole;
    return true;
  }
  if ((a.is_ground() && b.is_ground()) || patterns_.symbol(a) != patterns_.symbol(b) ||
      patterns_.arity(a) != patterns_.arity(b))
    return false;
  for (std::uint32_t i = 0; i < patterns_.arity(a); ++i)
    if (!unify(patterns_.argument(a, i), patterns_.argument(b, i))) return false;
  return true;
}

}  // namespace rgtrans::gdl
