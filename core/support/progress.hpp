// Progress and cancellation of a long conversion. A supervisor that kills the conversion can report its last phase; an
// editor cancels it when the user types.
#pragma once

#include <functional>
#include <string>

#include "core/support/source.hpp"

namespace rgtrans {

// Receives each phase in words ("grounding, 3000000 rules so far") and, if known, the place in the text that the phase
// processes.
using PhaseListener = std::function<void(const std::string& phase, Range where)>;

// Sets the listener of this thread. Initially there is none.
void listen_to_phases(PhaseListener listener);
void tell_phase(const std::string& phase, Range where = {});

// Long work calls this every few milliseconds, at places where an exception may abandon it because nobody uses its
// partial results. Without a check installed, the call costs almost nothing.
void check_wanted();

// While this object lives, check_wanted() on this thread calls `check`, which throws to cancel the work.
class WhileWanted {
 public:
  explicit WhileWanted(std::function<void()> check);
  ~WhileWanted();
  WhileWanted(const WhileWanted&) = delete;
  WhileWanted& operator=(const WhileWanted&) = delete;

 private:
  std::function<void()> check_;
  const std::function<void()>* outer_;
};

}  // namespace rgtrans
