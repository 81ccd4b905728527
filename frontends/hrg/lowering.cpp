#include "frontends/hrg/lowering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/support/reach.hpp"

namespace rgtrans::hrg {

using ast::StatementKind;
using ir::NodeId;

Lowering::Lowering(Environment& env, Evaluator& evaluator, const Builtins& builtins,
                   const std::vector<GraphInfo>& infos)
    : env_(env),
      program_(env.program),
      evaluator_(evaluator),
      builtins_(builtins),
      infos_(infos),
      variables_(env.variables.size()),
      constants_(env.functions.size()) {
  for (std::uint32_t i = 0; i < env.functions.size(); ++i) {
    const FunctionInfo& info = env.functions[i];
    if (info.constant.valid()) functions_by_value_.try_emplace({info.value, env.resolve(info.type)}, i);
  }
}

void Lowering::run() {
  for (std::uint32_t i = 0; i < program_.graphs.size(); ++i) check_graph(i);
  if (env_.failed()) return;
  warn_about_unused();
  emitting_ = true;
  const int rules = env_.graph(env_.game.symbols.intern("rules"));
  const ast::GraphRule& graph = program_.graphs[static_cast<std::size_t>(rules)];
  context_ = {};
  context_.graph = &graph;
  context_.end = context_.return_to = env_.game.end();
  block(graph.body, {env_.game.begin(), false}, env_.game.end());
  finish_reusable();
  if (!leads_to(env_.game.graph, env_.game.begin(), env_.game.end())) {
    env_.fail(graph.name.where, "no play of this game ends",
              "call end() where the game is decided; without it the graph rules has to come to its last statement");
  }
  finish_tags();
  drop_unused();
}

void Lowering::warn_about_unused() {
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    if (env_.functions[i].used) continue;
    const ast::Name& name = program_.functions[i].name;
    env_.warning(name.where, fmt::format("the function {} is never used", env_.text(name.symbol)));
  }
  const std::vector roots{static_cast<std::uint32_t>(env_.graph(env_.game.symbols.intern("rules")))};
  const std::vector<bool> used = reached_from(infos_.size(), roots, [&](std::uint32_t graph, auto&& reach) {
    std::ranges::for_each(infos_[graph].calls, reach);
  });
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) continue;
    const ast::Name& name = program_.graphs[i].name;
    env_.warning(name.where, fmt::format("the graph {} is never used", env_.text(name.symbol)));
  }
}

// Lowers the body without emitting edges. A parameter can have any value of its type.
void Lowering::check_graph(std::uint32_t index) {
  const ast::GraphRule& graph = program_.graphs[index];
  bindings_.clear();
  context_ = {};
  context_.graph = &graph;
  const auto params = program_.items(graph.params);
  for (std::size_t i = 0; i < params.size(); ++i) {
    const ir::TypeId type = infos_[index].param_types[i];
    Typed value{{}, type};
    if (type.valid()) value.expr = env_.game.cast(type, env_.game.symbol(params[i].name.symbol));
    bindings_.push_back({params[i].name.symbol, {}, value});
  }
  block(graph.body, {}, {});
  bindings_.clear();
}

// --- Building ---

NodeId Lowering::fresh(Range where) { return env_.game.graph.add_node({}, where); }

void Lowering::edge(NodeId from, NodeId to, ir::Label label, Range where) {
  if (env_.game.graph.edge_bound() >= kMaxEdges) {
    env_.fail(where, "the automaton becomes too large",
              fmt::format("it may have at most {} edges; mark graphs that are called often as reusable; {}", kMaxEdges,
                          kMaxEdges.advice()));
  }
  env_.game.graph.add_edge(from, to, label, where);
}

Lowering::Place Lowering::step(Place p, NodeId q, ir::Label label, Range where) {
  if (p.dead()) return p;
  const bool owned = !q.valid();
  if (owned) q = fresh(where);
  edge(p.node, q, label, where);
  return {q, owned};
}

// The node after a statement with several exits; dead if no exit was used.
Lowering::Place Lowering::closed(NodeId q, bool fresh) {
  if (!fresh) return {q, false};
  if (env_.game.graph.in_degree(q) > 0) return {q, true};
  env_.game.graph.remove_node(q);
  return {};
}

// --- Blocks ---

