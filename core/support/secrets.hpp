// Random numbers that observers or other parties may see. derived_seed() uses a keyed one-way function, BLAKE2b with
// the secret as its key. A seed thus reveals nothing about the secret or about other seeds of the same secret. Numbers
// drawn in public do not predict the next ones.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/support/digest.hpp"

namespace rgtrans {

// Equal arguments give equal seeds.
[[nodiscard]] std::uint64_t derived_seed(std::uint64_t secret, std::string_view purpose, std::uint64_t number = 0);
// A random number from the operating system that nobody can guess.
[[nodiscard]] std::uint64_t fresh_secret();

class SecretNumbers {
 public:
  SecretNumbers(std::uint64_t secret, std::string_view purpose);
  std::uint64_t next();
  // A uniformly distributed number with 0 <= result < n.
  std::uint64_t below(std::uint64_t n);

 private:
  std::uint64_t key_;
  std::uint64_t block_ = 0;
  std::array<std::uint64_t, 4> ready_{};
  std::size_t left_ = 0;
};

}  // namespace rgtrans
