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

// Names that are still shared; the list is to become shorter. The first part is of front ends, which do not know each
// other and speak in the words of their languages; Action and Control are what PEGTL asks every grammar for.
const std::map<std::string, std::set<std::string>> kShared = {
    {"Action", {"frontends/gdl", "frontends/hrg", "frontends/ludax", "frontends/rbg", "frontends/rg"}},
    {"Atom", {"frontends/ludax", "frontends/rbg"}},
    {"Builder", {"frontends/hrg", "frontends/rg"}},
    {"Condition", {"frontends/ludax", "frontends/rbg"}},
    {"Control", {"frontends/gdl", "frontends/ludax", "frontends/rg"}},
    {"Description", {"frontends/ludax", "frontends/rbg"}},
    {"Direction", {"frontends/linegames", "frontends/ludax"}},
    {"Domain", {"frontends/gdl", "frontends/hrg"}},
    {"Edge", {"frontends/ludax", "frontends/rg"}},
    {"Emitter", {"frontends/gdl", "frontends/ludax"}},
    {"Entry", {"frontends/hrg", "frontends/rg"}},
    {"Failed", {"frontends/hrg", "frontends/ludax"}},
    {"Interval", {"frontends/ludax", "frontends/rbg"}},
    {"Kind", {"frontends/ludax", "frontends/rbg"}},
    {"LowerOptions", {"frontends/gdl", "frontends/ludax"}},
    {"Node", {"frontends/gdl", "frontends/ludax"}},
    {"Place", {"frontends/gdl", "frontends/linegames"}},
    {"Rule", {"frontends/gdl", "frontends/ludax"}},
    {"SyntaxStop", {"frontends/gdl", "frontends/ludax"}},
    {"Terms", {"frontends/gdl", "frontends/hrg"}},
    {"TreeBuilder", {"frontends/gdl", "frontends/ludax"}},
    {"Turn", {"frontends/gdl", "frontends/ludax"}},
    {"Type", {"frontends/hrg", "frontends/rg"}},
    {"Value", {"frontends/gdl", "frontends/rg"}},
    // Others.
    {"Board", {"backends/scene", "frontends/linegames", "frontends/ludax"}},
    {"Effect", {"core/passes", "frontends/ludax"}},
    {"Engine", {"backends/interpreter", "backends/search", "frontends/gdl"}},
    {"ExprKind", {"core/ir", "frontends/hrg"}},
    {"Fact", {"backends/scene", "frontends/gdl"}},
    {"Graph", {"backends/search", "frontends/hrg"}},
    {"Knowledge", {"backends/search", "frontends/ludax", "frontends/rbg"}},
    {"Limits", {"backends/search", "cli"}},
    {"Line", {"backends/drawing", "frontends/gdl"}},
    {"Machine", {"backends/interpreter", "frontends/gdl"}},
    {"Op", {"backends/interpreter", "frontends/hrg"}},
    {"Phase", {"core/passes", "frontends/ludax"}},
    {"Piece", {"backends/scene", "frontends/linegames"}},
    {"Plan", {"frontends/gdl", "frontends/ludax"}},
    {"Player", {"backends/search", "frontends/linegames", "frontends/ludax"}},
    {"Position", {"core/support", "frontends/ludax"}},
    {"Pragma", {"core/ir", "frontends/rg"}},
    {"Program", {"backends/interpreter", "frontends/gdl", "frontends/hrg", "frontends/rg"}},
    {"Rules", {"cli", "frontends/linegames"}},
    {"Spot", {"backends/scene", "frontends/ludax"}},
    {"Step", {"backends/cpp", "backends/scene", "frontends/gdl"}},
    {"Tables", {"backends/interpreter", "frontends/gdl", "frontends/ludax"}},
    {"Term", {"backends/scene", "frontends/ludax"}},
    {"Tree", {"backends/search", "frontends/gdl"}},
    {"TypeKind", {"core/ir", "frontends/hrg"}},
    {"Variable", {"core/ir", "frontends/hrg"}},
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
  for (const char* top : {"core", "frontends", "backends", "ide", "cli"}) {
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
