// The folder contains one source file and one test file per pass, named after the pass.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/passes/passes.hpp"

namespace rgtrans::passes {
namespace {

namespace fs = std::filesystem;

// The names of the files in a folder that end with `ending`, without that ending.
std::set<std::string> files(const fs::path& folder, const std::string& ending) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(RGTRANS_SOURCE_DIR) / folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(ending)) names.insert(name.substr(0, name.size() - ending.size()));
  }
  return names;
}

std::set<std::string> registered() {
  std::set<std::string> names;
  for (const Pass& pass : all_passes()) {
    std::string name(pass.name);
    std::ranges::replace(name, '-', '_');
    EXPECT_TRUE(names.insert(name).second) << name << " stands twice in the table";
  }
  return names;
}

TEST(Registry, IsTheFolder) {
  std::set<std::string> sources = files("core/passes", ".cpp");
  for (const char* frame : {"pipeline", "registry", "tools"}) EXPECT_EQ(sources.erase(frame), 1U) << frame;
  EXPECT_EQ(sources, registered());
}

TEST(Registry, EveryPassHasItsTest) {
  std::set<std::string> tests = files("tests/core/passes", "_test.cpp");
  for (const char* frame : {"fuzz", "pipeline", "registry"}) EXPECT_EQ(tests.erase(frame), 1U) << frame;
  EXPECT_EQ(tests, registered());
}

TEST(Registry, FindsPassesByName) {
  for (const Pass& pass : all_passes()) EXPECT_EQ(find_pass(pass.name), &pass);
  EXPECT_EQ(find_pass("prune-more"), nullptr);
}

}  // namespace
}  // namespace rgtrans::passes
