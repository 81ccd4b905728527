// Two texts beside each other.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace rgtrans::trace {

// A line of both, of one of them, or one line in place of another; `skipped` > 0: so many lines of both are left out.
struct LinePair {
  std::optional<std::string_view> before, after;
  std::size_t skipped = 0;
};

// The changes, each with up to `context` lines before and behind it that are the same.
std::vector<LinePair> side_by_side(std::string_view before, std::string_view after, std::size_t context);

}  // namespace rgtrans::trace
