// Functions as data, and their printer.
#include "backends/cpp/functions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace rgtrans::cpp {
namespace {

using enum Parameter::Role;

Parameters of_moves() { return {{state, "s"}, {cache, "c"}, {out, "out"}, {moved, "moved"}, {value, "x"}}; }

TEST(Functions, DeclarationDefinitionAndCallAgree) {
  FunctionTable table("");
  const FunctionId id = table.create("moves_7", Purpose::moves);
  FunctionRecord& function = table.at(id);
  function.result = FunctionRecord::Result::moves;
  function.parameters = of_moves();
  function.any_output = true;
  function.comment = "node 7";
  function.body.set_indent(1);
  function.body.line("return out;");
  EXPECT_EQ(table.declaration(id),
            "template <class Out> Out moves_7(State& s, Cache& c, Out out, Packed moved, unsigned x);");
  EXPECT_EQ(table.definition(id),
            "// node 7\ntemplate <class Out>\nOut moves_7(State& s, Cache& c, Out out, Packed moved, unsigned x) {\n"
            "  return out;\n}\n\n");
  EXPECT_EQ(table.instantiation(id, "Drawn"),
            "template Drawn moves_7(State& s, Cache& c, Drawn out, Packed moved, unsigned x);");
  const auto value_of = [](const Parameter& parameter) -> std::string {
    return parameter.role == moved ? "0" : parameter.role == value ? "s.x" : parameter.name;
  };
  EXPECT_EQ(table.print(table.call(id) + "(" + print_arguments(of_moves(), value_of) + ")"),
            "moves_7(s, c, out, 0, s.x)");
}

TEST(Functions, ACompilerForADeviceIsToldOfRecursion) {
  FunctionTable table("HERE ");
  const FunctionId id = table.create("check_1", Purpose::check);
  table.at(id).parameters = {{state, "s"}, {value, "x", "Start<2>"}};
  EXPECT_EQ(table.definition(id, {.apart = true, .recursive = true}),
            "REASONER_APART HERE bool check_1(State& s, Start<2> x) {\n  const Deeper deeper(c);\n"
            "  if (!deeper.fits) return false;\n}\n\n");
}

// The name that a reference has in the end is printed, whatever it was when the code was written.
TEST(Functions, CallsFollowReplacements) {
  FunctionTable table("");
  const FunctionId first = table.create("first", Purpose::check), second = table.create("second", Purpose::check);
  const Code code = table.call(second) + "(" + table.call(first) + "())";
  EXPECT_EQ(table.print(code), "second(first())");
  table.redirect(second, first);
  EXPECT_EQ(table.print(code), "first(first())");
}

TEST(Code, JumpsToOtherPartsBecomeCalls) {
  FunctionTable table("");
  const FunctionId part = table.create("part", Purpose::apply);
  Text text;
  text.line("if (a) " + Code::jump(7) + ";");
  text.line(table.call(part) + "(" + Code::jump(12) + ");");
  const Text linked = text.with_jumps(
      [&](std::uint32_t node) { return node == 12 ? "return " + table.call(part) + "(s, 12)" : Code::jump(node); });
  EXPECT_EQ(table.print(linked), "if (a) goto at_7;\npart(return part(s, 12));\n");
  EXPECT_EQ(linked.lines(), 2U);
}

// Otherwise a name would be missing in a file.
TEST(Code, TextWithReferencesIsNotPrintedWithoutNames) {
  Text text;
  text.line(Code::jump(7));
  EXPECT_THROW(text.take(), std::logic_error);
}

TEST(Code, WordsReadForAnyNumber) {
  WordCode word("kAll[", "]");
  word += WordCode(" & ");
  word += WordCode("cells(", ")");
  EXPECT_EQ(word.at("0"), "kAll[0] & cells(0)");
  EXPECT_EQ(word.at("word"), "kAll[word] & cells(word)");
  EXPECT_TRUE(WordCode().empty());
}

}  // namespace
}  // namespace rgtrans::cpp
