// Names and paths made to break out: of generated code and its comments, of commands, of folders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "tests/cli/run.hpp"

namespace rgtrans::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

// Words of C++, names the generated code uses itself, names that meet after escaping, very long ones.
std::vector<std::string> hostile_names() {
  std::vector<std::string> names = {"class",       "int",
                                    "namespace",   "main",
                                    "std",         "reasoner",
                                    "State",       "Cache",
                                    "s",           "c",
                                    "move",        "Move",
                                    "node",        "kTagNames",
                                    "kEndNode",    "NULL",
                                    "EOF",         "errno",
                                    "assert",      "linux",
                                    "unix",        "__FILE__",
                                    "__LINE__",    "_Exit",
                                    "__cplusplus", "REASONER_PACKED_MOVES",
                                    "operator",    "default",
                                    "this",        "true",
                                    "nullptr",     "x__y",
                                    "x_y",         "X__Y",
                                    "_",           "__",
                                    "_1",          "n1",
                                    "1",           "int_",
                                    "int__2",      "uint8_t",
                                    "co_await",    "consteval",
                                    "not",         "xor",
                                    "alignas",     "list_moves",
                                    "set_initial", "valid",
                                    "describe",    "epoch",
                                    "keys",        "tag",
                                    "Symbols"};
  names.push_back(std::string(5000, 'a'));
  names.push_back(std::string(5000, 'a') + "b");
  return names;
}

std::string game_of(const std::vector<std::string>& names) {
  std::string members;
  for (const std::string& name : names) members += (members.empty() ? "" : ", ") + name;
  std::string text = "type Player = { " + names[0] + ", " + names[1] +
                     " };\ntype Score = { 0, 100 };\ntype Names = { " + members + " };\ntype M = Names -> Names;\n";
  for (std::size_t i = 2; i < names.size(); ++i) {
    if (names[i].find_first_not_of("0123456789") == std::string::npos) continue;
    text += "var " + names[i] + ": " + (i % 2 == 0 ? "Names = " + names[i] : "M = { :" + names[i] + " }") + ";\n";
  }
  text += "var zzz: Names = " + names[0] + ";\nbegin, c0: player = " + names[0] +
          ";\nc0, c1: zzz = Names(*);\nc1, c2: $$ zzz;\n";
  std::string from = "c2";
  for (std::size_t i = 0; i < 12; ++i) {
    text += from + ", t" + std::to_string(i) + ": $ " + names[i * 4] + ";\n";
    from = "t" + std::to_string(i);
  }
  return text + from + ", end: player = keeper;\n";
}

TEST(Hostile, NamesStayNamesInGeneratedCode) {
  const TemporaryFolder folder;
  const auto names = hostile_names();
  const std::string file = folder.file("game.rg", game_of(names));
  setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  const Outcome built = run_rgtrans({"build", "-O0", "-o", (folder.path() / "program").string(), file});
  ASSERT_EQ(built.code, 0) << built.err;
  const Outcome perft = run_rgtrans({"perft", "--engine", "cpp", "-O0", file, "1"});
  EXPECT_THAT(perft.out, HasSubstr(std::to_string(names.size()))) << perft.err;
  unsetenv("XDG_CACHE_HOME");
}

// Characters that no language allows in a name are refused before they can reach any output.
TEST(Hostile, CharactersThatMeanSomethingAreNoPartOfNames) {
  const std::vector<std::string> evil = {"a\"b", "a\\b", "a\nb",   "a*/b", "a/*b", "a//b",  "#include", "$(touch x)",
                                         "`id`", "a'b",  "a?\?/b", "a;b",  "../a", "a\xff", "\xd0\xb0", "a\x01"};
  for (const std::string& name : evil) {
    const TemporaryFolder folder;
    for (const auto& [file, text] : std::vector<std::pair<std::string, std::string>>{
             {"a.rg", "type Player = { " + name + ", q };\ntype Score = { 0 };\nbegin, end: player = q;\n"},
             {"a.hrg", "domain Player = " + name + " | q\ndomain Score = 0\ngraph rules() { end() }\n"},
             {"a.rbg", "#players = " + name + "(1)\n#pieces = e\n#variables =\n#board = p[e]{}\n#rules = ->> {}\n"},
         }) {
      const Outcome outcome =
          run_rgtrans({"--to", "cpp", "-o", (folder.path() / "out").string(), folder.file(file, text)});
      // Where it is read as something else (a comment, several names) the result still must be harmless.
      if (outcome.code == 0) {
        for (const auto& entry : fs::directory_iterator(folder.path() / "out")) {
          const std::string code = read_text(entry.path());
          EXPECT_THAT(code, Not(HasSubstr("touch"))) << name;
          EXPECT_THAT(code, Not(HasSubstr("`id`"))) << name;
        }
      } else {
        EXPECT_EQ(outcome.code, 1) << name << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("error")) << name;
      }
    }
  }
}

