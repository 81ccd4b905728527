// How far a run is: a bar that is redrawn on a terminal, a line a game elsewhere. On standard error.
#pragma once

#include <string>

#include "cli/batch/record.hpp"
#include "core/support/clock.hpp"

namespace rgtrans::batch {

class Progress {
 public:
  Progress(std::size_t total, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `fresh`: converted now, not taken over from an earlier run.
  void done(const Record& record, bool fresh);
  // Redraws the bar when it is time to.
  void tick();
  // The bar makes way for other output.
  void clear();

 private:
  void draw();

  std::size_t total_, done_ = 0, fresh_ = 0, failed_ = 0;
  bool quiet_, terminal_;
  std::string last_;
  Clock::time_point start_ = Clock::now(), drawn_{};
};

}  // namespace rgtrans::batch
