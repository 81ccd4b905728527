#include <fmt/format.h>

#include "backends/trace/trace.hpp"
#include "core/analysis/analysis.hpp"
#include "core/passes/passes.hpp"
#include "core/support/bits.hpp"

namespace rgtrans::trace {

namespace {

std::string names_of(const ir::Game& game, const Bits& variables) {
  std::string text;
  variables.for_each([&](std::size_t v) {
    if (!text.empty()) text += ", ";
    text += game.symbols.text(game.variable(ir::VarId(v)).name);
  });
  return text.empty() ? "no variable" : text;
}

// The game with the pragmas that this pass computes.
ir::Game with_pass(const ir::Game& game, std::string_view pass) {
  ir::Game copy = game;
  analysis::Cache analyses(copy);
  passes::PassContext context;
  context.analyses = &analyses;
  passes::find_pass(pass)->run(copy, context);
  return copy;
}

}  // namespace

struct Explainer::Body {
  ir::Game game;
  analysis::Cache analyses;
  analysis::Exclusive exclusive;
  analysis::SecondVisits repeats;
  analysis::TagCounts counts;
  ir::Game with_iterators, with_patterns;

  explicit Body(ir::Game what)
      : game(std::move(what)),
        analyses(game),
        exclusive(game, analyses.values()),
        repeats(game, analyses.flow(), analyses.liveness(), analyses.versions(), analyses.values()),
        counts(game, analyses.flow()),
        with_iterators(with_pass(game, "pragma-iterator")),
        with_patterns(with_pass(game, "pragma-simple-apply")) {}

  Reason disjoint(ir::NodeId node) {
    const auto group = exclusive.group(node);
    if (!group.edges.empty()) {
      return {
          group.exhaustive ? "@disjointExhaustive" : "@disjoint",
          fmt::format("yes, for {} of {} edges: {}", group.edges.size(), game.graph.out_degree(node), group.reason)};
    }
    if (game.graph.out_degree(node) < 2) return {"@disjoint", "no, fewer than two edges leave it"};
    return {"@disjoint",
            "no, no two outgoing edges are a condition and its opposite or compare one expression with different "
            "symbols, or another edge leads to the same node"};
  }

  void repeat(ir::NodeId node, std::vector<Reason>& reasons) const {
    const auto& fact = repeats.at(node);
    if (!fact.explored) {
      reasons.push_back({"@unique", "nothing is known, no exploration passes"});
    } else if (!fact.repeated) {
      reasons.push_back({"@unique", "yes, every way here excludes the others or carries other tags or values"});
    } else {
      reasons.push_back({"@unique", fmt::format("no, {}", fact.reason)});
      reasons.push_back({"@repeat", fmt::format("yes; {} can distinguish two arrivals with the same tags",
                                                names_of(game, fact.differing))});
    }
  }

  Reason tag_index(ir::NodeId node) const {
    const auto count = counts.at(node);
    if (!count.known) return {"@tagIndex", "no, no move passes"};
    if (count.most >= analysis::TagCounts::kUnbounded) {
      return {"@tagIndex", "no, tags lie on a cycle before it, so their number has no bound"};
    }
    if (count.least == count.most) {
      return {"@tagIndex", fmt::format("every move has passed exactly {} tags here", count.most)};
    }
    return {"@tagMaxIndex", fmt::format("moves have passed {} to {} tags here", count.least, count.most)};
  }

  // Whether a constant map filters the choice out of the node, or else the missing condition.
  Reason iterator(ir::NodeId node) const {
    const ir::Automaton& graph = game.graph;
    const auto* any = graph.out_degree(node) == 1
                          ? std::get_if<ir::AssignAny>(&graph.label(*graph.out_edges(node).begin()))
                          : nullptr;
    if (any == nullptr) return {"@iterator", "no, a choice v = T(*) is not the only way out of it"};
    if (!ir::writes_whole(game, *any)) return {"@iterator", "no, the choice is for a cell of a map"};
    for (const ir::Pragma& pragma : with_iterators.pragmas) {
      const auto* p = std::get_if<ir::Iterator>(&pragma.content);
      if (p != nullptr && p->a == node) {
        return {"@iterator", fmt::format("yes, a constant map says which values of {} come through",
                                         game.symbols.text(game.variable(p->variable).name))};
      }
    }
    return {"@iterator", "no, the choice is not followed by one comparison M[v] == 1 with a constant map M alone"};
  }

  Reason simple_apply(ir::NodeId node) const {
    std::size_t patterns = 0;
    bool exhaustive = false;
    for (const ir::Pragma& pragma : with_patterns.pragmas) {
      const auto* p = std::get_if<ir::SimpleApply>(&pragma.content);
      if (p == nullptr || p->from != node) continue;
      ++patterns;
      exhaustive = p->exhaustive;
    }
    if (patterns > 0) {
      return {exhaustive ? "@simpleApplyExhaustive" : "@simpleApply", fmt::format("{} patterns", patterns)};
    }
    return {
        "@simpleApply",
        "no, no move is followed from here (it is neither where moves begin nor behind a tag), or its next tags can "
        "come in several ways with different effects"};
  }
};

Explainer::Explainer(ir::Game game) : body_(std::make_unique<Body>(std::move(game))) {}
Explainer::~Explainer() = default;

std::vector<Explainer::Reason> Explainer::reasons(ir::NodeId node) {
  if (!body_->analyses.flow().reached(node)) return {};
  std::vector<Reason> reasons = {body_->disjoint(node)};
  body_->repeat(node, reasons);
  reasons.push_back(body_->tag_index(node));
  reasons.push_back(body_->iterator(node));
  reasons.push_back(body_->simple_apply(node));
  return reasons;
}

std::string Explainer::text(ir::NodeId node) {
  const std::string name = body_->game.node_names()[node.value];
  const analysis::Flow& flow = body_->analyses.flow();
  if (!flow.reached(node)) return fmt::format("Node {} is never reached.\n", name);
  std::string text =
      fmt::format("Node {} ({}):\n", name, flow.main(node) ? "moves pass here" : "only checks pass here");
  for (const Reason& reason : reasons(node)) text += fmt::format("  {}: {}.\n", reason.pragma, reason.text);
  return text;
}

}  // namespace rgtrans::trace
