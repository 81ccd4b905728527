// The checksums used in the oracle's recorded facts.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <boost/crc.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rgtrans::corpus {

// The CRC-32 of a text.
inline std::uint32_t crc32(std::string_view text) {
  boost::crc_32_type crc;
  crc.process_bytes(text.data(), text.size());
  return crc.checksum();
}

// A checksum of lines, independent of their order, in hexadecimal.
inline std::string hash_of(std::vector<std::string> lines) {
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return fmt::format("{:08x}", crc32(text));
}

}  // namespace rgtrans::corpus
