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
    std::vector<std::pair<RelKey, Print>> relations;  // whose rules were looked at
    // What was known of them and mattered: for one that is refuted what it used, else all.
    std::vector<std::pair<RelKey, Print>> known;
    std::vector<Print> assumed{};  // in order: for one that is refuted what the answer needs, else all
    bool refuted = false;
    std::uint64_t core = 0;  // what was needed, as the Refuter numbers it
    std::set<RelId> used{};  // facts whose dependencies the answer needs
  };
  // All that are known, of one query and whatever is assumed besides.
  std::vector<Answer>& of(const std::vector<Print>& query) { return answers_[query]; }

 private:
  std::map<std::vector<Print>, std::vector<Answer>> answers_;
};

}  // namespace rgtrans::gdl::lifted
