// Code is put together by hand and refined.
#include "backends/interpreter/refine.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rgtrans::interpreter {
namespace {

Instruction instruction(Op op, Pc next, Pc alt = kFail) {
  Instruction out;
  out.op = op;
  out.next = next;
  out.alt = alt;
  return out;
}

TEST(Refine, WhatCanFailComesBeforeTagsAndVisits) {
  MachineProgram program;
  program.code = {Instruction(), instruction(Op::visit, 2), instruction(Op::test_cell, 3),
                  instruction(Op::reached, kFail)};
  refine(program);
  ASSERT_EQ(program.code[1].op, Op::test_cell);
  EXPECT_EQ(program.code[program.code[1].next].op, Op::visit);
  EXPECT_EQ(program.code[program.code[1].next].next, 3U);
}

TEST(Refine, ACycleOfTestsAndVisitsEnds) {
  MachineProgram program;
  program.code = {Instruction(), instruction(Op::visit, 2), instruction(Op::test_cell, 1)};
  refine(program);
  EXPECT_LT(program.code.size(), 100U);
}

TEST(Refine, AVisitMovesBehindAJump) {
  MachineProgram program;
  program.code = {Instruction(), instruction(Op::visit, 2), instruction(Op::jump_indirect, 0, 3),
                  instruction(Op::reached, kFail)};
  program.jumps = {kFail, 3, 3};
  refine(program);
  const Instruction& jump = program.code[1];
  ASSERT_EQ(jump.op, Op::jump_indirect);
  const std::vector<Pc> targets(program.jumps.begin() + jump.next, program.jumps.begin() + jump.next + jump.alt);
  EXPECT_EQ(jump.k, jump.next);
  EXPECT_EQ(targets[0], kFail);
  EXPECT_EQ(targets[1], targets[2]);
  EXPECT_EQ(program.code[targets[1]].op, Op::visit);
}

TEST(Refine, MovesThatNobodyReadsHaveNoTags) {
  MachineProgram program;
  program.code = {Instruction(), instruction(Op::tag, 2), instruction(Op::move, kFail)};
  program.starts = {{.entry = 1, .deduplicate = false}, {.entry = 1, .deduplicate = true}};
  refine(program);
  EXPECT_EQ(program.code[program.starts[0].quiet].op, Op::move);
  EXPECT_EQ(program.code[program.starts[0].entry].op, Op::tag);
  EXPECT_EQ(program.starts[1].quiet, kFail);
}

// x = a[x]; board[x] == 1, or the same with b or c.
TEST(Refine, WaysThatAssignAndAskAreAFan) {
  MachineProgram program;
  program.code = {Instruction(),
                  instruction(Op::fork, 3, 2),
                  instruction(Op::fork, 4, 5),
                  instruction(Op::set_table, 6),
                  instruction(Op::set_table, 6),
                  instruction(Op::set_table, 6),
                  instruction(Op::test_indirect, 7),
                  instruction(Op::reached, kFail)};
  program.checks.push_back({1, 0, 0});
  refine(program);
  const Instruction& fan = program.code[1];
  ASSERT_EQ(fan.op, Op::fan);
  EXPECT_EQ(fan.c, 3U);
  EXPECT_EQ(program.code[fan.b].op, Op::lead);
  EXPECT_EQ(program.code[fan.b + 1].next, 7U);
}

}  // namespace
}  // namespace rgtrans::interpreter
