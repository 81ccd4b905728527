// Any text is read as the JSON definition of a line game.
#include "frontends/linegames/linegames.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::fuzz {
namespace {

void target(std::string_view text) { load_and_format(linegames::frontend(), text); }
const Registration kRegistration("linegames", target, {test::random_line_game});

}  // namespace
}  // namespace rgtrans::fuzz
