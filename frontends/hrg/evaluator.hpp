// Evaluates constant expressions. Names are resolved to slots once; bodies are then evaluated over ground terms. The
// result of each call of a function is cached by its arguments.
#pragma once

#include <span>
#include <vector>

#include "frontends/hrg/environment.hpp"

namespace rgtrans::hrg {

class Evaluator {
 public:
  explicit Evaluator(Environment& env) : env_(env), program_(env.program), terms_(env.terms) {}

  // Resolves names in all functions and initial values and reports mistakes.
  void resolve();

  // The RG value of a function and of all functions it refers to. Throws Failed after a mistake was reported.
  ir::ValueId table(std::uint32_t function);
  // Resets the state after a failed computation.
  void abandon();
  // The RG value of a resolved initial value for a variable of that type.
  ir::ValueId value_of(ast::ExprId id, ir::TypeId type);

  // Evaluates a closed term in a graph. `lookup` returns the term of a name, or none after reporting an error.
  template <class Lookup>
  TermId constant_term(ast::ExprId id, const Lookup& lookup);

  TermId apply(std::uint32_t function, std::span<const TermId> args, Range where);
  TermId arithmetic(const ast::Expr& expr, TermId left, TermId right);

 private:
  using Scope = std::vector<SymbolId>;  // the name bound to each slot

  // --- Resolution (resolver.cpp) ---
  void resolve_function(std::uint32_t index);
  void bind_pattern(ast::ExprId id, Scope& scope);
  void resolve_expr(ast::ExprId id, Scope& scope);
  void resolve_name(ast::Expr& expr, const Scope& scope);
  void resolve_call(const ast::Expr& expr, Scope& scope);
  void resolve_map(const ast::Expr& expr, Scope& scope);
  void resolve_key(ast::ExprId id, const Scope& scope);

  // --- Evaluation ---
  TermId eval(ast::ExprId id);
  TermId eval_binary(const ast::Expr& expr);
  template <class F>
  TermId with_values(std::span<const ast::ExprId> exprs, F&& f);
  TermId eval_call(const ast::Expr& expr);
  bool test(ast::ExprId id);
  bool test_binary(const ast::Expr& expr);
  bool match(ast::ExprId pattern, TermId value);
  void set_top(std::size_t top) {
    top_ = top;
    if (top > slots_.size()) slots_.resize(top * 2);
  }
  void step(Range where) {
    if (++steps_ > kMaxEvaluationSteps) too_long(where);
  }
  [[noreturn]] void too_long(Range where);
  std::string call_text(std::uint32_t function, std::span<const TermId> args) const;
  std::string unknown_literal(const ast::Function& function) const;
  std::string unknown_literal(ast::ExprId pattern) const;

  // --- Tables (tables.cpp) ---
  ir::ValueId table_level(std::uint32_t function, ir::TypeId type, std::vector<TermId>& args);
  Range body_range(std::uint32_t function, std::span<const TermId> args);
  ir::ValueId element_value(SymbolId symbol);
  ir::ValueId term_value(TermId term, ir::TypeId type, Range where, std::string_view what);
  ir::ValueId function_value(std::uint32_t function, ir::TypeId type, Range where);
  ir::ValueId map_value(const ast::Expr& expr, ir::TypeId type);
  using Pairs = std::vector<ir::Values::Entry>;
  struct MapLiteral {
    Pairs pairs;
    std::vector<bool> seen;                                          // by position in the domain
    std::unordered_map<SymbolId, std::pair<TermId, Range>> outside;  // keys outside of the domain
  };
  void add_pairs(const ast::Entry& entry, ir::TypeId from, ir::TypeId to, MapLiteral& map);
  void drop_outside(ir::TypeId from, ir::ValueId default_value, MapLiteral& map);
  ir::ValueId completed(Pairs& pairs, ir::ValueId default_value, bool nested);
  ir::ValueId implicit_default(const Pairs& pairs);
  [[nodiscard]] bool better_default(ir::ValueId a, ir::ValueId b) const;
  [[nodiscard]] std::uint64_t value_size(ir::ValueId id) const;
  [[nodiscard]] int compare_values(ir::ValueId a, ir::ValueId b) const;

  Environment& env_;
  ast::Program& program_;
  Terms& terms_;

  // Frames of bound values. The current frame is slots_[base_, top_).
  std::vector<TermId> slots_;
  std::size_t base_ = 0;
  std::size_t top_ = 0;
  std::size_t depth_ = 0;       // depth of calls
  std::size_t expr_depth_ = 0;  // depth of expressions, including calls
  std::size_t steps_ = 0;

  struct Memo {
    std::uint32_t function;
    std::uint32_t first, count;  // range of memo_args_
    TermId result;               // none during evaluation
  };
  std::vector<Memo> memo_;
  std::vector<TermId> memo_args_;
  IndexSet memo_index_;
  std::vector<std::uint32_t> case_slots_;  // by case, in pool order
  static constexpr TermId kFailedTerm{0xfffffffeU};

  // The entries of maps in order of enumeration, for maps that are values of maps; see compare_values().
  std::unordered_map<ir::ValueId, Pairs> ordered_;
  std::vector<ir::ValueId> elements_;  // by symbol; none until needed
  std::vector<std::uint32_t> counts_;  // by value; zero between uses
  std::uint32_t best_count_ = 0;
  std::size_t nesting_ = 0;
};

template <class Lookup>
TermId Evaluator::constant_term(ast::ExprId id, const Lookup& lookup) {
  const ast::Expr& expr = program_[id];
  const auto args = program_.items(expr.args);
  switch (expr.kind) {
    case ast::ExpressionKind::name:
      return lookup(expr);
    case ast::ExpressionKind::constructor: {
      std::vector<TermId> values;
      for (ast::ExprId arg : args) values.push_back(constant_term(arg, lookup));
      return terms_.make(expr.name, values);
    }
    case ast::ExpressionKind::call: {
      const ast::Expr& callee = program_[args[0]];
      const ValueRef ref = callee.kind == ast::ExpressionKind::name ? env_.value(callee.name) : ValueRef();
      if (ref.kind != ValueKind::function) break;
      std::vector<TermId> values;
      for (ast::ExprId arg : args.subspan(1)) values.push_back(constant_term(arg, lookup));
      return apply(ref.index, values, expr.where);
    }
    case ast::ExpressionKind::binary:
      if (expr.op == ast::Operator::add || expr.op == ast::Operator::subtract || expr.op == ast::Operator::remainder) {
        const TermId left = constant_term(args[0], lookup);
        return arithmetic(expr, left, constant_term(args[1], lookup));
      }
      break;
    default:
      break;
  }
  env_.fail(expr.where, "an argument of a constructor must be constant here",
            "in a graph it consists of names, numbers and + - %; to compute an element, use a function");
}

}  // namespace rgtrans::hrg
