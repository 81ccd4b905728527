// Numbers and polygons of a board's description.
#pragma once

#include <vector>

#include "frontends/ludii/board/graph.hpp"
#include "frontends/ludii/text/tree.hpp"

namespace rgtrans::ludii {

// A dimension, in integer arithmetic; a coordinate or factor, in real arithmetic. Throw Refused.
int dimension(const Node& node);
double real(const Node& node);
std::vector<int> dimensions(const Node& array);

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
