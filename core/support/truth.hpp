// Three-valued logic: the answer of a test that may be unable to decide.
#pragma once

#include <cstdint>

namespace rgtrans {

enum class Truth : std::uint8_t { no, yes, unknown };

[[nodiscard]] constexpr Truth truth_of(bool value) { return value ? Truth::yes : Truth::no; }
[[nodiscard]] constexpr Truth operator!(Truth truth) {
  return truth == Truth::unknown ? truth : truth_of(truth == Truth::no);
}

}  // namespace rgtrans
