// The same games in several languages are proved equal, and deliberate differences between them are found. The table
// pairs.txt lists the pairs.
#include "backends/lockstep/equal.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <sstream>

#include "backends/interpreter/interpreter.hpp"
#include "backends/scene/scene.hpp"
#include "core/passes/passes.hpp"
#include "frontends/rbg/rbg.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::lockstep {
namespace {

struct Pair {
  std::string first, second, answer, match;
  bool full = false, forced = false;
  std::string old_text, new_text;  // a change of the second description
  std::size_t line = 0;

  friend void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.first << " and " << pair.second; }
};

std::filesystem::path folder() { return std::filesystem::path(RGTRANS_SOURCE_DIR) / "tests" / "equal"; }

std::vector<Pair> pairs() {
  std::vector<Pair> out;
  std::ifstream file(folder() / "pairs.txt");
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    Pair& pair = out.emplace_back();
    pair.line = number;
    const std::size_t change = line.find(" : ");
    if (change != std::string::npos) {
      // `old` -> `new`
      const std::size_t middle = line.find("` -> `", change), last = line.rfind('`');
      pair.old_text = line.substr(change + 4, middle - change - 4);
      pair.new_text = line.substr(middle + 6, last - middle - 6);
      line.resize(change);
    }
    std::istringstream words(line);
    words >> pair.first >> pair.second >> pair.answer;
    for (std::string word; words >> word;) {
      if (word == "full") {
        pair.full = true;
      } else if (word == "forced") {
        pair.forced = true;
      } else {
        pair.match = word;
      }
    }
  }
  return out;
}

std::string read(const std::string& name) {
  std::ifstream file(folder() / "games" / name);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

ir::Game load(const std::string& name, const std::string& text) {
  Diagnostics diagnostics;
  return load_text(name, text, frontend_for("", name, text), diagnostics);
}

ir::Game second_game(const Pair& pair) {
  if (pair.second == "low") {
    Sources sources;
    Diagnostics diagnostics;
    return load("low.rbg", rbg::to_low_level(sources.add(pair.first, read(pair.first)), diagnostics));
  }
  std::string text = read(pair.second);
  if (!pair.old_text.empty()) {
    const std::size_t at = text.find(pair.old_text);
    EXPECT_NE(at, std::string::npos) << pair.second << " has no " << pair.old_text;
    if (at != std::string::npos) text.replace(at, pair.old_text.size(), pair.new_text);
  }
  return load(pair.second, text);
}

class EqualPairs : public testing::TestWithParam<Pair> {};

TEST_P(EqualPairs, HaveTheExpectedAnswer) {
  const Pair& pair = GetParam();
  if (pair.full && !corpus::full()) GTEST_SKIP() << "set RGTRANS_FULL";
  ir::Game first = load(pair.first, read(pair.first)), second = second_game(pair);
  EqualOptions options;
  options.skip_forced = pair.forced;
  for (const std::size_t game : {0U, 1U}) {
    const scene::Wording wording(game == 0 ? first : second);
    options.named[game] = [wording](const std::string& text) { return wording.shown({text}).front(); };
  }
  passes::optimize(first, {});
  passes::optimize(second, {});
  const EqualResult result =
      compare_matched(*make_interpreter(first), *make_interpreter(second), options, Match::automatic);
  EXPECT_EQ(result.stopped, "");
  const std::string_view answer = result.verdict == Verdict::equal ? "equal"
                                  : pair.answer == "different"     ? pair.answer
                                                                   : result.kind;
  EXPECT_EQ(answer, pair.answer) << "pairs.txt:" << pair.line << ": " << result.difference;
  if (!pair.match.empty()) {
    EXPECT_EQ(name_of(result.match), pair.match) << "pairs.txt:" << pair.line;
  }
}

INSTANTIATE_TEST_SUITE_P(All, EqualPairs, testing::ValuesIn(pairs()), [](const auto& info) {
  std::string name = info.param.first + "_" + info.param.second + "_" + std::to_string(info.param.line);
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

TEST(EqualTable, IsLarge) {
  const std::vector<Pair> table = pairs();
  EXPECT_GE(table.size(), 40U);
  EXPECT_GE(std::ranges::count(table, "equal", &Pair::answer), 25);
}

}  // namespace
}  // namespace rgtrans::lockstep
