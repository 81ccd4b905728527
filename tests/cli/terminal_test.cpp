// Output at a terminal: no control characters from names or moves, progress of long work, and the result so far after
// Ctrl-C.
#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/run.hpp"

namespace rgtrans::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

const fs::path kOurGames = fs::path(RGTRANS_SOURCE_DIR) / "games";

// Symbols that clear the screen, set its title, and ring.
constexpr const char* kEvil =
    "(role \x1b[2Jred) (init (at \x1b]0;title\x07))"
    "(legal \x1b[2Jred \x1b[31mgo) (legal \x1b[2Jred (stay \x08))"
    "(<= (next (at b)) (does \x1b[2Jred \x1b[31mgo)) (<= terminal (true (at b))) (goal \x1b[2Jred 100)";

// Colours and the line of progress are ours; no other text may follow an escape.
std::string without_our_own(std::string text) {
  for (const char* own : {"\x1b[0m", "\x1b[1m", "\x1b[1;31m", "\x1b[1;35m", "\x1b[1;36m", "\r\x1b[K"}) {
    const std::string_view word = own;
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;) text.erase(at, word.size());
  }
  return text;
}

TEST(Terminal, NoControlCharacterOfANameReachesIt) {
  const TemporaryFolder folder;
  const std::string file = folder.file("evil\x1b[2J\x07.kif", kEvil);
  setenv("NO_COLOR", "1", 1);
  setenv("TERM", "dumb", 1);  // without the cursor movements of a line editor
  std::vector<std::vector<std::string>> commands = {
      {"moves", file},
      {"show", file},
      {"perft", "--divide", file, "1"},
      {"check", "--dynamic", "5", file},
      {"playouts", "--count", "3", file},
      {"solve", file},
      {"analyze", "--count", "2", "--simulations", "5", file},
      {"moves", "--path", "/\x1b[2J/", file},
      {"translate", file},
      {"perft", "--\x1b[2J", file, "1"},
      {"batch", "-o", (folder.path() / "out").string(), file, file + "none"},
      {"batch", "--dry-run", "-o", (folder.path() / "out").string(), file, file + "none"},
  };
  for (const std::vector<std::string>& command : commands) {
    const Outcome outcome = run_in_terminal(command);
    const std::string text = without_our_own(outcome.out);
    EXPECT_NE(outcome.out, "") << command[0];
    for (const char c : {'\x1b', '\x07', '\x08'}) EXPECT_THAT(text, Not(HasSubstr(std::string(1, c)))) << command[0];
  }
  const Outcome play = run_in_terminal({"play", "--opponent", "random", file}, "help\neval\nquit\n");
  EXPECT_THAT(play.out, HasSubstr("?[31mgo"));
  EXPECT_THAT(without_our_own(play.out), Not(HasSubstr("\x1b"))) << play.out;
  unsetenv("NO_COLOR");
}

struct LongWork {
  std::vector<std::string> command;
  const char* progress;  // on the line
  const char* result;    // after Ctrl-C
  const char* confidence;
};

TEST(Terminal, LongWorkShowsItsProgressAndItsResultSoFar) {
  const std::string game = (kOurGames / "hrg/breakthrough.hrg").string(),
                    small = (kOurGames / "hrg/tic-tac-toe.hrg").string();
  const std::vector<LongWork> works = {
      {{"perft", game, "12"}, "depth ", "1\t", "are exact"},
      {{"playouts", "--count", "1000000000", game}, "1000000000 playouts", "mean goal", " ± "},
      {{"match", "--count", "1000000", small, "mcts:20", "random"},
       " of 1000000 plays",
       "mcts:20",
       "the intervals hold"},
      {{"solve", game}, "positions", "not solved: interrupted", "between 0 and 100"},
      {{"analyze", "--count", "1000000", "--simulations", "10", small},
       " of 1000000 plays",
       "turns of a play",
       "the intervals hold"},
      {{"ggp-host", "--players", "127.0.0.1:1,127.0.0.1:1", "--count", "1000000", "--play", "1", "--start", "1",
        (kOurGames / "gdl/tic-tac-toe.kif").string()},
       " of 1000000 matches",
       "mean goal",
       "interrupted in match"},
      {{"check", "--dynamic", "100000000", small}, " of 100000000 plays", "interrupted after", "% of random plays"},
  };
  for (const LongWork& work : works) {
    const Outcome outcome = run_in_terminal(work.command, {}, 3);
    EXPECT_EQ(outcome.code, 130) << work.command[0] << "\n" << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr(work.progress)) << work.command[0];
    EXPECT_THAT(outcome.out, HasSubstr("Ctrl-C shows the result so far")) << work.command[0];
    EXPECT_THAT(outcome.out, HasSubstr(work.result)) << work.command[0];
    EXPECT_THAT(outcome.out, HasSubstr(work.confidence)) << work.command[0];
  }
}

TEST(Terminal, ShortWorkShowsNoProgress) {
  const std::string game = (kOurGames / "hrg/tic-tac-toe.hrg").string();
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"perft", game, "2"}, std::vector<std::string>{"playouts", "--count", "10", game},
        std::vector<std::string>{"check", "--dynamic", "2", game}}) {
    EXPECT_THAT(run_in_terminal(command).out, Not(HasSubstr("Ctrl-C"))) << command[0];
  }
  const Outcome quiet =
      run_in_terminal({"perft", "--progress", "never", (kOurGames / "hrg/breakthrough.hrg").string(), "12"}, {}, 3.5);
  EXPECT_EQ(quiet.code, 130);
  EXPECT_THAT(quiet.out, Not(HasSubstr("Ctrl-C")));
}

// The editor completes a move, keeps typed lines, and passes no control character of a name on.
TEST(Terminal, PlayHasALineEditor) {
#if __has_include(<histedit.h>)
  if (dlopen("libedit.so.2", RTLD_NOW) == nullptr) GTEST_SKIP() << "libedit2 is not installed";
  setenv("NO_COLOR", "1", 1);
  setenv("TERM", "xterm", 1);
  const std::string chess = (kOurGames / "hrg/chess.hrg").string();
  // b1 c3 by Tab, then the same line again from the history, which is no move any more.
  const Outcome play = run_in_terminal({"play", "--as", "white,black", chess}, "b1\tc\t\ng8 f6\n\x10\x10\nquit\n");
  EXPECT_THAT(play.out, HasSubstr("white: b1 c3"));
  EXPECT_THAT(play.out, HasSubstr("black: g8 f6"));
  EXPECT_THAT(play.out, HasSubstr("No move is or starts with 'b1 c3'"));
  const TemporaryFolder folder;
  const std::string file = folder.file("evil.kif", kEvil);
  const Outcome evil = run_in_terminal({"play", "--opponent", "random", file}, "\t\t\nquit\n");
  for (const char* bad : {"\x1b[2Jred", "\x1b[31mgo", "\x07\x07\x07"}) EXPECT_THAT(evil.out, Not(HasSubstr(bad)));
  setenv("TERM", "dumb", 1);
#else
  GTEST_SKIP() << "built without libedit-dev";
#endif
}

}  // namespace
}  // namespace rgtrans::test
