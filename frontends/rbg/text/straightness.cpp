// Strong straightness: how many modifiers fit between two switches, by recurrences over the expression. Each value is
// none (no such word), a number, or infinite.
#include <algorithm>
#include <unordered_map>

#include "frontends/rbg/rbg.hpp"
#include "frontends/rbg/text/parser.hpp"

namespace rgtrans::rbg {

namespace {

// None is -1 and infinity a very large number, so that maximum is std::max.
using Value = std::int64_t;
constexpr Value kNone = -1;
constexpr Value kInfinite = INT64_MAX / 4;

Value add(Value a, Value b) {
  if (a == kNone || b == kNone) return kNone;
  return std::min(kInfinite, a + b);
}

Bound bound(Value value) {
  if (value == kNone) return {Bound::Kind::none, 0};
  if (value >= kInfinite) return {Bound::Kind::infinite, 0};
  return {Bound::Kind::finite, static_cast<std::uint64_t>(value)};
}

// Most modifiers in a suffix, prefix, factor, and whole word.
struct Words {
  Value s = 0, p = 0, f = 0, w = 0;
};

class WholeRules {
 public:
  WholeRules(const RuleExpressions& expressions, bool patterns) : e_(expressions), patterns_(patterns) {}

  Words of(ExprId id) {
    const ExprNode& node = e_[id];
    if (const auto it = known_.find(node.shape); it != known_.end()) return it->second;
    Words result;
    switch (node.kind) {
      case Kind::off:
      case Kind::assign:
        result = {1, 1, 1, 1};
        break;
      case Kind::to_player:
      case Kind::to_keeper:
        result = {0, 0, 0, kNone};
        break;
      case Kind::pattern:
        if (patterns_) {
          const Words inner = of(e_.child(id));
          result = {0, inner.p, inner.p, 0};
        }
        break;
      case Kind::sum:
        result = {kNone, kNone, kNone, kNone};
        for (ExprId part : e_.children(id)) {
          const Words x = of(part);
          result = {std::max(result.s, x.s), std::max(result.p, x.p), std::max(result.f, x.f), std::max(result.w, x.w)};
        }
        break;
      case Kind::concat: {
        bool first = true;
        for (ExprId part : e_.children(id)) {
          const Words a = result;
          const Words b = of(part);
          result = first ? b
                         : Words{std::max(add(a.s, b.w), b.s), std::max(a.p, add(a.w, b.p)),
                                 std::max({a.f, add(a.s, b.p), b.f}), add(a.w, b.w)};
          first = false;
        }
        break;
      }
      case Kind::star: {
        const Words a = of(e_.child(id));
        result = a.w > 0 ? Words{kInfinite, kInfinite, kInfinite, kInfinite}
                         : Words{a.s, a.p, std::max(add(a.s, a.p), a.f), 0};
        break;
      }
      default:
        break;
    }
    known_.emplace(node.shape, result);
    return result;
  }

 private:
  const RuleExpressions& e_;
  bool patterns_;
  std::unordered_map<std::uint32_t, Words> known_;
};

// Factors that start right after a player's switch: c between two boundaries, b behind the last one, a before the
// first one, t without any.
struct Parts {
  Value c = kNone, b = kNone, a = kNone, t = kNone;
};

class PlayerMoves {
 public:
  PlayerMoves(const RuleExpressions& expressions, bool split_at_noop) : e_(expressions), split_(split_at_noop) {}

  Parts of(ExprId id) {
    const ExprNode& node = e_[id];
    if (const auto it = known_.find(node.shape); it != known_.end()) return it->second;
    Parts result{kNone, kNone, kNone, 0};
    switch (node.kind) {
      case Kind::off:
      case Kind::assign:
        result.t = 1;
        break;
      case Kind::to_player:
        result = {kNone, 0, 0, kNone};
        break;
      case Kind::to_keeper:
        result = {kNone, kNone, 0, kNone};
        break;
      case Kind::noop:
        if (split_) result = {kNone, 0, 0, kNone};
        break;
      case Kind::sum:
        result = {};
        for (ExprId part : e_.children(id)) {
          const Parts x = of(part);
          result = {std::max(result.c, x.c), std::max(result.b, x.b), std::max(result.a, x.a), std::max(result.t, x.t)};
        }
        break;
      case Kind::concat:
        for (ExprId part : e_.children(id)) {
          const Parts x = of(part);
          result = {std::max({result.c, x.c, add(result.b, x.a)}), std::max(add(result.b, x.t), x.b),
                    std::max(result.a, add(result.t, x.a)), add(result.t, x.t)};
        }
        break;
      case Kind::star: {
        const Parts x = of(e_.child(id));
        const Value r = x.t > 0 ? kInfinite : 0;
        result = {std::max(x.c, add(add(x.b, r), x.a)), add(x.b, r), add(r, x.a), r};
        break;
      }
      default:
        break;
    }
    known_.emplace(node.shape, result);
    return result;
  }

 private:
  const RuleExpressions& e_;
  bool split_;
  std::unordered_map<std::uint32_t, Parts> known_;
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
      bound(WholeRules(expressions, true).of(rules).f), bound(WholeRules(expressions, false).of(rules).f),
      bound(PlayerMoves(expressions, false).of(rules).c), bound(PlayerMoves(expressions, true).of(rules).c)};
}

}  // namespace rgtrans::rbg
