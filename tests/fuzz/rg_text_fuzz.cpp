// Reads any text as RG. Its verifier checks types later, so an accepted text need not be well typed.
#include "frontends/rg/rg.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::fuzz {
namespace {

void target(std::string_view text) { load_and_format(rg::frontend(), text, {.well_typed = false}); }
std::string any_game(test::Choices& choices) { return test::random_game(choices, {.loose = true}); }
const Registration kRegistration("rg_text", target, {any_game, test::random_wide_game});

}  // namespace
}  // namespace rgtrans::fuzz
