#include "frontends/rg/actions.hpp"
#include "frontends/rg/grammar.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans::rg {

ast::Program parse(const Sources::File& file, Diagnostics& diagnostics, bool keep_comments) {
  Builder builder(file, diagnostics, keep_comments);
  grammar::peg::memory_input<grammar::peg::tracking_mode::lazy> input(file.text.data(),
                                                                      file.text.data() + file.text.size(), "");
  try {
    grammar::peg::parse<grammar::file, RuleAction, Control>(input, builder);
  } catch (const Builder::Enough&) {
    // All mistakes have been reported.
  }
  return std::move(builder.program);
}

}  // namespace rgtrans::rg
