// Any text is read as Ludax.
#include "frontends/ludax/ludax.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rgtrans::fuzz {
namespace {

void target(std::string_view text) { load_and_format(ludax::frontend(), text); }
const Registration kRegistration("ludax", target);

}  // namespace
}  // namespace rgtrans::fuzz
