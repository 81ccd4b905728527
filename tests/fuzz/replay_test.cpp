// Runs the targets on inputs that once stopped a fuzzer, and on the seeds. An input is a file in regressions/TARGET or
// seeds/TARGET. Then runs them on inputs made from the seeds and by the generators, without a fuzzer:
// RGTRANS_FUZZ_COUNT for each target, from RGTRANS_FUZZ_SEED on, for RGTRANS_FUZZ_TARGET alone if that is set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "core/support/clock.hpp"
#include "core/support/support.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> seeds_of(const std::string& target) {
  const fs::path folder = fs::path(RGTRANS_SOURCE_DIR) / "tests/fuzz/seeds" / target;
  std::vector<fs::path> files;
  if (fs::exists(folder)) {
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<std::string> texts;
  for (const fs::path& file : files) texts.push_back(read_file(file));
  return texts;
}

std::string random_bytes(test::Choices& choices) {
  std::string bytes(choices.below(600), '\0');
  for (char& byte : bytes) byte = static_cast<char>(choices.below(256));
  return bytes;
}

constexpr std::uint64_t kMadeInputs = 40;

// An input comes from a seed, a new text, or an input before it; so mistakes add up.
TEST(Fuzz, MadeInputsAreHarmless) {
  const std::uint64_t count = test::random_count(kMadeInputs), first = test::from_environment("RGTRANS_FUZZ_SEED", 1);
  const char* const chosen = std::getenv("RGTRANS_FUZZ_TARGET");
  for (const auto& [name, target] : targets()) {
    if (chosen != nullptr && name != chosen) continue;
    const std::vector<std::string> seeds = seeds_of(name);
    std::vector<Generator> made = generators().find(name)->second;
    if (made.empty()) made = {random_bytes};
    const auto start = Clock::now();
    std::string text;
    for (std::uint64_t seed = first; seed < first + count && !HasFailure(); ++seed) {
      test::Choices choices(seed);
      if (!seeds.empty() && choices.chance(4)) text = seeds[choices.below(seeds.size())];
      if (text.size() > 20'000 || choices.chance(6)) text.clear();
      text = mutate_or_generate(text, made, choices);
      SCOPED_TRACE(name + " " + std::to_string(seed));
      EXPECT_NO_THROW(target(text)) << text;
      if (HasFailure()) write_file(fs::temp_directory_path() / ("rgtrans-fuzz-" + name), text);
    }
    const double seconds = seconds_since(start);
    std::printf("%-10s %10llu inputs %10.0f a second\n", name.c_str(), static_cast<unsigned long long>(count),
                static_cast<double>(count) / seconds);
    std::fflush(stdout);
  }
}

TEST(Fuzz, KeptInputsAreHarmless) {
  std::size_t count = 0;
  for (const char* kind : {"seeds", "regressions"}) {
    for (const auto& [name, target] : targets()) {
      const fs::path folder = fs::path(RGTRANS_SOURCE_DIR) / "tests/fuzz" / kind / name;
      if (!fs::exists(folder)) continue;
      std::vector<fs::path> files;
      for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
      std::ranges::sort(files);
      for (const fs::path& file : files) {
        SCOPED_TRACE(file.string());
        EXPECT_NO_THROW(target(read_file(file)));
        ++count;
      }
    }
  }
  EXPECT_GE(count, 20U);
}

// Every folder belongs to a target: a misspelled one would never be replayed.
TEST(Fuzz, EveryFolderHasItsTarget) {
  for (const char* kind : {"seeds", "regressions"}) {
    for (const auto& entry : fs::directory_iterator(fs::path(RGTRANS_SOURCE_DIR) / "tests/fuzz" / kind)) {
      EXPECT_TRUE(targets().contains(entry.path().filename().string())) << entry.path();
    }
  }
}

}  // namespace
}  // namespace rgtrans::fuzz
