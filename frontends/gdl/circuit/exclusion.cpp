// The proof by induction. The groups hold initially, and if they hold in a state, they hold in each successor. The
// circuit over the groups' variables encodes the hypothesis, so the step shows that no two next facts of a group hold
// at once. If one role decides, the proof treats each of its moves separately, and only the groups that depend on the
// move.
#include "frontends/gdl/circuit/exclusion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/support/reach.hpp"
#include "core/support/sorted.hpp"
#include "core/support/support.hpp"
#include "frontends/gdl/circuit/alternatives.hpp"
#include "frontends/gdl/circuit/conditions.hpp"
#include "frontends/gdl/circuit/refute.hpp"
#include "frontends/gdl/circuit/restriction.hpp"
#include "frontends/gdl/limits.hpp"
#include "frontends/gdl/network/machine.hpp"

namespace rgtrans::gdl {

namespace {

// The facts of one functor, or the derived atoms of one relation, with the keys that no playout has refuted.
struct Candidate {
  std::vector<std::uint32_t> atoms;
  std::uint32_t arity = 0;
  struct Key {
    std::uint32_t mask = 0;
    std::vector<std::uint32_t> class_of;  // per atom of the candidate
    std::uint32_t classes = 0;
    bool alive = true;

    [[nodiscard]] std::vector<std::uint32_t> arguments() const {
      std::vector<std::uint32_t> result;
      for (std::uint32_t i = 0; mask >> i != 0; ++i)
        if ((mask >> i & 1U) != 0) result.push_back(i);
      return result;
    }
  };
  std::vector<Key> keys;  // coarsest first
  std::size_t chosen = 0;
};

class Exclusions {
 public:
  Exclusions(const GroundProgram& program, const Network& network, const std::vector<FactGroup>& groups,
             const TurnStructure& turns, const DerivedLimits& limits, PlayoutFindings& findings)
      : p_(program),
        network_(network),
        turns_(turns),
        limits_(limits),
        findings_(findings),
        derived_(derived_candidates()) {
    findings_.stuck.resize(p_.roles.size());
    findings_.no_goal.resize(p_.roles.size());
    findings_.several_goals = findings_.no_goal;
    std::vector<bool> taken(p_.facts.size());
    for (const FactGroup& group : groups) {
      if (!group.deterministic) break;
      fixed_.push_back(group);
      for (const std::uint32_t f : group.facts) taken[f] = true;
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, Candidate> candidates;
    for (std::uint32_t f = 0; f < p_.facts.size(); ++f) {
      if (taken[f]) continue;
      const std::uint32_t arity = p_.terms.arity(p_.facts[f]);
      Candidate& candidate = candidates[{p_.terms.symbol(p_.facts[f]).value, arity}];
      candidate.atoms.push_back(f);
      candidate.arity = arity;
    }
    for (auto& [key, candidate] : candidates) candidates_.push_back(std::move(candidate));
  }

  std::vector<FactGroup> run() {
    propose();
    const std::uint64_t rounds =
        std::min(kCircuitLimits.proof_rounds, kCircuitLimits.proof_literals / (p_.literals.size() + 1));
    for (std::uint64_t round = 0; round < rounds; ++round) {
      if (std::ranges::none_of(candidates_, has_key)) break;
      const std::set<std::size_t> refuted = refute();
      if (refuted.empty()) return groups();
      for (const std::size_t i : refuted) ++candidates_[i].chosen;
    }
    for (Candidate& candidate : candidates_) candidate.chosen = candidate.keys.size();
    return groups();
  }

  // The coarsest unrefuted classes of each relation.
  [[nodiscard]] std::vector<DerivedGroups> derived() const {
    std::vector<DerivedGroups> result;
    for (const Candidate& candidate : derived_) {
      if (candidate.keys.empty()) continue;
      const Candidate::Key& key = candidate.keys[0];
      result.push_back({key.arguments(), std::vector<std::vector<std::uint32_t>>(key.classes)});
      for (std::size_t i = 0; i < candidate.atoms.size(); ++i)
        result.back().classes[key.class_of[i]].push_back(candidate.atoms[i] - p_.derived_begin());
    }
    return result;
  }

 private:
  static bool has_key(const Candidate& candidate) { return candidate.chosen < candidate.keys.size(); }

  // --- Candidates. ---
  void propose() {
    const auto each_candidate = [&](const auto& use) {
      std::ranges::for_each(candidates_, use);
      std::ranges::for_each(derived_, use);
    };
    each_candidate([&](Candidate& candidate) { add_keys(candidate); });
    for (Candidate& candidate : derived_)
      std::erase_if(candidate.keys,
                    [&](const Candidate::Key& key) { return key.classes * limits_.atoms > candidate.atoms.size(); });
    play();
    each_candidate([](Candidate& candidate) {
      std::erase_if(candidate.keys, [](const Candidate::Key& key) { return !key.alive; });
      std::ranges::stable_sort(candidate.keys, {}, &Candidate::Key::classes);
    });
  }

  void add_keys(Candidate& candidate) const {
    if (candidate.arity == 0 || candidate.atoms.size() < 2) return;
    // For long sentences, tries only the empty key.
    const std::uint32_t masks = candidate.arity > kCircuitLimits.arity ? 1 : (1U << candidate.arity) - 1;
    for (std::uint32_t mask = 0; mask < masks; ++mask) {
      Candidate::Key key;
      key.mask = mask;
      std::map<std::vector<TermId>, std::uint32_t> classes;
      for (const std::uint32_t atom : candidate.atoms) {
        std::vector<TermId> values;
        const auto arguments = p_.arguments(atom);
        for (std::uint32_t i = 0; i < candidate.arity; ++i)
          if ((mask >> i & 1U) != 0) values.push_back(arguments[i]);
        key.class_of.push_back(classes.try_emplace(values, classes.size()).first->second);
      }
      key.classes = static_cast<std::uint32_t>(classes.size());
      if (key.classes < candidate.atoms.size()) candidate.keys.push_back(std::move(key));
    }
  }

  // Large relations that do not depend on the joint move.
  [[nodiscard]] std::vector<Candidate> derived_candidates() const {
    struct Relation {
      Candidate candidate;
      std::size_t literals = 0;
      bool moving = false;
    };
    std::map<std::pair<SymbolId, std::uint32_t>, Relation> relations;
    const std::vector<bool> moving = reads_move();
    for (std::uint32_t d = 0; d < p_.derived_count(); ++d) {
      Relation& relation = relations[{p_.names[d].predicate, p_.names[d].count}];
      relation.candidate.arity = p_.names[d].count;
      relation.candidate.atoms.push_back(p_.derived_begin() + d);
      relation.literals += p_.first_literal[p_.first_body[d + 1]] - p_.first_literal[p_.first_body[d]];
      relation.moving = relation.moving || moving[d];
    }
    std::vector<Candidate> result;
    for (auto& [name, relation] : relations)
      if (relation.literals >= limits_.literals && !relation.moving) result.push_back(std::move(relation.candidate));
    return result;
  }

  // Per derived atom: it depends on the joint move.
  [[nodiscard]] std::vector<bool> reads_move() const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> uses;  // of a derived atom by another one
    std::vector<std::uint32_t> readers;
    for (std::uint32_t d = 0; d < p_.derived_count(); ++d) {
      for (std::uint32_t i = p_.first_literal[p_.first_body[d]]; i < p_.first_literal[p_.first_body[d + 1]]; ++i) {
        const GroundLiteral l = p_.literals[i];
        if (is_constant(l) || atom_of(l) < p_.move_begin()) continue;
        if (atom_of(l) < p_.derived_begin()) {
          readers.push_back(d);
        } else {
          uses.emplace_back(atom_of(l) - p_.derived_begin(), d);
        }
      }
    }
    const Grouped users(p_.derived_count(), [&](auto&& add) {
      for (const auto& [used, user] : uses) add(used, user);
    });
    return reached_from(p_.derived_count(), readers, [&](std::uint32_t d, auto&& reach) {
      for (const std::uint32_t user : users[d]) reach(user);
    });
  }

