// Expressions in graphs: names, constructors and accesses. Constant expressions are evaluated here. A cast is added
// only if a replaced parameter would otherwise violate RG's type rules.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/hrg/lowering.hpp"

namespace rgtrans::hrg {

using ast::ExpressionKind;

const Lowering::Binding* Lowering::binding(SymbolId name) const {
  for (std::size_t i = bindings_.size(); i-- > context_.bindings;) {
    if (bindings_[i].name == name) return &bindings_[i];
  }
  return nullptr;
}

Lowering::Typed Lowering::expr(ast::ExprId id, ir::TypeId wanted) {
  const ast::Expr& e = program_[id];
  const bool nothing = e.kind == ExpressionKind::name && binding(e.name) == nullptr && !env_.is_element(e.name) &&
                       env_.value(e.name).kind == ValueKind::none;
  if (!nothing || !env_.is_set(wanted)) return expr(id);
  std::string hint = env_.similar_value(e.name);
  if (hint.empty()) hint = env_.element_hint(env_.terms.plain(e.name), wanted);
  if (hint.empty()) return expr(id);
  env_.fail(e.where, fmt::format("there is no variable, function or element {}", env_.text(e.name)), hint);
}

Lowering::Typed Lowering::expr(ast::ExprId id) {
  const ast::Expr& e = program_[id];
  const auto args = program_.items(e.args);
  switch (e.kind) {
    case ExpressionKind::name:
      return name(e);
    case ExpressionKind::constructor:
      return constructor(id);
    case ExpressionKind::access:
      return access(expr(args[0]), expr(args[1]), program_[args[0]].where, program_[args[1]].where);
    case ExpressionKind::call: {
      Typed map = expr(args[0]);
      if (args.size() == 1) {
        env_.fail(e.where, "this call has no arguments", "a map is read with its key, as in f(x) or f[x]");
      }
      Range where = program_[args[0]].where;
      for (ast::ExprId arg : args.subspan(1)) {
        map = access(map, expr(arg), where, program_[arg].where);
        where = join(where, program_[arg].where);
      }
      return map;
    }
    case ExpressionKind::binary:
      if (e.op == ast::Operator::add || e.op == ast::Operator::subtract || e.op == ast::Operator::remainder) {
        env_.fail(e.where, "there is no arithmetic on values that change during play",
                  "declare a function over the domain, as in: next(I(X)) = if X < 9 then I(X + 1) else I(0)");
      }
      [[fallthrough]];
    case ExpressionKind::all:
    case ExpressionKind::any:
    case ExpressionKind::negation:
      env_.fail(e.where, "this is a condition, not a value", "conditions stand in check(…), if and while");
    case ExpressionKind::conditional:
      env_.fail(e.where, "an if expression cannot stand in a graph", "declare a function, or use an if statement");
    default:
      break;
  }
  env_.fail(e.where, "a map literal can only be an initial value", "give a function or a variable its name");
}

Lowering::Typed Lowering::value(SymbolId symbol, ValueRef ref) {
  ir::Game& game = env_.game;
  if (ref.kind == ValueKind::variable) {
    const ir::VarId id = env_.variables[ref.index];
    const ir::TypeId type = env_.variable_types[ref.index];
    if (!id.valid() || !type.valid()) throw Failed();
    ir::ExprId& known = variables_[ref.index];
    if (!known.valid()) known = game.variable_ref(id);
    return {known, type};
  }
  FunctionInfo& info = env_.functions[ref.index];
  info.used = true;
  if (!info.type.valid()) throw Failed();
  if (info.constant.valid()) {
    ir::ExprId& known = constants_[ref.index];
    if (!known.valid()) known = game.constant_ref(info.constant);
    return {known, info.type};
  }
  return {game.cast(info.type, game.symbol(symbol)), info.type};  // its mistakes have been reported
}

Lowering::Typed Lowering::name(const ast::Expr& e) {
  SymbolId symbol = e.name;
  if (const Binding* bound = binding(symbol)) {
    if (!bound->term.valid()) {
      if (!bound->value.type.valid()) throw Failed();
      return bound->value;
    }
    symbol = env_.terms.symbol(bound->term);
  }
  if (const ValueRef ref = env_.value(symbol); ref.kind != ValueKind::none) return value(symbol, ref);
  if (!env_.is_element(symbol)) {
    std::string hint = env_.similar_value(symbol);
    if (env_.domain(symbol).valid()) {
      hint = "a domain is no value; any element of it is chosen with x = " + env_.text(symbol) + "(*)";
    } else if (env_.graph(symbol) >= 0) {
      hint = "a graph is no value; use it as a statement or in reachable(…)";
    } else if (const std::string made = env_.element_hint(env_.terms.plain(symbol), {}); !made.empty()) {
      hint = made;
    }
    env_.fail(e.where, fmt::format("there is no variable, function or element {}", env_.text(symbol)), hint);
  }
  return element(symbol);
}

Lowering::Typed Lowering::element(SymbolId symbol) {
  if (symbol.value >= elements_.size()) elements_.resize(std::max<std::size_t>(symbol.value + 1, elements_.size() * 2));
  ir::ExprId& known = elements_[symbol.value];
  if (!known.valid()) known = env_.game.symbol(symbol);
  return {known, raw_type(known)};
}

Lowering::Typed Lowering::constructor(ast::ExprId id) {
  auto lookup = [&](const ast::Expr& e) {
    const Binding* bound = binding(e.name);
    if (bound != nullptr && bound->term.valid()) return bound->term;
    const ValueKind kind = env_.value(e.name).kind;
    if (bound != nullptr || kind != ValueKind::none) {
      env_.fail(e.where,
                fmt::format("{} is {}, but an argument of a constructor must be constant", env_.text(e.name),
                            bound != nullptr              ? "a parameter"
                            : kind == ValueKind::function ? "a function"
                                                          : "a variable"),
                "compute the element with a function, or use the name of a loop");
    }
    if (env_.is_upper(e.name) && !env_.is_element(e.name)) {
      env_.fail(e.where, fmt::format("nothing binds {}", env_.text(e.name)),
                "in a graph, upper-case names are bound by loops such as: branch X in {0, 1} { … }");
    }
    return env_.terms.plain(e.name);
  };
  const ast::Expr& e = program_[id];
  const TermId term = evaluator_.constant_term(id, lookup);
  const SymbolId symbol = env_.terms.symbol(term);
  if (!env_.is_element(symbol) || env_.terms.of_symbol(symbol) != term) {
    env_.fail(e.where, fmt::format("{} is no element of any domain", env_.terms.text(term)),
              "its arguments have to be within the ranges of the domain");
  }
  return element(symbol);
}

Lowering::Typed Lowering::access(const Typed& map, const Typed& index, Range map_where, Range index_where) {
  ir::Game& game = env_.game;
  const ir::TypeId type = env_.resolve(map.type);
  if (!type.valid()) throw Failed();
  if (game.types.kind(type) != ir::TypeKind::arrow) {
    env_.fail(map_where, fmt::format("this is no map, its type is {}", env_.type_text(map.type)),
              "only functions and variables of a type A -> B are read with a key");
  }
  const ir::TypeId from = game.types.from(type);
  const ir::TypeId to = game.types.to(type);
  if (!env_.is_set(index.type) || !env_.assignable(from, index.type)) {
    env_.fail(index_where, fmt::format("{} is no key for a map from {}", described(index), env_.type_text(from)));
  }
  // The type in RG may be narrower than the type in the description.
  ir::ExprId raw = map.expr;
  if (const ir::TypeId seen = env_.resolve(raw_type(raw));
      !seen.valid() || game.types.kind(seen) != ir::TypeKind::arrow ||
      !env_.assignable(game.types.from(seen), raw_type(index.expr))) {
    raw = fit(map, ir::TypeId());
  }
  const ir::ExprId result = game.access(raw, fit(index, game.types.from(env_.resolve(raw_type(raw)))));
  if (env_.is_set(to)) {
    if (const auto symbol = game.constant_symbol(result)) return {element(*symbol).expr, to};
  } else if (const ir::ValueId value = ir::fold(game, result).map; value.valid()) {
    // A function that returns functions, applied to a constant, is one of those functions.
    const auto it = functions_by_value_.find({value, env_.resolve(to)});
    if (it != functions_by_value_.end()) {
      FunctionInfo& info = env_.functions[it->second];
      return {game.constant_ref(info.constant), to};
    }
  }
  return {result, to};
}

// An RG cast needs a named type.
ir::TypeId Lowering::named(ir::TypeId type) {
  if (env_.game.types.kind(type) == ir::TypeKind::alias) return type;
  const auto [it, fresh] = named_types_.try_emplace(type);
  if (fresh) {
    const SymbolId name = unused_name("Parameter");
    env_.game.define_type(name, type);
    it->second = env_.game.types.alias(name);
  }
  return it->second;
}

ir::ExprId Lowering::fit(const Typed& value, ir::TypeId expected) {
  const ir::TypeId raw = raw_type(value.expr);
  if (expected.valid() && env_.assignable(raw, expected)) return value.expr;
  if (!value.type.valid() || env_.resolve(raw) == env_.resolve(value.type) || !emitting_) return value.expr;
  return env_.game.cast(named(value.type), value.expr);
}

std::string Lowering::described(const Typed& value) const {
  const ir::Expressions& expressions = env_.game.expressions();
  if (expressions.kind(value.expr) == ir::ExprKind::symbol && value.type == raw_type(value.expr)) {
    return env_.terms.text(env_.terms.of_symbol(expressions.symbol(value.expr)));
  }
  return "a value of type " + env_.type_text(value.type);
}

void Lowering::expect_assignable(const Typed& left, const Typed& right, Range where, std::string_view what) {
  if (env_.assignable(left.type, right.type)) return;
  std::string hint;
  const auto symbol = [&](const Typed& value) { return env_.game.constant_symbol(value.expr); };
  if (symbol(right) && !symbol(left) && env_.is_set(left.type)) {
    hint = env_.element_hint(env_.terms.of_symbol(*symbol(right)), left.type);
  } else if (symbol(left) && !symbol(right) && env_.is_set(right.type)) {
    hint = env_.element_hint(env_.terms.of_symbol(*symbol(left)), right.type);
  }
  env_.fail(where, fmt::format("{} cannot be {} {}", described(right), what, described(left)),
            hint.empty() ? "the two types have no element in common" : hint);
}

}  // namespace rgtrans::hrg
