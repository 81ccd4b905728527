// The translators, of which scripts/rgtrans builds one first. Each does its part like the whole program, and exits with
// kNeedsWhole before it reads or writes anything where the arguments need more.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/parts.hpp"
#include "tests/cli/run.hpp"

namespace rgtrans::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const fs::path kRoot = RGTRANS_SOURCE_DIR;

TEST(Translator, DoesWhatItCanLikeTheWholeProgram) {
  const TemporaryFolder folder;
  const std::string coin = folder.file("coin.rg", kCoin), broken = folder.file("broken.rg", "type Side = {");
  const std::string chess = kRoot / "games/rbg/chess.rbg";
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{{coin},
                                                                                         {"--from", "rbg", chess},
                                                                                         {"translate", "-O1", coin},
                                                                                         {"--to", "json", coin},
                                                                                         {"--to", "rbg-ll", chess},
                                                                                         {"--print-changed", coin},
                                                                                         {"--from", "rg", "-"},
                                                                                         {broken},
                                                                                         {"missing.rg"},
                                                                                         {"--no-such-option", coin},
                                                                                         {"--to", "nothing", coin},
                                                                                         {"passes"},
                                                                                         {"format", coin},
                                                                                         {"--version"}}) {
    const Outcome whole = run_rgtrans(arguments, kCoin), part = run_program(RGTRANS_TRANSLATOR, arguments, kCoin);
    EXPECT_EQ(part.code, whole.code) << arguments.front();
    EXPECT_EQ(part.out, whole.out) << arguments.front();
    EXPECT_EQ(part.err, whole.err) << arguments.front();
  }
}

TEST(Translator, LeavesTheRestToTheWholeProgramBeforeItReadsOrWrites) {
  const TemporaryFolder folder;
  const std::string page = folder.path() / "page.html", project = folder.path() / "project";
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"--help"},
                                             {"-h"},
                                             {"perft", "-", "1"},
                                             {"translat", "-"},
                                             {"--to", "dot", "-"},
                                             {"--to", "svg", "-"},
                                             {"--to", "cpp", "-o", project, "-"},
                                             {"--to", "cpp", "-"},
                                             {"--verify-each", "-"},
                                             {"--html-trace", page, "-"}}) {
    const Outcome part = run_program(RGTRANS_TRANSLATOR, arguments, "this is no game");
    EXPECT_EQ(part.code, cli::kNeedsWhole) << testing::PrintToString(arguments);
    EXPECT_THAT(part.out + part.err, IsEmpty()) << testing::PrintToString(arguments);
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Translator, OfOneLanguageDoesWhatItCanLikeTheWholeProgram) {
  const TemporaryFolder folder;
  const std::string coin = folder.file("coin.rg", kCoin), broken = folder.file("broken.rg", "type Side = {");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {coin}, {"--from", "rg", coin}, {"-O0", coin}, {"format", coin}, {broken}, {"missing.rg"}, {"--version"}}) {
    const Outcome whole = run_rgtrans(arguments, kCoin), part = run_program(RGTRANS_RG_TRANSLATOR, arguments, kCoin);
    EXPECT_EQ(part.code, whole.code) << arguments.front();
    EXPECT_EQ(part.out, whole.out) << arguments.front();
    EXPECT_EQ(part.err, whole.err) << arguments.front();
  }
}

// Messages about options and languages list all of them.
TEST(Translator, OfOneLanguageLeavesOtherLanguagesAndWrongOptionsToALargerProgram) {
  const TemporaryFolder folder;
  const std::string coin = folder.file("coin.rg", kCoin);
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{{"--from", "hrg", coin},
                                                                                         {"--from", "nothing", coin},
                                                                                         {"--to", "nothing", coin},
                                                                                         {"--to", "rbg-ll", coin},
                                                                                         {"--no-such-option", coin},
                                                                                         {"perft", coin, "1"}}) {
    const Outcome part = run_program(RGTRANS_RG_TRANSLATOR, arguments, kCoin);
    EXPECT_EQ(part.code, cli::kNeedsWhole) << testing::PrintToString(arguments);
    EXPECT_THAT(part.out + part.err, IsEmpty()) << testing::PrintToString(arguments);
  }
}

// A tree with the scripts and with a cmake that only writes down what it was to build.
TEST(Translator, IsWhatTheScriptBuildsFirst) {
  const TemporaryFolder folder;
  const fs::path root = folder.path();
  fs::copy(kRoot / "scripts", root / "scripts", fs::copy_options::recursive);
  fs::create_directories(root / "bin");
  std::ofstream(root / "CMakeLists.txt") << "\n";
  const auto program = [&](const char* name, const std::string& text) {
    std::ofstream(root / "bin" / name) << "#!/bin/sh\n" << text;
    fs::permissions(root / "bin" / name, fs::perms::owner_all);
  };
  program("dpkg-query", "echo 'ok installed'\n");
  program("cmake", fmt::format("test \"$1\" = --build || exit 0\n"
                               "for target; do :; done\n"
                               "echo $target >> '{0}/built'\n"
                               "mkdir -p '{0}/build/translator' '{0}/build/quick/translator/rg'\n"
                               "case $target in\n"
                               "  rgtrans) ln -s '{1}' '{0}/build/rgtrans' ;;\n"
                               "  rgtrans_translator) ln -s '{2}' '{0}/build/translator/rgtrans' ;;\n"
                               "  rgtrans_translator_rg) ln -s '{3}' '{0}/build/quick/translator/rg/rgtrans' ;;\n"
                               "esac\n",
                               root.string(), RGTRANS_BINARY, RGTRANS_TRANSLATOR, RGTRANS_RG_TRANSLATOR));
  const std::string game = folder.file("coin.rg", kCoin);
  const auto script = [&](const std::string& arguments) {
    const std::string command = fmt::format(
        "env -u RGTRANS_BUILD_DIR PATH='{0}/bin:'\"$PATH\" '{0}/scripts/rgtrans' {1} >'{0}/out' 2>'{0}/err'",
        root.string(), arguments);
    return WEXITSTATUS(std::system(command.c_str()));
  };
  EXPECT_EQ(script(game), 0);
  EXPECT_THAT(read_text(root / "out"), HasSubstr("$$ side"));
  EXPECT_THAT(read_text(root / "err"), HasSubstr("Building the translator of RG"));
  EXPECT_EQ(script("--from rg - < " + game), 0);
  EXPECT_EQ(read_text(root / "built"), "rgtrans_translator_rg\n");
  EXPECT_EQ(script("--no-such-option"), 2);
  EXPECT_THAT(read_text(root / "err"), HasSubstr("Building the part of rgtrans that translates"));
  EXPECT_EQ(read_text(root / "built"), "rgtrans_translator_rg\nrgtrans_translator\n");
  EXPECT_EQ(script("perft - 1 < " + game), 0);
  EXPECT_THAT(read_text(root / "out"), HasSubstr("1\t2\t"));
  EXPECT_THAT(read_text(root / "err"), HasSubstr("Building the other commands of rgtrans"));
  EXPECT_EQ(script("perft " + game + " 1"), 0);
  EXPECT_THAT(read_text(root / "err"), Not(HasSubstr("Building")));
  EXPECT_EQ(script(game), 0);
  EXPECT_EQ(read_text(root / "built"), "rgtrans_translator_rg\nrgtrans_translator\nrgtrans\n");
}

}  // namespace
}  // namespace rgtrans::test
