// The declarations of a program: the kind of every name, the types in the IR, and the functions through which all
// errors are reported.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/hrg/ast.hpp"
#include "frontends/hrg/limits.hpp"
#include "frontends/hrg/terms.hpp"

namespace rgtrans::hrg {

// Limits for descriptions. A message that reports one names it.
inline const Limit& kMaxDomainSize = limits::domain_elements;        // elements of one domain
inline const Limit& kMaxTableSize = limits::table_cells;             // cells of one function or map literal
inline const Limit& kMaxEvaluationDepth = limits::call_depth;        // nested calls in constant expressions
inline const Limit& kMaxExpressionDepth = limits::expression_depth;  // nested expressions, through calls, too
inline const Limit& kMaxEvaluationSteps = limits::evaluation_steps;
inline const Limit& kMaxEdges = limits::edges;            // edges of the automaton
inline const Limit& kMaxStatements = limits::statements;  // lowered, including copies

// Thrown after an error was reported; the computation that needed the value is abandoned.
struct Failed {};

enum class ValueKind : std::uint8_t { none, function, variable };

struct ValueRef {
  ValueKind kind = ValueKind::none;
  std::uint32_t index = 0;
};

struct FunctionInfo {
  ir::TypeId type;
  ir::ConstId constant;
  ir::ValueId value;
  std::uint32_t arity = 0;
  enum class State : std::uint8_t { fresh, busy, done, failed } state = State::fresh;
  bool used = false;  // by a graph, a variable or another function
};

class Environment {
 public:
  Environment(ast::Program& program, ir::Game& game, Diagnostics& diagnostics)
      : program(program), game(game), terms(game.symbols), diagnostics_(diagnostics) {}

  ast::Program& program;
  ir::Game& game;
  Terms terms;

  std::vector<FunctionInfo> functions;     // same order as program.functions
  std::vector<ir::TypeId> variable_types;  // same order as program.variables
  std::vector<ir::VarId> variables;        // same order as program.variables

  // Declares domains first, then the names of functions, variables and graphs.
  void declare();
  // Declares player, goals and visible, after ir::add_builtins has created them.
  void add_builtin_variables();

  // --- Names ---
  [[nodiscard]] ValueRef value(SymbolId name) const {
    return name.value < values_.size() ? values_[name.value] : ValueRef();
  }
  [[nodiscard]] int graph(SymbolId name) const;
  // The set type of a domain or built-in set, or none.
  [[nodiscard]] ir::TypeId domain(SymbolId name) const;
  // Whether the symbol is an element of some domain, or keeper or random.
  [[nodiscard]] bool is_element(SymbolId symbol) const {
    return symbol.value < is_element_.size() && is_element_[symbol.value];
  }
  [[nodiscard]] bool is_upper(SymbolId name) const;
  [[nodiscard]] std::string text(SymbolId name) const { return game.symbols.str(name); }

  // --- Types --- Reports an error and returns none for an unknown type.
  ir::TypeId type(ast::TypeId id);
  // As in Game, but faster, because type definitions no longer change.
  ir::TypeId resolve(ir::TypeId type) {
    if (!type.valid() || game.types.kind(type) != ir::TypeKind::alias) return type;
    if (type.value < resolved_.size() && resolved_[type.value].valid()) return resolved_[type.value];
    return resolve_alias(type);
  }
  bool is_set(ir::TypeId type) { return is_kind(type, ir::TypeKind::set); }
  bool is_arrow(ir::TypeId type) { return is_kind(type, ir::TypeKind::arrow); }
  std::span<const SymbolId> members(ir::TypeId set);
  int index_of(ir::TypeId set, SymbolId symbol);
  // Whether the types have a common element, compared recursively.
  bool assignable(ir::TypeId a, ir::TypeId b) {
    a = resolve(a);
    b = resolve(b);
    return !a.valid() || !b.valid() || a == b || have_common_element(a, b);
  }
  // Whether every element of set `part` is an element of set `whole`.
  bool contained(ir::TypeId part, ir::TypeId whole);
  [[nodiscard]] std::string type_text(ir::TypeId type) const;
  [[nodiscard]] bool contains(ir::TypeId set, TermId term);
  // The values of X in …, in order. Throws Failed if there is none.
  std::vector<TermId> range_values(const ast::WhereRange& range);
  // The default initial value of a variable of this type.
  ir::ValueId first_value(ir::TypeId type);

  // --- Errors, reported once per place, even if the place is copied. ---
  Diagnostic* error(Range where, std::string message, std::string hint = {});
  Diagnostic* warning(Range where, std::string message, std::string hint = {});
  [[noreturn]] void fail(Range where, std::string message, std::string hint = {});
  [[nodiscard]] bool failed() const { return diagnostics_.has_errors(); }
  [[nodiscard]] bool full() const { return diagnostics_.full(); }
  Diagnostics& diagnostics() { return diagnostics_; }

  // A hint "did you mean x?" among all names of that kind.
  [[nodiscard]] std::string similar_value(SymbolId name) const;
  [[nodiscard]] std::string similar_domain(SymbolId name) const;
  [[nodiscard]] std::string similar_graph(SymbolId name) const;
  // A hint for a term that is not an element of a set. Examples: T(0) for 0, an element with a similar name, 1 for
  // true, or how to add the element. Without a set, searches the elements of all domains; "" for none.
  [[nodiscard]] std::string element_hint(TermId term, ir::TypeId set);

 private:
  enum class Visit : std::uint8_t { fresh, busy, done };

  ir::TypeId resolve_alias(ir::TypeId type);
  bool have_common_element(ir::TypeId a, ir::TypeId b);  // both must be resolved
  bool is_kind(ir::TypeId type, ir::TypeKind kind) {
    type = resolve(type);
    return type.valid() && game.types.kind(type) == kind;
  }
  void declare_domains();
  void elaborate(std::uint32_t index);
  void add_generator(const ast::Element& element, std::vector<SymbolId>& members);
  void add_member(TermId term, Range where, std::vector<SymbolId>& members);
  void declare_builtin_types();
  void declare_values();
  void declare_graphs();
  void mark_elements(ir::TypeId set);
  [[nodiscard]] std::string constructed_hint(TermId argument, std::span<const SymbolId> members);
  bool first_report(Range where, std::string_view message);

  Diagnostics& diagnostics_;
  std::unordered_set<std::uint64_t> reported_;
  std::vector<ValueRef> values_;  // by symbol
  std::vector<bool> is_element_;  // by symbol
  std::unordered_map<SymbolId, ir::TypeId> domains_;
  std::unordered_map<SymbolId, std::uint32_t> domain_index_;
  std::vector<Visit> domain_visits_;
  std::size_t domain_depth_ = 0;
  std::unordered_map<SymbolId, std::uint32_t> graphs_;
  std::unordered_map<std::uint64_t, bool> assignable_;
  std::vector<ir::TypeId> resolved_;  // by type; none if not computed yet
};

}  // namespace rgtrans::hrg
