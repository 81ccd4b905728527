// The shared folder, which contains real games and results of other programs for them, and limits on the duration of
// tests. Tests that need the folder are skipped if it is absent.
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

// RGTRANS_SHARED, or the folder next to the repository.
inline fs::path shared() {
  const char* const given = std::getenv("RGTRANS_SHARED");
  return given != nullptr ? fs::path(given) : fs::path(RGTRANS_SOURCE_DIR).parent_path() / "shared";
}

// Whether long runs are requested.
inline bool full() { return std::getenv("RGTRANS_FULL") != nullptr; }

// Limit on the processor seconds for one game in a long comparison (RGTRANS_GAME_SECONDS).
inline double seconds_for_a_game() {
  const char* const given = std::getenv("RGTRANS_GAME_SECONDS");
  return given != nullptr ? std::strtod(given, nullptr) : 60;
}

using Row = std::map<std::string, std::string>;

// The rows of a table with a header, by column name; none if the file does not exist.
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

// Leaves counted by native RBG; for other languages by the reference, without its optimizations, or also with them.
inline Counts known_perft(const std::string& kind, bool also_optimized = false) {
  Counts counts;
  for (Row& row : table(shared() / "oracle" / (kind == "rbg" ? "rbg_perft.tsv" : "reference_perft.tsv"))) {
    if (kind != "rbg" && (row["kind"] != kind || (row["mode"] != "none" && !also_optimized))) continue;
    counts[row["game"]][static_cast<unsigned>(std::stoul(row["depth"]))] = std::stoull(row["count"]);
  }
  return counts;
}

// Converts a text to a valid gtest name.
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
