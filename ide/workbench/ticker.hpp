// Progress is reported at intervals, not for every step.
#pragma once

#include "core/support/clock.hpp"

namespace rgtrans::ide {

class Ticker {
 public:
  bool due() {
    constexpr double kPeriod = 0.15;  // seconds
    if (seconds_since(last_) < kPeriod) return false;
    last_ = Clock::now();
    return true;
  }

 private:
  Clock::time_point last_ = Clock::now();
};

}  // namespace rgtrans::ide
