// mirror-variables: replaces a variable by another one that has the same value at every read; its assignments then
// become dead. The analysis computes, for each node, the pairs of variables that are equal on all paths, and facts x ==
// e.
//
// Both variables of a pair may change in lockstep, as in x = next[x]; y = next[y]. The first assignment leaves the fact
// x == next[y], and the second one restores equality. Only variables of the same type are paired, so that labels stay
// well-typed.
//
//   a, b: x = T(*);   b, c: y = x;   c, d: x == 1;   d, e: $$ y;      =>      …   d, e: $$ x;
#include <algorithm>
#include <set>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"
#include "core/support/bits.hpp"

namespace rgtrans::passes {

using ir::ExprId;
using ir::ExprKind;
using ir::VarId;

namespace {

struct Fact {  // the variable equals the expression, which does not read it
  VarId variable;
  ExprId expression;
  auto operator<=>(const Fact&) const = default;
};

struct Knowledge {
  Bits pairs;
  std::vector<Fact> facts;  // sorted
};

class Mirrors {
 public:
  using Domain = Knowledge;

  Mirrors(ir::Game& game, const analysis::Flow& flow)
      : game_(game), flow_(flow), slot_(game.variables().size(), kNone) {
    choose_candidates();
  }

  std::size_t run(const PassContext& context) {
    constexpr std::size_t kMostWork = 1'000'000;
    if (candidates_.size() < 2) return 0;
    if (candidates_.size() * flow_.size() > kMostWork) {
      leave_out(context, "mirror-variables: not in a game of this size");
      return 0;
    }
    at_ = analysis::solve_forward(flow_, *this);
    std::size_t changes = 0;
    for (const VarId x : candidates_) {
      for (const VarId y : candidates_) {
        // Replaces the later variable by the earlier one, so that two variables are not exchanged forever.
        if (x.value >= y.value || game_.resolve(game_.variable(x).type) != game_.resolve(game_.variable(y).type))
          continue;
        if (const std::size_t n = replace(y, x); n > 0) return changes + n;  // the facts describe the unchanged game
      }
    }
    return changes;
  }

  // --- The data-flow problem. ---
  Domain entry() const {
    Domain initial{Bits(candidates_.size() * candidates_.size()), {}};
    for (const VarId x : candidates_) {
      for (const VarId y : candidates_) {
        const ir::Variable& a = game_.variable(x);
        const ir::Variable& b = game_.variable(y);
        if (x != y && a.initial == b.initial && game_.resolve(a.type) == game_.resolve(b.type)) pair(initial, x, y);
      }
    }
    return initial;
  }

  std::optional<Domain> transfer(const analysis::FlowEdge& edge, const Domain& before) {
    if (!edge.edge.valid() || edge.call) return before;
    const ir::Label label = game_.graph.label(edge.edge);
    const ir::Expressions& e = game_.expressions();
    if (const auto* c = std::get_if<ir::Compare>(&label); c != nullptr && !c->negated) {
      const ExprId a = e.uncast(c->lhs);
      const ExprId b = e.uncast(c->rhs);
      Domain after = before;
      if (e.kind(a) == ExprKind::variable && e.kind(b) == ExprKind::variable) pair(after, e.variable(a), e.variable(b));
      return after;
    }
    const VarId x = ir::written_variable(game_, label);
    if (!x.valid()) return before;
    Domain after = before;
    forget(after, x);
    const auto* assign = std::get_if<ir::Assign>(&label);
    if (assign == nullptr || !candidate(x) || !ir::writes_whole(game_, label)) return after;
    const ExprId rhs = game_.strip_casts(assign->rhs);
    bool itself = false;
    game_.for_each_variable(rhs, [&](VarId v) { itself = itself || v == x; });
    for (const VarId z : candidates_) {
      if (z == x) continue;
      const bool copied =
          e.kind(rhs) == ExprKind::variable && (e.variable(rhs) == z || paired(before, e.variable(rhs), z));
      const bool same = std::ranges::binary_search(before.facts, Fact{z, rhs});
      if (copied || same) pair(after, x, z);
    }
    if (!itself) {
      learn(after, {x, rhs});
    } else {
      for (const VarId y : candidates_) {
        if (y != x && paired(before, x, y)) learn(after, {x, substitute(game_, rhs, x, game_.variable_ref(y))});
      }
    }
    return after;
  }

  bool join(Domain& into, const Domain& from, std::uint32_t) const {
    Domain met{Bits(candidates_.size() * candidates_.size()), {}};
    into.pairs.for_each([&](std::size_t i) {
      if (from.pairs.test(i)) met.pairs.set(i);
    });
    std::ranges::set_intersection(into.facts, from.facts, std::back_inserter(met.facts));
    if (met.pairs == into.pairs && met.facts == into.facts) return false;
    into = std::move(met);
    return true;
  }

