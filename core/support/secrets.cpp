#include "core/support/secrets.hpp"

#include <random>
#include <string>

namespace rgtrans {

namespace {

Digest keyed(std::uint64_t secret, std::string_view purpose, std::uint64_t number) {
  std::string key(8, '\0');
  for (char& byte : key) {
    byte = static_cast<char>(secret & 0xffU);
    secret >>= 8U;
  }
  Digest digest(key);
  digest.field(purpose).add_number(number);
  return digest;
}

}  // namespace

std::uint64_t derived_seed(std::uint64_t secret, std::string_view purpose, std::uint64_t number) {
  return keyed(secret, purpose, number).number();
}

std::uint64_t fresh_secret() {
  std::random_device device;
  return static_cast<std::uint64_t>(device()) << 32U | device();
}

SecretNumbers::SecretNumbers(std::uint64_t secret, std::string_view purpose) : key_(derived_seed(secret, purpose)) {}

std::uint64_t SecretNumbers::next() {
  if (left_ == 0) {
    const Digest::Bytes bytes = keyed(key_, "numbers", block_++).bytes();
    for (std::size_t i = 0; i < ready_.size(); ++i) {
      ready_[i] = 0;
      for (std::size_t k = 0; k < 8; ++k) ready_[i] |= static_cast<std::uint64_t>(bytes[i * 8 + k]) << (8 * k);
    }
    left_ = ready_.size();
  }
  return ready_[--left_];
}

std::uint64_t SecretNumbers::below(std::uint64_t n) {
  // Rejection sampling: discards the `excess` largest numbers, so that every result is equally likely.
  const std::uint64_t excess = (UINT64_MAX % n + 1) % n;
  for (;;) {
    const std::uint64_t number = next();
    if (number <= UINT64_MAX - excess) return number % n;
  }
}

}  // namespace rgtrans
