// What came of queries, for those who ask again: also of another model of the description, some of whose rules were
// written anew. An answer counts as long as all that was looked at for it says the same.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "frontends/gdl/lifted/model.hpp"

namespace rgtrans::gdl::lifted {

class Proofs {
 public:
  // A hash of what something says, whatever the numbers of its sorts are in a model. Equal ones are taken for the same,
  // so it has 128 bits: of the fewer than 2^30 that one description can make, two collide less often than once in 2^68
  // descriptions.
  struct Print {
    std::uint64_t a = 0, b = 0;
    Print() = default;
    explicit Print(std::uint64_t x) { add(x); }
    void add(std::uint64_t x) {
      a = combine_hash(a, x);
      b = mix_hash(b + x * 0xbf58476d1ce4e5b9ULL + 0x94d049bb133111ebULL);
    }
    void add(const Print& other) {
      add(other.a);
      add(other.b);
    }
    auto operator<=>(const Print&) const = default;
  };
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
