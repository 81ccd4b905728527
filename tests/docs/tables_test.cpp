// Tables of the pages: each has a head, and no row stands twice below one heading.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kRepository = RGTRANS_SOURCE_DIR;

struct Table {
  std::string heading;
  std::vector<std::string> rows;  // with the head
};

std::vector<Table> tables_of(const fs::path& page) {
  std::ifstream file(page);
  std::vector<Table> tables;
  std::string heading;
  bool inside = false, code = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) code = !code;
    if (!code && line.starts_with("#")) heading = line;
    const bool row = !code && line.starts_with("|");
    if (row && !inside) tables.push_back({heading, {}});
    if (row) tables.back().rows.push_back(line);
    inside = row;
  }
  return tables;
}

TEST(Tables, HaveAHeadAndNoRowTwice) {
  std::size_t seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kRepository / "docs")) {
    if (entry.path().extension() != ".md") continue;
    std::set<std::pair<std::string, std::string>> rows;
    for (const Table& table : tables_of(entry.path())) {
      ++seen;
      ASSERT_GT(table.rows.size(), 2U) << entry.path() << " " << table.heading;
      EXPECT_TRUE(table.rows[1].starts_with("|---") || table.rows[1].starts_with("|:--"))
          << entry.path() << " " << table.heading << ": no head above " << table.rows[0];
      for (std::size_t i = 2; i < table.rows.size(); ++i) {
        EXPECT_TRUE(rows.emplace(table.heading, table.rows[i]).second)
            << entry.path() << " " << table.heading << ": twice " << table.rows[i];
      }
    }
  }
  EXPECT_GT(seen, 20U);
}

}  // namespace
