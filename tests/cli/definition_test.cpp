// Texts generated from the definitions of the commands: they are complete, and the shells and man accept them.
#include "cli/definition.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/cli/run.hpp"

namespace rgtrans::test {
namespace {

using testing::HasSubstr;

int shell(const std::string& command) { return std::system(("( " + command + " ) >/dev/null 2>&1").c_str()); }
bool has(const std::string& program) { return shell("command -v " + program) == 0; }

std::string output_of(const std::string& command) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "out").string();
  EXPECT_EQ(std::system(("( " + command + " ) >" + file + " 2>&1").c_str()), 0) << command << "\n" << read_text(file);
  return read_text(file);
}

TEST(Definition, KnowsAllCommandsAndOptions) {
  const auto commands = cli::definition();
  EXPECT_GE(commands.size(), 15U);
  const std::string manual = run_rgtrans({"manual"}).out;
  for (const cli::CommandText& command : commands) {
    std::string written = command.name;  // as manual pages write it
    if (const std::size_t hyphen = written.find('-'); hyphen != std::string::npos) written.insert(hyphen, 1, '\\');
    EXPECT_THAT(manual, HasSubstr(".SS \"rgtrans " + written + "\"\n"));
    EXPECT_THAT(run_rgtrans({"--help"}).out, HasSubstr("\n  " + command.name + " "));
    for (const cli::OptionText& option : command.options) {
      EXPECT_FALSE(option.help.empty()) << command.name;
      for (const char* kind : {"bash", "fish"}) {
        if (option.positional()) continue;
        const std::string name = option.names.back();
        const std::string shown = kind == std::string("bash") ? name : name.substr(name.starts_with("--") ? 2 : 1);
        EXPECT_THAT(cli::completion(kind), HasSubstr(shown)) << command.name;
      }
    }
  }
}

TEST(Definition, ManReadsThePage) {
  if (!has("man")) GTEST_SKIP() << "man is not installed";
  const TemporaryFolder folder;
  const std::string page = folder.file("rgtrans.1", run_rgtrans({"manual"}).out);
  const std::string warnings = output_of("man --warnings=w -l " + page + " 2>&1 >/dev/null");
  EXPECT_EQ(warnings, "");
  EXPECT_THAT(output_of("MANWIDTH=200 man -l " + page), HasSubstr("--resume"));
}

TEST(Definition, BashCompletes) {
  if (!has("bash")) GTEST_SKIP() << "bash is not installed";
  const TemporaryFolder folder;
  const std::string file = folder.file("rgtrans.bash", run_rgtrans({"completion", "bash"}).out);
  const auto complete = [&](const std::string& words) {
    const std::string script =
        "source " + file +
        "; t() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _rgtrans; echo \"${COMPREPLY[*]}\"; }; t " + words;
    return output_of("cd / && bash -c '" + script + "'");
  };
  EXPECT_THAT(complete("rgtrans bat"), HasSubstr("batch"));
  EXPECT_EQ(complete("rgtrans batch --res"), "--resume\n");
  EXPECT_EQ(complete("rgtrans perft --engine c"), "cpp\n");
  EXPECT_EQ(complete("rgtrans --from lin"), "linegames\n");
  EXPECT_EQ(complete("rgtrans completion --he"), "--help\n");
}

TEST(Definition, ZshReadsTheCompletion) {
  if (!has("zsh")) GTEST_SKIP() << "zsh is not installed";
  const TemporaryFolder folder;
  const std::string file = folder.file("_rgtrans", run_rgtrans({"completion", "zsh"}).out);
  const std::string script = "autoload -U compinit; compinit -u -d " + folder.path().string() + "/dump; source " +
                             file + "; echo $_comps[rgtrans]";
  EXPECT_EQ(output_of("zsh -fc '" + script + "'"), "_rgtrans\n");
}

TEST(Definition, FishCompletes) {
  if (!has("fish")) GTEST_SKIP() << "fish is not installed";
  const TemporaryFolder folder;
  const std::string file = folder.file("rgtrans.fish", run_rgtrans({"completion", "fish"}).out);
  const auto complete = [&](const std::string& line) {
    return output_of("HOME=" + folder.path().string() + " fish -c 'source " + file + "; complete -C \"" + line + "\"'");
  };
  EXPECT_THAT(complete("rgtrans bat"), HasSubstr("batch\t"));
  EXPECT_THAT(complete("rgtrans batch --resu"), HasSubstr("--resume\t"));
  EXPECT_THAT(complete("rgtrans perft --engine c"), HasSubstr("cpp\t"));
}

}  // namespace
}  // namespace rgtrans::test
