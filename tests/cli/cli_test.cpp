// The command line as a user meets it: exit codes, where messages go, files that are never half written.
#include <gmock/gmock.h>

#include <sstream>

#include "tests/cli/run.hpp"

namespace rgtrans::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

// A translation without the line that names its origin.
std::string without_head(const std::string& text) { return text.substr(text.find('\n') + 1); }

TEST(Cli, TranslateIsTheDefaultCommand) {
  const TemporaryFolder folder;
  const std::string path = folder.file("coin.rg", kCoin);
  const Outcome plain = run_rgtrans({path});
  EXPECT_EQ(plain.code, 0);
  EXPECT_THAT(plain.out, HasSubstr("chosen, done: $$ side;"));
  EXPECT_THAT(plain.err, IsEmpty());
  EXPECT_EQ(run_rgtrans({"--from", "rg", path}).out, plain.out);
  EXPECT_EQ(run_rgtrans({"translate", path}).out, plain.out);
  EXPECT_EQ(without_head(run_rgtrans({"-"}, kCoin).out), without_head(plain.out));
  EXPECT_EQ(without_head(run_rgtrans({"--from=rg", "-O", "2", "-"}, kCoin).out), without_head(plain.out));
}

TEST(Cli, TheHeadOfATranslationNamesItsOrigin) {
  const TemporaryFolder folder;
  const std::string path = folder.file("coin.rg", std::string(kCoin) + "@artificialTag heads;\n");
  const std::string text = run_rgtrans({path}).out;
  EXPECT_THAT(text, StartsWith("// Translated by rgtrans from coin.rg (language: rg).\ntype Player = { p };\n"));
  EXPECT_THAT(text, HasSubstr(", end: player = keeper;\n@artificialTag _heads;\n")) << "pragmas follow the rules";
  // The translation is an input like any other, and stays as it is.
  const Outcome again = run_rgtrans({"-O0", "-"}, text);
  EXPECT_THAT(again.out, StartsWith("// Translated by rgtrans from standard input (language: rg).\n"));
  EXPECT_EQ(without_head(again.out), without_head(text));
  EXPECT_EQ(run_rgtrans({"--to", "json", path}).out.front(), '{') << "other forms have no head";
  // A name with a line end cannot add an item to the game.
  const std::string hostile = folder.file("a\ntype X = { y };.rg", kCoin);
  EXPECT_THAT(run_rgtrans({hostile}).out,
              StartsWith("// Translated by rgtrans from a?type X = { y };.rg (language: rg).\ntype Player"));
}

// The path in a message is one that --path accepts, at each level: there the mover has no move, as the message says.
TEST(Cli, PathsOfChecksArePathsOfMoves) {
  const TemporaryFolder folder;
  std::string text(kCoin);
  text.insert(text.find("begin, choose"), "begin, again: player = keeper;\n")
      .replace(text.find("begin, choose"), 5, "again");
  const std::string from = "lost, end: player = keeper;";
  text.replace(text.find(from), from.size(),
               "lost, more: player = p;\nmore, last: side == heads;\nlast, end: player = keeper;");
  const std::string path = folder.file("stuck.rg", text);
  const Outcome check = run_rgtrans({"check", "--dynamic", "20", path});
  EXPECT_EQ(check.code, 1);
  const std::string before = "seen in the state ";
  ASSERT_THAT(check.err, HasSubstr(before));
  const std::size_t begin = check.err.find(before) + before.size();
  const std::string state = check.err.substr(begin, check.err.find('\n', begin) - begin);
  EXPECT_THAT(state, HasSubstr("tails"));
  for (const char* level : {"-O0", "-O2"}) {
    const Outcome moves = run_rgtrans({"moves", level, "--path", state, path});
    EXPECT_EQ(moves.code, 0) << state << moves.err;
    EXPECT_THAT(moves.out, IsEmpty());
  }
}

TEST(Cli, RulesInWhichOnlyRandomMovesArePlayed) {
  const TemporaryFolder folder;
  const std::string path =
      folder.file("random.kif",
                  "(role random) (init (at 1)) (<= (legal random (go 1)) (true (at 1)))\n"
                  "(<= (legal random (go 2)) (true (at 1))) (<= (next done) (true (at 1))) (<= terminal (true done))\n"
                  "(goal random 100)\n");
  const Outcome played = run_rgtrans({"playouts", "--engine", "rules", "--count", "5", path});
  EXPECT_EQ(played.code, 0) << played.err;
  EXPECT_THAT(played.out, HasSubstr("playouts:   5 in "));
  EXPECT_EQ(run_rgtrans({"perft", "--engine", "rules", path, "1"}).code, 0);
}

TEST(Cli, ChecksProveOrRefuteConditions) {
  const TemporaryFolder folder;
  const std::string good = folder.file("coin.rg", kCoin);
  std::string text(kCoin);
  const std::string from = "lost, end: player = keeper;";
  text.replace(text.find(from), from.size(), "lost, last: side == heads;\nlast, end: player = keeper;");
  const std::string stuck = folder.file("stuck.rg", text);
  const Outcome proved = run_rgtrans({"check", "--prove", good});
  EXPECT_EQ(proved.code, 0) << proved.out << proved.err;
  EXPECT_THAT(proved.out, HasSubstr("every state before the end has a legal move: proved because"));
  const Outcome refuted = run_rgtrans({"check", "--prove", stuck});
  EXPECT_EQ(refuted.code, 1);
  EXPECT_THAT(refuted.out, HasSubstr("every state before the end has a legal move: refuted by this play"));
  const Outcome json = run_rgtrans({"check", "--prove", "--json", good, stuck});
  EXPECT_EQ(json.code, 1);
  EXPECT_THAT(json.out, HasSubstr("\"games\""));
  EXPECT_EQ(run_rgtrans({"check", "--json", good}).code, 2);
}

