// Shows that a conjunction of literals with variables holds in no reachable state: by unification, functional
// dependencies, what is known of static relations, one move a role, the rules of derived relations up to some depth,
// and cases. What is not shown within the effort counts as possible.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "frontends/gdl/lifted/model.hpp"

namespace rgtrans::gdl::lifted {

// The key tells the other columns of a fact: at most one fact holds for each key.
struct Dependency {
  std::vector<std::uint32_t> key, values;
};
using Dependencies = std::map<RelId, Dependency>;

class Refuter {
 public:
  // A variable of the query, or the complement of a constant.
  using Term = std::int64_t;
  static Term constant(std::uint32_t term) { return ~static_cast<Term>(term); }

  // What all queries together may cost, in literals looked at.
  static constexpr std::uint64_t kMaxTotal = 500'000;

  Refuter(Model& model, const Dependencies& dependencies, std::uint64_t most = kMaxTotal)
      : m_(model), dependencies_(dependencies), most_(most) {}

  // What has been shown of a derived relation.
  void learn(RelKey relation, const Dependency& dependency) { learned_[relation].push_back(dependency); }
  // Begins a query without literals.
  void clear() { query_ = {}; }
  // New variables for those of a rule; its body is added. The terms of its variables are returned.
  std::vector<Term> add_body(const LiftedRule& rule);
  [[nodiscard]] Term term(Pattern p, const std::vector<Term>& variables) const {
    return p.is_ground() ? constant(p.term().value) : variables[p.number()];
  }
  // False when that alone is impossible.
  bool equal(Term a, Term b) { return unify(query_, a, b); }
  void different(Term a, Term b);
  void add_fact(RelId fact, std::vector<Term> arguments);
  // True when the query is impossible.
  bool refuted();

 private:
  struct Atom {
    RelKey key;
    LiteralKind kind;
    bool negated = false;
    bool done = false;  // unfolded, or without further use
    std::uint32_t depth = 0;
    std::vector<Term> arguments;
  };
  struct State {
    std::vector<Term> bound;  // a variable that is its own is free
    std::vector<SortId> sorts;
    std::vector<Atom> atoms;
  };
  enum class Outcome : std::uint8_t { impossible, open };

  static Term resolve(const State& s, Term t);
  bool unify(State& s, Term a, Term b);
  bool narrow(State& s, Term variable, SortId to);
  Term fresh(State& s, SortId sort);
  Atom instantiate(const EngineLiteral& literal, const std::vector<Term>& variables, std::uint32_t depth);
  bool unfold(State& s, std::size_t atom, const LiftedRule& rule);
  bool may_match(const State& s, const Atom& atom, const LiftedRule& rule);
  bool propagate(State& s, bool& changed);
  bool propagate_atom(State& s, std::size_t i, bool& changed);
  bool propagate_fixed(State& s, std::size_t i, bool& changed);
  bool propagate_pair(State& s, std::size_t i, std::size_t j, bool& changed);
  // Whether the columns of the mask tell another column of a static relation.
  bool tells(RelId relation, std::uint64_t mask, std::size_t column);
  bool propagate_negation(State& s, std::size_t i, bool& changed);
  bool search(State s);
  bool split_values(const State& s);
  // Whether the literals follow from what is known; `locals` are variables that may still be chosen.
  bool entails(const State& s, std::vector<Atom> goals, std::map<Term, Term> locals, unsigned depth);
  bool follows(const State& s, const Atom& goal, const std::map<Term, Term>& locals) const;
  bool match(const State& s, Term goal, Term known, std::map<Term, Term>& locals) const;
  Term value(const State& s, Term t, const std::map<Term, Term>& locals) const;

  Model& m_;
  const Dependencies& dependencies_;
  std::uint64_t most_;
  std::map<RelKey, std::vector<Dependency>> learned_;
  State query_;
  std::map<std::tuple<RelId, std::uint64_t, std::size_t>, bool> tells_;
  std::uint64_t effort_ = 0;  // of the query
  std::uint64_t total_ = 0;   // of those before
  Term next_local_ = 0;
};

}  // namespace rgtrans::gdl::lifted