  void play() {
    NetworkMachine machine(p_, network_);
    std::uint64_t random = 0x9e3779b97f4a7c15ULL;
    const auto below = [&](std::size_t n) {
      random = random * 6364136223846793005ULL + 1442695040888963407ULL;
      return static_cast<std::size_t>((random >> 33U) % n);
    };
    const std::uint64_t most =
        std::min(kCircuitLimits.playout_steps, 20 + kCircuitLimits.playout_wires / (network_.wire_count() + 1));
    std::uint64_t steps = 0;
    std::vector<std::uint32_t> legal, joint(p_.roles.size()), made;
    while (steps < most) {
      machine.set_state(machine.initial());
      look(machine);
      ++steps;
      bool stuck = false;
      made.clear();
      for (unsigned step = 0; step < kCircuitLimits.playout_length && steps < most && !stuck && !machine.terminal();
           ++step) {
        for (std::uint32_t r = 0; r < joint.size(); ++r) {
          machine.legal(r, legal);
          stuck = stuck || legal.empty();
          if (legal.empty() && findings_.stuck[r].empty()) findings_.stuck[r] = way(made);
          if (!legal.empty()) joint[r] = legal[below(legal.size())];
        }
        if (stuck) break;
        machine.step(joint);
        made.insert(made.end(), joint.begin(), joint.end());
        look(machine);
        ++steps;
      }
      if (machine.terminal()) look_at_goals(machine);
    }
  }

