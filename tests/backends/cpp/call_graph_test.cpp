#include "backends/cpp/call_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rgtrans::cpp {
namespace {

using testing::UnorderedElementsAre;

// A recursive function is outlined even in the smallest game, also if it calls itself by way of another one.
TEST(CallGraph, WhatCallsItselfIsApart) {
  const std::vector<std::string> functions = {
      "Here int helper(int a) {\n  return a;\n}\n",
      "Here int step(int a) {\n  return helper(a) + back(a);\n}\n",
      "Here int back(int a) {\n  return step(a);\n}\n",
      "Here int entry(int a) {\n  return step(a) + helper(a);\n}\n",
  };
  const CallGraph calls(functions, "Here ");
  EXPECT_THAT(calls.recursive(), UnorderedElementsAre("step", "back"));
  EXPECT_THAT(calls.apart({"entry"}), UnorderedElementsAre("step", "back"));
}

// In a larger game, functions with several callers and all entries are outlined, too.
TEST(CallGraph, WhatIsCalledFromSeveralPlacesOfALargeGameIsApart) {
  std::string body;
  for (int line = 0; line < 400; ++line) body += "  ++a;\n";
  const std::vector<std::string> functions = {
      "Here int once(int a) {\n" + body + "}\n",
      "Here int often(int a) {\n" + body + "}\n",
      "Here int entry(int a) {\n  return once(a) + often(a) + often(a);\n}\n",
  };
  EXPECT_THAT(CallGraph(functions, "Here ").apart({"entry"}), UnorderedElementsAre("often", "entry"));
}

// Short functions are copied, unless they are called from very many places.
TEST(CallGraph, WhatIsShortIsCopiedFewTimes) {
  std::string body, calls;
  for (int line = 0; line < 800; ++line) body += "  ++a;\n";
  for (int call = 0; call < 60; ++call) calls += "  often(a);\n";
  const std::vector<std::string> functions = {
      "Here int seldom(int a) {\n  return a;\n}\n",
      "Here int often(int a) {\n  return a;\n}\n",
      "Here int entry(int a) {\n" + body + calls + "  return seldom(a) + seldom(a);\n}\n",
  };
  EXPECT_THAT(CallGraph(functions, "Here ").apart({"entry"}), UnorderedElementsAre("often", "entry"));
}

}  // namespace
}  // namespace rgtrans::cpp
