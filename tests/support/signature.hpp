// The signature of a game: one number over what the translator makes of it at -O2, the RG text, the generated C++ and
// the interpreter's tables. A change of the code that keeps behaviour keeps the number; scripts/signature adds it up
// over all games.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/ir/ir.hpp"

namespace rgtrans::test {

struct Signature {
  std::string language;
  std::uint64_t text = 0;    // of the optimized game as RG
  std::uint64_t code = 0;    // of the generated files that differ from game to game
  std::uint64_t tables = 0;  // of the game as the interpreter has it
  std::string error;         // why there is none: the game is not accepted

  // One number for all of it. It depends on the name of the game, and not on the folder that the game lies in.
  [[nodiscard]] std::uint64_t number(const std::string& name) const;
};

// FNV-1a with 64 bits.
std::uint64_t text_hash(std::string_view text, std::uint64_t seed = 0xcbf29ce484222325ULL);

Signature signature_of(const std::filesystem::path& path);

}  // namespace rgtrans::test
