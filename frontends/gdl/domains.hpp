// Column domains: for every column of every relation a set of terms that contains all values the column will ever
// have. They are much cheaper than the tuples themselves, because the columns are taken apart, and they tell how large
// a join may become before it is made.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "frontends/gdl/engine.hpp"

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
  using Functor = std::pair<SymbolId, std::uint32_t>;  // with its arity
  [[nodiscard]] const std::map<Functor, std::vector<Domain>>& compounds() const { return compounds_; }
  // All values, unless there are more than `limit`.
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> enumerate(Terms& terms, double limit) const;

 private:
  [[nodiscard]] bool contains_constant(std::uint32_t term) const {
    return term / 64 < bits_.size() && ((bits_[term / 64] >> (term % 64)) & 1U) != 0;
  }

  bool unbounded_ = false;
  std::vector<std::uint32_t> constants_;
  std::vector<std::uint64_t> bits_;  // of the constants
  std::map<Functor, std::vector<Domain>> compounds_;
};

class Domains {
 public:
  // Looks at the rules from `first` on; relations without rules among them have the tuples that they have. Makes the
  // shapes of facts and moves that these rules can reach.
  Domains(Engine& engine, std::uint32_t first);

  [[nodiscard]] const Domain& column(RelId relation, std::uint32_t column) const {
    return columns_[relation.value][column];
  }
  // What a pattern can stand for.
  [[nodiscard]] Domain domain_of(Pattern pattern, const std::vector<Domain>& variables) const;
  // Takes in the static relations that were made since.
  void add_relations();
  // False when the analysis would have taken too long.
  [[nodiscard]] bool usable() const { return usable_; }
  // False when some head may make relations that were not looked at.
  [[nodiscard]] bool complete() const { return complete_; }
  // The values of each variable of a rule: what all its positive literals allow.
  [[nodiscard]] std::vector<Domain> variables(const EngineRule& rule) const;

 private:
  void visit(std::uint32_t rule);
  // Intersects the variables of a pattern with what a column allows; false when nothing is left.
  bool narrow(Pattern pattern, const Domain& domain, std::vector<Domain>& variables, std::vector<bool>& known) const;
  bool narrow_body(const EngineRule& rule, std::vector<Domain>& variables) const;
  void widen_head(const EngineLiteral& head, const std::vector<Domain>& variables);
  void changed(RelId relation);

  Engine& engine_;
  std::uint32_t first_;
  std::deque<std::vector<Domain>> columns_;         // per relation
  std::deque<std::vector<std::uint32_t>> readers_;  // per relation, rules
  std::uint32_t known_rules_;
  std::deque<std::uint32_t> open_;
  std::vector<bool> queued_;
  bool complete_ = true;
  bool usable_ = true;
  std::uint64_t effort_ = 0;
};

}  // namespace rgtrans::gdl
