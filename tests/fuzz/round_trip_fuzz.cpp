// The bytes are decisions of the generators of random games. The result is a well-formed description in some language,
// which must be read without a mistake and survive printing, formatting and reading back.
#include "frontends/gdl/gdl.hpp"
#include "frontends/hrg/hrg.hpp"
#include "frontends/linegames/linegames.hpp"
#include "frontends/ludax/ludax.hpp"
#include "frontends/rbg/rbg.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::fuzz {
namespace {

void target(std::string_view bytes) {
  test::Choices choices(std::span(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
  switch (choices.below(6)) {
    case 0:
      return load_and_format(rg::frontend(), test::random_game(choices, {.loose = true}), {.well_typed = false});
    case 1:
      return load_and_format(hrg::frontend(), test::random_hrg(choices));
    case 2:
      return load_and_format(rbg::frontend(), test::random_rbg(choices));
    case 3:
      return load_and_format(gdl::frontend(), test::random_gdl(choices));
    case 4:
      return load_and_format(ludax::frontend(), test::random_ludax(choices), {.well_typed = true});
    default:
      return load_and_format(linegames::frontend(), test::random_line_game(choices));
  }
}
const Registration kRegistration("round_trip", target);

}  // namespace
}  // namespace rgtrans::fuzz
