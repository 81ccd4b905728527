// The table of passes and the folder must agree.
#include "frontends/rbg/passes/passes.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

namespace rgtrans::rbg {
namespace {

TEST(Passes, AreOneFileEachNamedAlike) {
  std::set<std::string> files, names;
  const std::filesystem::path folder = std::filesystem::path(RGTRANS_SOURCE_DIR) / "frontends/rbg/passes";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".cpp") files.insert(entry.path().stem().string());
  }
  files.erase("nodes");     // helpers of several passes
  files.erase("schedule");  // the tables
  for (const FlowPass& pass : passes()) {
    std::string name(pass.name);
    std::ranges::replace(name, '-', '_');
    names.insert(name);
    EXPECT_FALSE(pass.help.empty()) << name;
  }
  EXPECT_EQ(names, files);
}

}  // namespace
}  // namespace rgtrans::rbg
