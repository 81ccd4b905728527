// Numbers and polygons of a board's description.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "frontends/ludii/board/graph.hpp"
#include "frontends/ludii/text/tree.hpp"

namespace rgtrans::ludii {

// A dimension, in integer arithmetic; a coordinate or factor, in real arithmetic. Throw Refused.
int dimension(const Node& node);
double real(const Node& node);
std::vector<int> dimensions(const Node& array);

// + - * min max, and / % of numbers that are not 0; nothing for other names.
template <class Number>
std::optional<Number> combine(std::string_view name, Number a, Number b) {
  if (name == "+") return a + b;
  if (name == "-") return a - b;
  if (name == "*") return a * b;
  if (name == "min") return std::min(a, b);
  if (name == "max") return std::max(a, b);
  if ((name != "/" && name != "%") || b == 0) return std::nullopt;
  if (name == "/") return a / b;
  if constexpr (std::is_floating_point_v<Number>) {
    return std::fmod(a, b);
  } else {
    return a % b;
  }
}

// A closed outline.
struct Polygon {
  std::vector<Vector> corners;

  [[nodiscard]] bool contains(const Vector& at) const;
  [[nodiscard]] Polygon inflated() const;  // by 0.1, if its corners are in clockwise order
};

Vector coordinates(const Node& array);
// (poly {{x y} …} rotns:k)
Polygon polygon(const Node& clause);

}  // namespace rgtrans::ludii
