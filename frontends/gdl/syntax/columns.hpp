// A first look at a description, before anything is evaluated: which ground terms each column of a relation, fact or
// move can hold, and whether a tuple of a relation that does not depend on the state can be derived. Both are cautious:
// columns may be larger than they are shown to be only by being unknown, and what is not derived within a small effort
// counts as not derivable.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

class ColumnContents {
 public:
  // Terms may be added to the program, which must not change otherwise.
  explicit ColumnContents(Program& program);

  using Values = std::optional<std::vector<TermId>>;  // sorted; none: they are not known
  // What a variable of a rule can stand for, as the positive literals of the body allow.
  [[nodiscard]] Values of_variable(const Rule& rule, std::uint32_t variable);

  // Whether a tuple of a relation that does not depend on the state certainly holds. An open argument may be anything.
  using Tuple = std::vector<std::optional<TermId>>;
  [[nodiscard]] bool holds(PredId predicate, const Tuple& tuple);
  [[nodiscard]] bool is_static(PredId predicate) const { return !dynamic_[predicate.value]; }

 private:
  // A relation, or what the facts or moves of one functor are.
  enum class Space : std::uint8_t { relation, fact, move };
  using Key = std::tuple<Space, std::uint32_t, std::uint32_t>;
  struct Place {
    Pattern pattern;
    Values* values;
  };
  struct Unknown {};
  using Bindings = std::vector<Values>;  // by variable; a variable that nothing binds is unknown

  void find_dynamic();
  std::vector<Place> places(const Literal& literal);
  bool narrow(const Place& place, Bindings& bindings, std::vector<bool>& bound);
  std::optional<Bindings> bindings_of(const Rule& rule);
  Values values_of(Pattern pattern, const Bindings& bindings);
  bool add(Values& to, const Values& more);
  bool take(const Literal& head, const Bindings& bindings);
  bool match(Pattern pattern, TermId term, std::map<std::uint32_t, TermId>& found) const;

  using Found = std::function<bool(const std::vector<TermId>&)>;  // true: enough
  bool solve(PredId predicate, const Tuple& tuple, unsigned depth, const Found& found);
  bool solve_body(const std::vector<const Literal*>& body, std::size_t literal, Tuple& known, unsigned depth,
                  const std::function<bool()>& done);
  [[nodiscard]] std::optional<TermId> value(Pattern pattern, const Tuple& known) const;

  Program& p_;
  std::map<Key, std::vector<Values>> columns_;
  bool any_fact_ = false, any_move_ = false;  // a rule derives one that is a variable: nothing is known of them
  std::vector<bool> dynamic_;
  std::vector<std::vector<const Rule*>> rules_;  // by predicate
  std::vector<std::vector<const Fact*>> facts_;
  std::map<const Rule*, std::vector<const Literal*>> bodies_;  // what binds variables comes first
  std::uint64_t effort_ = 0;
};

}  // namespace rgtrans::gdl
