// What came of queries, for those who ask again: also of another model of the description, some of whose rules were
// written anew. An answer counts as long as all that was looked at for it says the same.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "frontends/gdl/lifted/model.hpp"

namespace rgtrans::gdl::lifted {

class Proofs {
 public:
  using Print = std::uint64_t;  // a hash of what something says, whatever the numbers of its sorts are in a model
  struct Answer {
    std::vector<std::pair<RelKey, Print>> relations;  // that were looked at
    bool refuted = false;
    std::uint64_t cost = 0;
    std::set<RelId> used{};  // facts whose dependencies the answer needs
  };
  // All that are known, of one query.
  std::vector<Answer>& of(const std::vector<Print>& query) { return answers_[query]; }

 private:
  std::map<std::vector<Print>, std::vector<Answer>> answers_;
};

}  // namespace rgtrans::gdl::lifted
