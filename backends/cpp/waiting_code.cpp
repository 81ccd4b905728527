// Where moves are drawn, walks wait (waiting.cpp): what they have come to is kept, and what follows is left to be asked
// of the one that is drawn.
#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>

#include "backends/cpp/writer.hpp"
#include "core/support/letters.hpp"

namespace rgtrans::cpp {

// A walk that waits keeps what it has written.
void CodeWriter::note_write(std::uint32_t node, std::string_view cell) {
  if (keeps_writes(node)) scope_.text.line(fmt::format("out = note_write(c, out, {});", cell));
}

void CodeWriter::forget_write(std::uint32_t node) {
  if (keeps_writes(node)) scope_.text.line("out = forget_write(out);");
}

bool CodeWriter::keeps_writes(std::uint32_t node) const {
  return context_.purpose == Purpose::moves && shared_.any_output() && facts_.waits_ahead[node];
}

namespace {

// The text of a value means the same everywhere: a number or a symbol of the game.
bool means_the_same(const std::string& value) {
  return !value.empty() && (value.find("::") != std::string::npos || (value[0] >= '0' && value[0] <= '9')) &&
         value.find_first_of("[(") == std::string::npos;
}

}  // namespace

// What follows is written once, as a function of all that it needs, which lists, and what waits is asked by.
void CodeWriter::write_values(std::uint32_t choice, const std::string& x, std::size_t words, const std::string& mask,
                              const std::function<std::uint32_t()>& body, const DrawnValues* drawn) {
  const std::vector<std::string> env = scope_.env;
  const std::string moved = scope_.moved;
  const std::string count = scope_.count;
  const std::string epoch = scope_.epoch;
  const bool counted = !all_digits(count);
  std::string parameters = ", Packed moved";
  std::string given = ", " + moved;
  std::string kept = ", w.moved";
  std::string values;
  std::size_t number = 0;
  const auto hand_over = [&](const std::string& name, const std::string& value) {
    parameters += ", unsigned " + name;
    given += ", " + value;
    kept += fmt::format(", w.values[{}]", number++);
    values += ", " + value;
  };
  scope_.moved = "moved";
  if (counted) scope_.count = "count";
  if (counted) hand_over("count", count);
  if (context_.at(choice).reaches_test) {
    // No labeling is found twice, so that all visits before were of other walks.
    parameters += ", std::uint32_t epoch";
    given += ", " + (epoch.empty() ? std::string("c.next_epoch()") : epoch);
    kept += ", c.next_epoch()";
    scope_.epoch = "epoch";
  }
  for (const VarId v : facts_.parameters(context_, choice)) {
    const std::string& value = env[v.value];
    if (value.empty() || value == x || means_the_same(value)) continue;
    hand_over(model_.identifiers[v.value], value);
    scope_.env[v.value] = model_.identifiers[v.value];
  }

  Text before = std::exchange(scope_.text, Text());
  const std::size_t outside = std::exchange(scope_.outside, scope_.outside + before.str().size());
  std::set<std::uint32_t> cached = std::exchange(scope_.cached, {});
  scope_.text.set_indent(before.indent() + 2);
  const std::uint32_t most = body();
  std::swap(scope_.text, before);
  std::swap(scope_.cached, cached);
  scope_.outside = outside;
  scope_.env = env;
  scope_.moved = moved;
  scope_.count = count;
  scope_.epoch = epoch;

  const std::string behind = expressions_.fresh("behind");
  const std::string ways = expressions_.fresh("mask");
  const std::string word = words == 1 ? "0" : expressions_.fresh("word");
  const std::string first = words == 1 ? "0" : "64 * " + word;
  std::string bits = mask;
  boost::replace_all(bits, "$word", word);
  scope_.text.open("{");
  scope_.text.open(fmt::format("static constexpr auto {} = [](State& s, Cache& c, auto out{}, unsigned {}) {{", behind,
                               parameters, x));
  for (const std::uint32_t v : cached)
    scope_.text.line(fmt::format("const unsigned {0} = s.{0};", model_.identifiers[v]));
  scope_.text.raw(before.str());
  scope_.text.line("return out;");
  scope_.text.close("};");
  if (drawn != nullptr) drawn->prepare(behind);
  if (words > 1) scope_.text.open(fmt::format("for (unsigned {0} = 0; {0} < {1}; ++{0}) {{", word, words));
  scope_.text.line(fmt::format("std::uint64_t {} = {};", ways, bits));
  if (drawn != nullptr) {
    scope_.text.open("if constexpr (decltype(out)::kCandidates) {");
    scope_.text.line(drawn->add(ways, first));
  } else if (most > 0) {
    shared_.waiting_in.insert(scope_.node);
    scope_.text.open("if constexpr (decltype(out)::kCandidates) {");
    scope_.text.line(
        fmt::format("out = add_waiting_set(s, c, out, [](State& s, Cache& c, Output out, const Waiting& w, unsigned x) "
                    "{{ return {}(s, "
                    "c, out{}, x); }}, {}, {}, {}, {}{});",
                    behind, kept, moved, ways, first, most, values));
  }
  const bool lists = most > 0 || drawn != nullptr;
  if (lists) scope_.text.close("} else {");
  if (lists) scope_.text.set_indent(scope_.text.indent() + 1);
  scope_.text.line(fmt::format("for (; {0} != 0; {0} &= {0} - 1) out = {1}(s, c, out{2}, {3}lowest_bit({0}));", ways,
                               behind, given, words == 1 ? "" : first + " + "));
  if (lists) scope_.text.close();
  if (words > 1) scope_.text.close();
  scope_.text.close();
}

// Where moves are drawn, what follows is left to be asked of the one that is drawn.
void SearchWriter::write_waiting(std::uint32_t node) {
  shared_.waiting_in.insert(scope_.node);
  const std::string now = call(node);
  std::string values;
  std::string kept;
  std::size_t count = 0;
  const auto keep = [&](const std::string& value) {
    kept += fmt::format(", w.values[{}]", count++);
    values += ", " + value;
  };
  kept = ", w.moved";
  if (!plan_.tags_static(node)) keep(scope_.count);
  // No labeling is found twice, so that all visits before were of other walks.
  if (context_.at(node).reaches_test) kept += ", c.next_epoch()";
  for (const VarId v : facts_.parameters(context_, node)) keep(expressions_.variable(v));
  scope_.text.open("if constexpr (decltype(out)::kCandidates) {");
  scope_.text.line(fmt::format(
      "out = add_waiting(s, c, out, [](State& s, Cache& c, Output out, const Waiting& w, unsigned) {{ return "
      "{}(s, c, out{}); }}, {}{});",
      function_name(node), kept, scope_.moved, values));
  scope_.text.close("} else {");
  scope_.text.line("  out = " + now + ";");
  scope_.text.line("}");
}

}  // namespace rgtrans::cpp
