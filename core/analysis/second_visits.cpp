#include "core/analysis/second_visits.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "core/analysis/dataflow.hpp"
#include "core/ir/ir.hpp"
#include "core/support/components.hpp"
#include "core/support/progress.hpp"

namespace rgtrans::analysis {

using ir::EdgeId;
using ir::Label;
using ir::NodeId;

namespace {

bool reads_any(const ir::Game& game, const Label& label, const Bits& of) {
  bool found = false;
  for_each_read(game, label, [&](ir::VarId v) { found = found || of.test(v.value); });
  return found;
}

// The variable that a comparison equates with a value common to all arrivals, or none.
ir::VarId pinned(const ir::Game& game, const Label& label, const Bits& differing) {
  const auto* c = std::get_if<ir::Compare>(&label);
  if (c == nullptr || c->negated) return {};
  const ir::Expressions& e = game.expressions();
  for (int side = 0; side < 2; ++side) {
    const ir::ExprId a = e.uncast(side == 0 ? c->lhs : c->rhs);
    const ir::ExprId b = side == 0 ? c->rhs : c->lhs;
    if (e.kind(a) != ir::ExprKind::variable) continue;
    bool fixed = true;
    game.for_each_variable(b, [&](ir::VarId v) { fixed = fixed && !differing.test(v.value); });
    if (fixed) return e.variable(a);
  }
  return {};
}

}  // namespace

// One exploration graph and its data-flow problem. A condition or a tag can determine a variable that differs between
// arrivals: behind it, all arrivals agree on that variable. Where walks meet that were determined by different
// conditions or tags, the variable differs again.
//
// Arrivals are compared if they have the same tags. If the number of tags before a node is not fixed, such arrivals may
// have passed it with different tags: one walk showed $ a there, and the other one showed $ a before it. Equal values
// behind that node are loose: where walks meet, they differ again.
struct SecondVisits::Differing {
  using Teller = std::uint64_t;  // an edge; the number of a tag in its move; or a node whose arrivals all use one edge
  static constexpr Teller kTag = Teller{1} << 32U;
  static constexpr Teller kNode = Teller{1} << 33U;
  static constexpr Teller kLoose = Teller{1} << 34U;

  struct Domain {
    Bits differing;
    std::map<std::uint32_t, Teller> told;  // by variable; these do not differ
  };

  SecondVisits& repeats;
  const Flow& context;
  bool moves;
  const std::vector<bool>& one_way;  // nodes where only one incoming edge can belong to an exploration

  Domain entry() const { return {Bits(repeats.game_.variables().size()), {}}; }

  std::optional<Domain> transfer(const FlowEdge& edge, const Domain& before) const {
    check_wanted();
    Domain after = before;
    if (edge.edge.valid()) follow(edge.edge, before, after);
    const NodeId to = context.node(edge.to);
    if (context.in(edge.to).size() > 1) {
      if (one_way[edge.to]) {
        for (auto& [variable, teller] : after.told) teller = one_edge_to(edge.to);
        for (const ir::VarId v : repeats.merges_[to.value])
          if (!after.differing.test(v.value)) after.told[v.value] = one_edge_to(edge.to);
      } else {
        for (ir::VarId v : repeats.merges_[to.value]) differs(after, v.value);
        for (const auto& [variable, teller] : std::map(after.told)) {
          if ((teller & kLoose) != 0) differs(after, variable);
        }
      }
    }
    const Bits& live = repeats.liveness_.at(to);
    after.differing &= live;
    std::erase_if(after.told, [&](const auto& entry) { return !live.test(entry.first); });
    return after;
  }

  bool join(Domain& into, const Domain& from, std::uint32_t at) const {
    if (context.in(at).size() == 1) {
      if (into.differing == from.differing && into.told == from.told) return false;
      into = from;
      return true;
    }
    bool changed = into.differing.merge(from.differing);
    std::erase_if(into.told, [&](const auto& entry) { return into.differing.test(entry.first); });
    const auto meet = [&](std::uint32_t variable, const std::map<std::uint32_t, Teller>& others, Teller teller) {
      const auto other = others.find(variable);
      if (into.differing.test(variable) || (other != others.end() && other->second == teller)) return;
      if (!one_way[at]) {
        differs(into, variable);
        changed = true;
      } else if (into.told[variable] != one_edge_to(at)) {
        into.told[variable] = one_edge_to(at);
        changed = true;
      }
    };
    for (const auto& [variable, teller] : std::map(into.told)) meet(variable, from.told, teller);
    for (const auto& [variable, teller] : from.told) meet(variable, into.told, teller);
    return changed;
  }

