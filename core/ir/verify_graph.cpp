// Verifies the shape of the automaton with Boost's searches.
#include <fmt/format.h>

#include <boost/graph/depth_first_search.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>

#include "core/ir/boost_graph.hpp"
#include "core/ir/recursion.hpp"
#include "core/ir/verifier_parts.hpp"

namespace rgtrans::ir {

namespace {

// A colour map that a counter clears in constant time.
class StampedColours {
 public:
  using key_type = NodeId;
  using value_type = boost::default_color_type;
  using reference = boost::default_color_type;
  using category = boost::read_write_property_map_tag;

  explicit StampedColours(std::size_t size) : rows_(std::make_shared<std::vector<Row>>(size)) {}
  void clear() { ++epoch_; }
  [[nodiscard]] bool visited(NodeId node) const { return (*rows_)[node.value].epoch == epoch_; }

  friend boost::default_color_type get(const StampedColours& map, NodeId node) {
    const Row& row = (*map.rows_)[node.value];
    return row.epoch == map.epoch_ ? row.colour : boost::white_color;
  }
  friend void put(const StampedColours& map, NodeId node, boost::default_color_type colour) {
    (*map.rows_)[node.value] = {map.epoch_, colour};
  }

 private:
  struct Row {
    std::uint32_t epoch = 0;
    boost::default_color_type colour = boost::white_color;
  };
  std::shared_ptr<std::vector<Row>> rows_;
  std::uint32_t epoch_ = 1;
};

struct EdgeVisitor : boost::default_dfs_visitor {
  std::function<void(EdgeId)>* on_edge;
  explicit EdgeVisitor(std::function<void(EdgeId)>& f) : on_edge(&f) {}
  void examine_edge(EdgeId edge, const Automaton&) const { (*on_edge)(edge); }
};

class Shape {
 public:
  Shape(const Game& game, Diagnostics& diagnostics, const VerifyOptions& options)
      : game_(game), graph_(game.graph), diagnostics_(diagnostics), options_(options), colours_(graph_.node_bound()) {}

  void run() {
    end_reachable();
    tag_self_loops();
    check_recursion();
    if (options_.single_edges) single_edges();
    if (!options_.warnings || diagnostics_.has_errors()) return;
    tag_cycles();
    edges_into_end();
    dead_nodes();
  }

 private:
  std::string name(NodeId node) const {
    const SymbolId id = graph_.name(node);
    return id.valid() ? game_.symbols.str(id) : "(unnamed)";
  }

  // Visits all edges reachable from `start` without continuing past `stop`.
  void explore(NodeId start, NodeId stop, std::function<void(EdgeId)> on_edge) {
    boost::depth_first_visit(graph_, start, EdgeVisitor(on_edge), colours_,
                             [&](NodeId node, const Automaton&) { return node == stop; });
  }

  void end_reachable() {
    explore(game_.begin(), {}, [](EdgeId) {});
    if (colours_.visited(game_.end())) return;
    if (graph_.out_degree(game_.begin()) == 0) {
      diagnostics_.error(graph_.where(game_.begin()), "no edge leaves the node begin",
                         "every game starts in begin and ends in end");
      return;
    }
    diagnostics_.error(graph_.where(game_.begin()), "the node end cannot be reached from begin",
                       graph_.in_degree(game_.end()) == 0 ? "no edge leads to end" : "");
  }

  void tag_self_loops() {
    for (EdgeId edge : graph_.edges()) {
      if (graph_.source(edge) != graph_.target(edge)) continue;
      const Label& label = graph_.label(edge);
      if (!std::holds_alternative<Tag>(label) && !std::holds_alternative<TagVariable>(label)) continue;
      diagnostics_.error(graph_.where(edge), fmt::format("a tag on an edge from {} to itself gives endless moves",
                                                         name(graph_.source(edge))));
    }
  }

  void single_edges() {
    std::map<std::pair<NodeId, NodeId>, EdgeId> first;
    for (EdgeId edge : graph_.edges()) {
      const auto [it, fresh] = first.try_emplace({graph_.source(edge), graph_.target(edge)}, edge);
      if (fresh) continue;
      diagnostics_
          .error(graph_.where(edge),
                 fmt::format("a second edge from {} to {}", name(graph_.source(edge)), name(graph_.target(edge))))
          .notes.push_back({graph_.where(it->second), "the first one"});
    }
  }

