#include "backends/interpreter/context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <boost/graph/strong_components.hpp>

namespace rgtrans::interpreter {

using ir::EdgeId;
using ir::NodeId;
using ir::VarId;

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;

constexpr std::size_t kMaxRegion = 5000;      // nodes looked at to prove that a merge is harmless
constexpr std::size_t kMaxFirstTags = 128;    // steps taken to find the tags that can come next
constexpr std::size_t kMaxWork = 50'000'000;  // for all merges of one context

// Node numbers of `context`, plus one node behind all moves.
Graph graph_of(const Context& context) {
  Graph graph(context.nodes.size() + 1);
  for (const ContextEdge& edge : context.edges) {
    boost::add_edge(edge.source, edge.act == Act::move ? context.nodes.size() : edge.target, graph);
  }
  return graph;
}

}  // namespace

Analysis::Analysis(const ir::Game& game, const Layout& layout, Symbolic& symbolic, const InterpreterOptions& options)
    : game_(game), layout_(layout), symbolic_(symbolic), options_(options) {
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
      for (VarId variable : repeat->variables) set.insert(variable);
      for (NodeId node : repeat->nodes) repeat_.emplace(node, set);
    } else if (const auto* disjoint = std::get_if<ir::Disjoint>(&pragma.content)) {
      disjoint_[disjoint->node].push_back(disjoint->targets);
    }
  }
}

const VarSet* Analysis::repeat(NodeId node) const {
  const auto it = repeat_.find(node);
  return it == repeat_.end() ? nullptr : &it->second;
}

void Analysis::collect_facts() {
  facts_.resize(game_.graph.edge_bound());
  const ir::Expressions& all = game_.expressions();
  for (EdgeId edge : game_.graph.edges()) {
    EdgeFacts& facts = facts_[edge.value];
    const auto read = [&](ir::ExprId expr) {
      game_.for_each_variable(expr, [&](VarId v) {
        if (std::ranges::find(facts.reads, v) == facts.reads.end()) facts.reads.push_back(v);
      });
    };
    const auto write = [&](ir::ExprId expr) {
      facts.written = game_.assigned_variable(expr);
      facts.whole = all.kind(all.uncast(expr)) == ir::ExprKind::variable;
      for (; expr != all.root(expr); expr = all.kind(expr) == ir::ExprKind::cast ? all.operand(expr) : all.map(expr)) {
        if (all.kind(expr) == ir::ExprKind::access) read(all.index(expr));
      }
    };
    const ir::Label& label = game_.graph.label(edge);
    facts.player_assignment = game_.is_player_assignment(label);
    std::visit(ir::Overloaded{
                   [&](const ir::Compare& compare) {
                     read(compare.lhs);
                     read(compare.rhs);
                     facts.symbolic = !game_.is_arrow(all.type(compare.lhs)) && !game_.is_arrow(all.type(compare.rhs));
                     if (!facts.symbolic) return;
                     facts.left = symbolic_.value(compare.lhs);
                     facts.right = symbolic_.value(compare.rhs);
                   },
                   [&](const ir::Assign& assign) {
                     read(assign.rhs);
                     write(assign.lhs);
                   },
                   [&](const ir::AssignAny& any) { write(any.lhs); },
                   [&](const ir::TagVariable& tag) { facts.reads.push_back(tag.variable); }, [](const auto&) {}},
               label);
  }
}

// --- Building. ---

void Analysis::add_node(Context& context, NodeId node) const {
  if (context.local[node.value] != Context::kNone) return;
  context.local[node.value] = static_cast<std::uint32_t>(context.nodes.size());
  context.nodes.push_back(node);
}

void Analysis::link(Context& context) const {
  context.out.assign(context.nodes.size(), {});
  context.in.assign(context.nodes.size(), {});
  for (std::uint32_t i = 0; i < context.edges.size(); ++i) {
    context.out[context.edges[i].source].push_back(i);
    if (context.edges[i].act != Act::move) context.in[context.edges[i].target].push_back(i);
  }
}

