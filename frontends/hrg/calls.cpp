// Calls: built-in statements, bodies copied in place, shared bodies of reusable graphs, and reachability checks.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontends/hrg/lowering.hpp"

namespace rgtrans::hrg {

using ir::NodeId;

Lowering::Place Lowering::call(const ast::Statement& s, Place p, NodeId q) {
  const auto exprs = program_.items(s.exprs);
  switch (builtins_.find(s.name.symbol)) {
    case Builtin::check:
      if (exprs.size() != 1) throw Failed();
      return check(exprs[0], p, q, s.where);
    case Builtin::end: {
      if (p.dead()) return p;
      ir::Game& game = env_.game;
      edge(p.node, context_.end, ir::Assign{game.variable_ref(game.player()), game.symbol(game.keeper())}, s.where);
      return {};
    }
    case Builtin::return_:
    case Builtin::break_:
    case Builtin::continue_: {
      const NodeId to = jump_target(s);
      if (!p.dead() && p.node != to) edge(p.node, to, ir::Empty{}, s.where);
      return {};
    }
    case Builtin::none:
      break;
    default:
      throw Failed();  // a condition used as a statement, reported by the analysis
  }
  const int callee = env_.graph(s.name.symbol);
  if (callee < 0) throw Failed();
  const auto graph = static_cast<std::uint32_t>(callee);
  const std::vector<Typed> args = arguments(graph, exprs);
  if (p.dead()) return p;
  return program_.graphs[graph].reusable ? reusable_call(graph, args, s, p, q) : inline_call(graph, args, s, p, q);
}

std::vector<Lowering::Typed> Lowering::arguments(std::uint32_t graph, std::span<const ast::ExprId> exprs) {
  const ast::GraphRule& declaration = program_.graphs[graph];
  const auto params = program_.items(declaration.params);
  std::vector<Typed> args;
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    const Typed arg = expr(exprs[i]);
    if (i < params.size() && !env_.assignable(infos_[graph].param_types[i], arg.type)) {
      env_.error(program_[exprs[i]].where,
                 fmt::format("the parameter {} of {} has the type {}, this argument {}",
                             env_.text(params[i].name.symbol), env_.text(declaration.name.symbol),
                             env_.type_text(infos_[graph].param_types[i]), env_.type_text(arg.type)))
          ->notes.push_back({params[i].name.where, "declared here"});
    }
    args.push_back(arg);
  }
  if (exprs.size() != params.size()) throw Failed();
  for (ir::TypeId type : infos_[graph].param_types) {
    if (!type.valid()) throw Failed();
  }
  return args;
}

// Whether the argument can replace the parameter. Its value must be constant while the graph runs, and reading it must
// cost no more than reading a variable (or it is a map, which would otherwise be copied).
bool Lowering::replaceable(std::uint32_t graph, std::size_t param, const Typed& arg) const {
  const ir::Game& game = env_.game;
  const ir::Expressions& expressions = game.expressions();
  const GraphInfo& info = infos_[graph];
  bool constant = true;
  bool stable = true;
  game.for_each_variable(arg.expr, [&](ir::VarId id) {
    constant = false;
    stable = stable && !(id.value < info.assigns.size() && info.assigns[id.value]);
  });
  if (constant || !stable) return constant;
  const ir::ExprId inner = expressions.uncast(arg.expr);
  if (expressions.kind(inner) == ir::ExprKind::variable) return true;
  if (info.tagged[param]) return false;
  if (env_.is_arrow(info.param_types[param])) return true;
  return expressions.kind(inner) == ir::ExprKind::access &&
         expressions.kind(expressions.uncast(expressions.map(inner))) == ir::ExprKind::constant &&
         expressions.kind(expressions.uncast(expressions.index(inner))) == ir::ExprKind::variable;
}

SymbolId Lowering::unused_name(std::string base) {
  Symbols& symbols = env_.game.symbols;
  if (!symbols.find(base).valid()) return symbols.intern(base);
  for (std::size_t n = 2;; ++n) {
    const std::string name = fmt::format("{}_{}", base, n);
    if (!symbols.find(name).valid()) return symbols.intern(name);
  }
}

