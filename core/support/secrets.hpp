// Random numbers that one party hands to another one, or draws where others look on. A seed that is handed out is
// derived by a keyed one-way function (BLAKE2b, the key being the secret), so it says nothing about the secret, and
// nothing about other seeds of the same secret. Numbers that are drawn in public do not show the next ones.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/support/digest.hpp"

namespace rgtrans {

// Equal arguments give equal seeds.
[[nodiscard]] std::uint64_t derived_seed(std::uint64_t secret, std::string_view purpose, std::uint64_t number = 0);
// From the operating system: nobody can guess it.
[[nodiscard]] std::uint64_t fresh_secret();

class SecretNumbers {
 public:
  SecretNumbers(std::uint64_t secret, std::string_view purpose);
  std::uint64_t next();
  // 0 <= result < n, each alike.
  std::uint64_t below(std::uint64_t n);

 private:
  std::uint64_t key_;
  std::uint64_t block_ = 0;
  std::array<std::uint64_t, 4> ready_{};
  std::size_t left_ = 0;
};

}  // namespace rgtrans