namespace {

Act act_of(const ir::Label& label, bool tags) {
  return std::visit(
      ir::Overloaded{[](const ir::Empty&) { return Act::empty; }, [](const ir::Compare&) { return Act::compare; },
                     [](const ir::Assign&) { return Act::assign; }, [](const ir::AssignAny&) { return Act::any; },
                     [](const ir::Reachability&) { return Act::check; },
                     [&](const ir::Tag&) { return tags ? Act::tag : Act::empty; },
                     [&](const ir::TagVariable&) { return tags ? Act::tag_variable : Act::empty; }},
      label);
}

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
  for (const std::vector<std::uint32_t>& out : context.out) {
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
      context.edges.push_back(
          {i, context.local[target.value], move ? Act::move : act_of(game_.graph.label(edge), true), edge});
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

Context Analysis::check(NodeId from, NodeId to) {
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
      context.edges.push_back({i, context.local[target.value], act_of(game_.graph.label(edge), false), edge});
    }
  }
  link(context);
  prune(context, std::vector<bool>(context.edges.size(), false));
  link(context);
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

const VarSet& Analysis::reads_of_check(NodeId from, NodeId to) {
  auto& known = check_reads_[{from, to}];
  if (known) return *known;
  // While it is computed a recursive check finds this: everything.
  known = std::make_unique<VarSet>(game_.variables().size(), true);
  if (++nesting_ > kMaxCheckNesting) {
    throw Error(
        fmt::format("reachability checks are nested more than {} deep, the interpreter's limit", kMaxCheckNesting));
  }
  Context context;
  context.local.assign(game_.graph.node_bound(), Context::kNone);
  add_node(context, from);
  for (std::uint32_t i = 0; i < context.nodes.size(); ++i) {
    if (context.nodes[i] == to) {
      context.target = i;
      continue;
    }
    for (EdgeId edge : game_.graph.out_edges(context.nodes[i])) {
      const NodeId target = game_.graph.target(edge);
      add_node(context, target);
      context.edges.push_back({i, context.local[target.value], act_of(game_.graph.label(edge), false), edge});
    }
  }
  link(context);
  prune(context, std::vector<bool>(context.edges.size(), false));
  link(context);
  find_live(context, false);
  --nesting_;
  auto& entry = check_reads_[{from, to}];
  *entry = context.live[0];
  return *entry;
}

void Analysis::reads_of(const ContextEdge& edge, VarSet& out) {
  for (VarId variable : facts_[edge.edge.value].reads) {
    if (edge.act != Act::empty) out.insert(variable);
  }
  if (edge.act == Act::check) {
    const auto& check = std::get<ir::Reachability>(game_.graph.label(edge.edge));
    out.merge(reads_of_check(check.from, check.to));
  }
  if ((edge.act == Act::tag || edge.act == Act::tag_variable) && hiding_) out.insert(game_.visible());
}

void Analysis::find_live(Context& context, bool moves) {
  const std::size_t variables = game_.variables().size();
  context.live.assign(context.nodes.size(), VarSet(variables));
  std::vector<bool> queued(context.nodes.size(), true);
  std::vector<std::uint32_t> todo;
  for (std::uint32_t i = 0; i < context.nodes.size(); ++i) todo.push_back(i);
  if (moves && context.local[game_.end().value] != Context::kNone) {
    context.live[context.local[game_.end().value]].insert(game_.goals());
  }
  // In move mode information also flows backwards through completed moves.
  std::vector<std::vector<std::uint32_t>> move_in(context.nodes.size());
  for (std::uint32_t i = 0; i < context.edges.size(); ++i) {
    if (context.edges[i].act == Act::move) move_in[context.edges[i].target].push_back(i);
  }
  while (!todo.empty()) {
    const std::uint32_t node = todo.back();
    todo.pop_back();
    queued[node] = false;
    const auto flow = [&](std::uint32_t index) {
      const ContextEdge& edge = context.edges[index];
      const EdgeFacts& facts = facts_[edge.edge.value];
      const bool writes = edge.act == Act::assign || edge.act == Act::any || edge.act == Act::move;
      VarSet needed(variables);
      reads_of(edge, needed);
      needed.merge_except(context.live[node], writes && facts.whole ? facts.written : VarId());
      if (context.live[edge.source].merge(needed) && !queued[edge.source]) {
        queued[edge.source] = true;
        todo.push_back(edge.source);
      }
    };
    for (std::uint32_t index : context.in[node]) flow(index);
    for (std::uint32_t index : move_in[node]) flow(index);
  }
}

void Analysis::find_dirty(Context& context) const {
  context.dirty.assign(context.nodes.size(), VarSet(game_.variables().size()));
  context.tagged.assign(context.nodes.size(), false);
  std::vector<bool> queued(context.nodes.size(), true);
  std::vector<std::uint32_t> todo;
  for (std::uint32_t i = 0; i < context.nodes.size(); ++i) todo.push_back(i);
  while (!todo.empty()) {
    const std::uint32_t node = todo.back();
    todo.pop_back();
    queued[node] = false;
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
      if (fresh && !queued[edge.target]) {
        queued[edge.target] = true;
        todo.push_back(edge.target);
      }
    }
  }
}

