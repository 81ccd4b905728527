// Keeping rules to what is wanted of their heads.
#pragma once

#include <map>
#include <vector>

#include "frontends/gdl/ground/domains.hpp"

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

// Adds to a rule what keeps its head within the demand; false when nothing of it is wanted.
bool restrict_to_demand(EngineRule& rule, const Domains& domains, DomainRelations& relations);

}  // namespace rgtrans::gdl
