// Reads, checks and lays out any text as Ludax. The tables of a translation grow with the square of the board and take
// a thousand times as long. So descriptions on small boards are translated, printed and read again if they have no
// mistake, larger ones only sometimes. The text itself decides, so an input always does the same.
#include <functional>

#include "frontends/ludax/check.hpp"
#include "frontends/ludax/format.hpp"
#include "frontends/ludax/ludax.hpp"
#include "frontends/ludax/reader.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::fuzz {
namespace {

constexpr int kSmallBoard = 30;
constexpr std::size_t kOneOf = 16;         // so many small games one is translated
constexpr std::size_t kOneOfLarge = 1024;  // and so many large ones

bool is_translated(const ludax::ast::Description& description, std::string_view text) {
  const std::size_t chance = description.board.size() <= kSmallBoard ? kOneOf : kOneOfLarge;
  return std::hash<std::string_view>()(text) % chance == 0;
}

void target(std::string_view text) {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add("input", std::string(text));
  const auto description = ludax::read_description(file, diagnostics);
  if (description) ludax::check(*description, diagnostics);
  check_messages(diagnostics);
  require(description.has_value() || diagnostics.has_errors(), "no description and no message", "");
  if (!description) return;
  if (!diagnostics.has_errors() && is_translated(*description, text)) return load_and_format(ludax::frontend(), text);
  lay_out(ludax::frontend(), text);
}
const Registration kRegistration("ludax", target, {test::random_ludax});

}  // namespace
}  // namespace rgtrans::fuzz
