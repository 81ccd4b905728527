// StateLayout: where everything lies. Symbols that can be stored get small codes, every variable a run of cells in one
// flat array. A map is a run of blocks, one per member of its source type; where the game may read a map
// outside that type there is one more block with the default, and where it may write outside, one more that
// swallows what is written.
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

constexpr std::uint32_t kMaxCells = 1U << 24U;    // of a state, and of all constants together
constexpr std::uint32_t kMaxSymbols = 1U << 22U;  // that can be stored in variables
constexpr std::size_t kMaxLevels = 64;            // arrows in one type
constexpr std::size_t kMaxExpressionDepth = 1000;

// One arrow of a map type.
struct Level {
  std::vector<std::uint32_t> keys;  // codes of the source type, in order
  std::uint32_t stride = 1;         // cells of one block
  bool has_default = false;
  bool has_trash = false;
  [[nodiscard]] std::uint32_t blocks() const {
    return static_cast<std::uint32_t>(keys.size()) + (has_default ? 1U : 0U) + (has_trash ? 1U : 0U);
  }
  // The block for a key; for a key outside: the default's, or the trash's when writing.
  [[nodiscard]] std::uint32_t block(std::uint32_t code, bool writing) const;
  // Built by StateLayout.
  std::vector<std::int32_t> position;  // by code, -1 outside
};

// The form of a type: no level for a set.
struct FlatShape {
  std::vector<Level> levels;
  std::uint32_t size = 1;
  void set_strides();  // and size; throws Error beyond kMaxCells
};

struct VariableLayout {
  std::uint32_t offset = 0;
  FlatShape shape;
  Bits possible;                     // what its cells can ever hold
  std::vector<std::uint32_t> codes;  // the same, listed
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
  // True for the cells that swallow writes outside: they are no part of the state.
  [[nodiscard]] bool is_trash(std::uint32_t cell) const { return trash_[cell]; }

  // What the variables can hold, members of their types included.
  [[nodiscard]] analysis::HeldValues& held() const { return *held_; }
  // The codes an expression can have as its value (or anywhere in it, for a map).
  [[nodiscard]] Bits possible(ir::ExprId expr) const;
  // The form of a type with a default block at every level, as constants are stored.
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