// --- Exclusive edges. ---

bool Analysis::covered_by_pragma(NodeId node, NodeId first, NodeId second) const {
  const auto it = disjoint_.find(node);
  if (it == disjoint_.end()) return false;
  return std::ranges::any_of(it->second, [&](const std::vector<NodeId>& targets) {
    if (first == second) return std::ranges::count(targets, first) >= 2;
    return std::ranges::find(targets, first) != targets.end() && std::ranges::find(targets, second) != targets.end();
  });
}

bool Analysis::exclusive(EdgeId first, EdgeId second) const {
  const ir::Label& one = game_.graph.label(first);
  const ir::Label& two = game_.graph.label(second);
  if (const auto* a = std::get_if<ir::Reachability>(&one)) {
    const auto* b = std::get_if<ir::Reachability>(&two);
    if (b != nullptr && a->from == b->from && a->to == b->to && a->negated != b->negated) return true;
  }
  const auto* a = std::get_if<ir::Compare>(&one);
  const auto* b = std::get_if<ir::Compare>(&two);
  if (a != nullptr && b != nullptr) {
    const EdgeFacts& f = facts_[first.value];
    const EdgeFacts& g = facts_[second.value];
    if (!f.symbolic || !g.symbolic) {
      return a->lhs == b->lhs && a->rhs == b->rhs && a->negated != b->negated;
    }
    if (a->negated != b->negated &&
        ((f.left == g.left && f.right == g.right) || (f.left == g.right && f.right == g.left))) {
      return true;
    }
    if (!a->negated && !b->negated) {
      for (const auto& [x, y, z, w] :
           {std::tuple(f.left, f.right, g.left, g.right), std::tuple(f.left, f.right, g.right, g.left),
            std::tuple(f.right, f.left, g.left, g.right), std::tuple(f.right, f.left, g.right, g.left)}) {
        const auto k = symbolic_.constant(y);
        const auto l = symbolic_.constant(w);
        if (x == z && k && l && *k != *l) return true;
      }
    }
    // Functions of one and the same cell: no code satisfies both.
    const auto atoms = [&](const EdgeFacts& facts) {
      std::vector<Sym> out = symbolic_.atoms(facts.left);
      for (Sym atom : symbolic_.atoms(facts.right)) {
        if (std::ranges::find(out, atom) == out.end()) out.push_back(atom);
      }
      return out;
    };
    const std::vector<Sym> mine = atoms(f);
    if (mine.size() == 1 && mine == atoms(g)) {
      return std::ranges::none_of(symbolic_.codes(mine[0]), [&](std::uint32_t code) {
        const auto holds = [&](const EdgeFacts& facts, bool negated) {
          return (symbolic_.evaluate(facts.left, {{mine[0], code}}) ==
                  symbolic_.evaluate(facts.right, {{mine[0], code}})) != negated;
        };
        return holds(f, a->negated) && holds(g, b->negated);
      });
    }
  }
  return covered_by_pragma(game_.graph.source(first), game_.graph.target(first), game_.graph.target(second));
}

// --- Where second arrivals are possible. ---

