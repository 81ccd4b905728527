// Any text is read as the JSON form of RG.
#include "frontends/rg/rg.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rgtrans::fuzz {
namespace {

void target(std::string_view text) { load_and_format(rg::json_frontend(), text, {.well_typed = false}); }
const Registration kRegistration("rg_json", target);

}  // namespace
}  // namespace rgtrans::fuzz
