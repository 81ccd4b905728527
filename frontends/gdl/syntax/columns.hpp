// Static bounds before any evaluation. They contain all ground terms that a column of a relation, fact or move can
// hold. A prover derives tuples of relations that do not depend on the state. Both are sound but incomplete: a column
// that grows too large is unknown, and a tuple that a small effort cannot derive counts as not derivable.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "core/support/effort.hpp"
#include "frontends/gdl/limits.hpp"
#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

class ColumnContents {
 public:
  // Interns new terms in the program, which must not change otherwise.
  explicit ColumnContents(Program& program);

  using Values = std::optional<std::vector<TermId>>;  // sorted; nullopt: unknown
  // A superset of the values of a variable, from the positive literals of the body.
  [[nodiscard]] Values of_variable(const Rule& rule, std::uint32_t variable);

  // True only if the tuple of a state-independent relation holds. A null argument matches any term.
  using Tuple = std::vector<std::optional<TermId>>;
  [[nodiscard]] bool holds(PredId predicate, const Tuple& tuple);
  [[nodiscard]] bool is_static(PredId predicate) const { return !dynamic_[predicate.value]; }

 private:
  // The owner of a column: a relation, or the facts or moves with one functor.
  enum class Space : std::uint8_t { relation, fact, move };
  using Key = std::tuple<Space, std::uint32_t, std::uint32_t>;
  struct Place {
    Pattern pattern;
    Values* values;
  };
  struct Unknown {};
  using Bindings = std::vector<Values>;  // by variable; nullopt: no literal bounds it

  void find_dynamic();
  std::vector<Place> places(const Literal& literal);
  bool narrow(const Place& place, Bindings& bindings, std::vector<bool>& bound);
  std::optional<Bindings> bindings_of(const Rule& rule);
  Values values_of(Pattern pattern, const Bindings& bindings);
  bool add(Values& to, const Values& more);
  bool take(const Literal& head, const Bindings& bindings);
  bool match(Pattern pattern, TermId term, std::map<std::uint32_t, TermId>& found) const;

  using Found = std::function<bool(const std::vector<TermId>&)>;  // true: stop enumerating
  bool solve(PredId predicate, const Tuple& tuple, unsigned depth, const Found& found);
  bool solve_body(const std::vector<const Literal*>& body, std::size_t literal, Tuple& known, unsigned depth,
                  const std::function<bool()>& done);
  [[nodiscard]] std::optional<TermId> value(Pattern pattern, const Tuple& known) const;

  Program& p_;
  std::map<Key, std::vector<Values>> columns_;
  // A rule derives a fact or a move that is a bare variable, so all facts or moves are unknown.
  bool any_fact_ = false, any_move_ = false;
  std::vector<bool> dynamic_;
  std::vector<std::vector<const Rule*>> rules_;  // by predicate
  std::vector<std::vector<const Fact*>> facts_;
  std::map<const Rule*, std::vector<const Literal*>> bodies_;  // positive literals first, because they bind variables
  Effort effort_{"proofs that lists only prevent a second visit", kListLimits.proofs, limits::effort};
};

}  // namespace rgtrans::gdl