 private:
  // A variable can mirror another one only under a condition on each of its assignments. The assignment must be a copy
  // of that variable, or that variable must have the same assignment (with each variable in place of the other).
  // Usually no variable qualifies.
  void choose_candidates() {
    constexpr std::size_t kMost = 16;
    const std::size_t count = game_.variables().size();
    std::vector<std::set<ExprId>> assigned(count);
    std::vector<bool> fits(count, true);
    const ExprId itself = game_.variable_ref(game_.visible());
    for (ir::EdgeId edge : game_.graph.edges()) {
      const ir::Label label = game_.graph.label(edge);
      const VarId v = ir::written_variable(game_, label);
      if (!v.valid()) continue;
      const auto* assign = std::get_if<ir::Assign>(&label);
      if (assign == nullptr || !ir::writes_whole(game_, label)) {
        fits[v.value] = false;
      } else {
        assigned[v.value].insert(substitute(game_, game_.strip_casts(assign->rhs), v, itself));
      }
    }
    std::set<VarId> chosen;
    for (std::uint32_t y = 0; y < count && chosen.size() + 2 <= kMost; ++y) {
      if (!plain(VarId(y)) || !fits[y] || assigned[y].empty()) continue;
      for (std::uint32_t x = 0; x < y && chosen.size() + 2 <= kMost; ++x) {
        if (!plain(VarId(x)) ||
            game_.resolve(game_.variable(VarId(x)).type) != game_.resolve(game_.variable(VarId(y)).type))
          continue;
        const ExprId other = game_.variable_ref(VarId(x));
        const bool possible = std::ranges::all_of(
            assigned[y], [&](ExprId e) { return e == other || e == itself || assigned[x].contains(e); });
        if (possible) chosen.insert({VarId(x), VarId(y)});
      }
    }
    for (const VarId v : chosen) {
      slot_[v.value] = static_cast<std::uint32_t>(candidates_.size());
      candidates_.push_back(v);
    }
  }
  [[nodiscard]] bool plain(VarId v) const { return game_.variable(v).alive && !game_.built_in(v); }

  [[nodiscard]] bool candidate(VarId v) const { return slot_[v.value] != kNone; }
  [[nodiscard]] std::size_t position(VarId a, VarId b) const {
    return slot_[a.value] * candidates_.size() + slot_[b.value];
  }
  [[nodiscard]] bool paired(const Domain& k, VarId a, VarId b) const {
    return candidate(a) && candidate(b) && k.pairs.test(position(a, b));
  }
  void pair(Domain& k, VarId a, VarId b) const {
    if (!candidate(a) || !candidate(b) || a == b) return;
    k.pairs.set(position(a, b));
    k.pairs.set(position(b, a));
  }
  static void learn(Domain& k, Fact fact) {
    constexpr std::size_t kMost = 32;
    const auto at = std::ranges::lower_bound(k.facts, fact);
    if (k.facts.size() < kMost && (at == k.facts.end() || *at != fact)) k.facts.insert(at, fact);
  }
  void forget(Domain& k, VarId x) const {
    if (candidate(x)) {
      for (const VarId z : candidates_) {
        k.pairs.reset(position(x, z));
        k.pairs.reset(position(z, x));
      }
    }
    std::erase_if(k.facts, [&](const Fact& fact) {
      bool about_x = fact.variable == x;
      game_.for_each_variable(fact.expression, [&](VarId v) { about_x = about_x || v == x; });
      return about_x;
    });
  }

  // Replaces all reads of y by x if they are equal at every read of y.
  std::size_t replace(VarId y, VarId x) {
    std::vector<std::pair<ir::EdgeId, ir::Label>> changed;
    for (const analysis::FlowEdge& e : flow_.edges()) {
      if (!e.edge.valid() || e.call || !at_[e.from]) continue;
      const ir::Label& label = game_.graph.label(e.edge);
      const bool written = ir::written_variable(game_, label) == y;
      if (written && !ir::writes_whole(game_, label)) return 0;  // writing one cell keeps the others, so it reads y
      if (!ir::reads(game_, label, y)) continue;
      if (!paired(*at_[e.from], x, y)) {
        if (written) continue;  // y serves only to compute itself
        return 0;
      }
      const auto now = substitute(game_, label, y, game_.variable_ref(x));
      if (!now || !ir::well_typed(game_, *now)) return 0;
      changed.emplace_back(e.edge, *now);
    }
    // If y is read only to compute itself, leave it to dead-stores.
    const bool useful =
        std::ranges::any_of(changed, [&](const auto& row) { return ir::written_variable(game_, row.second) != y; });
    if (!useful) return 0;
    Relabelling relabelling(game_, "mirror-variables");
    for (const auto& [edge, label] : changed) relabelling.set_label(edge, label);
    return changed.size();
  }

  ir::Game& game_;
  const analysis::Flow& flow_;
  std::vector<std::uint32_t> slot_;  // by variable
  std::vector<VarId> candidates_;
  std::vector<std::optional<Knowledge>> at_;
};

}  // namespace

std::size_t mirror_variables(ir::Game& game, const PassContext& context) {
  return Mirrors(game, context.analyses->flow()).run(context);
}

}  // namespace rgtrans::passes
