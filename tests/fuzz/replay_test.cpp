// Inputs that once made a fuzzer stop, and the seeds, through their targets. An input is a file in regressions/TARGET
// or seeds/TARGET.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/support/support.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rgtrans::fuzz {
namespace {

namespace fs = std::filesystem;

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