 private:
  static void differs(Domain& domain, std::uint32_t variable) {
    domain.differing.set(variable);
    domain.told.erase(variable);
  }

  // Whether arrivals with the same tags passed the node with the same tags.
  bool keeps_tags(NodeId node) const { return !moves || repeats.counts_.fixed(node); }
  Teller one_edge_to(std::uint32_t index) const {
    return kNode + index + (keeps_tags(context.node(index)) ? 0 : kLoose);
  }
  static bool loose(const Domain& domain, ir::VarId variable) {
    const auto told = domain.told.find(variable.value);
    return told != domain.told.end() && (told->second & kLoose) != 0;
  }

  static void tell(Domain& domain, ir::VarId variable, Teller teller) {
    if (!domain.differing.test(variable.value)) return;
    domain.differing.reset(variable.value);
    domain.told[variable.value] = teller;
  }

  void follow(EdgeId edge, const Domain& before, Domain& after) const {
    const ir::Game& game = repeats.game_;
    const Label& label = game.graph.label(edge);
    bool reads_loose = false;
    for_each_read(game, label, [&](ir::VarId v) { reads_loose = reads_loose || loose(before, v); });
    if (const ir::VarId written = written_variable(game, label); written.valid()) {
      const bool any = std::holds_alternative<ir::AssignAny>(label);
      const bool whole = writes_whole(game, label);
      if (any || reads_any(game, label, before.differing) || (!whole && before.differing.test(written.value))) {
        differs(after, written.value);
      } else if (reads_loose) {
        after.differing.reset(written.value);
        after.told[written.value] = kLoose + edge.value;
      } else if (whole) {
        after.differing.reset(written.value);
        after.told.erase(written.value);
      }
    } else if (const auto* t = std::get_if<ir::TagVariable>(&label); t != nullptr && moves) {
      const NodeId source = game.graph.source(edge);
      tell(after, t->variable, keeps_tags(source) ? kTag + repeats.counts_.at(source).least : kLoose + edge.value);
    } else if (const ir::VarId v = pinned(game, label, before.differing); v.valid()) {
      tell(after, v, edge.value + (reads_loose ? kLoose : 0));
    }
  }
};

namespace {

// Decides whether walks over two edges into one node can belong to the same exploration with the same tags.
class MeetingWalks {
 public:
  MeetingWalks(ir::Game& game, const Flow& context, bool moves, const std::vector<std::optional<Bits>>& differing,
               Exclusive& exclusive, ValueSets& values, const TagCounts& counts)
      : game_(game),
        context_(context),
        moves_(moves),
        differing_(differing),
        exclusive_(exclusive),
        values_(values),
        counts_(counts),
        dominators_(context) {
    Arcs arcs;
    arcs.reserve(context.edges().size());
    for (const FlowEdge& e : context.edges()) {
      arcs.emplace_back(e.from, e.to);
      if (e.from == e.to) self_.insert(e.from);
    }
    Components found = strong_components(context.size(), arcs);
    component_ = std::move(found.of);
    component_size_.assign(found.count, 0);
    for (const std::uint32_t c : component_) ++component_size_[c];
    mark_.assign(context.size(), 0);
  }

  bool compatible(const FlowEdge& a, const FlowEdge& b) {
    if (a.from == 0 && b.from == 0) return false;  // an exploration has only one start
    if (moves_ && different_tags(a, b)) return false;
    const std::uint32_t fork = common_dominator(a.from, b.from);
    if (on_cycle(fork)) return true;
    const auto first = branches(fork, a);
    const auto second = branches(fork, b);
    if (!first || !second) return true;
    const bool one_start = fork == 0;
    if (!one_start && moves_ && !counts_.fixed(context_.node(fork))) return true;
    if (moves_ && tags_part(*first, *second)) return false;
    // The conditions at the fork decide if both walks are there in the same state.
    if (!one_start && (!differing_[fork] || differing_[fork]->any())) return true;
    for (const FlowEdge* x : first->edges) {
      for (const FlowEdge* y : second->edges) {
        if (x == y) return true;
        if (one_start) continue;
        if (!exclusive_.never_both(x->edge, y->edge)) return true;
      }
    }
    return false;
  }

