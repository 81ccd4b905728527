// A proof that does not hold: nothing is wrong with the input, the program is.
#pragma once

#include "core/support/diagnostics.hpp"

namespace rgtrans {

class ProofError : public Error {
 public:
  using Error::Error;
};

}  // namespace rgtrans