// Decides whether two walks that part in a region can arrive at its end without anything to tell them apart.
struct ForkFacts {
  const ir::Game& game;
  const Layout& layout;
  const Analysis& analysis;
  const Context& context;
  std::uint32_t sink;               // the end of the region: a node, or nodes.size() for completed moves
  const std::vector<bool>& inside;  // the region, without the sink
  const std::vector<bool>& cyclic;  // nodes on cycles

  // Behind all symbols.
  const std::uint32_t kNoTag = static_cast<std::uint32_t>(game.symbols.size());

  [[nodiscard]] std::uint32_t target(const ContextEdge& edge) const {
    return edge.act == Act::move ? static_cast<std::uint32_t>(context.nodes.size()) : edge.target;
  }
  [[nodiscard]] bool relevant(const ContextEdge& edge) const {
    const std::uint32_t to = target(edge);
    return to == sink || (to < inside.size() && inside[to]);
  }

  // The tags that can come first after taking `edge`, with kNoTag where the sink may be reached without any; false when
  // that is too complicated. `carried`: nothing but this variable may be the tag, and it must not be written before.
  bool first_tags(const ContextEdge& edge, CodeSet& plain, VarId carried) const {
    std::vector<const ContextEdge*> todo{&edge};
    std::vector<std::uint32_t> seen;
    std::size_t steps = 0;
    bool first = true;
    while (!todo.empty()) {
      const ContextEdge& at = *todo.back();
      todo.pop_back();
      if (++steps > kMaxFirstTags) return false;
      const bool initial = std::exchange(first, false);
      if (at.act == Act::tag) {
        if (carried.valid()) return false;
        plain.insert(std::get<ir::Tag>(game.graph.label(at.edge)).symbol.value);
        continue;
      }
      if (at.act == Act::tag_variable) {
        const VarId variable = std::get<ir::TagVariable>(game.graph.label(at.edge)).variable;
        if (carried.valid()) {
          if (variable != carried) return false;
          continue;
        }
        for (std::uint32_t code : layout.variable(variable).possible.list()) plain.insert(layout.symbol(code).value);
        continue;
      }
      const std::uint32_t to = target(at);
      if (to == sink) {
        if (carried.valid()) return false;
        plain.insert(kNoTag);
        continue;
      }
      const bool writes = at.act == Act::assign || at.act == Act::any;
      if (!initial && carried.valid() && writes && analysis.facts(at.edge).written == carried) return false;
      if (std::ranges::find(seen, to) != seen.end()) continue;
      seen.push_back(to);
      for (std::uint32_t next : context.out[to]) {
        if (relevant(context.edges[next])) todo.push_back(&context.edges[next]);
      }
    }
    return true;
  }

  [[nodiscard]] bool disjoint_tags(const ContextEdge& first, const ContextEdge& second) const {
    CodeSet one;
    CodeSet two;
    if (!first_tags(first, one, {}) || !first_tags(second, two, {})) return false;
    return std::ranges::none_of(one.list(), [&](std::uint32_t tag) { return two.contains(tag); });
  }

  // Whatever an any-assignment chose can still be told at the sink.
  [[nodiscard]] bool choice_survives(const ContextEdge& edge) const {
    const EdgeFacts& facts = analysis.facts(edge.edge);
    if (!facts.whole) return false;
    const auto& any = std::get<ir::AssignAny>(game.graph.label(edge.edge));
    if (game.members(any.type).size() == 1) return true;
    CodeSet ignored;
    if (first_tags(edge, ignored, facts.written)) return true;
    if (sink >= context.nodes.size() || !context.live[sink].contains(facts.written)) return false;
    if (const VarSet* listed = analysis.repeat(context.nodes[sink]); listed && !listed->contains(facts.written)) {
      return false;
    }
    // Kept to the end: no other edge of the region writes it, nor this one again.
    if (cyclic[edge.source]) return false;
    for (std::uint32_t node = 0; node < inside.size(); ++node) {
      if (!inside[node]) continue;
      for (std::uint32_t index : context.out[node]) {
        const ContextEdge& other = context.edges[index];
        const bool writes = other.act == Act::assign || other.act == Act::any;
        if (&other != &edge && writes && relevant(other) && analysis.facts(other.edge).written == facts.written) {
          return false;
        }
      }
    }
    return true;
  }