TEST(Cli, OptimizationLevelsDiffer) {
  const std::string o0 = run_rgtrans({"-O0", "-"}, kCoin).out;
  EXPECT_THAT(o0, HasSubstr("lost, end: player = keeper;"));
  EXPECT_THAT(run_rgtrans({"-O0", "--passes=strip-casts", "--time-passes", "-"}, kCoin).err, HasSubstr("strip-casts"));
  EXPECT_THAT(run_rgtrans({"--times", "-"}, kCoin).err,
              MatchesRegex("processor time: reading [0-9.]+ s, optimizing [0-9.]+ s, writing [0-9.]+ s\n"));
  const Outcome unknown = run_rgtrans({"--passes=nonsense", "-"}, kCoin);
  EXPECT_NE(unknown.code, 0);
  EXPECT_THAT(unknown.err, HasSubstr("nonsense"));
}

TEST(Cli, WritesOtherForms) {
  EXPECT_THAT(run_rgtrans({"--to", "dot", "-"}, kCoin).out, StartsWith("digraph"));
  EXPECT_THAT(run_rgtrans({"--to", "stats", "-"}, kCoin).out, HasSubstr("edges: "));
  EXPECT_THAT(run_rgtrans({"stats", "--json", "-"}, kCoin).out, HasSubstr("\"edges\""));
}

TEST(Cli, ExitCodesTellInputFromUsage) {
  EXPECT_EQ(run_rgtrans({}).code, 2);
  EXPECT_EQ(run_rgtrans({"--no-such-option", "x"}).code, 2);
  EXPECT_EQ(run_rgtrans({"--from", "klingon", "-"}, kCoin).code, 2);
  EXPECT_EQ(run_rgtrans({"-O7", "-"}, kCoin).code, 2);
  EXPECT_EQ(run_rgtrans({"/no/such/file.rg"}).code, 1);
  EXPECT_EQ(run_rgtrans({"-"}, "begin, end").code, 1);
  EXPECT_EQ(run_rgtrans({"--help"}).code, 0);
  EXPECT_EQ(run_rgtrans({"--version"}).code, 0);
}

TEST(Cli, ErrorsGoToStandardErrorWithPlaceAndCaret) {
  const TemporaryFolder folder;
  const std::string path = folder.file("bad.rg", std::string(kCoin) + "judge, won: sidee == heads;\n");
  const Outcome run = run_rgtrans({path});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, HasSubstr("bad.rg:14:"));
  EXPECT_THAT(run.err, HasSubstr("did you mean side?"));
  EXPECT_THAT(run.err, HasSubstr("\n  judge, won: sidee == heads;\n"));
  EXPECT_THAT(run.err, HasSubstr("^"));
  EXPECT_THAT(run.err, Not(HasSubstr("\033")));
  const Outcome json = run_rgtrans({"--json-messages", path});
  EXPECT_EQ(json.code, 1);
  EXPECT_THAT(json.err, HasSubstr("\"line\": 14"));
}

TEST(Cli, OutputFilesAreReplacedAtOnceOrNotAtAll) {
  const TemporaryFolder folder;
  const std::string good = folder.file("coin.rg", kCoin);
  const std::string bad = folder.file("bad.rg", "nonsense");
  const std::string output = folder.file("out.rg", "old");
  EXPECT_EQ(run_rgtrans({"-o", output, bad}).code, 1);
  EXPECT_EQ(read_text(output), "old");
  EXPECT_EQ(run_rgtrans({"-o", output, good}).code, 0);
  EXPECT_EQ(read_text(output), run_rgtrans({good}).out);
  EXPECT_EQ(run_rgtrans({"-o", (folder.path() / "no" / "folder.rg").string(), good}).code, 1);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++files;
  EXPECT_EQ(files, 3U) << "a temporary file was left";
}

TEST(Cli, EverySubcommandExplainsItselfWithAnExample) {
  const std::string help = run_rgtrans({"--help"}).out;
  const std::size_t list = help.find("Subcommands:");
  ASSERT_NE(list, std::string::npos);
  std::istringstream lines(help.substr(list));
  std::string line;
  std::getline(lines, line);
  int commands = 0;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string name;
    if (!(words >> name)) continue;
    ++commands;
    const Outcome run = run_rgtrans({name, "--help"});
    EXPECT_EQ(run.code, 0) << name;
    EXPECT_THAT(run.out, HasSubstr("Example:\n  rgtrans ")) << name;
  }
  EXPECT_GE(commands, 5);
}

TEST(Cli, CheckReportsAllFiles) {
  const TemporaryFolder folder;
  const std::string good = folder.file("coin.rg", kCoin);
  const std::string bad = folder.file("bad.rg", "nonsense");
  const Outcome run = run_rgtrans({"check", bad, good});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.out, HasSubstr("coin.rg: ok"));
  EXPECT_THAT(run.err, HasSubstr("bad.rg:1:"));
  EXPECT_EQ(run_rgtrans({"check", "-q", good}).out, "");
}

}  // namespace
}  // namespace rgtrans::test
