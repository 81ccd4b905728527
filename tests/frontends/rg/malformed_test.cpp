// Malformed texts with their exact messages (malformed/NAME.rg and NAME.expected; RGTRANS_UPDATE writes the latter).
// Also texts too large for a file here, which must be refused at once, without a crash.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>

#include "frontends/rg/rg.hpp"
#include "tests/support/instrumented.hpp"

namespace rgtrans::rg {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(RGTRANS_SOURCE_DIR) / "tests" / "frontends" / "rg" / "malformed";

std::string messages(const std::string& name, std::string text, const Frontend& language) {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add(name, std::move(text));
  language.load(file, diagnostics, {});
  EXPECT_TRUE(diagnostics.has_errors());
  for (const Diagnostic& d : diagnostics.all()) EXPECT_TRUE(d.where.known()) << d.message;
  return render(diagnostics.all(), *diagnostics.sources());
}

TEST(MalformedRg, GivesTheExpectedMessages) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    const fs::path& path = entry.path();
    if (path.extension() != ".rg" && path.extension() != ".json") continue;
    SCOPED_TRACE(path.filename().string());
    ++count;
    const Frontend& language = path.extension() == ".rg" ? frontend() : json_frontend();
    const std::string text = messages(path.filename().string(), read_file(path), language);
    const fs::path expected = fs::path(path).concat(".expected");
    if (std::getenv("RGTRANS_UPDATE") != nullptr) write_file(expected, text);
    EXPECT_EQ(read_file(expected), text);
  }
  EXPECT_GE(count, 40U);
}

std::string repeat(std::string_view part, std::size_t times) {
  std::string text;
  text.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

constexpr std::string_view kHead = "type Player = {p};\ntype Score = {0};\ntype T = {a};\n";

constexpr double kMostSeconds = 2 * kPatience;

struct Case {
  const char* name;
  std::function<std::string()> text;
  const char* message;  // part of the message
};

std::vector<Case> large_texts() {
  const std::string head(kHead);
  return {
      {"100 MB of {", [=] { return std::string(100 * kMillion, '{'); },
       "expected a definition, an edge or a pragma, found '{'"},
      {"100 MB of { in a value", [=] { return head + "var x: T = " + std::string(100 * kMillion, '{'); },
       "expected an entry or '}' in the map"},
      {"100 MB of (", [=] { return head + "a, b: T" + std::string(100 * kMillion, '('); },
       "expected an expression in the cast"},
      {"100 MB of a name", [=] { return std::string(100 * kMillion, 'a'); },
       "expected ',' after the node, found the end of the file"},
      {"100 MB of semicolons", [=] { return std::string(100 * kMillion, ';'); }, "found ';'"},
      {"100 MB of NUL", [=] { return std::string(100 * kMillion, '\0'); }, "control character 0x00"},
      {"100 MB of 0xff", [=] { return std::string(100 * kMillion, '\xff'); }, "the byte 0xff"},
      {"100 MB of white space", [=] { return std::string(100 * kMillion, ' '); }, "type Player is not defined"},
      {"100 MB of a comment", [=] { return std::string(100 * kMillion, '/'); }, "type Player is not defined"},
      {"100 MB of @", [=] { return std::string(100 * kMillion, '@'); }, "expected ';' after the pragma"},
      {"maps nested 1e6 deep",
       [=] { return head + "var x: T = " + repeat("{:", kMillion) + "a" + repeat("}", kMillion) + ";"; },
       "nested more than 256 levels deep"},
      {"casts nested 1e6 deep",
       [=] { return head + "a, b: x = " + repeat("T(", kMillion) + "x" + repeat(")", kMillion) + ";"; },
       "nested more than 256 levels deep"},
      {"accesses nested 1e6 deep",
       [=] { return head + "a, b: x == " + repeat("x[", kMillion) + "x" + repeat("]", kMillion) + ";"; },
       "nested more than 256 levels deep"},
      {"a million accesses in a row", [=] { return head + "a, b: x == x" + repeat("[x]", kMillion) + ";"; },
       "nested more than 256 levels deep"},
      {"a million arrows", [=] { return head + "type M = " + repeat("T -> ", kMillion) + "T;"; },
       "nested more than 256 levels deep"},
      {"a number of a million digits", [=] { return head + "@integer " + std::string(kMillion, '9') + " : a;"; },
       "the number is too large"},
      {"a million mistakes", [=] { return head + repeat("a, b c;\n", kMillion); },
       "expected ':' after the second node"},
      {"a million missing semicolons", [=] { return head + repeat("a, b: x = y\n", kMillion); }, "missing ';'"},
      {"a million unknown variables", [=] { return head + repeat("a, b: $$ none;\n", kMillion); },
       "variable none is not defined"},
      {"a million unknown types", [=] { return head + repeat("a, b: x = None(y);\n", kMillion); },
       "type None is not defined"},
      {"a million duplicate keys", [=] { return head + "var x: T = {" + repeat("a:a,", kMillion) + ":a};"; },
       "the key a occurs twice in the map"},
  };
}

// Measures processor time of this process, so that a busy machine has no influence.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const { return static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t start_ = std::clock();
};

TEST(MalformedRg, LargeTextsAreAnsweredAtOnce) {
  for (const Case& c : large_texts()) {
    SCOPED_TRACE(c.name);
    std::string input = c.text();
    const Stopwatch watch;
    const std::string text = messages("large.rg", std::move(input), frontend());
    EXPECT_LT(watch.seconds(), kMostSeconds);
    EXPECT_NE(text.find(c.message), std::string::npos) << text.substr(0, 2000);
    EXPECT_LT(text.size(), 100'000U);
    if (std::getenv("RGTRANS_TIMES") != nullptr) std::printf("%6.2f s  %s\n", watch.seconds(), c.name);
  }
}

TEST(MalformedJson, LargeTextsAreAnsweredAtOnce) {
  const std::vector<Case> cases = {
      {"100 MB of [", [=] { return std::string(100 * kMillion, '['); }, "nested more than"},
      {"100 MB of {", [=] { return std::string(100 * kMillion, '{'); }, "not JSON"},
      {"objects nested 1e6 deep", [=] { return repeat("{\"a\":", kMillion); }, "nested more than"},
      {"a list of 40 million numbers", [=] { return "[" + repeat("0,", 40 * kMillion) + "0]"; },
       "more than 32000000 JSON values"},
      {"a huge number", [=] { return "{\"x\": " + std::string(kMillion, '9') + "}"; }, "not JSON"},
      {"junk", [=] { return std::string(100 * kMillion, '\x80'); }, "not JSON"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    if (kSanitized && std::string_view(c.message).starts_with("more than")) continue;
    std::string input = c.text();
    const Stopwatch watch;
    const std::string text = messages("large.json", std::move(input), json_frontend());
    EXPECT_LT(watch.seconds(), kMostSeconds);
    EXPECT_NE(text.find(c.message), std::string::npos) << text.substr(0, 2000);
    if (std::getenv("RGTRANS_TIMES") != nullptr) std::printf("%6.2f s  %s\n", watch.seconds(), c.name);
  }
}

}  // namespace
}  // namespace rgtrans::rg