NodeId Lowering::jump_target(const ast::Statement& s) const {
  if (s.kind != StatementKind::call) return {};
  switch (builtins_.find(s.name.symbol)) {
    case Builtin::break_:
      return context_.break_to;
    case Builtin::continue_:
      return context_.continue_to;
    case Builtin::return_:
      return context_.return_to;
    default:
      return {};
  }
}

NodeId Lowering::entry_of(const ast::Block& b, NodeId q) const {
  const auto statements = program_.items(b.statements);
  if (statements.empty()) return q;
  return statements.size() == 1 ? jump_target(statements[0]) : NodeId();
}

Lowering::Place Lowering::block(const ast::Block& b, Place p, NodeId q) {
  if (++depth_ > kMaxCallDepth) {
    env_.fail(b.where, "graphs are nested too deeply",
              fmt::format("blocks may be nested {} deep, calls included; {}", kMaxCallDepth, kMaxCallDepth.advice()));
  }
  const auto statements = program_.items(b.statements);
  for (std::size_t i = 0; i < statements.size(); ++i) {
    NodeId next;
    if (i + 1 == statements.size()) {
      next = q;
    } else if (i + 2 == statements.size()) {
      next = jump_target(statements[i + 1]);
    }
    p = statement(statements[i], p, next);
  }
  --depth_;
  if (p.dead() || !q.valid() || p.node == q) return p;
  return step(p, q, ir::Empty{}, b.where);
}

void Lowering::count_copy(Range where) {
  if (++statements_ <= kMaxStatements) return;
  env_.fail(where, "the game becomes too large when its graphs are copied into each other",
            fmt::format("at most {} statements; mark graphs that are called often as reusable; {}", kMaxStatements,
                        kMaxStatements.advice()));
}

Lowering::Place Lowering::statement(const ast::Statement& s, Place p, NodeId q) {
  if (p.dead() && emitting_) return p;
  count_copy(s.where);
  if (emitting_) return dispatch(s, p, q);
  const std::size_t depth = depth_;
  try {
    return dispatch(s, p, q);
  } catch (const Failed&) {
    if (env_.full() || statements_ > kMaxStatements || depth_ > kMaxCallDepth) throw;
    depth_ = depth;
    return p;
  }
}

Lowering::Place Lowering::dispatch(const ast::Statement& s, Place p, NodeId q) {
  switch (s.kind) {
    case StatementKind::assign:
      return assign(s, p, q);
    case StatementKind::assign_any:
      return assign_any(s, p, q);
    case StatementKind::branch:
      return branch(s, p, q);
    case StatementKind::branch_in:
      return branch_in(s, p, q);
    case StatementKind::loop:
      return loop(s, p, q);
    case StatementKind::repeat:
    case StatementKind::repeat_in:
      return repeat(s, p, q);
    case StatementKind::while_:
      return while_loop(s, p, q);
    case StatementKind::if_:
      return if_else(s, p, q);
    case StatementKind::call:
      return call(s, p, q);
    case StatementKind::tag:
      return tag(s, p, q);
    case StatementKind::tag_variable:
      return tag_variable(s, p, q);
  }
  return p;
}

// --- Assignments ---

Lowering::Typed Lowering::target(const ast::Statement& s, std::span<const ast::ExprId> indices) {
  const SymbolId name = s.name.symbol;
  if (const Binding* bound = binding(name)) {
    env_.fail(s.name.where,
              fmt::format("{} cannot be assigned, it is {}", env_.text(name),
                          bound->term.valid() ? "the name of a loop" : "a parameter"),
              "only global variables can be assigned");
  }
  const ValueRef ref = env_.value(name);
  if (ref.kind != ValueKind::variable) {
    env_.fail(s.name.where,
              ref.kind == ValueKind::function ? fmt::format("{} is a function and cannot be assigned", env_.text(name))
                                              : fmt::format("there is no variable {}", env_.text(name)),
              ref.kind == ValueKind::function ? "functions are constant" : env_.similar_value(name));
  }
  Typed result = value(name, ref);
  Range where = s.name.where;
  for (ast::ExprId index : indices) {
    result = access(result, expr(index), where, program_[index].where);
    where = join(where, program_[index].where);
  }
  return result;
}

