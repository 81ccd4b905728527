// Proofs of values and records of matches on the command line: false ones are refused with an exit code.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/support/text.hpp"
#include "tests/cli/run.hpp"

namespace rgtrans::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// The first player may only wait; the second one wins when it ends the play. Scores end at 100.
constexpr std::string_view kCycle = R"(
type Player = { a, b };
type Score = { 0, 50, 100 };
begin, a0: player = a;
a0, a1: $ go;
a1, b0: player = b;
b0, b1: $ back;
b0, b2: $ lose;
b1, a0: player = a;
b2, f: player = keeper;
f, f1: goals[b] = 100;
f1, end: player = keeper;
)";

constexpr std::string_view kHidden = R"(
type Player = { a, b };
type Score = { 0, 100 };
type Side = { h, t };
var c: Side = h;
begin, s: player = a;
s, s1: visible[b] = 0;
s1, s2: c = Side(*);
s2, s3: $$ c;
s3, s4: visible[b] = 1;
s4, w: player = keeper;
w, e: goals[b] = 100;
e, end: player = keeper;
)";

std::string game(const std::string& name) { return RGTRANS_SOURCE_DIR "/games/" + name; }

void expect_refused(const std::vector<std::string>& arguments, const std::string& why) {
  const Outcome run = run_rgtrans(arguments);
  EXPECT_EQ(run.code, 1) << fmt::format("{}\n", fmt::join(arguments, " ")) << run.out;
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, HasSubstr(why));
}

TEST(Proofs, AClaimThatTheFileMakesIsRefused) {
  const TemporaryFolder folder;
  const std::string cycle = folder.file("cycle.rg", kCycle), hidden = folder.file("hidden.rg", kHidden);
  const std::string lie = folder.file("lie.proof",
                                      "{\"rgtrans-proof\":1}\n{\"chooser\":\"b\",\"player\":\"b\",\"at_least\":1000,"
                                      "\"endless\":1000,\"moves\":1}\nback\n");
  expect_refused({"solve", "--check", lie, cycle}, "lie.proof: line 1: this is a proof of version 1");
  expect_refused({"solve", "--check", lie, hidden}, "hides moves");
  expect_refused({"verify", lie, cycle}, "lie.proof: line 1: this is a proof of version 1");
  EXPECT_EQ(run_rgtrans({"verify", lie}).code, 2);
  expect_refused({"solve", "--proof", (folder.path() / "none").string(), hidden}, "hides moves");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "none"));
}

TEST(Proofs, ThoseOfAnyLevelAreVerifiedAtAnyOther) {
  const TemporaryFolder folder;
  const std::string proof = (folder.path() / "proof").string();
  for (const char* file : {"hrg/tic-tac-toe.hrg", "hrg/nim.hrg", "gdl/eight-puzzle.kif"}) {
    for (const char* made : {"-O0", "-O1", "-O2"}) {
      ASSERT_EQ(run_rgtrans({"solve", made, "--proof", proof, game(file)}).code, 0) << file << made;
      for (const char* level : {"-O0", "-O2"}) {
        const Outcome check = run_rgtrans({"solve", level, "--check", proof, game(file)});
        EXPECT_EQ(check.code, 0) << file << made << level << check.err;
        EXPECT_THAT(check.out, StartsWith("position at the start\nverified: "));
        EXPECT_EQ(run_rgtrans({"verify", proof, game(file)}).out, check.out);
      }
    }
  }
}

TEST(Proofs, AreCompleteAndOfOnePosition) {
  const TemporaryFolder folder;
  const std::string proof = (folder.path() / "proof").string(), file = game("hrg/tic-tac-toe.hrg");
  ASSERT_EQ(run_rgtrans({"solve", "--proof", proof, file}).code, 0);
  const std::string text = read_text(proof);
  expect_refused({"solve", "--check", folder.file("first", text.substr(0, text.find('\n') + 1)), file},
                 "ends too early");
  expect_refused({"solve", "--check", folder.file("half", text.substr(0, text.size() / 2)), file}, "");
  expect_refused({"solve", "--check", folder.file("cut", text.substr(0, text.size() - 1)), file}, "has no end");
  expect_refused({"solve", "--check", folder.file("empty", ""), file}, "empty");
  expect_refused({"solve", "--check", proof, game("hrg/nim.hrg")}, "another game");
  const std::string path = "//C(2,2)/";
  expect_refused({"solve", "--check", proof, "--path", path, file}, "another position");
  ASSERT_EQ(run_rgtrans({"solve", "--proof", proof, "--path", path, file}).code, 0);
  EXPECT_EQ(run_rgtrans({"solve", "--check", proof, "--path", path, "-O0", file}).code, 0);
  expect_refused({"solve", "--check", proof, file}, "another position");
}

TEST(Records, OfAMatchAreRefusedWhenTheyAreChanged) {
  const TemporaryFolder folder;
  const std::string records = (folder.path() / "records").string(), file = game("hrg/tic-tac-toe.hrg");
  const std::vector<std::string> match = {"match",     "--games", "4",  "--seed", "5",
                                          "--records", records,   file, "random", "random"};
  const Outcome first = run_rgtrans(match);
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("seed 5\n"));
  const Outcome same = run_rgtrans({"match", "--replay", records, file});
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_EQ(same.out, "4 plays are as recorded\n");
  EXPECT_EQ(run_rgtrans({"match", "-O0", "--replay", records, file}).code, 0) << "moves are known by their texts";
  const std::vector<std::string> lines = split_lines(read_text(records));
  const auto refuse = [&](std::vector<std::string> changed, const std::string& why) {
    std::string text;
    for (const std::string& line : changed) text += line + "\n";
    expect_refused({"match", "--replay", folder.file("changed", text), file}, why);
  };
  refuse({lines[1], lines[2], lines[3]}, "line 1: here the play number 0 should be");
  refuse({lines[0], lines[2], lines[3]}, "line 2: here the play number 1 should be");
  refuse({lines[0], lines[1], lines[2]}, "before the last one");
  refuse({lines[0], lines[2], lines[1], lines[3]}, "line 2: here the play number 1 should be");
  const auto with = [&](std::size_t i, const std::string& from, const std::string& to) {
    std::vector<std::string> changed = lines;
    changed.at(i).replace(changed[i].find(from), from.size(), to);
    return changed;
  };
  refuse(with(1, "\"seats\":{\"", "\"seats\":{\"o"), "line 2: the seats of this play must be");
  refuse(with(2, "},\"seed\":", "},\"seed\":1"), "line 3: ");
  refuse(with(0, "\"players\":[\"random\"", "\"players\":[\"mcts:9\""), "line 1: the seats of this play must be");
  refuse(with(3, "\"seconds\":{", "\"seconds\":{\"z\":1,"), "line 4: this line, or one before it, was changed");
}

// Nobody knows the seed of a match that was not given one.
TEST(Records, SeedsAreDrawn) {
  const std::vector<std::string> match = {"match",  "--games", "1", "--json", game("hrg/tic-tac-toe.hrg"),
                                          "random", "random"};
  const std::string one = run_rgtrans(match).out, other = run_rgtrans(match).out;
  const auto seed = [](const std::string& text) {
    const std::size_t at = text.find("\"seed\": ");
    return text.substr(at, text.find(',', at) - at);
  };
  EXPECT_THAT(seed(one), StartsWith("\"seed\": "));
  EXPECT_NE(seed(one), seed(other));
}

}  // namespace
}  // namespace rgtrans::test
