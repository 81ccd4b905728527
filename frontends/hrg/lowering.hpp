// Lowers graphs to one automaton. A call copies the body of the called graph between two nodes. An argument replaces
// its parameter if this has no observable effect; otherwise the parameter is a hidden variable. Reusable graphs and
// equal reachability checks share one copy.
//
// Every statement is lowered between a given start node and a given or new end node, which avoids most empty edges.
#pragma once

#include <map>
#include <vector>

#include "frontends/hrg/analysis.hpp"
#include "frontends/hrg/environment.hpp"
#include "frontends/hrg/evaluator.hpp"
#include "frontends/hrg/limits.hpp"

namespace rgtrans::hrg {

inline const Limit& kMaxCallDepth = limits::block_depth;  // nested blocks, including those of called graphs

class Lowering {
 public:
  Lowering(Environment& env, Evaluator& evaluator, const Builtins& builtins, const std::vector<GraphInfo>& infos);

  // Checks every graph separately, then lowers from `rules`.
  void run();

 private:
  // The place where the next statement begins. `owned`: no other statement begins there, so it can be the head of a
  // loop. No node: the place is unreachable, and nothing is emitted.
  struct Place {
    ir::NodeId node;
    bool owned = false;
    [[nodiscard]] bool dead() const { return !node.valid(); }
  };
  // An expression with its type in the description, which may differ from that of a replaced parameter.
  struct Typed {
    ir::ExprId expr;
    ir::TypeId type;
  };
  struct Binding {  // the name of a loop (a term) or of a parameter (a value)
    SymbolId name;
    TermId term;
    Typed value;
  };
  struct Context {
    const ast::GraphRule* graph = nullptr;
    std::size_t bindings = 0;  // begin of this graph's bindings
    ir::NodeId break_to, continue_to, return_to, end;
    bool checking = false;  // inside a reachability check, where tags have no effect
  };

  // --- Statements (lowering.cpp) ---
  void check_graph(std::uint32_t index);
  void warn_about_unused();
  Place block(const ast::Block& b, Place p, ir::NodeId q);
  // Refuses descriptions that copy bodies without end.
  void count_copy(Range where);
  Place statement(const ast::Statement& s, Place p, ir::NodeId q);
  Place dispatch(const ast::Statement& s, Place p, ir::NodeId q);
  Place assign(const ast::Statement& s, Place p, ir::NodeId q);
  Place assign_any(const ast::Statement& s, Place p, ir::NodeId q);
  Typed target(const ast::Statement& s, std::span<const ast::ExprId> indices);
  Place branch(const ast::Statement& s, Place p, ir::NodeId q);
  Place branch_in(const ast::Statement& s, Place p, ir::NodeId q);
  // In a check, where choices are invisible, a hidden variable may represent the name (choices.cpp).
  bool choosable(const ast::Statement& s, std::span<const TermId> values);
  [[nodiscard]] bool needs_copies(const ast::Block& b, SymbolId name) const;
  [[nodiscard]] bool needs_copies(ast::ExprId id, SymbolId name) const;
  Place choose(const ast::Statement& s, Place p, ir::NodeId q);
  Place loop(const ast::Statement& s, Place p, ir::NodeId q);
  Place repeat(const ast::Statement& s, Place p, ir::NodeId q);
  Place while_loop(const ast::Statement& s, Place p, ir::NodeId q);
  Place if_else(const ast::Statement& s, Place p, ir::NodeId q);
  Place tag(const ast::Statement& s, Place p, ir::NodeId q);
  Place tag_variable(const ast::Statement& s, Place p, ir::NodeId q);
  // The target of a block that only jumps, or none.
  ir::NodeId jump_target(const ast::Statement& s) const;
  ir::NodeId entry_of(const ast::Block& b, ir::NodeId q) const;
  std::vector<TermId> loop_values(const ast::Statement& s);
  Place head_of(Place p, Range where);
  Place closed(ir::NodeId q, bool fresh);

