// Shared flags: one table in the code, no command that declares one of them by itself, old names that still work.
#include "cli/flags.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "cli/definition.hpp"
#include "core/support/text.hpp"
#include "tests/cli/run.hpp"

namespace rgtrans::test {
namespace {

using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

const fs::path kCheckout = RGTRANS_SOURCE_DIR;

std::vector<std::string> names_of(const cli::SharedFlag& flag) {
  std::vector<std::string> names = split_list(flag.old_names);
  names.emplace_back(flag.name);
  return names;
}

TEST(SharedFlags, AreInTheReference) {
  const std::string page = read_text(kCheckout / "docs/command-line.md");
  const std::string begin = "<!-- flags -->\n", end = "<!-- /flags -->";
  const std::size_t from = page.find(begin) + begin.size();
  EXPECT_EQ(page.substr(from, page.find(end) - from), run_rgtrans({"manual", "--flags"}).out);
}

// "--count" in a call is a declaration; in the text of a message it is not a literal of its own.
TEST(SharedFlags, AreDeclaredInOnePlace) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(kCheckout / "cli")) {
    if (entry.path().extension() != ".cpp" || entry.path().filename() == "flags.cpp") continue;
    ++files;
    const std::string text = read_text(entry.path());
    for (const cli::SharedFlag& flag : cli::shared_flags()) {
      for (const std::string& name : names_of(flag)) {
        const std::regex declaration(R"(add_(?:option|flag)\w*\(\s*"(?:[^"]*,)?)" + name + R"([,"])");
        EXPECT_FALSE(std::regex_search(text, declaration)) << entry.path() << " declares " << name;
      }
    }
  }
  EXPECT_GT(files, 20U);
}

TEST(SharedFlags, OldNamesWorkAndAreNotShown) {
  const std::string game = (kCheckout / "games/hrg/tic-tac-toe.hrg").string();
  const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> kSame = {
      {{"playouts", "--count", "50", "--jobs", "2", "--timeout", "60", "--seed", "3", "--json", game},
       {"playouts", "--count", "50", "--threads", "2", "--within", "60", "--seed", "3", "--json", game}},
      {{"match", "--count", "2", "--jobs", "2", "--seed", "7", "--json", game, "random", "random"},
       {"match", "--games", "2", "--parallel", "2", "--seed", "7", "--json", game, "random", "random"}},
      {{"actions", "--count", "20", game}, {"actions", "--plays", "20", game}}};
  const std::regex time(R"re("(?:seconds|[a-z_]*per_second)":\s*[0-9.e+-]+)re");
  for (const auto& [now, before] : kSame) {
    const Outcome a = run_rgtrans(now), b = run_rgtrans(before);
    EXPECT_EQ(a.code, 0) << a.err;
    EXPECT_EQ(std::regex_replace(a.out, time, ""), std::regex_replace(b.out, time, "")) << b.err;
  }
  EXPECT_EQ(run_rgtrans({"playouts", "--jobs", "2", "--threads", "2", game}).code, 2);
  const std::string help = run_rgtrans({"playouts", "--help"}).out;
  EXPECT_THAT(help, HasSubstr("--jobs"));
  EXPECT_THAT(help, Not(HasSubstr("--threads")));
  EXPECT_THAT(cli::completion("bash"), Not(HasSubstr("--parallel")));
}

// Standard error of a test is no terminal.
TEST(SharedFlags, ProgressIsShownWhereItIsAskedFor) {
  const std::string game = (kCheckout / "games/gdl/tic-tac-toe.kif").string();
  EXPECT_THAT(run_rgtrans({"ground", "--progress", "always", game}).err, HasSubstr("grounding"));
  for (const char* when : {"auto", "never"}) EXPECT_EQ(run_rgtrans({"ground", "--progress", when, game}).err, "");
  EXPECT_EQ(run_rgtrans({"ground", game}).err, "");
  EXPECT_EQ(run_rgtrans({"ground", "--progress", "sometimes", game}).code, 2);
  const TemporaryFolder folder;
  const Outcome batch = run_rgtrans({"batch", "--progress", "never", "-o", (folder.path() / "out").string(), game});
  EXPECT_EQ(batch.code, 0);
  EXPECT_EQ(batch.err, "");
  EXPECT_NE(batch.out, "");
}

}  // namespace
}  // namespace rgtrans::test