ir::VarId Lowering::hidden_param(std::uint32_t graph, std::size_t param) {
  const auto [it, fresh] = hidden_params_.try_emplace({graph, param});
  if (fresh) {
    const ast::GraphRule& declaration = program_.graphs[graph];
    const ast::Name name = program_.items(declaration.params)[param].name;
    const ir::TypeId type = infos_[graph].param_types[param];
    it->second = env_.game.define_variable(
        unused_name(fmt::format("{}_arg{}_{}", env_.text(declaration.name.symbol), param, env_.text(name.symbol))),
        type, env_.first_value(type), name.where);
  }
  return it->second;
}

// Adds one edge for each parameter that is a hidden variable.
Lowering::Place Lowering::assign_params(std::uint32_t graph, std::span<const Typed> args,
                                        const std::vector<bool>& replaced, Range where, Place p, NodeId q) {
  std::size_t left = static_cast<std::size_t>(std::ranges::count(replaced, false));
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (replaced[i]) continue;
    const ir::ExprId variable = env_.game.variable_ref(hidden_param(graph, i));
    --left;
    p = step(p, left == 0 ? q : NodeId(), ir::Assign{variable, fit(args[i], raw_type(variable))}, where);
  }
  return p;
}

// Lowers the body of a graph. `inside` holds the targets of its jumps.
Lowering::Place Lowering::body(std::uint32_t graph, std::span<const Typed> args, const std::vector<bool>& replaced,
                               const Context& inside, Place p, NodeId q) {
  const Context outer = std::exchange(context_, inside);
  const std::size_t bound = bindings_.size();
  context_.graph = &program_.graphs[graph];
  context_.break_to = context_.continue_to = {};
  context_.bindings = bound;
  const auto params = program_.items(program_.graphs[graph].params);
  for (std::size_t i = 0; i < params.size(); ++i) {
    const ir::TypeId type = infos_[graph].param_types[i];
    const ir::ExprId expr = replaced[i] ? args[i].expr : env_.game.variable_ref(hidden_param(graph, i));
    bindings_.push_back({params[i].name.symbol, {}, {expr, type}});
  }
  p = block(program_.graphs[graph].body, p, q);
  bindings_.resize(bound);
  context_ = outer;
  return p;
}

Lowering::Place Lowering::inline_call(std::uint32_t graph, std::span<const Typed> args, const ast::Statement& s,
                                      Place p, NodeId q) {
  std::vector<bool> replaced(args.size());
  for (std::size_t i = 0; i < args.size(); ++i) replaced[i] = replaceable(graph, i, args[i]);
  p = assign_params(graph, args, replaced, s.where, p, {});
  const bool open = infos_[graph].returns && !q.valid();
  if (open) q = fresh(s.where);
  Context inside = context_;
  inside.return_to = q;
  p = body(graph, args, replaced, inside, p, q);
  return open ? closed(q, true) : p;
}

// --- Reusable graphs: a variable records the call from which the shared body was entered. ---

Lowering::Place Lowering::reusable_call(std::uint32_t graph, std::span<const Typed> args, const ast::Statement& s,
                                        Place p, NodeId q) {
  const std::vector<bool> replaced(args.size(), false);
  // Bodies with end() are shared only for the same end node. Bodies inside checks differ, because they show no tags.
  const std::vector<std::uint32_t> key = {graph, infos_[graph].ends ? context_.end.value : 0U,
                                          context_.checking ? 1U : 0U};
  const auto [it, fresh_body] = reusable_.try_emplace(key);
  Reusable& shared = it->second;
  const std::string name = env_.text(program_.graphs[graph].name.symbol);
  if (fresh_body) {
    shared.graph = graph;
    shared.begin = env_.game.node(unused_name(name + "_begin"), program_.graphs[graph].where);
    shared.end = env_.game.node(unused_name(name + "_end"), program_.graphs[graph].where);
    Context inside = context_;
    inside.return_to = shared.end;
    body(graph, args, replaced, inside, {shared.begin, true}, shared.end);
  }
  Reusable::Call call;
  const bool direct = args.empty();
  p = step(p, direct ? shared.begin : NodeId(), ir::Empty{}, s.where);
  call.remember = ir::EdgeId(env_.game.graph.edge_bound() - 1);
  if (!direct) assign_params(graph, args, replaced, s.where, p, shared.begin);
  const bool open = !q.valid();
  if (open) q = fresh(s.where);
  edge(shared.end, q, ir::Empty{}, s.where);
  call.resume = ir::EdgeId(env_.game.graph.edge_bound() - 1);
  shared.calls.push_back(call);
  return {q, open};
}

