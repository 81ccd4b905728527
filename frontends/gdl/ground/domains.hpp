// Column domains: for every column of every relation a set of terms that contains all values the column will ever
// have. They are much cheaper than the tuples themselves, because the columns are taken apart, and they tell how large
// a join may become before it is made. At the same time it is found, column by column, which tuples some use of a
// relation can ask for, as "magic sets" do: rules need not make others.
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

// A set of terms, or everything. Terms with arguments are described by the domains of their arguments.
class Domain {
 public:
  // These tell whether the domain has become larger.
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
  // How many values, as a guess where there is no bound.
  [[nodiscard]] double size() const;
  [[nodiscard]] std::span<const std::uint32_t> constants() const { return constants_; }
  [[nodiscard]] bool only_constants() const { return !unbounded_ && compounds_.empty(); }
  // All values, where they are constants.
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
  Bits known_;  // the same
  std::map<Functor, std::vector<Domain>> compounds_;
};

class Domains {
 public:
  // Of which relations all tuples are wanted: of facts, moves and what the game shows, or of all relations.
  enum class Whole : std::uint8_t { shown, all };
  // Looks at the rules from `first` on; relations without rules among them have the tuples that they have. Makes the
  // shapes of facts and moves that these rules can reach.
  Domains(Engine& engine, std::uint32_t first, Whole whole = Whole::shown);

  // The values of each variable of a rule, as far as its head is wanted; all empty when it can never fire.
  [[nodiscard]] std::vector<Domain> variables(const EngineRule& rule) const;
  // The same, were the whole of its head wanted.
  [[nodiscard]] std::vector<Domain> unrestricted(const EngineRule& rule) const;
  // Facts, moves and what the game shows are wanted as a whole. Of other relations only those tuples are that the
  // literals before a use of them allow.
  [[nodiscard]] bool wanted_whole(RelId relation) const;
  [[nodiscard]] bool wanted(RelId relation) const { return reached_[relation.value]; }
  // What a column can hold in any reachable state, in the tuples that are wanted.
  [[nodiscard]] const Domain& column(RelId relation, std::uint32_t c) const { return columns_[relation.value][c]; }
  // Takes in the static relations that were made since.
  void add_relations();
  // False when the analysis would have taken too long.
  [[nodiscard]] bool usable() const { return usable_; }
  // False when some head may make relations that were not looked at.
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  // What is known of the variables of a rule on the way through its body.
  struct Scope {
    std::vector<Domain> values;
    std::vector<bool> known;
  };

  void visit(std::uint32_t rule);
  // False when the rule cannot fire; `want` is called for each use of a relation that need not be there as a whole.
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
  std::deque<std::vector<std::uint32_t>> readers_, definers_;  // per relation, rules
  std::uint32_t known_rules_;
  std::deque<std::uint32_t> open_;
  std::vector<bool> queued_;
  bool complete_ = true;
  bool usable_ = true;
  mutable Effort effort_{"the values of columns before grounding", kGroundLimits.domain_values, limits::effort};
};

}  // namespace rgtrans::gdl
