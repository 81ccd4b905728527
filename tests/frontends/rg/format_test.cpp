// The formatter: layout, unmoved comments, an unchanged game, idempotence.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <regex>

#include "backends/rg/rg.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/equal.hpp"

namespace rgtrans::rg {
namespace {

std::string formatted(std::string text) {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add("t.rg", std::move(text));
  std::string result = format(file, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *diagnostics.sources());
  return result;
}

TEST(FormatRg, OneItemALineInTheOrderOfTheSource) {
  EXPECT_EQ(formatted("a,b:x=y;c , d:;type T={a,b};@unique a  b;var x:T->T={a:b,:a};"),
            "a, b: x = y;\n"
            "c, d: ;\n"
            "type T = { a, b };\n"
            "@unique a b;\n"
            "var x: T -> T = { a: b, :a };\n");
}

TEST(FormatRg, KeepsCommentsAndSingleBlankLines) {
  EXPECT_EQ(formatted("\n\n// head   \n\n\n// next\na,b:; // behind\n// below\n\n\n\nc,d:\n;//two\n\n"),
            "// head\n\n// next\na, b: ; // behind\n// below\n\nc, d: ; //two\n");
}

TEST(FormatRg, KeepsCommentsInsideItems) {
  EXPECT_EQ(formatted("const m: T -> T = { // open\n a: 1 // one\n , // own?\n// own\nb:2,:3 // last\n};"),
            "const m: T -> T = { // open\n"
            "    a: 1, // one\n"
            "    // own?\n"
            "    // own\n"
            "    b: 2, :3 // last\n"
            "};\n");
  EXPECT_EQ(formatted("a, b // from\n : x // lhs\n == y // rhs\n;"), "a, b: // from\n    x == // lhs\n    y; // rhs\n");
}

TEST(FormatRg, BreaksLongMapsAndKeepsRows) {
  const std::string row(45, 'r');
  EXPECT_EQ(formatted("const m: T = {a: " + row + ", b: " + row + ", c: d, :e};"),
            "const m: T = {\n    a: " + row + ",\n    b: " + row + ", c: d, :e\n};\n");
  const std::string rows = "type T = {\n    a, b,\n    " + row + ",\n    " + row + ", c\n};\n";
  EXPECT_EQ(formatted(rows), rows);
}

TEST(FormatRg, OnlyComments) {
  EXPECT_EQ(formatted("  // a\n\n\n  // b"), "// a\n\n// b\n");
  EXPECT_EQ(formatted(""), "");
  EXPECT_EQ(formatted(" \n "), "");
}

// Random comments between the tokens.
TEST(FormatRg, IsIdempotentAndLosesNoComment) {
  const std::string text =
      "type Player = {p, q}; type Score = {0, 9}; type T = {1, 2, 3}; const k: T -> T -> T = {1: {2: 3, :1}, :{:1}};\n"
      "@simpleApply a b [t, v_1: T] x = v_1, m[1] = 2;@repeat a : x;@disjoint a : b;@tagIndex a : 3;@integer 1 : a;\n"
      "var x: T = 1; var m: T -> T = {1: 2, :2}; begin, a: k[x][m[x]] != T(1);a, b: x = T(*);a, b: ? c -> d;\n"
      "a, b: $ t;b, c: $$ x;c, d: x = {1, 2}(*);c, d: ; d, end: player = keeper;";
  static const std::regex kToken(R"([A-Za-z0-9_]+|->|==|!=|\$\$|[^\sA-Za-z0-9_])");
  std::vector<std::string> tokens;
  for (std::sregex_iterator it(text.begin(), text.end(), kToken), end; it != end; ++it) tokens.push_back(it->str());

  const ir::Game expected = parse_game(text);
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string spoilt;
    std::size_t comments = 0;
    const std::uint32_t rarity = 1U + random() % 20;
    for (const std::string& token : tokens) {
      spoilt += token;
      if (random() % rarity == 0) {
        if (random() % 2 == 0) spoilt += "\n";
        if (random() % 4 == 0) spoilt += "\n\n\n";
        spoilt += "// c" + std::to_string(comments++) + (random() % 2 == 0 ? "\n" : " \r\n\n");
      } else {
        spoilt += random() % 3 == 0 ? "\n" : " ";
      }
    }
    SCOPED_TRACE(spoilt);
    const std::string once = formatted(spoilt);
    EXPECT_EQ(formatted(once), once);
    for (std::size_t i = 0; i < comments; ++i) {
      EXPECT_NE(once.find("// c" + std::to_string(i) + "\n"), std::string::npos) << once;
    }
    std::string difference;
    EXPECT_TRUE(test::equal(expected, parse_game(once), &difference)) << difference;
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace rgtrans::rg
