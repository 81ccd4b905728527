// rgtrans is a table of subcommands: each file of this folder defines one row.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "core/ir/ir.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans::cli {

// Exit codes: what a script may rely on.
inline constexpr int kSuccess = 0;
inline constexpr int kInputProblem = 1;  // something is wrong with the input
inline constexpr int kWrongUsage = 2;    // something is wrong with the command line

// Wrong usage that only the command itself can see.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Command {
  const char* name;
  const char* help;     // one line for the list
  const char* example;  // shown at the end of its --help
  // Registers options; the returned function runs the command and returns the exit code.
  std::function<int()> (*setup)(OptionSet& app);
};

extern const Command kTranslate, kCheck, kFormat, kStats, kPasses, kSchema, kPerft, kPlayouts, kMoves, kPlay, kShow,
    kGround, kBuild, kBatch, kLimits, kManual, kCompletion;

std::span<const Command* const> commands();

// --from and --option.
void add_language_options(OptionSet& app, std::string& language, FrontendOptions& options);
// "a,b" -> a, b
std::vector<std::string> split_list(const std::string& text);

// What every command that loads one game has in common.
struct GameArguments {
  std::string path;
  std::string language;
  FrontendOptions frontend;
  bool json_messages = false;

  void add_to(OptionSet& app, const char* path_help = "the game, or - for standard input");
  // Reads and verifies the game. Warnings go to standard error when `warnings` is set.
  [[nodiscard]] ir::Game load(bool warnings = false) const;
};

// -O0, -O1, -O2, --passes=… and what else steers or shows the optimizer.
struct OptimizerArguments {
  int level = 2;
  std::string passes;  // comma-separated; "" is the whole pipeline
  bool time_passes = false;
  bool print_changed = false;
  std::string print_after;
  std::size_t stop_after = 0;
  bool verify_each = false;
  std::size_t verify_walks = 200;
  std::string html_trace;              // a file to write
  std::vector<std::string> explained;  // nodes

  void add_to(OptionSet& app, int default_level);
  void run(ir::Game& game) const;
};

// Diagnostics on standard error: coloured on a terminal, JSON when asked for.
void show(std::span<const Diagnostic> diagnostics, const Sources& sources, bool json);
bool standard_error_is_terminal();

}  // namespace rgtrans::cli
