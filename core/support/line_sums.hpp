// Checksums of lines, by which the first damaged line of a text is found.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/support/ids.hpp"

namespace rgtrans {

// The checksum of a line of a text, which depends on all lines before it.
class LineSums {
 public:
  static constexpr std::size_t kLength = 6;  // " #" and four digits
  std::string next(std::string_view line) {
    for (const char c : line) sum_ = combine_hash(sum_, static_cast<unsigned char>(c));
    return fmt::format(" #{:04x}", sum_ & 0xffffU);
  }

 private:
  std::uint64_t sum_ = 0;
};

}  // namespace rgtrans
