// Converts libraries of games. Every game has its own process with limits on time and memory. Complete results are
// moved into place, and a journal lets an interrupted run continue. This folder knows nothing about the command line;
// cli/batch.cpp turns arguments into Options.
//
//   inputs -> plan (names, shards) -> supervisor (one worker a game) -> journal, output folder -> summary, reports
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/support/progress_line.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans::batch {

// A signal asked the run to stop before a game was converted.
class Interrupted {};

// The user's request makes no sense, whatever the inputs contain.
class WrongUse : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Options {
  std::vector<std::string> inputs;  // folders, archives, files, @lists
  std::filesystem::path output;
  std::vector<std::string> include, exclude;  // globs
  // The conversion of each game.
  std::string to = "rg";
  std::string language;  // "": name and text decide
  FrontendOptions frontend;
  int level = 2;
  std::vector<std::string> passes;  // when not empty, exactly these
  unsigned perft = 0;
  std::uint64_t playouts = 0;
  std::uint64_t seed = 1;
  // How it is done.
  unsigned jobs = 1;
  double timeout = 60;                // seconds of processor time a game
  std::uint64_t memory = 4ULL << 30;  // bytes a game
  unsigned shard = 1, shards = 1;     // this run does the games of shard 1..shards
  bool resume = false;
  bool dry_run = false;
  // Reports and messages.
  std::vector<std::filesystem::path> reports;  // .json, .csv, .html
  bool times = true;                           // in the reports; without them equal runs make equal reports
  bool quiet = false;                          // no summary and no progress
  ShowProgress progress = ShowProgress::on_terminal;
};

// How a run ended, from best to worst; a script may rely on the order.
enum class Outcome { all_converted, some_rejected, some_lost, interrupted };

// Throws Error (the output folder cannot be used, an input does not exist) and WrongUse.
Outcome run(const Options& options);

// One report of several JSON reports, such as those of shards. A game that is in more than one counts once: the report
// that converted it wins, else the last one.
Outcome merge(const std::vector<std::string>& reports, const Options& options);

}  // namespace rgtrans::batch
