// How far a run is: a bar that is redrawn on a terminal, a line a game elsewhere, unless progress is never shown. On
// standard error.
#pragma once

#include <string>

#include "cli/batch/record.hpp"
#include "core/support/clock.hpp"
#include "core/support/progress_line.hpp"

namespace rgtrans::batch {

class Progress {
 public:
  Progress(std::size_t total, ShowProgress when);

  // `fresh`: converted now, not taken over from an earlier run.
  void done(const Record& record, bool fresh);
  // Redraws the bar when it is time to.
  void tick() {
    line_.show([this] { return bar(); });
  }
  // The bar makes way for other output.
  void clear() { line_.clear(); }

 private:
  [[nodiscard]] std::string bar() const;

  std::size_t total_, done_ = 0, fresh_ = 0, failed_ = 0;
  ShowProgress when_;
  ProgressLine line_;
  std::string last_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace rgtrans::batch
