#include "backends/interpreter/symbolic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rgtrans::interpreter {

using ir::ExprId;
using ir::ExprKind;

namespace {
constexpr std::uint64_t kMaxFunctionSize = 1U << 14U;   // entries of a table over two cells that are read
constexpr std::uint64_t kMaxFunctionRange = 1U << 16U;  // size including unread entries; a row fits into Operand::w
constexpr std::uint64_t kMaxTables = 1U << 27U;
}  // namespace

Symbolic::Symbolic(const ir::Game& game, const StateLayout& layout, MachineProgram& program)
    : game_(game),
      layout_(layout),
      program_(program),
      values_(game.expressions().size()),
      targets_(game.expressions().size()) {}

Sym Symbolic::make(Kind kind, std::uint32_t a, std::uint32_t b) {
  const auto [it, fresh] = index_.try_emplace(Node{kind, a, b}, static_cast<Sym>(nodes_.size()));
  if (fresh) nodes_.push_back({kind, a, b});
  return it->second;
}

std::uint32_t Symbolic::intern(Table table) {
  const auto [it, fresh] = table_index_.try_emplace(std::move(table), static_cast<std::uint32_t>(tables_.size()));
  if (fresh) {
    tables_.push_back(it->first);
    bases_.emplace_back();
  }
  return it->second;
}

Sym Symbolic::lookup(std::uint32_t table, Sym index) {
  const Node node = nodes_[index];
  if (node.kind == Kind::constant) return number(tables_[table].at(node.a));
  if (node.kind != Kind::table) return make(Kind::table, table, index);
  Table both{tables_[node.a].low, tables_[node.a].data};
  if (both.data.size() > kMaxFunctionSize * 4) return make(Kind::table, table, index);
  for (std::uint32_t& entry : both.data) entry = tables_[table].at(entry);
  return lookup(intern(std::move(both)), node.b);
}

Sym Symbolic::sum(Sym left, Sym right) {
  const Node l = nodes_[left];
  const Node r = nodes_[right];
  if (l.kind == Kind::constant && r.kind == Kind::constant) return number(l.a + r.a);
  if (l.kind == Kind::constant && l.a == 0) return right;
  if (r.kind == Kind::constant) {
    if (r.a == 0) return left;
    return sum(right, left);
  }
  if (l.kind == Kind::constant && r.kind == Kind::table) {
    Table shifted = tables_[r.a];
    for (std::uint32_t& entry : shifted.data) entry += l.a;
    return make(Kind::table, intern(std::move(shifted)), r.b);
  }
  if (l.kind == Kind::table && r.kind == Kind::table && l.b == r.b && tables_[l.a].low == tables_[r.a].low &&
      tables_[l.a].data.size() == tables_[r.a].data.size()) {
    Table both = tables_[l.a];
    for (std::size_t i = 0; i < both.data.size(); ++i) both.data[i] += tables_[r.a].data[i];
    return make(Kind::table, intern(std::move(both)), l.b);
  }
  return make(Kind::add, left, right);
}

// A table from a key to the offset of its block.
std::uint32_t Symbolic::level_table(const Level& level, ExprId index, bool writing) {
  const Bits possible = layout_.possible(index);
  const std::vector<std::uint32_t> codes(possible.begin(), possible.end());
  Table table;
  if (!codes.empty()) {
    table.low = codes.front();
    table.data.resize(codes.back() - codes.front() + 1, 0);
    for (std::uint32_t code : codes) table.data[code - table.low] = level.block(code, writing) * level.stride;
  }
  return intern(std::move(table));
}

const Symbolic::Region& Symbolic::region(ir::ValueId value, ir::TypeId type) {
  const auto key = std::pair(value, game_.resolve(type));
  if (const auto it = regions_.find(key); it != regions_.end()) return it->second;
  Region region{0, layout_.shape(type, true)};
  Table table;
  layout_.flatten(value, region.shape, 0, table.data);
  region.table = intern(std::move(table));
  return regions_.emplace(key, std::move(region)).first->second;
}

