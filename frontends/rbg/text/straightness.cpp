// Strong straightness: the maximum number of modifiers between two switches, computed by recurrences over the
// expression. Each value is none (no such word exists), a number, or infinite.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "frontends/rbg/rbg.hpp"
#include "frontends/rbg/text/parser.hpp"

namespace rgtrans::rbg {

namespace {

// None is -1 and infinity is a very large number, so std::max computes the maximum.
using Value = std::int64_t;
constexpr Value kNoWalk = -1;
constexpr Value kInfinite = INT64_MAX / 4;

Value add(Value a, Value b) {
  if (a == kNoWalk || b == kNoWalk) return kNoWalk;
  return std::min(kInfinite, a + b);
}

Bound bound(Value value) {
  if (value == kNoWalk) return {Bound::Kind::none, 0};
  if (value >= kInfinite) return {Bound::Kind::infinite, 0};
  return {Bound::Kind::finite, static_cast<std::uint64_t>(value)};
}

// Evaluates a recurrence over the expression. It defines values of leaves (of) and patterns, and combines values for
// sums (either), concatenations (both) and stars (repeated). Equal subexpressions are evaluated once.
template <class Recurrence>
typename Recurrence::Values solve(const RuleExpressions& e, ExprId rules, const Recurrence& recurrence) {
  using Values = typename Recurrence::Values;
  std::unordered_map<std::uint32_t, Values> known;
  const auto value = [&](auto&& self, ExprId id) -> Values {
    const ExprNode& node = e[id];
    if (const auto it = known.find(node.shape); it != known.end()) return it->second;
    std::optional<Values> result;
    if (node.kind == Kind::sum || node.kind == Kind::concat) {
      for (ExprId part : e.children(id)) {
        const Values x = self(self, part);
        result = !result ? x : node.kind == Kind::sum ? Recurrence::either(*result, x) : Recurrence::both(*result, x);
      }
    } else if (node.kind == Kind::star) {
      result = Recurrence::repeated(self(self, e.child(id)));
    } else if (node.kind == Kind::pattern) {
      result = recurrence.pattern(self(self, e.child(id)));
    }
    return known.emplace(node.shape, result ? *result : recurrence.of(node.kind)).first->second;
  };
  return value(value, rules);
}

// The maximum number of modifiers in a suffix, prefix, factor and whole word.
struct WholeRules {
  struct Values {
    Value s = 0, p = 0, f = 0, w = 0;
  };
  bool patterns;

  static Values of(Kind kind) {
    if (kind == Kind::off || kind == Kind::assign) return {1, 1, 1, 1};
    if (kind == Kind::to_player || kind == Kind::to_keeper) return {0, 0, 0, kNoWalk};
    return {};
  }
  [[nodiscard]] Values pattern(const Values& inner) const {
    return patterns ? Values{0, inner.p, inner.p, 0} : Values();
  }
  static Values either(const Values& a, const Values& b) {
    return {std::max(a.s, b.s), std::max(a.p, b.p), std::max(a.f, b.f), std::max(a.w, b.w)};
  }
  static Values both(const Values& a, const Values& b) {
    return {std::max(add(a.s, b.w), b.s), std::max(a.p, add(a.w, b.p)), std::max({a.f, add(a.s, b.p), b.f}),
            add(a.w, b.w)};
  }
  static Values repeated(const Values& a) {
    if (a.w > 0) return {kInfinite, kInfinite, kInfinite, kInfinite};
    return {a.s, a.p, std::max(add(a.s, a.p), a.f), 0};
  }
};

// The maximum number of modifiers in factors that start right after a player's switch. c: between two boundaries; b:
// after the last boundary; a: before the first one; t: in a word without boundaries.
struct PlayerMoves {
  struct Values {
    Value c = kNoWalk, b = kNoWalk, a = kNoWalk, t = 0;
  };
  bool split_at_noop;

  [[nodiscard]] Values of(Kind kind) const {
    if (kind == Kind::off || kind == Kind::assign) return {kNoWalk, kNoWalk, kNoWalk, 1};
    if (kind == Kind::to_player || (kind == Kind::noop && split_at_noop)) return {kNoWalk, 0, 0, kNoWalk};
    if (kind == Kind::to_keeper) return {kNoWalk, kNoWalk, 0, kNoWalk};
    return {};
  }
  static Values pattern(const Values&) { return {}; }
  static Values either(const Values& a, const Values& b) {
    return {std::max(a.c, b.c), std::max(a.b, b.b), std::max(a.a, b.a), std::max(a.t, b.t)};
  }
  static Values both(const Values& a, const Values& b) {
    return {std::max({a.c, b.c, add(a.b, b.a)}), std::max(add(a.b, b.t), b.b), std::max(a.a, add(a.t, b.a)),
            add(a.t, b.t)};
  }
  static Values repeated(const Values& x) {
    const Value r = x.t > 0 ? kInfinite : 0;
    return {std::max(x.c, add(add(x.b, r), x.a)), add(x.b, r), add(r, x.a), r};
  }
};

}  // namespace

std::string to_string(const Bound& bound) {
  if (bound.kind == Bound::Kind::none) return "none";
  return bound.kind == Bound::Kind::infinite ? "infinite" : std::to_string(bound.value);
}

std::optional<Straightness> straightness(const Sources::File& file, Diagnostics& diagnostics) {
  const auto description = parse(file, diagnostics);
  if (!description) return std::nullopt;
  const RuleExpressions& expressions = description->expressions;
  const ExprId rules = description->rules;
  return Straightness{
      bound(solve(expressions, rules, WholeRules{true}).f), bound(solve(expressions, rules, WholeRules{false}).f),
      bound(solve(expressions, rules, PlayerMoves{false}).c), bound(solve(expressions, rules, PlayerMoves{true}).c)};
}

}  // namespace rgtrans::rbg
