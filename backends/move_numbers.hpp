// Maps the moves of a reasoner to their numbers in an action space, without converting them to text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "backends/reasoner.hpp"
#include "core/analysis/analysis.hpp"
#include "core/support/support.hpp"

namespace rgtrans {

// For reasoners of one engine and one game, whose tags have the same numbers.
class MoveNumbers {
 public:
  explicit MoveNumbers(const analysis::ActionSpace& space) : space_(space) {}

  // The tags of a listed move as positions in the action space's tags; kNone for unknown tags. Valid until the next
  // call.
  std::span<const std::uint32_t> places(Reasoner& reasoner, std::size_t move) {
    places_.clear();
    for (const std::uint32_t tag : reasoner.move_tags(move)) places_.push_back(place(reasoner, tag));
    return places_;
  }
  std::uint32_t place(const Reasoner& reasoner, std::uint32_t tag) {
    if (tag >= place_of_.size()) place_of_.resize(tag + std::size_t{1}, kUnknown);
    if (place_of_[tag] == kUnknown) place_of_[tag] = space_.tag_number(reasoner.tag_text(tag)).value_or(kNone);
    return place_of_[tag];
  }
  // The number of a listed move in the flat form.
  std::optional<std::uint64_t> id(Reasoner& reasoner, std::size_t move) { return space_.id(places(reasoner, move)); }

 private:
  static constexpr std::uint32_t kUnknown = kNone - 1;

  const analysis::ActionSpace& space_;
  std::vector<std::uint32_t> place_of_;  // by tag of the reasoner
  std::vector<std::uint32_t> places_;
};

}  // namespace rgtrans