Symbolic::Place Symbolic::place(ExprId expr, bool writing) {
  const ir::Expressions& all = game_.expressions();
  const ExprId root = all.root(expr);
  const std::vector<ExprId> indices = ir::indices_of(all, expr);
  Place out;
  std::uint32_t constant_table = 0;
  if (all.kind(root) == ExprKind::variable) {
    const VariableLayout& variable = layout_.variable(all.variable(root));
    out.address = number(variable.offset);
    out.shape = variable.shape;
  } else if (all.kind(root) == ExprKind::constant) {
    const ir::Constant& constant = game_.constant(all.constant(root));
    const Region& flat = region(constant.value, constant.type);
    out.constant = true;
    out.shape = flat.shape;
    constant_table = flat.table;
    out.address = number(0);
  } else {
    throw Error("an expression accesses a symbol as if it were a map");
  }
  if (indices.size() > out.shape.levels.size()) throw Error("an expression accesses something that is not a map");
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Sym index = value(indices[i]);
    out.address = sum(out.address, lookup(level_table(out.shape.levels[i], indices[i], writing), index));
  }
  out.shape.levels.erase(out.shape.levels.begin(),
                         out.shape.levels.begin() + static_cast<std::ptrdiff_t>(indices.size()));
  out.shape.set_strides();
  if (out.constant) {
    // The address of the constant's cells is known only after its table is placed.
    if (out.shape.levels.empty()) {
      out.address = lookup(constant_table, out.address);
    } else {
      out.address = sum(out.address, number(base(constant_table)));
    }
  }
  return out;
}

Sym Symbolic::value(ExprId expr) {
  // evaluated() calls value() for the indices of the expression, so the result is stored afterwards.
  if (!values_[expr.value]) values_[expr.value] = evaluated(expr);
  return *values_[expr.value];
}

Sym Symbolic::target(ExprId expr) {
  if (!targets_[expr.value]) targets_[expr.value] = place(expr, true).address;
  return *targets_[expr.value];
}

Sym Symbolic::evaluated(ExprId expr) {
  const ir::Expressions& all = game_.expressions();
  if (const auto symbol = game_.constant_symbol(expr)) return number(layout_.code(*symbol));
  const Place at = place(expr, false);
  if (!at.shape.levels.empty()) throw Error("a map is used where a symbol is expected");
  if (at.constant) return at.address;
  return make(Kind::load, at.address, all.variable(all.root(expr)).value);
}

std::optional<std::uint32_t> Symbolic::constant(Sym sym) const {
  if (nodes_[sym].kind != Kind::constant) return std::nullopt;
  return nodes_[sym].a;
}

std::vector<Sym> Symbolic::atoms(Sym sym) const {
  std::vector<Sym> out;
  std::vector<Sym> todo{sym};
  while (!todo.empty()) {
    const Sym at = todo.back();
    todo.pop_back();
    switch (nodes_[at].kind) {
      case Kind::constant:
        break;
      case Kind::load:
        if (std::ranges::find(out, at) == out.end()) out.push_back(at);
        break;
      case Kind::table:
        todo.push_back(nodes_[at].b);
        break;
      case Kind::add:
        todo.push_back(nodes_[at].b);
        todo.push_back(nodes_[at].a);
        break;
    }
  }
  return out;
}

bool Symbolic::single(Sym sym, std::optional<Sym>& only) const {
  for (;; sym = nodes_[sym].b) {
    switch (nodes_[sym].kind) {
      case Kind::constant:
        return true;
      case Kind::load:
        if (!only) only = sym;
        return *only == sym;
      case Kind::table:
        break;
      case Kind::add:
        if (!single(nodes_[sym].a, only)) return false;
        break;
    }
  }
}

std::optional<Sym> Symbolic::only_atom(Sym left, Sym right) const {
  std::optional<Sym> only;
  if (!single(left, only) || !single(right, only)) return std::nullopt;
  return only;
}

