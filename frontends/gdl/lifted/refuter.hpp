// Proves that no reachable state satisfies a conjunction of literals with variables. It uses unification, functional
// dependencies, static relations, the rule that each role makes one move, bounded unfolding of derived relations, and
// case splits. An unfinished proof counts as satisfiable.
//
// Example: (true (control white)) and (true (control black)) contradict each other if `control` has an empty key: both
// facts must then agree on their only column.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "frontends/gdl/lifted/model.hpp"
#include "frontends/gdl/lifted/proofs.hpp"
#include "frontends/gdl/lifted/table_constraints.hpp"

namespace rgtrans::gdl::lifted {

// Functional dependency: at most one fact holds per key, so `key` determines `values`.
struct Dependency {
  std::vector<std::uint32_t> key, values;
  std::vector<RelId> excludes{};  // facts that never hold in the same state as one of these
  // Inclusion dependency: each of these facts implies a fact of another functor with the same values in pairs of
  // columns.
  struct Inclusion {
    RelId in;
    std::map<std::uint32_t, std::uint32_t> columns;  // column of the other fact -> own column
  };
  std::vector<Inclusion> implies{};
};
using Dependencies = std::map<RelId, Dependency>;

class Refuter {
 public:
  // A variable of the query, or the complement of a constant.
  using Term = ProofUnionFind::Term;
  using Terms = ProofUnionFind::Terms;
  static Term constant(std::uint32_t term) { return ProofUnionFind::constant(term); }

  // `purpose` names the proofs in a note if their effort ends; "": no note. `effort` is for all queries; `gdl-effort`
  // scales it. `proofs`: a cache that other refuters share; may be null.
  Refuter(Model& model, const Dependencies& dependencies, std::string_view purpose,
          std::uint64_t effort = kLiftedEfforts.queries, Proofs* proofs = nullptr)
      : m_(model),
        dependencies_(dependencies),
        purpose_(purpose),
        most_of_query_(scaled_effort(kLiftedEfforts.query)),
        most_(scaled_effort(effort)),
        proofs_(proofs),
        fingerprints_(model) {}

  // Adds a proved dependency of a derived relation.
  void learn(RelKey relation, const Dependency& dependency) { learned_[relation].push_back(dependency); }
  // Starts a query without literals.
  void clear() {
    query_ = State(m_, conflict_);
    literals_ = 0;
    assumed_.clear();
  }
  // Adds the body of a rule with new variables, and returns their terms.
  Terms add_body(const LiftedRule& rule);
  [[nodiscard]] Term term(Pattern p, const Terms& variables) const {
    return p.is_ground() ? constant(p.term().value) : variables[p.number()];
  }
  Term add_variable(SortId sort) { return query_.fresh(sort); }
  // Assumptions, to be added after the literals. equal() is false if the assumption is already contradictory.
  bool equal(Term a, Term b);
  void different(const Terms& a, const Terms& b);  // in at least one pair
  void add_fact(RelId fact, Terms arguments);
  // The query is unsatisfiable.
  bool refuted();
  // The last query was not refuted, because its effort or that of all queries ended.
  [[nodiscard]] bool unfinished() const { return unfinished_; }
  // The last refutation needed this literal. Literals are numbered in the order of addition.
  [[nodiscard]] bool needed(std::size_t literal) const { return (conflict_ & assumption(literal)) != 0; }
  // In every state that satisfies the query, the rules derive a fact of the next state with these arguments.
  bool derives_next(RelId fact, const std::map<std::uint32_t, Term>& arguments);
  // Takes the set of facts whose dependencies were used since the last call.
  std::set<RelId> take_used() { return std::exchange(used_, {}); }
  // The effort of all queries so far, in visited literals and pairs of them; and its limit.
  [[nodiscard]] std::uint64_t spent() const { return total_; }
  void limit(std::uint64_t most) { most_ = most; }

 private:
  static constexpr Term kFirstLocal = ProofUnionFind::kFirstLocal;  // local variables begin here
  static bool is_constant(Term t) { return ProofUnionFind::is_constant(t); }
  static std::uint32_t constant_of(Term t) { return ProofUnionFind::constant_of(t); }

