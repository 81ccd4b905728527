// One meaning a word: no two classes of different folders share a name. What headers define outside of classes counts;
// a class inside of a file or of another class is read beside its only users.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = RGTRANS_SOURCE_DIR;

// Names that are still shared. Action and Control are what PEGTL asks a grammar for; syntax trees of languages have
// the words of their languages; the rest is to become shorter.
const std::map<std::string, std::set<std::string>> kShared = {
    {"Action", {"frontends/gdl", "frontends/hrg", "frontends/rbg", "frontends/rg"}},
    {"Control", {"frontends/gdl", "frontends/rg"}},
    {"Entry", {"frontends/hrg", "frontends/rg"}},
    {"ExprKind", {"core/ir", "frontends/hrg"}},
    {"Pragma", {"core/ir", "frontends/rg"}},
    {"Program", {"backends/interpreter", "frontends/gdl", "frontends/hrg", "frontends/rg"}},
    {"Type", {"frontends/hrg", "frontends/rg"}},
    {"TypeKind", {"core/ir", "frontends/hrg"}},
    {"Variable", {"core/ir", "frontends/hrg"}},
    {"Analysis", {"backends/cpp", "backends/interpreter"}},
    {"Builder", {"frontends/hrg", "frontends/rg"}},
    {"Context", {"backends/cpp", "backends/interpreter"}},
    {"Domain", {"frontends/gdl", "frontends/hrg"}},
    {"Engine", {"backends/interpreter", "frontends/gdl"}},
    {"Literal", {"backends/cpp", "frontends/gdl"}},
    {"Machine", {"backends/interpreter", "frontends/gdl"}},
    {"Op", {"backends/interpreter", "frontends/hrg"}},
    {"Patterns", {"backends/cpp", "frontends/gdl"}},
    {"Place", {"frontends/gdl", "frontends/linegames"}},
    {"Shape", {"backends/cpp", "backends/interpreter"}},
    {"Step", {"backends/cpp", "frontends/gdl"}},
    {"Terms", {"frontends/gdl", "frontends/hrg"}},
    {"Values", {"backends/cpp", "core/ir"}},
};

// "frontends/rbg" for what lies in it, at whatever depth.
std::string folder_of(const fs::path& path) {
  auto part = path.begin();
  const std::string top = (part++)->string();
  return top == "cli" ? top : top + "/" + part->string();
}

std::map<std::string, std::set<std::string>> folders_by_class() {
  std::map<std::string, std::set<std::string>> folders;
  const std::regex definition(R"(^(?:class|struct|enum class) ([A-Z]\w+)(?: final)?(?: : [^;{]*)? \{)");
  for (const char* top : {"core", "frontends", "backends", "cli"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / top)) {
      if (entry.path().extension() != ".hpp") continue;
      std::ifstream file(entry.path());
      std::smatch match;
      for (std::string line; std::getline(file, line);) {
        if (std::regex_search(line, match, definition))
          folders[match[1]].insert(folder_of(fs::relative(entry.path(), kRoot)));
      }
    }
  }
  return folders;
}

TEST(ClassNames, BelongToOneFolder) {
  const auto folders = folders_by_class();
  ASSERT_GT(folders.size(), 100U);
  for (const auto& [name, where] : folders) {
    if (where.size() < 2) continue;
    const auto known = kShared.find(name);
    for (const std::string& folder : where) {
      const bool listed = known != kShared.end() && known->second.contains(folder);
      EXPECT_TRUE(listed) << name << " of " << folder << " is a class of another folder, too";
    }
  }
}

// What is not shared any more leaves the list.
TEST(ClassNames, ExceptionsAreNeeded) {
  const auto folders = folders_by_class();
  for (const auto& [name, listed] : kShared) {
    std::set<std::string> left;
    if (const auto it = folders.find(name); it != folders.end()) left = it->second;
    EXPECT_GT(left.size(), 1U) << name << " is not shared any more";
  }
}

}  // namespace
