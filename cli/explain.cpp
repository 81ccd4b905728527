// Why a node has the pragmas it has, in words a person can act on.
#include "cli/explain.hpp"

#include <fmt/format.h>

#include "core/analysis/analysis.hpp"
#include "core/passes/passes.hpp"

namespace rgtrans::cli {

namespace {

std::string names_of(const ir::Game& game, const analysis::Bits& variables) {
  std::string text;
  variables.for_each([&](std::size_t v) {
    if (!text.empty()) text += ", ";
    text += game.symbols.text(game.variable(ir::VarId(v)).name);
  });
  return text.empty() ? "no variable" : text;
}

// Whether the choice out of the node is filtered by a constant map, or what is missing.
std::string explain_iterator(ir::Game& game, ir::NodeId node) {
  const ir::Automaton& graph = game.graph;
  const auto* any =
      graph.out_degree(node) == 1 ? std::get_if<ir::AssignAny>(&graph.label(*graph.out_edges(node).begin())) : nullptr;
  if (any == nullptr) return "  @iterator: no, a choice v = T(*) is not the only way out of it.\n";
  if (!ir::writes_whole(game, *any)) return "  @iterator: no, the choice is for a cell of a map.\n";
  ir::Game copy = game;
  analysis::Cache analyses(copy);
  passes::PassContext context;
  context.analyses = &analyses;
  passes::find_pass("pragma-iterator")->run(copy, context);
  for (const ir::Pragma& pragma : copy.pragmas) {
    const auto* p = std::get_if<ir::Iterator>(&pragma.content);
    if (p != nullptr && p->a == node) {
      return fmt::format("  @iterator: yes, a constant map says which values of {} come through.\n",
                         game.symbols.text(game.variable(p->variable).name));
    }
  }
  return "  @iterator: no, the choice is not followed by one comparison M[v] == 1 with a constant map M alone.\n";
}

}  // namespace

std::string explain_pragmas(ir::Game& game, ir::NodeId node) {
  const std::vector<std::string> names = game.node_names();
  const std::string& name = names[node.value];
  analysis::Cache analyses(game);
  const analysis::Flow& flow = analyses.flow();
  if (!flow.reached(node)) return fmt::format("Node {} is never reached.\n", name);
  std::string text =
      fmt::format("Node {} ({}):\n", name, flow.main(node) ? "moves pass here" : "only checks pass here");

  analysis::Exclusive exclusive(game, analyses.values());
  const auto group = exclusive.group(node);
  if (!group.edges.empty()) {
    text += fmt::format("  @disjoint{}: yes, for {} of {} edges: {}.\n", group.exhaustive ? "Exhaustive" : "",
                        group.edges.size(), game.graph.out_degree(node), group.reason);
  } else if (game.graph.out_degree(node) < 2) {
    text += "  @disjoint: no, fewer than two edges leave it.\n";
  } else {
    text +=
        "  @disjoint: no, no two outgoing edges are a condition and its opposite or compare one expression with "
        "different symbols, or another edge leads to the same node.\n";
  }

  const analysis::Repeats repeats(game, flow, analyses.liveness(), analyses.versions(), analyses.values());
  const auto& fact = repeats.at(node);
  if (!fact.explored) {
    text += "  @unique: nothing is known, no exploration passes.\n";
  } else if (!fact.repeated) {
    text += "  @unique: yes, every way here excludes the others or carries other tags or values.\n";
  } else {
    text += fmt::format("  @unique: no, {}.\n", fact.reason);
    text += fmt::format("  @repeat: yes; {} can tell two arrivals with the same tags apart.\n",
                        names_of(game, fact.differing));
  }

  const analysis::TagCounts counts(game, flow);
  const auto count = counts.at(node);
  if (!count.known) {
    text += "  @tagIndex: no, no move passes.\n";
  } else if (count.most >= analysis::TagCounts::kUnbounded) {
    text += "  @tagIndex: no, tags lie on a cycle before it, so their number has no bound.\n";
  } else if (count.least == count.most) {
    text += fmt::format("  @tagIndex: every move has passed exactly {} tags here.\n", count.most);
  } else {
    text += fmt::format("  @tagMaxIndex: moves have passed {} to {} tags here.\n", count.least, count.most);
  }

  text += explain_iterator(game, node);

  std::size_t patterns = 0;
  bool exhaustive = false;
  ir::Game copy = game;
  passes::PassContext context;
  analysis::Cache copy_analyses(copy);
  context.analyses = &copy_analyses;
  passes::find_pass("pragma-simple-apply")->run(copy, context);
  for (const ir::Pragma& pragma : copy.pragmas) {
    const auto* p = std::get_if<ir::SimpleApply>(&pragma.content);
    if (p == nullptr || p->from != node) continue;
    ++patterns;
    exhaustive = p->exhaustive;
  }
  if (patterns > 0) {
    text += fmt::format("  @simpleApply{}: {} patterns.\n", exhaustive ? "Exhaustive" : "", patterns);
  } else {
    text +=
        "  @simpleApply: no, no move is followed from here (it is neither where moves begin nor behind a tag), or its "
        "next tags can come in several ways with different effects.\n";
  }
  return text;
}

}  // namespace rgtrans::cli
