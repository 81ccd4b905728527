// From the engine's instances to the ground program: numbers the facts and moves that can hold, defines the derived
// atoms, then collects legality, the end, goals and percepts.
#include <algorithm>

#include "core/support/reach.hpp"
#include "frontends/gdl/ground/definitions.hpp"

namespace rgtrans::gdl {

namespace {

class Simplifier {
 public:
  Simplifier(Instances instances, const GroundOptions& options, Diagnostics& diagnostics)
      : i_(std::move(instances)), options_(options), diagnostics_(diagnostics) {}

  GroundProgram run() {
    find_places();
    number_inputs();
    define_atoms(i_, facts_, places_, result_, literals_, diagnostics_);
    outputs();
    return std::move(result_);
  }

 private:
  void find_places() {
    const GroundRules& g = i_.engine.ground;
    places_.resize(i_.engine.atoms.size());
    for (std::size_t k = 0; k < g.size(); ++k)
      if (const Rule* rule = i_.engine.rule(g.rule_of[k]).source; rule != nullptr && !places_[g.heads[k]].known())
        places_[g.heads[k]] = rule->where;
  }

  void number_inputs() {
    const std::size_t atoms = i_.engine.atoms.size();
    literals_.assign(atoms, kFalse);
    result_.symbols = i_.program.symbols;
    for (const Predicate& predicate : i_.program.predicates)
      result_.mentions.try_emplace(predicate.name, predicate.where);
    result_.terms = i_.program.patterns.terms;
    result_.roles = i_.program.roles;
    for (std::uint32_t r = 0; r < i_.program.roles.size(); ++r) {
      if (result_.terms.symbol(i_.program.roles[r]) == i_.program.random &&
          result_.terms.arity(i_.program.roles[r]) == 0)
        result_.random = r;
    }
    for (std::uint32_t a = 0; a < atoms; ++a)
      if (i_.sort[a] == Instances::Sort::fact && i_.possible[a]) facts_.push_back(a);
    for (std::uint32_t a = 0; a < atoms; ++a)
      if (i_.sort[a] == Instances::Sort::does && i_.possible[a] && i_.role[a] != kNone) moves_.push_back(a);
    std::ranges::stable_sort(moves_, {}, [&](std::uint32_t a) { return i_.role[a]; });
    if (options_.cone) drop_unobservable();
    result_.initial.resize(facts_.size());
    std::vector<bool> initial(atoms);
    for (const std::uint32_t a : i_.raw.initial) initial[a] = true;
    for (std::uint32_t i = 0; i < facts_.size(); ++i) {
      const std::uint32_t a = facts_[i];
      result_.facts.push_back(term_of(i_, result_, a, 0));
      result_.initial[i] = initial[a];
      literals_[a] = i_.certain[a] ? kTrue : 2 * i;
    }
    const auto base = static_cast<std::uint32_t>(facts_.size());
    for (std::uint32_t i = 0; i < moves_.size(); ++i) {
      const std::uint32_t a = moves_[i];
      result_.moves.push_back({i_.role[a], term_of(i_, result_, a, 1)});
      literals_[a] = i_.certain[a] ? kTrue : 2 * (base + i);
    }
  }

  // Keeps the facts on which legality, the end, the goals or percepts depend over any number of steps.
  void drop_unobservable() {
    std::vector<std::uint32_t> outputs;
    for (std::uint32_t a = 0; a < i_.engine.atoms.size(); ++a)
      if (i_.is_open(a) && i_.is_output(a)) outputs.push_back(a);
    const std::vector<bool> seen = reached_from(i_.engine.atoms.size(), outputs, [&](std::uint32_t a, auto&& reach) {
      if (i_.sort[a] == Instances::Sort::fact && !i_.certain[a]) reach(a + 1);
      for (const std::uint32_t b : i_.bodies[a])
        for (const std::uint32_t l : i_.engine.ground.body(b))
          if (!i_.is_certain(l)) reach(l / 2);
    });
    std::erase_if(facts_, [&](std::uint32_t a) { return !seen[a] || i_.certain[a]; });
  }

  void outputs() {
    std::vector<Range> inputs;
    for (const std::uint32_t f : facts_) inputs.push_back(places_[f + 1]);
    for (const std::uint32_t m : moves_) inputs.push_back(places_[m + 1]);
    result_.where.insert(result_.where.begin(), inputs.begin(), inputs.end());
    for (const std::uint32_t f : facts_) result_.next.push_back(i_.certain[f] ? kTrue : literals_[f + 1]);
    for (const std::uint32_t m : moves_) result_.legal.push_back(literals_[m + 1]);
    for (RelationInfo& info : i_.engine.relations) {
      if (info.kind != RelationInfo::Kind::ordinary || !info.dynamic) continue;
      const Keyword k = i_.program[info.predicate].keyword;
      if (k != Keyword::terminal && k != Keyword::goal && k != Keyword::sees) continue;
      for (std::uint32_t row = 0; row < info.tuples->size(); ++row) {
        const GroundLiteral when = literals_[info.atoms[row]];
        const Range where = places_[info.atoms[row]];
        if (k == Keyword::terminal) {
          result_.terminal = when;
          result_.terminal_where = where;
        }
        if (when == kFalse || k == Keyword::terminal) continue;
        const std::uint32_t role = i_.role_index(TermId(info.tuples->row(row)[0]));
        if (role == kNone) continue;
        const TermId term(info.tuples->row(row)[1]);
        if (k == Keyword::goal) result_.goals.push_back({role, term, when, where});
        if (k == Keyword::sees) result_.sees.push_back({role, term, when, where});
      }
    }
    const PredId sees = i_.program.find_keyword(Keyword::sees);
    result_.imperfect = result_.random != kNone || (sees.valid() && i_.program[sees].defined);
  }

  Instances i_;
  const GroundOptions& options_;
  Diagnostics& diagnostics_;
  GroundProgram result_;
  std::vector<Range> places_;                 // by atom of the engine
  std::vector<std::uint32_t> facts_, moves_;  // atoms of the engine
  std::vector<GroundLiteral> literals_;       // by atom of the engine
};

}  // namespace

GroundProgram simplify(Program& program, RawGround& raw, const GroundOptions& options, Diagnostics& diagnostics) {
  return Simplifier(read_instances(program, raw), options, diagnostics).run();
}

}  // namespace rgtrans::gdl
