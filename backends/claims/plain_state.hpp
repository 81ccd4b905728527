// A state of a game, laid out without any analysis: a cell for each key of each map, and one for all keys outside its
// type. A cell can hold any symbol. Changes can be undone. Cells may be marked; the mark shows when a cell is read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/ir/ir.hpp"

namespace rgtrans::claims {

// A hash of 128 bits. One exploration meets far fewer than 2^40 states, so it confuses two of them less often than once
// in 2^48 explorations. Then a claim is not evaluated in one of them.
struct WideHash {
  std::uint64_t a = 0, b = 0;
  friend bool operator==(const WideHash&, const WideHash&) = default;
  void add(std::uint64_t x) {
    a = combine_hash(a, x);
    b = mix_hash(b + x * 0xbf58476d1ce4e5b9ULL + 0x94d049bb133111ebULL);
  }
  // In any order; a second time takes back.
  void toggle(std::uint64_t x) {
    a ^= mix_hash(x + 0x9e3779b97f4a7c15ULL);
    b ^= mix_hash(~x * 0xd6e8feb86659fd93ULL);
  }
};
struct WideHashHash {
  std::size_t operator()(const WideHash& key) const { return key.a; }
};

class PlainState {
 public:
  explicit PlainState(const ir::Game& game);
  PlainState(const PlainState&) = delete;
  PlainState& operator=(const PlainState&) = delete;

  struct Content {
    std::vector<std::uint32_t> cells;  // symbols
    std::vector<std::uint32_t> marks;  // none: 0
  };
  void reset();
  [[nodiscard]] const Content& content() const { return content_; }
  void set_content(Content content);
  // As it was then.
  [[nodiscard]] Content content_at(std::size_t time) const;
  // Symbols that represent others in expressions.
  using Names = std::vector<std::pair<SymbolId, SymbolId>>;
  void bind(Names names) { names_ = std::move(names); }

  // --- Taking back. ---
  [[nodiscard]] std::size_t time() const { return changes_.size(); }
  void back_to(std::size_t time);
  // The cells that hold something else than then, in ascending order.
  [[nodiscard]] std::vector<std::uint32_t> different_since(std::size_t time) const;
  [[nodiscard]] const WideHash& hash() const { return hash_; }

  // --- Reading. Every read marks `seen` with the mark of a cell that took part. ---
  [[nodiscard]] std::uint32_t value(ir::ExprId expression, std::uint32_t& seen);
  [[nodiscard]] bool holds(const ir::Compare& compare, std::uint32_t& seen);
  [[nodiscard]] std::uint32_t cell(std::uint32_t number) const { return content_.cells[number]; }
  [[nodiscard]] std::uint32_t mark(std::uint32_t number) const { return content_.marks[number]; }
  [[nodiscard]] ir::VarId variable_of(std::uint32_t cell) const { return variable_of_[cell]; }
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> cells_of(ir::VarId variable) const;
  // The cells that the keys of the variable's type have, without those that hold defaults.
  [[nodiscard]] bool has_key(std::uint32_t cell) const { return has_key_[cell]; }

  // --- Writing. Marks go with values. ---
  // The cells that a left side means: none outside of the map.
  struct Target {
    std::uint32_t first = 0, count = 0;
  };
  [[nodiscard]] std::optional<Target> target(ir::ExprId lhs, std::uint32_t& seen);
  void assign(const ir::Assign& assign);
  void choose(ir::ExprId lhs, SymbolId member);
  void set_mark(std::uint32_t cell, std::uint32_t mark);
  // The cells written last by assign() or choose(); and whether where they lie depended on a marked cell, which marks
  // all cells of the variable.
  [[nodiscard]] const std::optional<Target>& written() const { return written_; }
  [[nodiscard]] bool spread() const { return spread_; }

 private:
  // Of the members of a type among them; -1 for other symbols.
  struct Positions {
    std::uint32_t least = 0;  // symbol
    std::vector<std::int32_t> list;
    [[nodiscard]] std::int32_t of(std::uint32_t symbol) const {
      return symbol - least < list.size() ? list[symbol - least] : -1;
    }
  };
  struct Arrow {
    std::vector<std::uint32_t> keys;
    const Positions* positions = nullptr;
    std::uint32_t stride = 1;
    [[nodiscard]] std::int32_t position(std::uint32_t symbol) const { return positions->of(symbol); }
  };
  struct Form {
    std::vector<Arrow> arrows;
    std::uint32_t size = 1;
  };
  struct Code {                    // an expression
    std::uint32_t symbol = kNone;  // itself; else
    bool constant = false;
    std::uint32_t first = 0;  // of the root, in the state or among the constants
    const Form* form = nullptr;
    std::vector<ir::ExprId> indices;
  };
  struct Found {
    std::uint32_t first = 0;
    bool constant = false;
    const Form* form = nullptr;
    std::size_t arrow = 0;  // the first that is left
    bool outside = false;
  };
  struct Change {
    std::uint32_t cell, value, mark;
  };

  [[nodiscard]] const Form& form_of(ir::TypeId type);
  void flatten(ir::ValueId value, const Form& form, std::size_t arrow, std::vector<std::uint32_t>& out) const;
  [[nodiscard]] const Code& code_of(ir::ExprId expression);
  [[nodiscard]] Found find(ir::ExprId expression, std::uint32_t& seen);
  [[nodiscard]] std::uint32_t read(const Found& found, std::uint32_t offset, std::uint32_t& seen) const;
  void write(std::uint32_t cell, std::uint32_t value, std::uint32_t mark);
  [[nodiscard]] static std::uint64_t content_key(std::uint32_t cell, std::uint32_t value) {
    return (std::uint64_t{cell} << 32U) | value;
  }
  // f(cell of the left, cell of the right, all keys are keys of the left) for cells that belong together.
  template <class F>
  void pair_up(const Found& left, const Found& right, std::size_t depth, std::uint32_t l, std::uint32_t r, bool inside,
               const F& f) const;
  [[nodiscard]] bool is_map(const Found& found) const { return found.arrow < found.form->arrows.size(); }

  const ir::Game& game_;
  std::unordered_map<ir::TypeId, Form> forms_;  // by resolved type
  std::unordered_map<ir::TypeId, Positions> positions_;
  std::vector<std::pair<std::uint32_t, const Form*>> variables_;
  std::vector<ir::VarId> variable_of_;
  std::vector<bool> has_key_;
  std::vector<std::uint32_t> constants_;
  std::vector<std::pair<std::uint32_t, const Form*>> constant_places_;  // by constant; kNone: not laid out yet
  std::vector<Code> codes_;                                             // by expression
  std::vector<bool> coded_;
  Content initial_, content_;
  WideHash hash_;
  std::vector<Change> changes_;
  std::optional<Target> written_;
  bool spread_ = false;
  Names names_;
};

}  // namespace rgtrans::claims
