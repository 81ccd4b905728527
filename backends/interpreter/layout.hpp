// The layout of a game state. Symbols that variables can store get small codes. Every variable is a range of cells in
// one flat array. A map consists of one block per member of its source type. If the game may read the map outside that
// type, an extra block holds the default; if it may write outside, a trash block absorbs the writes.
//
//   board: Square -> Piece  with 64 squares takes 64 cells, plus one for the default and one for the trash if needed
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/analysis.hpp"
#include "core/ir/ir.hpp"
#include "core/support/bits.hpp"

namespace rgtrans::interpreter {

constexpr std::uint32_t kMaxCells = 1U << 24U;    // limit for a state, and for all constants in total
constexpr std::uint32_t kMaxSymbols = 1U << 22U;  // storable in variables
constexpr std::size_t kMaxLevels = 64;            // arrows in one type
constexpr std::size_t kMaxExpressionDepth = 1000;

// One arrow of a map type.
struct Level {
  std::vector<std::uint32_t> keys;  // codes of the source type, in order
  std::uint32_t stride = 1;         // cells per block
  bool has_default = false;
  bool has_trash = false;
  [[nodiscard]] std::uint32_t blocks() const {
    return static_cast<std::uint32_t>(keys.size()) + (has_default ? 1U : 0U) + (has_trash ? 1U : 0U);
  }
  // The block for a key. For a key outside the type: the default block, or the trash block when writing.
  [[nodiscard]] std::uint32_t block(std::uint32_t code, bool writing) const;
  // Computed by StateLayout.
  std::vector<std::int32_t> position;  // by code; -1 outside
};

// The shape of a type: one level per arrow, none for a set.
struct FlatShape {
  std::vector<Level> levels;
  std::uint32_t size = 1;
  void set_strides();  // computes strides and size; throws Error beyond kMaxCells
};

struct VariableLayout {
  std::uint32_t offset = 0;
  FlatShape shape;
  Bits possible;                     // the values that its cells can hold
  std::vector<std::uint32_t> codes;  // the values in `possible`, as a list
};

class StateLayout {
 public:
  explicit StateLayout(const ir::Game& game);

  [[nodiscard]] std::uint32_t code(SymbolId symbol) const { return codes_[symbol.value]; }
  [[nodiscard]] SymbolId symbol(std::uint32_t code) const { return symbols_[code]; }
  [[nodiscard]] std::uint32_t code_count() const { return static_cast<std::uint32_t>(symbols_.size()); }
  [[nodiscard]] const VariableLayout& variable(ir::VarId id) const { return variables_[id.value]; }
  [[nodiscard]] std::uint32_t cell_count() const { return cells_; }
  [[nodiscard]] const std::vector<std::uint32_t>& initial() const { return initial_; }
  // True for cells that absorb writes outside a map; they are not part of the state.
  [[nodiscard]] bool is_trash(std::uint32_t cell) const { return trash_[cell]; }

  // The values that variables can hold, including all members of their types.
  [[nodiscard]] analysis::HeldValues& held() const { return *held_; }
  // The codes that an expression can have; for a map, the codes in its cells.
  [[nodiscard]] Bits possible(ir::ExprId expr) const;
  // The shape of a type. With a default block at every level, it is the shape of stored constants.
  [[nodiscard]] FlatShape shape(ir::TypeId type, bool with_defaults) const;
  // Appends the cells of a value.
  void flatten(ir::ValueId value, const FlatShape& shape, std::size_t level, std::vector<std::uint32_t>& out) const;

 private:
  void number_symbols();
  void find_possible_values();
  void find_stray_accesses();
  void scan(ir::ExprId expr, bool writing);
  void place_variables();
  std::uint32_t add_code(SymbolId symbol);
  [[nodiscard]] Bits codes_of(analysis::SetId set) const;

  const ir::Game& game_;
  std::unique_ptr<analysis::HeldValues> held_;
  std::vector<std::uint32_t> codes_;  // by symbol
  std::vector<SymbolId> symbols_;     // by code
  std::vector<VariableLayout> variables_;
  std::vector<std::uint32_t> initial_;
  std::vector<bool> trash_;
  std::uint32_t cells_ = 0;
};

}  // namespace rgtrans::interpreter