  void check_recursion() {
    // The budget keeps the time linear for a file with very many checks.
    checks_ = reachability_checks(graph_, 20 * graph_.edge_count() + 1'000'000);
    std::unordered_set<std::uint32_t> told;
    for (const CheckOf& check : checks_) {
      if (check.meets_itself && recursive_in_every_play(check) && told.insert(check.component).second)
        diagnostics_.error(graph_.where(check.edge), recursion(check),
                           "a reachability check must not need its own result");
    }
    for (const CheckOf& check : checks_) {
      check_ends(check);
      if (options_.warnings && !check.reached) {
        diagnostics_.warning(
            graph_.where(check.edge),
            fmt::format("{} cannot be reached from {}: the check never holds", name(check.to), name(check.from)));
      }
      if (options_.warnings && check.recursive && told.insert(check.component).second)
        diagnostics_.warning(graph_.where(check.edge), recursion(check),
                             "unless a condition on the way prevents it, this is recursion");
    }
  }

  void check_ends(const CheckOf& check) {
    if (!options_.warnings) return;
    for (NodeId node : {check.from, check.to}) {
      if (graph_.in_degree(node) + graph_.out_degree(node) > 0 || node == game_.begin() || node == game_.end())
        continue;
      std::vector<std::string_view> names;
      for (NodeId other : graph_.nodes()) {
        if (other != node && graph_.name(other).valid()) names.push_back(game_.symbols.text(graph_.name(other)));
        if (names.size() == 20'000) break;
      }
      diagnostics_.warning(graph_.where(check.edge), fmt::format("the node {} occurs on no edge", name(node)),
                           did_you_mean(name(node), names));
    }
  }

  using Asked = std::pair<NodeId, NodeId>;  // of a check

  // Visits the nodes that are reached from `start` without a condition, or only without a check, up to `stop`.
  template <class F>
  void walk_freely(NodeId start, NodeId stop, bool with_comparisons, F&& at_node) {
    auto free = [&](EdgeId edge) {
      const Label& label = graph_.label(edge);
      const auto* asked = std::get_if<Reachability>(&label);
      if (asked != nullptr) return asked->from == asked->to && !asked->negated;  // a check that always holds
      return with_comparisons || !std::holds_alternative<Compare>(label);
    };
    boost::filtered_graph<Automaton, std::function<bool(EdgeId)>> part(graph_, std::function<bool(EdgeId)>(free));
    colours_.clear();
    boost::depth_first_visit(part, start, boost::default_dfs_visitor(), colours_, [&](NodeId node, const auto&) {
      if (node != stop) at_node(node);
      return node == stop;
    });
  }
  // Calls `on_check` for the checks that are met from `start` before any condition.
  template <class F>
  void meet_checks(NodeId start, NodeId stop, F&& on_check) {
    walk_freely(start, stop, false, [&](NodeId node) {
      for (EdgeId edge : graph_.out_edges(node))
        if (const auto* asked = std::get_if<Reachability>(&graph_.label(edge))) on_check(Asked(asked->from, asked->to));
    });
  }
  // Whether the checks behind its start decide the check. Otherwise it may hold before they are evaluated.
  bool decided_by_checks(const Asked& check) {
    walk_freely(check.first, check.second, true, [](NodeId) {});
    return !colours_.visited(check.second);
  }

  // Whether the check is evaluated in every play, and needs its own result in every state: it is met from its start
  // before any condition. No pass can make such a check of another one.
  bool recursive_in_every_play(const CheckOf& check) {
    const Asked self(check.from, check.to);
    if (!decided_by_checks(self)) return false;
    bool met = false;
    meet_checks(check.from, check.to, [&](const Asked& inner) { met = met || inner == self; });
    return met && always_asked().contains(self);
  }

  // The checks that are evaluated in every play.
  const std::set<Asked>& always_asked() {
    if (always_asked_) return *always_asked_;
    std::set<Asked>& found = always_asked_.emplace();
    std::vector<Asked> work;
    const auto add = [&](const Asked& asked) {
      if (found.insert(asked).second) work.push_back(asked);
    };
    meet_checks(game_.begin(), {}, add);
    while (!work.empty()) {
      const Asked next = work.back();
      work.pop_back();
      if (decided_by_checks(next)) meet_checks(next.first, next.second, add);
    }
    return found;
  }

  [[nodiscard]] std::string recursion(const CheckOf& check) const {
    return fmt::format("the check {} -> {} {} itself", name(check.from), name(check.to),
                       check.meets_itself ? "is met again while it evaluates" : "leads back to");
  }

  // A cycle with a tag but no assignment makes moves infinitely long.
  void tag_cycles() {
    auto keeps_state = [&](EdgeId edge) {
      const Label& label = graph_.label(edge);
      return !std::holds_alternative<Assign>(label) && !std::holds_alternative<AssignAny>(label);
    };
    boost::filtered_graph<Automaton, std::function<bool(EdgeId)>> steady(graph_,
                                                                         std::function<bool(EdgeId)>(keeps_state));
    std::vector<std::size_t> component(graph_.node_bound());
    boost::strong_components(steady, boost::make_iterator_property_map(component.begin(), NodeIndexMap()));
    std::unordered_set<std::size_t> told;
    for (EdgeId edge : graph_.edges()) {
      const Label& label = graph_.label(edge);
      if (!std::holds_alternative<Tag>(label) && !std::holds_alternative<TagVariable>(label)) continue;
      const std::size_t c = component[graph_.source(edge).value];
      if (c != component[graph_.target(edge).value] || !told.insert(c).second) continue;
      diagnostics_.warning(graph_.where(edge), "a cycle with a tag and without an assignment may give endless moves");
    }
  }

  void edges_into_end() {
    for (EdgeId edge : graph_.in_edges(game_.end())) {
      const Label& label = graph_.label(edge);
      if (game_.is_player_assignment(label) && game_.constant_symbol(std::get<Assign>(label).rhs) == game_.keeper()) {
        continue;
      }
      diagnostics_.warning(graph_.where(edge), "the node end is entered by something else than player = keeper",
                           "a play is completed only when a move of keeper ends in end");
      return;
    }
  }

  // Reports nodes that no walk enters and nodes that no walk leaves.
  void dead_nodes() {
    colours_.clear();
    explore(game_.begin(), {}, [](EdgeId) {});
    std::vector<bool> pinned(graph_.node_bound());
    for (const CheckOf& check : checks_) {
      pinned[check.to.value] = true;
      if (!colours_.visited(check.from)) explore(check.from, {}, [](EdgeId) {});
    }
    const auto inner = [&](NodeId node) {
      return node != game_.begin() && node != game_.end() && graph_.in_degree(node) + graph_.out_degree(node) > 0;
    };
    std::vector<std::string_view> unentered;
    for (NodeId node : graph_.nodes()) {
      if (inner(node) && graph_.in_degree(node) == 0 && !colours_.visited(node) && graph_.name(node).valid())
        unentered.push_back(game_.symbols.text(graph_.name(node)));
    }
    for (NodeId node : graph_.nodes()) {
      if (!inner(node) || !colours_.visited(node) || graph_.out_degree(node) > 0 || pinned[node.value]) continue;
      std::string meant = did_you_mean(name(node), unentered);
      if (meant.empty()) meant = "a walk that comes here is no move";
      if (!tell_node(node, fmt::format("no edge leaves the node {}", name(node)), std::move(meant))) return;
    }
    // First reports nodes without incoming edges, then one node per unreachable cycle. Nodes behind a reported one are
    // skipped.
    for (const bool cycles : {false, true}) {
      for (NodeId node : graph_.nodes()) {
        if (!inner(node) || colours_.visited(node) || (!cycles && graph_.in_degree(node) > 0)) continue;
        if (!tell_node(node, fmt::format("the node {} cannot be reached from begin", name(node)), "")) return;
        explore(node, {}, [](EdgeId) {});
      }
    }
  }

  // Reports a node. Returns false once kMostTold nodes have been reported.
  bool tell_node(NodeId node, std::string message, std::string hint) {
    constexpr int kMostTold = 10;
    diagnostics_.warning(graph_.where(node), std::move(message), std::move(hint));
    return ++nodes_told_ < kMostTold;
  }

  const Game& game_;
  const Automaton& graph_;
  Diagnostics& diagnostics_;
  const VerifyOptions& options_;
  StampedColours colours_;
  int nodes_told_ = 0;
  std::vector<CheckOf> checks_;
  std::optional<std::set<Asked>> always_asked_;
};

}  // namespace

void verify_graph(const Game& game, Diagnostics& diagnostics, const VerifyOptions& options) {
  Shape(game, diagnostics, options).run();
}

}  // namespace rgtrans::ir