// A body with a single call needs no variable, and its edges stay empty.
void Lowering::finish_reusable() {
  ir::Game& game = env_.game;
  for (auto& [key, shared] : reusable_) {
    if (shared.calls.size() < 2) continue;
    const std::string name = env_.text(program_.graphs[shared.graph].name.symbol);
    std::vector<SymbolId> symbols;
    for (std::size_t i = 0; i < shared.calls.size(); ++i) {
      symbols.push_back(unused_name(fmt::format("{}_call_{}", name, i + 1)));
    }
    const SymbolId type_name = unused_name(name + "_return_type");
    game.define_type(type_name, game.types.set(symbols));
    const ir::VarId variable =
        game.define_variable(unused_name(name + "_return"), game.types.alias(type_name),
                             game.values.symbol(symbols.front()), program_.graphs[shared.graph].name.where);
    const ir::ExprId expr = game.variable_ref(variable);
    for (std::size_t i = 0; i < shared.calls.size(); ++i) {
      game.graph.set_label(shared.calls[i].remember, ir::Assign{expr, game.symbol(symbols[i])});
      game.graph.set_label(shared.calls[i].resume, ir::Compare{expr, game.symbol(symbols[i]), false});
    }
  }
}

// --- Reachability ---

ir::Label Lowering::reachability(const ast::Expr& call) {
  const auto parts = program_.items(call.args);
  if (call.kind != ast::ExpressionKind::call || program_[parts[0]].kind != ast::ExpressionKind::name ||
      env_.graph(program_[parts[0]].name) < 0) {
    env_.fail(call.where, "reachable(…) asks about the call of a graph", "as in: reachable(canMove(me))");
  }
  const auto graph = static_cast<std::uint32_t>(env_.graph(program_[parts[0]].name));
  const ast::GraphRule& declaration = program_.graphs[graph];
  const std::vector<Typed> args = arguments(graph, parts.subspan(1));
  if (!emitting_) return ir::Reachability{};

  std::vector<bool> replaced(args.size());
  std::vector<std::uint32_t> key = {graph};
  for (std::size_t i = 0; i < args.size(); ++i) key.push_back(args[i].expr.value);
  if (const auto known = checks_.find(key); known != checks_.end()) {
    return ir::Reachability{known->second.from, known->second.to, false};
  }
  std::vector<std::uint32_t> body_key = {graph};
  for (std::size_t i = 0; i < args.size(); ++i) {
    replaced[i] = !declaration.reusable && replaceable(graph, i, args[i]);
    body_key.push_back(replaced[i] ? args[i].expr.value : kNone);
  }
  const std::string name = env_.text(declaration.name.symbol);
  const bool hidden = std::ranges::count(replaced, false) > 0;
  Check check;
  check.from = env_.game.node(unused_name(name + "_check"), call.where);
  const auto [known_body, fresh_body] = bodies_.try_emplace(body_key);
  if (fresh_body) {
    known_body->second.from = hidden ? fresh(declaration.where) : check.from;
    known_body->second.to = env_.game.node(unused_name(name + "_holds"), declaration.where);
  }
  check.to = known_body->second.to;
  checks_.emplace(key, check);
  if (hidden) assign_params(graph, args, replaced, call.where, {check.from, true}, known_body->second.from);
  if (fresh_body) {
    const Check entry = known_body->second;
    Context inside;
    inside.return_to = inside.end = entry.to;
    inside.checking = true;
    body(graph, args, replaced, inside, {entry.from, true}, entry.to);
  }
  return ir::Reachability{check.from, check.to, false};
}

}  // namespace rgtrans::hrg
