// Reads the equipment.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "frontends/ludii/board/functions.hpp"
#include "frontends/ludii/board/numbers.hpp"
#include "frontends/ludii/equipment/equipment.hpp"
#include "frontends/ludii/equipment/statics.hpp"
#include "frontends/ludii/equipment/tracks.hpp"
#include "frontends/ludii/limits.hpp"

namespace rgtrans::ludii {

namespace {

constexpr int kMostPlayers = 16;

class Reader {
 public:
  Equipment read(const Node& players, const Node& equipment) {
    e_.where = &equipment;
    read_players(players);
    Arguments arguments(equipment);
    const Node& items = arguments.need("items in {…}");
    arguments.finish();
    std::vector<const Node*> sorted;
    if (items.is_array()) {
      for (const Node& item : items.items) sorted.push_back(&item);
    } else {
      sorted.push_back(&items);
    }
    std::ranges::stable_sort(sorted, {}, [](const Node* item) { return rank(*item); });
    for (const Node* item : sorted) read_item(*item);
    if (!e_.topology) throw Refused(equipment.where, "the equipment has no board", "(board (square 8))");
    number_sites();
    name_default_components();
    for (const Node* track : tracks_) e_.tracks.push_back(read_track(*track, Statics(e_)));
    for (const Node* map : maps_) read_map(*map);
    evaluate_regions();
    return std::move(e_);
  }

 private:
  struct Row {
    std::string_view name;
    int rank;
    void (Reader::*read)(const Node&);
  };
  static const std::array<Row, 14> kItems;

  static const Row* row_of(const Node& item) {
    const auto row = std::ranges::find(kItems, item.text, &Row::name);
    return item.is_clause() && row != kItems.end() ? &*row : nullptr;
  }
  static int rank(const Node& item) { return row_of(item) == nullptr ? 0 : row_of(item)->rank; }
  void read_item(const Node& item) {
    const Row* const row = row_of(item);
    if (row == nullptr || row->read == nullptr) refuse(item);
    (this->*row->read)(item);
  }

  void read_players(const Node& node) {
    Arguments arguments(node);
    const Node& what = arguments.need("a number of players");
    arguments.finish();
    if (what.is_array()) {
      for (const Node& player : what.items) {
        Arguments inner(player);
        Player result;
        if (!player.is_clause("player")) refuse(player);
        if (const Node* const facing = inner.next()) {
          result.facing = find_direction(facing->text);
          if (!result.facing || !is_compass(*result.facing)) refuse(*facing);
        }
        inner.finish();
        e_.players.push_back(result);
      }
    } else {
      const int n = dimension(what);
      if (n < 0 || n > kMostPlayers) throw Refused(what.where, "a game has at most 16 players");
      e_.players.resize(static_cast<std::size_t>(n));
    }
    if (e_.players.size() > kMostPlayers) throw Refused(node.where, "a game has at most 16 players");
  }

  void take_use(const Node* word) {
    if (word == nullptr) return;
    if (word->is_word("Vertex")) {
      e_.use = SiteType::vertex;
    } else if (word->is_word("Edge")) {
      e_.use = SiteType::edge;
    } else if (!word->is_word("Cell")) {
      refuse(*word);
    }
  }

  void take_tracks(Arguments& arguments) {
    const Node* const node = arguments.peek();
    if (node == nullptr) return;
    if (node->is_clause("track")) {
      tracks_.push_back(arguments.next());
    } else if (node->is_array() && node->begins_with_clause("track")) {
      for (const Node& track : arguments.next()->items) tracks_.push_back(&track);
    }
  }

  void set_board(const Node& where, Graph graph) {
    if (e_.topology) throw Refused(where.where, "there are two boards");
    e_.topology = std::make_shared<Topology>(std::move(graph));
    if (e_.board_size() == 0) throw Refused(where.where, "the board has no sites", "(board (square 8))");
    e_.containers.push_back({Container::Kind::board, "Board", 0, 0, 0});
  }

