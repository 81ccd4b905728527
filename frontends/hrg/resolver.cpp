// Name resolution of constant expressions. A bound name becomes a slot and a lower-case name a symbol; an unbound
// upper-case name is an error. Also reports all mistakes that need no evaluation.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/hrg/evaluator.hpp"

namespace rgtrans::hrg {

using ast::ExpressionKind;

void Evaluator::resolve() {
  std::size_t cases = 0;
  for (const ast::Function& function : program_.functions) {
    cases = std::max<std::size_t>(cases, function.cases.first + function.cases.count);
  }
  case_slots_.resize(cases);
  auto errors = [&] { return env_.diagnostics().error_count(); };
  for (std::uint32_t i = 0; i < program_.functions.size(); ++i) {
    const std::size_t before = errors();
    resolve_function(i);
    if (errors() > before) env_.functions[i].state = FunctionInfo::State::failed;
  }
  for (ast::VariableRule& variable : program_.variables) {
    const std::size_t before = errors();
    Scope scope;
    if (variable.initial.valid()) resolve_expr(variable.initial, scope);
    if (errors() > before) variable.initial = {};
  }
}

void Evaluator::resolve_function(std::uint32_t index) {
  const ast::Function& function = program_.functions[index];
  FunctionInfo& info = env_.functions[index];
  const auto cases = program_.items(function.cases);
  info.arity = cases.front().patterns.count;
  std::uint32_t arrows = 0;
  for (ir::TypeId type = env_.resolve(info.type); type.valid() && env_.is_arrow(type);
       type = env_.resolve(env_.game.types.to(type))) {
    ++arrows;
  }
  const std::string name = env_.text(function.name.symbol);
  if (info.type.valid() && arrows == 0) {
    env_.error(function.name.where, fmt::format("the type of the function {} has no arrow", name),
               "a function from A to B has the type A -> B");
  } else if (info.type.valid() && info.arity > arrows) {
    env_.error(cases.front().where, fmt::format("{} has {} patterns, but its type takes {}", name, info.arity, arrows),
               "there can be one pattern for each arrow");
  }
  Scope scope;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const ast::Case& c = cases[i];
    if (c.name.symbol != function.name.symbol) {
      env_.error(c.name.where, fmt::format("this is a case of {} among those of {}", env_.text(c.name.symbol), name),
                 "the type of a function stands in front of its first case");
    } else if (c.patterns.count != info.arity) {
      env_.error(c.where, fmt::format("this case of {} has {} patterns, the first one has {}", name, c.patterns.count,
                                      info.arity));
    }
    scope.clear();
    for (ast::ExprId pattern : program_.items(c.patterns)) {
      bind_pattern(pattern, scope);
      const ast::Expr& literal = program_[pattern];
      if (literal.kind == ExpressionKind::name && !unknown_literal(pattern).empty()) {
        env_.warning(literal.where, fmt::format("no domain has the element {}", env_.text(literal.name)),
                     "this case never matches; a variable begins with an upper-case letter");
      }
    }
    resolve_expr(c.body, scope);
    case_slots_[function.cases.first + i] = static_cast<std::uint32_t>(scope.size());
  }
}

void Evaluator::bind_pattern(ast::ExprId id, Scope& scope) {
  ast::Expr& expr = program_[id];
  switch (expr.kind) {
    case ExpressionKind::name:
      if (!env_.is_upper(expr.name)) {
        expr.slot = ast::Expr::kFree;
      } else if (std::ranges::find(scope, expr.name) != scope.end()) {
        env_.error(expr.where, fmt::format("{} occurs twice in the patterns of this case", env_.text(expr.name)),
                   "use two names and compare them with == in the body");
      } else {
        expr.slot = static_cast<std::uint32_t>(scope.size());
        scope.push_back(expr.name);
      }
      break;
    case ExpressionKind::constructor:
      for (ast::ExprId arg : program_.items(expr.args)) bind_pattern(arg, scope);
      break;
    default:
      break;
  }
}

void Evaluator::resolve_name(ast::Expr& expr, const Scope& scope) {
  // From the innermost name outwards.
  for (std::size_t i = scope.size(); i-- > 0;) {
    if (scope[i] != expr.name) continue;
    expr.slot = static_cast<std::uint32_t>(i);
    return;
  }
  expr.slot = ast::Expr::kFree;
  if (!env_.is_upper(expr.name)) {
    if (env_.value(expr.name).kind == ValueKind::variable) {
      env_.error(expr.where, fmt::format("{} is a variable, this expression must be constant", env_.text(expr.name)),
                 "functions and initial values are computed during translation");
    }
    return;
  }
  std::vector<std::string> names;
  for (SymbolId name : scope) names.push_back(env_.text(name));
  const std::vector<std::string_view> views(names.begin(), names.end());
  std::string hint = did_you_mean(env_.text(expr.name), views);
  if (env_.is_element(expr.name)) hint = "an upper-case element cannot be written in a constant expression";
  if (hint.empty()) hint = "upper-case names are bound by a pattern or by where";
  env_.error(expr.where, fmt::format("nothing binds {}", env_.text(expr.name)), hint);
}

