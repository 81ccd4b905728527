#include "core/support/progress.hpp"

#include <utility>

namespace rgtrans {

namespace {

thread_local PhaseListener phase_listener;
thread_local const std::function<void()>* asking = nullptr;

}  // namespace

void listen_to_phases(PhaseListener listener) { phase_listener = std::move(listener); }

void tell_phase(const std::string& phase, Range where) {
  if (phase_listener) phase_listener(phase, where);
  check_wanted();
}

void check_wanted() {
  if (asking != nullptr) (*asking)();
}

WhileWanted::WhileWanted(std::function<void()> check)
    : check_(std::move(check)), outer_(std::exchange(asking, &check_)) {}
WhileWanted::~WhileWanted() { asking = outer_; }

}  // namespace rgtrans
