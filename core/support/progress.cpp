#include "core/support/progress.hpp"

#include <utility>

namespace rgtrans {

namespace {

thread_local PhaseListener phase_listener;

}  // namespace

void listen_to_phases(PhaseListener listener) { phase_listener = std::move(listener); }

void tell_phase(const std::string& phase, Range where) {
  if (phase_listener) phase_listener(phase, where);
}

}  // namespace rgtrans
