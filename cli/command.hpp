// rgtrans is a table of subcommands: each file of this folder defines one row.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/files.hpp"
#include "cli/flags.hpp"
#include "cli/options.hpp"
#include "core/ir/ir.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans::cli {

// Exit codes, on which scripts may rely.
inline constexpr int kSuccess = 0;
inline constexpr int kInputProblem = 1;   // something is wrong with the input
inline constexpr int kWrongUsage = 2;     // something is wrong with the command line
inline constexpr int kInterrupted = 130;  // Ctrl-C; the result so far was shown
inline constexpr int kProofFailed = 70;   // --assert-proofs: something is wrong with this program

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
    kGround, kBuild, kBatch, kMatch, kSolve, kEqual, kAnalyze, kRank, kActions, kGgpPlayer, kGgpHost, kStudio, kPage,
    kGames, kLimits, kManual, kCompletion, kLsp, kVerify;

std::span<const Command* const> commands();

// As in --from.
std::vector<std::string> language_names();
// Throws UsageError, which begins with the option as it was written, where no language takes it.
void set_language_option(FrontendOptions& options, const std::string& name, const std::string& value,
                         const std::string& written);
// --from and --option.
void add_language_options(OptionSet& app, std::string& language, FrontendOptions& options);
// --passes. One that names no pass is a mistake of the command line: "" is not "the usual ones".
Option* add_passes_option(OptionSet& app, std::vector<std::string>& passes);

// -o: a file, or - for standard output.
Option* add_output(OptionSet& app, std::string& path);

// The arguments of every command that loads one game.
struct GameArguments {
  std::string path;
  std::string language;
  FrontendOptions frontend;
  bool json_messages = false;
  bool notes = false;  // report on standard error work that was left out because an effort ended

  void add_to(OptionSet& app,
              const char* path_help = "the game: a file, - for standard input, or a name that rgtrans games lists");
  // Reads and verifies the game. Warnings go to standard error when `warnings` is set. Fills `origin` if it is given.
  [[nodiscard]] ir::Game load(bool warnings = false, GameOrigin* origin = nullptr) const;
  // The game is read; commands add what they write.
  [[nodiscard]] FileRoles files() const { return FileRoles().reads(path); }
};

// The names of a generated project, and its licence.
struct ProjectArguments {
  std::string title, source;  // the game, and the name of its file
  std::string space, prefix, licence;
  std::vector<std::string> without;  // techniques

  void add_to(OptionSet& app);
  // Takes title and source from the path of the game, and the licence from its file if it is one.
  void complete(const std::string& path);
  [[nodiscard]] bool named() const { return !space.empty() || !prefix.empty() || !licence.empty(); }
};

// -O0, -O1, -O2, --passes=… and the other options that steer or show the optimizer.
struct OptimizerArguments {
  int level = 2;
  std::vector<std::string> passes;  // none: the whole pipeline
  bool time_passes = false;
  bool print_changed = false;
  std::string print_after;
  std::string stop_after;  // a number of pass runs, or a rewrite of the language
  bool verify_each = false;
  std::size_t verify_walks = 200;
  bool asserts = false;                // it has the option of plays in which proofs are asserted
  std::uint64_t assert_proofs = 0;     // so many
  std::string html_trace;              // a file to write
  std::string certificate;             // a file to write
  std::vector<std::string> explained;  // nodes

  void add_to(OptionSet& app, int default_level);
  void run(ir::Game& game) const;
  // Before anything is read.
  void name_files(FileRoles& files) const;
};

// Diagnostics on standard error: coloured on a terminal, JSON when asked for.
void show(std::span<const Diagnostic> diagnostics, const Sources& sources, bool json);
// A name as standard output can show it: on a terminal without control characters.
std::string for_terminal(const std::string& text);

}  // namespace rgtrans::cli
