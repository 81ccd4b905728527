// Long work of a command: after two seconds a line on the terminal shows the progress, and Ctrl-C ends the work with
// the result so far. A second Ctrl-C ends the program.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "core/support/clock.hpp"
#include "core/support/following.hpp"
#include "core/support/progress_line.hpp"

namespace rgtrans::cli {

class Watch {
 public:
  // Shows `what` until the work reports progress; no other Watch exists.
  Watch(ShowProgress when, std::string what);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Lives as long as this.
  [[nodiscard]] Following following();
  // Somebody has pressed Ctrl-C.
  [[nodiscard]] static bool interrupted();
  // Ends the work like Ctrl-C, but not because of it.
  static void stop();
  // Before other output on the terminal.
  void clear() { line_.clear(); }

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::string state_;
  ProgressLine line_;
  Clock::time_point begin_ = Clock::now();
  std::thread thread_;  // where there is somebody to show it to
};

}  // namespace rgtrans::cli
