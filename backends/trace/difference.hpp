// Compares two texts side by side.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace rgtrans::trace {

// A line of both texts, of one of them, or one replacing another. `skipped` > 0: this many equal lines are omitted.
struct LinePair {
  std::optional<std::string_view> before, after;
  std::size_t skipped = 0;
};

// The changed lines, each with up to `context` equal lines before and after it.
std::vector<LinePair> side_by_side(std::string_view before, std::string_view after, std::size_t context);

}  // namespace rgtrans::trace
