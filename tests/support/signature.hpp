// The signature of a game: a hash of the translator's output at -O2 (RG text, generated C++, interpreter tables). A
// change that preserves behaviour preserves the signature. scripts/sweep signature combines it over all games.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/ir/ir.hpp"

namespace rgtrans::test {

struct Signature {
  std::string language;
  std::uint64_t text = 0;    // hash of the optimized game as RG text
  std::uint64_t code = 0;    // hash of the generated files that differ between games
  std::uint64_t tables = 0;  // hash of the interpreter's tables
  std::string error;         // reason if the game is not accepted

  // A single hash, which includes the name of the game but not its folder.
  [[nodiscard]] std::uint64_t number(const std::string& name) const;
};

// FNV-1a with 64 bits.
std::uint64_t text_hash(std::string_view text, std::uint64_t seed = 0xcbf29ce484222325ULL);

Signature signature_of(const std::filesystem::path& path);

}  // namespace rgtrans::test
