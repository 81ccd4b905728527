// Tables for subset tests. A value has candidates (targets, or the next values of a round), and each candidate needs
// some cells. The code compares the needed cells of a vector of candidates with masks of the board. The tables are
// indexed by value, by word of the masks and by candidate.
#pragma once

#include <cstdint>
#include <vector>

#include "core/support/bits.hpp"

namespace rgtrans::cpp {

// Words that one instruction compares.
constexpr std::size_t kLanes = 8;

template <class Candidate>
using ByValue = std::vector<std::vector<Candidate>>;

// A number for each candidate, `lanes` of them for each value; 0 where there is none.
template <class Candidate, class NumberOf>
std::vector<std::uint64_t> by_lane(const ByValue<Candidate>& candidates, std::size_t lanes, NumberOf&& number_of) {
  std::vector<std::uint64_t> numbers;
  for (const auto& of_value : candidates) {
    for (std::size_t t = 0; t < lanes; ++t) numbers.push_back(t < of_value.size() ? number_of(of_value[t]) : 0);
  }
  return numbers;
}

// What each needs, where a source has so many words.
template <class Candidate>
std::vector<std::uint64_t> needs_by_lane(const ByValue<Candidate>& candidates, std::size_t planes, std::size_t words,
                                         std::size_t lanes) {
  std::vector<std::uint64_t> needs;
  for (const auto& of_value : candidates) {
    for (std::size_t p = 0; p < planes; ++p) {
      for (std::size_t t = 0; t < lanes; ++t)
        needs.push_back(t < of_value.size() ? of_value[t].needs[p / words].word(p % words) : 0);
    }
  }
  return needs;
}

// For each value, bits of its candidates.
template <class Candidate>
std::vector<std::uint64_t> valid_lanes(const ByValue<Candidate>& candidates) {
  std::vector<std::uint64_t> valid;
  for (const auto& of_value : candidates)
    valid.push_back(of_value.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << of_value.size()) - 1);
  return valid;
}

}  // namespace rgtrans::cpp