  // "after 2 steps: (mark 1 1) noop; noop (mark 2 2)"
  [[nodiscard]] std::string way(const std::vector<std::uint32_t>& made) const {
    constexpr std::size_t kShown = 12;
    const std::size_t roles = p_.roles.size(), steps = made.size() / roles;
    if (steps == 0) return "in the initial state";
    std::string text = fmt::format("after {} step{}:", steps, steps == 1 ? "" : "s");
    for (std::size_t i = 0; i < std::min(steps, kShown) * roles; ++i)
      text += fmt::format("{} {}", i > 0 && i % roles == 0 ? ";" : "", p_.text(p_.moves[made[i]].term));
    return text + (steps > kShown ? "; …" : "");
  }

  void look_at_goals(const NetworkMachine& machine) {
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r) {
      if (r == p_.random) continue;
      const std::size_t count = machine.goals(r).size();
      if (count == 0) findings_.no_goal[r] = true;
      if (count > 1) findings_.several_goals[r] = true;
    }
  }

  // Removes the keys for which two facts of a group hold in this state.
  void look(const NetworkMachine& machine) {
    for (Candidate& candidate : candidates_) look(candidate, [&](std::uint32_t f) { return machine.fact(f); });
    for (Candidate& candidate : derived_) look(candidate, [&](std::uint32_t atom) { return machine.atom(atom); });
  }

  void look(Candidate& candidate, const auto& holds) {
    if (std::ranges::none_of(candidate.keys, &Candidate::Key::alive)) return;
    true_.clear();
    for (std::uint32_t i = 0; i < candidate.atoms.size(); ++i)
      if (holds(candidate.atoms[i])) true_.push_back(i);
    for (Candidate::Key& key : candidate.keys) {
      if (!key.alive) continue;
      ++stamp_;
      stamps_.resize(std::max<std::size_t>(stamps_.size(), key.classes), 0);
      for (const std::uint32_t i : true_) {
        key.alive = key.alive && stamps_[key.class_of[i]] != stamp_;
        stamps_[key.class_of[i]] = stamp_;
      }
    }
  }

  [[nodiscard]] std::vector<FactGroup> groups() {
    std::vector<FactGroup> result = fixed_;
    candidate_of_.assign(result.size(), kNone);
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const Candidate& candidate = candidates_[i];
      if (!has_key(candidate)) {
        for (const std::uint32_t f : candidate.atoms) result.emplace_back().facts = {f};
        candidate_of_.resize(result.size(), kNone);
        continue;
      }
      const Candidate::Key& key = candidate.keys[candidate.chosen];
      const std::size_t first = result.size();
      result.resize(first + key.classes);
      for (std::size_t k = 0; k < candidate.atoms.size(); ++k)
        result[first + key.class_of[k]].facts.push_back(candidate.atoms[k]);
      for (std::size_t g = first; g < result.size(); ++g) result[g].key = key.arguments();
      candidate_of_.resize(result.size(), static_cast<std::uint32_t>(i));
    }
    return result;
  }

