// Any text is read as the JSON form of RG.
#include "backends/json/json.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::fuzz {
namespace {

void target(std::string_view text) { load_and_format(rg::json_frontend(), text, {.well_typed = false}); }
std::string game_as_json(test::Choices& choices) {
  return json::print(rg::parse_game(test::random_game(choices, {.loose = true})));
}
const Registration kRegistration("rg_json", target, {game_as_json});

}  // namespace
}  // namespace rgtrans::fuzz
