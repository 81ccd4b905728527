#include "core/ir/verifier.hpp"

#include "core/ir/verifier_parts.hpp"

namespace rgtrans::ir {

void verify(const Game& game, Diagnostics& diagnostics, const VerifyOptions& options) {
  if (!verify_declarations(game, diagnostics)) return;
  verify_labels(game, diagnostics);
  verify_graph(game, diagnostics, options);
  if (options.warnings) warn_unused(game, diagnostics);
}

}  // namespace rgtrans::ir
