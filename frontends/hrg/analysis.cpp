#include "frontends/hrg/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/depth_first_search.hpp>

#include "core/support/sorted.hpp"

namespace rgtrans::hrg {

using ast::ExpressionKind;
using ast::Statement;
using ast::StatementKind;

Builtins::Builtins(Symbols& symbols) {
  static constexpr std::string_view kNames[kCount] = {"check", "end",       "return", "break", "continue",
                                                      "not",   "reachable", "true",   "false"};
  for (std::size_t i = 0; i < kCount; ++i) names_[i] = symbols.intern(kNames[i]);
}

Builtin Builtins::find(SymbolId name) const {
  for (std::size_t i = 0; i < kCount; ++i) {
    if (names_[i] == name) return static_cast<Builtin>(i + 1);
  }
  return Builtin::none;
}

namespace {

// Analyses the statements of one graph.
class Walk {
 public:
  Walk(Environment& env, const Builtins& builtins, const ast::GraphRule& graph, GraphInfo& info)
      : env_(env), program_(env.program), builtins_(builtins), graph_(graph), info_(info) {}

  void run() {
    const auto params = program_.items(graph_.params);
    info_.tagged.resize(params.size());
    for (std::size_t i = 0; i < params.size(); ++i) {
      info_.param_types.push_back(env_.type(params[i].type));
      for (std::size_t k = 0; k < i; ++k) {
        if (params[k].name.symbol != params[i].name.symbol) continue;
        env_.error(params[i].name.where, fmt::format("{} has two parameters {}", env_.text(graph_.name.symbol),
                                                     env_.text(params[i].name.symbol)));
      }
    }
    block(graph_.body);
  }

 private:
  // Each function returns whether the code after it is reachable.
  bool block(const ast::Block& b) {
    bool reached = true;
    const std::span<Statement> statements = program_.items(b.statements);
    for (std::size_t i = 0; i < statements.size(); ++i) {
      const bool continues = statement(statements[i]);
      if (continues || i + 1 == statements.size()) {
        reached = reached && continues;
        continue;
      }
      const Statement& next = statements[i + 1];
      const Builtin jump =
          statements[i].kind == StatementKind::call ? builtins_.find(statements[i].name.symbol) : Builtin::none;
      if (jump != Builtin::none && jump != Builtin::check) {
        env_.error(next.where,
                   fmt::format("this statement is never reached, because {}() is in front of it",
                               env_.text(statements[i].name.symbol)),
                   fmt::format("{}() has to be the last statement of its block", env_.text(statements[i].name.symbol)));
      } else if (reached) {
        env_.warning(next.where, "this statement is never reached",
                     statements[i].kind == StatementKind::loop ? "the loop in front of it has no break()"
                                                               : "what is in front of it never ends here");
      }
      reached = false;
    }
    return reached;
  }

  bool blocks(const Statement& s, bool reached) {
    for (const ast::Block& b : program_.items(s.blocks)) reached = block(b) || reached;
    return reached;
  }

  bool loop(Statement& s) {
    Statement* outer = std::exchange(loop_, &s);
    const bool falls_through = blocks(s, false);
    loop_ = outer;
    if (s.kind == StatementKind::loop) return s.jumps_out;
    return falls_through || s.jumps_out || s.jumps_back || s.count == 0 || s.kind == StatementKind::while_;
  }

  bool statement(Statement& s) {
    for (ast::ExprId expr : program_.items(s.exprs)) conditions(expr);
    switch (s.kind) {
      case StatementKind::assign:
      case StatementKind::assign_any:
        assigned(s.name.symbol);
        return true;
      case StatementKind::branch:
      case StatementKind::branch_in:
        return blocks(s, false);
      case StatementKind::if_:
        return blocks(s, s.blocks.count == 1);
      case StatementKind::loop:
      case StatementKind::while_:
      case StatementKind::repeat:
      case StatementKind::repeat_in:
        return loop(s);
      case StatementKind::tag_variable: {
        const auto params = program_.items(graph_.params);
        for (std::size_t i = 0; i < params.size(); ++i) {
          if (params[i].name.symbol == s.name.symbol) info_.tagged[i] = true;
        }
        return true;
      }
      case StatementKind::call:
        return call(s);
      case StatementKind::tag:
        break;
    }
    return true;
  }

  void assigned(SymbolId name) {
    const ValueRef ref = env_.value(name);
    if (ref.kind != ValueKind::variable) return;
    if (!env_.variables[ref.index].valid()) return;  // its type is invalid
    const std::uint32_t id = env_.variables[ref.index].value;
    if (id >= info_.assigns.size()) info_.assigns.resize(id + 1);
    info_.assigns[id] = true;
  }

