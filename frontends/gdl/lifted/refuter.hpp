// Shows that a conjunction of literals with variables holds in no reachable state: by unification, functional
// dependencies, what is known of static relations, one move a role, the rules of derived relations up to some depth,
// and cases. What is not shown within the effort counts as possible.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "frontends/gdl/lifted/model.hpp"
#include "frontends/gdl/lifted/proofs.hpp"

namespace rgtrans::gdl::lifted {

// The key tells the other columns of a fact: at most one fact holds for each key.
struct Dependency {
  std::vector<std::uint32_t> key, values;
  std::vector<RelId> excludes{};  // facts of which none holds beside one of these
  // Where one of these holds, so does some fact of the other functor that has the same values in pairs of columns.
  struct Inclusion {
    RelId in;
    std::map<std::uint32_t, std::uint32_t> columns;  // of the other, and of these
  };
  std::vector<Inclusion> implies{};
};
using Dependencies = std::map<RelId, Dependency>;

class Refuter {
 public:
  // A variable of the query, or the complement of a constant.
  using Term = std::int64_t;
  using Terms = boost::container::small_vector<Term, 6>;
  static Term constant(std::uint32_t term) { return ~static_cast<Term>(term); }

  // What all queries together may cost.
  static constexpr std::uint64_t kMaxTotal = 500'000;

  // `proofs`: answers that others have found, and will ask for.
  Refuter(Model& model, const Dependencies& dependencies, std::uint64_t most = kMaxTotal, Proofs* proofs = nullptr)
      : m_(model), dependencies_(dependencies), most_(most), proofs_(proofs) {}

  // What has been shown of a derived relation.
  void learn(RelKey relation, const Dependency& dependency) { learned_[relation].push_back(dependency); }
  // Begins a query without literals.
  void clear() { query_ = {}; }
  // New variables for those of a rule; its body is added. The terms of its variables are returned.
  Terms add_body(const LiftedRule& rule);
  [[nodiscard]] Term term(Pattern p, const Terms& variables) const {
    return p.is_ground() ? constant(p.term().value) : variables[p.number()];
  }
  Term add_variable(SortId sort) { return fresh(query_, sort); }
  // False when that alone is impossible.
  bool equal(Term a, Term b) { return unify(query_, a, b); }
  void different(Term a, Term b);
  void add_fact(RelId fact, Terms arguments);
  // True when the query is impossible.
  bool refuted();
  // True when the rules derive, from the query, a fact of the next state that has these arguments.
  bool derives_next(RelId fact, const std::map<std::uint32_t, Term>& arguments);
  // Facts whose dependencies were used since the last time that this was asked.
  std::set<RelId> take_used() { return std::exchange(used_, {}); }
  // What all queries together have cost, in pairs of literals looked at; and what they may cost.
  [[nodiscard]] std::uint64_t spent() const { return total_; }
  void limit(std::uint64_t most) { most_ = most; }

 private:
  static constexpr Term kFirstLocal = Term{1} << 40U;  // local variables begin here

  struct Atom {
    RelKey key;
    LiteralKind kind;
    bool negated = false;
    bool done = false;  // unfolded, or without further use
    std::uint32_t depth = 0;
    Terms arguments;
    bool traced = false;  // what the recursion began with is known, or what the fact implies
  };
  using Body = boost::container::small_vector<Atom, 8>;
  struct State {
    std::vector<Term> bound;  // a variable that is its own is free
    std::vector<SortId> sorts;
    std::vector<Atom> atoms;
  };

  // --- Answers that are known. ---
  bool searched();
  bool answer();
  [[nodiscard]] std::vector<Proofs::Print> query_print();
  Proofs::Print print(SortId sort);
  Proofs::Print print(RelKey relation);
  Proofs::Print rules_print(RelKey relation);
  Proofs::Print print(const Dependency& dependency);
  // What the relation says matters from here on.
  void look_at(RelKey relation) {
    if (proofs_ == nullptr || !relation.relation.valid()) return;
    const std::size_t place = 2 * std::size_t{relation.relation.value} + (relation.derived ? 1 : 0);
    if (place >= looked_at_.size()) looked_at_.resize(place + 1, false);
    looked_at_[place] = true;
  }

