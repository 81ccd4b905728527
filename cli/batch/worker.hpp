// The conversion of one game, inside its worker process.
#pragma once

#include <filesystem>
#include <string>

#include "cli/batch/batch.hpp"
#include "cli/batch/record.hpp"

namespace rgtrans::batch {

struct Job {
  std::string name;    // as messages show it
  std::string text;    // of the game
  std::string output;  // below the output folder
  std::string key;
  std::filesystem::path staged;  // write the result here: a file, or a folder for C++
  std::filesystem::path record;  // and its record
  bool draw = true;
};

// Writes the record after each step (language; result; each depth of perft; playouts), so the steps so far count if the
// process is ended.
int convert(const Job& job, const Options& options);

// The hash of a file, or of all files of a folder; "" when there is none.
std::string output_hash(const std::filesystem::path& path);

}  // namespace rgtrans::batch
