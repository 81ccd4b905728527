// The one line on standard error in which a command shows how far it is. On a terminal it is redrawn and disappears;
// elsewhere each state is a line of its own. Every command that takes seconds shows its progress through this class.
#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "core/support/clock.hpp"

namespace rgtrans {

enum class ShowProgress { on_terminal, always, never };

// Threads may share it.
class ProgressLine {
 public:
  explicit ProgressLine(ShowProgress when);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Shows the text of `state` if the last one is old enough: a tenth of a second on a terminal, a second elsewhere.
  // `state` is called only then.
  void show(const std::function<std::string()>& state);
  // Removes the line before other output.
  void clear();

  [[nodiscard]] bool redraws() const { return redraws_; }  // on a terminal
  [[nodiscard]] bool shows() const { return shows_; }

 private:
  bool redraws_, shows_;
  bool drawn_ = false;  // a line is on the terminal
  std::mutex mutex_;
  Clock::time_point next_{};
};

}  // namespace rgtrans
