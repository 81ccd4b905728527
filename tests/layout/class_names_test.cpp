// One meaning per word: no two classes of different folders share a name. Classes count if a header defines them
// outside of other classes; a class inside a file or another class is read next to its only users.
#include <gmock/gmock.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "tests/layout/sources.hpp"

namespace rgtrans::test {
namespace {

// Shared names. Only front ends share them, because they do not know each other and use the words of their languages;
// PEGTL requires Control of every grammar.
const std::map<std::string, std::set<std::string>> kShared = {
    {"Arguments", {"frontends/ludax", "frontends/ludii"}},
    {"Atom", {"frontends/ludax", "frontends/rbg"}},
    {"Board", {"frontends/linegames", "frontends/ludax"}},
    {"Builder", {"frontends/hrg", "frontends/rg"}},
    {"Condition", {"frontends/ludax", "frontends/rbg"}},
    {"Control", {"frontends/gdl", "frontends/ludax", "frontends/rg"}},
    {"Description", {"frontends/ludax", "frontends/ludii", "frontends/rbg"}},
    {"Direction", {"frontends/linegames", "frontends/ludax", "frontends/ludii"}},
    {"Domain", {"frontends/gdl", "frontends/hrg"}},
    {"Edge", {"frontends/ludax", "frontends/rg"}},
    {"Emitter", {"frontends/gdl", "frontends/ludax"}},
    {"Entry", {"frontends/hrg", "frontends/rg"}},
    {"Failed", {"frontends/hrg", "frontends/ludax"}},
    {"Kind", {"frontends/ludax", "frontends/rbg"}},
    {"Knowledge", {"frontends/ludax", "frontends/rbg"}},
    {"LowerOptions", {"frontends/gdl", "frontends/ludax"}},
    {"Call", {"core/support", "frontends/ludii"}},
    {"Domains", {"frontends/gdl", "frontends/ludii"}},
    {"Parameter", {"backends/cpp", "frontends/ludii"}},
    {"Refusal", {"backends/cuda", "frontends/ludii"}},
    {"Lowering", {"frontends/hrg", "frontends/ludii"}},
    {"Node", {"frontends/gdl", "frontends/ludax", "frontends/ludii"}},
    {"Place", {"frontends/gdl", "frontends/linegames"}},
    {"Plan", {"frontends/gdl", "frontends/ludax"}},
    {"Player", {"frontends/linegames", "frontends/ludax", "frontends/ludii"}},
    {"Program", {"frontends/gdl", "frontends/hrg", "frontends/rg"}},
    {"Rule", {"frontends/gdl", "frontends/ludax"}},
    {"SyntaxStop", {"frontends/gdl", "frontends/ludax"}},
    {"Tables", {"frontends/gdl", "frontends/ludax"}},
    {"Terms", {"frontends/gdl", "frontends/hrg"}},
    {"TreeBuilder", {"frontends/gdl", "frontends/ludax"}},
    {"Turn", {"frontends/gdl", "frontends/ludax"}},
    {"Type", {"frontends/hrg", "frontends/rg"}},
    {"Value", {"frontends/gdl", "frontends/ludii", "frontends/rg"}},
};

std::map<std::string, std::set<std::string>> folders_by_class() {
  std::map<std::string, std::set<std::string>> folders;
  const std::regex definition(R"(^(?:class|struct|enum class) ([A-Z]\w+)(?: final)?(?: : [^;{]*)? \{)");
  for (const std::string& path : source_files()) {
    if (!path.ends_with(".hpp") || path.starts_with("python/")) continue;
    std::istringstream file(read_source(path));
    std::smatch match;
    for (std::string line; std::getline(file, line);)
      if (std::regex_search(line, match, definition)) folders[match[1]].insert(part_of(path));
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

// A name that is no longer shared must leave the list.
TEST(ClassNames, ExceptionsAreNeeded) {
  const auto folders = folders_by_class();
  for (const auto& [name, listed] : kShared) {
    std::set<std::string> left;
    if (const auto it = folders.find(name); it != folders.end()) left = it->second;
    EXPECT_GT(left.size(), 1U) << name << " is not shared any more";
  }
}

}  // namespace
}  // namespace rgtrans::test
