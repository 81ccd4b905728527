// Which tags can come next when the values of variables are known at the node where ways part: rays in different
// directions show different squares, for each square they start from.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "backends/cpp/facts.hpp"

namespace rgtrans::cpp {

class NextTags {
 public:
  // Where a walk can be, with the values that its variables can have there.
  using Front = std::map<std::uint32_t, PossibleValues::Codes>;
  // The same by the next tag that was passed; 0 is the end of the move.
  using Fronts = std::map<std::uint32_t, Front>;

  // Gives up after so much work, as PossibleValues::effort() counts it.
  NextTags(NumberedGame& model, const CodeContext& context, std::size_t most_effort)
      : model_(model), context_(context), most_effort_(most_effort) {}

  [[nodiscard]] Fronts behind(const Front& front) const;
  [[nodiscard]] Fronts behind(const Step& first, const PossibleValues::Codes& row) const;
  // Variables that are read on the way from a node to the next tags that show a variable, and whose values can be tried
  // one by one.
  [[nodiscard]] std::vector<VarId> candidates(std::uint32_t node) const;
  // The possible values are known at the node, and there was not too much work yet.
  [[nodiscard]] bool may_try(std::uint32_t node) const;

 private:
  static bool add(Front& front, std::uint32_t node, const PossibleValues::Codes& row);
  void follow(const Step& step, const PossibleValues::Codes& row, Front& reached, std::vector<std::uint32_t>& work,
              Fronts& tags) const;
  void finish(Front& reached, std::vector<std::uint32_t>& work, Fronts& tags) const;

  NumberedGame& model_;
  const CodeContext& context_;
  std::size_t most_effort_;
  mutable std::optional<std::size_t> started_;
  mutable std::size_t looked_at_ = 0;            // effort for finding candidates
  mutable std::vector<std::uint32_t> searches_;  // by node: the last search that came here
  mutable std::uint32_t search_ = 0;
  mutable PossibleValues::Codes after_;  // of a step that is followed; kept for its memory
};

}  // namespace rgtrans::cpp
