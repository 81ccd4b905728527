// Lifted descriptions beside recorded playouts and beside the same descriptions on their networks, or, where these are
// too large, as they stand.
#include "tests/support/gdl_lifted.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>

#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/syntax/closures.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::gdl {
namespace {

using namespace corpus;

constexpr std::size_t kShards = 4;
// Processor seconds of one shard; what does not fit is counted and named.
double budget() {
  if (const char* set = std::getenv("RGTRANS_SECONDS")) return std::atof(set);
  return full() ? 900 : 3;
}

// Processor seconds of one game, where that is set: the most, whether its ground program is small or not.
std::optional<double> game_budget() {
  const char* set = std::getenv("RGTRANS_GAME_SECONDS");
  return set == nullptr ? std::nullopt : std::optional(std::atof(set));
}

std::string hash_of(std::vector<std::string> lines) {
  std::ranges::sort(lines);
  std::uint32_t crc = 0xffffffffU;
  for (const std::string& line : lines) {
    for (const char c : line + "\n") {
      crc ^= static_cast<unsigned char>(c);
      for (int k = 0; k < 8; ++k) crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
    }
  }
  return fmt::format("{:08x}", ~crc);
}

class GdlLifted : public testing::TestWithParam<std::size_t> {
 protected:
  [[nodiscard]] static std::vector<std::string> games() {
    const fs::path folder = shared() / "corpus" / "gdl";
    std::vector<std::string> all;
    if (!fs::exists(folder)) return all;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".kif")
        all.push_back(fs::relative(entry.path(), folder).replace_extension().string());
    // Small and large ones are mixed.
    std::ranges::sort(all, {}, [](const std::string& game) { return std::pair(hash_of({game}), game); });
    return all;
  }
};

TEST_P(GdlLifted, PlaysLikeTheDescription) {
  SKIP_WITHOUT_SHARED();
  const std::vector<std::string> all = games();
  const char* only = std::getenv("RGTRANS_GAME");
  const double begin = processor_seconds();
  std::size_t lifted_games = 0, playouts = 0, beside_ground = 0, beside_rules = 0, left_out = 0;
  std::map<std::string, std::size_t> reasons;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (only == nullptr ? i % kShards != GetParam() : GetParam() != 0 || all[i] != only) continue;
    if (processor_seconds() - begin > budget()) {
      ++left_out;
      continue;
    }
    const fs::path path = shared() / "corpus" / "gdl" / (all[i] + ".kif");
    auto sources = std::make_shared<Sources>();
    Diagnostics diagnostics(sources);
    const Sources::File& file = sources->add(path.string(), read_file(path));
    Program program = read_program(file, diagnostics, false);
    if (diagnostics.has_errors()) continue;
    follow_steps(program);
    std::string why;
    lifted::LiftedNames names;
    GroundOptions options;
    options.max_rules = 1'000'000;
    auto game = lifted::lift(program, sources, options, {}, why, &names);
    if (!game) {
      ++reasons[why.substr(0, why.find('\''))];
      continue;
    }
    ++lifted_games;
    ir::VerifyOptions verify_options;
    verify_options.warnings = false;
    ir::verify(*game, diagnostics, verify_options);
    ASSERT_FALSE(diagnostics.has_errors()) << all[i] << ": " << render(diagnostics.all(), *sources);
    const double start = processor_seconds();
    try {
      LiftedPlay play(make_interpreter(*game), names);
      std::ifstream in(shared() / "oracle" / "gdl_traces" / (all[i] + ".jsonl"));
      for (std::string line; std::getline(in, line) && processor_seconds() - start < (full() ? 30 : 0.2);) {
        EXPECT_EQ(play.along(nlohmann::json::parse(line), hash_of), "") << all[i] << ", recorded";
        ++playouts;
      }
      const bool thorough = full() || game_budget();
      options.max_rules = full() ? 5'000'000 : thorough ? 200'000 : 2'000;
      Diagnostics silent(sources);
      GroundProgram ground_program = ground(file, silent, options);
      const bool is_ground = !silent.has_errors();
      if (!is_ground && !thorough) continue;  // a state can take seconds
      ++(is_ground ? beside_ground : beside_rules);
      std::unique_ptr<Steps> other;
      if (is_ground) other = std::make_unique<NetworkSteps>(std::move(ground_program));
      if (!is_ground) other = std::make_unique<Direct>(file.text);
      const double most = game_budget().value_or(full() ? 60 : 0.4);
      for (unsigned seed = 1; seed <= (thorough ? 1000U : 3U) && processor_seconds() - start < most; ++seed) {
        const std::string difference = play.beside(*other, seed, thorough ? 500 : 40);
        ++playouts;
        if (difference == "stuck") break;
        EXPECT_EQ(difference, "") << all[i] << ", playout " << seed;
        if (!difference.empty()) break;
      }
    } catch (const Error& error) {
      ADD_FAILURE() << all[i] << ": " << error.what();
    }
  }
  std::cout << fmt::format(
      "{} games lifted, {} of them beside the ground program, {} beside the rules, {} playouts, {} games left out\n",
      lifted_games, beside_ground, beside_rules, playouts, left_out);
  for (const auto& [why, count] : reasons) std::cout << fmt::format("  not lifted: {:4} {}\n", count, why);
}

INSTANTIATE_TEST_SUITE_P(Shard, GdlLifted, testing::Range(std::size_t{0}, kShards));

}  // namespace
}  // namespace rgtrans::gdl
