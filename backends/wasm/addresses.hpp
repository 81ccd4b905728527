// The cells that a read through a table can reach, from the values that cells can hold.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "backends/interpreter/tables.hpp"

namespace rgtrans::wasm {

struct CellSpan {
  std::uint32_t first = 0, last = 0xffffffffU;  // both included
};

class Addresses {
 public:
  explicit Addresses(const interpreter::MachineTables& tables) : tables_(tables) {}

  // Of T[b + x], where x is a value of cell `a`, or x * w + y with a value y of cell `e`. All cells, if there are too
  // many combinations.
  CellSpan span(std::uint32_t b, std::uint32_t a);
  CellSpan span(std::uint32_t b, std::uint32_t a, std::uint32_t w, std::uint32_t e);

 private:
  const std::vector<std::uint32_t>& codes(std::uint32_t cell);

  const interpreter::MachineTables& tables_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> codes_;  // by first cell of a range
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>, CellSpan> known_;
};

}  // namespace rgtrans::wasm
