// A range of integers that includes both ends.
#pragma once

#include <cstdint>

namespace rgtrans {

struct Interval {
  std::int64_t low = 0, high = 0;
  [[nodiscard]] std::uint64_t size() const { return static_cast<std::uint64_t>(high - low) + 1; }
  bool operator==(const Interval&) const = default;
};

}  // namespace rgtrans
