#include "backends/trace/trace.hpp"

#include <gmock/gmock.h>

#include "frontends/rg/rg.hpp"

namespace rgtrans::trace {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Trace, IsOnePage) {
  ir::Game game = rg::parse_game(
      "type Player = {p}; type Score = {0}; type T = {0, 1};\nvar x: T = 0;\n"
      "begin, a: ; a, b: T(x) == 1; b, end: player = keeper;");
  Page page("a < b");
  passes::OptimizeOptions options;
  options.keep_before = true;
  options.on_change = [&](const passes::PassEvent& event) { page.add(event); };
  passes::optimize(game, options);
  const std::string html = page.html();
  EXPECT_THAT(html, HasSubstr("a &lt; b"));
  EXPECT_THAT(html, HasSubstr("\"pass\":\"strip-casts\""));
  EXPECT_THAT(html, HasSubstr("<template id=\"d0\"><svg"));
  EXPECT_THAT(html, Not(HasSubstr("src=")));
  EXPECT_THAT(html, Not(HasSubstr("@STEPS@")));
}

}  // namespace
}  // namespace rgtrans::trace
