// Game: the intermediate representation. Every front end produces one, every pass rewrites one, every back end reads
// one. A Game is a value: a copy shares nothing with the original but the source texts.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ir/automaton.hpp"
#include "core/ir/claims.hpp"
#include "core/ir/expressions.hpp"
#include "core/ir/pragmas.hpp"
#include "core/ir/types.hpp"
#include "core/ir/values.hpp"
#include "core/ir/words.hpp"
#include "core/support/support.hpp"

namespace rgtrans::ir {

struct TypeDef {
  SymbolId name;
  TypeId type;
  Range where;
  bool alive = true;
};
struct Constant {
  SymbolId name;
  TypeId type;
  ValueId value;
  Range where;
  bool alive = true;
};
struct Variable {
  SymbolId name;
  TypeId type;
  ValueId initial;
  Range where;
  bool alive = true;
};

class Game {
 public:
  explicit Game(std::shared_ptr<Sources> sources = std::make_shared<Sources>());
  // Special members are compiled once, in game.cpp, because hundreds of files would otherwise instantiate them.
  Game(const Game&);
  Game(Game&&) noexcept;
  Game& operator=(const Game&);
  Game& operator=(Game&&) noexcept;
  ~Game();

  Symbols symbols;
  Types types;
  Values values;
  Automaton graph;
  std::vector<Pragma> pragmas;
  // Proved facts about this version of the game, if some engine will test them during play.
  Claims claims;
  // Earlier versions of the game, each with the claims about it that later versions rely on; see keep_stage().
  std::vector<std::shared_ptr<const Game>> stages;
  std::shared_ptr<const Words> words;  // null: all symbols are written as in RG

  // --- Declarations, in list order. Ids are positions; removed declarations remain with alive == false. --- A second
  // definition of a name is added, too; lookups find the first one and the verifier reports the second one.
  void define_type(SymbolId name, TypeId type, Range where = {});
  ConstId define_constant(SymbolId name, TypeId type, ValueId value, Range where = {});
  VarId define_variable(SymbolId name, TypeId type, ValueId initial, Range where = {});

  [[nodiscard]] std::span<TypeDef> type_defs() { return type_defs_; }
  [[nodiscard]] std::span<const TypeDef> type_defs() const { return type_defs_; }
  [[nodiscard]] std::span<Constant> constants() { return constants_; }
  [[nodiscard]] std::span<const Constant> constants() const { return constants_; }
  [[nodiscard]] std::span<Variable> variables() { return variables_; }
  [[nodiscard]] std::span<const Variable> variables() const { return variables_; }
  [[nodiscard]] std::vector<VarId> living_variables() const;
  [[nodiscard]] Constant& constant(ConstId id) { return constants_[id.value]; }
  [[nodiscard]] const Constant& constant(ConstId id) const { return constants_[id.value]; }
  [[nodiscard]] Variable& variable(VarId id) { return variables_[id.value]; }
  [[nodiscard]] const Variable& variable(VarId id) const { return variables_[id.value]; }

  // None if the game has no such declaration or it was removed.
  [[nodiscard]] const TypeDef* find_type(SymbolId name) const;
  [[nodiscard]] ConstId find_constant(SymbolId name) const;
  [[nodiscard]] VarId find_variable(SymbolId name) const;
  void remove_type(SymbolId name);
  void remove_constant(ConstId id);
  void remove_variable(VarId id);

  // --- Types. --- Follows aliases at the top level; none for an undefined or cyclic alias.
  [[nodiscard]] TypeId resolve(TypeId type) const {
    return type.valid() && types.kind(type) == TypeKind::alias ? resolve_alias(type) : type;
  }
  [[nodiscard]] bool is_set(TypeId type) const;
  [[nodiscard]] bool is_arrow(TypeId type) const;
  // The sources of a type's arrows from left to right, empty for a set; and the target of the last arrow.
  [[nodiscard]] std::vector<TypeId> keys(TypeId type) const;
  [[nodiscard]] TypeId value_type(TypeId type) const;
  // The members of a type that resolves to a set; otherwise empty.
  [[nodiscard]] std::span<const SymbolId> members(TypeId type) const;
  // The position among members(type), or -1.
  [[nodiscard]] int index_of(TypeId type, SymbolId symbol) const;
  // The number of symbol cells of a variable of this type, saturated at 2^62: 1 for a set, the product of the sources'
  // sizes for an arrow.
  [[nodiscard]] std::uint64_t cell_count(TypeId type) const;