  void read_board(const Node& node) {
    Arguments arguments(node);
    take_use(arguments.named("use"));
    e_.large_stacks = arguments.flag("largeStack");
    const Node& graph = arguments.need("a graph");
    take_tracks(arguments);
    // The values of sites in a deduction puzzle, whose rules nothing here can translate.
    while (arguments.take_clause("values") != nullptr) is_puzzle_ = true;
    arguments.finish();
    set_board(node, make_graph(graph, e_.use));
  }
  void read_mancala(const Node& node) {
    Arguments arguments(node);
    e_.use = SiteType::vertex;
    e_.large_stacks = arguments.flag("largeStack");
    Graph graph = mancala(arguments);
    take_tracks(arguments);
    arguments.finish();
    set_board(node, std::move(graph));
  }
  void read_surakarta(const Node& node) {
    Arguments arguments(node);
    e_.use = SiteType::vertex;
    const Node* const loops = arguments.named("loops");
    const Node* const from = arguments.named("from");
    Graph graph = make_graph(arguments.need("a graph"), e_.use);
    arguments.finish();
    set_board(node, std::move(graph));
    for (Track& track : surakarta_tracks(*e_.topology, loops == nullptr ? 0 : dimension(*loops),
                                         from == nullptr ? 1 : dimension(*from)))
      e_.tracks.push_back(std::move(track));
  }
  void read_boardless(const Node& node) {
    Arguments arguments(node);
    e_.large_stacks = arguments.flag("largeStack");
    Graph graph = boardless(arguments);
    arguments.finish();
    e_.boardless = true;
    set_board(node, std::move(graph));
  }

  // The owners that a role stands for. `standard`: if there is no role.
  std::vector<int> owners(Arguments& arguments, std::string_view standard) {
    std::string_view role = standard;
    if (arguments.peek() != nullptr && arguments.peek()->is_word() &&
        role_number(arguments.peek()->text, e_.player_count()))
      role = arguments.next()->text;
    if (role == "Each") {
      std::vector<int> all;
      for (int p = 1; p <= e_.player_count(); ++p) all.push_back(p);
      return all;
    }
    return {*role_number(role, e_.player_count())};
  }

  std::string container_name(std::string_view base, int owner) const {
    return fmt::format("{}{}", base, owner == e_.shared() ? 0 : owner);
  }

  void read_hand(const Node& node) {
    Arguments arguments(node);
    const Node* const size = arguments.named("size");
    const std::vector<int> owned = owners(arguments, "Shared");
    arguments.finish();
    for (const int owner : owned)
      add_container(
          {Container::Kind::hand, container_name("Hand", owner), owner, 0, size == nullptr ? 1 : dimension(*size)},
          node);
  }

  void read_dice(const Node& node) {
    Arguments arguments(node);
    e_.has_dice = true;
    const Node* const number = arguments.named("num");
    const Node *const sides = arguments.named("d"), *const faces = arguments.named("faces"),
                      *const by_die = arguments.named("facesByDie"), *const from = arguments.named("from");
    const bool biased = arguments.named("biased") != nullptr;
    const std::vector<int> owned = owners(arguments, "Shared");
    arguments.finish();
    const int n = number == nullptr ? 1 : dimension(*number);
    const auto faces_of = [&](int die) {
      std::vector<int> result;
      const Node* const list = by_die == nullptr                              ? faces
                               : die < static_cast<int>(by_die->items.size()) ? &by_die->item(nth(die))
                                                                              : nullptr;
      if (by_die != nullptr && list == nullptr) refuse(*by_die);
      if (list != nullptr) {
        for (const Node& face : list->items) result.push_back(dimension(face));
      } else {
        const int first = from == nullptr ? 1 : dimension(*from);
        for (int i = 0; i < (sides == nullptr ? 6 : dimension(*sides)); ++i) result.push_back(first + i);
      }
      return result;
    };
    for (const int owner : owned) {
      const std::string name = container_name("Dice", owner);
      const auto known = std::ranges::find(e_.containers, name, &Container::name);
      if (known != e_.containers.end()) {
        known->size += n;
      } else {
        add_container({Container::Kind::dice, name, owner, 0, n}, node);
      }
      for (int i = 0; i < n; ++i) {
        Component die;
        die.name = die.base = fmt::format("Die{}", e_.components.size() + 1);
        die.owner = owner;
        die.where = &node;
        die.is_die = true;
        if (!biased) die.faces = faces_of(i);
        e_.components.push_back(std::move(die));
      }
    }
  }

