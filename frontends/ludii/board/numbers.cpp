#include "frontends/ludii/board/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "frontends/ludii/text/arguments.hpp"

namespace rgtrans::ludii {

namespace {

constexpr double kMost = 1e9;

// `whole`: division drops the rest.
double evaluate(const Node& node, bool whole) {
  if (node.is_number()) {
    if (whole && !node.is_integer()) throw Refused(node.where, "this must be a whole number");
    return std::stod(node.text);
  }
  if (node.is_word("Off")) return -1;
  if (!node.is_clause()) throw Refused(node.where, fmt::format("`{}` is not a number", node.shown()));
  Arguments arguments(node);
  std::vector<double> values;
  const auto take = [&](const Node& item) { values.push_back(evaluate(item, whole)); };
  while (const Node* const item = arguments.next()) {
    if (item->is_array()) {
      std::ranges::for_each(item->items, take);
    } else {
      take(*item);
    }
  }
  arguments.finish();
  const std::string_view name = node.text;
  if (values.empty()) refuse(node);
  double result = values.front();
  if (name == "abs" && values.size() == 1) return std::abs(result);
  if (name == "sqrt" && values.size() == 1 && !whole) return std::sqrt(result);
  if (name == "-" && values.size() == 1) return -result;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double by = values[i];
    if ((name == "/" || name == "%") && by == 0) throw Refused(node.where, "division by zero");
    const auto next = combine(name, result, by);
    if (name == "^") {
      result = std::pow(result, by);
    } else if (next) {
      result = whole && name == "/" ? std::trunc(*next) : *next;
    } else {
      refuse(node);
    }
    if (!(std::abs(result) < kMost)) throw Refused(node.where, "this number is too large");
  }
  if (values.size() == 1 && name != "+" && name != "*" && name != "min" && name != "max") refuse(node);
  return result;
}

}  // namespace

int dimension(const Node& node) { return static_cast<int>(evaluate(node, true)); }
double real(const Node& node) { return evaluate(node, false); }

std::vector<int> dimensions(const Node& array) {
  if (!array.is_array()) throw Refused(array.where, "a list of numbers is expected, as in {1 2}");
  std::vector<int> result;
  for (const Node& item : array.items) result.push_back(dimension(item));
  return result;
}

Vector coordinates(const Node& array) {
  if (!array.is_array() || array.items.size() < 2 || array.items.size() > 3)
    throw Refused(array.where, "coordinates are expected, as in {0 1.5}");
  return {real(array.item(0)), real(array.item(1)), array.items.size() == 3 ? real(array.item(2)) : 0};
}

Polygon polygon(const Node& clause) {
  Arguments arguments(clause);
  const Node& corners = arguments.need("corners");
  const Node* const turns = arguments.named("rotns");
  arguments.finish();
  Polygon result;
  for (const Node& corner : corners.items) result.corners.push_back(coordinates(corner));
  if (result.corners.size() < 3) throw Refused(clause.where, "a polygon has three corners or more");
  const int number = turns == nullptr ? 1 : dimension(*turns);
  const std::size_t size = result.corners.size();
  for (int k = 1; k < std::min(number, 64); ++k) {
    const double angle = 2 * kPi * k / number;
    for (std::size_t i = 0; i < size; ++i) {
      const Vector p = result.corners[i];
      result.corners.push_back(
          {p.x * std::cos(angle) - p.y * std::sin(angle), p.x * std::sin(angle) + p.y * std::cos(angle), 0});
    }
  }
  return result;
}

bool Polygon::contains(const Vector& at) const {
  bool inside = false;
  for (std::size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
    const Vector a = corners[i], b = corners[j];
    if ((a.y < at.y && b.y >= at.y) || (b.y < at.y && a.y >= at.y)) {
      if (a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x) < at.x) inside = !inside;
    }
  }
  return inside;
}

Polygon Polygon::inflated() const {
  constexpr double kBy = 0.1;
  Polygon result;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vector a = corners[(i + corners.size() - 1) % corners.size()], b = corners[i],
                 c = corners[(i + 1) % corners.size()];
    const bool clockwise = cross(b - a, c - b) <= 0;
    const auto unit = [](const Vector& v) { return v * (1 / std::max(flat_length(v), 1e-12)); };
    const Vector out = (unit(b - a) + unit(b - c)) * (kBy / 2 * (clockwise ? 1 : -1));
    result.corners.push_back(b + out);
  }
  return result;
}

}  // namespace rgtrans::ludii
