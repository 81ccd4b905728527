// Shows that a conjunction of literals with variables holds in no reachable state: by unification, functional
// dependencies, what is known of static relations, one move a role, the rules of derived relations up to some depth,
// and cases. What is not shown within the effort counts as possible.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <boost/functional/hash.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
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
  void clear() {
    query_ = {};
    literals_ = 0;
    assumed_.clear();
  }
  // New variables for those of a rule; its body is added. The terms of its variables are returned.
  Terms add_body(const LiftedRule& rule);
  [[nodiscard]] Term term(Pattern p, const Terms& variables) const {
    return p.is_ground() ? constant(p.term().value) : variables[p.number()];
  }
  Term add_variable(SortId sort) { return fresh(query_, sort); }
  // What is assumed besides, when the query has its literals. False when that alone is impossible.
  bool equal(Term a, Term b);
  void different(const Terms& a, const Terms& b);  // in some of the terms
  void add_fact(RelId fact, Terms arguments);
  // True when the query is impossible.
  bool refuted();
  // Whether that needed the literal of the bodies, which are numbered in the order in which they were added.
  [[nodiscard]] bool needed(std::size_t literal) const { return (conflict_ & assumption(literal)) != 0; }
  // True when the rules derive, from the query, a fact of the next state that has these arguments.
  bool derives_next(RelId fact, const std::map<std::uint32_t, Term>& arguments);
  // Facts whose dependencies were used since the last time that this was asked.
  std::set<RelId> take_used() { return std::exchange(used_, {}); }
  // What all queries together have cost, in pairs of literals looked at; and what they may cost.
  [[nodiscard]] std::uint64_t spent() const { return total_; }
  void limit(std::uint64_t most) { most_ = most; }

 private:
  static constexpr Term kFirstLocal = Term{1} << 40U;  // local variables begin here

  // The choices and the assumptions that something depends on, a bit each; those that are many share the last one.
  using Why = std::uint64_t;
  static constexpr unsigned kShared = 23;  // of choices
  static Why assumption(std::size_t n) { return Why{1} << std::min<std::size_t>(kShared + 1 + n, 63); }

  struct Atom {
    RelKey key;
    LiteralKind kind;
    bool negated = false;
    bool done = false;  // unfolded, or without further use
    std::uint32_t depth = 0;
    Terms arguments;
    Why why = 0;
    std::uint32_t made = 0;   // when
    std::uint32_t asked = 0;  // and when, of what is negated, it was last asked whether it follows
    bool traced = false;      // what the recursion began with is known, or what the fact implies
  };
  using Body = boost::container::small_vector<Atom, 8>;
  struct State {
    std::vector<Term> bound;  // a variable that is its own is free
    std::vector<SortId> sorts;
    std::vector<Why> why;                // of what is known of a variable
    std::vector<std::uint32_t> touched;  // when a variable changed
    std::vector<Atom> atoms;
    std::uint32_t clock = 1;
    std::uint32_t settled = 0;  // what has changed until then has been looked at
  };
  static void touch(State& s, Term variable) { s.touched[static_cast<std::size_t>(variable)] = ++s.clock; }
  static void add(State& s, Atom atom) {
    atom.made = ++s.clock;
    s.atoms.push_back(std::move(atom));
  }
  // When it was made, or what is known of its arguments changed.
  static std::uint32_t changed(const State& s, const Atom& atom);

  void begin() {
    effort_ = pairs_ = 0;
    refuted_ = {};
  }
  [[nodiscard]] std::uint64_t effort() const;
  [[nodiscard]] bool spent_enough() const;

  // --- Answers that are known. ---
  bool searched();
  bool answer();
  Why assume(bool equal, const Terms& terms);
  [[nodiscard]] std::vector<Proofs::Print> query_print();
  Proofs::Print print(SortId sort);
  Proofs::Print print(RelKey relation);
  Proofs::Print rules_print(RelKey relation);
  Proofs::Print known_print(RelKey relation);
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
  // False when the state is impossible because of these choices.
  bool impossible(Why why) {
    conflict_ = why;
    return false;
  }
  template <class F>
  static void for_each_bound(const State& s, Term t, F&& f);
  // Of what is known of a term, of each of them, and of the atom with its arguments.
  static Why why(const State& s, Term t);
  static Why why(const State& s, const Terms& terms);
  static Why why(const State& s, const Atom& atom) { return atom.why | why(s, atom.arguments); }
  static Why why_bound(const State& s, Term t);
  static Why why_same(const State& s, Term a, Term b);
  bool unify(State& s, Term a, Term b, Why why);
  bool narrow(State& s, Term variable, SortId to, Why why);
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
  // In what follows only the columns that the recursion keeps count, if it is to be traced back. Where a rule does not
  // match, `excluded` is told why.
  bool may_match(const State& s, const Atom& atom, const LiftedRule& rule, Why& excluded,
                 const Origin* traced = nullptr);
  std::vector<const LiftedRule*> rules_for(const State& s, const Atom& atom, const Origin* traced, Why& excluded);
  bool unfold(State& s, std::size_t atom, const LiftedRule& rule, const Origin* traced, Why why);
  bool propagate(State& s);
  static bool denies(const Atom& atom) { return atom.negated && atom.kind == LiteralKind::derived && !atom.done; }
  bool propagate_atom(State& s, std::size_t i);
  static std::vector<std::size_t> may_differ(const State& s, Atom& atom);
  void imply(State& s, std::size_t i);
  bool propagate_fixed(State& s, std::size_t i);
  bool propagate_alike(const State& s, const Atom& atom);
  const std::vector<SortId>& left_of(const State& s, RelId relation, const Terms& arguments);
  bool propagate_pair(State& s, std::size_t i, std::size_t j);
  bool excludes(RelId fact, RelId other);
  // Both about static relations: some values of the variables that they share are possible for both.
  bool fit_together(State& s, const Atom& a, const Atom& b);
  // The terms differ.
  bool part(State& s, Term a, Term b, Why why);
  // Whether the columns of the mask tell another column of a static relation.
  bool tells(RelId relation, std::uint64_t mask, std::size_t column);
  bool propagate_negation(State& s, std::size_t i);
  bool concerned(const State& s, const Atom& denied);
  const std::set<RelKey>& reached_by(RelKey relation);
  // `level`: how many choices have been made.
  bool search(State s, unsigned level);
  std::optional<bool> split_tuples(const State& s, unsigned level);
  bool split_joins(const State& s, unsigned level);
  bool split(const State& s, Term variable, unsigned level);
  std::optional<bool> split_values(const State& s, unsigned level);
  // Each of the alternatives is impossible, or the state is whatever is chosen. There are no others because of `why`.
  template <class Alternatives, class Try>
  bool each_impossible(const Alternatives& alternatives, unsigned level, Why why, Try&& possible);
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
  // Whether the literals follow from what is known; then `support_` has the choices that made it so.
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
    return resolve(s, t);
  }

  Model& m_;
  const Dependencies& dependencies_;
  std::uint64_t most_;
  std::map<RelKey, std::vector<Dependency>> learned_;
  State query_;
  std::map<std::tuple<RelId, std::uint64_t, std::size_t>, bool> tells_;
  using Question = std::vector<Term>;
  template <class Answer>
  using Asked = std::unordered_map<Question, Answer, boost::hash<Question>>;
  Asked<std::vector<SortId>> left_;
  Asked<bool> together_, alike_;
  std::map<RelKey, Origin> origins_;
  std::map<RelKey, std::set<RelKey>> reached_;  // with all that rules for it ask for, and so on
  std::set<RelId> used_;
  RelKey refuted_;            // whose rules were all impossible when it was last tried: it is tried first
  std::uint64_t effort_ = 0;  // of the query, without the pairs of literals
  std::uint64_t pairs_ = 0;
  std::uint64_t total_ = 0;  // of all queries
  std::uint32_t depth_ = 0;  // from which on rules are not unfolded
  std::vector<Term> locals_, chosen_;
  Why conflict_ = 0;  // of the last state that was found impossible
  Why support_ = 0;
  Proofs* proofs_;
  std::vector<Proofs::Print> bodies_, assumed_;  // of the query
  std::size_t literals_ = 0;                     // of its bodies
  std::vector<bool> looked_at_;  // for this answer; two places a relation, the second for what is derived
  std::map<RelKey, Proofs::Print> rules_prints_;
  std::map<SortId, Proofs::Print> sort_prints_;
};

}  // namespace rgtrans::gdl::lifted
