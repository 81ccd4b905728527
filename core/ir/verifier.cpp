#include "core/ir/verifier.hpp"
namespace rgtrans::ir {
void verify(Game&, Diagnostics&, const VerifyOptions&) {}
}  // namespace rgtrans::ir
