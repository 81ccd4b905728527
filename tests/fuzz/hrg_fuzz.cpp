// Any text is read as HRG.
#include "frontends/hrg/hrg.hpp"
#include "frontends/hrg/limits.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::fuzz {
namespace {

// Automata of usual limits take seconds.
bool set_limits() {
  constexpr std::uint64_t kMost = 20'000;
  return hrg::limits::edges.set(kMost) && hrg::limits::domain_elements.set(kMost) &&
         hrg::limits::statements.set(10 * kMost) && hrg::limits::table_cells.set(10 * kMost) &&
         hrg::limits::evaluation_steps.set(100 * kMost);
}

void target(std::string_view text) {
  static const bool limited = set_limits();
  require(limited, "the limits are refused", "");
  load_and_format(hrg::frontend(), text);
}
const Registration kRegistration("hrg", target,
                                 {test::random_hrg, test::random_wide_hrg, test::random_board_hrg,
                                  test::random_table_hrg});

}  // namespace
}  // namespace rgtrans::fuzz
