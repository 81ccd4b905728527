// The induction: the groups hold at first; if they hold in a state then in each of its successors. The circuit over the
// groups' variables is the assumption, so what has to be shown is that no two next facts of a group hold together.
// Where one role decides that is done move by move, and only for the groups that the move can matter to.
#include "frontends/gdl/exclusion.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "frontends/gdl/alternatives.hpp"
#include "frontends/gdl/conditions.hpp"
#include "frontends/gdl/machine.hpp"
#include "frontends/gdl/refute.hpp"
#include "frontends/gdl/restriction.hpp"

namespace rgtrans::gdl {

namespace {

constexpr std::uint32_t kMaxArity = 5;
// Playouts: steps, and steps times wires.
constexpr std::uint64_t kMaxSteps = 600;
constexpr std::uint64_t kMaxPlayWork = 60'000'000;
constexpr unsigned kMaxPlayout = 100;
// Literals of the ground program times rounds of the proof.
constexpr std::uint64_t kMaxProofWork = 4'000'000;
constexpr std::uint64_t kMaxRounds = 12;
// Wires looked at by the search, in one round; alternatives it may nest.
constexpr std::uint64_t kRefuteBudget = 20'000'000;
constexpr int kRefuteDepth = 5;
// Conditions of alternatives looked at to tell them apart, in all rounds; and as many for each literal.
constexpr std::uint64_t kSeparateBudget = 4'000'000;
constexpr std::uint64_t kSeparateLiteral = 20;
// Pairs of next facts of one group that are compared.
constexpr std::size_t kMaxPairs = 4000;

// All facts of one functor, with the ways of grouping them that no playout refuted.
struct Family {
  std::vector<std::uint32_t> facts;
  std::uint32_t arity = 0;
  struct Key {
    std::uint32_t mask = 0;
    std::vector<std::uint32_t> class_of;  // per fact of the family
    std::uint32_t classes = 0;
    bool alive = true;
  };
  std::vector<Key> keys;  // the coarsest first
  std::size_t chosen = 0;
};

class Exclusions {
 public:
  Exclusions(const GroundProgram& program, const Network& network, const std::vector<FactGroup>& groups,
             const TurnStructure& turns, Oddities& oddities)
      : p_(program), network_(network), turns_(turns), oddities_(oddities) {
    oddities_.stuck.assign(p_.roles.size(), false);
    oddities_.no_goal = oddities_.several_goals = oddities_.stuck;
    std::vector<bool> taken(p_.facts.size());
    for (const FactGroup& group : groups) {
      if (!group.deterministic) break;
      fixed_.push_back(group);
      for (const std::uint32_t f : group.facts) taken[f] = true;
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, Family> families;
    for (std::uint32_t f = 0; f < p_.facts.size(); ++f) {
      if (taken[f]) continue;
      const std::uint32_t arity = p_.terms.arity(p_.facts[f]);
      Family& family = families[{p_.terms.symbol(p_.facts[f]).value, arity}];
      family.facts.push_back(f);
      family.arity = arity;
    }
    for (auto& [key, family] : families) families_.push_back(std::move(family));
  }

  std::vector<FactGroup> run() {
    propose();
    const std::uint64_t rounds = std::min(kMaxRounds, kMaxProofWork / (p_.literals.size() + 1));
    for (std::uint64_t round = 0; round < rounds; ++round) {
      if (std::ranges::none_of(families_, has_key)) break;
      const std::set<std::size_t> refuted = refute();
      if (refuted.empty()) return groups();
      for (const std::size_t i : refuted) ++families_[i].chosen;
    }
    for (Family& family : families_) family.chosen = family.keys.size();
    return groups();
  }

 private:
  static bool has_key(const Family& family) { return family.chosen < family.keys.size(); }

  // --- Candidates. ---
  void propose() {
    for (Family& family : families_) {
      if (family.arity == 0 || family.facts.size() < 2) continue;
      // Of long sentences only all together are tried.
      const std::uint32_t masks = family.arity > kMaxArity ? 1 : (1U << family.arity) - 1;
      for (std::uint32_t mask = 0; mask < masks; ++mask) {
        Family::Key key;
        key.mask = mask;
        std::map<std::vector<TermId>, std::uint32_t> classes;
        for (const std::uint32_t f : family.facts) {
          std::vector<TermId> values;
          const auto arguments = p_.terms.arguments(p_.facts[f]);
          for (std::uint32_t i = 0; i < family.arity; ++i)
            if ((mask >> i & 1U) != 0) values.push_back(arguments[i]);
          key.class_of.push_back(classes.try_emplace(values, classes.size()).first->second);
        }
        key.classes = static_cast<std::uint32_t>(classes.size());
        if (key.classes < family.facts.size()) family.keys.push_back(std::move(key));
      }
    }
    play();
    for (Family& family : families_) {
      std::erase_if(family.keys, [](const Family::Key& key) { return !key.alive; });
      std::ranges::stable_sort(family.keys, {}, &Family::Key::classes);
    }
  }

  void play() {
    Machine machine(p_, network_);
    std::uint64_t random = 0x9e3779b97f4a7c15ULL;
    const auto below = [&](std::size_t n) {
      random = random * 6364136223846793005ULL + 1442695040888963407ULL;
      return static_cast<std::size_t>((random >> 33U) % n);
    };
    const std::uint64_t most = std::min(kMaxSteps, 20 + kMaxPlayWork / (network_.wire_count() + 1));
    std::uint64_t steps = 0;
    std::vector<std::uint32_t> legal, joint(p_.roles.size());
    while (steps < most) {
      machine.set_state(machine.initial());
      look(machine);
      ++steps;
      bool stuck = false;
      for (unsigned step = 0; step < kMaxPlayout && steps < most && !stuck && !machine.terminal(); ++step) {
        for (std::uint32_t r = 0; r < joint.size(); ++r) {
          machine.legal(r, legal);
          stuck = stuck || legal.empty();
          oddities_.stuck[r] = oddities_.stuck[r] || legal.empty();
          if (!legal.empty()) joint[r] = legal[below(legal.size())];
        }
        if (stuck) break;
        machine.step(joint);
        look(machine);
        ++steps;
      }
      if (machine.terminal()) look_at_goals(machine);
    }
  }

  void look_at_goals(const Machine& machine) {
    for (std::uint32_t r = 0; r < p_.roles.size(); ++r) {
      if (r == p_.random) continue;
      const std::size_t count = machine.goals(r).size();
      if (count == 0) oddities_.no_goal[r] = true;
      if (count > 1) oddities_.several_goals[r] = true;
    }
  }

  // Drops the ways of grouping in which two facts of a group hold now.
  void look(const Machine& machine) {
    for (Family& family : families_) {
      if (family.keys.empty()) continue;
      true_.clear();
      for (std::uint32_t i = 0; i < family.facts.size(); ++i)
        if (machine.fact(family.facts[i])) true_.push_back(i);
      for (Family::Key& key : family.keys) {
        if (!key.alive) continue;
        ++stamp_;
        stamps_.resize(std::max<std::size_t>(stamps_.size(), key.classes), 0);
        for (const std::uint32_t i : true_) {
          key.alive = key.alive && stamps_[key.class_of[i]] != stamp_;
          stamps_[key.class_of[i]] = stamp_;
        }
      }
    }
  }

  [[nodiscard]] std::vector<FactGroup> groups() {
    std::vector<FactGroup> result = fixed_;
    family_of_.assign(result.size(), kNone);
    for (std::size_t i = 0; i < families_.size(); ++i) {
      const Family& family = families_[i];
      if (!has_key(family)) {
        for (const std::uint32_t f : family.facts) result.emplace_back().facts = {f};
        family_of_.resize(result.size(), kNone);
        continue;
      }
      const Family::Key& key = family.keys[family.chosen];
      const std::size_t first = result.size();
      result.resize(first + key.classes);
      for (std::size_t k = 0; k < family.facts.size(); ++k)
        result[first + key.class_of[k]].facts.push_back(family.facts[k]);
      for (std::size_t g = first; g < result.size(); ++g)
        for (std::uint32_t a = 0; a < family.arity; ++a)
          if ((key.mask >> a & 1U) != 0) result[g].key.push_back(a);
      family_of_.resize(result.size(), static_cast<std::uint32_t>(i));
    }
    return result;
  }

  // --- The proof. ---
  // The families of which a group may be violated by a step.
  std::set<std::size_t> refute() {
    const std::vector<FactGroup> groups = this->groups();
    refuted_.clear();
    Conditions conditions(p_, groups);
    Refuter refuter(conditions, kRefuteBudget);
    Separation separation(conditions, refuter, separate_budget_);
    const std::vector<bool> reads = conditions.reads_move();
    const bool cycles = std::ranges::any_of(conditions.recursive_nodes, [&](std::uint32_t n) { return reads[n]; });
    std::vector<std::vector<std::uint32_t>> groups_of(conditions.circuit.size());
    // What the next facts of groups that are not refuted depend on, and what is asked beside them.
    const auto roots = [&] {
      std::vector<Wire> wires = conditions.legal;
      wires.push_back(conditions.terminal);
      for (std::uint32_t g = 0; g < groups.size(); ++g) {
        if (family_of_[g] == kNone || refuted_.contains(family_of_[g])) continue;
        for (const std::uint32_t f : groups[g].facts) wires.push_back(conditions.next[f]);
      }
      return wires;
    };
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
      if (family_of_[g] == kNone) continue;
      for (const std::uint32_t f : groups[g].facts) groups_of[node_of(conditions.next[f])].push_back(g);
    }
    for (const auto& phase : turns_.phases) {
      Restriction restriction(conditions.circuit, roots());
      if (turns_.group != TurnStructure::kNoGroup) restriction.know(turns_.group, phase.values);
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
      const Wire inside =
          turns_.group == TurnStructure::kNoGroup ? kAlways : conditions.circuit.leaf(turns_.group, phase.values);
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
        std::ranges::sort(touched);
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        const Wire legal = restriction(conditions.legal[m]);
        for (const std::uint32_t g : touched)
          show(g, groups[g], conditions, restriction, {going, inside, legal}, refuter, separation);
      }
    }
    return refuted_;
  }

