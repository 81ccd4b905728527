// Options that mean nothing are refused with a word about what would mean something: names, numbers, lists.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli/definition.hpp"
#include "tests/cli/run.hpp"

namespace rgtrans::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kCounter =
    "(role p)\n(init (s 0))\n(succ 0 1)\n(<= (legal p go) (true (s 0)))\n(<= (next (s ?n)) (true (s ?m)) (succ ?m "
    "?n))\n"
    "(<= terminal (true (s 1)))\n(goal p 100)\n";

TEST(LanguageOptions, UnknownOnesAreRefused) {
  const TemporaryFolder folder;
  const std::string rg = folder.file("coin.rg", kCoin), kif = folder.file("coin.kif", kCounter);
  const Outcome misspelt = run_rgtrans({"--option", "keep-forcd", kif});
  EXPECT_EQ(misspelt.code, 2);
  EXPECT_THAT(misspelt.err, AllOf(HasSubstr("no language has an option keep-forcd"), HasSubstr("keep-forced?")));
  const Outcome unknown = run_rgtrans({"--option", "foo=bar", kif});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("gdl has max-rules"), HasSubstr("linegames has published")));
  const Outcome elsewhere = run_rgtrans({"--option", "keep-forced", rg});
  EXPECT_EQ(elsewhere.code, 1);
  EXPECT_THAT(elsewhere.err, AllOf(HasSubstr("rg has no option keep-forced"), HasSubstr("it is an option of gdl")));
  EXPECT_EQ(run_rgtrans({"--option", "keep-forced", kif}).code, 0);
  EXPECT_EQ(run_rgtrans({"perft", "--joint", "--option", "published", kif, "1"}).code, 1);
  EXPECT_EQ(run_rgtrans({"perft", "--joint", "--engine", "cpp", kif, "1"}).code, 2);
  // A library has games of several languages; each takes the options that are its own.
  EXPECT_EQ(
      run_rgtrans({"batch", rg, kif, "-q", "-o", (folder.path() / "out").string(), "--option", "keep-forced"}).code, 0);
  EXPECT_EQ(run_rgtrans({"batch", rg, "-o", (folder.path() / "out").string(), "--option", "nothing"}).code, 2);
}

// Options that a description declares begin with a capital letter.
TEST(LanguageOptions, DescriptionsHaveTheirOwn) {
  const TemporaryFolder folder;
  const std::string game =
      folder.file("g.lud",
                  "(game \"G\" (players 2) (equipment { (board (square <Size>)) (piece \"Disc\" Each) })\n"
                  " (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))\n"
                  "(option \"Board Size\" <Size> args:{ <n> } { (item \"3x3\" <3> \"\")* (item \"4x4\" <4> \"\") })\n");
  EXPECT_THAT(run_rgtrans({"perft", game, "1"}).out, HasSubstr("9"));
  EXPECT_THAT(run_rgtrans({"perft", "--option", "Board Size=4x4", game, "1"}).out, HasSubstr("16"));
  const Outcome wrong = run_rgtrans({"perft", "--option", "Board Size=5x5", game, "1"});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("there are 3x3, 4x4"));
  const Outcome nowhere = run_rgtrans({"perft", "--ludii", (folder.path() / "none").string(), game, "1"});
  EXPECT_EQ(nowhere.code, 1);
  EXPECT_THAT(nowhere.err, HasSubstr("none: no folder of Ludii's defines"));
  const Outcome elsewhere = run_rgtrans({"--option", "Board Size=4x4", folder.file("coin.rg", kCoin)});
  EXPECT_EQ(elsewhere.code, 1);
  EXPECT_THAT(elsewhere.err, HasSubstr("rg has no option Board Size"));
}

TEST(LanguageOptions, ValuesHaveTheirForm) {
  for (const std::string value : {"max-rules", "max-rules=", "max-rules=x", "max-rules=-5", "max-rules=0",
                                  "max-rules=1e9", "max-memory=99999999999999", "keep-forced=yes"}) {
    const Outcome run = run_rgtrans({"--from", "gdl", "--option", value, "-"}, kCounter);
    EXPECT_EQ(run.code, 2) << value;
    EXPECT_THAT(run.err, HasSubstr("--option " + value)) << value;
    EXPECT_THAT(run.err, Not(HasSubstr("--max"))) << value;
  }
}

