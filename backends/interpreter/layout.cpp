#include "backends/interpreter/layout.hpp"

#include <fmt/format.h>

namespace rgtrans::interpreter {

using ir::ExprId;
using ir::ExprKind;
using ir::TypeId;
using ir::ValueId;
using ir::VarId;

std::uint32_t Level::block(std::uint32_t code, bool writing) const {
  const std::int32_t at = code < position.size() ? position[code] : -1;
  if (at >= 0) return static_cast<std::uint32_t>(at);
  const auto count = static_cast<std::uint32_t>(keys.size());
  if (!writing) return count;
  return count + (has_default ? 1U : 0U);
}

void FlatShape::set_strides() {
  std::uint64_t stride = 1;
  for (std::size_t i = levels.size(); i-- > 0;) {
    levels[i].stride = static_cast<std::uint32_t>(stride);
    stride *= levels[i].blocks();
    if (stride > kMaxCells) {
      throw Error(fmt::format("a map has more than {} cells, the interpreter's limit", kMaxCells),
                  "make its source types smaller");
    }
  }
  size = static_cast<std::uint32_t>(stride);
}

StateLayout::StateLayout(const ir::Game& game)
    : game_(game), held_(std::make_unique<analysis::HeldValues>(game, /*members=*/true)) {
  number_symbols();
  find_possible_values();
  find_stray_accesses();
  place_variables();
}

std::uint32_t StateLayout::add_code(SymbolId symbol) {
  std::uint32_t& code = codes_[symbol.value];
  if (code == kNone) {
    if (symbols_.size() >= kMaxSymbols) {
      throw Error(fmt::format("the types have more than {} symbols, the interpreter's limit", kMaxSymbols));
    }
    code = static_cast<std::uint32_t>(symbols_.size());
    symbols_.push_back(symbol);
  }
  return code;
}

// Members of one type get adjacent codes if possible, so that tables over them are short.
void StateLayout::number_symbols() {
  codes_.assign(game_.symbols.size(), kNone);
  for (std::size_t i = 0; i < game_.types.size(); ++i) {
    if (game_.types.kind(TypeId(i)) != ir::TypeKind::set) continue;
    for (SymbolId symbol : game_.types.members(TypeId(i))) add_code(symbol);
  }
  for (std::size_t i = 0; i < game_.values.size(); ++i) {
    if (game_.values.is_symbol(ValueId(i))) add_code(game_.values.as_symbol(ValueId(i)));
  }
  for (std::size_t i = 0; i < game_.expressions().size(); ++i) {
    if (game_.expressions().kind(ExprId(i)) == ExprKind::symbol) add_code(game_.expressions().symbol(ExprId(i)));
  }
}

Bits StateLayout::codes_of(analysis::SetId set) const {
  Bits codes;
  for (const SymbolId symbol : held_->sets().of(set)) codes.insert(code(symbol));
  return codes;
}

Bits StateLayout::possible(ExprId expr) const { return codes_of(held_->values(expr)); }

// Collects every value that an assignment can store, which may exceed the declared type in improper games. Code can
// then read tables over these sets without a bounds check.
void StateLayout::find_possible_values() {
  variables_.resize(game_.variables().size());
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    variables_[i].shape = shape(game_.variable(VarId(i)).type, false);
    variables_[i].possible = codes_of(held_->ever(VarId(i)));
    variables_[i].codes.assign(variables_[i].possible.begin(), variables_[i].possible.end());
  }
}

