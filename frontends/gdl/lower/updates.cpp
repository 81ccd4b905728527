#include "frontends/gdl/lower/updates.hpp"

#include <algorithm>
#include <map>

#include "core/support/sorted.hpp"
#include "frontends/gdl/circuit/alternatives.hpp"
#include "frontends/gdl/circuit/lookups.hpp"
#include "frontends/gdl/circuit/restriction.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl {

namespace {

class Planner {
 public:
  Planner(const GroundProgram& program, Conditions& conditions, const std::vector<FactGroup>& groups,
          const TurnStructure& turns, const PlanLimits& limits)
      : p_(program),
        c_(conditions),
        groups_(groups),
        turns_(turns),
        limits_(limits),
        lookups_(c_.circuit),
        reads_move_(c_.reads_move()) {
    facts_of_.resize(c_.circuit.size());
    for (std::uint32_t f = 0; f < p_.facts.size(); ++f)
      if (!groups_[c_.fact_value[f].first].deterministic) facts_of_[node_of(c_.next[f])].push_back(f);
    moving_cycles_ = std::ranges::any_of(c_.recursive_nodes, [&](std::uint32_t n) { return reads_move_[n]; });
  }

  StepPlan run() {
    StepPlan plan;
    bool generic = false;
    for (const auto& phase : turns_.phases) {
      plan.phases.push_back(plan_phase(phase));
      generic = generic || !plan.phases.back().dispatch;
    }
    if (generic) plan.all = plan_all();
    return plan;
  }

 private:
  std::vector<Wire> roots() const {
    std::vector<Wire> result = c_.next;
    result.insert(result.end(), c_.legal.begin(), c_.legal.end());
    return result;
  }

  PhasePlan plan_phase(const TurnStructure::Phase& phase) {
    PhasePlan plan;
    Restriction restriction(c_.circuit, roots());
    if (turns_.group != kNone) restriction.know(turns_.group, phase.values);
    std::size_t deciders = 0;
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r) {
      if (phase.forced[r] != TurnStructure::kDecides) {
        restriction.know(c_.first_role + r, {c_.move_value[phase.forced[r]]});
      } else if (!phase.moves[r].empty()) {
        ++deciders;
        plan.decider = r;
      }
    }
    const bool simple = deciders <= 1 && !moving_cycles_;
    if (simple && deciders == 1) restriction.postpone(c_.first_role + plan.decider);
    restriction.run();
    plan.legal.assign(p_.moves.size(), kNever);
    for (const auto& moves : phase.moves)
      for (const std::uint32_t m : moves) plan.legal[m] = restriction(c_.legal[m]);
    if (simple) dispatch(phase, restriction, plan);
    return plan;
  }

  // The restricted next facts of a group; false if they equal the current ones.
  bool restricted(std::uint32_t g, const Restriction& restriction, std::vector<Wire>& next) const {
    next.clear();
    bool same = true;
    for (const std::uint32_t f : groups_[g].facts) {
      next.push_back(restriction(c_.next[f]));
      same = same && next.back() == restriction(c_.atoms[f]);
    }
    return !same;
  }