  // A justification: a bit per case split and per assumption. The last bit of each kind represents all further ones.
  using Why = ProofUnionFind::Why;
  static constexpr unsigned kShared = 23;  // last bit of case splits
  static Why assumption(std::size_t n) { return Why{1} << std::min<std::size_t>(kShared + 1 + n, 63); }

  struct Atom {
    RelKey key;
    LiteralKind kind;
    bool negated = false;
    bool done = false;  // unfolded, or without further use
    std::uint32_t depth = 0;
    Terms arguments;
    Why why = 0;
    std::uint32_t made = 0;   // time of creation
    std::uint32_t asked = 0;  // time of the last entailment test, if negated
    bool traced = false;      // the origin of the recursion, or the implied facts, have been added
  };
  using Body = boost::container::small_vector<Atom, 8>;
  // Variables with what is known about them, and literals.
  struct State : ProofUnionFind {
    using ProofUnionFind::changed;
    using ProofUnionFind::ProofUnionFind;
    using ProofUnionFind::why;
    std::vector<Atom> atoms{};
    std::uint32_t settled = 0;  // changes up to this time have been propagated

    void add(Atom atom) {
      atom.made = tick();
      atoms.push_back(std::move(atom));
    }
    [[nodiscard]] Why why(const Atom& atom) const { return atom.why | why(atom.arguments); }
    // The time of creation, or of the last change to an argument.
    [[nodiscard]] std::uint32_t changed(const Atom& atom) const {
      std::uint32_t result = atom.made;
      for (const Term t : atom.arguments) result = std::max(result, changed(t));
      return result;
    }
  };

  void begin() {
    effort_ = pairs_ = 0;
    refuted_ = {};
  }
  [[nodiscard]] std::uint64_t effort() const;
  [[nodiscard]] bool spent_enough() const;
  bool give_up();

  // --- Cached answers. ---
  bool searched();
  bool answer();
  Why assume(bool equal, const Terms& terms);
  [[nodiscard]] std::vector<Proofs::Fingerprint> query_fingerprint();
  Proofs::Fingerprint known_fingerprint(RelKey relation);
  Proofs::Fingerprint fingerprint(const Dependency& dependency);
  // Records that the answer depends on this relation.
  void look_at(RelKey relation) {
    if (proofs_ == nullptr || !relation.relation.valid()) return;
    const std::size_t place = 2 * std::size_t{relation.relation.value} + (relation.derived ? 1 : 0);
    if (place >= looked_at_.size()) looked_at_.resize(place + 1, false);
    looked_at_[place] = true;
  }

