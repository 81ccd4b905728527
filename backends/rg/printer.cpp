#include "backends/rg/printer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace rgtrans::rg {

namespace {

constexpr std::size_t kLongMap = 100;

void check_symbols(std::uint64_t count) {
  if (count <= kMaxSymbols) return;
  throw Error(fmt::format("the text of the game would have more than {} symbols", kMaxSymbols),
              "constants that contain other constants are written out in full; " + kMaxSymbols.advice());
}

}  // namespace

void Printer::type(ir::TypeId id) {
  if (!id.valid()) {
    text("?");
    return;
  }
  switch (game_.types.kind(id)) {
    case ir::TypeKind::alias:
      symbol(game_.types.alias_name(id));
      break;
    case ir::TypeKind::arrow:
      type(game_.types.from(id));
      text(" -> ");
      type(game_.types.to(id));
      break;
    case ir::TypeKind::set: {
      std::string_view before = "{ ";
      for (SymbolId member : game_.types.members(id)) {
        text(before);
        symbol(member);
        before = ", ";
      }
      text(before == "{ " ? "{  }" : " }");
      break;
    }
  }
}

ir::TypeId Printer::target_of(ir::TypeId type) const {
  type = game_.resolve(type);
  return type.valid() && game_.types.kind(type) == ir::TypeKind::arrow ? game_.types.to(type) : ir::TypeId();
}

std::vector<ir::Values::Entry> ordered_entries(const ir::Game& game, ir::ValueId map, ir::TypeId type) {
  const auto exceptions = game.values.exceptions(map);
  std::vector<ir::Values::Entry> entries(exceptions.begin(), exceptions.end());
  type = game.resolve(type);
  if (!type.valid() || game.types.kind(type) != ir::TypeKind::arrow) return entries;
  const ir::TypeId source = game.types.from(type);
  // A key outside the source has the index -1, which is the largest as an unsigned number.
  std::vector<std::pair<unsigned, std::uint32_t>> order;
  order.reserve(entries.size());
  for (const ir::Values::Entry& entry : exceptions) {
    order.emplace_back(game.index_of(source, entry.key), static_cast<std::uint32_t>(order.size()));
  }
  if (std::ranges::is_sorted(order)) return entries;
  std::ranges::sort(order);
  for (std::size_t i = 0; i < order.size(); ++i) entries[i] = exceptions[order[i].second];
  return entries;
}

std::uint64_t written_symbols(const ir::Game& game) {
  std::uint64_t count = 0;
  auto add = [&](ir::ValueId value) {
    count = std::min(std::numeric_limits<std::uint64_t>::max() / 2, count + game.values.written_size(value));
  };
  for (const ir::Constant& def : game.constants()) {
    if (def.alive) add(def.value);
  }
  for (const ir::Variable& def : game.variables()) {
    if (def.alive) add(def.initial);
  }
  return count;
}

void Printer::map(ir::ValueId id, ir::TypeId type, bool lines) {
  const ir::TypeId target = target_of(type);
  const std::string_view indent = lines ? "\n    " : " ";
  text("{");
  for (const ir::Values::Entry& entry : ordered_entries(game_, id, type)) {
    text(indent);
    symbol(entry.key);
    text(": ");
    value(entry.value, target);
    text(",");
  }
  text(indent);
  text(":");
  value(game_.values.default_of(id), target);
  text(lines ? "\n}" : " }");
}

void Printer::value(ir::ValueId id, ir::TypeId type) {
  if (game_.values.is_symbol(id)) {
    symbol(game_.values.as_symbol(id));
  } else {
    map(id, type, false);
  }
}

void Printer::defined_value(ir::ValueId id, ir::TypeId type) {
  const bool lines = !game_.values.is_symbol(id) && game_.values.exceptions(id).size() + 1 >= kLongMap &&
                     !game_.values.is_symbol(game_.values.exceptions(id).front().value);
  if (!lines) {
    value(id, type);
    return;
  }
  map(id, type, true);
}

void Printer::expression(ir::ExprId id) {
  const ir::Expressions& expressions = game_.expressions();
  switch (expressions.kind(id)) {
    case ir::ExprKind::symbol:
      symbol(expressions.symbol(id));
      break;
    case ir::ExprKind::constant:
      symbol(game_.constant(expressions.constant(id)).name);
      break;
    case ir::ExprKind::variable:
      variable(expressions.variable(id));
      break;
    case ir::ExprKind::access:
      expression(expressions.map(id));
      text("[");
      expression(expressions.index(id));
      text("]");
      break;
    case ir::ExprKind::cast:
      type(expressions.cast_type(id));
      text("(");
      expression(expressions.operand(id));
      text(")");
      break;
  }
}

void Printer::label(const ir::Label& label) {
  std::visit(ir::Overloaded{
                 [](const ir::Empty&) {},
                 [&](const ir::Compare& c) {
                   expression(c.lhs);
                   text(c.negated ? " != " : " == ");
                   expression(c.rhs);
                 },
                 [&](const ir::Assign& a) {
                   expression(a.lhs);
                   text(" = ");
                   expression(a.rhs);
                 },
                 [&](const ir::AssignAny& a) {
                   expression(a.lhs);
                   text(" = ");
                   type(a.type);
                   text("(*)");
                 },
                 [&](const ir::Reachability& r) {
                   text(r.negated ? "! " : "? ");
                   node(r.from);
                   text(" -> ");
                   node(r.to);
                 },
                 [&](const ir::Tag& t) {
                   text("$ ");
                   symbol(t.symbol);
                 },
                 [&](const ir::TagVariable& t) {
                   text("$$ ");
                   variable(t.variable);
                 },
             },
             label);
}

