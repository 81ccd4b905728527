#include "backends/cpp/equal_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rgtrans::cpp {
namespace {

using testing::Contains;
using testing::Not;

struct Checks {
  FunctionTable table{""};

  FunctionId create(const std::string& name) { return table.create(name, Purpose::check); }
  void define(FunctionId id, const std::vector<Code>& lines) {
    using enum Parameter::Role;
    Text body;
    body.set_indent(1);
    for (const Code& line : lines) body.line(line);
    table.at(id).parameters = {{state, "s"}, {cache, "c"}, {epoch, "epoch"}, {value, "cell"}};
    table.at(id).body = std::move(body);
    table.declare(id);
    table.define(id);
  }
  // A check that floods from a cell.
  FunctionId flood(const std::string& name, std::uint64_t cells = 64, const std::string& piece = "black") {
    const FunctionId id = create(name);
    const Code marks = "c." + table.add_field({"std::uint32_t", "seen_of_" + name, cells});
    define(id, {"if (" + marks + "[cell] == epoch) return false;", marks + "[cell] = epoch;",
                "if (s.board[cell] == Piece::" + piece + ") return " + table.call(id) + "(s, c, epoch, kNext[cell]);",
                "return true;"});
    return id;
  }
  Code call(FunctionId id, bool anew) {
    return table.call(id, anew) + (anew ? "(s, c, c.next_epoch(), cell)" : "(s, c, epoch, cell)");
  }
};

TEST(EqualChecks, CopiesAreOneButForTheirNames) {
  Checks p;
  const FunctionId one = p.flood("check_7"), other = p.flood("check_7_2"), third = p.flood("check_7_23", 32);
  EXPECT_TRUE(join_equal_checks(p.table));
  EXPECT_EQ(p.table.resolved(other), one);
  EXPECT_THAT(p.table.defined(), Not(Contains(other)));
  EXPECT_THAT(p.table.declared(), Not(Contains(other)));
  ASSERT_EQ(p.table.fields().size(), 2U);
  EXPECT_EQ(p.table.fields()[0].name, "seen_of_check_7");
  EXPECT_EQ(p.table.print("if (" + p.call(other, true) + ") " + p.call(third, false) + ";"),
            "if (check_7(s, c, c.next_epoch(), cell)) check_7_23(s, c, epoch, cell);");
  EXPECT_FALSE(join_equal_checks(p.table));
}

TEST(EqualChecks, CallersOfCopiesBecomeCopies) {
  Checks p;
  const FunctionId one = p.flood("check_7"), other = p.flood("check_7_2");
  const FunctionId first = p.create("check_1"), second = p.create("check_2");
  p.define(first, {"return " + p.call(one, true) + ";"});
  p.define(second, {"return " + p.call(other, true) + ";"});
  EXPECT_TRUE(join_equal_checks(p.table));
  EXPECT_EQ(p.table.resolved(second), second);
  EXPECT_TRUE(join_equal_checks(p.table));
  EXPECT_EQ(p.table.resolved(second), first);
}

TEST(EqualChecks, WhatAsksForSomethingElseIsNoCopy) {
  Checks p;
  p.flood("check_7");
  p.flood("check_7_2", 64, "white");
  EXPECT_FALSE(join_equal_checks(p.table));
}

TEST(EqualChecks, ArraysOfOtherSizesAreNotShared) {
  Checks p;
  p.flood("check_7");
  p.flood("check_7_2", 128);
  EXPECT_FALSE(join_equal_checks(p.table));
}

// Each check that keeps a list has numbers of its own in it.
TEST(EqualChecks, ListsAreNotShared) {
  Checks p;
  for (const char* const name : {"check_7", "check_7_2"}) p.table.at(p.flood(name)).keeps_list = true;
  EXPECT_FALSE(join_equal_checks(p.table));
}

// Otherwise the marks of the search that continues would be lost when the check returns.
TEST(EqualChecks, ExplorationsThatMeetKeepTheirOwnMarks) {
  for (const bool meeting : {true, false}) {
    Checks p;
    const FunctionId outer = p.create("check_1"), one = p.flood("check_7"), other = p.flood("check_7_2");
    p.define(outer, {"return " + p.call(one, !meeting) + " || " + p.call(other, true) + ";"});
    EXPECT_EQ(join_equal_checks(p.table), !meeting);
  }
}

// So does one that asks for the other by way of a third.
TEST(EqualChecks, ExplorationsMeetByWayOfOthers) {
  Checks p;
  const FunctionId outer = p.create("check_1"), inner = p.create("check_2");
  const FunctionId one = p.flood("check_7"), other = p.flood("check_7_2");
  p.define(outer, {"return " + p.call(one, false) + " || !" + p.call(inner, true) + ";"});
  p.define(inner, {"return " + p.call(other, true) + ";"});
  EXPECT_FALSE(join_equal_checks(p.table));
}

}  // namespace
}  // namespace rgtrans::cpp
