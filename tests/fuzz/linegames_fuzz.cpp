// Any text is read as the JSON definition of a line game.
#include "frontends/linegames/linegames.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rgtrans::fuzz {
namespace {

void target(std::string_view text) { load_and_format(linegames::frontend(), text); }
const Registration kRegistration("linegames", target);

}  // namespace
}  // namespace rgtrans::fuzz
