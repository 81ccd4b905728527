// Demand: for every column of a relation that is defined by rules, the values that some use of it can ask for. Tuples
// outside are never looked at, so the rules for the relation need not make them. This is what "magic sets" do, column
// by column.
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "frontends/gdl/domains.hpp"

namespace rgtrans::gdl {

// A static relation of one column with the values of a domain; equal domains share one.
class DomainRelations {
 public:
  explicit DomainRelations(Engine& engine) : engine_(engine) {}
  // None when the domain is too large.
  RelId get(const Domain& domain);

 private:
  Engine& engine_;
  std::map<std::vector<std::uint32_t>, RelId> known_;
};

class Demand {
 public:
  // Of the rules from `first` on. Facts, moves and what the game shows are wanted as a whole.
  Demand(Engine& engine, const Domains& domains, std::uint32_t first);

  // Adds to a rule what keeps its head within the demand; false when nothing of it is wanted.
  bool restrict(EngineRule& rule, DomainRelations& relations) const;

 private:
  [[nodiscard]] bool wanted_whole(RelId relation) const;
  [[nodiscard]] std::vector<Domain> variables(const EngineRule& rule) const;
  void visit(const EngineRule& rule);

  Engine& engine_;
  const Domains& domains_;
  std::vector<std::vector<Domain>> wanted_;  // per relation and column
  std::vector<bool> reached_;                // relations without columns need a mark of their own
  std::vector<std::vector<std::uint32_t>> rules_of_;
  std::deque<RelId> open_;
  std::vector<bool> queued_;
};

}  // namespace rgtrans::gdl