  void add_container(Container container, const Node& where) {
    if (container.size < 1 || static_cast<std::uint64_t>(container.size) > limits::sites)
      throw Refused(where.where, "this is no number of sites");
    e_.containers.push_back(std::move(container));
  }

  void read_regions(const Node& node) {
    Arguments arguments(node);
    NamedRegion region;
    if (const Node* const name = arguments.take_string()) region.name = name->text;
    const bool has_role = arguments.peek() != nullptr && arguments.peek()->is_word() &&
                          role_number(arguments.peek()->text, e_.player_count()).has_value();
    region.owner = has_role ? *role_number(arguments.peek()->text, e_.player_count()) : 0;
    const std::string role = has_role ? arguments.next()->text : "P1";
    if (region.name.empty()) region.name = "Region" + role;
    if (arguments.peek() != nullptr && arguments.peek()->is_array() && arguments.peek()->begins_with_clause()) {
      for (const Node& part : arguments.next()->items) region.parts.push_back(&part);
    } else {
      region.parts.push_back(&arguments.need("sites"));
    }
    arguments.finish();
    e_.regions.push_back(std::move(region));
  }

  void read_piece(const Node& node) { read_component(node, "Each"); }
  void read_tile(const Node& node) { read_component(node, "Shared"); }

  void read_component(const Node& node, std::string_view standard) {
    Arguments arguments(node);
    const Node& name = arguments.need("a name");
    Component component;
    component.where = &node;
    component.base = name.text;
    const std::vector<int> owned = owners(arguments, standard);
    for (const std::string_view label : {"maxState", "maxCount", "maxValue", "numSides", "slots", "slotsPerSide"})
      arguments.ignore(label);
    while (const Node* const next = arguments.next()) {
      const auto facing = next->is_word() ? find_direction(next->text) : std::nullopt;
      if (facing && is_compass(*facing)) {
        component.facing = *facing;
      } else if (next->is_clause("flips") && next->items.size() == 2) {
        component.flips = {dimension(next->item(0)), dimension(next->item(1))};
      } else if (next->is_clause()) {
        component.moves = next;
      } else if (next->is_array()) {
        component.is_large = true;
      } else {
        refuse(*next);
      }
    }
    arguments.finish();
    for (const int owner : owned) {
      Component one = component;
      one.owner = owner;
      one.name = component_name(component.base, owner);
      e_.components.push_back(std::move(one));
    }
  }

  [[nodiscard]] std::string component_name(const std::string& base, int owner) const {
    if (base.find("Die") != std::string::npos || base.find("Domino") != std::string::npos || owner == e_.shared())
      return base;
    if (e_.player_count() == 1 && owner != 0) return base;
    return fmt::format("{}{}", base, owner);
  }

  void name_default_components() {
    if (!e_.components.empty() || is_puzzle_) return;
    for (int p = 1; p <= e_.player_count(); ++p) {
      Component ball;
      ball.base = fmt::format("Ball{}", p);
      ball.name = component_name(ball.base, p);
      ball.owner = p;
      ball.where = e_.where;
      e_.components.push_back(std::move(ball));
    }
  }

  // The board takes as many numbers as it has cells, or sites.
  void number_sites() {
    int first = std::max(e_.topology->count(SiteType::cell), e_.board_size());
    for (Container& container : e_.containers) {
      if (container.kind == Container::Kind::board) {
        container.size = e_.board_size();
        continue;
      }
      container.first = first;
      first += container.size;
    }
    if (static_cast<std::uint64_t>(first) > 2 * limits::sites)
      throw Refused(e_.where->where, "there are too many sites", limits::sites.advice());
  }

  void note_map(const Node& node) { maps_.push_back(&node); }
  void read_map(const Node& node) {
    Arguments arguments(node);
    NamedMap map;
    const Node* const name = arguments.take_string();
    map.name = name == nullptr ? "Map" : name->text;
    const Node& first = arguments.need("pairs");
    const auto add = [&](const Node& key, const Node& value) {
      map.pairs.emplace_back(map_value(key), map_value(value));
    };
    if (const Node* const values = arguments.next()) {
      for (std::size_t i = 0; i < std::min(first.items.size(), values->items.size()); ++i)
        add(first.item(i), values->item(i));
    } else {
      for (const Node& pair : first.items) {
        if (!pair.is_clause("pair") || pair.items.size() != 2) refuse(pair);
        add(pair.item(0), pair.item(1));
      }
    }
    arguments.finish();
    e_.maps.push_back(std::move(map));
  }