void StateLayout::find_stray_accesses() {
  const auto whole = [&](ExprId expr) {
    // Maps copied or compared as a whole keep their defaults, because the other side's domain may differ.
    if (!game_.is_arrow(game_.expressions().type(expr))) return;
    if (const VarId variable = game_.assigned_variable(expr); variable.valid()) {
      for (Level& level : variables_[variable.value].shape.levels) level.has_default = true;
    }
  };
  for (ir::EdgeId edge : game_.graph.edges()) {
    std::visit(ir::Overloaded{[&](const ir::Compare& compare) {
                                scan(compare.lhs, false);
                                scan(compare.rhs, false);
                                whole(compare.lhs);
                                whole(compare.rhs);
                              },
                              [&](const ir::Assign& assign) {
                                scan(assign.lhs, true);
                                scan(assign.rhs, false);
                                whole(assign.lhs);
                                whole(assign.rhs);
                              },
                              [&](const ir::AssignAny& any) { scan(any.lhs, true); }, [](const auto&) {}},
               game_.graph.label(edge));
  }
}

void StateLayout::scan(ExprId expr, bool writing) {
  const ir::Expressions& all = game_.expressions();
  const ExprId root = all.root(expr);
  const std::vector<ExprId> indices = ir::indices_of(all, expr);
  if (indices.size() > kMaxExpressionDepth) {
    throw Error(fmt::format("an expression is nested more than {} deep, the interpreter's limit", kMaxExpressionDepth));
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    scan(indices[i], false);
    if (all.kind(root) != ExprKind::variable) continue;
    std::vector<Level>& levels = variables_[all.variable(root).value].shape.levels;
    if (i >= levels.size()) throw Error("an expression accesses something that is not a map");
    const Bits codes = possible(indices[i]);
    for (const std::size_t code : codes) {
      if (code < levels[i].position.size() && levels[i].position[code] >= 0) continue;
      (writing ? levels[i].has_trash : levels[i].has_default) = true;
    }
  }
}

FlatShape StateLayout::shape(TypeId type, bool with_defaults) const {
  FlatShape out;
  for (const TypeId keys : game_.keys(type)) {
    if (out.levels.size() >= kMaxLevels) {
      throw Error(fmt::format("a type has more than {} arrows, the interpreter's limit", kMaxLevels));
    }
    Level& level = out.levels.emplace_back();
    level.has_default = with_defaults;
    for (SymbolId key : game_.members(keys)) {
      const std::uint32_t key_code = code(key);
      if (key_code >= level.position.size()) level.position.resize(key_code + 1, -1);
      level.position[key_code] = static_cast<std::int32_t>(level.keys.size());
      level.keys.push_back(key_code);
    }
  }
  out.set_strides();
  return out;
}

void StateLayout::flatten(ValueId value, const FlatShape& shape, std::size_t level,
                          std::vector<std::uint32_t>& out) const {
  if (level == shape.levels.size()) {
    if (!game_.values.is_symbol(value)) throw Error("a value is a map where a symbol is expected");
    out.push_back(code(game_.values.as_symbol(value)));
    return;
  }
  if (game_.values.is_symbol(value)) throw Error("a value is a symbol where a map is expected");
  const Level& here = shape.levels[level];
  for (std::uint32_t key : here.keys) flatten(game_.values.at(value, symbol(key)), shape, level + 1, out);
  for (std::uint32_t extra = static_cast<std::uint32_t>(here.keys.size()); extra < here.blocks(); ++extra) {
    flatten(game_.values.default_of(value), shape, level + 1, out);
  }
}

void StateLayout::place_variables() {
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const ir::Variable& variable = game_.variable(VarId(i));
    if (!variable.alive) continue;
    FlatShape& shape = variables_[i].shape;
    shape.set_strides();
    variables_[i].offset = cells_;
    if (cells_ + std::uint64_t{shape.size} > kMaxCells) {
      throw Error(fmt::format("the state has more than {} cells, the interpreter's limit", kMaxCells));
    }
    cells_ += shape.size;
    flatten(variable.initial, shape, 0, initial_);
    for (std::uint32_t cell = 0; cell < shape.size; ++cell) {
      bool trash = false;
      for (const Level& level : shape.levels) {
        trash |= level.has_trash && cell / level.stride % level.blocks() == level.blocks() - 1;
      }
      trash_.push_back(trash);
    }
  }
}

}  // namespace rgtrans::interpreter
