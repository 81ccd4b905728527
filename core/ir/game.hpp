// Game: what every front end produces, every pass rewrites and every back end reads. A Game is a value;
// copying it copies everything but the source texts.
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
  // A plain value. Compiled in one place, because hundreds of files would have code of their own for it.
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
  // What was proved about this game as it is, where somebody wants to evaluate that during play.
  Claims claims;
  // What it was before, each with the claims about it that the next version relies on: see keep_stage().
  std::vector<std::shared_ptr<const Game>> stages;
  std::shared_ptr<const Words> words;  // none: everything is written as in RG

  // --- Declarations, in list order. Ids are positions; removed ones stay with alive == false. ---
  // A name that is defined twice is added twice; lookups find the first, the verifier reports the second.
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

  // None when there is no living declaration of that name.
  [[nodiscard]] const TypeDef* find_type(SymbolId name) const;
  [[nodiscard]] ConstId find_constant(SymbolId name) const;
  [[nodiscard]] VarId find_variable(SymbolId name) const;
  void remove_type(SymbolId name);
  void remove_constant(ConstId id);
  void remove_variable(VarId id);

  // --- Types. ---
  // Follows aliases at the top; none for an undefined or cyclic alias.
  [[nodiscard]] TypeId resolve(TypeId type) const {
    return type.valid() && types.kind(type) == TypeKind::alias ? resolve_alias(type) : type;
  }
  [[nodiscard]] bool is_set(TypeId type) const;
  [[nodiscard]] bool is_arrow(TypeId type) const;
  // What the arrows of a type lead from, one after the other, none for a set; and the set that the last one leads to.
  [[nodiscard]] std::vector<TypeId> keys(TypeId type) const;
  [[nodiscard]] TypeId value_type(TypeId type) const;
  // Members of what resolves to a set, empty otherwise.
  [[nodiscard]] std::span<const SymbolId> members(TypeId type) const;
  // Position among members(type), or -1.
  [[nodiscard]] int index_of(TypeId type, SymbolId symbol) const;
  // Number of symbol cells of a variable of this type: 1 for a set, the product of the sources' sizes for an
  // arrow; saturated at 2^62.
  [[nodiscard]] std::uint64_t cell_count(TypeId type) const;

  // --- Expressions, with their type. ---
  ExprId symbol(SymbolId symbol);
  ExprId constant_ref(ConstId id);
  ExprId variable_ref(VarId id);
  ExprId access(ExprId map, ExprId index);
  ExprId cast(TypeId type, ExprId operand);
  [[nodiscard]] const Expressions& expressions() const { return expressions_; }
  // Without any cast, at every depth.
  ExprId strip_casts(ExprId id);
  // The variable that an assignment to `lhs` writes to, or none.
  [[nodiscard]] VarId assigned_variable(ExprId lhs) const;
  // The symbol that an expression without variables always has, if it is one.
  [[nodiscard]] std::optional<SymbolId> constant_symbol(ExprId id) const;
  // Calls f(VarId) for each occurrence of a variable.
  template <class F>
  void for_each_variable(ExprId id, F&& f) const;
  // Types stored in expressions again, after types of declarations were changed.
  void retype_expressions();

  // --- The automaton. ---
  // The node of that name, made when it is new.
  NodeId node(SymbolId name, Range where = {});
  NodeId node(std::string_view name) { return node(symbols.intern(name)); }
  [[nodiscard]] NodeId find_node(SymbolId name) const;
  [[nodiscard]] NodeId begin() const { return begin_; }
  [[nodiscard]] NodeId end() const { return end_; }
  // An assignment whose left side, without casts, is exactly `player`.
  [[nodiscard]] bool is_player_assignment(const Label& label) const;
  // A name for every living node: its own, or a number that no other node has (in order of id).
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

  // --- Claims. ---
  // `before` is a copy of this game; what has been claimed since is about it. Claims need the game that they are about:
  // later passes change nodes, edges and variables, so it is kept beside this game and is played along with it.
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

// How the author wrote a symbol.
[[nodiscard]] std::string written(const Game& game, SymbolId symbol);

// Whether a tag may be invisible to somebody: `visible` is ever anything but 1 for everybody.
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
