// Build properties of this program. Sanitizers slow it down by an order of magnitude and distort memory figures, and
// counters of coverage take time. Tests then read shorter texts and get more time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/support/limits.hpp"

namespace rgtrans {

#if defined(__has_feature)
constexpr bool kWatchesMemory = __has_feature(address_sanitizer);
constexpr bool kWatchesThreads = __has_feature(thread_sanitizer);
#else
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kWatchesMemory = true;
#else
constexpr bool kWatchesMemory = false;
#endif
#if defined(__SANITIZE_THREAD__)
constexpr bool kWatchesThreads = true;
#else
constexpr bool kWatchesThreads = false;
#endif
#endif

constexpr bool kSanitized = kWatchesMemory || kWatchesThreads;
// Tests are compiled without optimization only in instrumented builds.
#if defined(__OPTIMIZE__)
constexpr bool kInstrumented = kSanitized;
#else
constexpr bool kInstrumented = true;
#endif
// The number of parts in a large text; smaller under a sanitizer.
constexpr std::size_t kMillion = kSanitized ? 10'000 : 1'000'000;
// Scales a limit down accordingly, so that a shorter text exceeds it.
class ScaledLimit {
 public:
  explicit ScaledLimit(Limit& limit) : limit_(limit), before_(limit.value()) {
    limit.set(limit.standard() * kMillion / 1'000'000);
  }
  ~ScaledLimit() { limit_.set(before_); }
  ScaledLimit(const ScaledLimit&) = delete;
  ScaledLimit& operator=(const ScaledLimit&) = delete;

 private:
  Limit& limit_;
  std::uint64_t before_;
};

// The factor for time limits of ordinary builds.
constexpr double kPatience = kSanitized ? 20 : kInstrumented ? 5 : 1;

}  // namespace rgtrans