Lowering::Place Lowering::assign(const ast::Statement& s, Place p, NodeId q) {
  const auto exprs = program_.items(s.exprs);
  const Typed left = target(s, exprs.first(exprs.size() - 1));
  const Typed right = expr(exprs.back(), left.type);
  expect_assignable(left, right, program_[exprs.back()].where, "assigned to");
  if (p.dead()) return p;
  return step(p, q, ir::Assign{left.expr, fit(right, raw_type(left.expr))}, s.where);
}

Lowering::Place Lowering::assign_any(const ast::Statement& s, Place p, NodeId q) {
  const Typed left = target(s, program_.items(s.exprs));
  const ir::TypeId type = env_.type(s.type);
  if (!type.valid() || !left.type.valid()) throw Failed();
  const Range where = program_[s.type].where;
  if (!env_.is_set(type)) env_.fail(where, fmt::format("{} is no set", env_.type_text(type)), "choose from a domain");
  if (!env_.contained(type, left.type) || !env_.is_set(left.type)) {
    env_.fail(where,
              fmt::format("not every element of {} is one of {}", env_.type_text(type), env_.type_text(left.type)),
              fmt::format("choose from {} or a part of it", env_.type_text(left.type)));
  }
  if (left.expr == env_.game.variable_ref(env_.game.player())) {
    env_.fail(s.where, "player cannot be chosen with (*)",
              "assign a certain player, in the arms of a branch if need be");
  }
  return step(p, q, ir::AssignAny{left.expr, type}, s.where);
}

// --- Branches ---

Lowering::Place Lowering::branch(const ast::Statement& s, Place p, NodeId q) {
  const auto arms = program_.items(s.blocks);
  if (arms.size() == 1) return block(arms[0], p, q);
  const bool open = !q.valid() && !p.dead();
  if (open) q = fresh(s.where);
  for (const ast::Block& arm : arms) block(arm, {p.node, false}, q);
  if (p.dead()) return p;
  return closed(q, open);
}

std::vector<TermId> Lowering::loop_values(const ast::Statement& s) {
  const ir::TypeId type = env_.type(s.type);
  if (!type.valid()) throw Failed();
  if (!env_.is_set(type)) {
    env_.fail(program_[s.type].where, fmt::format("{} is no set", env_.type_text(type)),
              "a loop ranges over a domain or over { a, b }");
  }
  std::vector<TermId> values;
  for (SymbolId member : env_.members(type)) values.push_back(env_.terms.of_symbol(member));
  return values;
}

Lowering::Place Lowering::branch_in(const ast::Statement& s, Place p, NodeId q) {
  const std::vector<TermId> values = loop_values(s);
  if (choosable(s, values)) return choose(s, p, q);
  const ast::Block& body = program_.items(s.blocks)[0];
  const bool open = !q.valid() && !p.dead() && values.size() > 1;
  if (open) q = fresh(s.where);
  Place last;
  for (TermId value : values) {
    count_copy(s.where);
    bindings_.push_back({s.name.symbol, value, {}});
    last = block(body, {p.node, p.owned && values.size() == 1}, q);
    bindings_.pop_back();
    if (!emitting_ && statements_ > kMaxStatements / 10) break;
  }
  if (p.dead()) return p;
  return values.size() > 1 ? closed(q, open) : last;
}

// --- Loops ---

// A node to which the end of a loop's body may lead back.
Lowering::Place Lowering::head_of(Place p, Range where) {
  return p.dead() || p.owned ? p : step(p, {}, ir::Empty{}, where);
}

Lowering::Place Lowering::loop(const ast::Statement& s, Place p, NodeId q) {
  p = head_of(p, s.where);
  const bool open = !q.valid() && !p.dead();
  if (open) q = fresh(s.where);
  const Context outer = context_;
  context_.break_to = q;
  context_.continue_to = p.node;
  block(program_.items(s.blocks)[0], p, p.node);
  context_ = outer;
  if (p.dead()) return p;
  return open ? closed(q, true) : Place{s.jumps_out ? q : NodeId(), false};
}

