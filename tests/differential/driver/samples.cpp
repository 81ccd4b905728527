#include "tests/differential/driver/samples.hpp"

#include <algorithm>
#include <array>

#include "frontends/registry/registry.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::differential {

namespace {

namespace fs = std::filesystem;

std::string any_rg(test::Choices& choices) {
  const bool turns = choices.coin(80);
  return test::random_game(choices, {.turns = turns});
}
std::string any_rbg(test::Choices& choices) { return test::random_rbg(choices); }

constexpr std::array<Generator, 15> kGenerators = {{
    {"rg", ".rg", any_rg, false},
    {"rg-wide", ".rg", test::random_wide_game, false},
    {"rg-boards", ".rg", test::random_board_rg, true},
    {"hrg", ".hrg", test::random_hrg, false},
    {"hrg-wide", ".hrg", test::random_wide_hrg, false},
    {"hrg-boards", ".hrg", test::random_board_hrg, true},
    {"hrg-tables", ".hrg", test::random_table_hrg, true},
    {"rbg", ".rbg", any_rbg, false},
    {"rbg-wide", ".rbg", test::random_wide_rbg, false},
    {"rbg-boards", ".rbg", test::random_board_rbg, true},
    {"gdl", ".kif", test::random_gdl, true},
    {"gdl-boards", ".kif", test::random_board_gdl, true},
    {"ludax", ".ldx", test::random_ludax, true},
    {"ludii", ".lud", test::random_ludii, true},
    {"linegames", ".linegame", test::random_line_game, true},
}};

}  // namespace

std::span<const Generator> generators() { return kGenerators; }

const Generator* find_generator(std::string_view name) {
  const auto found = std::ranges::find(kGenerators, name, &Generator::name);
  return found == kGenerators.end() ? nullptr : &*found;
}

Sample generate(const Generator& generator, std::uint64_t seed) {
  test::Choices choices(seed);
  return {std::string(generator.name) + "-" + std::to_string(seed) + std::string(generator.extension), seed,
          generator.make(choices)};
}

std::vector<fs::path> games_below(const fs::path& folder) {
  if (!fs::is_directory(folder)) return {folder};
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    const bool known = std::ranges::any_of(frontends(), [&](const Frontend* language) {
      return std::ranges::find(language->extensions, extension) != language->extensions.end();
    });
    if (known && entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

}  // namespace rgtrans::differential
