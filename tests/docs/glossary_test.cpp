// docs/glossary.md names identifiers that exist.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/docs/page_table.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = RGTRANS_SOURCE_DIR;

// Every identifier of the code, without those that only comments mention.
std::set<std::string> identifiers() {
  std::set<std::string> found;
  for (const char* top : {"core", "frontends", "backends"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / top)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".hpp" && extension != ".cpp") continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        std::string word;
        for (const char c : line.substr(0, line.find("//")) + ' ') {
          if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
            word += c;
          } else if (!word.empty()) {
            found.insert(std::exchange(word, {}));
          }
        }
      }
    }
  }
  return found;
}

TEST(Glossary, NamesExistInTheCode) {
  const auto rows = rgtrans::names_of_table("glossary.md", rgtrans::Column::last);
  ASSERT_GT(rows.size(), 15U);
  const std::set<std::string> known = identifiers();
  EXPECT_FALSE(known.contains("nobody_calls_anything_like_this"));
  for (const std::vector<std::string>& names : rows)
    for (const std::string& name : names) EXPECT_TRUE(known.contains(name)) << name;
}

}  // namespace
