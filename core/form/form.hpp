// The form of a game without its names: the graph of its parts, and a text that is equal for two games exactly if they
// differ in names and in the order of their lists only.
#pragma once

#include <cstdint>
#include <string>

#include "core/form/part_graph.hpp"  // IWYU pragma: export
#include "core/ir/ir.hpp"

namespace rgtrans::form {

struct CanonicalForm {
  // The graph of the game's parts, its vertices in canonical order.
  std::string text;
  // The search for the order ended. Otherwise a renaming of this game may have another text; games with equal texts
  // are equal up to names in either case.
  bool complete = true;

  // 128 bits in hexadecimal digits.
  [[nodiscard]] std::string hash() const;
};

// `most_work` bounds the number of arcs that the search follows.
[[nodiscard]] CanonicalForm canonical_form(const ir::Game& game, std::uint64_t most_work = 50'000'000);

}  // namespace rgtrans::form
