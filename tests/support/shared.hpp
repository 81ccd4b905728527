// The shared folder, which holds real games and what other programs found out about them, and how long tests may take.
// Tests that need the folder skip where it is absent.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/support/clock.hpp"

namespace rgtrans::corpus {

namespace fs = std::filesystem;

// RGTRANS_SHARED, or the folder beside the repository.
inline fs::path shared() {
  const char* const given = std::getenv("RGTRANS_SHARED");
  return given != nullptr ? fs::path(given) : fs::path(RGTRANS_SOURCE_DIR).parent_path() / "shared";
}

// Whether long runs are wanted.
inline bool full() { return std::getenv("RGTRANS_FULL") != nullptr; }

// Processor seconds that one game may take of a long comparison (RGTRANS_GAME_SECONDS).
inline double seconds_for_a_game() {
  const char* const given = std::getenv("RGTRANS_GAME_SECONDS");
  return given != nullptr ? std::strtod(given, nullptr) : 60;
}

using Row = std::map<std::string, std::string>;

// Rows of a table with a header, by column name; none where there is no such file.
inline std::vector<Row> table(const fs::path& path) {
  std::vector<Row> rows;
  std::ifstream file(path);
  std::vector<std::string> header;
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, '\t');) cells.push_back(cell);
    if (header.empty()) {
      header = cells;
      continue;
    }
    Row row;
    for (std::size_t i = 0; i < header.size(); ++i) row[header[i]] = i < cells.size() ? cells[i] : "";
    rows.push_back(std::move(row));
  }
  return rows;
}

// Leaves by game and depth.
using Counts = std::map<std::string, std::map<unsigned, std::uint64_t>>;

// The leaves that native RBG counted, of other languages the reference (without its optimizations, or with them, too).
inline Counts known_perft(const std::string& kind, bool also_optimized = false) {
  Counts counts;
  for (Row& row : table(shared() / "oracle" / (kind == "rbg" ? "rbg_perft.tsv" : "reference_perft.tsv"))) {
    if (kind != "rbg" && (row["kind"] != kind || (row["mode"] != "none" && !also_optimized))) continue;
    counts[row["game"]][static_cast<unsigned>(std::stoul(row["depth"]))] = std::stoull(row["count"]);
  }
  return counts;
}

// A name that gtest takes.
inline std::string test_name(std::string text) {
  for (char& c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter) c = '_';
  }
  return text;
}

#define SKIP_WITHOUT_SHARED()                                         \
  if (!std::filesystem::exists(rgtrans::corpus::shared() / "corpus")) \
  GTEST_SKIP() << "no corpus at " << rgtrans::corpus::shared() << "; set RGTRANS_SHARED"

}  // namespace rgtrans::corpus