  // --- The proof. ---
  // Returns the candidates with a group that some step may violate.
  std::set<std::size_t> refute() {
    const std::vector<FactGroup> groups = this->groups();
    refuted_.clear();
    Conditions conditions(p_, groups, Conditions::Scope::steps);
    CircuitRefuter refuter(conditions,
                           Effort("proofs that facts exclude each other", kCircuitLimits.refuting, limits::effort));
    Separation separation(conditions, refuter, separating_);
    const std::vector<bool> reads = conditions.reads_move();
    const bool cycles = std::ranges::any_of(conditions.recursive_nodes, [&](std::uint32_t n) { return reads[n]; });
    std::vector<std::vector<std::uint32_t>> groups_of(conditions.circuit.size());
    // The next facts of groups that are not refuted, legality and the end.
    const auto roots = [&] {
      std::vector<Wire> wires = conditions.legal;
      wires.push_back(conditions.terminal);
      for (std::uint32_t g = 0; g < groups.size(); ++g) {
        if (candidate_of_[g] == kNone || refuted_.contains(candidate_of_[g])) continue;
        for (const std::uint32_t f : groups[g].facts) wires.push_back(conditions.next[f]);
      }
      return wires;
    };
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
      if (candidate_of_[g] == kNone) continue;
      for (const std::uint32_t f : groups[g].facts) groups_of[node_of(conditions.next[f])].push_back(g);
    }
    for (const auto& phase : turns_.phases) {
      Restriction restriction(conditions.circuit, roots());
      if (turns_.group != kNone) restriction.know(turns_.group, phase.values);
      std::uint32_t decider = kNone;
      std::size_t deciders = 0;
      for (std::uint32_t r = 0; r < p_.roles.size(); ++r) {
        if (phase.forced[r] != TurnStructure::kDecides) {
          restriction.know(conditions.first_role + r, {conditions.move_value[phase.forced[r]]});
        } else {
          ++deciders;
          decider = r;
        }
      }
      const bool simple = deciders == 1 && !cycles;
      if (simple) restriction.postpone(conditions.first_role + decider);
      restriction.run();
      const Wire going = invert(restriction(conditions.terminal));
      const Wire inside = turns_.group == kNone ? kAlways : conditions.circuit.leaf(turns_.group, phase.values);
      for (std::uint32_t g = 0; g < groups.size(); ++g)
        show(g, groups[g], conditions, restriction, {going, inside}, refuter, separation);
      if (!simple) continue;
      std::vector<std::uint32_t> touched;
      std::size_t known_refuted = 0;
      for (const std::uint32_t m : phase.moves[decider]) {
        if (all_refuted()) return refuted_;
        if (refuted_.size() != known_refuted) restriction.attend(roots());
        known_refuted = refuted_.size();
        restriction.choose(conditions.first_role + decider, conditions.move_value[m]);
        touched.clear();
        for (const std::uint32_t n : restriction.changed())
          if (n < groups_of.size()) touched.insert(touched.end(), groups_of[n].begin(), groups_of[n].end());
        sort_unique(touched);
        const Wire legal = restriction(conditions.legal[m]);
        for (const std::uint32_t g : touched)
          show(g, groups[g], conditions, restriction, {going, inside, legal}, refuter, separation);
      }
    }
    return refuted_;
  }

  [[nodiscard]] bool all_refuted() const {
    return refuted_.size() == static_cast<std::size_t>(std::ranges::count_if(candidates_, has_key));
  }

  // Proves that no two next facts of the group hold at once; otherwise refutes its candidate.
  void show(std::uint32_t g, const FactGroup& group, Conditions& conditions, const Restriction& restriction,
            const std::vector<Wire>& known, CircuitRefuter& refuter, Separation& separation) {
    if (candidate_of_[g] == kNone || refuted_.contains(candidate_of_[g])) return;
    next_.clear();
    for (const std::uint32_t f : group.facts) {
      const Wire wire = restriction(conditions.next[f]);
      if (wire != kNever) next_.push_back(wire);
    }
    if (next_.size() < 2 || disjoint_leaves(conditions.circuit)) return;
    if (separation.exclusive(next_, known)) return;
    bool holds = next_.size() * (next_.size() - 1) / 2 <= kCircuitLimits.pairs;
    for (std::size_t i = 0; i < next_.size() && holds; ++i) {
      for (std::size_t k = 0; k < i && holds; ++k) {
        std::vector<Wire> wires = known;
        wires.push_back(next_[i]);
        wires.push_back(next_[k]);
        holds = refuter.impossible(std::move(wires), kCircuitLimits.refuting_depth);
      }
    }
    if (!holds) refuted_.insert(candidate_of_[g]);
  }

  // The common case: all next facts are disjoint leaves of one variable.
  bool disjoint_leaves(const Circuit& circuit) {
    std::uint32_t variable = kNone;
    std::vector<std::uint32_t> values;
    for (const Wire w : next_) {
      if (!circuit.is_leaf(w) || is_inverted(w)) return false;
      if (variable != kNone && circuit.variable(node_of(w)) != variable) return false;
      variable = circuit.variable(node_of(w));
      const auto list = circuit.values(node_of(w));
      values.insert(values.end(), list.begin(), list.end());
    }
    std::ranges::sort(values);
    return std::ranges::adjacent_find(values) == values.end();
  }

  const GroundProgram& p_;
  const Network& network_;
  const TurnStructure& turns_;
  const DerivedLimits& limits_;
  PlayoutFindings& findings_;
  std::vector<FactGroup> fixed_;
  std::vector<Candidate> candidates_, derived_;
  std::vector<std::uint32_t> candidate_of_;  // per group
  std::set<std::size_t> refuted_;
  Effort separating_{"proofs that alternatives for facts exclude each other",
                     kCircuitLimits.separating + kCircuitLimits.separating_literal* p_.literals.size(), limits::effort};
  std::vector<std::uint32_t> true_, stamps_;
  std::uint32_t stamp_ = 0;
  std::vector<Wire> next_;
};

}  // namespace

ExclusiveAtoms find_exclusions(const GroundProgram& program, const Network& network,
                               const std::vector<FactGroup>& groups, const TurnStructure& turns,
                               const DerivedLimits& limits, PlayoutFindings& findings) {
  Exclusions exclusions(program, network, groups, turns, limits, findings);
  ExclusiveAtoms result;
  result.groups = exclusions.run();
  result.derived = exclusions.derived();
  return result;
}

}  // namespace rgtrans::gdl
