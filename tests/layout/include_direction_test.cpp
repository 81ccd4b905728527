// The folders know each other in one direction only. This reads every #include line and fails on an arrow that
// is not in the list.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = RGTRANS_SOURCE_DIR;

// Which part of the house a file belongs to: "core/ir", "frontends/hrg", "cli", …
std::string part_of(const std::string& path) {
  const std::size_t first = path.find('/');
  if (first == std::string::npos) return path;
  const std::string top = path.substr(0, first);
  if (top != "core" && top != "frontends" && top != "backends") return top;
  const std::size_t second = path.find('/', first + 1);
  return second == std::string::npos ? top : path.substr(0, second);
}

std::string top_of(const std::string& part) { return part.substr(0, part.find('/')); }

bool allowed(const std::string& from, const std::string& to) {
  if (from == to || from == "tests") return true;
  static const std::vector<std::string> kCore = {"core/support", "core/ir", "core/analysis", "core/passes"};
  const auto level = [](const std::string& part) {
    const auto it = std::ranges::find(kCore, part);
    return it == kCore.end() ? -1 : static_cast<int>(it - kCore.begin());
  };
  if (level(from) >= 0) return level(to) >= 0 && level(to) < level(from);
  if (from == "cli" || from == "python") return to != "tests" && (to != "cli" || from == "cli");
  if (top_of(from) == "frontends") {
    if (level(to) >= 0 || to == "frontends") return true;
    if (from == "frontends/registry") return top_of(to) == "frontends";
    return from == "frontends/linegames" && to == "frontends/hrg";
  }
  if (top_of(from) == "backends") return level(to) >= 0 || top_of(to) == "backends";
  return false;
}

struct Include {
  std::string file, target;
};

std::vector<Include> project_includes() {
  std::vector<Include> found;
  const std::regex include(R"(^\s*#\s*include\s+"([^"]+)\")");
  for (const char* top : {"core", "frontends", "backends", "cli", "python"}) {
    if (!fs::exists(kRoot / top)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / top)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".hpp" && extension != ".cpp") continue;
      std::ifstream file(entry.path());
      std::string line;
      std::smatch match;
      while (std::getline(file, line)) {
        if (!std::regex_search(line, match, include)) continue;
        if (!fs::exists(kRoot / match[1].str())) continue;  // a text inside generated code
        found.push_back({fs::relative(entry.path(), kRoot).string(), match[1].str()});
      }
    }
  }
  return found;
}

TEST(Layout, IncludesPointOnlyDownwards) {
  const auto includes = project_includes();
  ASSERT_GT(includes.size(), 20U);
  for (const Include& include : includes) {
    EXPECT_TRUE(allowed(part_of(include.file), part_of(include.target)))
        << include.file << " includes " << include.target;
  }
}

// Another folder is entered through its public header: the one named like the folder. Limits and progress are headers
// of their own, because everything includes support.hpp and few files have a limit or take long.
TEST(Layout, FoldersAreEnteredThroughTheirPublicHeader) {
  for (const Include& include : project_includes()) {
    const std::string from = part_of(include.file);
    const std::string to = part_of(include.target);
    if (from == to || to.find('/') == std::string::npos) continue;
    if (include.target == "core/support/limits.hpp" || include.target == "core/support/progress.hpp") continue;
    EXPECT_EQ(include.target, to + to.substr(to.find('/')) + ".hpp") << "in " << include.file;
  }
}

TEST(Layout, RulesRejectWrongArrows) {
  EXPECT_FALSE(allowed("core/ir", "core/passes"));
  EXPECT_FALSE(allowed("core/analysis", "frontends/rg"));
  EXPECT_FALSE(allowed("frontends/rbg", "frontends/hrg"));
  EXPECT_FALSE(allowed("backends/rg", "frontends/rg"));
  EXPECT_FALSE(allowed("backends/rg", "cli"));
  EXPECT_TRUE(allowed("frontends/linegames", "frontends/hrg"));
  EXPECT_TRUE(allowed("cli", "backends/cpp"));
}

}  // namespace