const std::vector<std::uint32_t>& Symbolic::codes(Sym load) const {
  return layout_.variable(ir::VarId(nodes_[load].b)).codes;
}

Symbolic::Bounds Symbolic::bounds(Sym load) const {
  const std::vector<std::uint32_t>& all = codes(load);
  return {all.front(), all.back()};
}

std::uint32_t Symbolic::evaluate(Sym sym, std::span<const Given> atoms) const {
  const Node& node = nodes_[sym];
  switch (node.kind) {
    case Kind::constant:
      return node.a;
    case Kind::load:
      for (const auto& [atom, code] : atoms) {
        if (atom == sym) return code;
      }
      return 0;
    case Kind::table:
      return tables_[node.a].at(evaluate(node.b, atoms));
    case Kind::add:
      return evaluate(node.a, atoms) + evaluate(node.b, atoms);
  }
  return 0;
}

std::uint32_t Symbolic::append(const std::vector<std::uint32_t>& data) {
  const auto [it, fresh] = appended_.try_emplace(data, static_cast<std::uint32_t>(program_.tables.size()));
  if (fresh) {
    if (program_.tables.size() + data.size() > kMaxTables) {
      throw Error(fmt::format("the constants need more than {} table entries, the interpreter's limit", kMaxTables));
    }
    program_.tables.insert(program_.tables.end(), data.begin(), data.end());
  }
  return it->second;
}

std::uint32_t Symbolic::base(std::uint32_t table) {
  if (!bases_[table]) bases_[table] = append(tables_[table].data) - tables_[table].low;
  return *bases_[table];
}

// Tabulates `sym`, a function of two loads, over their bounds.
std::uint32_t Symbolic::base_of_function(Sym sym, Sym first, Sym second, std::uint16_t& w) {
  const auto key = std::tuple(sym, first, second);
  if (const auto it = functions_.find(key); it != functions_.end()) {
    w = it->second.second;
    return it->second.first;
  }
  const Bounds rows = bounds(first);
  const Bounds columns = bounds(second);
  w = static_cast<std::uint16_t>(columns.count());
  std::vector<std::uint32_t> data(rows.count() * columns.count(), 0);
  for (std::uint32_t row : codes(first)) {
    for (std::uint32_t column : codes(second)) {
      data[(row - rows.low) * columns.count() + column - columns.low] =
          evaluate(sym, std::array{Given{first, row}, Given{second, column}});
    }
  }
  const std::uint32_t where = append(data) - rows.low * w - columns.low;
  functions_.emplace(key, std::pair(where, w));
  return where;
}

bool Symbolic::is_cell(Sym sym) const {
  return nodes_[sym].kind == Kind::load && nodes_[nodes_[sym].a].kind == Kind::constant;
}

std::optional<Operand> Symbolic::load_operand(Sym load) {
  const Sym address = nodes_[load].a;
  Operand out;
  if (nodes_[address].kind == Kind::constant) {
    out.mode = Mode::cell;
    out.a = nodes_[address].a;
    return out;
  }
  const std::vector<Sym> on = atoms(address);
  if (on.size() == 2) return load_of_two(address, on[0], on[1]);
  if (on.size() != 1 || !is_cell(on[0])) return std::nullopt;
  if (nodes_[address].kind != Kind::table || nodes_[address].b != on[0]) return std::nullopt;
  out.a = nodes_[nodes_[on[0]].a].a;
  out.mode = Mode::indirect;
  out.b = base(nodes_[address].a);
  return out;
}

// An address that depends on two cells, one of which may be read through a third cell.
std::optional<Operand> Symbolic::load_of_two(Sym address, Sym first, Sym second) {
  if (!small(first, second)) return std::nullopt;
  if (!is_cell(second)) std::swap(first, second);
  if (!is_cell(second)) return std::nullopt;
  auto out = load_operand(first);
  if (!out || (out->mode != Mode::cell && out->mode != Mode::indirect)) return std::nullopt;
  out->mode = out->mode == Mode::cell ? Mode::indirect2 : Mode::deep;
  out->e = nodes_[nodes_[second].a].a;
  (out->mode == Mode::deep ? out->c : out->b) = base_of_function(address, first, second, out->w);
  return out;
}

