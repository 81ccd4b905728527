// Shift patterns: expressions that contain only shifts, dots and position tests. The effect of such an expression
// depends on the board graph alone: from a vertex v it leads to each vertex of a set T(v). Example: `up*` leads to all
// vertices above v and to v itself. Relations computes T with an algebra over interned vertex sets (union, composition,
// closure by strong components). Equal sets are stored and combined only once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/support/effort.hpp"
#include "frontends/rbg/ast.hpp"

namespace rgtrans::rbg {

using SetId = Id<struct VertexSetTag>;
using RelationId = Id<struct VertexRelationTag>;

class Relations {
 public:
  explicit Relations(const Description& description);

  [[nodiscard]] bool is_shift_pattern(ExprId expression);
  // T of a concatenation of shift patterns; none if the board is too large for tables.
  std::optional<RelationId> of(std::span<const ExprId> factors);

  [[nodiscard]] SetId at(RelationId relation, std::uint32_t vertex) const { return relations_[relation.value][vertex]; }
  [[nodiscard]] std::size_t vertex_count() const { return size_; }

  // Sets. The singleton {v} has the id v; the empty set has the id vertex_count().
  [[nodiscard]] SetId empty() const { return SetId(size_); }
  [[nodiscard]] std::size_t size(SetId set) const;
  // Sorted members, valid until the next set is created.
  [[nodiscard]] std::span<const std::uint32_t> members(SetId set) const;
  SetId intern(std::span<const std::uint32_t> sorted_members);

  // Functions from vertices to a vertex or kNone. Adds a function. The name applies only if the function is new.
  std::uint32_t function(std::vector<std::uint32_t> values, std::string_view name = {});
  [[nodiscard]] const std::string& function_name(std::uint32_t id) const { return function_names_[id]; }
  [[nodiscard]] const std::vector<std::uint32_t>& function(std::uint32_t id) const { return functions_[id]; }
  [[nodiscard]] std::size_t function_count() const { return functions_.size(); }

 private:
  struct TooLarge {};
  using Row = std::vector<SetId>;

  RelationId store(Row row);
  RelationId of(ExprId expression);
  RelationId compose(RelationId first, RelationId second);
  RelationId unite(RelationId a, RelationId b);
  RelationId closure(RelationId relation);
  RelationId restrict_identity(RelationId relation, bool negated);
  RelationId identity();
  // Returns the set of the members in gathered_ and clears it.
  SetId take_gathered();
  void gather(SetId set);
  void spend(std::size_t amount);

  const Description& d_;
  std::size_t size_;
  std::vector<std::uint32_t> members_;
  std::vector<std::size_t> starts_ = {0};  // begin of each set with at least two members
  std::vector<std::uint32_t> singletons_;
  IndexSet set_index_;
  std::vector<Row> relations_;
  IndexSet relation_index_;
  std::unordered_map<std::uint32_t, RelationId> by_shape_;
  std::vector<char> shift_pattern_;  // by shape: 0 unknown, 1 no, 2 yes
  std::vector<std::vector<std::uint32_t>> functions_;
  std::vector<std::string> function_names_;
  IndexSet function_index_;
  std::vector<std::uint32_t> gathered_;
  std::vector<std::uint32_t> epoch_;
  std::uint32_t now_ = 0;
  Effort members_touched_;
};

// The function that applies `first`, then `second`. kNone denotes the identity.
std::uint32_t compose(Relations& relations, std::uint32_t first, std::uint32_t second);
// The value of the function at the vertex.
std::uint32_t follow(const Relations& relations, std::uint32_t function, std::uint32_t vertex);

}  // namespace rgtrans::rbg
