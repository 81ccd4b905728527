#include "core/support/digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace rgtrans {

namespace {

constexpr std::array<std::uint64_t, 8> kInitial = {0x6a09e667f3bcc908U, 0xbb67ae8584caa73bU, 0x3c6ef372fe94f82bU,
                                                   0xa54ff53a5f1d36f1U, 0x510e527fade682d1U, 0x9b05688c2b3e6c1fU,
                                                   0x1f83d9abfb41bd6bU, 0x5be0cd19137e2179U};

constexpr std::uint8_t kOrder[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

constexpr std::uint64_t kResult = 32;  // bytes

}  // namespace

Digest::Digest(std::string_view key) : state_(kInitial) {
  key = key.substr(0, 64);
  state_[0] ^= 0x01010000U ^ (static_cast<std::uint64_t>(key.size()) << 8U) ^ kResult;
  if (key.empty()) return;
  std::ranges::copy(key, block_.begin());
  filled_ = kBlock;
}

Digest& Digest::add(std::string_view bytes) {
  while (!bytes.empty()) {
    // BLAKE2b compresses the last block with a flag set, so a full block waits until more bytes arrive.
    if (filled_ == kBlock) {
      length_ += kBlock;
      compress(false);
      filled_ = 0;
    }
    const std::size_t now = std::min(bytes.size(), kBlock - filled_);
    std::copy_n(bytes.begin(), now, block_.begin() + static_cast<std::ptrdiff_t>(filled_));
    filled_ += now;
    bytes.remove_prefix(now);
  }
  return *this;
}

Digest& Digest::add_number(std::uint64_t number) {
  char bytes[8];
  for (char& byte : bytes) {
    byte = static_cast<char>(number & 0xffU);
    number >>= 8U;
  }
  return add({bytes, sizeof bytes});
}

void Digest::compress(bool last) {
  std::array<std::uint64_t, 16> v, m;
  for (std::size_t i = 0; i < 8; ++i) {
    v[i] = state_[i];
    v[i + 8] = kInitial[i];
  }
  v[12] ^= length_;
  if (last) v[14] = ~v[14];
  for (std::size_t i = 0; i < 16; ++i) {
    m[i] = 0;
    for (std::size_t k = 0; k < 8; ++k) m[i] |= static_cast<std::uint64_t>(block_[i * 8 + k]) << (8 * k);
  }
  const auto mix = [&](std::size_t a, std::size_t b, std::size_t c, std::size_t d, std::uint64_t x, std::uint64_t y) {
    v[a] += v[b] + x;
    v[d] = std::rotr(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = std::rotr(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = std::rotr(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = std::rotr(v[b] ^ v[c], 63);
  };
  for (std::size_t round = 0; round < 12; ++round) {
    const auto& order = kOrder[round % 10];
    for (std::size_t i = 0; i < 4; ++i) mix(i, i + 4, i + 8, i + 12, m[order[2 * i]], m[order[2 * i + 1]]);
    for (std::size_t i = 0; i < 4; ++i) {
      mix(i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12, m[order[2 * i + 8]], m[order[2 * i + 9]]);
    }
  }
  for (std::size_t i = 0; i < 8; ++i) state_[i] ^= v[i] ^ v[i + 8];
}

Digest::Bytes Digest::bytes() const {
  Digest end = *this;
  std::fill(end.block_.begin() + static_cast<std::ptrdiff_t>(filled_), end.block_.end(), std::uint8_t{0});
  end.length_ += filled_;
  end.compress(true);
  Bytes out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<std::uint8_t>(end.state_[i / 8] >> (8 * (i % 8)) & 0xffU);
  }
  return out;
}

std::string Digest::hex() const {
  const Bytes all = bytes();
  return fmt::format("{:02x}", fmt::join(all, ""));
}

std::uint64_t Digest::number() const {
  const Bytes all = bytes();
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < 8; ++i) out |= static_cast<std::uint64_t>(all[i]) << (8 * i);
  return out;
}

}  // namespace rgtrans
