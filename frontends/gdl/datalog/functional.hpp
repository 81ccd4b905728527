// Functional dependencies of tables that are given by their rows.
#pragma once

#include <cstdint>
#include <map>
#include <range/v3/view/iota.hpp>
#include <range/v3/view/transform.hpp>
#include <vector>

#include "frontends/gdl/datalog/relation.hpp"

namespace rgtrans::gdl {

inline auto rows_of(const Relation& relation) {
  return ranges::views::iota(0U, relation.size()) |
         ranges::views::transform([&relation](std::uint32_t r) { return relation.row(r); });
}

template <class Row, class Columns>
std::vector<std::uint32_t> projected(const Row& row, const Columns& columns) {
  std::vector<std::uint32_t> result;
  for (const auto c : columns) result.push_back(row[c]);
  return result;
}

// Rows that agree in the columns of `key` agree in those of `values`.
template <class Rows, class Columns>
bool determines(const Rows& rows, const Columns& key, const Columns& values) {
  std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> value_of;
  for (const auto& row : rows) {
    auto value = projected(row, values);
    if (const auto [known, fresh] = value_of.try_emplace(projected(row, key), value); !fresh && known->second != value)
      return false;
  }
  return true;
}

// All columns but one of a table.
inline std::vector<std::uint32_t> columns_without(std::size_t columns, std::size_t without) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t c = 0; c < columns; ++c)
    if (c != without) result.push_back(c);
  return result;
}

}  // namespace rgtrans::gdl
