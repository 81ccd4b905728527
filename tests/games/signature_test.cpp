// The signature says whether two versions of the program make the same of all games, so nothing else may change it.
#include "tests/support/signature.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <fstream>
#include <locale>
#include <sstream>

namespace rgtrans::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = RGTRANS_SOURCE_DIR;
const fs::path kGame = kRoot / "games" / "hrg" / "tic-tac-toe.hrg";

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// A folder of its own, which is not there afterwards.
struct Folder {
  fs::path path = fs::temp_directory_path() / fmt::format("rgtrans-signature-{}", ::getpid());
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

// Numbers as 1.234.567.
struct Grouped : std::numpunct<char> {
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Signature, IsTheStandardHash) {
  EXPECT_EQ(text_hash(""), 0xcbf29ce484222325ULL);
  EXPECT_EQ(text_hash("foobar"), 0x85944171f73967e8ULL);
}

TEST(Signature, DoesNotDependOnTheLocaleOrTheFolder) {
  const Signature here = signature_of(kGame);
  ASSERT_EQ(here.error, "");
  EXPECT_EQ(here.language, "hrg");
  const Folder folder;
  fs::copy_file(kGame, folder.path / kGame.filename());
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Grouped));
  const std::string c_locale = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "tr_TR.UTF-8", "C.UTF-8"}) std::setlocale(LC_ALL, name);
  const Signature there = signature_of(folder.path / kGame.filename());
  std::setlocale(LC_ALL, c_locale.c_str());
  std::locale::global(before);
  EXPECT_EQ(here.number("game"), there.number("game"));
  EXPECT_NE(here.number("game"), here.number("other"));
}

TEST(Signature, DependsOnTheGame) {
  const Folder folder;
  const fs::path path = folder.path / kGame.filename();
  std::string text = text_of(kGame);
  const std::size_t at = text.find("goals[me] = 100");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 15, "goals[me] = 50");
  std::ofstream(path) << text;
  const Signature before = signature_of(kGame);
  const Signature after = signature_of(path);
  ASSERT_EQ(after.error, "");
  EXPECT_NE(before.text, after.text);
  EXPECT_NE(before.code, after.code);
  EXPECT_NE(before.tables, after.tables);
  EXPECT_NE(before.number("game"), after.number("game"));
  std::ofstream(path) << "no game";
  EXPECT_NE(signature_of(path).error, "");
}

// The output of the script, run in another folder with other variables of the environment.
std::string script(const std::string& environment, const std::string& games) {
  const Folder folder;
  const fs::path out = folder.path / "out";
  const std::string command = fmt::format("cd {} && env {} python3 {}/scripts/sweep signature --program {} {} >out",
                                          folder.path.string(), environment, kRoot.string(), RGTRANS_SIGNATURE, games);
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return text_of(out);
}

TEST(Signature, DoesNotDependOnTheOrderOfTheFiles) {
  if (std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "no python3";
  const std::string a = kGame.string();
  const std::string b = (kRoot / "games" / "rbg" / "tic-tac-toe.rbg").string();
  const std::string c = (kRoot / "games" / "gdl" / "tic-tac-toe.kif").string();
  const std::string first = script("LC_ALL=C", fmt::format("{} {} {}", a, b, c));
  EXPECT_THAT(first, testing::HasSubstr("total         3 games"));
  EXPECT_EQ(first,
            script("LC_ALL=C.UTF-8 LANG=tr_TR.UTF-8 TZ=Asia/Tokyo HOME=/nowhere", fmt::format("{} {} {}", c, a, b)));
  EXPECT_NE(first, script("LC_ALL=C", fmt::format("{} {}", a, b)));
}

}  // namespace
}  // namespace rgtrans::test