  bool call(Statement& s) {
    const Builtin builtin = builtins_.find(s.name.symbol);
    if (builtin == Builtin::none) {
      graph_call(s.name.symbol, s.name.where, s.where, s.exprs.count);
      return true;
    }
    const std::string name = env_.text(s.name.symbol);
    const std::size_t expected = builtin == Builtin::check ? 1 : 0;
    if (builtin >= Builtin::not_) {
      env_.error(s.where, fmt::format("{}(…) is a condition, not a statement", name), "write check(…) around it");
      return true;
    }
    if (s.exprs.count != expected) {
      env_.error(s.where, fmt::format("{} takes {}", name, expected == 1 ? "one condition" : "no arguments"));
    }
    switch (builtin) {
      case Builtin::check: {
        if (s.exprs.count != 1) return true;
        const ast::Expr& condition = program_[program_.items(s.exprs)[0]];
        return condition.kind != ExpressionKind::call ||
               builtins_.find(program_[program_.items(condition.args)[0]].name) != Builtin::false_;
      }
      case Builtin::return_:
        info_.returns = true;
        return false;
      case Builtin::end:
        info_.ends = true;
        assigned(env_.game.symbols.intern("player"));
        return false;
      default:
        break;
    }
    if (loop_ == nullptr) {
      env_.error(s.where, fmt::format("{}() outside of a loop", name),
                 "it belongs to a loop, repeat or while of the same graph");
    } else {
      (builtin == Builtin::break_ ? loop_->jumps_out : loop_->jumps_back) = true;
    }
    return false;
  }

  void graph_call(SymbolId name, Range name_where, Range where, std::size_t args) {
    const int callee = env_.graph(name);
    if (callee < 0) {
      env_.error(name_where, fmt::format("there is no graph {}", env_.text(name)),
                 env_.value(name).kind == ValueKind::function ? "a function has no effect; it is used in an expression"
                                                              : env_.similar_graph(name));
      return;
    }
    const ast::GraphRule& graph = program_.graphs[static_cast<std::size_t>(callee)];
    if (graph.params.count != args) {
      env_.error(where, fmt::format("{} takes {} argument{}, here are {}", env_.text(name), graph.params.count,
                                    graph.params.count == 1 ? "" : "s", args))
          ->notes.push_back({graph.name.where, "declared here"});
    }
    info_.calls.push_back(static_cast<std::uint32_t>(callee));
  }

  // Records the graphs in reachable(…).
  void conditions(ast::ExprId id) {
    const ast::Expr& expr = program_[id];
    const auto args = program_.items(expr.args);
    for (ast::ExprId arg : args) conditions(arg);
    if (expr.kind != ExpressionKind::call || builtins_.find(program_[args[0]].name) != Builtin::reachable ||
        program_[args[0]].kind != ExpressionKind::name || args.size() != 2) {
      return;
    }
    const ast::Expr& target = program_[args[1]];
    if (target.kind != ExpressionKind::call || program_[program_.items(target.args)[0]].kind != ExpressionKind::name)
      return;
    const ast::Expr& callee = program_[program_.items(target.args)[0]];
    graph_call(callee.name, callee.where, target.where, target.args.count - 1);
  }

  Environment& env_;
  ast::Program& program_;
  const Builtins& builtins_;
  const ast::GraphRule& graph_;
  GraphInfo& info_;
  Statement* loop_ = nullptr;
};

using CallGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

// Reports a cycle of calls; otherwise orders the graphs so that called ones come first.
class CallVisitor : public boost::default_dfs_visitor {
 public:
  CallVisitor(Environment& env, std::vector<std::size_t>& order, std::vector<std::size_t>& path, bool& recursive)
      : env_(env), order_(order), path_(path), recursive_(recursive) {}

  void discover_vertex(std::size_t v, const CallGraph&) { path_.push_back(v); }
  void finish_vertex(std::size_t v, const CallGraph&) {
    path_.pop_back();
    order_.push_back(v);
  }
  template <class Edge>
  void back_edge(Edge edge, const CallGraph& calls) {
    recursive_ = true;
    const auto first = std::ranges::find(path_, boost::target(edge, calls));
    std::string cycle;
    for (auto it = first; it != path_.end(); ++it) cycle += name(*it) + " -> ";
    cycle += name(*first);
    env_.error(env_.program.graphs[*first].name.where,
               fmt::format("the graph {} calls itself: {}", name(*first), cycle),
               "graphs are copied into each other, so that recursion is not possible; use a loop");
  }

 private:
  [[nodiscard]] std::string name(std::size_t v) const { return env_.text(env_.program.graphs[v].name.symbol); }

  Environment& env_;
  std::vector<std::size_t>& order_;
  std::vector<std::size_t>& path_;
  bool& recursive_;
};

}  // namespace

bool analyse_graphs(Environment& env, const Builtins& builtins, std::vector<GraphInfo>& graphs) {
  const std::size_t before = env.diagnostics().error_count();
  graphs.resize(env.program.graphs.size());
  CallGraph calls(graphs.size());
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    Walk(env, builtins, env.program.graphs[i], graphs[i]).run();
    sort_unique(graphs[i].calls);
    for (std::uint32_t callee : graphs[i].calls) boost::add_edge(i, callee, calls);
  }
  std::vector<std::size_t> order;
  std::vector<std::size_t> path;
  bool recursive = false;
  boost::depth_first_search(calls, boost::visitor(CallVisitor(env, order, path, recursive)));
  for (std::size_t i : order) {
    GraphInfo& info = graphs[i];
    for (std::uint32_t callee : info.calls) {
      const GraphInfo& called = graphs[callee];
      info.ends = info.ends || called.ends;
      if (called.assigns.size() > info.assigns.size()) info.assigns.resize(called.assigns.size());
      for (std::size_t v = 0; v < called.assigns.size(); ++v) info.assigns[v] = info.assigns[v] || called.assigns[v];
    }
  }
  return env.diagnostics().error_count() == before;
}

}  // namespace rgtrans::hrg