// Every option that takes a number, now and in future.
TEST(Numbers, NothingButANumberCounts) {
  std::size_t tried = 0;
  for (const cli::CommandText& command : cli::definition()) {
    for (const cli::OptionText& option : command.options) {
      static const std::vector<std::string> kNumbers = {"N", "S", "K", "T", "D", "MB", "MiB", "LEVEL"};
      if (std::ranges::find(kNumbers, option.value) == kNumbers.end() || option.positional()) continue;
      for (const char* value : {"nan", "inf", "-5", "1e999", "99999999999999999999999", "0x10", "5 apples", ""}) {
        std::vector<std::string> words = {command.name, option.names.back(), value, "-"};
        if (command.name == "perft") words.emplace_back("1");
        const Outcome run = run_rgtrans(words, kCoin);
        EXPECT_EQ(run.code, 2) << command.name << " " << option.names.back() << " '" << value << "'";
        EXPECT_LT(run.err.size(), 300U) << run.err;
        ++tried;
      }
    }
  }
  EXPECT_GT(tried, 100U);
  for (const char* depth : {"-1", "0", "nan", "1.5", "100000"})
    EXPECT_EQ(run_rgtrans({"perft", "-", depth}, kCoin).code, 2) << depth;
  EXPECT_THAT(run_rgtrans({"playouts", "--count", "0", "-"}, kCoin).err,
              HasSubstr("--count: '0' is no whole number from 1 up"));
  EXPECT_THAT(run_rgtrans({"playouts", "--seconds", "nan", "-"}, kCoin).err, HasSubstr("'nan' is no number"));
  EXPECT_THAT(run_rgtrans({"check", "--dynamic", "/dev/null"}, kCoin).err,
              HasSubstr("but a file; a number is expected here"));
}

TEST(Playouts, ThatHaveNoEndAreGivenUp) {
  constexpr std::string_view kEndless =
      "type Player = { p };\ntype Score = { 0, 100 };\ntype Flag = { no, yes };\nvar done: Flag = no;\n"
      "begin, go: player = p;\ngo, went: $ step;\nwent, go: player = p;\ngo, last: done == yes;\n"
      "last, end: player = keeper;\n";
  const Outcome run = run_rgtrans({"playouts", "--count", "1000000", "--timeout", "0.2", "-O0", "-"}, kEndless);
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, AllOf(HasSubstr("1000000 playouts take longer than 0.2 s"), HasSubstr("--max-moves")));
  EXPECT_EQ(run_rgtrans({"playouts", "--count", "3", "--max-moves", "20", "-"}, kEndless).code, 0);
}

TEST(Options, AnEmptyListOfPassesIsNoList) {
  for (const char* passes : {"", ",", ",,"}) {
    const Outcome run = run_rgtrans({"--passes", passes, "-"}, kCoin);
    EXPECT_EQ(run.code, 2) << passes;
    EXPECT_THAT(run.err, HasSubstr("--passes names no pass"));
  }
  EXPECT_EQ(run_rgtrans({"--stop-after", "0", "-"}, kCoin).out, run_rgtrans({"-O0", "-"}, kCoin).out);
}

TEST(Options, StopAfterTakesANumberOrARewrite) {
  EXPECT_EQ(run_rgtrans({"--stop-after", "join-cells", "-"}, kCoin).code, 2);
  const Outcome run =
      run_rgtrans({"--to", "rules", "--stop-after", "join-walls", "-"}, "(role a) (<= terminal (role a))");
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("gdl has no rewrite of this name"));
}