  static Term resolve(const State& s, Term t) {
    while (t >= 0 && t < kFirstLocal && s.bound[static_cast<std::size_t>(t)] != t)
      t = s.bound[static_cast<std::size_t>(t)];
    return t;
  }
  bool unify(State& s, Term a, Term b);
  bool narrow(State& s, Term variable, SortId to);
  [[nodiscard]] static SortId& sort_of(State& s, Term variable) { return s.sorts[static_cast<std::size_t>(variable)]; }
  [[nodiscard]] static SortId sort_of(const State& s, Term variable) {
    return s.sorts[static_cast<std::size_t>(variable)];
  }
  [[nodiscard]] bool can_be(const State& s, Term t, std::uint32_t value) const;
  Term fresh(State& s, SortId sort);
  Terms fresh(State& s, const LiftedRule& rule);
  Atom instantiate(const EngineLiteral& literal, const Terms& variables, std::uint32_t depth);
  Body body_of(const LiftedRule& rule, const Terms& variables, std::uint32_t depth);
  // A relation that asks itself begins with a rule that does not; columns that the recursion keeps are the same there.
  struct Origin {
    std::vector<const LiftedRule*> rules;
    std::vector<bool> kept;
  };
  const Origin* origin(RelKey relation);
  [[nodiscard]] const Origin* untraced(const Atom& atom);
  // In what follows only the columns that the recursion keeps count, if it is to be traced back.
  bool may_match(const State& s, const Atom& atom, const LiftedRule& rule, const Origin* traced = nullptr);
  std::vector<const LiftedRule*> rules_for(const State& s, const Atom& atom, const Origin* traced);
  bool unfold(State& s, std::size_t atom, const LiftedRule& rule, const Origin* traced);
  bool propagate(State& s, bool& changed);
  bool propagate_atom(State& s, std::size_t i, bool& changed);
  bool imply(State& s, std::size_t i);
  bool propagate_fixed(State& s, std::size_t i, bool& changed);
  const std::vector<SortId>& left_of(const State& s, RelId relation, const Terms& arguments);
  bool propagate_pair(State& s, std::size_t i, std::size_t j, bool& changed);
  bool excludes(RelId fact, RelId other);
  // Both about static relations: some values of the variables that they share are possible for both.
  bool fit_together(State& s, const Atom& a, const Atom& b);
  // The terms differ.
  bool part(State& s, Term a, Term b, bool& changed);
  // Whether the columns of the mask tell another column of a static relation.
  bool tells(RelId relation, std::uint64_t mask, std::size_t column);
  bool propagate_negation(State& s, std::size_t i, bool& changed);
  bool search(State s);
  bool split_values(const State& s);
  // What local variables are, which exist while it is asked what follows. One that is its own may still be chosen.
  // The choices that were made since are taken back at the end of a scope.
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
  // Whether the literals follow from what is known.
  bool entails(const State& s, Goals goals, unsigned depth);
  bool entails_fixed(const State& s, const Atom& goal, Goals goals, unsigned depth);
  [[nodiscard]] bool follows(const State& s, const Atom& goal) const;
  bool match(const State& s, Term goal, Term known);
  bool match(const State& s, const Terms& goal, const Terms& known);
  [[nodiscard]] Term value(const State& s, Term t) const {
    while (t >= kFirstLocal) {
      const Term known = locals_[static_cast<std::size_t>(t - kFirstLocal)];
      if (known == t) return t;
      t = known;
    }
    return resolve(s, t);
  }

  Model& m_;
  const Dependencies& dependencies_;
  std::uint64_t most_;
  std::map<RelKey, std::vector<Dependency>> learned_;
  State query_;
  std::map<std::tuple<RelId, std::uint64_t, std::size_t>, bool> tells_;
  std::map<std::vector<Term>, std::vector<SortId>> left_;
  std::map<std::vector<Term>, bool> together_;
  std::map<RelKey, Origin> origins_;
  std::set<RelId> used_;
  std::uint64_t effort_ = 0;  // of the query
  std::uint64_t total_ = 0;   // of all queries, with the pairs of literals
  std::vector<Term> locals_, chosen_;
  Proofs* proofs_;
  std::vector<bool> looked_at_;  // for this answer; two places a relation, the second for what is derived
  std::map<RelKey, Proofs::Print> rules_prints_;
  std::map<SortId, Proofs::Print> sort_prints_;
};

}  // namespace rgtrans::gdl::lifted