  int map_value(const Node& node) {
    static const std::map<std::string_view, Mark, std::less<>> kLandmarks = {
        {"CentreSite", Mark::centre}, {"LeftSite", Mark::left}, {"RightSite", Mark::right},
        {"Topsite", Mark::top},       {"TopSite", Mark::top},   {"BottomSite", Mark::bottom}};
    if (node.is_word("FirstSite")) return 0;
    if (node.is_word("LastSite")) return e_.board_size() - 1;
    if (node.is_word()) {
      const auto mark = kLandmarks.find(node.text);
      if (mark != kLandmarks.end()) {
        const Sites found = e_.topology->marked(e_.use, mark->second);
        return found.empty() ? kOff : found.front();
      }
    }
    if (node.is_string()) {
      const int site = e_.topology->find_label(e_.use == SiteType::edge ? SiteType::vertex : e_.use, node.text);
      if (site >= 0) return site;
      if (const int component = e_.find_component(node.text); component > 0) return component;
      throw Refused(node.where, fmt::format("there is no site and no piece \"{}\"", node.text));
    }
    const auto value = Statics(e_).integer(node, {});
    if (!value) refuse(node);
    return *value;
  }

  void evaluate_regions() {
    const Statics statics(e_);
    for (NamedRegion& region : e_.regions) {
      std::set<int> all;
      bool known = true;
      for (const Node* part : region.parts) {
        const auto sites = statics.region(*part, {});
        known = known && sites.has_value();
        if (sites) all.insert(sites->begin(), sites->end());
      }
      if (known) region.sites = Sites(all.begin(), all.end());
    }
  }

  Equipment e_;
  std::vector<const Node*> maps_, tracks_;
  bool is_puzzle_ = false;
};

const std::array<Reader::Row, 14> Reader::kItems = {{
    {"board", 0, &Reader::read_board},
    {"mancalaBoard", 0, &Reader::read_mancala},
    {"surakartaBoard", 0, &Reader::read_surakarta},
    {"boardless", 0, &Reader::read_boardless},
    {"hand", 1, &Reader::read_hand},
    {"deck", 1, nullptr},
    {"fan", 2, nullptr},
    {"dice", 3, &Reader::read_dice},
    {"hints", 4, nullptr},
    {"regions", 5, &Reader::read_regions},
    {"map", 6, &Reader::note_map},
    {"dominoes", 7, nullptr},
    {"piece", 8, &Reader::read_piece},
    {"tile", 8, &Reader::read_tile},
}};

}  // namespace

std::optional<int> role_number(std::string_view role, int players) {
  if (role == "Neutral") return 0;
  if (role == "Shared" || role == "All" || role == "Each") return players + 1;
  const std::string_view digits = role.starts_with("Team") ? role.substr(4)
                                  : role.starts_with("P")  ? role.substr(1)
                                                           : "";
  if (digits.empty() || digits.size() > 2 || !std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; }))
    return std::nullopt;
  const int number = std::stoi(std::string(digits));
  if (number < 1 || number > kMostPlayers) return std::nullopt;
  return number;
}

bool Equipment::is_site(int site) const {
  return std::ranges::any_of(containers,
                             [&](const Container& c) { return site >= c.first && site < c.first + c.size; });
}

int Equipment::find_component(std::string_view name) const {
  const auto found = std::ranges::find(components, name, &Component::name);
  return found == components.end() ? 0 : static_cast<int>(found - components.begin()) + 1;
}

const Container* Equipment::hand_of(int owner) const {
  const auto found = std::ranges::find_if(
      containers, [&](const Container& c) { return c.kind == Container::Kind::hand && c.owner == owner; });
  return found == containers.end() ? nullptr : &*found;
}

Direction Equipment::facing(int number) const {
  if (number < 1 || number > static_cast<int>(components.size())) return Direction::n;
  const Component& one = component(number);
  if (one.owner >= 1 && one.owner <= player_count()) {
    const auto& of_player = players[nth(one.owner - 1)].facing;
    if (of_player) return *of_player;
  }
  return one.facing;
}

Equipment read_equipment(const Node& players, const Node& equipment) { return Reader().read(players, equipment); }

}  // namespace rgtrans::ludii
