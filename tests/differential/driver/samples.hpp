// Where the games come from that engines are compared on: generators, which a seed makes repeatable, or files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/choices.hpp"

namespace rgtrans::differential {

struct Sample {
  std::string name;        // with the extension of the language
  std::uint64_t seed = 0;  // of a generated game
  std::string text;
};

struct Generator {
  std::string_view name;
  std::string_view extension;  // with the dot
  std::string (*make)(test::Choices& choices);
  bool proper;  // each move has one result
};

std::span<const Generator> generators();
const Generator* find_generator(std::string_view name);  // null when there is none
Sample generate(const Generator& generator, std::uint64_t seed);

// Games below a folder, in the order of their names; the file alone where the path is one.
std::vector<std::filesystem::path> games_below(const std::filesystem::path& folder);

}  // namespace rgtrans::differential
