// What the steps of a flow graph use, and therefore has to be declared: variables, counters of pieces, a place outside
// the board.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "frontends/rbg/flow/arithmetic.hpp"
#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

struct Uses {
  std::vector<char> read, written;  // variables, players first
  std::vector<char> counted;        // pieces whose number is read
  bool counting = false;            // of some piece
  bool null_cursor = false;         // the cursor may leave the board
  bool null_board = false;          // the piece outside the board is looked at
  std::size_t most_choices = 0;     // of a `select`
};
Uses find_uses(const Description& description, const Relations& relations, const FlowGraph& flow,
               const Arithmetic& arithmetic);

// Does the function lead outside the board from some vertex?
bool is_partial(const Relations& relations, std::uint32_t function);

// The fewest and the most vertices to which the relation leads from one.
struct Width {
  std::size_t least = SIZE_MAX, most = 0;
  [[nodiscard]] bool varies() const { return least < most; }
};
Width width(const Relations& relations, RelationId relation);

}  // namespace rgtrans::rbg