  // --- Calls (calls.cpp) ---
  Place call(const ast::Statement& s, Place p, ir::NodeId q);
  Place inline_call(std::uint32_t graph, std::span<const Typed> args, const ast::Statement& s, Place p, ir::NodeId q);
  Place reusable_call(std::uint32_t graph, std::span<const Typed> args, const ast::Statement& s, Place p, ir::NodeId q);
  std::vector<Typed> arguments(std::uint32_t graph, std::span<const ast::ExprId> exprs);
  [[nodiscard]] bool replaceable(std::uint32_t graph, std::size_t param, const Typed& arg) const;
  ir::VarId hidden_param(std::uint32_t graph, std::size_t param);
  Place assign_params(std::uint32_t graph, std::span<const Typed> args, const std::vector<bool>& replaced, Range where,
                      Place p, ir::NodeId q);
  Place body(std::uint32_t graph, std::span<const Typed> args, const std::vector<bool>& replaced, const Context& inside,
             Place p, ir::NodeId q);
  ir::Label reachability(const ast::Expr& call);
  void finish_reusable();
  void finish_tags();
  void drop_unused();
  SymbolId unused_name(std::string base);

  // --- Expressions (expressions.cpp) ---
  Typed expr(ast::ExprId id);
  // `wanted`: the expected type, for the hint about an unknown name.
  Typed expr(ast::ExprId id, ir::TypeId wanted);
  Typed name(const ast::Expr& e);
  Typed value(SymbolId symbol, ValueRef ref);
  Typed element(SymbolId symbol);
  Typed access(const Typed& map, const Typed& index, Range map_where, Range index_where);
  Typed constructor(ast::ExprId id);
  [[nodiscard]] const Binding* binding(SymbolId name) const;
  // The expression, cast to its type in the description if RG would reject it next to `expected`.
  ir::ExprId fit(const Typed& value, ir::TypeId expected);
  ir::TypeId named(ir::TypeId type);
  [[nodiscard]] ir::TypeId raw_type(ir::ExprId id) const { return env_.game.expressions().type(id); }
  [[nodiscard]] std::string described(const Typed& value) const;
  void expect_assignable(const Typed& left, const Typed& right, Range where, std::string_view what);

  // --- Conditions (conditions.cpp) ---
  struct Condition {
    enum class Kind : std::uint8_t { always, never, test, all, any } kind = Kind::always;
    ir::Label label;               // used by test
    std::vector<Condition> parts;  // used by all and any
  };
  Condition condition(ast::ExprId id, bool negated);
  Condition comparison(const ast::Expr& e, bool negated);
  Condition joined(const ast::Expr& e, bool negated);
  Condition condition_call(const ast::Expr& e, bool negated);
  void emit(const Condition& c, ir::NodeId p, ir::NodeId t, ir::NodeId f, Range where);
  [[nodiscard]] bool exclusive(const std::vector<Condition>& parts) const;
  Place check(ast::ExprId id, Place p, ir::NodeId q, Range where);

  // --- Building ---
  ir::NodeId fresh(Range where);
  void edge(ir::NodeId from, ir::NodeId to, ir::Label label, Range where);
  // Adds one edge from p to q, or to a new node.
  Place step(Place p, ir::NodeId q, ir::Label label, Range where);

  Environment& env_;
  ast::Program& program_;
  Evaluator& evaluator_;
  const Builtins& builtins_;
  const std::vector<GraphInfo>& infos_;

  Context context_;
  std::vector<Binding> bindings_;
  bool emitting_ = false;  // false while graphs are only checked
  std::size_t depth_ = 0;
  std::size_t statements_ = 0;

  // Edges with artificial tags, and which ordinary tags are used.
  std::vector<ir::EdgeId> artificial_edges_;
  std::vector<bool> ordinary_tag_;  // by symbol

  std::map<std::pair<std::uint32_t, std::size_t>, ir::VarId> hidden_params_;
  std::map<const ast::Statement*, ir::VarId> choices_;
  struct Check {
    ir::NodeId from, to;
  };
  std::map<std::vector<std::uint32_t>, Check> checks_;  // by graph and arguments
  std::map<std::vector<std::uint32_t>, Check> bodies_;  // by graph and replaced arguments
  struct Reusable {
    std::uint32_t graph;
    ir::NodeId begin, end;
    struct Call {
      ir::EdgeId remember, resume;
    };
    std::vector<Call> calls;
  };
  std::map<std::vector<std::uint32_t>, Reusable> reusable_;
  // Cached parts of expressions: elements by symbol, variables and functions by index. None until needed.
  std::vector<ir::ExprId> elements_, variables_, constants_;
  std::map<ir::TypeId, ir::TypeId> named_types_;
  std::map<std::pair<ir::ValueId, ir::TypeId>, std::uint32_t> functions_by_value_;
};

}  // namespace rgtrans::hrg
