#include "frontends/hrg/evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/support/depth.hpp"
#include "core/support/letters.hpp"

namespace rgtrans::hrg {

using ast::ExpressionKind;
using ast::Operator;

void Evaluator::too_long(Range where) {
  env_.fail(where, "the constants of this game take too long to compute",
            fmt::format("at most {} steps are made; {}", kMaxEvaluationSteps, kMaxEvaluationSteps.advice()));
}

std::string Evaluator::call_text(std::uint32_t function, std::span<const TermId> args) const {
  std::string out = env_.text(program_.functions[function].name.symbol) + "(";
  for (std::size_t i = 0; i < args.size(); ++i) out += (i > 0 ? ", " : "") + terms_.text(args[i]);
  return out + ")";
}

TermId Evaluator::apply(std::uint32_t function, std::span<const TermId> args, Range where) {
  std::uint64_t hash = function;
  for (TermId arg : args) hash = combine_hash(hash, arg.value);
  const auto fresh = static_cast<std::uint32_t>(memo_.size());
  const std::uint32_t row = memo_index_.find_or_insert(hash, fresh, [&](std::uint32_t r) {
    const Memo& memo = memo_[r];
    return memo.function == function && memo.count == args.size() &&
           std::equal(args.begin(), args.end(), memo_args_.begin() + memo.first);
  });
  if (row != fresh) {
    if (memo_[row].result == kFailedTerm) throw Failed();
    if (memo_[row].result.valid()) return memo_[row].result;
    env_.fail(where, fmt::format("the value of {} depends on itself", call_text(function, args)),
              "a recursive function needs a case that ends the recursion");
  }
  if (args.size() != env_.functions[function].arity) {
    env_.fail(where,
              fmt::format("{} takes {} arguments, here are {}", env_.text(program_.functions[function].name.symbol),
                          env_.functions[function].arity, args.size()));
  }
  if (env_.functions[function].state == FunctionInfo::State::failed) throw Failed();
  if (depth_ >= kMaxEvaluationDepth) {
    env_.fail(where, fmt::format("the recursion of {} does not end", call_text(function, args)),
              fmt::format("calls may be nested {} deep; {}", kMaxEvaluationDepth, kMaxEvaluationDepth.advice()));
  }
  memo_.push_back(
      {function, static_cast<std::uint32_t>(memo_args_.size()), static_cast<std::uint32_t>(args.size()), {}});
  memo_args_.insert(memo_args_.end(), args.begin(), args.end());

  const ast::Function& declaration = program_.functions[function];
  env_.functions[function].used = env_.functions[function].used || depth_ > 0;
  const std::size_t old_base = std::exchange(base_, top_);
  ++depth_;
  const auto cases = program_.items(declaration.cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    step(where);
    set_top(base_ + case_slots_[declaration.cases.first + i]);
    const auto patterns = program_.items(cases[i].patterns);
    bool matches = true;
    for (std::size_t k = 0; matches && k < patterns.size(); ++k) {
      matches = match(patterns[k], TermId(memo_args_[memo_[row].first + k]));
    }
    if (!matches) continue;
    const TermId result = eval(cases[i].body);
    top_ = base_;
    base_ = old_base;
    --depth_;
    return memo_[row].result = result;
  }
  std::vector<TermId> values(memo_args_.begin() + memo_[row].first,
                             memo_args_.begin() + memo_[row].first + memo_[row].count);
  const std::string name = env_.text(declaration.name.symbol);
  const std::string literal = unknown_literal(declaration);
  env_.fail(declaration.name.where, fmt::format("no case of {} covers {}", name, call_text(function, values)),
            literal.empty() ? fmt::format("add a case, for instance at the end: {}({}) = …", name,
                                          fmt::join(std::vector<std::string_view>(values.size(), "_"), ", "))
                            : fmt::format("{} means itself in a pattern, and no domain has it; a variable "
                                          "begins with an upper-case letter",
                                          literal));
}

// A lower-case name in a function's patterns that is no element of a domain: probably meant as a variable.
std::string Evaluator::unknown_literal(const ast::Function& function) const {
  for (const ast::Case& c : program_.items(function.cases)) {
    for (ast::ExprId pattern : program_.items(c.patterns)) {
      if (std::string name = unknown_literal(pattern); !name.empty()) return name;
    }
  }
  return {};
}

std::string Evaluator::unknown_literal(ast::ExprId pattern) const {
  const ast::Expr& expr = program_[pattern];
  if (expr.kind == ExpressionKind::name) {
    const bool literal = expr.slot == ast::Expr::kFree && !env_.is_element(expr.name);
    return literal && !all_digits(env_.text(expr.name)) ? env_.text(expr.name) : "";
  }
  for (ast::ExprId part : program_.items(expr.args)) {
    if (std::string name = unknown_literal(part); !name.empty()) return name;
  }
  return {};
}

bool Evaluator::match(ast::ExprId pattern, TermId value) {
  const ast::Expr& expr = program_[pattern];
  switch (expr.kind) {
    case ExpressionKind::wildcard:
      return true;
    case ExpressionKind::name:
      if (expr.slot == ast::Expr::kFree) return terms_.plain(expr.name) == value;
      slots_[base_ + expr.slot] = value;
      return true;
    default:
      break;
  }
  if (terms_.constructor(value) != expr.name || terms_.args(value).size() != expr.args.count) return false;
  const auto parts = program_.items(expr.args);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!match(parts[i], terms_.args(value)[i])) return false;
  }
  return true;
}