  // Records the conflict. False: the state is contradictory.
  bool impossible(Why why) {
    conflict_ = why;
    return false;
  }
  Terms fresh(State& s, const LiftedRule& rule);
  Atom instantiate(const EngineLiteral& literal, const Terms& variables, std::uint32_t depth);
  Body body_of(const LiftedRule& rule, const Terms& variables, std::uint32_t depth);
  // Every derivation of a recursive relation starts with a non-recursive rule, with the same values in the columns that
  // the recursion keeps.
  struct Origin {
    std::vector<const LiftedRule*> rules;
    std::vector<bool> kept;
  };
  const Origin* origin(RelKey relation);
  [[nodiscard]] const Origin* untraced(const Atom& atom);
  // With `traced`, compares only the columns that the recursion keeps. If the rule does not match, adds the
  // justification to `excluded`.
  bool may_match(const State& s, const Atom& atom, const LiftedRule& rule, Why& excluded,
                 const Origin* traced = nullptr);
  std::vector<const LiftedRule*> rules_for(const State& s, const Atom& atom, const Origin* traced, Why& excluded);
  bool unfold(State& s, std::size_t atom, const LiftedRule& rule, const Origin* traced, Why why);
  bool propagate(State& s);
  static bool is_negated_derived(const Atom& atom) {
    return atom.negated && atom.kind == LiteralKind::derived && !atom.done;
  }
  bool propagate_atom(State& s, std::size_t i);
  static std::vector<std::size_t> may_differ(const State& s, Atom& atom);
  void imply(State& s, std::size_t i);
  bool propagate_fixed(State& s, std::size_t i);
  bool propagate_alike(const State& s, const Atom& atom);
  bool propagate_pair(State& s, std::size_t i, std::size_t j);
  bool excludes(RelId fact, RelId other);
  bool fit_together(const State& s, const Atom& a, const Atom& b);
  // Propagates that two terms differ.
  bool part(State& s, Term a, Term b, Why why);
  bool propagate_negation(State& s, std::size_t i);
  bool concerned(const State& s, const Atom& denied);
  const std::set<RelKey>& reached_by(RelKey relation);
  // `level`: number of case splits so far.
  bool search(State s, unsigned level);
  std::optional<bool> split_tuples(const State& s, unsigned level);
  bool split_joins(const State& s, unsigned level);
  bool split(const State& s, Term variable, unsigned level);
  std::optional<bool> split_values(const State& s, unsigned level);
  // Refutes all alternatives. If a conflict does not depend on the choice, the others need no test (backjumping). `why`
  // justifies that there are no further alternatives.
  template <class Alternatives, class Try>
  bool each_impossible(const Alternatives& alternatives, unsigned level, Why why, Try&& possible);
  // The bindings of local variables, which exist during an entailment test. A free one is its own value. The end of a
  // scope undoes its bindings.
  class Locals {
   public:
    explicit Locals(Refuter& refuter) : r_(refuter), count_(refuter.locals_.size()), chosen_(refuter.chosen_.size()) {}
    Locals(const Locals&) = delete;
    Locals& operator=(const Locals&) = delete;
    ~Locals() {
      for (; r_.chosen_.size() > chosen_; r_.chosen_.pop_back())
        r_.locals_[static_cast<std::size_t>(r_.chosen_.back() - kFirstLocal)] = r_.chosen_.back();
      r_.locals_.resize(count_);
    }

   private:
    Refuter& r_;
    std::size_t count_, chosen_;
  };
  using Goals = boost::container::small_vector<const Atom*, 16>;
  static Goals goals_of(const Body& body);
  Terms fresh_locals(const LiftedRule& rule);
  // The state entails the goals; `support_` then contains the justification.
  bool entails(const State& s, Goals goals, unsigned depth);
  bool entails_fixed(const State& s, const Atom& goal, Goals goals, unsigned depth);
  bool follows(const State& s, const Atom& goal);
  bool match(const State& s, Term goal, Term known);
  bool match(const State& s, const Terms& goal, const Terms& known);
  [[nodiscard]] Term value(const State& s, Term t) const {
    while (t >= kFirstLocal) {
      const Term known = locals_[static_cast<std::size_t>(t - kFirstLocal)];
      if (known == t) return t;
      t = known;
    }
    return s.resolve(t);
  }

  Model& m_;
  const Dependencies& dependencies_;
  std::string_view purpose_;
  std::uint64_t most_of_query_;
  std::uint64_t most_;
  bool unfinished_ = false;
  std::map<RelKey, std::vector<Dependency>> learned_;
  State query_{m_, conflict_};
  TableConstraints tables_{m_, effort_};
  std::map<RelKey, Origin> origins_;
  std::map<RelKey, std::set<RelKey>> reached_;  // everything on which its rules depend
  std::set<RelId> used_;
  RelKey refuted_;            // the relation of the last successful split, which is tried first
  std::uint64_t effort_ = 0;  // of the query, without pairs of literals
  std::uint64_t pairs_ = 0;
  std::uint64_t total_ = 0;  // of all queries
  std::uint32_t depth_ = 0;  // from this depth on, rules are not unfolded
  std::vector<Term> locals_, chosen_;
  Why conflict_ = 0;  // of the last contradictory state
  Why support_ = 0;
  Proofs* proofs_;
  std::vector<Proofs::Fingerprint> bodies_, assumed_;  // of the query
  std::size_t literals_ = 0;                           // number of literals in its bodies
  std::vector<bool> looked_at_;  // by relation: the answer depends on it; two entries each, the second for derived
  ModelFingerprints fingerprints_;
};

}  // namespace rgtrans::gdl::lifted
