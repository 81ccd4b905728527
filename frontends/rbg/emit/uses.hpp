// The declarations that the steps of a flow graph need: variables, counters of pieces, and a place outside the board.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "frontends/rbg/flow/arithmetic.hpp"
#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

struct Uses {
  std::vector<char> read, written;  // by variable, players first
  std::vector<char> counted;        // by piece: its number is read
  bool counting = false;            // some piece is counted
  bool null_cursor = false;         // the cursor may leave the board
  bool null_board = false;          // a step reads the piece at a place outside the board
  std::size_t most_choices = 0;     // largest number of successors in a `select`
};
Uses find_uses(const Description& description, const Relations& relations, const FlowGraph& flow,
               const Arithmetic& arithmetic);

// Whether the function leads outside the board from some vertex.
bool is_partial(const Relations& relations, std::uint32_t function);

// The smallest and largest number of successors of a vertex in the relation.
struct Width {
  std::size_t least = SIZE_MAX, most = 0;
  [[nodiscard]] bool varies() const { return least < most; }
};
Width width(const Relations& relations, RelationId relation);

}  // namespace rgtrans::rbg
