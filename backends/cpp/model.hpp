// The game as the generator sees it: symbols numbered so that a value is an index wherever it flows, maps as
// arrays over those numbers, the automaton as compact steps.
//
// A universe is a set of symbols that can flow into each other (through assignments, comparisons, indices and
// casts). Every value is a position in its universe. Types of one universe are numbered from the smallest, so that
// nested types are prefixes and need no conversion. Arrays have one cell for each symbol of the key's universe up to
// the last one that some index can be; cells outside the declared key type hold the map's default, which makes every
// read defined.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <range/v3/view/transform.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "backends/cpp/values.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::cpp {

using analysis::Deed;
using ir::ExprId;
using ir::Folded;
using ir::NodeId;
using ir::TypeId;
using ir::ValueId;
using ir::VarId;

struct Universe {
  std::string name;                                        // of the namespace with its enumerators
  std::vector<SymbolId> symbols;                           // by code
  std::vector<std::string> enumerators;                    // by code
  std::unordered_map<std::uint32_t, std::uint32_t> codes;  // symbol -> code
  std::vector<std::uint32_t> tags;                         // by code: the tag of `$$ v`; empty when never shown
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(symbols.size()); }
  void add(SymbolId symbol) {
    if (codes.try_emplace(symbol.value, size()).second) symbols.push_back(symbol);
  }
};

// The arrays of a type: one dimension for each arrow, then the universe of the cells.
struct ArrayShape {
  std::vector<std::uint32_t> keys;   // universes
  std::vector<std::uint32_t> sizes;  // how many of their codes are indices
  std::uint32_t leaf = 0;            // universe
  [[nodiscard]] bool scalar() const { return keys.empty(); }
  // How many there are; of more than `most`, some number beyond it.
  [[nodiscard]] std::uint64_t cells(std::uint64_t most) const {
    std::uint64_t result = 1;
    for (const std::uint32_t indices : sizes) result = std::min(result, most + 1) * indices;
    return result;
  }
  bool operator==(const ArrayShape&) const = default;
};

// Cells that lie one behind the other, and the place of one of them.
struct RowOfCells {
  VarId map;
  ExprId row;    // the index that finds them; none in a map of one dimension
  ExprId index;  // of the cell among them
};

struct Step {
  ir::EdgeId edge;
  std::uint32_t number = 0;        // index into NumberedGame::steps
  std::uint32_t from = 0, to = 0;  // nodes
  Deed kind = Deed::nothing;
  bool negated = false;
  bool ends_move = false;   // an assignment to `player`
  bool mark = false;        // empty, but was an artificial tag: walks that pass different ones seldom meet
  ExprId lhs, rhs;          // without casts
  VarId variable;           // assigned or shown
  TypeId type;              // of assign_any
  std::uint32_t check = 0;  // index into NumberedGame::checks
  SymbolId symbol;          // of a tag
};

inline bool is_tag(const Step& step) { return step.kind == Deed::tag || step.kind == Deed::tag_variable; }
inline bool is_condition(const Step& step) { return step.kind == Deed::compare || step.kind == Deed::check; }
inline bool is_assignment(const Step& step) { return step.kind == Deed::assign || step.kind == Deed::assign_any; }

struct Check {
  std::uint32_t from = 0, to = 0;
};

// Expressions whose values are assumed: a variable, or an access to a map that is no constant.
using Bindings = std::vector<std::pair<ExprId, SymbolId>>;

class NumberedGame {
 public:
  explicit NumberedGame(const ir::Game& game, bool follow_values = true);

  ir::Game game;
  std::vector<Universe> universes;
  std::vector<Step> steps;
  std::vector<std::vector<std::uint32_t>> out, in;  // by node: steps
  std::vector<Check> checks;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> check_of;  // by its nodes
  std::vector<std::string> node_names;
  std::vector<SymbolId> tags;                               // by tag number; 0 is "no tag"
  std::unordered_map<std::uint32_t, std::uint32_t> tag_of;  // symbol -> tag
  std::vector<bool> assigned;                               // variables that some step writes
  std::unique_ptr<analysis::HeldValues> held;               // what variables can ever hold
  std::vector<Bits> variable_values;                        // by variable: the same, as codes
  std::vector<std::uint32_t> bounds;                        // by variable: one more than the largest of them
  std::vector<std::string> identifiers;                     // by variable
  std::unique_ptr<PossibleValues> values;                   // by node and cell

  // Steps by their numbers.
  [[nodiscard]] auto steps_at(const std::vector<std::uint32_t>& numbers) const {
    return ranges::views::transform(numbers, [this](std::uint32_t number) -> const Step& { return steps[number]; });
  }
  [[nodiscard]] ArrayShape shape(TypeId type) const;
  [[nodiscard]] const ArrayShape& variable_shape(VarId variable) const { return shapes_[variable.value]; }
  [[nodiscard]] bool scalar(VarId variable) const { return shapes_[variable.value].scalar(); }
  // Of the values of a variable, or of the cells of a map.
  [[nodiscard]] const Universe& universe(VarId variable) const { return universes[shapes_[variable.value].leaf]; }
  // The universe of an expression's value (of its cells for a map); none for a bare symbol.
  [[nodiscard]] std::optional<std::uint32_t> universe_of(ExprId expression) const;
  // Of the values that a step compares.
  [[nodiscard]] std::optional<std::uint32_t> universe_of(const Step& compare) const {
    const auto universe = universe_of(compare.lhs);
    return universe ? universe : universe_of(compare.rhs);
  }
  [[nodiscard]] std::uint32_t code(std::uint32_t universe, SymbolId symbol) const;
  // What a cell of a map of one dimension holds at first.
  [[nodiscard]] std::uint32_t initial_code(VarId board, std::size_t cell) const;
  [[nodiscard]] bool has(std::uint32_t universe, SymbolId symbol) const {
    return universes[universe].codes.contains(symbol.value);
  }
  // Codes of the members of a set type.
  [[nodiscard]] std::vector<std::uint32_t> member_codes(TypeId type) const;
  [[nodiscard]] Bits members(TypeId type) const;

