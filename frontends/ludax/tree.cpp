#include "frontends/ludax/tree.hpp"

#include "frontends/ludax/actions.hpp"

namespace rgtrans::ludax {

std::vector<Node> read_tree(const Sources::File& file, Diagnostics& diagnostics) {
  namespace p = tao::pegtl;
  p::memory_input<p::tracking_mode::lazy> input(file.text.data(), file.text.data() + file.text.size(), file.name);
  TreeBuilder builder(file);
  try {
    p::parse<grammar::description, RuleAction, grammar::Control>(input, builder);
  } catch (const SyntaxStop& stop) {
    diagnostics.error(file.range(stop.begin, stop.end), stop.message, stop.hint);
    return {};
  }
  return builder.result();
}

}  // namespace rgtrans::ludax
