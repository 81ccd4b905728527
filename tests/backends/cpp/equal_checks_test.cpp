#include "backends/cpp/equal_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rgtrans::cpp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

// A check that floods from a cell.
std::string flood(const std::string& name, const std::string& marks, const std::string& piece = "black") {
  return "// node 7\nbool " + name + "(State& s, Cache& c, std::uint32_t epoch, unsigned cell) {\n  if (c." + marks +
         "[cell] == epoch) return false;\n  c." + marks + "[cell] = epoch;\n  if (s.board[cell] == Piece::" + piece +
         ") return " + name + "(s, c, epoch, kNext[cell]);\n  return true;\n}\n";
}

const std::vector<CacheField> kFields = {{"std::uint32_t", "seen", 64}, {"std::uint32_t", "seen_2", 64}};

TEST(EqualChecks, CopiesAreOneButForTheirNames) {
  const auto equal = find_equal_checks({flood("check_7", "seen"), flood("check_7_2", "seen_2")}, kFields);
  EXPECT_THAT(equal.instead, ElementsAre(Pair("check_7_2", "check_7")));
  EXPECT_THAT(equal.fields, ElementsAre("seen_2"));
  EXPECT_EQ(with_calls_to("if (check_7_2(s, c)) check_7_23(check_7_2);", equal),
            "if (check_7(s, c)) check_7_23(check_7_2);");
}

TEST(EqualChecks, WhatAsksForSomethingElseIsNoCopy) {
  EXPECT_THAT(find_equal_checks({flood("check_7", "seen"), flood("check_7_2", "seen_2", "white")}, kFields).instead,
              IsEmpty());
}

TEST(EqualChecks, ArraysOfOtherSizesAreNotShared) {
  const std::vector<CacheField> fields = {{"std::uint32_t", "seen", 64}, {"std::uint32_t", "seen_2", 128}};
  EXPECT_THAT(find_equal_checks({flood("check_7", "seen"), flood("check_7_2", "seen_2")}, fields).instead, IsEmpty());
}

// Otherwise the marks of the search that continues would be lost when the check returns.
TEST(EqualChecks, ExplorationsThatMeetKeepTheirOwnMarks) {
  const std::string meeting =
      "bool check_1(State& s, Cache& c, std::uint32_t epoch, unsigned cell) {\n"
      "  return check_7(s, c, epoch, cell) || check_7_2(s, c, c.next_epoch(), cell) || check_7(s, c, epoch, "
      "cell);\n}\n";
  EXPECT_THAT(find_equal_checks({meeting, flood("check_7", "seen"), flood("check_7_2", "seen_2")}, kFields).instead,
              IsEmpty());
  const std::string apart =
      "bool check_1(State& s, Cache& c, unsigned cell) {\n"
      "  return check_7(s, c, c.next_epoch(), cell) || check_7_2(s, c, c.next_epoch(), cell);\n}\n";
  EXPECT_THAT(find_equal_checks({apart, flood("check_7", "seen"), flood("check_7_2", "seen_2")}, kFields).instead,
              ElementsAre(Pair("check_7_2", "check_7")));
}

// So does one that asks for the other by way of a third.
TEST(EqualChecks, ExplorationsMeetByWayOfOthers) {
  const std::string outer =
      "bool check_1(State& s, Cache& c, std::uint32_t epoch, unsigned cell) {\n"
      "  return check_7(s, c, epoch, cell) || !check_2(s, c, c.next_epoch(), cell);\n}\n";
  const std::string inner =
      "bool check_2(State& s, Cache& c, std::uint32_t epoch, unsigned cell) {\n"
      "  return check_7_2(s, c, c.next_epoch(), cell);\n}\n";
  EXPECT_THAT(
      find_equal_checks({outer, inner, flood("check_7", "seen"), flood("check_7_2", "seen_2")}, kFields).instead,
      IsEmpty());
}

}  // namespace
}  // namespace rgtrans::cpp
