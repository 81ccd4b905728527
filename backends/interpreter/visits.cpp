// Where second arrivals are possible: the edges of a node that exclude each other, the merges at which no two walks
// can meet without anything to tell them apart, and the loops that repeat nothing.
#include <algorithm>
#include <utility>

#include "backends/interpreter/context.hpp"

namespace rgtrans::interpreter {

using ir::EdgeId;
using ir::NodeId;
using ir::VarId;

namespace {

constexpr std::size_t kMaxRegion = 5000;      // nodes looked at to prove that a merge is harmless
constexpr std::size_t kMaxFirstTags = 128;    // steps taken to find the tags that can come next
constexpr std::size_t kMaxWork = 50'000'000;  // for all merges of one context
// With more merges at which nothing but artificial tags tells walks apart, equal walks might multiply from one such
// merge to the next.
constexpr std::size_t kMaxMarkedMerges = 12;

// Links by both ends.
class Rooted {
 public:
  Rooted(std::size_t nodes, const analysis::Arcs& links)
      : links_(links),
        size_(nodes),
        out_(nodes, links.size(), [&](std::uint32_t i) { return links[i].first; }),
        in_(nodes, links.size(), [&](std::uint32_t i) { return links[i].second; }) {}
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t out_count(std::uint32_t node) const { return out_[node].size(); }
  [[nodiscard]] std::uint32_t out(std::uint32_t node, std::size_t i) const { return links_[out_[node][i]].second; }
  template <class F>
  void for_each_in(std::uint32_t node, F&& f) const {
    for (const std::uint32_t link : in_[node]) f(links_[link].first);
  }

 private:
  const analysis::Arcs& links_;
  std::size_t size_;
  Grouped out_, in_;
};

}  // namespace

bool Explorer::exclusive(EdgeId first, EdgeId second) const {
  return promises_.exclude(game_.graph.source(first), game_.graph.target(first), game_.graph.target(second)) ||
         exclusive_.never_both(first, second);
}

// --- Where second arrivals are possible. ---

// Decides whether two walks that part in a region can arrive at its end without anything to tell them apart.
struct ForkFacts {
  const ir::Game& game;
  const StateLayout& layout;
  const Explorer& facts;
  const MachineContext& context;
  std::uint32_t sink;               // the end of the region: a node, or nodes.size() for completed moves
  const std::vector<bool>& inside;  // the region, without the sink
  const std::vector<bool>& cyclic;  // nodes on cycles

  bool marks;         // artificial tags tell walks apart
  std::size_t& work;  // spent so far; beyond kMaxWork nothing is proved any more
  // Behind all symbols.
  const std::uint32_t kNoTag = static_cast<std::uint32_t>(game.symbols.size());

  [[nodiscard]] std::uint32_t target(const MachineContext::Edge& edge) const {
    return edge.deed == Deed::end_move ? static_cast<std::uint32_t>(context.nodes.size()) : edge.target;
  }
  [[nodiscard]] bool writes(const MachineContext::Edge& edge, VarId variable) const {
    return analysis::writes(edge.deed) && facts.deeds()[edge.number].written == variable;
  }
  [[nodiscard]] bool relevant(const MachineContext::Edge& edge) const {
    const std::uint32_t to = target(edge);
    return to == sink || (to < inside.size() && inside[to]);
  }

  // Adds the tags that can come first after taking `edge`, with kNoTag where the sink may be reached without any; false
  // when that is too complicated. `carried`: nothing but this variable may be the tag, and it must not be written
  // before.
  bool first_tags(const MachineContext::Edge& edge, std::vector<std::uint32_t>& plain, VarId carried) const {
    std::vector<const MachineContext::Edge*> todo{&edge};
    std::vector<std::uint32_t> seen;
    std::size_t steps = 0;
    bool first = true;
    while (!todo.empty()) {
      const MachineContext::Edge& at = *todo.back();
      todo.pop_back();
      ++work;
      if (++steps > kMaxFirstTags) return false;
      const bool initial = std::exchange(first, false);
      if (at.deed == Deed::tag || (at.deed == Deed::artificial_tag && marks && !carried.valid())) {
        if (carried.valid()) return false;
        plain.push_back(std::get<ir::Tag>(game.graph.label(at.edge)).symbol.value);
        continue;
      }
      if (at.deed == Deed::tag_variable) {
        const VarId variable = std::get<ir::TagVariable>(game.graph.label(at.edge)).variable;
        if (carried.valid()) {
          if (variable != carried) return false;
          continue;
        }
        for (std::uint32_t code : layout.variable(variable).codes) plain.push_back(layout.symbol(code).value);
        continue;
      }
      const std::uint32_t to = target(at);
      if (to == sink) {
        if (carried.valid()) return false;
        plain.push_back(kNoTag);
        continue;
      }
      if (!initial && carried.valid() && writes(at, carried)) return false;
      if (std::ranges::find(seen, to) != seen.end()) continue;
      seen.push_back(to);
      for (std::uint32_t next : context.out[to]) {
        if (relevant(context.edges[next])) todo.push_back(&context.edges[next]);
      }
    }
    return true;
  }

