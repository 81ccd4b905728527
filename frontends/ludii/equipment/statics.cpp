#include "frontends/ludii/equipment/statics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <string>

namespace rgtrans::ludii {

namespace {

constexpr std::array<std::string_view, kSlots> kSlotNames = {"from",   "to",   "between", "site",  "level", "value",
                                                             "player", "edge", "pips",    "mover", "next",  "prev"};
constexpr std::array<std::string_view, 12> kArithmetic = {"+",   "-",   "*",   "/",  "%",     "^",
                                                          "abs", "min", "max", "if", "toInt", "intersection"};
constexpr std::array<std::string_view, 6> kComparisons = {"=", "!=", "<", "<=", ">", ">="};

template <class List>
bool among(std::string_view name, const List& list) {
  return std::ranges::find(list, name) != list.end();
}

bool compare(std::string_view name, int a, int b) {
  if (name == "=") return a == b;
  if (name == "!=") return a != b;
  if (name == "<") return a < b;
  if (name == "<=") return a <= b;
  if (name == ">") return a > b;
  return a >= b;
}

int in_range(const Node& node, std::int64_t value) {
  if (value > kInfinity || value < -kInfinity) throw Refused(node.where, "this number is too large");
  return static_cast<int>(value);
}

}  // namespace

std::optional<Slot> find_slot(const Node& node) {
  if (!node.is_clause() || !node.items.empty()) return std::nullopt;
  const auto found = std::ranges::find(kSlotNames, node.text);
  if (found == kSlotNames.end()) return std::nullopt;
  return static_cast<Slot>(found - kSlotNames.begin());
}

std::optional<int> Statics::role(std::string_view word, const Known& known) const {
  if (word == "Mover") return known[Slot::mover];
  if (word == "Next") return known[Slot::next];
  if (word == "Prev") return known[Slot::prev];
  if (word == "Player") return known[Slot::player];
  // As an integer, a role of several players is no player.
  if (word == "Enemy" || word == "NonMover" || word == "Friend" || word == "Ally") return kOff;
  return role_number(word, e_.player_count());
}

std::vector<int> Statics::components_like(std::string_view text, int owner) const {
  std::vector<int> result;
  for (std::size_t i = 0; i < e_.components.size(); ++i) {
    const Component& one = e_.components[i];
    if (one.name.find(text) != std::string::npos && (owner < 0 || one.owner == owner))
      result.push_back(static_cast<int>(i) + 1);
  }
  return result;
}

const Track* Statics::track(const Node* name, std::optional<int> owner) const {
  const Track* unowned = nullptr;
  const Track* named = nullptr;
  for (const Track& one : e_.tracks) {
    if (name != nullptr && owner) {
      if (one.owner == *owner && one.name.find(name->text) != std::string::npos) return &one;
      if (one.name.find(name->text) != std::string::npos && named == nullptr) named = &one;
    } else if (name != nullptr) {
      if (one.name == name->text) return &one;
      if (one.name.find(name->text) != std::string::npos && named == nullptr) named = &one;
    } else if (owner) {
      if (one.owner == *owner) return &one;
      if (one.owner == 0 || one.owner == e_.shared()) unowned = unowned == nullptr ? &one : unowned;
    } else {
      return &one;
    }
  }
  return name != nullptr ? named : unowned;
}

int property_of(const Topology::Site& site, std::string_view name) {
  if (name == "row" || name == "Row") return site.row;
  if (name == "column" || name == "Column") return site.column;
  return name == "layer" || name == "Layer" ? site.layer : site.phase;
}

bool is_site_type(const Node& node) { return node.is_word("Cell") || node.is_word("Vertex") || node.is_word("Edge"); }

SiteType Statics::type_or(const Node* word) const {
  if (word == nullptr) return e_.use;
  if (word->is_word("Vertex")) return SiteType::vertex;
  if (word->is_word("Edge")) return SiteType::edge;
  if (word->is_word("Cell")) return SiteType::cell;
  refuse(*word);
}

SiteType Statics::take_type(Arguments& arguments) const {
  const Node* const word = arguments.peek();
  return type_or(word != nullptr && is_site_type(*word) ? arguments.next() : nullptr);
}

std::optional<int> Statics::integer(const Node& node, const Known& known) const {
  if (!known.terms.empty()) {
    if (const auto found = known.terms.find(&node); found != known.terms.end()) return found->second;
  }
  if (node.is_integer()) return in_range(node, std::stoll(node.text));
  if (node.is_word()) {
    if (node.text == "Off" || node.text == "Undefined") return kOff;
    if (node.text == "End") return kEnd;
    if (node.text == "Infinity") return kInfinity;
    if (const auto direct = role(node.text, known)) return direct;
    const bool is_role = node.text == "Mover" || node.text == "Next" || node.text == "Prev" || node.text == "Player";
    if (!is_role) throw Refused(node.where, fmt::format("`{}` is not a number here", node.text));
    return std::nullopt;
  }
  if (!node.is_clause()) return std::nullopt;
  if (const auto slot = find_slot(node)) return known[*slot];
  if (among(node.text, kArithmetic)) return arithmetic(node, known);
  static const std::map<std::string_view, Integer (Statics::*)(const Node&, const Known&) const, std::less<>> kRows = {
      {"count", &Statics::count},       {"mapEntry", &Statics::map_entry},   {"ahead", &Statics::ahead},
      {"coord", &Statics::coordinate},  {"centrePoint", &Statics::property}, {"row", &Statics::property},
      {"column", &Statics::property},   {"layer", &Statics::property},       {"phase", &Statics::property},
      {"handSite", &Statics::property}, {"regionSite", &Statics::property},  {"id", &Statics::identity},
  };
  const auto row = kRows.find(node.text);
  return row == kRows.end() ? std::nullopt : (this->*row->second)(node, known);
}

Statics::Integer Statics::arithmetic(const Node& node, const Known& known) const {
  Arguments arguments(node);
  const std::string& name = node.text;
  if (name == "if") {
    const auto test = condition(arguments.need("a condition"), known);
    const Node& yes = arguments.need("a number");
    const Node& no = arguments.need("a number");
    arguments.finish();
    return test ? integer(*test ? yes : no, known) : std::nullopt;
  }
  if (name == "toInt") {
    const auto test = condition(arguments.need("a condition"), known);
    arguments.finish();
    return test ? Integer(*test ? 1 : 0) : std::nullopt;
  }
  if (name == "intersection") return std::nullopt;
  std::vector<std::int64_t> values;
  while (const Node* const item = arguments.next()) {
    for (const Node& part : item->each()) {
      const auto value = integer(part, known);
      if (!value) return std::nullopt;
      values.push_back(*value);
    }
  }
  arguments.finish();
  if (values.empty()) refuse(node);
  if (name == "abs") return in_range(node, std::abs(values[0]));
  if (name == "-" && values.size() == 1) return in_range(node, -values[0]);
  std::int64_t result = values[0];
  for (std::size_t i = 1; i < values.size(); ++i) {
    const std::int64_t by = values[i];
    if (name != "^") {
      const auto next = combine(name, result, by);
      if (!next) return std::nullopt;
      result = in_range(node, *next);
      continue;
    }
    if (by < 0 || by > 60) return std::nullopt;
    const std::int64_t base = result;
    result = 1;
    for (std::int64_t k = 0; k < by; ++k) result = in_range(node, result * base);
  }
  return static_cast<int>(result);
}

Statics::Integer Statics::count(const Node& node, const Known& known) const {
  Arguments arguments(node);
  const Topology& t = topology();
  const auto number = [](std::size_t n) { return Integer(static_cast<int>(n)); };
  if (arguments.take("Players")) return number(e_.players.size());
  if (arguments.take("Vertices")) return t.count(SiteType::vertex);
  if (arguments.take("Edges")) return t.count(SiteType::edge);
  if (arguments.take("Cells")) return t.count(SiteType::cell);
  const bool rows = arguments.take("Rows"), columns = !rows && arguments.take("Columns");
  if (rows || columns) {
    int most = -1;
    for (const auto& site : t.sites(take_type(arguments))) most = std::max(most, rows ? site.row : site.column);
    arguments.finish();
    return most + 1;
  }
  if (arguments.take("Sites")) {
    const Node* const in = arguments.named("in");
    arguments.finish();
    if (in == nullptr) return std::nullopt;
    const auto found = region(*in, known);
    return found ? number(found->size()) : std::nullopt;
  }
  return std::nullopt;
}

Statics::Integer Statics::map_entry(const Node& node, const Known& known) const {
  Arguments arguments(node);
  const Node* const name = arguments.take_string();
  const auto key = integer(arguments.need("a key"), known);
  arguments.finish();
  if (!key) return std::nullopt;
  for (const NamedMap& map : e_.maps) {
    if (name != nullptr && map.name != name->text) continue;
    for (const auto& [from, to] : map.pairs) {
      if (from == *key && to != kOff) return to;
    }
  }
  return key;
}

Statics::Integer Statics::ahead(const Node& node, const Known& known) const {
  Arguments arguments(node);
  const Node* const steps_node = arguments.named("steps");
  const SiteType type = take_type(arguments);
  const auto from = integer(arguments.need("a site"), known);
  const Node* const where = arguments.next();
  arguments.finish();
  const auto steps = integer_or(steps_node, 1, known);
  if (!from || !steps) return std::nullopt;
  if (*from < 0) return kOff;
  static const Node kForward{Node::Kind::word, {}, {}, "Forward", {}};
  // The facing depends on the piece there, so only directions of the board are static.
  const auto list = fixed_directions(where == nullptr ? &kForward : where, *from, known);
  if (!list || *from >= topology().count(type)) return std::nullopt;
  return site_ahead(type, *from, *list, *steps);
}

int Statics::site_ahead(SiteType type, int from, const std::vector<Direction>& directions, int steps) const {
  for (const Direction d : directions) {
    for (const Radial& radial : topology().radials(type, d, from)) {
      if (steps >= 0 && static_cast<int>(radial.size()) > steps) return radial[nth(steps)];
    }
  }
  return from;
}

Statics::Integer Statics::coordinate(const Node& node, const Known& known) const {
  Arguments arguments(node);
  const Node* const row = arguments.named("row");
  const Node* const column = arguments.named("column");
  const SiteType type = take_type(arguments);
  if (const Node* const label = arguments.take_string()) {
    arguments.finish();
    return topology().find_label(type, label->text);
  }
  arguments.finish();
  if (row == nullptr || column == nullptr) refuse(node);
  const auto r = integer(*row, known), c = integer(*column, known);
  if (!r || !c) return std::nullopt;
  for (int i = 0; i < topology().count(type); ++i) {
    if (topology().site(type, i).row == *r && topology().site(type, i).column == *c) return i;
  }
  return kOff;
}

Statics::Integer Statics::property(const Node& node, const Known& known) const {
  Arguments arguments(node);
  const std::string& name = node.text;
  if (name == "handSite") {
    const Node& who = arguments.need("a player");
    const Node* const index = arguments.next();
    arguments.finish();
    const auto player = integer(who, known);
    const auto offset = integer_or(index, 0, known);
    if (!player || !offset) return std::nullopt;
    const Container* const hand = e_.hand_of(*player);
    return hand == nullptr || *offset < 0 || *offset >= hand->size ? kOff : hand->first + *offset;
  }
  if (name == "regionSite") {
    const auto sites = region(arguments.need("a region"), known);
    const Node* const index = arguments.named("index");
    arguments.finish();
    if (index == nullptr) refuse(node);
    const auto i = integer(*index, known);
    if (!sites || !i) return std::nullopt;
    return *i < 0 || *i >= static_cast<int>(sites->size()) ? kOff : (*sites)[nth(*i)];
  }
  const SiteType type = take_type(arguments);
  if (name == "centrePoint") {
    arguments.finish();
    const Sites centre = topology().marked(type, Mark::centre);
    return centre.empty() ? kOff : centre.front();
  }
  const Node* const of = arguments.named("of");
  arguments.finish();
  if (of == nullptr) refuse(node);
  const auto site = integer(*of, known);
  if (!site) return std::nullopt;
  if (*site < 0 || *site >= topology().count(type)) return kOff;
  return property_of(topology().site(type, *site), name);
}

Statics::Integer Statics::identity(const Node& node, const Known& known) const {
  Arguments arguments(node);
  const Node* const name = arguments.take_string();
  const Node* const who = arguments.next();
  arguments.finish();
  if (name == nullptr) {
    if (who == nullptr) refuse(node);
    return integer(*who, known);
  }
  if (who == nullptr) {
    if (const int component = e_.find_component(name->text); component > 0) return component;
    const auto container = std::ranges::find(e_.containers, name->text, &Container::name);
    return container == e_.containers.end() ? kOff : static_cast<int>(container - e_.containers.begin());
  }
  const auto owner = integer(*who, known);
  if (!owner) return std::nullopt;
  const auto found = components_like(name->text, *owner < 0 ? kEnd : *owner);
  for (const int component : found) {
    if (e_.component(component).owner == *owner) return component;
  }
  return kOff;
}

std::optional<bool> Statics::condition(const Node& node, const Known& known) const {
  if (!known.terms.empty()) {
    if (const auto found = known.terms.find(&node); found != known.terms.end()) return found->second != 0;
  }
  if (node.is_boolean()) return node.is_word("True") || node.is_word("true");
  if (!node.is_clause()) return std::nullopt;
  Arguments arguments(node);
  const std::string& name = node.text;
  if (among(name, kComparisons)) {
    const Node& left = arguments.need("a number");
    const Node& right = arguments.need("a number");
    arguments.finish();
    const auto a = integer(left, known), b = integer(right, known);
    if (a && b) return compare(name, *a, *b);
    if (name != "=" && name != "!=") return std::nullopt;
    if (!left.is_clause() || find_slot(left)) return std::nullopt;
    const auto r = region(left, known), s = region(right, known);
    return r && s ? std::optional((*r == *s) == (name == "=")) : std::nullopt;
  }
  if (name == "not") {
    const auto inner = condition(arguments.need("a condition"), known);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  if (name == "and" || name == "or") {
    bool all_known = true;
    while (const Node* const item = arguments.next()) {
      for (const Node& part : item->each()) {
        const auto value = condition(part, known);
        if (value && *value == (name == "or")) return *value;
        all_known = all_known && value;
      }
    }
    return all_known ? std::optional(name == "and") : std::nullopt;
  }
  if (name == "xor") {
    const auto a = condition(arguments.need("a condition"), known), b = condition(arguments.need("a condition"), known);
    return a && b ? std::optional(*a != *b) : std::nullopt;
  }
  if (name == "if") {
    const auto test = condition(arguments.need("a condition"), known);
    const Node& yes = arguments.need("a condition");
    const Node* const no = arguments.next();
    if (!test) return std::nullopt;
    return *test ? condition(yes, known) : no == nullptr ? std::optional(false) : condition(*no, known);
  }
  if (name == "toBool") {
    const auto value = integer(arguments.need("a number"), known);
    return value ? std::optional(*value != 0) : std::nullopt;
  }
  if (name != "is") return std::nullopt;
  const bool even = arguments.take("Even"), odd = !even && arguments.take("Odd");
  if (even || odd) {
    const auto value = integer(arguments.need("a number"), known);
    return value ? std::optional(((*value & 1) == 0) == even) : std::nullopt;
  }
  for (const Slot slot : {Slot::mover, Slot::next, Slot::prev}) {
    const std::string_view word = slot == Slot::mover ? "Mover" : slot == Slot::next ? "Next" : "Prev";
    if (!arguments.take(word)) continue;
    const auto who = integer(arguments.need("a player"), known);
    const auto is = known[slot];
    return who && is ? std::optional(*who == *is) : std::nullopt;
  }
  if (arguments.take("In")) {
    const Node* first = arguments.next();
    const Node* const second = arguments.next();
    arguments.finish();
    if (first == nullptr || first->is_array()) return std::nullopt;
    const auto site = second == nullptr ? known[Slot::to] : integer(*first, known);
    const auto found = region(second == nullptr ? *first : *second, known);
    return site && found ? std::optional(std::ranges::binary_search(*found, *site)) : std::nullopt;
  }
  return std::nullopt;
}

Sites Statics::all_sites(SiteType type) const {
  Sites result(static_cast<std::size_t>(topology().count(type)));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<int>(i);
  return result;
}

int Statics::distance(SiteType type, Direction relation, int from, int to) const {
  const auto [it, is_new] = distances_.try_emplace({type, relation, from});
  std::vector<int>& distances = it->second;
  if (!is_new) return distances[nth(to)];
  distances.assign(static_cast<std::size_t>(topology().count(type)), -1);
  std::deque<int> queue = {from};
  distances[nth(from)] = 0;
  while (!queue.empty()) {
    const int at = queue.front();
    queue.pop_front();
    for (const int next : topology().neighbours(type, at, relation)) {
      if (distances[nth(next)] >= 0) continue;
      distances[nth(next)] = distances[nth(at)] + 1;
      queue.push_back(next);
    }
  }
  return distances[nth(to)];
}

}  // namespace rgtrans::ludii
