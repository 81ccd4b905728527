// Interned environments: maps from variables to numbers. Neighbouring nodes have nearly equal environments, so each is
// a tree with shared subtrees. Equal environments have equal ids, an update copies one path, and a join visits only the
// subtrees that differ. A subtree belongs to one position, so joins of subtrees can be cached.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/analysis/memo.hpp"
#include "core/support/support.hpp"

namespace rgtrans::analysis {

class Environments {
 public:
  using Id = std::uint32_t;
  using Value = std::uint32_t;

  explicit Environments(std::size_t variables);

  Id make(const std::vector<Value>& values);
  [[nodiscard]] Value get(Id environment, std::size_t variable) const {
    Id at = environment;
    for (unsigned shift = top_; shift > 0; shift -= kBits) at = parts_[at][(variable >> shift) & kMask];
    return parts_[at][variable & kMask];
  }
  Id set(Id environment, std::size_t variable, Value value) {
    return get(environment, variable) == value ? environment : set(environment, variable, value, top_);
  }

  // Merges two environments: applies combine(variable, value in a, value in b) to each variable in which they differ.
  // The result for a pair of subtrees is cached, so `combine` must be a pure function.
  template <class F>
  Id join(Id a, Id b, F&& combine) {
    return a == b ? a : join(a, b, combine, top_, 0);
  }

  [[nodiscard]] std::size_t parts() const { return parts_.size(); }

 private:
  static constexpr unsigned kBits = 4;
  static constexpr std::size_t kFan = std::size_t{1} << kBits;
  static constexpr std::size_t kMask = kFan - 1;
  using Part = std::array<Id, kFan>;  // ids of subtrees; at the lowest level, values; 0 past the last variable

  Id intern(const Part& part, unsigned shift, std::size_t position);
  Id make(const std::vector<Value>& values, unsigned shift, std::size_t position);
  Id set(Id at, std::size_t variable, Value value, unsigned shift);

  template <class F>
  Id join(Id a, Id b, F& combine, unsigned shift, std::size_t position) {
    if (const Id known = joins_.find(a, b); known != kNone) return known;
    Part part = parts_[a];
    const Part other = parts_[b];
    for (std::size_t i = 0; i < kFan; ++i) {
      if (part[i] == other[i]) continue;
      const std::size_t below = position * kFan + i;
      part[i] = shift == 0 ? combine(below, part[i], other[i]) : join(part[i], other[i], combine, shift - kBits, below);
    }
    const Id result = intern(part, shift, position);
    joins_.insert(a, b, result);
    return result;
  }

  std::size_t variables_;
  unsigned top_ = 0;  // number of index bits below the digit that indexes the root
  std::vector<Part> parts_;
  std::vector<std::uint64_t> places_;  // the level and position of each part
  IndexSet index_;
  Memo joins_;
};

}  // namespace rgtrans::analysis
