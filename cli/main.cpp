// The rgtrans program: finds the subcommand (translate when none is named), runs it, turns errors into messages
// on standard error and an exit code.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iostream>
#include <new>
#include <sstream>

#include "cli/build_line.hpp"
#include "cli/command.hpp"
#include "cli/parts.hpp"
#include "core/support/proof_error.hpp"
#include "core/support/text.hpp"
#include "frontends/library/library.hpp"

namespace rgtrans::cli {

namespace {

constexpr const char* kDescription =
    "rgtrans translates, optimizes and compiles game descriptions.\n"
    "\n"
    "  rgtrans chess.rbg                 translate to RG, print the result\n"
    "  rgtrans --to svg -o g.svg g.hrg   draw the automaton\n"
    "  rgtrans perft chess.hrg 3         count the positions after 1, 2 and 3 moves\n";

// Refuses a word that names no command, file or game: it is more likely a misspelt command than a missing file.
void refuse_unknown_word(const std::string& word) {
  if (word.starts_with('-') || word.find_first_of("./") != std::string::npos) return;
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored) || find_game(word) != nullptr) return;
  const std::vector<std::string> games = library_names();
  std::vector<std::string_view> names(games.begin(), games.end());
  for (const Command* command : commands()) names.emplace_back(command->name);
  const std::string near = did_you_mean(word, names);
  throw UsageError(fmt::format("there is no command, file or game {}; {}", word,
                               near.empty() ? "rgtrans --help lists the commands" : near));
}

// The default command needs no name: `rgtrans --from rbg chess.rbg` is `rgtrans translate --from rbg chess.rbg`.
std::vector<std::string> with_command(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  static constexpr std::array<std::string_view, 4> kOwn = {"-h", "--help", "--help-all", "--version"};
  if (arguments.empty()) arguments = {"--help"};
  const std::string& first = arguments.front();
  const bool own = std::ranges::find(kOwn, first) != kOwn.end();
  const bool named = std::ranges::any_of(commands(), [&](const Command* c) { return first == c->name; });
  // A request for help needs the list of all commands, and a word without a dot or slash may be the name of one.
  const bool word = !first.starts_with('-') && first.find_first_of("./") == std::string::npos;
  if (!is_whole() && !named && (word || (own && first != "--version"))) throw NeedsWhole();
  if (own || named) return arguments;
  refuse_unknown_word(first);
  arguments.insert(arguments.begin(), kTranslate.name);
  return arguments;
}

int run(int argc, char** argv) {
  static CLI::App app{kDescription, "rgtrans"};  // to the end of the process, see main()
  app.set_version_flag("--version", kBuildLine);
  app.require_subcommand(1);
  // Registering all options would cost more than reading a small game. So only the command that runs is registered,
  // unless they are to be listed. Of its options, only those that the arguments can name are registered, except for
  // help.
  std::vector<std::string> arguments = with_command(argc, argv);
  const bool list = arguments.front().starts_with('-');
  const bool help = std::ranges::any_of(arguments, [](const std::string& a) {
    return a == "--help" || (a.starts_with('-') && !a.starts_with("--") && a.find('h') != std::string::npos);
  });
  const bool empty = argc < 2;
  std::function<int()> action;
  for (const Command* command : commands()) {
    const bool chosen = arguments.front() == command->name;
    if (!chosen && !list) continue;
    CLI::App* sub = app.add_subcommand(command->name, command->help);
    if (!chosen) continue;
    sub->footer(std::string("Example:\n  ") + command->example);
    OptionSet options(*sub, help ? std::vector<std::string>() : arguments);
    action = command->setup(options);
    options
        .add_option_function(
            "--limit",
            [](const std::vector<std::string>& items) {
              for (const std::string& item : items) set_limit(item);
            },
            "change a limit on sizes (see rgtrans limits)")
        ->type_name("NAME=N")
        ->group("Limits")
        ->take_all();
  }

  std::ranges::reverse(arguments);  // CLI11 takes them from the back
  try {
    app.parse(arguments);
  } catch (const CLI::Success& e) {
    app.exit(e);
    return empty ? kWrongUsage : kSuccess;
  } catch (const CLI::ParseError& e) {
    if (!reads_every_language()) throw NeedsWhole();
    std::ostringstream text;
    app.exit(e, text, text);
    fmt::print(stderr, "{}", terminal_text(text.str()));
    return kWrongUsage;
  }
  return action();
}

}  // namespace

}  // namespace rgtrans::cli

namespace {

// Output may still be in a buffer, and only writing it shows that a disk is full.
bool output_arrives() {
  errno = 0;
  std::cout.flush();
  const bool flushed = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
  if (flushed && ::close(STDOUT_FILENO) == 0) return true;
  fmt::print(stderr, "error: cannot write standard output{}{}\n", errno == 0 ? "" : ": ",
             errno == 0 ? "" : std::strerror(errno));
  return false;
}

// A file must not become what messages go to because a standard stream is closed. Writing to such a stream then fails.
void occupy_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

// Who ignores the ends of children, as some parents do, never knows how they ended.
void hear_of_children() { static_cast<void>(std::signal(SIGCHLD, SIG_DFL)); }

int guarded_run(int argc, char** argv) {
  using namespace rgtrans;
  const bool json = std::find_if(argv, argv + argc,
                                 [](const char* a) { return std::string_view(a) == "--json-messages"; }) != argv + argc;
  try {
    return cli::run(argc, argv);
  } catch (const cli::NeedsWhole&) {
    return cli::kNeedsWhole;
  } catch (const cli::UsageError& e) {
    // A larger program lists all languages in the message.
    if (!reads_every_language()) return cli::kNeedsWhole;
    fmt::print(stderr, "{}\n", terminal_text(e.what()));
    return cli::kWrongUsage;
  } catch (const ProofError& e) {
    cli::show(e.diagnostics(), *e.sources(), json);
    return cli::kProofFailed;
  } catch (const Error& e) {
    cli::show(e.diagnostics(), *e.sources(), json);
    return cli::kInputProblem;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: out of memory\n");
    return cli::kInputProblem;
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {}\n", terminal_text(e.what()));
    return cli::kInputProblem;
  }
}

}  // namespace

// The process ends without destroying its data, which would take a tenth of the time of a translation. Exceptions: a
// sanitizer looks for leaks at the end, or counters of coverage are written.
int main(int argc, char** argv) {
  occupy_standard_streams();
  hear_of_children();
  int code = guarded_run(argc, argv);
  if (!output_arrives() && code == rgtrans::cli::kSuccess) code = rgtrans::cli::kInputProblem;
  std::fflush(nullptr);
#ifdef RGTRANS_INSTRUMENTED
  return code;
#else
  std::_Exit(code);
#endif
}
