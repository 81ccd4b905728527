// The types, constants and variables of the lowered game. The facts of one functor form one map from their key
// arguments to Bool or to the values of a group.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/gdl/circuit/conditions.hpp"
#include "frontends/gdl/ground/ground_program.hpp"
#include "frontends/gdl/lower/names.hpp"
#include "frontends/gdl/network/groups.hpp"

namespace rgtrans::gdl {

// A variable or a cell of a map, with the symbols of its values.
// Names of types of values begin with it, except Bool.
inline constexpr std::string_view kTypeOfValues = "Type_";

struct Place {
  ir::ExprId expression;
  SymbolId type;  // name of the type of the values
  std::vector<SymbolId> values;
  SymbolId initial;
};

class Declarations : public GameWords {
 public:
  Declarations(const GroundProgram& program, const std::vector<FactGroup>& groups, ir::Game& game);

  void players_and_scores(const std::vector<int>& scores);
  void moves();
  void facts();
  // Declares the computed variables and plans the tables of their lookups.
  void computed(const Conditions& conditions);
  // Declares a Bool per wished name.
  std::vector<Place> bits(const std::vector<std::string>& wishes);
  Place copy_of(const Place& place, std::string_view wish);
  Place flag(std::string_view wish);

  // Writes the two edges of the test whether the place has one of these values. An invalid node omits its edge.
  void test(const Place& place, std::span<const std::uint32_t> values, ir::NodeId from, ir::NodeId yes, ir::NodeId no);
  // The value of a constant map from the values of one place to those of another.
  ir::ExprId mapped(const Place& from, const std::vector<SymbolId>& to, SymbolId to_type, std::string_view wish);

  [[nodiscard]] SymbolId bit(bool value) const { return value ? one_ : zero_; }
  [[nodiscard]] const Place& of_group(std::uint32_t g) const { return groups_[g]; }
  [[nodiscard]] const Place& of_role(std::uint32_t r) const { return roles_[r]; }
  [[nodiscard]] const Place& of(const Conditions& conditions, std::uint32_t variable) const {
    if (conditions.is_group(variable)) return groups_[variable];
    if (conditions.is_move_variable(variable)) return roles_[variable - conditions.first_role];
    return computed_[variable - conditions.first_computed];
  }
  // The result of a lookup for a computed variable.
  ir::ExprId looked_up(const Conditions& conditions, std::uint32_t variable, std::size_t lookup);
  [[nodiscard]] ir::VarId move_variable(std::uint32_t r) const { return move_variables_[r]; }
  [[nodiscard]] bool has_moves(std::uint32_t r) const { return !roles_[r].values.empty(); }
  [[nodiscard]] SymbolId role(std::uint32_t r) const { return role_symbols_[r]; }
  [[nodiscard]] SymbolId move(std::uint32_t m) const { return move_symbols_[m]; }
  Names& names() { return names_; }
  // The texts of the description for the names given so far.
  [[nodiscard]] std::shared_ptr<const ir::Words> words() const;

  // The place in the description of all edges from now on.
  Range place;

 private:
  // Places that are cells of one map.
  struct PlacesOfMap {
    std::string name;
    std::vector<Place*> places;
    std::vector<std::vector<TermId>> keys;
  };
  // A partial constant map, to which compatible lookups are added.
  struct Table {
    SymbolId from, to;  // types
    std::map<SymbolId, SymbolId> entries;
    ir::ExprId constant;
  };
  SymbolId define_set(std::string_view wish, const std::vector<SymbolId>& members);
  SymbolId value_symbol(std::span<const TermId> terms);
  [[nodiscard]] std::string readable(TermId term) { return Names::readable(program_.text(term)); }
  [[nodiscard]] std::vector<TermId> key_of(const FactGroup& group) const;
  std::vector<SymbolId> value_symbols(const FactGroup& group);
  void declare_single(std::uint32_t g);
  void declare_places(const PlacesOfMap& map);
  void declare_map(const PlacesOfMap& map, SymbolId value_type);
  ir::ExprId constant_map(SymbolId from, SymbolId to, SymbolId otherwise, const std::vector<ir::Values::Entry>& entries,
                          std::string_view wish);
  std::size_t table_for(const Place& from, const Lookup& lookup, const Place& to);

  const GroundProgram& program_;
  const std::vector<FactGroup>& fact_groups_;
  std::vector<SymbolId> role_symbols_, move_symbols_;
  std::vector<Place> groups_, roles_, computed_;
  std::vector<Table> tables_;
  std::vector<std::vector<std::size_t>> table_of_;  // per computed variable and lookup
  std::vector<ir::VarId> move_variables_;
  std::size_t end_of_facts_ = 0;                                                // index into the variables
  std::map<std::vector<SymbolId>, SymbolId> types_;                             // by members
  std::map<std::vector<TermId>, SymbolId> tuples_;                              // names of several terms
  std::map<std::pair<SymbolId, std::vector<SymbolId>>, ir::ExprId> set_tests_;  // constants for membership
  std::map<std::pair<SymbolId, std::vector<SymbolId>>, ir::ExprId> maps_;
  std::map<SymbolId, std::size_t> type_sizes_;
  std::size_t table_cells_ = 0;
};

}  // namespace rgtrans::gdl
