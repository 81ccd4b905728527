#include "frontends/gdl/network/groups.hpp"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <map>
#include <optional>

#include "core/support/effort.hpp"
#include "frontends/gdl/limits.hpp"
#include "frontends/gdl/network/abstract.hpp"

namespace rgtrans::gdl {

namespace {

class Groups {
 public:
  Groups(const GroundProgram& program, const Network& network) : p_(program), network_(network), evaluate_(network) {}

  std::vector<FactGroup> run() {
    taken_.assign(p_.facts.size(), false);
    for (const auto& candidate : candidates()) deterministic(candidate.first, candidate.second);
    for (std::uint32_t f = 0; f < p_.facts.size(); ++f)
      if (!taken_[f]) result_.emplace_back().facts = {f};
    return std::move(result_);
  }

 private:
  // Candidates: the facts of one functor, all of them or those that agree in one argument, of which exactly one holds
  // initially.
  using Facts = std::vector<std::uint32_t>;
  [[nodiscard]] std::vector<std::pair<Facts, Facts>> candidates() const {
    std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> classes;
    for (std::uint32_t f = 0; f < p_.facts.size(); ++f) {
      const TermId term = p_.facts[f];
      const auto arguments = p_.terms.arguments(term);
      const auto arity = static_cast<std::uint32_t>(arguments.size());
      classes[{p_.terms.symbol(term).value, arity}].push_back(f);
      if (arity < 2) continue;
      for (std::uint32_t i = 0; i < arity; ++i)
        classes[{p_.terms.symbol(term).value, arity, i, arguments[i].value}].push_back(f);
    }
    // Facts without arguments often alternate too.
    std::vector<std::uint32_t> plain;
    for (std::uint32_t f = 0; f < p_.facts.size(); ++f)
      if (p_.terms.arity(p_.facts[f]) == 0) plain.push_back(f);
    // The facts, and the arguments in which they agree.
    std::vector<std::pair<Facts, Facts>> result;
    for (auto& [key, facts] : classes) {
      const auto initial = std::ranges::count_if(facts, [&](std::uint32_t f) { return p_.initial[f]; });
      if (facts.size() > 1 && initial == 1) result.emplace_back(facts, key.size() > 2 ? Facts{key[2]} : Facts{});
    }
    if (plain.size() > 1) result.emplace_back(plain, Facts{});
    for (Facts& facts : relays()) result.emplace_back(std::move(facts), Facts{});
    return result;
  }

  // Groups of facts of any name that only pass a token on: the next value of each is a disjunction of others.
  [[nodiscard]] std::vector<Facts> relays() const {
    boost::disjoint_sets_with_storage<> sets(p_.facts.size());
    std::vector<bool> relay(p_.facts.size());
    for (std::uint32_t f = 0; f < p_.facts.size(); ++f) {
      const std::optional<Facts> before = copied(p_.next[f]);
      if (!before) continue;
      for (const std::uint32_t g : *before) {
        relay[f] = relay[g] = true;
        sets.union_set(f, g);
      }
    }
    std::map<std::size_t, Facts> parts;
    for (std::uint32_t f = 0; f < p_.facts.size(); ++f)
      if (relay[f]) parts[sets.find_set(f)].push_back(f);
    std::vector<Facts> result;
    for (auto& [root, facts] : parts) {
      if (facts.size() > 1) result.push_back(std::move(facts));
    }
    return result;
  }

  // The facts of a literal that is equivalent to their disjunction.
  [[nodiscard]] std::optional<Facts> copied(GroundLiteral literal) const {
    if (literal == kFalse) return Facts();
    if (is_constant(literal) || is_negated(literal)) return std::nullopt;
    const std::uint32_t atom = atom_of(literal);
    if (atom < p_.facts.size()) return Facts{atom};
    if (atom < p_.derived_begin()) return std::nullopt;
    Facts facts;
    const std::uint32_t d = atom - p_.derived_begin();
    for (std::uint32_t b = p_.first_body[d]; b < p_.first_body[d + 1]; ++b) {
      const auto body = p_.body(b);
      if (body.size() != 1 || is_constant(body[0]) || is_negated(body[0]) || atom_of(body[0]) >= p_.facts.size())
        return std::nullopt;
      facts.push_back(atom_of(body[0]));
    }
    return facts;
  }