// GDL allows almost everything in a symbol.
TEST(Hostile, SymbolsOfGdlAreEscaped) {
  const TemporaryFolder folder;
  const std::vector<std::string> evil = {"a\"b", "a\\b", "*/x",  "/*x",     "//x",  "#include<x>", "$(touch${IFS}x)",
                                         "`id`", "a'b",  "?\?/", "a{b}",    "x%sn", "\\u0041",     "-",
                                         "+",    "a,b",  "{0}",  "<vector>"};
  std::string text = "(role r)\n(init on)\n(<= terminal (not (true on)))\n(goal r 100)\n(legal r noop)\n";
  std::size_t known = 1;
  for (const std::string& name : evil) {
    const std::string one = text + "(legal r (" + name + " 1))\n(legal r " + name + ")\n";
    const Outcome outcome = run_rgtrans({"check", folder.file("one.kif", one)});
    if (outcome.code == 0 || outcome.err.find("error") == std::string::npos) {
      text += "(legal r (" + name + " 1))\n";
      ++known;
    }
  }
  const std::string file = folder.file("game.kif", text);
  setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  const Outcome perft = run_rgtrans({"perft", "--engine", "cpp", file, "1"});
  EXPECT_EQ(perft.code, 0) << perft.err;
  EXPECT_THAT(perft.out, HasSubstr(std::to_string(known)));
  unsetenv("XDG_CACHE_HOME");
  EXPECT_GE(known, 5U);
}

TEST(Hostile, NamesOfFilesStayInComments) {
  const TemporaryFolder folder;
  const std::string file = folder.file("-a\"b $(touch pwned)`touch pwned`; back\\slash\nline *\\ ?\?\\ %s%n {0}.rg",
                                       "type Player = { p };\ntype Score = { 0 };\nbegin, a: player = p;\n"
                                       "a, b: $ t;\nb, end: player = keeper;\n");
  setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  const fs::path program = folder.path() / "program $(touch pwned)";
  const Outcome built = run_rgtrans({"build", "-o", program.string(), file});
  EXPECT_EQ(built.code, 0) << built.err;
  EXPECT_TRUE(fs::exists(program));
  unsetenv("XDG_CACHE_HOME");
  EXPECT_FALSE(fs::exists("pwned"));
  EXPECT_FALSE(fs::exists(folder.path() / "pwned"));
}

// The files of --to cpp have fixed names and are written to the given folder.
TEST(Hostile, GeneratedFilesStayInTheirFolder) {
  const TemporaryFolder folder;
  const std::string file = folder.file("game.rg", game_of(hostile_names()));
  const fs::path out = folder.path() / "deep" / "out";
  ASSERT_EQ(run_rgtrans({"--to", "cpp", "-o", out.string(), file}).code, 0);
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
    if (!entry.is_regular_file() || entry.path() == file) continue;
    EXPECT_EQ(entry.path().parent_path(), out);
    ++files;
  }
  EXPECT_GE(files, 6U);
}

// A file that somebody put in the way of a temporary name, or a link in the place of the output, is not written
// through.
TEST(Hostile, OutputReplacesALinkInsteadOfFollowingIt) {
  const TemporaryFolder folder;
  const std::string file =
      folder.file("game.rg", "type Player = { p };\ntype Score = { 0 };\nbegin, end: player = p;\n");
  const std::string victim = folder.file("victim", "untouched");
  const fs::path link = folder.path() / "out.rg";
  fs::create_symlink(victim, link);
  ASSERT_EQ(run_rgtrans({file, "-o", link.string()}).code, 0);
  EXPECT_EQ(read_text(victim), "untouched");
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr(".rg.")));  // nothing temporary is left
  }
}

// Without a home, compiled games are kept in the folder for temporary files: never in a place that somebody else
// prepared.
TEST(Hostile, AFolderOfSomebodyElseIsNoCache) {
  const TemporaryFolder folder;
  const std::string file = folder.file("game.rg", game_of(hostile_names()));
  const fs::path place = folder.path() / ("rgtrans-" + std::to_string(getuid()));
  const auto set = [](const char* name, const char* value) {
    if (value == nullptr) {
      unsetenv(name);
    } else {
      setenv(name, value, 1);
    }
  };
  const char* const home = std::getenv("HOME");
  const std::string old_home = home == nullptr ? "" : home;
  set("HOME", nullptr);
  set("XDG_CACHE_HOME", nullptr);
  set("TMPDIR", folder.path().c_str());
  fs::create_directory(folder.path() / "elsewhere");
  fs::create_directory_symlink(folder.path() / "elsewhere", place);
  EXPECT_THAT(run_rgtrans({"perft", "--engine", "cpp", file, "1"}).err, HasSubstr("not a folder of yours"));
  fs::remove(place);
  fs::create_directory(place);
  fs::permissions(place, fs::perms::all);
  EXPECT_THAT(run_rgtrans({"perft", "--engine", "cpp", file, "1"}).err, HasSubstr("not a folder of yours"));
  set("TMPDIR", nullptr);
  if (home != nullptr) set("HOME", old_home.c_str());
}

}  // namespace
}  // namespace rgtrans::test
