// Directions as they are written, relative ones by the facing of a piece; and walks.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "frontends/ludii/equipment/statics.hpp"

namespace rgtrans::ludii {

namespace {

// The compass directions of the set that lie strictly between two, clockwise from the first.
std::vector<Direction> strictly_between(Direction first, Direction last, Directions set) {
  std::vector<Direction> result;
  for (Direction d = turned(first, 1); d != last; d = turned(d, 1)) {
    if (has(set, d)) result.push_back(d);
  }
  return result;
}

// The first direction of the set clockwise (by 1) or counter-clockwise (by -1) from a direction, which is excluded.
std::vector<Direction> first_beside(Direction from, int by, Directions set) {
  for (Direction d = turned(from, by); d != from; d = turned(d, by)) {
    if (has(set, d)) return {d};
  }
  return {};
}

}  // namespace

std::vector<Direction> Statics::relative(std::string_view name, Direction facing, Directions set) const {
  constexpr int kQuarter = kCompass / 4;
  const Direction back = turned(facing, 2 * kQuarter), right = turned(facing, kQuarter),
                  left = turned(facing, -kQuarter);
  const auto if_there = [&](Direction d) { return has(set, d) ? std::vector<Direction>{d} : std::vector<Direction>(); };
  if (name == "Forward") return if_there(facing);
  if (name == "Backward") return if_there(back);
  if (name == "Rightward") return if_there(right);
  if (name == "Leftward") return if_there(left);
  if (name == "Forwards") return strictly_between(left, right, set);
  if (name == "Backwards") return strictly_between(right, left, set);
  if (name == "Rightwards") return strictly_between(facing, back, set);
  if (name == "Leftwards") return strictly_between(back, facing, set);
  // Further turns have no effect: FRR is FR. Left and right of the back are seen after turning around.
  if (name.starts_with("FR")) return first_beside(facing, 1, set);
  if (name.starts_with("FL")) return first_beside(facing, -1, set);
  if (name.starts_with("BR")) return first_beside(back, 1, set);
  if (name.starts_with("BL")) return first_beside(back, -1, set);
  return {};
}

std::optional<std::vector<Direction>> Statics::directions(const Node& node, Direction facing, int site,
                                                          const Known& known) const {
  static const std::set<std::string_view> kRelative = {"Forward",   "Backward",   "Rightward", "Leftward", "Forwards",
                                                       "Backwards", "Rightwards", "Leftwards", "FR",       "FRR",
                                                       "FRRR",      "FL",         "FLL",       "FLLL",     "BR",
                                                       "BRR",       "BRRR",       "BL",        "BLL",      "BLLL"};
  const auto plain = [&](const Node& word, Directions set) -> std::optional<std::vector<Direction>> {
    if (!word.is_word()) return std::nullopt;
    if (const auto found = find_direction(word.text)) return std::vector<Direction>{*found};
    if (word.text == "Axial" || word.text == "Angled" || word.text == "Base" || word.text == "Support")
      return std::vector<Direction>();
    if (kRelative.contains(word.text)) return relative(word.text, facing, set);
    if (word.text == "SameDirection") return known.heading;
    if (word.text == "OppositeDirection") {
      auto result = known.heading;
      for (std::size_t i = 0; result && i < result->size(); ++i) (*result)[i] = turned((*result)[i], kCompass / 2);
      return result;
    }
    throw Refused(word.where, fmt::format("`{}` is no direction", word.text));
  };
  const Topology& t = topology();
  if (!node.is_clause()) {
    const Directions set = t.supported(e_.use, Direction::adjacent);
    if (!node.is_array()) return plain(node, set);
    std::vector<Direction> result;
    for (const Node& item : node.items) {
      const auto part = plain(item, set);
      if (!part) return std::nullopt;
      result.insert(result.end(), part->begin(), part->end());
    }
    return result;
  }
  Arguments arguments(node);
  if (node.is_clause("directions")) {
    const Node* const of = arguments.named("of");
    const bool by_site = arguments.flag("bySite");
    Directions set = 0;
    const auto relation = of == nullptr ? std::optional(Direction::adjacent) : find_direction(of->text);
    if (!relation || !is_relation(*relation)) refuse(*of);
    const Node* const first = arguments.peek();
    if (first != nullptr && is_site_type(*first)) {
      const SiteType type = take_type(arguments);
      const Node* const from = arguments.named("from");
      const Node* const to = arguments.named("to");
      arguments.finish();
      if (from == nullptr || to == nullptr) refuse(node);
      const auto a = integer(*from, known), b = integer(*to, known);
      if (!a || !b) return std::nullopt;
      std::vector<Direction> result;
      if (*a < 0 || *b < 0 || *a >= t.count(type)) return result;
      for (const Direction d : list_of(t.supported(type, Direction::all))) {
        for (const Radial& radial : t.radials(type, d, *a)) {
          if (std::ranges::find(radial.begin() + 1, radial.end(), *b) != radial.end() &&
              std::ranges::find(result, d) == result.end())
            result.push_back(d);
        }
      }
      return result;
    }
    set = t.supported(e_.use, *relation, by_site ? site : -1);
    const Node& names = arguments.need("directions");
    arguments.finish();
    std::vector<Direction> result;
    if (names.is_array()) {
      for (const Node& item : names.items) {
        const auto part = plain(item, set);
        if (!part) return std::nullopt;
        result.insert(result.end(), part->begin(), part->end());
      }
      return result;
    }
    return plain(names, set);
  }
  if (node.is_clause("if")) {
    const auto test = condition(arguments.need("a condition"), known);
    const Node& yes = arguments.need("directions");
    const Node& no = arguments.need("directions");
    return test ? directions(*test ? yes : no, facing, site, known) : std::nullopt;
  }
  const bool difference = node.is_clause("difference");
  if (!difference && !node.is_clause("union")) refuse(node);
  if (site < 0) return std::nullopt;
  std::vector<Direction> result;
  for (const int part : {0, 1}) {
    const auto list = directions(arguments.need("directions"), facing, site, known);
    if (!list) return std::nullopt;
    Directions set = 0;
    for (const Direction d : *list) set |= is_relation(d) ? t.supported(e_.use, d, site) : bit(d);
    for (const Direction d : list_of(set)) {
      const auto found = std::ranges::find(result, d);
      if (part == 1 && difference) {
        if (found != result.end()) result.erase(found);
      } else if (found == result.end()) {
        result.push_back(d);
      }
    }
  }
  arguments.finish();
  return result;
}

std::optional<std::vector<Direction>> Statics::fixed_directions(const Node* node, int site, const Known& known) const {
  if (node == nullptr) return std::vector<Direction>{Direction::adjacent};
  auto result = directions(*node, Direction::n, site, known);
  // Relative directions depend on the piece there.
  if (result && directions(*node, Direction::e, site, known) != result) return std::nullopt;
  return result;
}

std::vector<Sites> Statics::walk_paths(const Node& walk, int from, bool rotations) const {
  const Topology& t = topology();
  std::vector<Direction> orthogonal;
  for (const Direction d : list_of(t.supported(e_.use, Direction::orthogonal))) {
    if (is_compass(d)) orthogonal.push_back(d);
  }
  const std::size_t starts = rotations ? orthogonal.size() : std::min<std::size_t>(1, orthogonal.size());
  std::vector<Sites> result;
  for (std::size_t start = 0; start < starts; ++start) {
    std::size_t heading = start;
    Sites path = {from};
    for (const Node& step : walk.items) {
      if (path.back() < 0) break;
      if (step.is_word("R")) {
        heading = (heading + 1) % orthogonal.size();
      } else if (step.is_word("L")) {
        heading = (heading + orthogonal.size() - 1) % orthogonal.size();
      } else if (step.is_word("F")) {
        int next = kOff;
        for (const Neighbour& one : t.site(e_.use, path.back()).steps) {
          if (has(one.kinds, orthogonal[heading])) next = one.to;
        }
        path.push_back(next);
      } else {
        refuse(step);
      }
    }
    if (path.back() >= 0) result.push_back(std::move(path));
  }
  return result;
}

Sites Statics::walk_ends(const Node& walks, int from, bool rotations) const {
  std::set<int> ends;
  for (const Node& walk : walks.items) {
    if (!walk.is_array()) refuse(walk);
    for (const Sites& path : walk_paths(walk, from, rotations)) ends.insert(path.back());
  }
  return {ends.begin(), ends.end()};
}

}  // namespace rgtrans::ludii