  void deterministic(const Facts& facts, const Facts& key) {
    if (std::ranges::any_of(facts, [&](std::uint32_t f) { return taken_[f]; })) return;
    if (std::ranges::count_if(facts, [&](std::uint32_t f) { return p_.initial[f]; }) != 1) return;
    if (!gates_.spend(facts.size() * (network_.wire_count() + network_.size()))) return;
    FactGroup group;
    group.facts = facts;
    group.key = key;
    group.mixed = std::ranges::any_of(
        facts, [&](std::uint32_t f) { return p_.terms.symbol(p_.facts[f]) != p_.terms.symbol(p_.facts[facts[0]]); });
    group.exact = group.deterministic = true;
    std::vector<Truth> inputs(network_.inputs(), Truth::unknown);
    for (const std::uint32_t f : facts) inputs[f] = Truth::no;
    for (std::uint32_t i = 0; i < facts.size(); ++i) {
      inputs[facts[i]] = Truth::yes;
      evaluate_.run(inputs);
      inputs[facts[i]] = Truth::no;
      std::uint32_t successor = i;
      if (evaluate_(network_.literal(p_.terminal)) != Truth::yes) {
        std::uint32_t found = 0;
        for (std::uint32_t j = 0; j < facts.size(); ++j) {
          const Truth t = evaluate_(network_.literal(p_.next[facts[j]]));
          if (t == Truth::unknown) return;
          if (t != Truth::yes) continue;
          ++found;
          successor = j;
        }
        if (found != 1) return;
      }
      group.successor.push_back(successor);
    }
    for (const std::uint32_t f : facts) taken_[f] = true;
    result_.push_back(std::move(group));
  }

  const GroundProgram& p_;
  const Network& network_;
  AbstractEvaluation evaluate_;
  std::vector<bool> taken_;
  Effort gates_{"following groups of facts from step to step", kNetworkLimits.group_gates, limits::effort};
  std::vector<FactGroup> result_;
};

class Turns {
 public:
  Turns(const GroundProgram& program, const Network& network, bool keep_forced)
      : p_(program), network_(network), evaluate_(network), keep_forced_(keep_forced) {}

  TurnStructure run(const std::vector<FactGroup>& groups) {
    TurnStructure best = structure(nullptr, kNone);
    double best_score = score(best);
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
      if (!groups[g].deterministic || groups[g].facts.size() > kNetworkLimits.phases) continue;
      TurnStructure other = structure(&groups[g], g);
      const double s = score(other);
      if (s > best_score) {
        best = std::move(other);
        best_score = s;
      }
    }
    return best;
  }

 private:
  TurnStructure structure(const FactGroup* group, std::uint32_t index) {
    TurnStructure result;
    result.group = index;
    std::vector<Truth> inputs(network_.inputs(), Truth::unknown);
    if (group != nullptr)
      for (const std::uint32_t f : group->facts) inputs[f] = Truth::no;
    const std::size_t values = group == nullptr ? 1 : group->facts.size();
    for (std::uint32_t v = 0; v < values; ++v) {
      if (group != nullptr) inputs[group->facts[v]] = Truth::yes;
      evaluate_.run(inputs);
      if (group != nullptr) inputs[group->facts[v]] = Truth::no;
      TurnStructure::Phase phase = describe();
      const auto same = std::ranges::find_if(result.phases, [&](const TurnStructure::Phase& other) {
        return other.forced == phase.forced && other.moves == phase.moves;
      });
      if (same != result.phases.end()) {
        same->values.push_back(v);
      } else {
        phase.values = {v};
        result.phases.push_back(std::move(phase));
      }
    }
    return result;
  }

  TurnStructure::Phase describe() {
    TurnStructure::Phase phase;
    phase.moves.resize(p_.roles.size());
    phase.forced.assign(p_.roles.size(), TurnStructure::kDecides);
    std::vector<bool> certain(p_.roles.size());
    for (std::uint32_t m = 0; m < p_.moves.size(); ++m) {
      const Truth t = evaluate_(network_.literal(p_.legal[m]));
      if (t == Truth::no) continue;
      phase.moves[p_.moves[m].role].push_back(m);
      if (t == Truth::yes) certain[p_.moves[m].role] = true;
    }
    if (evaluate_(network_.literal(p_.terminal)) == Truth::yes)
      for (auto& moves : phase.moves) moves.clear();
    for (std::size_t r = 0; r < p_.roles.size(); ++r)
      if (!keep_forced_ && phase.moves[r].size() == 1 && certain[r]) phase.forced[r] = phase.moves[r][0];
    return phase;
  }

  // The share of forced decisions over all values, minus a small cost per phase.
  static double score(const TurnStructure& turns) {
    double forced = 0;
    double values = 0;
    for (const auto& phase : turns.phases) {
      values += static_cast<double>(phase.values.size());
      for (const std::uint32_t f : phase.forced)
        if (f != TurnStructure::kDecides) forced += static_cast<double>(phase.values.size());
    }
    return forced / std::max(1.0, values) - 0.001 * static_cast<double>(turns.phases.size());
  }

  const GroundProgram& p_;
  const Network& network_;
  AbstractEvaluation evaluate_;
  bool keep_forced_;
};

}  // namespace

std::vector<FactGroup> find_groups(const GroundProgram& program, const Network& network) {
  return Groups(program, network).run();
}

TurnStructure find_turns(const GroundProgram& program, const Network& network, const std::vector<FactGroup>& groups,
                         bool keep_forced) {
  return Turns(program, network, keep_forced).run(groups);
}

}  // namespace rgtrans::gdl