void Evaluator::resolve_call(const ast::Expr& expr, Scope& scope) {
  const auto args = program_.items(expr.args);
  const ast::Expr& callee = program_[args[0]];
  for (ast::ExprId arg : args.subspan(1)) resolve_expr(arg, scope);
  if (callee.kind != ExpressionKind::name) {
    env_.error(expr.where, "only a function can be called in a constant expression",
               "a call with several arguments is written f(a, b)");
    return;
  }
  const ValueRef ref = env_.value(callee.name);
  if (ref.kind != ValueKind::function) {
    env_.error(callee.where, fmt::format("there is no function {}", env_.text(callee.name)),
               ref.kind == ValueKind::variable ? "variables have no value yet in a constant expression"
                                               : env_.similar_value(callee.name));
    return;
  }
  const ast::Function& function = program_.functions[ref.index];
  const std::uint32_t expected = program_.items(function.cases).front().patterns.count;
  if (args.size() - 1 != expected) {
    env_.error(expr.where, fmt::format("{} takes {} argument{}, here are {}", env_.text(callee.name), expected,
                                       expected == 1 ? "" : "s", args.size() - 1));
  }
}

void Evaluator::resolve_expr(ast::ExprId id, Scope& scope) {
  ast::Expr& expr = program_[id];
  const auto args = program_.items(expr.args);
  switch (expr.kind) {
    case ExpressionKind::name:
      return resolve_name(expr, scope);
    case ExpressionKind::call:
      return resolve_call(expr, scope);
    case ExpressionKind::map:
      return resolve_map(expr, scope);
    case ExpressionKind::access:
      env_.error(expr.where, "access with [ ] is not possible in a constant expression", "call the function: f(x)");
      return;
    case ExpressionKind::binary:
      if (expr.op != ast::Operator::in) break;
      resolve_expr(args[0], scope);
      if (const ast::Expr& set = program_[args[1]]; set.kind != ExpressionKind::name) {
        env_.error(set.where, "'in' is followed by the name of a domain");
      } else if (!env_.domain(set.name).valid()) {
        env_.error(set.where, fmt::format("there is no domain {}", env_.text(set.name)), env_.similar_domain(set.name));
      }
      return;
    default:
      break;
  }
  for (ast::ExprId arg : args) resolve_expr(arg, scope);
}

// Names bound by `where` are visible only in the pattern and the value of their entry.
void Evaluator::resolve_map(const ast::Expr& expr, Scope& scope) {
  if (expr.entries.empty()) {
    env_.error(expr.where, "a map literal cannot be empty", "give at least a default, as in { : empty }");
  }
  for (const ast::Entry& entry : program_.items(expr.entries)) {
    const auto ranges = program_.items(entry.ranges);
    const std::size_t outer = scope.size();
    for (const ast::WhereRange& range : ranges) {
      if (std::find(scope.begin() + static_cast<std::ptrdiff_t>(outer), scope.end(), range.variable.symbol) !=
          scope.end()) {
        env_.error(range.where, fmt::format("{} has two ranges", env_.text(range.variable.symbol)), "keep one of them");
      }
      if (!env_.is_upper(range.variable.symbol)) {
        env_.error(range.variable.where, fmt::format("{} cannot have a range", env_.text(range.variable.symbol)),
                   "only upper-case names are variables");
      }
      scope.push_back(range.variable.symbol);
    }
    if (entry.pattern.valid()) resolve_key(entry.pattern, scope);
    resolve_expr(entry.value, scope);
    scope.resize(outer);
  }
}

void Evaluator::resolve_key(ast::ExprId id, const Scope& scope) {
  ast::Expr& expr = program_[id];
  if (expr.kind == ExpressionKind::name) resolve_name(expr, scope);
  for (ast::ExprId arg : program_.items(expr.args)) {
    if (program_[arg].kind == ExpressionKind::wildcard) {
      env_.error(program_[arg].where, "_ cannot be a part of a key", "name it and give it a range with where");
    }
    resolve_key(arg, scope);
  }
}

}  // namespace rgtrans::hrg