// An option that may be given several times takes one value each time: the next argument is the file.
TEST(Options, AFileMayStandBetweenOptions) {
  using Arguments = std::vector<std::string>;
  for (const Arguments& before :
       {Arguments{"play", "--as", "p"}, Arguments{"play", "--opponent", "random"},
        Arguments{"show", "--limit", "rg-nesting=9"}, Arguments{"stats", "--passes", "compact"},
        Arguments{"build", "--no-cache", "--without", "sets,targets"}}) {
    Arguments arguments = before;
    arguments.insert(arguments.end(), {"-", "--no-such-option"});
    const Outcome run = run_rgtrans(arguments, kCoin);
    EXPECT_THAT(run.err, AllOf(HasSubstr("--no-such-option"), Not(HasSubstr("FILE is required")))) << before[0];
  }
}

TEST(Forms, AreWhatTheNameOfTheOutputSays) {
  const TemporaryFolder folder;
  const auto written = [&](const char* name, const std::vector<std::string>& options) {
    const std::string path = folder.path() / name;
    std::vector<std::string> arguments = options;
    arguments.insert(arguments.end(), {"-o", path, "-"});
    const Outcome run = run_rgtrans(arguments, kCoin);
    return run.code == 0 ? read_file(path).substr(0, 4) : run.err;
  };
  EXPECT_EQ(written("a.svg", {}), "<svg");
  EXPECT_EQ(written("b.json", {"--to", "rg"}), written("b.rg", {}));
  EXPECT_EQ(written("a.json", {}), written("a", {"--to", "json"}));
  EXPECT_EQ(written("board.svg", {"show"}), "<svg");
  EXPECT_THAT(written("a.png", {}), HasSubstr("let the name end in .svg"));
  EXPECT_THAT(written("board.png", {"show"}), HasSubstr("let the name end in .svg"));
}

TEST(Commands, AMisspeltOneIsNoFile) {
  const TemporaryFolder folder;
  const std::string source = folder.file("coin.rg", kCoin);
  const Outcome run = run_rgtrans({"translat", source});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err,
              AllOf(HasSubstr("there is no command, file or game translat"), HasSubstr("did you mean translate?")));
  EXPECT_THAT(run_rgtrans({"frobnicate", source}).err, HasSubstr("rgtrans --help"));
}

TEST(Moves, ShowTheFirstChoiceOfAPlayer) {
  // Each line goes on with the path: keeper's steps are in front of the player's.
  EXPECT_EQ(run_rgtrans({"moves", "-"}, kCoin).out, "/heads/\n/tails/\n");
  EXPECT_EQ(run_rgtrans({"moves", "--path", "//", "-"}, kCoin).out, "heads/\ntails/\n");
  EXPECT_THAT(run_rgtrans({"moves", "--path", "//heads//", "-"}, kCoin).err, HasSubstr("the play is over"));
}

TEST(Batch, WhatIsPassedOverOrCannotBeReadIsSaid) {
  const TemporaryFolder folder;
  const fs::path in = folder.path() / "in", out = folder.path() / "out";
  fs::create_directory(in);
  std::ofstream(in / "nim.rg") << kCoin;
  std::ofstream(in / "nim.perft") << "1\t2\n2\t4\n";
  std::ofstream(in / "nim.txt") << kCoin;
  const Outcome run = run_rgtrans({"batch", in.string(), "-o", out.string(), "--include", "*nim*", "--dry-run"});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, AllOf(HasSubstr("nim.rg"), HasSubstr("nim.txt"), Not(HasSubstr("nim.perft"))));
  EXPECT_THAT(run.err, AllOf(HasSubstr("looks like no game"), HasSubstr("nim.perft")));
  // A named file that is missing, or a link that leads nowhere, is a line of the report like any other.
  fs::create_symlink("self", folder.path() / "self");
  for (const char* name : {"self", "missing"}) {
    const Outcome lost =
        run_rgtrans({"batch", (in / "nim.rg").string(), (folder.path() / name).string(), "-o", out.string()});
    EXPECT_EQ(lost.code, 3) << lost.err;
    EXPECT_THAT(lost.out, AllOf(HasSubstr("cannot be opened"), HasSubstr("1 of 2 games converted"))) << name;
  }
}

}  // namespace
}  // namespace rgtrans::test
