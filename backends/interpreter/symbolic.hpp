// Symbolic form of expressions during compilation: constants, loads from the state, table lookups and sums. A lookup in
// a lookup is folded into one new table, so that every function of a single cell becomes one table.
//
//   next[up[x]]  becomes  T[x]  with  T[i] = next[up[i]]
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "backends/interpreter/layout.hpp"
#include "backends/interpreter/program.hpp"

namespace rgtrans::interpreter {

using Sym = std::uint32_t;  // a node of Symbolic

class Symbolic {
 public:
  Symbolic(const ir::Game& game, const StateLayout& layout, MachineProgram& program);

  // The value of an expression of set type.
  Sym value(ir::ExprId expr);
  // The address of the first cell of `expr`: in the state or, for constants, in a table.
  struct Place {
    Sym address = 0;
    bool constant = false;
    FlatShape shape;  // shape of the remaining levels
  };
  Place place(ir::ExprId expr, bool writing);
  // The cell that an assignment to an expression of set type writes.
  Sym target(ir::ExprId expr);

  [[nodiscard]] std::optional<std::uint32_t> constant(Sym sym) const;
  // The cells that the value depends on directly: loads that are not inside another load's address.
  [[nodiscard]] std::vector<Sym> atoms(Sym sym) const;
  // The cell that both values depend on, if there is exactly one.
  [[nodiscard]] std::optional<Sym> only_atom(Sym left, Sym right) const;
  // The range of codes that a load can return.
  struct Bounds {
    std::uint32_t low = 0, high = 0;
    [[nodiscard]] std::uint64_t count() const { return std::uint64_t{high} - low + 1; }
  };
  [[nodiscard]] Bounds bounds(Sym load) const;
  [[nodiscard]] const std::vector<std::uint32_t>& codes(Sym load) const;
  // The value if the atoms have these codes.
  using Given = std::pair<Sym, std::uint32_t>;
  [[nodiscard]] std::uint32_t evaluate(Sym sym, std::span<const Given> atoms) const;
  [[nodiscard]] std::uint32_t evaluate(Sym sym, Sym atom, std::uint32_t code) const {
    const Given given{atom, code};
    return evaluate(sym, std::span(&given, 1));
  }

  Operand operand(Sym sym);
  std::uint32_t operand_index(Sym sym);
  // An operand that is 1 if both are equal and 0 otherwise; none unless it is a small function of few cells.
  std::optional<Operand> equality(Sym left, Sym right);
  // An operand that is 1 if the load returns one of these codes, else 0.
  Operand indicator(Sym load, const std::vector<std::uint32_t>& yes);
  // The cell, if the address is constant.
  [[nodiscard]] std::optional<std::uint32_t> fixed_cell(Sym address) const { return constant(address); }

 private:
  enum class Kind : std::uint8_t { constant, load, table, add };
  struct Node {
    Kind kind;
    std::uint32_t a;  // constant; load: address; table: table; add: left
    std::uint32_t b;  // load: variable; table: index; add: right
    auto operator<=>(const Node&) const = default;
  };
  struct Table {
    std::uint32_t low = 0;
    std::vector<std::uint32_t> data;
    auto operator<=>(const Table&) const = default;
    [[nodiscard]] std::uint32_t at(std::uint32_t i) const { return i - low < data.size() ? data[i - low] : 0; }
  };
  struct Region {  // a flattened constant
    std::uint32_t table;
    FlatShape shape;
  };

  // Returns false if `sym` depends on a cell other than `only`. An empty `only` is set to the first cell found.
  bool single(Sym sym, std::optional<Sym>& only) const;
  Sym evaluated(ir::ExprId expr);
  Sym make(Kind kind, std::uint32_t a, std::uint32_t b);
  Sym number(std::uint32_t k) { return make(Kind::constant, k, 0); }
  Sym lookup(std::uint32_t table, Sym index);
  Sym sum(Sym left, Sym right);
  std::uint32_t intern(Table table);
  std::uint32_t level_table(const Level& level, ir::ExprId index, bool writing);
  const Region& region(ir::ValueId value, ir::TypeId type);

  std::uint32_t base(std::uint32_t table);  // address in the program's tables, minus `low`
  std::uint32_t append(const std::vector<std::uint32_t>& data);
  std::uint32_t base_of_function(Sym sym, Sym first, Sym second, std::uint16_t& w);
  [[nodiscard]] bool is_cell(Sym sym) const;
  std::optional<Operand> load_operand(Sym load);
  std::optional<Operand> load_of_two(Sym address, Sym first, Sym second);
  [[nodiscard]] bool small(Sym first, Sym second) const;
  std::optional<Operand> sum_operand(std::uint32_t table, Sym index);
  std::optional<Operand> twice_operand(std::uint32_t table, Sym load);
  Operand other_operand(Sym sym);
  Operand routine(Sym sym);
  void emit_load(Sym address, std::size_t depth);
  void emit(Sym sym, std::size_t depth);

  const ir::Game& game_;
  const StateLayout& layout_;
  MachineProgram& program_;
  std::vector<Node> nodes_;
  std::map<Node, Sym> index_;
  std::vector<Table> tables_;
  std::map<Table, std::uint32_t> table_index_;
  std::vector<std::optional<std::uint32_t>> bases_;  // by table
  std::map<std::pair<ir::ValueId, ir::TypeId>, Region> regions_;
  std::vector<std::optional<Sym>> values_, targets_;  // by expression
  std::map<std::tuple<Sym, Sym, Sym>, std::pair<std::uint32_t, std::uint16_t>> functions_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> appended_;
};

}  // namespace rgtrans::interpreter
