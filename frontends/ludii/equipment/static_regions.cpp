// Regions that do not depend on the position.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "frontends/ludii/equipment/statics.hpp"

namespace rgtrans::ludii {

namespace {

Sites sorted(const std::set<int>& sites) { return Sites(sites.begin(), sites.end()); }

}  // namespace

std::optional<Sites> Statics::region(const Node& node, const Known& known) const {
  if (node.is_array()) return listed_sites(node, known);
  if (!node.is_clause()) {
    if (!node.is_integer()) return std::nullopt;
    return Sites{std::stoi(node.text)};
  }
  const std::string& name = node.text;
  if (name == "sites") return sites(node, known);
  if (name == "expand") return expand(node, known);
  if (name == "union" || name == "intersection" || name == "difference" || name == "if")
    return set_operation(node, known);
  if (name == "forEach") return filtered(node, known);
  return std::nullopt;
}

Statics::Region Statics::sites_of(const Node& where, const Known& known) const {
  const auto one = where.is_clause("sites") || where.is_array() ? std::nullopt : integer(where, known);
  return one ? Region(Sites{*one}) : region(where, known);
}

Statics::Region Statics::listed_sites(const Node& array, const Known& known) const {
  std::set<int> result;
  for (const Node& item : array.items) {
    if (item.is_string()) {
      const SiteType type = e_.use == SiteType::edge ? SiteType::vertex : e_.use;
      if (const int site = topology().find_label(type, item.text); site >= 0) result.insert(site);
      continue;
    }
    if (item.is_clause("sites")) {
      const auto part = region(item, known);
      if (!part) return std::nullopt;
      result.insert(part->begin(), part->end());
      continue;
    }
    const auto value = integer(item, known);
    if (!value) return std::nullopt;
    if (*value >= 0) result.insert(*value);
  }
  return sorted(result);
}

// The regions of an owner whose name contains the text, or of that name.
Statics::Region Statics::owned_sites(std::optional<int> owner, const Node* name) const {
  std::set<int> result;
  for (const NamedRegion& one : e_.regions) {
    if (owner ? one.owner != *owner : one.name != name->text) continue;
    if (owner && name != nullptr && one.name.find(name->text) == std::string::npos) continue;
    if (!one.sites) return std::nullopt;
    result.insert(one.sites->begin(), one.sites->end());
  }
  return sorted(result);
}

Statics::Region Statics::sites(const Node& node, const Known& known) const {
  Arguments arguments(node);
  const Topology& t = topology();
  const Node* const first = arguments.peek();
  if (first == nullptr) return std::nullopt;
  if (first->is_array()) {
    const bool walks = first->begins_with_array();
    if (walks) return std::nullopt;
    const Node& list = *arguments.next();
    arguments.finish();
    return listed_sites(list, known);
  }
  if (first->is_string()) {
    arguments.next();
    const int site = t.find_label(e_.use == SiteType::edge ? SiteType::vertex : e_.use, first->text);
    const bool is_region = std::ranges::find(e_.regions, first->text, &NamedRegion::name) != e_.regions.end();
    if (is_region || site < 0) return owned_sites(std::nullopt, first);
    return Sites{site};
  }
  if (first->is_clause() || first->is_integer()) return std::nullopt;
  const std::string& word = arguments.next()->text;
  const auto mark = find_mark(word);
  if (word == "Board" || mark) {
    const SiteType type = take_type(arguments);
    arguments.finish();
    return mark ? t.marked(type, *mark) : all_sites(type);
  }
  if (word == "Row" || word == "Column" || word == "Phase" || word == "Layer") {
    const SiteType type = take_type(arguments);
    const auto number = integer(arguments.need("a number"), known);
    arguments.finish();
    if (!number) return std::nullopt;
    Sites result;
    for (int i = 0; i < t.count(type); ++i) {
      if (property_of(t.site(type, i), word) == *number) result.push_back(i);
    }
    return result;
  }
  if (word == "Side") {
    // Boards of edges have the sides of their vertices.
    const SiteType type = e_.use == SiteType::cell ? SiteType::cell : SiteType::vertex;
    if (const Node* const written = arguments.peek();
        written != nullptr && is_site_type(*written) && take_type(arguments) != type)
      refuse(*written);
    const Node& where = arguments.need("a direction");
    arguments.finish();
    auto direction = find_direction(where.text);
    if (!direction) {
      const auto player = role(where.text, known);
      if (!player) return std::nullopt;
      if (*player < 1 || *player > e_.player_count()) refuse(where);
      direction = e_.players[nth(*player - 1)].facing;
    }
    if (!direction || !is_compass(*direction)) refuse(where);
    return t.side(type, *direction);
  }
  if (word == "Hand") {
    const Node* const who = arguments.next();
    arguments.finish();
    const auto owner = who == nullptr ? std::optional(e_.shared()) : role(who->text, known);
    if (!owner) return std::nullopt;
    const Container* const hand = e_.hand_of(*owner);
    Sites result;
    for (int i = 0; hand != nullptr && i < hand->size; ++i) result.push_back(hand->first + i);
    return result;
  }
  if (word == "Around") return sites_around(arguments, known);
  if (word == "Direction") return sites_in_direction(arguments, known);
  if (word == "Distance") return sites_at_distance(arguments, known);
  if (word == "Between") return sites_between(arguments, known);
  if (word == "Incident") return incident(arguments, known);
  if (word == "Track") {
    if (std::ranges::any_of(node.items, [](const Node& item) { return !item.label.empty(); })) return std::nullopt;
    std::optional<int> owner;
    const bool has_owner = arguments.peek() != nullptr && !arguments.peek()->is_string();
    if (has_owner) {
      const Node& who = *arguments.next();
      owner = who.is_word() ? role(who.text, known) : std::nullopt;
      if (!owner) return std::nullopt;
    }
    const Node* const name = arguments.take_string();
    arguments.finish();
    const Track* const found = track(name, owner);
    std::set<int> result;
    for (const int site : found == nullptr ? std::vector<int>() : found->sites) {
      if (site >= 0) result.insert(site);
    }
    return sorted(result);
  }
  const bool role_word =
      word == "Mover" || word == "Next" || word == "Prev" || word == "Player" || role_number(word, e_.player_count());
  if (role_word) {
    const auto owner = role(word, known);
    const Node* const name = arguments.take_string();
    arguments.finish();
    if (!owner) return std::nullopt;
    return owned_sites(owner, name);
  }
  return std::nullopt;
}

Statics::Region Statics::sites_around(Arguments& arguments, const Known& known) const {
  const Node* const distance_node = arguments.named("distance");
  const Node* const test = arguments.named("if");
  const bool include_self = arguments.flag("includeSelf");
  const SiteType type = take_type(arguments);
  const Node& where = arguments.need("a site or a region");
  const Node* const direction = arguments.next();
  static const std::set<std::string_view> kContents = {"Empty", "NotEmpty", "Own", "NotOwn", "Enemy", "NotEnemy"};
  if (direction != nullptr && direction->is_word() && kContents.contains(direction->text)) return std::nullopt;
  arguments.finish();
  const auto start = sites_of(where, known);
  const auto k = integer_or(distance_node, 1, known);
  if (!start || !k) return std::nullopt;
  std::set<int> result;
  if (start->empty() || start->front() < 0) return Sites();
  for (const int from : *start) {
    if (from >= topology().count(type)) continue;
    if (direction != nullptr && direction->is_word() && !find_direction(direction->text)) return std::nullopt;
    const auto list = fixed_directions(direction, from, known);
    if (!list) return std::nullopt;
    for (const Direction d : *list) {
      for (const Radial& radial : topology().radials(type, d, from)) {
        if (static_cast<int>(radial.size()) <= *k) continue;
        const int to = radial[nth(*k)];
        if (test != nullptr) {
          const auto holds = condition(*test, known.with(Slot::from, from).with(Slot::to, to));
          if (!holds) return std::nullopt;
          if (!*holds) continue;
        }
        result.insert(to);
      }
    }
  }
  for (const int from : *start) {
    if (include_self) {
      result.insert(from);
    } else {
      result.erase(from);
    }
  }
  return sorted(result);
}

Statics::Region Statics::sites_in_direction(Arguments& arguments, const Known& known) const {
  const Node* from = arguments.named("from");
  if (from == nullptr) from = arguments.named("From");
  const Node* const stop = arguments.named("stop");
  const Node* const distance_node = arguments.named("distance");
  const bool stop_included = arguments.flag("stopIncluded"), included = arguments.flag("included");
  const Node* const direction = arguments.next();
  arguments.finish();
  if (from == nullptr) return std::nullopt;
  const auto start = sites_of(*from, known);
  const auto most = integer_or(distance_node, kInfinity, known);
  if (!start || !most) return std::nullopt;
  std::set<int> result;
  for (const int at : *start) {
    if (at < 0 || at >= topology().count(e_.use)) continue;
    if (included) result.insert(at);
    const auto list = fixed_directions(direction, at, known);
    if (!list) return std::nullopt;
    for (const Direction d : *list) {
      for (const Radial& radial : topology().radials(e_.use, d, at)) {
        for (std::size_t i = 1; i < radial.size() && static_cast<int>(i) <= *most; ++i) {
          if (stop != nullptr) {
            const auto stops = condition(*stop, known.with(Slot::to, radial[i]));
            if (!stops) return std::nullopt;
            if (*stops) {
              if (stop_included) result.insert(radial[i]);
              break;
            }
          }
          result.insert(radial[i]);
        }
      }
    }
  }
  return sorted(result);
}

Statics::Region Statics::sites_at_distance(Arguments& arguments, const Known& known) const {
  const Node* const from_node = arguments.named("from");
  const SiteType type = take_type(arguments);
  Direction relation = Direction::adjacent;
  if (arguments.peek() != nullptr && arguments.peek()->is_word()) {
    const auto found = find_direction(arguments.next()->text);
    if (found && is_relation(*found)) relation = *found;
  }
  const Node& range = arguments.need("a range");
  arguments.finish();
  const bool bounds =
      range.is_clause("range") || range.is_clause("exact") || range.is_clause("min") || range.is_clause("max");
  if (from_node == nullptr || !bounds || range.items.empty() || range.items.size() > 2) return std::nullopt;
  const auto from = integer(*from_node, known);
  auto low = integer(range.item(0), known), high = integer(range.last_item(), known);
  if (!from || !low || !high) return std::nullopt;
  if (range.is_clause("min")) high = kInfinity;
  if (range.is_clause("max")) low = kOff;
  Sites result;
  if (*from < 0 || *from >= topology().count(type)) return result;
  for (int i = 0; i < topology().count(type); ++i) {
    const int d = distance(type, relation, *from, i);
    if (d >= *low && d <= *high && d >= 0) result.push_back(i);
  }
  return result;
}

Statics::Region Statics::sites_between(Arguments& arguments, const Known& known) const {
  const Node* const from_node = arguments.named("from");
  const Node* const to_node = arguments.named("to");
  const bool with_from = arguments.flag("fromIncluded"), with_to = arguments.flag("toIncluded");
  const Node* const test = arguments.named("cond");
  const SiteType type = take_type(arguments);
  const Node* const direction = arguments.next();
  arguments.finish();
  if (from_node == nullptr || to_node == nullptr) return std::nullopt;
  const auto from = integer(*from_node, known), to = integer(*to_node, known);
  if (!from || !to) return std::nullopt;
  std::set<int> result;
  if (*from < 0 || *to < 0 || *from >= topology().count(type)) return Sites();
  const auto list = fixed_directions(direction, *from, known);
  if (!list) return std::nullopt;
  if (with_from) result.insert(*from);
  if (with_to) result.insert(*to);
  for (const Direction d : *list) {
    for (const Radial& radial : topology().radials(type, d, *from)) {
      const auto end = std::ranges::find(radial.begin() + 1, radial.end(), *to);
      if (end == radial.end()) continue;
      for (auto it = radial.begin() + 1; it != end; ++it) {
        if (test != nullptr) {
          const auto holds = condition(*test, known.with(Slot::between, *it));
          if (!holds) return std::nullopt;
          if (!*holds) continue;
        }
        result.insert(*it);
      }
      return sorted(result);
    }
  }
  return sorted(result);
}

Statics::Region Statics::incident(Arguments& arguments, const Known& known) const {
  const Node* const of = arguments.named("of");
  const Node* const at = arguments.named("at");
  const SiteType wanted = take_type(arguments);
  if (arguments.peek() != nullptr || at == nullptr || of == nullptr) return std::nullopt;
  const SiteType type = type_or(of);
  const auto number = integer(*at, known);
  if (!number) return std::nullopt;
  if (*number < 0 || *number >= topology().count(type)) return Sites();
  const Graph& graph = topology().graph();
  const auto n = static_cast<std::size_t>(*number);
  std::set<int> result;
  const auto add_all = [&](const std::vector<int>& list) { result.insert(list.begin(), list.end()); };
  if (type == wanted) {
    return topology().neighbours(type, *number, Direction::orthogonal);
  }
  if (type == SiteType::cell) {
    add_all(wanted == SiteType::edge ? graph.faces[n].edges : graph.faces[n].vertices);
  } else if (type == SiteType::vertex) {
    add_all(wanted == SiteType::edge ? graph.vertices[n].edges : graph.vertices[n].faces);
  } else if (wanted == SiteType::vertex) {
    result = {graph.edges[n].a, graph.edges[n].b};
  } else {
    for (const int f : {graph.edges[n].left, graph.edges[n].right}) {
      if (f >= 0) result.insert(f);
    }
  }
  return sorted(result);
}

Statics::Region Statics::expand(const Node& node, const Known& known) const {
  Arguments arguments(node);
  const Node* const origin = arguments.named("origin");
  const Node* const steps_node = arguments.named("steps");
  Region start;
  if (origin != nullptr) {
    const auto site = integer(*origin, known);
    if (!site) return std::nullopt;
    start = Sites{*site};
  } else {
    start = region(arguments.need("a region"), known);
  }
  const auto steps = integer_or(steps_node, 1, known);
  const Node* direction = arguments.next();
  SiteType type = e_.use;
  if (direction != nullptr && is_site_type(*direction)) {
    type = type_or(direction);
    direction = arguments.next();
  } else if (arguments.peek() != nullptr) {
    type = take_type(arguments);
  }
  arguments.finish();
  if (!start || !steps) return std::nullopt;
  std::set<int> result(start->begin(), start->end());
  for (int k = 0; k < std::min(*steps, topology().count(type)); ++k) {
    const std::set<int> before = result;
    for (const int at : before) {
      if (at < 0 || at >= topology().count(type)) continue;
      const auto list = fixed_directions(direction, at, known);
      if (!list) return std::nullopt;
      for (const Neighbour& step : topology().site(type, at).steps) {
        if (std::ranges::any_of(*list, [&](Direction d) { return has(step.kinds, d); })) result.insert(step.to);
      }
    }
  }
  return sorted(result);
}

Statics::Region Statics::set_operation(const Node& node, const Known& known) const {
  Arguments arguments(node);
  if (node.text == "if") {
    const auto test = condition(arguments.need("a condition"), known);
    const Node& yes = arguments.need("a region");
    const Node* const no = arguments.next();
    arguments.finish();
    if (!test) return std::nullopt;
    return *test ? region(yes, known) : no == nullptr ? Region(Sites()) : region(*no, known);
  }
  const std::vector<const Node*> parts = arguments.rest();
  arguments.finish();
  Region result;
  for (const Node* part : parts) {
    auto next = region(*part, known);
    if (!next && !part->is_array() && !part->is_clause("sites")) {
      if (const auto site = integer(*part, known)) next = *site >= 0 ? Sites{*site} : Sites();
    }
    if (!next) return std::nullopt;
    if (!result) {
      result = std::move(next);
      continue;
    }
    Sites combined;
    if (node.text == "union") {
      std::ranges::set_union(*result, *next, std::back_inserter(combined));
    } else if (node.text == "intersection") {
      std::ranges::set_intersection(*result, *next, std::back_inserter(combined));
    } else {
      std::ranges::set_difference(*result, *next, std::back_inserter(combined));
    }
    result = std::move(combined);
  }
  return result;
}

// (forEach region if:…) and (forEach of:region region)
Statics::Region Statics::filtered(const Node& node, const Known& known) const {
  Arguments arguments(node);
  const Node* const test = arguments.named("if");
  const Node* const of = arguments.named("of");
  const Node* const inner = arguments.next();
  if (inner == nullptr || arguments.peek() != nullptr || (test == nullptr) == (of == nullptr)) return std::nullopt;
  const auto all = region(of == nullptr ? *inner : *of, known);
  if (!all) return std::nullopt;
  std::set<int> result;
  for (const int site : *all) {
    const Known bound = known.with(Slot::site, site);
    if (of != nullptr) {
      const auto part = region(*inner, bound);
      if (!part) return std::nullopt;
      result.insert(part->begin(), part->end());
      continue;
    }
    const auto holds = condition(*test, bound);
    if (!holds) return std::nullopt;
    if (*holds) result.insert(site);
  }
  return sorted(result);
}

}  // namespace rgtrans::ludii