Lowering::Place Lowering::repeat(const ast::Statement& s, Place p, NodeId q) {
  std::vector<TermId> values;
  const bool named = s.kind == StatementKind::repeat_in;
  if (named) values = loop_values(s);
  std::uint64_t copies = named ? values.size() : s.count;
  if (!emitting_ && !named) copies = std::min<std::uint64_t>(copies, 1);
  const bool open = !q.valid() && !p.dead() && s.jumps_out;
  if (open) q = fresh(s.where);
  const Context outer = context_;
  context_.break_to = q;
  for (std::uint64_t i = 0; i < copies; ++i) {
    count_copy(s.where);
    const bool last = i + 1 == copies;
    // continue() needs the begin of the next copy before that copy is lowered.
    NodeId next = last ? q : NodeId();
    bool made = false;
    if (!next.valid() && s.jumps_back && !p.dead()) {
      next = fresh(s.where);
      made = true;
    }
    context_.continue_to = next;
    if (named) bindings_.push_back({s.name.symbol, values[i], {}});
    p = block(program_.items(s.blocks)[0], p, next);
    if (named) bindings_.pop_back();
    if (made) p = closed(next, true);
    if (emitting_ && p.dead()) break;
    if (!emitting_ && statements_ > kMaxStatements / 10) break;
  }
  context_ = outer;
  if (open) {
    if (!p.dead() && p.node != q) step(p, q, ir::Empty{}, s.where);
    return closed(q, true);
  }
  if (p.dead() && emitting_ && q.valid() && s.jumps_out) return {q, false};
  return p;
}

Lowering::Place Lowering::while_loop(const ast::Statement& s, Place p, NodeId q) {
  const ast::ExprId test = program_.items(s.exprs)[0];
  const ast::Block& body = program_.items(s.blocks)[0];
  const Condition c = condition(test, false);
  if (p.dead()) {
    block(body, p, {});
    return p;
  }
  if (c.kind == Condition::Kind::never) return p;
  p = head_of(p, s.where);
  const bool open = !q.valid();
  if (open) q = fresh(s.where);
  const Context outer = context_;
  context_.break_to = q;
  context_.continue_to = p.node;
  if (c.kind == Condition::Kind::always) {
    block(body, p, p.node);
  } else {
    NodeId inside = entry_of(body, p.node);
    const bool made = !inside.valid();
    if (made) inside = fresh(body.where);
    emit(c, p.node, inside, q, program_[test].where);
    if (made) block(body, {inside, true}, p.node);
  }
  context_ = outer;
  return closed(q, open);
}

Lowering::Place Lowering::if_else(const ast::Statement& s, Place p, NodeId q) {
  const ast::ExprId test = program_.items(s.exprs)[0];
  const auto blocks = program_.items(s.blocks);
  const Condition c = condition(test, false);
  if (p.dead()) {
    for (const ast::Block& b : blocks) block(b, p, {});
    return p;
  }
  if (c.kind == Condition::Kind::always) return block(blocks[0], p, q);
  if (c.kind == Condition::Kind::never) return blocks.size() > 1 ? block(blocks[1], p, q) : p;
  const bool open = !q.valid();
  if (open) q = fresh(s.where);
  NodeId entries[2] = {entry_of(blocks[0], q), blocks.size() > 1 ? entry_of(blocks[1], q) : q};
  bool made[2] = {false, false};
  for (std::size_t i = 0; i < 2; ++i) {
    made[i] = !entries[i].valid();
    if (made[i]) entries[i] = fresh(blocks[i].where);
  }
  emit(c, p.node, entries[0], entries[1], program_[test].where);
  for (std::size_t i = 0; i < 2; ++i) {
    if (made[i]) block(blocks[i], {entries[i], true}, q);
  }
  return closed(q, open);
}

// --- Tags ---

Lowering::Place Lowering::tag(const ast::Statement& s, Place p, NodeId q) {
  if (p.dead() || context_.checking) return p;
  std::string text;
  for (const ast::Name& part : program_.items(s.names)) {
    const Binding* bound = binding(part.symbol);
    const SymbolId symbol = bound != nullptr && bound->term.valid() ? env_.terms.symbol(bound->term) : part.symbol;
    if (!text.empty()) text += "__";
    text += env_.game.symbols.text(symbol);
  }
  const SymbolId symbol = env_.game.symbols.intern(text);
  const Place result = step(p, q, ir::Tag{symbol}, s.where);
  if (s.artificial) {
    artificial_edges_.emplace_back(env_.game.graph.edge_bound() - 1);
  } else {
    if (symbol.value >= ordinary_tag_.size()) ordinary_tag_.resize(symbol.value + 1);
    ordinary_tag_[symbol.value] = true;
  }
  return result;
}

