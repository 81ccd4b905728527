// What makes reasoners fast, one thing at a time: each can be left out, to measure what it is worth. Reasoners play the
// same games without.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace rgtrans::cpp {

// In the order in which docs/reasoner-internals.md explains them.
enum class Technique : std::uint8_t {
  choices,   // cycles and computed choices become one choice (with_direct_choices)
  values,    // what variables and cells can hold is followed (values.hpp)
  loops,     // conditions behind a choice are masks (loops.cpp)
  sets,      // walks are followed for all values at once (sets.hpp)
  targets,   // walks of one variable are tables of targets (target_code.cpp)
  guesses,   // one value is asked before all are (guess_code.cpp)
  waiting,   // walks wait until they are drawn (waiting.cpp)
  tables,    // ways are told apart by a tag and a value (straight.cpp)
  numbers,   // moves are packed into one integer
  patterns,  // checks are lists of cells (patterns.hpp)
  planes,    // boards are kept as sets of cells, too (bit_planes.hpp)
  memory,    // playouts remember states
  turns      // … and go on side by side
};
inline constexpr std::array<std::string_view, 13> kTechniques = {"choices", "values",  "loops",  "sets",    "targets",
                                                                 "guesses", "waiting", "tables", "numbers", "patterns",
                                                                 "planes",  "memory",  "turns"};

class Techniques {
 public:
  [[nodiscard]] bool use(Technique technique) const { return (without_ >> static_cast<unsigned>(technique) & 1U) == 0; }
  // False when there is none of this name.
  bool leave_out(std::string_view name) {
    for (unsigned i = 0; i < kTechniques.size(); ++i) {
      if (kTechniques[i] != name) continue;
      without_ |= 1U << i;
      return true;
    }
    return false;
  }

 private:
  std::uint32_t without_ = 0;
};

}  // namespace rgtrans::cpp
