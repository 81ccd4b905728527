// The table at the head of docs/architecture.md names the folders that there are.
#include <gmock/gmock.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/docs/page_table.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path kSources = RGTRANS_SOURCE_DIR;

// A name without a slash is in the folder of the name before it.
std::set<std::string> folders_of_the_page() {
  std::set<std::string> folders;
  for (const std::vector<std::string>& names : rgtrans::names_of_table("architecture.md", rgtrans::Column::first)) {
    fs::path parent;
    for (const fs::path folder : names) {
      folders.insert((folder.has_parent_path() ? folder : parent / folder).string());
      parent = folder.has_parent_path() ? folder.parent_path() : parent;
    }
  }
  return folders;
}

TEST(Folders, OfTheTableExist) {
  const std::set<std::string> folders = folders_of_the_page();
  ASSERT_GT(folders.size(), 30U);
  for (const std::string& folder : folders)
    if (folder.find('<') == std::string::npos) {
      EXPECT_TRUE(fs::is_directory(kSources / folder)) << folder;
    }
}

// Those of a language are one row together.
TEST(Folders, StandInTheTable) {
  const std::set<std::string> folders = folders_of_the_page();
  for (const char* top : {"core", "backends", "ide"}) {
    for (const auto& entry : fs::directory_iterator(kSources / top)) {
      if (!entry.is_directory()) continue;
      const std::string folder = top + std::string("/") + entry.path().filename().string();
      EXPECT_TRUE(folders.contains(folder)) << folder;
    }
  }
}

}  // namespace
