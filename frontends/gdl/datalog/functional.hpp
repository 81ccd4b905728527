// Selections of tables, and their functional dependencies.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/iota.hpp>
#include <range/v3/view/transform.hpp>
#include <vector>

#include "frontends/gdl/datalog/relation.hpp"

namespace rgtrans::gdl {

inline auto rows_of(const Relation& relation) {
  return ranges::views::iota(0U, relation.size()) |
         ranges::views::transform([&relation](std::uint32_t r) { return relation.row(r); });
}

// The rows that match a literal: `fits(c, value)` for each column, and equal values where its arguments are equal.
template <class Arguments, class F>
auto matching_rows(const Relation& relation, const Arguments& arguments, F fits) {
  return rows_of(relation) | ranges::views::filter([&arguments, fits](const std::uint32_t* row) {
           for (std::size_t c = 0; c < arguments.size(); ++c) {
             if (!fits(c, row[c])) return false;
             for (std::size_t d = 0; d < c; ++d)
               if (arguments[d] == arguments[c] && row[d] != row[c]) return false;
           }
           return true;
         });
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
