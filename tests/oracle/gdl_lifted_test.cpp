// Compares lifted descriptions with recorded playouts and with the same descriptions on their networks, or, if these
// are too large, with their rules.
#include "tests/support/gdl_lifted.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>

#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/syntax/closures.hpp"
#include "tests/support/checksum.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::gdl {
namespace {

using namespace corpus;

constexpr std::size_t kShards = 4;
// Processor seconds of one shard; games beyond it are counted and named.
double budget() {
  if (const char* set = std::getenv("RGTRANS_SECONDS")) return std::atof(set);
  return full() ? 900 : 3;
}

// Processor seconds of one game, where that is set: the most, whether its ground program is small or not.
std::optional<double> game_budget() {
  const char* set = std::getenv("RGTRANS_GAME_SECONDS");
  return set == nullptr ? std::nullopt : std::optional(std::atof(set));
}

// The result for one description.
struct Compared {
  std::string not_lifted;  // why
  std::string beside;      // "ground", "rules" or nothing
  std::size_t recorded = 0, random = 0;
};

Compared compare(const fs::path& path, const std::string& name) {
  Compared result;
  auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics(sources);
  const Sources::File& file = sources->add(path.string(), read_file(path));
  Program program = read_program(file, diagnostics, false);
  if (diagnostics.has_errors()) {
    result.not_lifted = "it is wrong";
    return result;
  }
  follow_steps(program);
  lifted::LiftedNames names;
  GroundOptions options;
  options.max_rules = 1'000'000;
  auto game = lifted::lift(program, sources, options, {}, result.not_lifted, &names);
  if (!game) return result;
  ir::VerifyOptions verify_options;
  verify_options.warnings = false;
  ir::verify(*game, diagnostics, verify_options);
  EXPECT_FALSE(diagnostics.has_errors()) << name << ": " << render(diagnostics.all(), *sources);
  if (diagnostics.has_errors()) return result;
  const double start = processor_seconds();
  try {
    LiftedPlay play(make_interpreter(*game), names);
    std::ifstream in(shared() / "oracle" / "gdl_traces" / (name + ".jsonl"));
    for (std::string line; std::getline(in, line) && processor_seconds() - start < (full() ? 30 : 0.2);) {
      EXPECT_EQ(play.along(nlohmann::json::parse(line), hash_of), "") << name << ", recorded";
      ++result.recorded;
    }
    const bool thorough = full() || game_budget();
    options.max_rules = full() ? 5'000'000 : thorough ? 200'000 : 2'000;
    Diagnostics silent(sources);
    GroundProgram ground_program = ground(file, silent, options);
    const bool is_ground = !silent.has_errors();
    if (!is_ground && !thorough) return result;  // a state can take seconds
    result.beside = is_ground ? "ground" : "rules";
    std::unique_ptr<Steps> other;
    if (is_ground) other = std::make_unique<NetworkSteps>(std::move(ground_program));
    if (!is_ground) other = std::make_unique<Direct>(file.text);
    const double most = game_budget().value_or(full() ? 60 : 0.4);
    for (unsigned seed = 1; seed <= (thorough ? 1000U : 3U) && processor_seconds() - start < most; ++seed) {
      const std::string difference = play.beside(*other, seed, thorough ? 500 : 40);
      ++result.random;
      if (difference == "stuck") continue;  // alike so far; a role has no move
      EXPECT_EQ(difference, "") << name << ", playout " << seed;
      if (!difference.empty()) break;
    }
  } catch (const Error& error) {
    ADD_FAILURE() << name << ": " << error.what();
  }
  return result;
}

class GdlLifted : public testing::TestWithParam<std::size_t> {
 protected:
  // The file in RGTRANS_GAME, or those of this shard, in an order in which small and large ones are mixed.
  [[nodiscard]] static std::vector<fs::path> games() {
    if (const char* const given = std::getenv("RGTRANS_GAME"); given != nullptr)
      return GetParam() == 0 ? std::vector<fs::path>{given} : std::vector<fs::path>{};
    std::vector<fs::path> all, result;
    if (!fs::exists(folder())) return result;
    for (const auto& entry : fs::recursive_directory_iterator(folder()))
      if (entry.path().extension() == ".kif") all.push_back(entry.path());
    std::ranges::sort(all, {}, [](const fs::path& game) { return std::pair(hash_of({name(game)}), name(game)); });
    for (std::size_t i = GetParam(); i < all.size(); i += kShards) result.push_back(all[i]);
    return result;
  }
  static fs::path folder() { return shared() / "corpus" / "gdl"; }
  static std::string name(const fs::path& game) { return fs::relative(game, folder()).replace_extension().string(); }
};

TEST_P(GdlLifted, PlaysLikeTheDescription) {
  SKIP_WITHOUT_SHARED();
  const double begin = processor_seconds();
  std::size_t lifted_games = 0, recorded = 0, random = 0, left_out = 0;
  std::map<std::string, std::size_t> beside, reasons;
  for (const fs::path& path : games()) {
    if (processor_seconds() - begin > budget()) {
      ++left_out;
      continue;
    }
    const Compared compared = compare(path, name(path));
    if (!compared.not_lifted.empty()) {
      const std::string& why = compared.not_lifted;
      ++reasons[std::getenv("RGTRANS_GAME") != nullptr ? why : why.substr(0, why.find('\''))];
      continue;
    }
    ++lifted_games;
    ++beside[compared.beside];
    recorded += compared.recorded;
    random += compared.random;
  }
  // scripts/sweep gdl reads these words.
  std::cout << fmt::format(
      "{} games lifted, {} of them beside the ground program, {} beside the rules, {} recorded and {} random playouts, "
      "{} games left out\n",
      lifted_games, beside["ground"], beside["rules"], recorded, random, left_out);
  for (const auto& [why, count] : reasons) std::cout << fmt::format("  not lifted: {:4} {}\n", count, why);
}

INSTANTIATE_TEST_SUITE_P(Shard, GdlLifted, testing::Range(std::size_t{0}, kShards));

}  // namespace
}  // namespace rgtrans::gdl
