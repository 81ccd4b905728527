#include "core/support/progress.hpp"

#include <utility>

namespace rgtrans {

namespace {

thread_local PhaseListener current;

}  // namespace

void listen_to_phases(PhaseListener listener) { current = std::move(listener); }

void tell_phase(const std::string& phase, Range where) {
  if (current) current(phase, where);
}

}  // namespace rgtrans
