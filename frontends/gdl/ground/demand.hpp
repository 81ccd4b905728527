// Restricts rules to the demanded tuples of their heads.
#pragma once

#include <map>
#include <vector>

#include "frontends/gdl/ground/domains.hpp"

namespace rgtrans::gdl {

// Unary static relations with the values of a domain; equal domains share one.
class DomainRelations {
 public:
  explicit DomainRelations(Engine& engine) : engine_(engine) {}
  // None if the domain is too large.
  RelId get(const Domain& domain);

 private:
  Engine& engine_;
  std::map<std::vector<std::uint32_t>, RelId> known_;
};

// Adds literals that restrict the head to the demand. False if there is no demand.
bool restrict_to_demand(EngineRule& rule, const Domains& domains, DomainRelations& relations);

}  // namespace rgtrans::gdl
