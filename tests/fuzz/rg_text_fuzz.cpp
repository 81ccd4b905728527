// Any text is read as RG. Its own verifier judges types later, so that what is read need not be well typed.
#include "frontends/rg/rg.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rgtrans::fuzz {
namespace {

void target(std::string_view text) { load_and_format(rg::frontend(), text, {.well_typed = false}); }
const Registration kRegistration("rg_text", target);

}  // namespace
}  // namespace rgtrans::fuzz
