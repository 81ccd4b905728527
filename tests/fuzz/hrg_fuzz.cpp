// Any text is read as HRG.
#include "frontends/hrg/hrg.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::fuzz {
namespace {

void target(std::string_view text) { load_and_format(hrg::frontend(), text); }
const Registration kRegistration("hrg", target,
                                 {test::random_hrg, test::random_wide_hrg, test::random_board_hrg,
                                  test::random_table_hrg});

}  // namespace
}  // namespace rgtrans::fuzz
