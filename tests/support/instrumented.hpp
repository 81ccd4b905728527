// How this program was compiled: under a sanitizer everything is slower by an order of magnitude and memory means less,
// and counters of coverage take their time. Tests then read shorter texts and are given more time.
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
// Only where the program is instrumented are its tests compiled without optimization.
#if defined(__OPTIMIZE__)
constexpr bool kInstrumented = kSanitized;
#else
constexpr bool kInstrumented = true;
#endif
// Parts of a large text: fewer where everything is slower by an order of magnitude.
constexpr std::size_t kMillion = kSanitized ? 10'000 : 1'000'000;
// Such a limit for a test: it is met by a text that is as much shorter.
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

// Times that are allowed in an ordinary build, times this.
constexpr double kPatience = kSanitized ? 20 : kInstrumented ? 5 : 1;

}  // namespace rgtrans