// Whether a table over both values is small enough.
bool Symbolic::small(Sym first, Sym second) const {
  return codes(first).size() * codes(second).size() <= kMaxFunctionSize &&
         bounds(first).count() * bounds(second).count() < kMaxFunctionRange;
}

// A lookup at the sum of two table entries.
std::optional<Operand> Symbolic::sum_operand(std::uint32_t table, Sym index) {
  const Node add = nodes_[index];
  if (add.kind != Kind::add) return std::nullopt;
  const Node left = nodes_[add.a];
  const Node right = nodes_[add.b];
  if (left.kind != Kind::table || !is_cell(left.b) || right.kind != Kind::table || !is_cell(right.b))
    return std::nullopt;
  // The left table includes the begin of the outer table.
  Table places = tables_[left.a];
  for (std::uint32_t& place : places.data) place += base(table);
  return Operand{.mode = Mode::sum,
                 .a = nodes_[nodes_[left.b].a].a,
                 .b = base(intern(std::move(places))),
                 .c = base(right.a),
                 .e = nodes_[nodes_[right.b].a].a};
}

// A lookup at a value that is read through two cells in turn.
std::optional<Operand> Symbolic::twice_operand(std::uint32_t table, Sym load) {
  const Node place = nodes_[nodes_[load].a];
  if (place.kind != Kind::table || nodes_[place.b].kind != Kind::load) return std::nullopt;
  auto inner = load_operand(place.b);
  if (!inner || inner->mode != Mode::indirect) return std::nullopt;
  inner->mode = Mode::table_of_twice;
  inner->c = base(place.a);
  inner->e = base(table);
  return inner;
}

// Other operands: neither a single cell nor a table over two cells.
Operand Symbolic::other_operand(Sym sym) {
  const Node node = nodes_[sym];
  if (node.kind == Kind::table) {
    if (const auto found = sum_operand(node.a, node.b)) return *found;
    if (nodes_[node.b].kind == Kind::load) {
      if (const auto found = twice_operand(node.a, node.b)) return *found;
    }
  }
  if (node.kind == Kind::load && nodes_[node.a].kind == Kind::table) {
    if (auto found = sum_operand(nodes_[node.a].a, nodes_[node.a].b)) {
      found->mode = Mode::indirect_sum;
      return *found;
    }
  }
  return routine(sym);
}

Operand Symbolic::operand(Sym sym) {
  const Node node = nodes_[sym];
  if (node.kind == Kind::constant) return {Mode::constant, 0, node.a, 0, 0, 0};
  if (node.kind == Kind::load) {
    const auto load = load_operand(sym);
    return load ? *load : other_operand(sym);
  }
  std::vector<Sym> on = atoms(sym);
  if (on.size() == 1 && node.kind == Kind::table && node.b == on[0]) {
    auto load = load_operand(on[0]);
    if (!load) return other_operand(sym);
    if (load->mode == Mode::cell) {
      load->mode = Mode::table;
      load->b = base(node.a);
      return *load;
    }
    if (load->mode == Mode::deep) return other_operand(sym);
    load->mode = load->mode == Mode::indirect ? Mode::table_of_indirect : Mode::table_of_indirect2;
    load->c = base(node.a);
    return *load;
  }
  if (on.size() != 2 || !small(on[0], on[1])) return other_operand(sym);
  if (!is_cell(on[1])) std::swap(on[0], on[1]);
  if (!is_cell(on[1])) return other_operand(sym);
  auto first = load_operand(on[0]);
  if (!first || (first->mode != Mode::cell && first->mode != Mode::indirect)) return other_operand(sym);
  first->mode = first->mode == Mode::cell ? Mode::table2 : Mode::table2_of_indirect;
  first->e = nodes_[nodes_[on[1]].a].a;
  first->c = base_of_function(sym, on[0], on[1], first->w);
  return *first;
}