Lowering::Place Lowering::tag_variable(const ast::Statement& s, Place p, NodeId q) {
  const SymbolId name = s.name.symbol;
  const Binding* bound = binding(name);
  if (bound != nullptr && bound->term.valid()) {
    env_.fail(s.name.where, fmt::format("{} is the name of a loop, not a variable", env_.text(name)),
              fmt::format("its value is shown with a single sign: $ {}", env_.text(name)));
  }
  Typed shown;
  if (bound != nullptr) {
    shown = bound->value;
  } else {
    const ValueRef ref = env_.value(name);
    if (ref.kind != ValueKind::variable) {
      env_.fail(s.name.where, fmt::format("there is no variable {}", env_.text(name)),
                ref.kind == ValueKind::function || env_.is_element(name)
                    ? fmt::format("a fixed tag is written with a single sign: $ {}", env_.text(name))
                    : env_.similar_value(name));
    }
    shown = value(name, ref);
  }
  if (shown.type.valid() && !env_.is_set(shown.type)) {
    env_.fail(s.name.where, fmt::format("{} is a map and cannot be shown", env_.text(name)),
              "$$ shows a variable whose type is a domain");
  }
  if (p.dead() || context_.checking) return p;
  const ir::Expressions& expressions = env_.game.expressions();
  if (const auto symbol = env_.game.constant_symbol(shown.expr)) {
    if (symbol->value >= ordinary_tag_.size()) ordinary_tag_.resize(symbol->value + 1);
    ordinary_tag_[symbol->value] = true;
    return step(p, q, ir::Tag{*symbol}, s.where);
  }
  return step(p, q, ir::TagVariable{expressions.variable(expressions.uncast(shown.expr))}, s.where);
}

// In RG, a symbol is either artificial or not. If a description uses one in both ways, or as a value that `$$` shows,
// the artificial tag gets another name.
void Lowering::finish_tags() {
  if (artificial_edges_.empty()) return;
  ir::Game& game = env_.game;
  std::set<ir::VarId> shown;
  for (ir::EdgeId edge : game.graph.edges()) {
    const auto* tag = std::get_if<ir::TagVariable>(&game.graph.label(edge));
    if (tag == nullptr || !shown.insert(tag->variable).second) continue;
    for (SymbolId member : game.members(game.variable(tag->variable).type)) {
      if (member.value >= ordinary_tag_.size()) ordinary_tag_.resize(member.value + 1);
      ordinary_tag_[member.value] = true;
    }
  }
  std::map<SymbolId, SymbolId> names;
  for (ir::EdgeId edge : artificial_edges_) {
    const SymbolId symbol = std::get<ir::Tag>(game.graph.label(edge)).symbol;
    const auto [it, fresh] = names.try_emplace(symbol, symbol);
    if (fresh && symbol.value < ordinary_tag_.size() && ordinary_tag_[symbol.value]) {
      it->second = unused_name("_" + env_.text(symbol));
    }
    if (it->second != symbol) game.graph.set_label(edge, ir::Tag{it->second});
  }
  ir::ArtificialTag pragma;
  for (const auto& [symbol, name] : names) pragma.tags.push_back(name);
  std::ranges::sort(pragma.tags, {}, [&](SymbolId tag) { return game.symbols.text(tag); });
  game.pragmas.insert(game.pragmas.begin(), {pragma, {}});
}

// Removes constants of functions that were needed only to compute other constants.
void Lowering::drop_unused() {
  ir::Game& game = env_.game;
  const ir::Expressions& expressions = game.expressions();
  std::vector<bool> seen(expressions.size());
  std::vector<bool> used(game.constants().size());
  const auto look = [&](ir::ExprId id) {
    if (seen[id.value]) return false;
    seen[id.value] = true;
    if (expressions.kind(id) == ir::ExprKind::constant) used[expressions.constant(id).value] = true;
    return true;
  };
  for (ir::EdgeId edge : game.graph.edges())
    ir::for_each_expression(game.graph.label(edge), [&](ir::ExprId id) { ir::visit_parts(expressions, id, look); });
  for (const FunctionInfo& info : env_.functions) {
    if (!used[info.constant.value]) game.remove_constant(info.constant);
  }
}

}  // namespace rgtrans::hrg
