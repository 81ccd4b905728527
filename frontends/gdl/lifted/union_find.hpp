// A proof-producing union-find over variables with sorts. Everything that is known about a variable has a
// justification: the set of assumptions on which it depends. The justification of an equality consists of the paths to
// the first common variable, apart from other knowledge about the two terms.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <vector>

#include "frontends/gdl/lifted/sorts.hpp"

namespace rgtrans::gdl::lifted {

class ProofUnionFind {
 public:
  // A variable, or the complement of a constant.
  using Term = std::int64_t;
  using Terms = boost::container::small_vector<Term, 6>;
  static Term constant(std::uint32_t term) { return ~static_cast<Term>(term); }
  static bool is_constant(Term t) { return t < 0; }
  static std::uint32_t constant_of(Term t) { return static_cast<std::uint32_t>(~t); }
  static constexpr Term kFirstLocal = Term{1} << 40U;  // terms from here on have no entry
  // A justification: a set of assumptions.
  using Why = std::uint64_t;

  // A contradiction sets `conflict` to its justification.
  ProofUnionFind(Sorts& sorts, Why& conflict) : sorts_(&sorts), conflict_(&conflict) {}

  Term fresh(SortId sort);
  [[nodiscard]] Term resolve(Term t) const {
    while (t >= 0 && t < kFirstLocal && bound_[static_cast<std::size_t>(t)] != t)
      t = bound_[static_cast<std::size_t>(t)];
    return t;
  }
  [[nodiscard]] SortId sort_of(Term variable) const { return sort_[static_cast<std::size_t>(variable)]; }
  [[nodiscard]] bool can_be(Term t, std::uint32_t value) const;
  // False: that is contradictory.
  bool unify(Term a, Term b, Why why);
  bool narrow(Term variable, SortId to, Why why);
  // The justification of a term's current knowledge, of several terms', and of an equality.
  [[nodiscard]] Why why(Term t) const;
  [[nodiscard]] Why why(const Terms& terms) const;
  [[nodiscard]] Why why_same(Term a, Term b) const;

  // Time passes with each change.
  std::uint32_t tick() { return ++clock_; }
  [[nodiscard]] std::uint32_t clock() const { return clock_; }
  [[nodiscard]] std::uint32_t changed(Term t) const;
  [[nodiscard]] const std::vector<Term>& bound() const { return bound_; }
  [[nodiscard]] const std::vector<SortId>& sorts() const { return sort_; }

 private:
  template <class F>
  void for_each_bound(Term t, F&& f) const;
  [[nodiscard]] Why why_bound(Term t) const;
  void touch(Term variable) { touched_[static_cast<std::size_t>(variable)] = tick(); }
  bool impossible(Why why) {
    *conflict_ = why;
    return false;
  }

  Sorts* sorts_;
  Why* conflict_;
  std::vector<Term> bound_;  // a root is its own parent
  std::vector<SortId> sort_;
  std::vector<Why> why_;                // of the knowledge about a variable
  std::vector<std::uint32_t> touched_;  // time of a variable's last change
  std::uint32_t clock_ = 1;
};

}  // namespace rgtrans::gdl::lifted