// Calls f with the values of the expressions. Short lists need no allocation.
template <class F>
TermId Evaluator::with_values(std::span<const ast::ExprId> exprs, F&& f) {
  constexpr std::size_t kFew = 8;
  if (exprs.size() <= kFew) {
    TermId values[kFew];
    for (std::size_t i = 0; i < exprs.size(); ++i) values[i] = eval(exprs[i]);
    return f(std::span<const TermId>(values, exprs.size()));
  }
  std::vector<TermId> values;
  for (const ast::ExprId expr : exprs) values.push_back(eval(expr));
  return f(std::span<const TermId>(values));
}

TermId Evaluator::eval(ast::ExprId id) {
  const ast::Expr& expr = program_[id];
  step(expr.where);
  const auto args = program_.items(expr.args);
  if (expr_depth_ >= kMaxExpressionDepth) {
    env_.fail(expr.where, "constant expressions are nested too deeply here",
              fmt::format("at most {} levels, calls included; {}", kMaxExpressionDepth, kMaxExpressionDepth.advice()));
  }
  const Deeper deeper(expr_depth_);
  switch (expr.kind) {
    case ExpressionKind::name:
      return expr.slot == ast::Expr::kFree ? terms_.plain(expr.name) : slots_[base_ + expr.slot];
    case ExpressionKind::constructor:
      return with_values(args, [&](std::span<const TermId> values) { return terms_.make(expr.name, values); });
    case ExpressionKind::call:
      return eval_call(expr);
    case ExpressionKind::conditional:
      return eval(test(args[0]) ? args[1] : args[2]);
    case ExpressionKind::binary:
      return eval_binary(expr);
    case ExpressionKind::map:
      env_.fail(expr.where, "a map literal can only be an initial value",
                "a function that yields a map names another function");
    default:
      break;
  }
  env_.fail(expr.where, "this is no value", "a condition can only stand between if and then");
}

TermId Evaluator::eval_call(const ast::Expr& expr) {
  const auto args = program_.items(expr.args);
  const ValueRef ref = env_.value(program_[args[0]].name);
  if (ref.kind != ValueKind::function) throw Failed();  // reported during name resolution
  return with_values(args.subspan(1),
                     [&](std::span<const TermId> values) { return apply(ref.index, values, expr.where); });
}

TermId Evaluator::eval_binary(const ast::Expr& expr) {
  const auto args = program_.items(expr.args);
  if (expr.op != Operator::add && expr.op != Operator::subtract && expr.op != Operator::remainder) {
    env_.fail(expr.where, "this is a condition, not a value", "write: if … then 1 else 0");
  }
  const TermId left = eval(args[0]);
  return arithmetic(expr, left, eval(args[1]));
}