  [[nodiscard]] Folded fold(ExprId expression, const Bindings& bindings = {}) const;
  // Whether a comparison holds, where both sides are known.
  [[nodiscard]] std::optional<bool> holds(const Step& compare, const Bindings& bindings) const {
    const Folded a = fold(compare.lhs, bindings);
    const Folded b = fold(compare.rhs, bindings);
    if (!a.symbol.valid() || !b.symbol.valid()) return std::nullopt;
    return (a.symbol == b.symbol) != compare.negated;
  }
  // Codes that the expression can have, in any reachable state. For a map: of its cells.
  [[nodiscard]] Bits possible(ExprId expression, std::uint32_t universe) const;
  // The same, at a node.
  [[nodiscard]] Bits possible_at(std::uint32_t node, ExprId expression, std::uint32_t universe) const;
  // The keys of a map; and whether an access has one of them at a node, in each state.
  [[nodiscard]] Bits keys_of(ExprId map) const;
  [[nodiscard]] bool has_key(std::uint32_t node, ExprId access) const;
  // Calls f(VarId) for each variable read; those never assigned are constants and left out.
  template <class F>
  void for_each_read(ExprId expression, F&& f) const {
    game.for_each_variable(expression, [&](VarId v) {
      if (assigned[v.value]) f(v);
    });
  }
  // Calls f(access) for each access in the sides of a step, inner ones first.
  template <class F>
  void for_each_access(const Step& step, F&& f) const {
    const auto visit = [&](const auto& self, ExprId id) -> void {
      ir::for_each_part(game.expressions(), id, [&](ExprId part) { self(self, part); });
      if (game.expressions().kind(id) == ir::ExprKind::access) f(id);
    };
    for (const ExprId side : {step.lhs, step.rhs})
      if (side.valid()) visit(visit, side);
  }
  // Variables read by the indices of a left side.
  template <class F>
  void for_each_index_read(ExprId lhs, F&& f) const {
    ir::for_each_index(game.expressions(), lhs, [&](ExprId index) { for_each_read(index, f); });
  }
  [[nodiscard]] bool reads(ExprId expression, VarId variable) const;
  // A cell of a map variable that is written somewhere.
  [[nodiscard]] bool is_cell(ExprId expression) const;
  // The row of cells that it is in, if that is one: all of a map of one dimension; of one of two what the first index
  // finds.
  [[nodiscard]] std::optional<RowOfCells> row_of(ExprId cell) const;
  // Rows of the map are bytes that are read in whole vectors: it has one or two dimensions, and no short rows.
  [[nodiscard]] bool in_vectors(VarId map) const;
  // Number of cells along the first dimension of a map in the state, padded so that whole vectors can be read.
  [[nodiscard]] std::uint32_t padded_size(VarId variable) const;
  // Whatever the index is, there is such a row of the map.
  [[nodiscard]] bool is_always_row(VarId map, ExprId index) const;
  // f(part) for what the value of an expression changes with: variables, and cells of map variables as a whole.
  template <class F>
  void for_each_atom(ExprId expression, F&& f) const {
    const auto& e = game.expressions();
    ir::visit_parts(e, expression, [&](ExprId part) {
      const bool cell = is_cell(part);
      if (cell || (e.kind(part) == ir::ExprKind::variable && assigned[e.variable(part).value])) f(part);
      return !cell;
    });
  }

 private:
  void copy_steps();
  void find_universes();
  void number_universes(std::vector<std::uint32_t>& root);
  void name_universes();
  void name_variables();
  void find_extents();
  void find_shapes();
  void number_tags();
  void drop_decided_steps();
  void narrow_values();
  void index_steps();

  std::vector<std::uint32_t> universe_of_type_;  // by resolved set type
  std::vector<std::uint32_t> extents_;           // of maps from it: one more than the largest index
  std::vector<ArrayShape> shapes_;               // by variable
  std::vector<ArrayShape> constant_shapes_;
};

// What a cell of a map can ever hold.
Bits contents_of(const NumberedGame& model, VarId map, std::size_t cell);
// A label as RG, for comments: without casts, long ones cut off.
std::string label_text(const NumberedGame& model, const Step& step);
// "file:line" of a step or node, or "".
std::string place_text(const ir::Game& game, Range range);

// Unique C++ identifiers made from names of a game.
class Identifiers {
 public:
  // `name` with everything but letters, digits and `_` replaced, different from all made before.
  std::string make(std::string_view name);

 private:
  std::unordered_map<std::string, unsigned> used_;
};

}  // namespace rgtrans::cpp
