#include "backends/cpp/call_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rgtrans::cpp {
namespace {

using testing::UnorderedElementsAre;

// Functions that consist of some lines and of calls.
struct Callers {
  FunctionTable table{"Here "};

  FunctionId create(const std::string& name) { return table.create(name, Purpose::apply); }
  void define(FunctionId id, const std::vector<FunctionId>& calls, int lines = 1) {
    Text body;
    for (int line = 0; line < lines; ++line) body.line("++a;");
    for (const FunctionId callee : calls) body.line(table.call(callee) + "(a);");
    table.at(id).body = std::move(body);
    table.define(id);
  }
};

// A recursive function is outlined even in the smallest game, also if it calls itself by way of another one.
TEST(CallGraph, WhatCallsItselfIsApart) {
  Callers p;
  const FunctionId helper = p.create("helper"), step = p.create("step"), back = p.create("back"),
                   entry = p.create("entry");
  p.define(helper, {});
  p.define(step, {helper, back});
  p.define(back, {step});
  p.define(entry, {step, helper});
  const CallGraph calls(p.table);
  EXPECT_THAT(calls.recursive(), UnorderedElementsAre(step, back));
  EXPECT_THAT(calls.apart({entry}), UnorderedElementsAre(step, back));
}

// In a larger game, functions with several callers and all entries are outlined, too.
TEST(CallGraph, WhatIsCalledFromSeveralPlacesOfALargeGameIsApart) {
  Callers p;
  const FunctionId once = p.create("once"), often = p.create("often"), entry = p.create("entry");
  p.define(once, {}, 400);
  p.define(often, {}, 400);
  p.define(entry, {once, often, often});
  EXPECT_THAT(CallGraph(p.table).apart({entry}), UnorderedElementsAre(often, entry));
}

// Short functions are copied, unless they are called from very many places.
TEST(CallGraph, WhatIsShortIsCopiedFewTimes) {
  Callers p;
  const FunctionId seldom = p.create("seldom"), often = p.create("often"), entry = p.create("entry");
  std::vector<FunctionId> calls(60, often);
  calls.insert(calls.end(), {seldom, seldom});
  p.define(seldom, {});
  p.define(often, {});
  p.define(entry, calls, 800);
  EXPECT_THAT(CallGraph(p.table).apart({entry}), UnorderedElementsAre(often, entry));
}

// Comments cost a compiler nothing, so names of the author do not decide what is outlined.
TEST(CallGraph, CommentsAreNoLines) {
  Callers p;
  const FunctionId entry = p.create("entry");
  p.define(entry, {}, 3);
  const std::uint64_t before = CallGraph(p.table).lines({entry});
  p.table.at(entry).body.comment("a long story");
  p.table.at(entry).body.line("");
  EXPECT_EQ(CallGraph(p.table).lines({entry}), before);
  p.table.at(entry).body.line("return a;");
  EXPECT_EQ(CallGraph(p.table).lines({entry}), before + 1);
}

}  // namespace
}  // namespace rgtrans::cpp
