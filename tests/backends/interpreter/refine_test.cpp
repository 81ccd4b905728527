// Code is put together by hand and refined.
#include "backends/interpreter/refine.hpp"

#include <gtest/gtest.h>

#include <tuple>
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

TEST(Refine, ACycleOfTagsLeadsToNoMove) {
  MachineProgram program;
  program.code = {Instruction(), instruction(Op::visit, 2), instruction(Op::tag, 3), instruction(Op::tag, 2)};
  program.visits = {VisitSpec()};
  program.starts = {{.entry = 1, .deduplicate = false}};
  refine(program);
  ASSERT_NE(program.starts[0].quiet, kFail);
  EXPECT_EQ(program.code[program.starts[0].quiet].next, kFail);
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

Instruction with_cell(Instruction of, std::uint32_t cell) {
  (of.op == Op::set_constant ? of.k : of.a) = cell;
  return of;
}

TEST(Refine, WhatOnlySetsAndShowsUntilTheMoveIsCompleteIsATail) {
  MachineProgram program;
  program.code = {Instruction(),
                  instruction(Op::test_cell, 2),
                  instruction(Op::tag, 3),
                  with_cell(instruction(Op::tag_cell, 4), 7),
                  with_cell(instruction(Op::set_constant, 5), 7),
                  instruction(Op::move, kFail)};
  program.code[2].a = 11;
  program.starts = {{.entry = 1}};
  refine(program);
  EXPECT_EQ(program.code[1].op, Op::test_cell);
  const Instruction& tail = program.code[program.code[1].next];
  ASSERT_EQ(tail.op, Op::tail);
  const std::vector<std::uint32_t> tags(program.lists.begin() + tail.b, program.lists.begin() + tail.b + tail.c);
  EXPECT_EQ(tags, (std::vector<std::uint32_t>{11, 7 | kCellTag}));
  // Behind it stands what was there.
  Pc pc = tail.next;
  for (const Op op : {Op::tags, Op::set_constant, Op::move}) {
    EXPECT_EQ(program.code[pc].op, op);
    pc = program.code[pc].next;
  }
}

TEST(Refine, TagsThatFollowEachOtherAreOneInstruction) {
  MachineProgram program;
  program.code = {Instruction(), instruction(Op::tag, 2), with_cell(instruction(Op::tag_cell, 3), 7),
                  instruction(Op::reached, kFail)};
  program.code[1].a = 11;
  program.checks = {{.entry = 1}};
  refine(program);
  const Instruction& both = program.code[1];
  ASSERT_EQ(both.op, Op::tags);
  const std::vector<std::uint32_t> tags(program.lists.begin() + both.b, program.lists.begin() + both.b + both.c);
  EXPECT_EQ(tags, (std::vector<std::uint32_t>{11, 7 | kCellTag}));
  EXPECT_EQ(program.code[both.next].op, Op::reached);
}

TEST(Refine, AConstantIsPutWhereATableSays) {
  MachineProgram program;
  program.code = {Instruction(), instruction(Op::set_at, 2), instruction(Op::set_at, 3),
                  instruction(Op::reached, kFail)};
  program.operands = {{.mode = Mode::table, .a = 3, .b = 5}, {.mode = Mode::constant, .a = 8}, {.mode = Mode::cell}};
  program.code[1].b = 1;
  program.code[2].b = 2;
  program.checks = {{.entry = 1}};
  refine(program);
  const Instruction& put = program.code[1];
  EXPECT_EQ(put.op, Op::put);
  EXPECT_EQ(std::tuple(put.a, put.b, put.k, put.next), std::tuple(3U, 5U, 8U, 2U));
  EXPECT_EQ(program.code[2].op, Op::set_at);
}

// Of few members most pass where only one value is not wanted; that is of use where the first one decides a check.
TEST(Refine, MembersThatFailATestAreLookedFor) {
  for (const std::uint32_t members : {2U, 9U}) {
    for (const bool negated : {false, true}) {
      for (const bool decides : {false, true}) {
        MachineProgram program;
        program.code = {Instruction(), instruction(Op::any, 2),
                        negated ? instruction(Op::test_table2, kFail, 3) : instruction(Op::test_table2, 3),
                        decides ? instruction(Op::reached, kFail) : instruction(Op::set_cell, 4),
                        instruction(Op::reached, kFail)};
        program.code[1].c = members;
        program.lists.assign(members, 0);
        program.checks = {{.entry = 1}};
        refine(program);
        const bool looked_for = !negated || members == 9 || decides;
        EXPECT_EQ(program.code[1].e, looked_for ? kAsks : 0);
        EXPECT_EQ(program.code[1].alt, looked_for ? 3U : kFail);
      }
    }
  }
}

TEST(Refine, MembersThatFailOneOfSeveralTestsAreLookedFor) {
  MachineProgram program;
  program.code = {Instruction(), instruction(Op::any, 2), instruction(Op::test_table, 3),
                  instruction(Op::test_cell, kFail, 4), instruction(Op::reached, kFail)};
  program.lists = {0, 1};
  program.code[1].c = 2;
  program.checks = {{.entry = 1}};
  refine(program);
  EXPECT_EQ(program.code[1].e, kAsksMore);
  EXPECT_EQ(program.code[1].alt, 4U);
}

TEST(Refine, ATailBeginsBehindWhatItsTagsDependOn) {
  for (const bool by_address : {false, true}) {
    MachineProgram program;
    // The new value of the cell is unknown where the first of both begins.
    program.code = {Instruction(),
                    instruction(Op::test_cell, 2),
                    by_address ? instruction(Op::set_at, 3) : with_cell(instruction(Op::set_constant, 3), 7),
                    by_address ? with_cell(instruction(Op::tag_cell, 4), 7) : instruction(Op::set_table, 4),
                    by_address ? instruction(Op::move, kFail) : with_cell(instruction(Op::tag_cell, 5), 7),
                    instruction(Op::move, kFail)};
    if (by_address) program.code[2].k = 5, program.code[2].c = 3;
    if (!by_address) program.code[3].a = program.code[3].k = 7;
    program.operands = {{.mode = Mode::cell}};
    program.starts = {{.entry = 1}};
    refine(program);
    const Instruction& set = program.code[program.code[1].next];
    EXPECT_EQ(set.op, by_address ? Op::set_at : Op::set_constant);
    EXPECT_EQ(program.code[set.next].op, Op::tail);
  }
}

TEST(Refine, ATailShowsWhatItWillHaveSet) {
  MachineProgram program;
  program.code = {Instruction(), instruction(Op::test_cell, 2), instruction(Op::set_table2, 3),
                  with_cell(instruction(Op::tag_cell, 4), 7), instruction(Op::move, kFail)};
  Instruction& set = program.code[2];
  set.w = 4, set.a = 5, set.c = 20, set.e = 6, set.k = 7;
  program.starts = {{.entry = 1}};
  refine(program);
  const Instruction& tail = program.code[program.code[1].next];
  ASSERT_EQ(tail.op, Op::tail);
  ASSERT_EQ(tail.c, 1U);
  const std::uint32_t tag = program.lists[tail.b];
  ASSERT_EQ(tag & kValueTag, kValueTag);
  const Operand& shown = program.operands[tag - kValueTag];
  EXPECT_EQ(shown.mode, Mode::table2);
  EXPECT_EQ(std::tuple(shown.w, shown.a, shown.c, shown.e), std::tuple(4U, 5U, 20U, 6U));
  EXPECT_EQ(program.code[tail.next].op, Op::set_table2);
}

TEST(Refine, MovesThatNobodyReadsHaveNoTags) {
  MachineProgram program;
  program.code = {Instruction(), instruction(Op::tag, 2), instruction(Op::move, kFail)};
  program.starts = {{.entry = 1, .deduplicate = false, .listed = false},
                    {.entry = 1, .deduplicate = true, .listed = false}};
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
  EXPECT_EQ(program.code[fan.b].op, Op::fan_table_set);
  EXPECT_EQ(program.code[fan.b + 1].next, 7U);
}

// x = a[x]; where board[x] is 0, again, where it is 1, there.
MachineProgram ray() {
  MachineProgram program;
  program.code = {Instruction(), instruction(Op::set_table, 2), instruction(Op::jump_indirect, 0, 2),
                  instruction(Op::visit, 1), instruction(Op::reached, kFail)};
  program.code[1].a = program.code[1].k = program.code[2].a = 5;
  program.code[1].b = 17;
  program.code[3].k = 1;
  program.jumps = {3, 4};
  program.visits.emplace_back();
  program.checks.push_back({1, 0, 0});
  return program;
}

TEST(Refine, ARayIsOneStepOfADash) {
  MachineProgram program = ray();
  refine(program);
  const Instruction& dash = program.code[1];
  ASSERT_EQ(dash.op, Op::dash);
  EXPECT_EQ(dash.a, 5U);
  EXPECT_EQ(program.code[dash.alt].op, Op::set_table);
  ASSERT_GE(dash.next, program.dashes);
  const Instruction& step = program.code[dash.next];
  ASSERT_EQ(step.op, Op::step_jump_indirect);
  EXPECT_EQ(step.a, 17U);
  EXPECT_EQ(program.jumps[step.next], dash.next);  // without the visit
  EXPECT_EQ(program.jumps[step.next + 1], 4U);
}

TEST(Refine, AVisitThatAsksEndsADash) {
  MachineProgram program = ray();
  program.code[3].k = 0;
  refine(program);
  for (const Instruction& i : program.code) EXPECT_NE(i.op, Op::dash);
}

TEST(Refine, WhatNeverComesBackIsNoDash) {
  MachineProgram program = ray();
  program.code[3] = with_cell(instruction(Op::test_cell, 4), 5);
  refine(program);
  for (Pc pc = 0; pc < program.dashes; ++pc) EXPECT_NE(program.code[pc].op, Op::dash);
}

TEST(Refine, AForkLooksAheadWhereADashBegins) {
  MachineProgram program = ray();
  program.code.push_back(instruction(Op::fork, 4, 1));
  program.checks[0].entry = 5;
  refine(program);
  EXPECT_EQ(program.code[5].op, Op::ahead);
  EXPECT_EQ(program.code[5].a, 5U);
}

TEST(Refine, CellsOfMembersMakeARow) {
  MachineProgram program;
  program.code = {Instruction(), instruction(Op::any, 2), instruction(Op::test_indirect, 3),
                  instruction(Op::reached, kFail)};
  program.code[1].c = 3;
  program.code[1].a = program.code[2].a = 9;
  program.lists = {0, 1, 2};
  program.tables = {4, 5, 6};
  MachineProgram mixed = program;
  mixed.tables = {4, 6, 5};
  refine(program);
  refine(mixed);
  EXPECT_EQ(program.code[1].e, 1U);
  EXPECT_EQ(program.code[1].k, 4U + 1U);
  EXPECT_EQ(mixed.code[1].e, 1U);
  EXPECT_EQ(mixed.code[1].k, 0U);
}

}  // namespace
}  // namespace rgtrans::interpreter
