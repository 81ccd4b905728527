// A cache of the Refuter's answers, also for another model of the description in which some rules were rewritten. An
// answer is valid while everything that its proof read is unchanged.
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
  // A hash that does not depend on the numbers of sorts in a model. Equal hashes are taken for equal contents, so it
  // has 128 bits: one description computes fewer than 2^30, which collide in fewer than one of 2^68 descriptions.
  struct Fingerprint {
    std::uint64_t a = 0, b = 0;
    Fingerprint() = default;
    explicit Fingerprint(std::uint64_t x) { add(x); }
    void add(std::uint64_t x) {
      a = combine_hash(a, x);
      b = mix_hash(b + x * 0xbf58476d1ce4e5b9ULL + 0x94d049bb133111ebULL);
    }
    void add(const Fingerprint& other) {
      add(other.a);
      add(other.b);
    }
    auto operator<=>(const Fingerprint&) const = default;
  };
  struct Answer {
    std::vector<std::pair<RelKey, Fingerprint>> relations;  // whose rules the proof read
    // The knowledge about them on which the answer depends; for a refutation, only the part that it used.
    std::vector<std::pair<RelKey, Fingerprint>> known;
    std::vector<Fingerprint> assumed{};  // sorted; for a refutation, only those that it needs
    bool refuted = false;
    bool unfinished = false;  // because the effort ended
    std::uint64_t core = 0;   // needed literals, as the Refuter numbers them
    std::set<RelId> used{};   // facts whose dependencies the answer needs
  };
  // All cached answers for one query under any assumptions.
  std::vector<Answer>& of(const std::vector<Fingerprint>& query) { return answers_[query]; }

 private:
  std::map<std::vector<Fingerprint>, std::vector<Answer>> answers_;
};

// Fingerprints of what a proof reads in a model, whatever the numbers of its sorts.
class ModelFingerprints {
 public:
  explicit ModelFingerprints(const Model& model) : m_(model) {}

  Proofs::Fingerprint of(SortId sort);
  // The rules of a relation.
  Proofs::Fingerprint of(RelKey relation);

 private:
  const Model& m_;
  std::map<RelKey, Proofs::Fingerprint> rules_;
  std::map<SortId, Proofs::Fingerprint> sorts_;
};

}  // namespace rgtrans::gdl::lifted
