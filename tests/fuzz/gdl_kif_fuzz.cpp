// Any text is read as GDL, with seeds and a dictionary of the prefix notation.
#include "tests/fuzz/gdl.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::fuzz {
namespace {

const Registration kRegistration("gdl_kif", read_gdl, {test::random_gdl, test::random_board_gdl});

}  // namespace
}  // namespace rgtrans::fuzz