TermId Evaluator::arithmetic(const ast::Expr& expr, TermId left, TermId right) {
  const auto args = program_.items(expr.args);
  for (std::size_t i = 0; i < 2; ++i) {
    const TermId operand = i == 0 ? left : right;
    if (terms_.is_integer(operand)) continue;
    const SymbolId constructor = terms_.constructor(operand);
    const std::string name = constructor.valid() ? env_.text(constructor) : "";
    env_.fail(program_[args[i]].where, fmt::format("{} is no number", terms_.text(operand)),
              constructor.valid() && terms_.args(operand).size() == 1
                  ? fmt::format("compute inside of the constructor: f({0}(X)) = {0}(X + 1)", name)
                  : "+ - % compute with numbers only");
  }
  const std::int64_t a = terms_.as_integer(left);
  const std::int64_t b = terms_.as_integer(right);
  std::int64_t result = 0;
  bool overflow = false;
  if (expr.op == Operator::remainder) {
    if (b == 0) env_.fail(expr.where, fmt::format("{} % 0 has no value", a), "the right side of % must not be 0");
    overflow = __builtin_add_overflow(a, b, &result) || (result == INT64_MIN && b == -1);
    if (!overflow) result %= b;
  } else if (expr.op == Operator::add) {
    overflow = __builtin_add_overflow(a, b, &result);
  } else {
    overflow = __builtin_sub_overflow(a, b, &result);
  }
  constexpr std::int64_t kLargest = 99'999'999'999'999'999;  // largest number that a symbol can denote
  if (overflow || result > kLargest || result < -kLargest) {
    env_.fail(expr.where, fmt::format("the result of this arithmetic with {} and {} is too large", a, b),
              fmt::format("numbers go up to {}", kLargest));
  }
  return terms_.integer(result);
}

bool Evaluator::test(ast::ExprId id) {
  const ast::Expr& expr = program_[id];
  step(expr.where);
  const Deeper deeper(expr_depth_);
  const auto args = program_.items(expr.args);
  switch (expr.kind) {
    case ExpressionKind::all:
      return std::ranges::all_of(args, [&](ast::ExprId arg) { return test(arg); });
    case ExpressionKind::any:
      return std::ranges::any_of(args, [&](ast::ExprId arg) { return test(arg); });
    case ExpressionKind::negation:
      return !test(args[0]);
    case ExpressionKind::binary:
      return test_binary(expr);
    default:
      break;
  }
  env_.fail(expr.where, "this is no condition",
            "a condition is a comparison or 'x in D', joined by && and ||; compare with a value, as in f(x) == 1");
}

bool Evaluator::test_binary(const ast::Expr& expr) {
  const auto args = program_.items(expr.args);
  if (expr.op == Operator::add || expr.op == Operator::subtract || expr.op == Operator::remainder) {
    env_.fail(expr.where, "this is no condition", "compare it with a value, as in (X + Y) % 2 == 0");
  }
  const TermId left = eval(args[0]);
  if (expr.op == Operator::in) {
    const ir::TypeId set = env_.domain(program_[args[1]].name);
    if (!set.valid()) throw Failed();
    return env_.contains(set, left);
  }
  const TermId right = eval(args[1]);
  if (expr.op == Operator::equal) return left == right;
  if (expr.op == Operator::unequal) return left != right;
  if (terms_.constructor(left).valid() != terms_.constructor(right).valid()) {
    env_.fail(expr.where, fmt::format("{} and {} have no order", terms_.text(left), terms_.text(right)),
              "< and > compare numbers, names, or terms with each other");
  }
  const int order = terms_.compare(left, right);
  switch (expr.op) {
    case Operator::less:
      return order < 0;
    case Operator::less_equal:
      return order <= 0;
    case Operator::greater:
      return order > 0;
    default:
      return order >= 0;
  }
}

}  // namespace rgtrans::hrg
