// The numeric value of a score. Scores are symbols; statistics, players and solvers need numbers.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

#include "core/support/letters.hpp"

namespace rgtrans {

// The number that a name denotes. "50" is 50: digits, and nothing else, are a number in RG, so "1e2" and "0x10" are
// names. S(3), which RG writes S__3, is 3: an element with one number denotes that number. Other names have none.
[[nodiscard]] inline std::optional<double> score_number(std::string_view score) {
  if (const auto mark = score.find("__"); mark != std::string_view::npos && mark > 0 && is_letter(score[0])) {
    score.remove_prefix(mark + 2);
  }
  if (score.empty() || !all_digits(score)) return std::nullopt;
  double value = 0;
  const auto [end, problem] = std::from_chars(score.data(), score.data() + score.size(), value);
  if (problem != std::errc() || end != score.data() + score.size()) return std::nullopt;
  return value;
}

// The number of a score, or 0 for a name without one.
[[nodiscard]] inline double score_value(std::string_view score) { return score_number(score).value_or(0); }

}  // namespace rgtrans