  void dispatch(const TurnStructure::Phase& phase, Restriction& restriction, PhasePlan& plan) {
    std::vector<bool> changes(groups_.size());
    std::vector<Update> base(groups_.size());
    std::vector<Wire> next;
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].deterministic) {
        plan.common.push_back(rule(g));
      } else {
        changes[g] = restricted(g, restriction, next);
        if (changes[g]) base[g] = shape(g, next);
      }
    }
    const auto moves = plan.decider == kNone ? std::vector<std::uint32_t>() : phase.moves[plan.decider];
    const std::uint64_t begin = restriction.work();
    std::vector<std::vector<Update>> by_move(moves.size());
    std::vector<std::vector<std::uint32_t>> touched(moves.size());
    std::uint64_t listed = 0;
    const std::uint32_t size = c_.circuit.size();
    for (std::size_t i = 0; i < moves.size(); ++i) {
      restriction.choose(c_.first_role + plan.decider, c_.move_value[moves[i]]);
      for (const std::uint32_t n : restriction.changed())
        if (n < facts_of_.size())
          for (const std::uint32_t f : facts_of_[n]) touched[i].push_back(c_.fact_value[f].first);
      sort_unique(touched[i]);
      for (const std::uint32_t g : touched[i]) {
        listed += groups_[g].facts.size();
        if (!restricted(g, restriction, next)) continue;
        Update update = shape(g, next);
        if (!update.nothing()) by_move[i].push_back(std::move(update));
      }
      if (restriction.work() - begin > limits_.work || too_large(listed, c_.circuit.size() - size)) {
        plan.common.clear();
        return;
      }
    }
    // A change that happens without a move applies to all moves without an own update of the variable. If nearly all
    // moves have one, the other moves list the change as well.
    std::vector<std::vector<std::uint32_t>> touching(groups_.size());
    for (std::uint32_t i = 0; i < moves.size(); ++i)
      for (const std::uint32_t g : touched[i]) touching[g].push_back(i);
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      if (!changes[g] || base[g].nothing()) continue;
      const auto& own = touching[g];
      if (own.empty() || moves.size() - own.size() > kLowerLimits.repeated_updates) {
        for (const std::uint32_t i : own) base[g].unless.push_back(moves[i]);
        plan.common.push_back(std::move(base[g]));
        continue;
      }
      for (std::uint32_t i = 0; i < moves.size(); ++i)
        if (!std::ranges::binary_search(own, i)) by_move[i].push_back(base[g]);
    }
    plan.by_move = std::move(by_move);
    plan.dispatch = true;
  }

  [[nodiscard]] bool too_large(std::uint64_t listed, std::uint64_t grown) const {
    return listed > limits_.listed || grown > std::max<std::uint64_t>(limits_.growth, reads_move_.size() / 2);
  }

  [[nodiscard]] static Update rule(std::uint32_t g) {
    Update update;
    update.group = g;
    update.by_rule = true;
    return update;
  }

  // --- The form of an update. ---

  Update shape(std::uint32_t g, const std::vector<Wire>& next) {
    Update update;
    update.group = g;
    if (const auto lookups = lookups_.find(g, next)) {
      update.lookups = *lookups;
      return update;
    }
    std::map<Wire, std::vector<std::uint32_t>> keeps;
    for (std::uint32_t v = 0; v < next.size(); ++v) {
      std::vector<Wire> effects, stays;
      split(g, v, next[v], effects, stays);
      const Wire effect = c_.circuit.disjunction(effects);
      const Wire stay = c_.circuit.disjunction(stays);
      if (effect != kNever) update.effects.emplace_back(v, effect);
      if (stay != kAlways) keeps[stay].push_back(v);
    }
    for (const auto& [wire, values] : keeps) update.keeps.emplace_back(values, wire);
    return update;
  }

  // Splits the alternatives of a next fact: frame alternatives, which need the fact to hold now (without that
  // condition), and causes.
  void split(std::uint32_t g, std::uint32_t v, Wire wire, std::vector<Wire>& effects, std::vector<Wire>& stays) {
    const auto on_group = [&](Wire w) { return c_.circuit.is_leaf(w) && c_.circuit.variable(node_of(w)) == g; };
    for (auto& [owner, parts] : alternatives_of(c_.circuit, std::span(&wire, 1))) {
      const auto own = std::ranges::find_if(parts, on_group);
      if (own == parts.end() || !c_.circuit.allows(*own, v)) {
        effects.push_back(c_.circuit.conjunction(std::move(parts)));
        continue;
      }
      const Wire others = c_.circuit.conjunction({*own, invert(c_.circuit.leaf(g, {v}))});
      parts.erase(own);
      stays.push_back(c_.circuit.conjunction(parts));
      parts.push_back(others);
      effects.push_back(c_.circuit.conjunction(parts));
    }
  }

  std::vector<Update> plan_all() {
    // Restricts to no relevant move at all: a variable that keeps its value then needs an update only after a relevant
    // one.
    Restriction restriction(c_.circuit, c_.next);
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r) restriction.postpone(c_.first_role + r);
    restriction.run();
    std::vector<Update> result;
    std::vector<Wire> next;
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].deterministic) {
        result.push_back(rule(g));
        continue;
      }
      const bool changes = restricted(g, restriction, next);
      for (std::size_t i = 0; i < next.size(); ++i) next[i] = c_.next[groups_[g].facts[i]];
      Update update = shape(g, next);
      if (update.nothing()) continue;
      if (!changes && !update.one_lookup()) guard(next, update);
      result.push_back(std::move(update));
    }
    return result;
  }

  void guard(const std::vector<Wire>& next, Update& update) {
    std::vector<std::uint32_t> open;
    std::vector<std::vector<std::uint32_t>> lists(p_.roles.size());
    seen_.resize(c_.circuit.size(), 0);
    ++stamp_;
    const auto reach = [&](Wire w) {
      const std::uint32_t n = node_of(w);
      if (!reads_move_[n] || seen_[n] == stamp_) return;
      seen_[n] = stamp_;
      open.push_back(n);
    };
    for (const Wire w : next) reach(w);
    for (std::size_t i = 0; i < open.size(); ++i) {
      const std::uint32_t n = open[i];
      if (open.size() > kLowerLimits.guard_nodes || c_.circuit.kind(n) == Circuit::Kind::recursive) return;
      if (c_.circuit.kind(n) == Circuit::Kind::leaf) {
        auto& list = lists[c_.circuit.variable(n) - c_.first_role];
        const auto values = c_.circuit.values(n);
        list.insert(list.end(), values.begin(), values.end());
        continue;
      }
      for (const Wire w : c_.circuit.inputs(n)) reach(w);
    }
    for (std::uint32_t r = 0; r < lists.size(); ++r) {
      if (lists[r].empty()) continue;
      sort_unique(lists[r]);
      update.guard.emplace_back(r, std::move(lists[r]));
    }
  }

  const GroundProgram& p_;
  Conditions& c_;
  const std::vector<FactGroup>& groups_;
  const TurnStructure& turns_;
  const PlanLimits& limits_;
  LookupFinder lookups_;
  std::vector<bool> reads_move_;
  bool moving_cycles_ = false;
  std::vector<std::vector<std::uint32_t>> facts_of_;  // per node: the facts whose next value it is
  std::vector<std::uint32_t> seen_;
  std::uint32_t stamp_ = 0;
};

}  // namespace

StepPlan plan_steps(const GroundProgram& program, Conditions& conditions, const std::vector<FactGroup>& groups,
                    const TurnStructure& turns, const PlanLimits& limits) {
  return Planner(program, conditions, groups, turns, limits).run();
}

}  // namespace rgtrans::gdl