void Printer::edge(ir::EdgeId id) {
  node(game_.graph.source(id));
  text(", ");
  node(game_.graph.target(id));
  text(": ");
  label(game_.graph.label(id));
  text(";");
}

void Printer::nodes(const std::vector<ir::NodeId>& list) {
  for (ir::NodeId id : list) {
    text(" ");
    node(id);
  }
}

void Printer::symbols(const std::vector<SymbolId>& list) {
  for (SymbolId id : list) {
    text(" ");
    symbol(id);
  }
}

void Printer::simple_apply(const ir::SimpleApply& apply) {
  text(apply.exhaustive ? "simpleApplyExhaustive" : "simpleApply");
  nodes({apply.from, apply.to});
  text(" [");
  std::string_view before;
  for (const auto& tag : apply.tags) {
    text(before);
    symbol(tag.name);
    if (tag.type.valid()) {
      text(": ");
      type(tag.type);
    }
    before = ", ";
  }
  text("]");
  before = " ";
  for (const auto& effect : apply.effects) {
    text(before);
    expression(effect.lhs);
    text(" = ");
    expression(effect.rhs);
    before = ", ";
  }
}

void Printer::pragma(const ir::Pragma& pragma) {
  text("@");
  std::visit(ir::Overloaded{
                 [&](const ir::ArtificialTag& p) {
                   text("artificialTag");
                   symbols(p.tags);
                 },
                 [&](const ir::Disjoint& p) {
                   text(p.exhaustive ? "disjointExhaustive" : "disjoint");
                   nodes({p.node});
                   text(" :");
                   nodes(p.targets);
                 },
                 [&](const ir::Integer& p) {
                   out_ += fmt::format("integer {} :", p.offset);
                   symbols(p.symbols);
                 },
                 [&](const ir::Iterator& p) {
                   text("iterator");
                   nodes({p.a, p.b, p.c});
                   text(" : ");
                   variable(p.variable);
                 },
                 [&](const ir::Repeat& p) {
                   text("repeat");
                   nodes(p.nodes);
                   text(" :");
                   for (ir::VarId id : p.variables) {
                     text(" ");
                     variable(id);
                   }
                 },
                 [&](const ir::Unique& p) {
                   text("unique");
                   nodes(p.nodes);
                 },
                 [&](const ir::SimpleApply& p) { simple_apply(p); },
                 [&](const ir::TagIndex& p) {
                   text(p.maximum ? "tagMaxIndex" : "tagIndex");
                   nodes(p.nodes);
                   out_ += fmt::format(" : {}", p.index);
                 },
                 [&](const ir::TranslatedFromRbg&) { text("translatedFromRbg"); },
                 [&](const ir::Unknown& p) { text(p.content); },
             },
             pragma.content);
  text(";");
}

// --- The public functions ---

std::string print(const ir::Game& game) {
  check_symbols(written_symbols(game));
  const std::vector<std::string> names = game.node_names();
  std::string out;
  out.reserve(game.graph.edge_count() * 32);
  Printer printer(game, out, &names);
  for (const ir::TypeDef& def : game.type_defs()) {
    if (!def.alive) continue;
    out += fmt::format("type {} = ", game.symbols.text(def.name));
    printer.type(def.type);
    out += ";\n";
  }
  auto definition = [&](std::string_view keyword, const auto& def, ir::ValueId value) {
    if (!def.alive) return;
    out += fmt::format("{} {}: ", keyword, game.symbols.text(def.name));
    printer.type(def.type);
    out += " = ";
    printer.defined_value(value, def.type);
    out += ";\n";
  };
  for (const ir::Constant& def : game.constants()) definition("const", def, def.value);
  for (const ir::Variable& def : game.variables()) definition("var", def, def.initial);
  for (ir::EdgeId edge : game.graph.edges()) {
    printer.edge(edge);
    out += '\n';
  }
  for (const ir::Pragma& pragma : game.pragmas) {
    printer.pragma(pragma);
    out += '\n';
  }
  return out;
}

std::string print_type(const ir::Game& game, ir::TypeId type) {
  std::string out;
  Printer(game, out).type(type);
  return out;
}

std::string print_value(const ir::Game& game, ir::ValueId value, ir::TypeId type) {
  check_symbols(game.values.written_size(value));
  std::string out;
  Printer(game, out).value(value, type);
  return out;
}

std::string print_label(const ir::Game& game, const ir::Label& label) {
  // Only reachability checks contain names of nodes.
  if (!std::holds_alternative<ir::Reachability>(label)) return print_label(game, label, {});
  return print_label(game, label, game.node_names());
}

std::string print_label(const ir::Game& game, const ir::Label& label, const std::vector<std::string>& node_names) {
  std::string out;
  Printer(game, out, &node_names).label(label);
  return out;
}

std::string print_edge(const ir::Game& game, ir::EdgeId edge, const std::vector<std::string>& node_names) {
  std::string out;
  Printer(game, out, &node_names).edge(edge);
  return out;
}

std::string print_pragma(const ir::Game& game, const ir::Pragma& pragma, const std::vector<std::string>& node_names) {
  std::string out;
  Printer(game, out, &node_names).pragma(pragma);
  return out;
}

}  // namespace rgtrans::rg
