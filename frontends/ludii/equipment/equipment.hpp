// Players, containers, components, regions, maps and tracks of a game, with the numbers that Ludii gives them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/ludii/board/topology.hpp"
#include "frontends/ludii/text/tree.hpp"

namespace rgtrans::ludii {

inline constexpr int kOff = -1;
inline constexpr int kEnd = -2;
inline constexpr int kInfinity = 1'000'000'000;

struct Player {
  std::optional<Direction> facing;
};

struct Container {
  enum class Kind : std::uint8_t { board, hand, dice };
  Kind kind = Kind::board;
  std::string name;
  int owner = 0;
  int first = 0, size = 0;  // sites
};

struct Component {
  std::string name;  // with the number of its owner
  std::string base;  // as declared
  int owner = 0;
  Direction facing = Direction::n;
  const Node* moves = nullptr;
  const Node* where = nullptr;
  std::optional<std::pair<int, int>> flips;
  std::vector<int> faces;  // of a die; none if they are not equally likely
  bool is_die = false, is_large = false;
};

struct NamedRegion {
  std::string name;
  int owner = 0;
  std::vector<const Node*> parts;  // their union
  std::optional<Sites> sites;      // if they do not depend on the position
};

struct Track {
  std::string name;
  int owner = 0;
  bool loop = false, directed = false, has_inner_loop = false;
  std::vector<int> sites, next, previous, bumps;
};

struct NamedMap {
  std::string name;
  std::vector<std::pair<int, int>> pairs;
};

struct Equipment {
  std::vector<Player> players;  // the first one is player 1
  SiteType use = SiteType::cell;
  std::shared_ptr<const Topology> topology;
  std::vector<Container> containers;  // the first one is the board
  std::vector<Component> components;  // the first one has the number 1
  std::vector<NamedRegion> regions;
  std::vector<NamedMap> maps;
  std::vector<Track> tracks;
  bool has_dice = false, large_stacks = false, boardless = false;
  const Node* where = nullptr;

  [[nodiscard]] int player_count() const { return static_cast<int>(players.size()); }
  [[nodiscard]] int shared() const { return player_count() + 1; }
  [[nodiscard]] int board_size() const { return topology->count(use); }
  // The sites of all containers; those between the board and the first hand do not exist.
  [[nodiscard]] int site_end() const { return containers.back().first + containers.back().size; }
  [[nodiscard]] bool is_site(int site) const;
  [[nodiscard]] bool is_board_site(int site) const { return site >= 0 && site < board_size(); }
  [[nodiscard]] const Component& component(int number) const { return components[nth(number - 1)]; }
  [[nodiscard]] int find_component(std::string_view name) const;  // 0: none
  [[nodiscard]] const Container* hand_of(int owner) const;
  // The direction that pieces of the component face.
  [[nodiscard]] Direction facing(int component) const;
};

// The number of a player's role as an integer, or nothing if the word is no role with a fixed number.
std::optional<int> role_number(std::string_view role, int players);

// Reads (players …) and (equipment {…}). Throws Refused.
Equipment read_equipment(const Node& players, const Node& equipment);

}  // namespace rgtrans::ludii
