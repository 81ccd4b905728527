// BLAKE2b (RFC 7693) with results of 32 bytes: fingerprints of texts that nobody can forge, and, with a key, numbers
// that say nothing about the key.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rgtrans {

class Digest {
 public:
  using Bytes = std::array<std::uint8_t, 32>;

  // A key has 64 bytes at most.
  explicit Digest(std::string_view key = {});

  // The digest depends on the bytes alone, not on how they are parted into calls.
  Digest& add(std::string_view bytes);
  // A field is told apart from its neighbours by its length; a number has 8 bytes, the lowest first.
  Digest& field(std::string_view bytes) { return add_number(bytes.size()).add(bytes); }
  Digest& add_number(std::uint64_t number);

  // Of all that has been added so far; more may follow.
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
  std::uint64_t length_ = 0;  // of what was compressed
};

}  // namespace rgtrans
