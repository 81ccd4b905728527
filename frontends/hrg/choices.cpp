// branch x in T and forall x : T with one copy of the body. Inside a reachability check it suffices to choose any
// element with x = T(*) and to read the choice, unless the body builds names from x.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/hrg/lowering.hpp"

namespace rgtrans::hrg {

using ast::ExpressionKind;
using ast::StatementKind;

namespace {

constexpr std::size_t kFewCopies = 4;  // copies; up to this many, copies cost no more than a variable

}  // namespace

bool Lowering::choosable(const ast::Statement& s, std::span<const TermId> values) {
  if (!emitting_ || !context_.checking || values.size() <= kFewCopies) return false;
  for (TermId value : values) {
    const SymbolId symbol = env_.terms.constructor(value).valid() ? SymbolId() : env_.terms.symbol(value);
    if (symbol.valid() && (env_.value(symbol).kind != ValueKind::none || !env_.is_element(symbol))) return false;
  }
  return !needs_copies(program_.items(s.blocks)[0], s.name.symbol);
}

// Arguments of constructors must be constant. Tags are irrelevant in a check.
bool Lowering::needs_copies(ast::ExprId id, SymbolId name) const {
  const ast::Expr& e = program_[id];
  const auto args = program_.items(e.args);
  if (e.kind == ExpressionKind::constructor) {
    return std::ranges::any_of(args, [&](ast::ExprId arg) {
      return (program_[arg].kind == ExpressionKind::name && program_[arg].name == name) || needs_copies(arg, name) ||
             program_[arg].kind == ExpressionKind::binary || program_[arg].kind == ExpressionKind::call;
    });
  }
  return std::ranges::any_of(args, [&](ast::ExprId arg) { return needs_copies(arg, name); });
}

bool Lowering::needs_copies(const ast::Block& b, SymbolId name) const {
  return std::ranges::any_of(program_.items(b.statements), [&](const ast::Statement& s) {
    const bool hidden =
        (s.kind == StatementKind::branch_in || s.kind == StatementKind::repeat_in) && s.name.symbol == name;
    return std::ranges::any_of(program_.items(s.exprs), [&](ast::ExprId e) { return needs_copies(e, name); }) ||
           (!hidden && std::ranges::any_of(program_.items(s.blocks),
                                           [&](const ast::Block& inner) { return needs_copies(inner, name); }));
  });
}

Lowering::Place Lowering::choose(const ast::Statement& s, Place p, ir::NodeId q) {
  ir::Game& game = env_.game;
  const ir::TypeId type = env_.type(s.type);
  const auto [it, fresh] = choices_.try_emplace(&s);
  if (fresh) {
    const std::string name = fmt::format("{}_{}", env_.text(context_.graph->name.symbol), env_.text(s.name.symbol));
    it->second = game.define_variable(unused_name(name), type, env_.first_value(type), s.name.where);
  }
  const Typed value{game.variable_ref(it->second), type};
  p = step(p, {}, ir::AssignAny{value.expr, type}, s.where);
  bindings_.push_back({s.name.symbol, {}, value});
  p = block(program_.items(s.blocks)[0], p, q);
  bindings_.pop_back();
  return p;
}

}  // namespace rgtrans::hrg
