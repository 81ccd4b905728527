// A proof of the program failed: the program has a bug; the input has none.
#pragma once

#include "core/support/diagnostics.hpp"

namespace rgtrans {

class ProofError : public Error {
 public:
  using Error::Error;
};

}  // namespace rgtrans
