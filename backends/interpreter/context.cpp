#include "backends/interpreter/context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/analysis/analysis.hpp"

namespace rgtrans::interpreter {

using ir::EdgeId;
using ir::NodeId;
using ir::VarId;

Analysis::Analysis(const ir::Game& game, const Layout& layout, Symbolic& symbolic, const InterpreterOptions& options)
    : game_(game), layout_(layout), symbolic_(symbolic), options_(options), artificial_(ir::artificial_tags(game)) {
  collect_facts();
  const SymbolId zero = game.symbols.find("0");
  hiding_ = zero.valid() && layout.code(zero) != SymbolId::kNone &&
            layout.variable(game.visible()).possible.contains(layout.code(zero));
  if (hiding_) {
    // The members of its type always count as possible: look at what is really stored.
    hiding_ = false;
    const ir::Values& values = game.values;
    const ir::ValueId initial = game.variable(game.visible()).initial;
    for (SymbolId player : game.players()) {
      const ir::ValueId shown = values.at(initial, player);
      hiding_ = hiding_ || (values.is_symbol(shown) && values.as_symbol(shown) == zero);
    }
    for (EdgeId edge : game.graph.edges()) hiding_ = hiding_ || facts_[edge.value].written == game.visible();
  }
  if (!options.trust_pragmas) return;
  for (const ir::Pragma& pragma : game.pragmas) {
    if (const auto* unique = std::get_if<ir::Unique>(&pragma.content)) {
      unique_.insert(unique->nodes.begin(), unique->nodes.end());
    } else if (const auto* repeat = std::get_if<ir::Repeat>(&pragma.content)) {
      VarSet set(game.variables().size());
      for (VarId variable : repeat->variables) set.view().insert(variable);
      for (NodeId node : repeat->nodes) repeat_.emplace(node, set);
    } else if (const auto* disjoint = std::get_if<ir::Disjoint>(&pragma.content)) {
      disjoint_[disjoint->node].push_back(disjoint->targets);
    }
  }
}

std::optional<ConstVariables> Analysis::repeat(const Context& context, std::uint32_t node) const {
  if (context.marked[node]) return std::nullopt;
  const auto it = repeat_.find(context.nodes[node]);
  if (it == repeat_.end()) return std::nullopt;
  return it->second.view();
}

void Analysis::collect_facts() {
  facts_.resize(game_.graph.edge_bound());
  const ir::Expressions& all = game_.expressions();
  for (EdgeId edge : game_.graph.edges()) {
    EdgeFacts& facts = facts_[edge.value];
    const ir::Label& label = game_.graph.label(edge);
    ir::for_each_read(game_, label, [&](VarId v) {
      if (std::ranges::find(facts.reads, v) == facts.reads.end()) facts.reads.push_back(v);
    });
    facts.written = ir::written_variable(game_, label);
    facts.whole = ir::writes_whole(game_, label);
    facts.player_assignment = game_.is_player_assignment(label);
    const auto* compare = std::get_if<ir::Compare>(&label);
    facts.symbolic =
        compare != nullptr && !game_.is_arrow(all.type(compare->lhs)) && !game_.is_arrow(all.type(compare->rhs));
    if (!facts.symbolic) continue;
    facts.left = symbolic_.value(compare->lhs);
    facts.right = symbolic_.value(compare->rhs);
  }
}

// --- Building. ---

void Analysis::add_node(Context& context, NodeId node) const {
  if (context.local[node.value] != Context::kNone) return;
  context.local[node.value] = static_cast<std::uint32_t>(context.nodes.size());
  context.nodes.push_back(node);
}

void Analysis::link(Context& context) const {
  const std::vector<ContextEdge>& edges = context.edges;
  context.out = Grouped(context.nodes.size(), edges.size(), [&](std::uint32_t i) { return edges[i].source; });
  context.in = Grouped(context.nodes.size(), edges.size(),
                       [&](std::uint32_t i) { return edges[i].act == Act::move ? Grouped::kNone : edges[i].target; });
}

Act Analysis::act_of(EdgeId edge, bool tags) const {
  const auto of_tag = [&](const ir::Tag& tag) {
    if (!tags) return Act::empty;
    return artificial_[tag.symbol.value] ? Act::mark : Act::tag;
  };
  return std::visit(
      ir::Overloaded{[](const ir::Empty&) { return Act::empty; }, [](const ir::Compare&) { return Act::compare; },
                     [](const ir::Assign&) { return Act::assign; }, [](const ir::AssignAny&) { return Act::any; },
                     [](const ir::Reachability&) { return Act::check; }, of_tag,
                     [&](const ir::TagVariable&) { return tags ? Act::tag_variable : Act::empty; }},
      game_.graph.label(edge));
}

namespace {

// Drops the edges after which no goal can be reached.
void prune(Context& context, const std::vector<bool>& goal_edges) {
  std::vector<bool> useful(context.nodes.size(), false);
  std::vector<std::uint32_t> todo;
  const auto mark = [&](std::uint32_t node) {
    if (!useful[node]) {
      useful[node] = true;
      todo.push_back(node);
    }
  };
  if (context.target != Context::kNone) mark(context.target);
  for (std::uint32_t i = 0; i < context.edges.size(); ++i) {
    if (goal_edges[i]) mark(context.edges[i].source);
  }
  while (!todo.empty()) {
    const std::uint32_t node = todo.back();
    todo.pop_back();
    for (std::uint32_t edge : context.in[node]) mark(context.edges[edge].source);
  }
  std::size_t kept = 0;
  for (std::uint32_t i = 0; i < context.edges.size(); ++i) {
    const bool keep = goal_edges[i] || (context.edges[i].act != Act::move && useful[context.edges[i].target]);
    if (keep) context.edges[kept++] = context.edges[i];
  }
  context.edges.resize(kept);
}

// Skips nodes whose only edge does nothing, and drops edges that say the same as another one of their node.
bool shorten(const ir::Game& game, Context& context) {
  bool changed = false;
  // Where one arrives from each node without doing anything; within a cycle of such nodes, anywhere.
  std::vector<std::uint32_t> end(context.nodes.size(), Context::kNone);
  std::vector<std::uint32_t> path;
  const auto skip = [&](std::uint32_t node) {
    path.clear();
    while (end[node] == Context::kNone) {
      end[node] = node;  // found again only by walking in a circle
      path.push_back(node);
      if (node == context.target || context.out[node].size() != 1) break;
      const ContextEdge& only = context.edges[context.out[node][0]];
      if (only.act != Act::empty) break;
      node = only.target;
    }
    const std::uint32_t last = end[node];
    for (std::uint32_t passed : path) end[passed] = last;
    return last;
  };
  for (ContextEdge& edge : context.edges) {
    if (edge.act == Act::move) continue;
    const std::uint32_t target = skip(edge.target);
    changed = changed || target != edge.target;
    edge.target = target;
  }
  std::vector<bool> dropped(context.edges.size(), false);
  for (std::uint32_t node = 0; node < context.nodes.size(); ++node) {
    const std::span<const std::uint32_t> out = context.out[node];
    if (out.size() > 64) continue;
    for (std::size_t i = 0; i < out.size(); ++i) {
      for (std::size_t k = 0; k < i && !dropped[out[i]]; ++k) {
        const ContextEdge& a = context.edges[out[k]];
        const ContextEdge& b = context.edges[out[i]];
        dropped[out[i]] = a.act == b.act && a.target == b.target &&
                          (a.act == Act::empty || game.graph.label(a.edge) == game.graph.label(b.edge));
      }
    }
  }
  std::size_t kept = 0;
  for (std::uint32_t i = 0; i < context.edges.size(); ++i) {
    if (dropped[i]) {
      changed = true;
    } else {
      context.edges[kept++] = context.edges[i];
    }
  }
  context.edges.resize(kept);
  return changed;
}

}  // namespace

void Analysis::simplify(Context& context) const {
  for (int round = 0; round < 8 && shorten(game_, context); ++round) link(context);
  link(context);
  // Nodes that are skipped now have no part in it any more.
  std::vector<bool> reached(context.nodes.size(), false);
  std::vector<std::uint32_t> todo = context.starts;
  for (std::uint32_t start : todo) reached[start] = true;
  while (!todo.empty()) {
    const std::uint32_t node = todo.back();
    todo.pop_back();
    for (std::uint32_t index : context.out[node]) {
      const ContextEdge& edge = context.edges[index];
      if (edge.act == Act::move || reached[edge.target]) continue;
      reached[edge.target] = true;
      todo.push_back(edge.target);
    }
  }
  std::erase_if(context.edges, [&](const ContextEdge& edge) { return !reached[edge.source]; });
  link(context);
}

Context Analysis::moves() {
  Context context;
  context.local.assign(game_.graph.node_bound(), Context::kNone);
  add_node(context, game_.begin());
  context.starts.push_back(0);
  std::vector<bool> goals;
  std::vector<bool> is_start(game_.graph.node_bound(), false);
  is_start[game_.begin().value] = true;
  for (std::uint32_t i = 0; i < context.nodes.size(); ++i) {
    for (EdgeId edge : game_.graph.out_edges(context.nodes[i])) {
      const NodeId target = game_.graph.target(edge);
      add_node(context, target);
      const bool move = facts_[edge.value].player_assignment;
      context.edges.push_back({i, context.local[target.value], move ? Act::move : act_of(edge, true), edge});
      goals.push_back(move);
      if (move && !is_start[target.value]) {
        is_start[target.value] = true;
        context.starts.push_back(context.local[target.value]);
      }
    }
  }
  link(context);
  prune(context, goals);
  link(context);
  simplify(context);
  find_live(context, true);
  find_dirty(context);
  find_visits(context, true);
  return context;
}

// The nodes and edges on walks between two nodes.
Context Analysis::between(NodeId from, NodeId to) const {
  Context context;
  context.local.assign(game_.graph.node_bound(), Context::kNone);
  add_node(context, from);
  context.starts.push_back(0);
  for (std::uint32_t i = 0; i < context.nodes.size(); ++i) {
    if (context.nodes[i] == to) {
      context.target = i;
      continue;
    }
    for (EdgeId edge : game_.graph.out_edges(context.nodes[i])) {
      const NodeId target = game_.graph.target(edge);
      add_node(context, target);
      context.edges.push_back({i, context.local[target.value], act_of(edge, false), edge});
    }
  }
  link(context);
  prune(context, std::vector<bool>(context.edges.size(), false));
  link(context);
  return context;
}

Context Analysis::check(NodeId from, NodeId to) {
  Context context = between(from, to);
  find_live(context, false);
  // What is not read before the target cannot matter.
  for (ContextEdge& edge : context.edges) {
    const EdgeFacts& facts = facts_[edge.edge.value];
    if ((edge.act == Act::assign || edge.act == Act::any) && !context.live[edge.target].contains(facts.written)) {
      edge.act = Act::empty;
    }
  }
  simplify(context);
  find_live(context, false);
  find_dirty(context);
  find_visits(context, false);
  return context;
}

// --- Liveness and changes. ---

ConstVariables Analysis::reads_of_check(NodeId from, NodeId to) {
  auto& known = check_reads_[{from, to}];
  if (known) return std::as_const(*known).view();
  // While it is computed a recursive check finds this: everything.
  known = std::make_unique<VarSet>(game_.variables().size());
  known->view().fill();
  if (++nesting_ > kMaxCheckNesting) {
    throw Error(
        fmt::format("reachability checks are nested more than {} deep, the interpreter's limit", kMaxCheckNesting));
  }
  Context context = between(from, to);
  find_live(context, false);
  --nesting_;
  auto& entry = check_reads_[{from, to}];
  *entry = VarSet(std::as_const(context.live)[0]);
  return std::as_const(*entry).view();
}

void Analysis::reads_of(const ContextEdge& edge, Variables out) {
  for (VarId variable : facts_[edge.edge.value].reads) {
    if (edge.act != Act::empty) out.insert(variable);
  }
  if (edge.act == Act::check) {
    const auto& check = std::get<ir::Reachability>(game_.graph.label(edge.edge));
    out.merge(reads_of_check(check.from, check.to));
  }
  if ((edge.act == Act::tag || edge.act == Act::tag_variable) && hiding_) out.insert(game_.visible());
}

namespace {

// The nodes so that, but for cycles, each comes before those that lead to it; or the other way round.
analysis::Order order_of(const Context& context, bool backward) {
  std::vector<std::uint32_t> roots = context.starts;
  for (std::uint32_t node = 0; node < context.nodes.size(); ++node) roots.push_back(node);
  std::vector<std::uint32_t> order =
      analysis::post_order(context.nodes.size(), roots, [&](std::uint32_t node, auto&& f) {
        for (std::uint32_t index : context.out[node]) {
          if (context.edges[index].act != Act::move) f(context.edges[index].target);
        }
      });
  if (!backward) std::ranges::reverse(order);
  return analysis::Order(std::move(order));
}

}  // namespace

void Analysis::find_live(Context& context, bool moves) {
  const std::size_t variables = game_.variables().size();
  context.live = VarSets(context.nodes.size(), variables);
  if (moves && context.local[game_.end().value] != Context::kNone) {
    context.live[context.local[game_.end().value]].insert(game_.goals());
  }
  // In move mode information also flows backwards through completed moves.
  const Grouped move_in(context.nodes.size(), context.edges.size(), [&](std::uint32_t i) {
    return context.edges[i].act == Act::move ? context.edges[i].target : Grouped::kNone;
  });
  VarSet needed_set(variables);
  const Variables needed = needed_set.view();
  const analysis::Order order = order_of(context, true);
  analysis::Worklist work(order, /*all=*/true);
  work.run([&](std::uint32_t node) {
    const auto flow = [&](std::uint32_t index) {
      const ContextEdge& edge = context.edges[index];
      const EdgeFacts& facts = facts_[edge.edge.value];
      const bool writes = edge.act == Act::assign || edge.act == Act::any || edge.act == Act::move;
      needed.clear();
      reads_of(edge, needed);
      needed.merge_except(context.live[node], writes && facts.whole ? facts.written : VarId());
      if (context.live[edge.source].merge(needed)) work.queue(edge.source);
    };
    for (std::uint32_t index : context.in[node]) flow(index);
    for (std::uint32_t index : move_in[node]) flow(index);
    return true;
  });
}

void Analysis::find_dirty(Context& context) const {
  context.dirty = VarSets(context.nodes.size(), game_.variables().size());
  context.tagged.assign(context.nodes.size(), false);
  context.marked.assign(context.nodes.size(), false);
  const analysis::Order order = order_of(context, false);
  analysis::Worklist work(order, /*all=*/true);
  work.run([&](std::uint32_t node) {
    for (std::uint32_t index : context.out[node]) {
      const ContextEdge& edge = context.edges[index];
      if (edge.act == Act::move) continue;
      bool fresh = context.dirty[edge.target].merge(context.dirty[node]);
      if ((edge.act == Act::assign || edge.act == Act::any) &&
          !context.dirty[edge.target].contains(facts_[edge.edge.value].written)) {
        context.dirty[edge.target].insert(facts_[edge.edge.value].written);
        fresh = true;
      }
      const bool tag = context.tagged[node] || edge.act == Act::tag || edge.act == Act::tag_variable;
      if (tag && !context.tagged[edge.target]) {
        context.tagged[edge.target] = true;
        fresh = true;
      }
      if ((context.marked[node] || edge.act == Act::mark) && !context.marked[edge.target]) {
        context.marked[edge.target] = true;
        fresh = true;
      }
      if (fresh) work.queue(edge.target);
    }
    return true;
  });
}

}  // namespace rgtrans::interpreter