 private:
  struct Branches {
    std::vector<const FlowEdge*> edges;  // out of the fork, on paths to the edge where the walks meet
    bool untagged = false;               // some path has no tag
    bool tagged = false;                 // some path has a tag
    std::set<std::uint32_t> first_tags;  // possible first symbols; kAnyTag if unknown
  };
  static constexpr std::uint32_t kAnyTag = 0xffffffffU;

  bool on_cycle(std::uint32_t index) const { return component_size_[component_[index]] > 1 || self_.contains(index); }

  std::uint32_t common_dominator(std::uint32_t a, std::uint32_t b) const {
    while (a != b) {
      if (a > b) {
        a = dominators_.parent(a);
      } else {
        b = dominators_.parent(b);
      }
    }
    return a;
  }

  bool different_tags(const FlowEdge& a, const FlowEdge& b) {
    if (!a.edge.valid() || !b.edge.valid() || !tag(a) || !tag(b)) return false;
    std::set<std::uint32_t> x;
    std::set<std::uint32_t> y;
    add_symbols(a, x);
    add_symbols(b, y);
    return apart(x, y);
  }

  static bool apart(const std::set<std::uint32_t>& x, const std::set<std::uint32_t>& y) {
    if (x.contains(kAnyTag) || y.contains(kAnyTag)) return false;
    return std::ranges::none_of(x, [&](std::uint32_t t) { return y.contains(t); });
  }

  bool tag(const FlowEdge& e) const { return e.edge.valid() && is_tag(game_.graph.label(e.edge)); }

  // The paths from the fork to the edge, or none if the region is too large.
  std::optional<Branches> branches(std::uint32_t fork, const FlowEdge& last) {
    Branches result;
    if (last.from == fork) {
      result.edges.push_back(&last);
      if (tag(last)) {
        result.tagged = true;
        add_symbols(last, result.first_tags);
      } else {
        result.untagged = true;
      }
      return result;
    }
    // Searches backward from the edge for the region between the fork and the edge.
    constexpr std::size_t kMost = 400;
    if (budget_ == 0) return std::nullopt;
    const std::uint32_t seen = ++stamp_;
    std::vector<std::uint32_t> region{last.from};
    // Edges from the fork into the region. They are few, even if the fork has very many edges.
    std::vector<const FlowEdge*> entries;
    mark_[last.from] = seen;
    for (std::size_t i = 0; i < region.size(); ++i) {
      if (region.size() > kMost) return std::nullopt;
      budget_ -= std::min(budget_, context_.in(region[i]).size());
      for (const std::uint32_t in : context_.in(region[i])) {
        const std::uint32_t from = context_.edges()[in].from;
        if (from == fork) entries.push_back(&context_.edges()[in]);
        if (from == fork || mark_[from] == seen) continue;
        mark_[from] = seen;
        region.push_back(from);
      }
    }
    // Searches forward from the fork within the region, up to the first tags.
    std::vector<std::uint32_t> work;
    std::set<std::uint32_t> entered;
    auto step = [&](const FlowEdge& e) {
      const bool into = &e == &last || (e.to < mark_.size() && mark_[e.to] == seen);
      if (!into) return false;
      if (tag(e)) {
        result.tagged = true;
        add_symbols(e, result.first_tags);
      } else if (&e == &last) {
        result.untagged = true;
      } else if (entered.insert(e.to).second) {
        work.push_back(e.to);
      }
      return true;
    };
    for (const FlowEdge* e : entries) {
      if (step(*e)) result.edges.push_back(e);
    }
    while (!work.empty()) {
      const std::uint32_t at = work.back();
      work.pop_back();
      budget_ -= std::min(budget_, context_.out(at).size());
      for (const FlowEdge& e : context_.out(at)) step(e);
    }
    return result;
  }

