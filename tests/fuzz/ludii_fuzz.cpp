// Reads and lays out any text as Ludii. Tables of a translation grow with the square of the board and take long, so
// only descriptions on small boards are translated, and of those a part that the text itself chooses.
#include <functional>

#include "frontends/ludii/description.hpp"
#include "frontends/ludii/equipment/equipment.hpp"
#include "frontends/ludii/ludii.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::fuzz {
namespace {

constexpr int kSmallBoard = 30;
constexpr std::size_t kOneOf = 8;  // so many small games one is translated

// False if the description has mistakes. Everything but Refused is a finding.
bool is_small(std::string_view text) {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add("input.lud", std::string(text));
  try {
    const ludii::Description description = ludii::read_description(file, *diagnostics.sources());
    const ludii::Equipment equipment = ludii::read_equipment(*description.players, *description.equipment);
    return equipment.board_size() <= kSmallBoard;
  } catch (const ludii::Refused& refused) {
    diagnostics.error(refused.where, refused.what(), refused.hint);
    check_messages(diagnostics);
    return false;
  }
}

void target(std::string_view text) {
  if (is_small(text) && std::hash<std::string_view>()(text) % kOneOf == 0)
    return load_and_format(ludii::frontend(), text);
  lay_out(ludii::frontend(), text);
}
const Registration kRegistration("ludii", target, {test::random_ludii});

}  // namespace
}  // namespace rgtrans::fuzz
