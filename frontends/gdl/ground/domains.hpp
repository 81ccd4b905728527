// Column domains: a superset of the terms that each column of each relation can ever contain. They cost much less than
// the tuples, because columns are independent, and they bound the size of a join in advance. The same fixpoint computes
// the demand, as "magic sets" do: the values, column by column, with which some rule queries a relation. Rules need not
// derive other tuples.
//
//   (init (count 0))    (<= (next (count ?y)) (true (count ?x)) (succ ?x ?y))
//
// The column of `count` contains 0 and everything that `succ` reaches from it.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/support/bits.hpp"
#include "core/support/effort.hpp"
#include "frontends/gdl/datalog/engine.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl {

// A set of terms, or all terms. The domains of their arguments describe compound terms.
class Domain {
 public:
  // These return whether the domain has grown.
  bool insert(const Terms& terms, TermId term);
  bool insert_constant(std::uint32_t term);
  bool merge(const Domain& other, std::uint32_t depth = 0);
  bool make_unbounded();
  // Adds the terms with this functor and these arguments.
  bool merge_compound(SymbolId symbol, std::span<const Domain> arguments, std::uint32_t depth = 0);

  [[nodiscard]] bool contains(const Terms& terms, TermId term) const;
  [[nodiscard]] Domain intersect(const Domain& other) const;
  [[nodiscard]] bool unbounded() const { return unbounded_; }
  [[nodiscard]] bool empty() const { return !unbounded_ && constants_.empty() && compounds_.empty(); }
  // The number of values; an assumed number if unbounded.
  [[nodiscard]] double size() const;
  [[nodiscard]] std::span<const std::uint32_t> constants() const { return constants_; }
  [[nodiscard]] bool only_constants() const { return !unbounded_ && compounds_.empty(); }
  // All values, if they are constants.
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> listed() const {
    return only_constants() ? std::optional(constants_) : std::nullopt;
  }
  using Functor = std::pair<SymbolId, std::uint32_t>;  // with its arity
  [[nodiscard]] const std::map<Functor, std::vector<Domain>>& compounds() const { return compounds_; }
  // All values, unless there are more than `limit`.
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> enumerate(Terms& terms, double limit) const;

 private:
  bool unbounded_ = false;
  std::vector<std::uint32_t> constants_;
  Bits known_;  // the same constants as a bit set
  std::map<Functor, std::vector<Domain>> compounds_;
};

class Domains {
 public:
  // The relations with full demand: facts, moves and outputs of the game, or all relations.
  enum class Whole : std::uint8_t { shown, all };
  // Analyses the rules from `first` on; relations without rules among them keep their tuples. Creates the shapes of
  // facts and moves that these rules can reach.
  Domains(Engine& engine, std::uint32_t first, Whole whole = Whole::shown);

  // False if some literal of the body can never hold, or if nothing demands the head.
  [[nodiscard]] bool can_fire(const EngineRule& rule) const;
  // The values of each variable of a rule, for the demanded part of its head; all empty if the rule can never fire.
  [[nodiscard]] std::vector<Domain> variables(const EngineRule& rule) const;
  // The values if the head had full demand.
  [[nodiscard]] std::vector<Domain> unrestricted(const EngineRule& rule) const;
  // Facts, moves and outputs have full demand. The demand of another relation is the set of tuples that the literals
  // before some use of it allow.
  [[nodiscard]] bool wanted_whole(RelId relation) const;
  [[nodiscard]] bool wanted(RelId relation) const { return reached_[relation.value]; }
  // A superset of the column in every reachable state, for demanded tuples.
  [[nodiscard]] const Domain& column(RelId relation, std::uint32_t c) const { return columns_[relation.value][c]; }
  // Adds the static relations that were created since.
  void add_relations();
  // False if the effort ran out.
  [[nodiscard]] bool usable() const { return usable_; }
  // False if some head may create relations that the analysis has not seen.
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  // The bindings of a rule's variables while its body is read.
  struct Scope {
    std::vector<Domain> values;
    std::vector<bool> known;
  };

  void visit(std::uint32_t rule);
  // False if the rule cannot fire. Calls `want` for each use of a relation without full demand.
  template <class F>
  bool pass(const EngineRule& rule, bool whole_head, Scope& scope, F&& want) const;
  bool narrow(Pattern pattern, const Domain& domain, Scope& scope) const;
  bool narrow_rows(const EngineLiteral& literal, Scope& scope) const;
  void want(const EngineLiteral& literal, const Scope& scope);
  void widen_head(const EngineLiteral& head, const Scope& scope);
  [[nodiscard]] Domain domain_of(Pattern pattern, const Scope& scope) const;
  void changed(const std::vector<std::uint32_t>& rules);

  Engine& engine_;
  std::uint32_t first_;
  Whole whole_;
  std::deque<std::vector<Domain>> columns_, wanted_;  // per relation
  std::deque<bool> reached_;
  std::deque<std::vector<std::uint32_t>> readers_, definers_;  // per relation: rules
  std::uint32_t known_rules_;
  std::deque<std::uint32_t> open_;
  std::vector<bool> queued_;
  bool complete_ = true;
  bool usable_ = true;
  mutable Effort effort_{"the values of columns before grounding", kGroundLimits.domain_values, limits::effort};
};

}  // namespace rgtrans::gdl
