// Nobody reads a line that does not fit on a screen. clang-format keeps that of C++; this keeps it of the pages and of
// the extension for editors.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr std::ptrdiff_t kMostCharacters = 120;

std::ptrdiff_t characters(const std::string& line) {
  return std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

// Files written by hand: no modules of npm, and nothing that a build made.
std::vector<fs::path> written_files(const fs::path& folder) {
  static const std::set<std::string> kMade = {"node_modules", "dist", "out"};
  static const std::set<std::string> kExtensions = {".ts", ".mjs", ".css"};
  std::vector<fs::path> found;
  for (auto entry = fs::recursive_directory_iterator(folder); entry != fs::recursive_directory_iterator(); ++entry) {
    if (entry->is_directory() && kMade.contains(entry->path().filename().string())) entry.disable_recursion_pending();
    if (entry->is_regular_file() && kExtensions.contains(entry->path().extension().string()))
      found.push_back(entry->path());
  }
  return found;
}

TEST(Layout, LinesOfPagesAndOfTheExtensionFitOnAScreen) {
  for (const char* const folder : {"ide/studio", "ide/vscode"}) {
    const std::vector<fs::path> files = written_files(fs::path(RGTRANS_SOURCE_DIR) / folder);
    EXPECT_GT(files.size(), 8U) << folder;
    for (const fs::path& path : files) {
      std::ifstream file(path);
      std::string line;
      for (int number = 1; std::getline(file, line); ++number)
        EXPECT_LE(characters(line), kMostCharacters) << path.string() << ":" << number;
    }
  }
}

}  // namespace
