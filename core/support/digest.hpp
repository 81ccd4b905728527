// BLAKE2b (RFC 7693) with results of 32 bytes. Without a key it gives fingerprints of texts that nobody can forge. With
// a key it gives numbers that reveal nothing about the key.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/support/ids.hpp"

namespace rgtrans {

class Digest {
 public:
  using Bytes = std::array<std::uint8_t, 32>;

  // A key has at most 64 bytes.
  explicit Digest(std::string_view key = {});

  // Appends bytes. The digest does not depend on how the bytes are split into calls.
  Digest& add(std::string_view bytes);
  // Appends a field preceded by its length, so that neighbouring fields cannot run together. A number takes 8 bytes,
  // lowest first.
  Digest& field(std::string_view bytes) { return add_number(bytes.size()).add(bytes); }
  Digest& add_number(std::uint64_t number);

  // The digest of everything added so far. More may be added afterwards.
  [[nodiscard]] Bytes bytes() const;
  [[nodiscard]] std::string hex() const;
  // The first 8 bytes as a number.
  [[nodiscard]] std::uint64_t number() const;

 private:
  static constexpr std::size_t kBlock = 128;
  void compress(bool last);

  std::array<std::uint64_t, 8> state_;
  std::array<std::uint8_t, kBlock> block_{};
  std::size_t filled_ = 0;
  std::uint64_t length_ = 0;  // bytes compressed so far
};

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