  [[nodiscard]] bool all_refuted() const {
    return refuted_.size() == static_cast<std::size_t>(std::ranges::count_if(families_, has_key));
  }

  // That no two next facts of the group hold together; else its family is refuted.
  void show(std::uint32_t g, const FactGroup& group, Conditions& conditions, const Restriction& restriction,
            const std::vector<Wire>& known, Refuter& refuter, Separation& separation) {
    if (family_of_[g] == kNone || refuted_.contains(family_of_[g])) return;
    next_.clear();
    for (const std::uint32_t f : group.facts) {
      const Wire wire = restriction(conditions.next[f]);
      if (wire != kNever) next_.push_back(wire);
    }
    if (next_.size() < 2 || disjoint_leaves(conditions.circuit)) return;
    if (separation.exclusive(next_, known)) return;
    bool holds = next_.size() * (next_.size() - 1) / 2 <= kMaxPairs;
    for (std::size_t i = 0; i < next_.size() && holds; ++i) {
      for (std::size_t k = 0; k < i && holds; ++k) {
        std::vector<Wire> wires = known;
        wires.push_back(next_[i]);
        wires.push_back(next_[k]);
        holds = refuter.impossible(std::move(wires), kRefuteDepth);
      }
    }
    if (!holds) refuted_.insert(family_of_[g]);
  }

  // The common case: they speak about different values of one variable.
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

  static constexpr std::uint32_t kNone = 0xffffffffU;

  const GroundProgram& p_;
  const Network& network_;
  const TurnStructure& turns_;
  Oddities& oddities_;
  std::vector<FactGroup> fixed_;
  std::vector<Family> families_;
  std::vector<std::uint32_t> family_of_;  // per group
  std::set<std::size_t> refuted_;
  std::uint64_t separate_budget_ = kSeparateBudget + kSeparateLiteral * p_.literals.size();
  std::vector<std::uint32_t> true_, stamps_;
  std::uint32_t stamp_ = 0;
  std::vector<Wire> next_;
};

}  // namespace

std::vector<FactGroup> find_exclusions(const GroundProgram& program, const Network& network,
                                       const std::vector<FactGroup>& groups, const TurnStructure& turns,
                                       Oddities& oddities) {
  return Exclusions(program, network, groups, turns, oddities).run();
}

}  // namespace rgtrans::gdl
