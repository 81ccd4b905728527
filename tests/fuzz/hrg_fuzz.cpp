// Any text is read as HRG.
#include "frontends/hrg/hrg.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rgtrans::fuzz {
namespace {

void target(std::string_view text) { load_and_format(hrg::frontend(), text); }
const Registration kRegistration("hrg", target);

}  // namespace
}  // namespace rgtrans::fuzz