  // The first tags of one way on, once they are asked for.
  struct FirstTags {
    bool known = false;
    bool simple = false;
    std::size_t work = 0;  // that finding them took
    std::vector<std::uint32_t> tags;
  };
  bool find_first_tags(const MachineContext::Edge& edge, FirstTags& first) const {
    if (first.known) {
      work += first.work;
      return first.simple;
    }
    const std::size_t before = work;
    first.simple = first_tags(edge, first.tags, {});
    first.work = work - before;
    first.known = true;
    std::ranges::sort(first.tags);
    return first.simple;
  }
  static bool disjoint(const std::vector<std::uint32_t>& one, const std::vector<std::uint32_t>& two) {
    for (auto a = one.begin(), b = two.begin(); a != one.end() && b != two.end();) {
      if (*a == *b) return false;
      ++(*a < *b ? a : b);
    }
    return true;
  }

  // Whatever an any-assignment chose can still be told at the sink.
  [[nodiscard]] bool choice_survives(const MachineContext::Edge& edge) const {
    const analysis::Deeds::Row& row = facts.deeds()[edge.number];
    if (!row.whole) return false;
    const auto& any = std::get<ir::AssignAny>(game.graph.label(edge.edge));
    if (game.members(any.type).size() == 1) return true;
    std::vector<std::uint32_t> ignored;
    if (first_tags(edge, ignored, row.written)) return true;
    if (sink >= context.nodes.size() || !context.live[sink].test(row.written.value)) return false;
    if (const Bits* listed = facts.repeat(context, sink); listed != nullptr && !listed->test(row.written.value)) {
      return false;
    }
    work += inside.size();
    // Kept to the end: no other edge of the region writes it, nor this one again.
    if (cyclic[edge.source]) return false;
    for (std::uint32_t node = 0; node < inside.size(); ++node) {
      if (!inside[node]) continue;
      for (std::uint32_t index : context.out[node]) {
        const MachineContext::Edge& other = context.edges[index];
        if (&other != &edge && relevant(other) && writes(other, row.written)) return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool harmless(std::uint32_t node) const {
    std::vector<const MachineContext::Edge*> edges;
    for (std::uint32_t index : context.out[node]) {
      const MachineContext::Edge& edge = context.edges[index];
      if (!relevant(edge)) continue;
      if (edge.deed == Deed::assign_any && !choice_survives(edge)) return false;
      edges.push_back(&edge);
    }
    if (edges.size() > 16 && edges.size() * edges.size() > 4096) return false;
    std::vector<FirstTags> first;
    const auto told_apart = [&](std::size_t i, std::size_t k) {
      first.resize(edges.size());
      return find_first_tags(*edges[i], first[i]) && find_first_tags(*edges[k], first[k]) &&
             disjoint(first[i].tags, first[k].tags);
    };
    for (std::size_t i = 0; i < edges.size(); ++i) {
      for (std::size_t k = i + 1; k < edges.size(); ++k) {
        work += 8;
        if (work > kMaxWork) return false;
        if (!facts.exclusive(edges[i]->edge, edges[k]->edge) && !told_apart(i, k)) return false;
      }
    }
    return true;
  }
};

// All edges compare the same with different symbols.
bool Explorer::is_switch(const MachineContext& context, std::uint32_t node) const {
  const std::span<const std::uint32_t> out = context.out[node];
  if (out.size() < 3) return false;
  std::vector<std::uint32_t> codes;
  std::optional<Sym> what;
  for (std::uint32_t index : out) {
    const MachineContext::Edge& edge = context.edges[index];
    const EdgeFacts& facts = facts_[edge.edge.value];
    if (edge.deed != Deed::compare || !facts.symbolic) return false;
    if (std::get<ir::Compare>(game_.graph.label(edge.edge)).negated) return false;
    const auto code = symbolic_.constant(facts.right);
    if (!code || (what && *what != facts.left)) return false;
    what = facts.left;
    codes.push_back(*code);
  }
  std::ranges::sort(codes);
  return std::ranges::adjacent_find(codes) == codes.end();
}

// Nodes behind a choice that is open: only there two walks of one exploration can meet.
std::vector<bool> Explorer::behind_choices(const MachineContext& context) const {
  std::vector<std::uint32_t> next;
  for (std::uint32_t node = 0; node < context.nodes.size(); ++node) {
    if (steers_alone(context, node)) continue;
    for (const std::uint32_t index : context.out[node]) {
      if (context.edges[index].deed != Deed::end_move) next.push_back(context.edges[index].target);
    }
  }
  return analysis::behind(context, next);
}

// At most one of the edges is legal, with one result.
bool Explorer::steers_alone(const MachineContext& context, std::uint32_t node) const {
  const std::span<const std::uint32_t> out = context.out[node];
  if (is_switch(context, node)) return true;
  if (out.size() > 16) return false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const MachineContext::Edge& edge = context.edges[out[i]];
    if (edge.deed == Deed::assign_any &&
        game_.members(std::get<ir::AssignAny>(game_.graph.label(edge.edge)).type).size() > 1) {
      return false;
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (!exclusive(edge.edge, context.edges[out[k]].edge)) return false;
    }
  }
  return true;
}

void Explorer::find_visits(MachineContext& context, bool moves) const {
  const auto count = static_cast<std::uint32_t>(context.nodes.size());
  context.visit.assign(count, false);
  context.deduplicate.assign(context.starts.size(), true);
  // Plus one node behind all moves.
  analysis::Arcs links;
  links.reserve(context.edges.size() + context.starts.size());
  for (const MachineContext::Edge& edge : context.edges) {
    links.emplace_back(edge.source, edge.deed == Deed::end_move ? count : edge.target);
  }
  const std::vector<std::uint32_t> component = analysis::strong_components(count + 1, links).of;
  std::vector<std::uint32_t> sizes(count + 1, 0);
  for (std::uint32_t c : component) ++sizes[c];
  std::vector<bool> cyclic(count + 1, false);
  for (std::uint32_t node = 0; node < count; ++node) cyclic[node] = sizes[component[node]] > 1;
  for (const MachineContext::Edge& edge : context.edges) {
    if (edge.deed != Deed::end_move && edge.source == edge.target) cyclic[edge.source] = true;
  }
  std::vector<bool> is_start(count, false);
  for (std::uint32_t start : context.starts) is_start[start] = true;

  // Dominators, from a node before all starts; many automata need none.
  std::vector<std::uint32_t> dominator;
  const auto dominator_of = [&](std::uint32_t node) {
    if (dominator.empty()) {
      for (std::uint32_t start : context.starts) links.emplace_back(count + 1, start);
      dominator = analysis::immediate_dominators(Rooted(count + 2, links), count + 1);
    }
    return dominator[node];
  };
  const std::vector<bool> behind = behind_choices(context);

  std::size_t work = 0;
  std::vector<bool> inside(count, false);
  std::vector<std::uint32_t> region;
  // Whether no two walks of one exploration can meet in `to`. They would part at some node between its dominator
  // `from` (or the starts) and `to`: there they must exclude each other, or be told apart afterwards. This holds for
  // cycles on the way too; only `to` itself may not be on one, for then one walk can be a part of the other.
  const auto harmless = [&](std::uint32_t to, std::size_t from, const std::vector<std::uint32_t>& last, bool marks) {
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
    const ForkFacts facts{game_, layout_, *this, context, to, inside, cyclic, marks, work};
    return std::ranges::all_of(region, [&](std::uint32_t node) { return facts.harmless(node); });
  };

  const bool has_marks = std::ranges::any_of(
      context.edges, [](const MachineContext::Edge& edge) { return edge.deed == Deed::artificial_tag; });
  std::vector<std::uint32_t> marked;  // merges at which only artificial tags tell walks apart
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
    if (!behind[node]) continue;
    std::vector<std::uint32_t> last;
    for (std::uint32_t index : context.in[node]) last.push_back(context.edges[index].source);
    if (harmless(node, dominator_of(node), last, false)) continue;
    context.visit[node] = true;
    // Artificial tags promise that walks seldom meet here.
    if (has_marks && harmless(node, dominator_of(node), last, true)) marked.push_back(node);
  }
  context.late.assign(count, false);
  for (const std::uint32_t node : marked) {
    context.visit[node] = context.late[node] = marked.size() > kMaxMarkedMerges;
  }
  // A loop with one entrance that is nowhere left to choice repeats a state only when it runs for ever.
  std::vector<std::vector<std::uint32_t>> loops(count + 1);
  for (std::uint32_t node = 0; node < count; ++node) {
    if (cyclic[node]) loops[component[node]].push_back(node);
  }
  for (const std::vector<std::uint32_t>& loop : loops) {
    std::uint32_t entrance = MachineContext::kNone;
    std::vector<std::uint32_t> last;
    bool steered = !loop.empty();
    for (std::size_t i = 0; i < loop.size() && steered; ++i) {
      std::size_t arrivals = is_start[loop[i]] ? 1 : 0;
      for (std::uint32_t index : context.in[loop[i]]) {
        if (component[context.edges[index].source] == component[loop[i]]) continue;
        ++arrivals;
        last.push_back(context.edges[index].source);
      }
      steered = (arrivals == 0 || entrance == MachineContext::kNone) && steers_alone(context, loop[i]);
      if (arrivals > 0) entrance = loop[i];
    }
    if (!steered || entrance == MachineContext::kNone) continue;
    const std::size_t arrivals = last.size() + (is_start[entrance] ? 1 : 0);
    if (arrivals > 1 && (is_start[entrance] || !harmless(entrance, dominator_of(entrance), last, true))) continue;
    for (std::uint32_t node : loop) context.late[node] = true;
  }
  // @unique is a promise, except where nothing else would end a walk that changes nothing. On a cycle with an
  // artificial tag it may be nothing but this tag that makes arrivals differ.
  if (!unique_.empty()) {
    std::vector<bool> marked_cycle(count + 1, false);
    analysis::Arcs idle;
    for (const MachineContext::Edge& edge : context.edges) {
      const bool still = edge.deed == Deed::nothing || edge.deed == Deed::compare || edge.deed == Deed::check ||
                         edge.deed == Deed::artificial_tag;
      const bool tested = context.visit[edge.source] && !unique_.contains(NodeId(context.nodes[edge.source]));
      if (edge.deed == Deed::artificial_tag && component[edge.source] == component[edge.target]) {
        marked_cycle[component[edge.source]] = true;
      }
      if (still && !tested) idle.emplace_back(edge.source, edge.target);
    }
    const std::vector<std::uint32_t> part = analysis::strong_components(count, idle).of;
    std::vector<bool> idles_alone(count, false);
    for (const auto& [source, target] : idle) idles_alone[source] = idles_alone[source] || source == target;
    std::vector<std::uint32_t> members(count, 0);
    for (std::uint32_t c : part) ++members[c];
    for (std::uint32_t node = 0; node < count; ++node) {
      if (context.visit[node] && unique_.contains(NodeId(context.nodes[node])) && members[part[node]] == 1 &&
          !idles_alone[node]) {
        context.visit[node] = marked_cycle[component[node]];
        context.late[node] = marked_cycle[component[node]];
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
        const MachineContext::Edge& edge = context.edges[index];
        if (edge.deed == Deed::end_move || inside[edge.target]) continue;
        inside[edge.target] = true;
        region.push_back(edge.target);
      }
    }
    if (!simple) continue;
    const ForkFacts facts{game_, layout_, *this, context, count, inside, cyclic, false, work};
    context.deduplicate[i] = !std::ranges::all_of(region, [&](std::uint32_t node) { return facts.harmless(node); });
  }
}

}  // namespace rgtrans::interpreter
