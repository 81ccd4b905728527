// Reads any text as RBG, macros included. The low-level form of a description is equal to its own low-level form.
#include "frontends/rbg/rbg.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::fuzz {
namespace {

void target(std::string_view text) {
  Diagnostics diagnostics;
  const std::string low = rbg::to_low_level(diagnostics.sources()->add("input", std::string(text)), diagnostics);
  check_messages(diagnostics);
  if (!diagnostics.has_errors()) {
    const std::string again = rbg::to_low_level(diagnostics.sources()->add("low", low), diagnostics);
    require(!diagnostics.has_errors() && again == low, "the low-level form is not its own",
            render(diagnostics.all(), *diagnostics.sources()) + low);
    rbg::straightness(diagnostics.sources()->add("low", low), diagnostics);
  }
  load_and_format(rbg::frontend(), text);
}
std::string any_rbg(test::Choices& choices) { return test::random_rbg(choices); }
const Registration kRegistration("rbg", target, {any_rbg, test::random_wide_rbg, test::random_board_rbg});

}  // namespace
}  // namespace rgtrans::fuzz