  [[nodiscard]] bool harmless(std::uint32_t node) const {
    std::vector<const ContextEdge*> edges;
    for (std::uint32_t index : context.out[node]) {
      const ContextEdge& edge = context.edges[index];
      if (!relevant(edge)) continue;
      if (edge.act == Act::any && !choice_survives(edge)) return false;
      edges.push_back(&edge);
    }
    if (edges.size() > 16 && edges.size() * edges.size() > 4096) return false;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      for (std::size_t k = i + 1; k < edges.size(); ++k) {
        if (!analysis.exclusive(edges[i]->edge, edges[k]->edge) && !disjoint_tags(*edges[i], *edges[k])) return false;
      }
    }
    return true;
  }
};

// At most one of the edges is legal, with one result.
bool Analysis::steers_alone(const Context& context, std::uint32_t node) const {
  const std::vector<std::uint32_t>& out = context.out[node];
  if (out.size() > 16) return false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const ContextEdge& edge = context.edges[out[i]];
    if (edge.act == Act::any && game_.members(std::get<ir::AssignAny>(game_.graph.label(edge.edge)).type).size() > 1) {
      return false;
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (!exclusive(edge.edge, context.edges[out[k]].edge)) return false;
    }
  }
  return true;
}

void Analysis::find_visits(Context& context, bool moves) const {
  const auto count = static_cast<std::uint32_t>(context.nodes.size());
  context.visit.assign(count, false);
  context.deduplicate.assign(context.starts.size(), true);
  const Graph graph = graph_of(context);
  std::vector<std::size_t> component(count + 1);
  boost::strong_components(graph,
                           boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, graph)));
  std::vector<std::uint32_t> sizes(count + 1, 0);
  for (std::size_t c : component) ++sizes[c];
  std::vector<bool> cyclic(count + 1, false);
  for (std::uint32_t node = 0; node < count; ++node) cyclic[node] = sizes[component[node]] > 1;
  for (const ContextEdge& edge : context.edges) {
    if (edge.act != Act::move && edge.source == edge.target) cyclic[edge.source] = true;
  }
  std::vector<bool> is_start(count, false);
  for (std::uint32_t start : context.starts) is_start[start] = true;

  // Dominators, from a node before all starts.
  Graph rooted = graph;
  const auto root = boost::add_vertex(rooted);
  for (std::uint32_t start : context.starts) boost::add_edge(root, start, rooted);
  std::vector<std::size_t> dominator(count + 2, boost::graph_traits<Graph>::null_vertex());
  boost::lengauer_tarjan_dominator_tree(
      rooted, root, boost::make_iterator_property_map(dominator.begin(), get(boost::vertex_index, rooted)));

  std::size_t work = 0;
  std::vector<bool> inside(count, false);
  std::vector<std::uint32_t> region;
  // Whether no two walks of one exploration can meet in `to`. They would part at some node between its dominator
  // `from` (or the starts) and `to`: there they must exclude each other, or be told apart afterwards. This holds for
  // cycles on the way too; only `to` itself may not be on one, for then one walk can be a part of the other.
  const auto harmless = [&](std::uint32_t to, std::size_t from, const std::vector<std::uint32_t>& last) {
    for (std::uint32_t node : region) inside[node] = false;
    region.clear();
    bool simple = true;
    const auto add = [&](std::uint32_t node) {
      if (node == to || node >= count) {
        simple = simple && node != to;
        return;
      }
      if (inside[node]) return;
      inside[node] = true;
      region.push_back(node);
    };
    for (std::uint32_t node : last) add(node);
    for (std::size_t i = 0; i < region.size() && simple; ++i) {
      if (region.size() > kMaxRegion) simple = false;
      if (region[i] == from) continue;
      for (std::uint32_t index : context.in[region[i]]) add(context.edges[index].source);
    }
    work += region.size() * 8;
    if (!simple || work > kMaxWork) return false;
    const ForkFacts facts{game_, layout_, *this, context, to, inside, cyclic};
    return std::ranges::all_of(region, [&](std::uint32_t node) { return facts.harmless(node); });
  };

  for (std::uint32_t node = 0; node < count; ++node) {
    const std::size_t arrivals = context.in[node].size() + (is_start[node] ? 1 : 0);
    if (arrivals < 2 || node == context.target) continue;
    if (cyclic[node]) {
      context.visit[node] = true;
      continue;
    }
    if (is_start[node]) {
      // It starts an exploration of its own; within others it is an ordinary merge.
      if (context.in[node].size() < 2) continue;
    }
    std::vector<std::uint32_t> last;
    for (std::uint32_t index : context.in[node]) last.push_back(context.edges[index].source);
    context.visit[node] = !harmless(node, dominator[node], last);
  }
  // A loop with one entrance that is nowhere left to choice repeats a state only when it runs for ever.
  context.endless.assign(count, false);
  std::vector<std::vector<std::uint32_t>> loops(count + 1);
  for (std::uint32_t node = 0; node < count; ++node) {
    if (cyclic[node]) loops[component[node]].push_back(node);
  }
  for (const std::vector<std::uint32_t>& loop : loops) {
    std::uint32_t entrance = Context::kNone;
    std::vector<std::uint32_t> last;
    bool steered = !loop.empty();
    for (std::size_t i = 0; i < loop.size() && steered; ++i) {
      std::size_t arrivals = is_start[loop[i]] ? 1 : 0;
      for (std::uint32_t index : context.in[loop[i]]) {
        if (component[context.edges[index].source] == component[loop[i]]) continue;
        ++arrivals;
        last.push_back(context.edges[index].source);
      }
      steered = (arrivals == 0 || entrance == Context::kNone) && steers_alone(context, loop[i]);
      if (arrivals > 0) entrance = loop[i];
    }
    if (!steered || entrance == Context::kNone) continue;
    const std::size_t arrivals = last.size() + (is_start[entrance] ? 1 : 0);
    if (arrivals > 1 && (is_start[entrance] || !harmless(entrance, dominator[entrance], last))) continue;
    for (std::uint32_t node : loop) context.endless[node] = true;
  }
  // @unique is a promise, except where nothing else would end a walk that changes nothing.
  if (!unique_.empty()) {
    Graph idle(count);
    for (const ContextEdge& edge : context.edges) {
      const bool still = edge.act == Act::empty || edge.act == Act::compare || edge.act == Act::check;
      const bool tested = context.visit[edge.source] && !unique_.contains(context.nodes[edge.source]);
      if (still && !tested) boost::add_edge(edge.source, edge.target, idle);
    }
    std::vector<std::size_t> part(count);
    boost::strong_components(idle, boost::make_iterator_property_map(part.begin(), get(boost::vertex_index, idle)));
    std::vector<std::uint32_t> members(count, 0);
    for (std::size_t c : part) ++members[c];
    for (std::uint32_t node = 0; node < count; ++node) {
      if (context.visit[node] && unique_.contains(context.nodes[node]) && members[part[node]] == 1 &&
          !boost::edge(node, node, idle).second) {
        context.visit[node] = false;
      }
    }
  }
  if (!moves) return;
  for (std::size_t i = 0; i < context.starts.size(); ++i) {
    // The region of a start: everything it reaches.
    for (std::uint32_t node : region) inside[node] = false;
    region.assign(1, context.starts[i]);
    inside[context.starts[i]] = true;
    bool simple = true;
    for (std::size_t k = 0; k < region.size() && simple; ++k) {
      simple = region.size() <= kMaxRegion;
      for (std::uint32_t index : context.out[region[k]]) {
        const ContextEdge& edge = context.edges[index];
        if (edge.act == Act::move || inside[edge.target]) continue;
        inside[edge.target] = true;
        region.push_back(edge.target);
      }
    }
    if (!simple) continue;
    const ForkFacts facts{game_, layout_, *this, context, count, inside, cyclic};
    context.deduplicate[i] = !std::ranges::all_of(region, [&](std::uint32_t node) { return facts.harmless(node); });
  }
}

}  // namespace rgtrans::interpreter
