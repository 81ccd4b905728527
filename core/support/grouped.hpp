// Lists of numbers without one vector per list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/support/ids.hpp"

namespace rgtrans {

// Numbers by group in one array. Each group keeps the order in which its numbers were given.
class Grouped {
 public:
  Grouped() = default;
  // for_each(add) calls add(group, number) for every number. It is called twice and must repeat the same sequence.
  template <class ForEach>
  Grouped(std::size_t groups, ForEach&& for_each) : begin_(groups + 1, 0) {
    for_each([&](std::size_t group, std::uint32_t) { ++begin_[group + 1]; });
    for (std::size_t i = 1; i <= groups; ++i) begin_[i] += begin_[i - 1];
    members_.resize(begin_.back());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for_each([&](std::size_t group, std::uint32_t number) { members_[next[group]++] = number; });
  }
  // group_of(i) is the group of number i, or kNone for a number without a group.
  template <class GroupOf>
  Grouped(std::size_t groups, std::size_t numbers, GroupOf&& group_of)
      : Grouped(groups, [&](auto&& add) {
          for (std::uint32_t i = 0; i < numbers; ++i)
            if (const std::uint32_t group = group_of(i); group != kNone) add(group, i);
        }) {}
  std::span<const std::uint32_t> operator[](std::size_t group) const {
    return {members_.data() + begin_[group], members_.data() + begin_[group + 1]};
  }

 private:
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> members_;
};

}  // namespace rgtrans
