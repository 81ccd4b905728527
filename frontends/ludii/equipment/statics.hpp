// Evaluates what does not depend on the position: integers, conditions, regions and directions.
//
// The lowering uses it for terms with a few unknown parts, too: it evaluates the term for all values of those parts and
// makes a table of the results.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "frontends/ludii/board/numbers.hpp"
#include "frontends/ludii/equipment/equipment.hpp"
#include "frontends/ludii/text/arguments.hpp"

namespace rgtrans::ludii {

// The iterators of the language, and the players of the turn.
enum class Slot : std::uint8_t { from, to, between, site, level, value, player, edge, pips, mover, next, prev };
inline constexpr int kSlots = static_cast<int>(Slot::prev) + 1;
std::optional<Slot> find_slot(const Node& node);  // (from), (to), …

// The values that are known.
struct Known {
  std::array<std::optional<int>, kSlots> slots;
  // Values of terms that depend on the position.
  std::map<const Node*, int> terms;
  // The direction of the last move, if it has one.
  std::optional<std::vector<Direction>> heading;

  [[nodiscard]] std::optional<int>& operator[](Slot slot) { return slots[nth(slot)]; }
  [[nodiscard]] std::optional<int> operator[](Slot slot) const { return slots[nth(slot)]; }
  [[nodiscard]] Known with(Slot slot, int value) const {
    Known result = *this;
    result[slot] = value;
    return result;
  }
  bool operator==(const Known&) const = default;
};

// The row, column, phase or layer of a site.
int property_of(const Topology::Site& site, std::string_view name);
bool is_site_type(const Node& node);  // Cell, Edge or Vertex

class Statics {
 public:
  explicit Statics(const Equipment& equipment) : e_(equipment) {}

  // Nothing if the term depends on the position or on an unknown value. Throw Refused for mistakes.
  [[nodiscard]] std::optional<int> integer(const Node& node, const Known& known) const;
  [[nodiscard]] std::optional<int> integer_or(const Node* node, int otherwise, const Known& known) const {
    return node == nullptr ? otherwise : integer(*node, known);
  }
  [[nodiscard]] std::optional<bool> condition(const Node& node, const Known& known) const;
  [[nodiscard]] std::optional<Sites> region(const Node& node, const Known& known) const;

  // The number of a role, with Mover and Next resolved.
  [[nodiscard]] std::optional<int> role(std::string_view word, const Known& known) const;
  // The components whose name contains the text, of an owner or of all (-1).
  [[nodiscard]] std::vector<int> components_like(std::string_view text, int owner) const;

  // The track that a name and an owner stand for, or null.
  [[nodiscard]] const Track* track(const Node* name, std::optional<int> owner) const;

  // Directions and relations as they are written, for a piece with that facing. Nothing if they are not static.
  [[nodiscard]] std::optional<std::vector<Direction>> directions(const Node& node, Direction facing, int site,
                                                                 const Known& known) const;
  // The directions if they do not depend on the piece; nothing otherwise. A null node means Adjacent.
  [[nodiscard]] std::optional<std::vector<Direction>> fixed_directions(const Node* node, int site,
                                                                       const Known& known) const;
  // The site so many steps along the first line that is long enough, or the site itself.
  [[nodiscard]] int site_ahead(SiteType type, int from, const std::vector<Direction>& directions, int steps) const;
  [[nodiscard]] SiteType type_or(const Node* word) const;
  // Takes Cell, Edge or Vertex from the arguments.
  SiteType take_type(Arguments& arguments) const;
  // The sites of a walk such as {F F R F} in all directions, and the ends of several walks.
  [[nodiscard]] std::vector<Sites> walk_paths(const Node& walk, int from, bool rotations) const;
  [[nodiscard]] Sites walk_ends(const Node& walks, int from, bool rotations) const;
  [[nodiscard]] Sites all_sites(SiteType type) const;
  [[nodiscard]] int distance(SiteType type, Direction relation, int from, int to) const;
  [[nodiscard]] const Equipment& equipment() const { return e_; }
  [[nodiscard]] const Topology& topology() const { return *e_.topology; }

 private:
  using Integer = std::optional<int>;
  using Region = std::optional<Sites>;
  [[nodiscard]] Integer arithmetic(const Node& node, const Known& known) const;
  [[nodiscard]] Integer count(const Node& node, const Known& known) const;
  [[nodiscard]] Integer map_entry(const Node& node, const Known& known) const;
  [[nodiscard]] Integer ahead(const Node& node, const Known& known) const;
  [[nodiscard]] Integer coordinate(const Node& node, const Known& known) const;
  [[nodiscard]] Integer property(const Node& node, const Known& known) const;
  [[nodiscard]] Integer identity(const Node& node, const Known& known) const;
  [[nodiscard]] Region sites(const Node& node, const Known& known) const;
  // The sites that a number or a region stands for.
  [[nodiscard]] Region sites_of(const Node& where, const Known& known) const;
  [[nodiscard]] Region listed_sites(const Node& array, const Known& known) const;
  [[nodiscard]] Region owned_sites(std::optional<int> owner, const Node* name) const;
  [[nodiscard]] Region sites_around(Arguments& arguments, const Known& known) const;
  [[nodiscard]] Region sites_in_direction(Arguments& arguments, const Known& known) const;
  [[nodiscard]] Region sites_at_distance(Arguments& arguments, const Known& known) const;
  [[nodiscard]] Region sites_between(Arguments& arguments, const Known& known) const;
  [[nodiscard]] Region incident(Arguments& arguments, const Known& known) const;
  [[nodiscard]] Region expand(const Node& node, const Known& known) const;
  [[nodiscard]] Region set_operation(const Node& node, const Known& known) const;
  [[nodiscard]] Region filtered(const Node& node, const Known& known) const;
  [[nodiscard]] std::vector<Direction> relative(std::string_view name, Direction facing, Directions supported) const;

  const Equipment& e_;
  mutable std::map<std::tuple<SiteType, Direction, int>, std::vector<int>> distances_;  // from a site to all others
};

}  // namespace rgtrans::ludii