std::uint32_t Symbolic::operand_index(Sym sym) {
  program_.operands.push_back(operand(sym));
  return static_cast<std::uint32_t>(program_.operands.size() - 1);
}

std::optional<Operand> Symbolic::equality(Sym left, Sym right) {
  std::vector<Sym> on = atoms(left);
  for (Sym atom : atoms(right)) {
    if (std::ranges::find(on, atom) == on.end()) on.push_back(atom);
  }
  if (on.size() == 1) {
    const Bounds range = bounds(on[0]);
    Table table{range.low, std::vector<std::uint32_t>(range.count(), 0)};
    for (std::uint32_t code : codes(on[0])) {
      table.data[code - range.low] = evaluate(left, on[0], code) == evaluate(right, on[0], code) ? 1 : 0;
    }
    return operand(make(Kind::table, intern(std::move(table)), on[0]));
  }
  if (on.size() != 2 || !small(on[0], on[1])) return std::nullopt;
  if (!is_cell(on[1])) std::swap(on[0], on[1]);
  if (!is_cell(on[1])) return std::nullopt;
  auto first = load_operand(on[0]);
  if (!first || (first->mode != Mode::cell && first->mode != Mode::indirect)) return std::nullopt;
  const Bounds rows = bounds(on[0]);
  const Bounds columns = bounds(on[1]);
  std::vector<std::uint32_t> data(rows.count() * columns.count(), 0);
  for (std::uint32_t row : codes(on[0])) {
    for (std::uint32_t column : codes(on[1])) {
      const std::array given{Given{on[0], row}, Given{on[1], column}};
      data[(row - rows.low) * columns.count() + column - columns.low] =
          evaluate(left, given) == evaluate(right, given) ? 1 : 0;
    }
  }
  first->mode = first->mode == Mode::cell ? Mode::table2 : Mode::table2_of_indirect;
  first->e = nodes_[nodes_[on[1]].a].a;
  first->w = static_cast<std::uint16_t>(columns.count());
  first->c = append(data) - rows.low * first->w - columns.low;
  return first;
}

Operand Symbolic::indicator(Sym load, const std::vector<std::uint32_t>& yes) {
  const Bounds range = bounds(load);
  Table table{range.low, std::vector<std::uint32_t>(range.count(), 0)};
  for (std::uint32_t code : yes) table.data[code - range.low] = 1;
  return operand(make(Kind::table, intern(std::move(table)), load));
}

void Symbolic::emit(Sym sym, std::size_t depth) {
  if (depth >= kMaxRoutineStack) throw Error("an expression is too deeply nested for the interpreter");
  const Node node = nodes_[sym];
  switch (node.kind) {
    case Kind::constant:
      program_.routines.push_back({Micro::Op::push, node.a});
      break;
    case Kind::load:
      emit_load(node.a, depth);
      break;
    case Kind::table:
      emit(node.b, depth);
      program_.routines.push_back({Micro::Op::table, base(node.a)});
      break;
    case Kind::add:
      emit(node.a, depth);
      emit(node.b, depth + 1);
      program_.routines.push_back({Micro::Op::add, 0});
      break;
  }
}

void Symbolic::emit_load(Sym address, std::size_t depth) {
  const Node node = nodes_[address];
  if (node.kind == Kind::constant) {
    program_.routines.push_back({Micro::Op::cell, node.a});
  } else if (node.kind == Kind::table) {
    emit(node.b, depth);
    program_.routines.push_back({Micro::Op::load_table, base(node.a)});
  } else {
    emit(address, depth);
    program_.routines.push_back({Micro::Op::load, 0});
  }
}

Operand Symbolic::routine(Sym sym) {
  const auto start = static_cast<std::uint32_t>(program_.routines.size());
  emit(sym, 0);
  program_.routines.push_back({Micro::Op::done, 0});
  return {Mode::routine, 0, start, 0, 0, 0};
}

}  // namespace rgtrans::interpreter
