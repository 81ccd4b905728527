#include "backends/interpreter/context.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rgtrans::interpreter {

using ir::EdgeId;
using ir::NodeId;
using ir::VarId;

Explorer::Explorer(const ir::Game& game, const StateLayout& layout, Symbolic& symbolic,
                   const InterpreterOptions& options, bool claims)
    : game_(game),
      layout_(layout),
      symbolic_(symbolic),
      options_(options),
      hiding_(ir::hides_moves(game)),
      claims_(claims),
      deeds_(game.graph.node_bound()),
      exclusive_(game, layout.held(), analysis::Exclusive::kTries) {
  find_facts();
  deeds_ = analysis::deeds_of(game, [&](const ir::Reachability& check) { return check_number(check.from, check.to); });
  check_reads_.resize(checks_.size());
  if (options.trust_pragmas) promises_ = analysis::Promises(game);
}

const Bits* Explorer::repeat(const MachineContext& context, std::uint32_t node) const {
  return context.marked[node] ? nullptr : promises_.repeat(NodeId(context.nodes[node]));
}

void Explorer::find_facts() {
  facts_.resize(game_.graph.edge_bound());
  const ir::Expressions& all = game_.expressions();
  for (EdgeId edge : game_.graph.edges()) {
    EdgeFacts& facts = facts_[edge.value];
    const auto* compare = std::get_if<ir::Compare>(&game_.graph.label(edge));
    facts.symbolic =
        compare != nullptr && !game_.is_arrow(all.type(compare->lhs)) && !game_.is_arrow(all.type(compare->rhs));
    if (!facts.symbolic) continue;
    facts.left = symbolic_.value(compare->lhs);
    facts.right = symbolic_.value(compare->rhs);
  }
}

std::uint32_t Explorer::check_number(NodeId from, NodeId to) {
  const auto [it, fresh] = check_numbers_.try_emplace({from, to}, static_cast<std::uint32_t>(checks_.size()));
  if (fresh) checks_.emplace_back(from, to);
  return it->second;
}

namespace {

// Skips nodes whose only edge does nothing, and drops edges that duplicate another edge of their node.
bool shorten(const ir::Game& game, MachineContext& context) {
  bool changed = false;
  // The node that each node leads to through edges without effect. On a cycle of such edges, any of its nodes.
  std::vector<std::uint32_t> end(context.nodes.size(), kNone);
  std::vector<std::uint32_t> path;
  const auto skip = [&](std::uint32_t node) {
    path.clear();
    while (end[node] == kNone) {
      end[node] = node;  // visited again only on a cycle
      path.push_back(node);
      if (node == context.target || context.out[node].size() != 1) break;
      const MachineContext::Edge& only = context.edges[context.out[node][0]];
      if (only.deed != Deed::nothing) break;
      node = only.target;
    }
    const std::uint32_t last = end[node];
    for (std::uint32_t passed : path) end[passed] = last;
    return last;
  };
  for (MachineContext::Edge& edge : context.edges) {
    if (edge.deed == Deed::end_move) continue;
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
        const MachineContext::Edge& a = context.edges[out[k]];
        const MachineContext::Edge& b = context.edges[out[i]];
        dropped[out[i]] = a.deed == b.deed && a.target == b.target &&
                          (a.deed == Deed::nothing || game.graph.label(a.edge) == game.graph.label(b.edge));
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

void Explorer::simplify(MachineContext& context) const {
  for (int round = 0; round < 8 && shorten(game_, context); ++round) context.link();
  context.link();
  // Drops nodes that are no longer reached after skipping.
  const std::vector<bool> reached = analysis::behind(context, context.starts);
  std::erase_if(context.edges, [&](const MachineContext::Edge& edge) { return !reached[edge.source]; });
  context.link();
}

MachineContext Explorer::moves() {
  MachineContext context(
      analysis::explore(deeds_, {.starts = {game_.begin().value}, .all_moves = true, .keep_starts = true}));
  simplify(context);
  find_live(context, true);
  find_changes(context);
  find_visits(context);
  context.deduplicate = analysis::find_equal_labelings(context, visit_facts());
  return context;
}

MachineContext Explorer::check(NodeId from, NodeId to) {
  MachineContext context(walks_between(from, to));
  find_live(context, false);
  // A write is irrelevant in a check if nothing reads the variable before the target.
  for (MachineContext::Edge& edge : context.edges) {
    const VarId written = deeds_[edge.number].written;
    if (analysis::writes(edge.deed) && !context.live[edge.target].test(written.value)) edge.deed = Deed::nothing;
  }
  simplify(context);
  find_live(context, false);
  find_changes(context);
  find_visits(context);
  return context;
}

analysis::Exploration Explorer::walks_between(NodeId from, NodeId to) const {
  return analysis::explore(deeds_, {.starts = {from.value}, .target = to.value, .keep_starts = true});
}

// --- Liveness and changes. ---

const Bits& Explorer::reads_of_check(std::uint32_t check) {
  std::optional<Bits>& known = check_reads_[check];
  if (known) return *known;
  // A recursive check finds this value during the computation: it reads every variable.
  known = Bits::full(game_.variables().size());
  if (++nesting_ > kMaxCheckNesting) {
    throw Error(
        fmt::format("reachability checks are nested more than {} deep, the interpreter's limit", kMaxCheckNesting));
  }
  MachineContext context(walks_between(checks_[check].first, checks_[check].second));
  find_live(context, false);
  --nesting_;
  known = context.live[0];
  return *known;
}

void Explorer::find_live(MachineContext& context, bool moves) {
  analysis::Reading reading;
  reading.variables = game_.variables().size();
  if (hiding_) reading.by_tags = game_.visible();
  reading.by_check = [&](std::uint32_t check) -> const Bits& { return reads_of_check(check); };
  context.live.assign(context.nodes.size(), Bits(reading.variables));
  if (moves && context.local.contains(game_.end().value)) {
    context.live[context.local.at(game_.end().value)].set(game_.goals().value);
  }
  analysis::find_live(context, deeds_, reading);
}

void Explorer::find_changes(MachineContext& context) const {
  context.changed = analysis::changed_since(analysis::Since::start, context, deeds_, game_.variables().size());
  std::vector<std::uint32_t> tags;
  for (const MachineContext::Edge& edge : context.edges) {
    if (analysis::shows(edge.deed)) tags.push_back(edge.target);
  }
  context.tagged = analysis::behind(context, tags);
}

void Explorer::find_visits(MachineContext& context) const {
  static_cast<analysis::Visits&>(context) = analysis::find_visits(context, visit_facts());
}

}  // namespace rgtrans::interpreter
