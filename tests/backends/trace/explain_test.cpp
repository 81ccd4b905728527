// Why a node has a pragma.
#include <gmock/gmock.h>

#include "backends/trace/trace.hpp"
#include "tests/core/passes/small_games.hpp"

namespace rgtrans::trace {
namespace {

using testing::HasSubstr;

TEST(Explain, SaysWhy) {
  ir::Game g = passes::game("begin, q: player = p; q, l: ; l, l: x = f[x]; l, o: $$ x; o, end: player = keeper;");
  const std::string text = Explainer(g).text(g.find_node(g.symbols.intern("l")));
  EXPECT_THAT(text, HasSubstr("@unique: no, "));
  EXPECT_THAT(text, HasSubstr("@repeat: yes; x can distinguish"));
}

TEST(Explain, SaysWhatAnIteratorLacks) {
  auto explained = [](const std::string& text, const char* node) {
    ir::Game g = passes::game("const ok: T -> T -> { 0, 1 } = { 1: { 2: 1, :0 }, :{ :0 } }; " + text);
    return Explainer(g).text(g.find_node(g.symbols.intern(node)));
  };
  EXPECT_THAT(explained("begin, a: x = T(*); a, end: ok[y][x] == 1;", "begin"), HasSubstr("@iterator: yes"));
  EXPECT_THAT(explained("begin, a: x = T(*); a, end: ok[x][y] == 1;", "begin"),
              HasSubstr("@iterator: no, the choice is not"));
  EXPECT_THAT(explained("begin, end: y == 1;", "begin"), HasSubstr("@iterator: no, a choice"));
}

}  // namespace
}  // namespace rgtrans::trace
