// Tables of the pages, for tests of their contents.
#pragma once

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace rgtrans {

enum class Column { first, last };

// By row of the tables at the head of a page, before its first section: the names in backticks of one column.
inline std::vector<std::vector<std::string>> names_of_table(std::string_view page_name, Column column) {
  std::ifstream page(std::filesystem::path(RGTRANS_SOURCE_DIR) / "docs" / page_name);
  std::vector<std::vector<std::string>> rows;
  const std::regex name("`([^`]+)`");
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) break;
    if (!line.starts_with("| ")) continue;
    const std::string cell =
        column == Column::first ? line.substr(0, line.find('|', 1)) : line.substr(line.rfind('|', line.size() - 2));
    std::vector<std::string>& names = rows.emplace_back();
    for (std::sregex_iterator it(cell.begin(), cell.end(), name), end; it != end; ++it) names.push_back((*it)[1]);
  }
  return rows;
}

}  // namespace rgtrans