  // --- Expressions, with their type. ---
  ExprId symbol(SymbolId symbol);
  ExprId constant_ref(ConstId id);
  ExprId variable_ref(VarId id);
  ExprId access(ExprId map, ExprId index);
  ExprId cast(TypeId type, ExprId operand);
  [[nodiscard]] const Expressions& expressions() const { return expressions_; }
  // Removes all casts, at every depth.
  ExprId strip_casts(ExprId id);
  // The variable that an assignment to `lhs` changes, or none.
  [[nodiscard]] VarId assigned_variable(ExprId lhs) const;
  // The constant value of an expression without variables, if it is a symbol.
  [[nodiscard]] std::optional<SymbolId> constant_symbol(ExprId id) const;
  // Calls f(VarId) for each occurrence of a variable.
  template <class F>
  void for_each_variable(ExprId id, F&& f) const;
  // Recomputes the types stored in expressions, after declared types have changed.
  void retype_expressions();

  // --- The automaton. --- The node of this name, created on first use.
  NodeId node(SymbolId name, Range where = {});
  NodeId node(std::string_view name) { return node(symbols.intern(name)); }
  [[nodiscard]] NodeId find_node(SymbolId name) const;
  [[nodiscard]] NodeId begin() const { return begin_; }
  [[nodiscard]] NodeId end() const { return end_; }
  // Whether the label assigns to `player`, ignoring casts on the left side.
  [[nodiscard]] bool is_player_assignment(const Label& label) const;
  // The name of every node in the graph: its own, or an unused number (in order of id).
  [[nodiscard]] std::vector<std::string> node_names() const;

  // --- Built-ins (valid after add_builtins). ---
  [[nodiscard]] VarId player() const { return player_; }
  [[nodiscard]] VarId goals() const { return goals_; }
  [[nodiscard]] VarId visible() const { return visible_; }
  [[nodiscard]] bool built_in(VarId id) const { return id == player_ || id == goals_ || id == visible_; }
  [[nodiscard]] SymbolId keeper() const { return keeper_; }
  [[nodiscard]] SymbolId random() const { return random_; }
  // The members of Player and of Score.
  [[nodiscard]] std::span<const SymbolId> players() const;
  [[nodiscard]] std::span<const SymbolId> scores() const;

  [[nodiscard]] const std::shared_ptr<Sources>& sources() const { return sources_; }

  // --- Claims. --- Stores `before`, a copy of this game from before a pass, together with the claims recorded since,
  // which are about it. Later passes change nodes, edges and variables, so a claim can be tested only by playing the
  // version that it is about.
  void keep_stage(Game before);

 private:
  friend void add_builtins(Game& game, Diagnostics& diagnostics);
  [[nodiscard]] TypeId resolve_alias(TypeId type) const;
  TypeId type_of_access(ExprId map) const;

  std::shared_ptr<Sources> sources_;
  Expressions expressions_;
  std::vector<TypeDef> type_defs_;
  std::vector<Constant> constants_;
  std::vector<Variable> variables_;
  std::vector<std::uint32_t> type_index_;  // by symbol id: one more than the row of the definition, or 0
  std::unordered_map<SymbolId, ConstId> constant_index_;
  std::unordered_map<SymbolId, VarId> variable_index_;
  std::vector<NodeId> node_index_;  // by symbol id
  NodeId begin_, end_;
  VarId player_, goals_, visible_;
  SymbolId keeper_, random_;
};

// The symbol as the author wrote it.
[[nodiscard]] std::string written(const Game& game, SymbolId symbol);

// Whether some player may not see some tag: whether `visible` can have a value other than 1 for any player.
[[nodiscard]] bool hides_moves(const Game& game);

template <class F>
void Game::for_each_variable(ExprId id, F&& f) const {
  switch (expressions_.kind(id)) {
    case ExprKind::variable:
      f(expressions_.variable(id));
      break;
    case ExprKind::access:
      for_each_variable(expressions_.map(id), f);
      for_each_variable(expressions_.index(id), f);
      break;
    case ExprKind::cast:
      for_each_variable(expressions_.operand(id), f);
      break;
    case ExprKind::symbol:
    case ExprKind::constant:
      break;
  }
}

}  // namespace rgtrans::ir