  void add_symbols(const FlowEdge& e, std::set<std::uint32_t>& out) {
    constexpr std::size_t kMost = 500;
    const Label& label = game_.graph.label(e.edge);
    if (const auto* t = std::get_if<ir::Tag>(&label)) {
      out.insert(t->symbol.value);
      return;
    }
    const ir::NodeId node = game_.graph.source(e.edge);
    if (!values_.possible(node)) return;
    const auto& set =
        values_.sets().of(values_.values(game_.variable_ref(std::get<ir::TagVariable>(label).variable), node));
    if (set.size() > kMost) {
      out.insert(kAnyTag);
    } else {
      for (SymbolId s : set) out.insert(s.value);
    }
  }

  // Given equal tags up to the fork, whether the walks have different tags after it.
  static bool tags_part(const Branches& a, const Branches& b) {
    if (a.untagged && b.untagged) return false;
    return !a.tagged || !b.tagged || apart(a.first_tags, b.first_tags);
  }

  ir::Game& game_;
  const Flow& context_;
  bool moves_;
  const std::vector<std::optional<Bits>>& differing_;
  Exclusive& exclusive_;
  ValueSets& values_;
  const TagCounts& counts_;
  Dominators dominators_;
  std::vector<std::uint32_t> component_, component_size_;
  std::set<std::uint32_t> self_;
  std::vector<std::uint32_t> mark_;
  std::uint32_t stamp_ = 0;
  // Remaining number of edges that searches may visit. Once it is used up, all pairs count as compatible.
  std::size_t budget_ = 20'000'000;
};

}  // namespace

SecondVisits::SecondVisits(ir::Game& game, const Flow& flow, const Liveness& liveness, const Versions& versions,
                           ValueSets& values)
    : game_(game),
      liveness_(liveness),
      values_(values),
      exclusive_(game, values),
      counts_(game, flow),
      merges_(game.graph.node_bound()),
      facts_(game.graph.node_bound()) {
  for (Version v = 0; v < versions.size(); ++v) {
    const Versions::Row& row = versions.row(v);
    if (row.kind == Versions::Kind::merge && versions.real(v))
      merges_[flow.node(row.node).value].push_back(row.variable);
  }
  std::vector<Start> moves;
  for (const NodeId& start : move_starts(game, flow)) moves.push_back({{start}, {}});
  explore(std::move(moves), true);
  std::map<NodeId, std::vector<NodeId>> targets_of;
  for (const FlowEdge& e : flow.edges()) {
    if (!e.call) continue;
    const auto& check = std::get<ir::Reachability>(game.graph.label(e.edge));
    auto& targets = targets_of[check.from];
    if (std::ranges::find(targets, check.to) == targets.end()) targets.push_back(check.to);
  }
  std::vector<Start> checks;
  for (const auto& [start, targets] : targets_of)
    checks.push_back({{start}, targets.size() == 1 ? targets[0] : NodeId()});
  explore(std::move(checks), false);
}

// Explores each start separately, so that walks of different explorations are not mixed. If that takes too long, the
// remaining starts are combined.
void SecondVisits::explore(std::vector<Start> starts, bool moves) {
  constexpr std::size_t kMostWork = 20'000'000;
  std::size_t work = 0;
  std::vector<Start> rest;
  for (Start& start : starts) {
    work += game_.graph.node_bound();
    if (work > kMostWork) {
      rest.push_back(std::move(start));
      continue;
    }
    const Flow context(game_, start.nodes, moves, start.target);
    if (one_walk(context)) {
      for (std::uint32_t i = 1; i < context.size(); ++i) facts_[context.node(i).value].explored = true;
    } else {
      rest.push_back(std::move(start));
    }
  }
  if (rest.size() * game_.graph.node_bound() > kMostWork) {
    Start all;
    for (const Start& start : rest) all.nodes.insert(all.nodes.end(), start.nodes.begin(), start.nodes.end());
    rest.clear();
    rest.push_back(std::move(all));
  }
  for (const Start& start : rest) explore(Flow(game_, start.nodes, moves, start.target), moves);
}

// Whether there is only one walk: every state has at most one successor, and no edge leads back in reverse post-order.
bool SecondVisits::one_walk(const Flow& context) {
  for (std::uint32_t i = 1; i < context.size(); ++i) {
    for (const FlowEdge& e : context.out(i)) {
      if (e.to <= i) return false;
      if (e.edge.valid() && std::holds_alternative<ir::AssignAny>(game_.graph.label(e.edge))) return false;
    }
    const std::size_t ways = game_.graph.out_degree(context.node(i));
    if (ways > 1 && exclusive_.group(context.node(i)).edges.size() < ways) return false;
  }
  return true;
}

// The variables that distinguish arrivals, created on first use.
Bits& SecondVisits::differing(NodeId node) {
  Bits& bits = facts_[node.value].differing;
  if (bits == Bits()) bits = Bits(game_.variables().size());
  return bits;
}

void SecondVisits::note(NodeId node, const std::string& reason) {
  Fact& fact = facts_[node.value];
  if (!fact.repeated) fact.reason = reason;
  fact.repeated = true;
}

void SecondVisits::explore(const Flow& context, bool moves) {
  // Each round finds nodes with only one possible incoming edge. Then fewer variables differ, which excludes more
  // edges.
  constexpr std::size_t kLarge = 20'000;
  const int rounds = context.size() > kLarge ? 1 : 3;
  constexpr std::size_t kMostEdges = 24;
  std::vector<bool> one_way(context.size(), false);
  Differing problem{*this, context, moves, one_way};
  const auto solve = [&] {
    std::vector<std::optional<Bits>> found;
    for (auto& known : solve_forward(context, problem))
      found.push_back(known ? std::optional(std::move(known->differing)) : std::nullopt);
    return found;
  };
  std::vector<std::optional<Bits>> differing = solve();
  std::optional<MeetingWalks> meeting;
  for (int round = 0; round < rounds; ++round) {
    bool better = false;
    for (std::uint32_t i = 1; i < context.size(); ++i) {
      const auto in = context.in(i);
      if (one_way[i] || in.size() < 2 || in.size() > kMostEdges || !differing[i]) continue;
      if (!meeting) meeting.emplace(game_, context, moves, differing, exclusive_, values_, counts_);
      bool compatible = false;
      for (std::size_t a = 0; a < in.size() && !compatible; ++a) {
        for (std::size_t b = a + 1; b < in.size() && !compatible; ++b) {
          compatible = meeting->compatible(context.edges()[in[a]], context.edges()[in[b]]);
        }
      }
      if (compatible) continue;
      one_way[i] = true;
      better = true;
    }
    if (!better) break;
    differing = solve();
  }
  for (std::uint32_t i = 1; i < context.size(); ++i) {
    const NodeId node = context.node(i);
    Fact& fact = facts_[node.value];
    fact.explored = true;
    if (!differing[i]) continue;
    this->differing(node) |= *differing[i];
    for (const std::uint32_t in : context.in(i))
      lost_on(context, context.edges()[in], moves, differing[context.edges()[in].from]);
    if (context.in(i).size() > 1 && !one_way[i]) note(node, "ways that do not exclude each other come together here");
  }
}

// Reports a variable whose difference between walks is lost on an edge.
void SecondVisits::lost_on(const Flow& context, const FlowEdge& e, bool moves, const std::optional<Bits>& differing) {
  if (!e.edge.valid() || !differing || !differing->any()) return;
  const NodeId node = context.node(e.to);
  if (facts_[node.value].repeated) return;
  const Label& label = game_.graph.label(e.edge);
  const ir::VarId written = written_variable(game_, label);
  ir::VarId told = pinned(game_, label, *differing);
  if (const auto* t = std::get_if<ir::TagVariable>(&label); t != nullptr && moves) told = t->variable;
  Bits lost = *differing;
  lost.remove(liveness_.at(node));
  if (written.valid() && differing->test(written.value)) lost.set(written.value);
  lost &= liveness_.at(context.node(e.from));
  if (told.valid()) lost.reset(told.value);
  if (const auto first = lost.first()) {
    const ir::Variable& variable = game_.variable(ir::VarId(*first));
    note(node, "walks that differ only in " + game_.symbols.str(variable.name) + " become equal here");
  }
}

}  // namespace rgtrans::analysis
