#include "core/analysis/exploration/visits.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "core/analysis/dominators.hpp"
#include "core/analysis/exploration/rounds.hpp"
#include "core/ir/ir.hpp"
#include "core/support/components.hpp"

namespace rgtrans::analysis {

using ir::EdgeId;
using ir::NodeId;
using ir::VarId;

namespace {

constexpr std::size_t kMaxRegion = 5000;      // nodes in the region of one proof
constexpr std::size_t kMaxFirstTags = 128;    // steps to find the first tags after an edge
constexpr std::size_t kMaxWork = 50'000'000;  // limit for all merges of one exploration
// Merges at which only artificial tags distinguish walks stay without a test up to this number. Beyond it, equal walks
// might multiply from one merge to the next.
constexpr std::size_t kMaxMarkedMerges = 12;

using Edge = Exploration::Edge;

// The edge leaves the state and the tags alone.
constexpr bool is_still(Deed deed) { return deed == Deed::nothing || deed == Deed::compare || deed == Deed::check; }

// A graph given by arcs, with access to both ends.
class Rooted {
 public:
  Rooted(std::size_t nodes, const Arcs& links)
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
  const Arcs& links_;
  std::size_t size_;
  Grouped out_, in_;
};

bool disjoint(const std::vector<std::uint32_t>& one, const std::vector<std::uint32_t>& two) {
  for (auto a = one.begin(), b = two.begin(); a != one.end() && b != two.end();) {
    if (*a == *b) return false;
    ++(*a < *b ? a : b);
  }
  return true;
}

// Decides whether two different walks through a region can reach its end without any distinguishing feature.
class Region {
 public:
  Region(const Exploration& exploration, const VisitFacts& facts)
      : exploration_(exploration),
        facts_(facts),
        count_(static_cast<std::uint32_t>(exploration.nodes.size())),
        no_tag_(static_cast<std::uint32_t>(facts.game.symbols.size())),
        inside_(count_, false) {
    find_cycles();
    std::vector<std::uint32_t> marks;
    for (const Edge& edge : exploration.edges) {
      if (edge.deed == Deed::artificial_tag) marks.push_back(edge.target);
    }
    marked_ = behind(exploration, marks);
  }

  [[nodiscard]] const std::vector<bool>& marked() const { return marked_; }
  [[nodiscard]] bool cyclic(std::uint32_t node) const { return cyclic_[node]; }
  [[nodiscard]] std::uint32_t component(std::uint32_t node) const { return component_[node]; }

  // Whether no two walks of one exploration can meet in `to`. Such walks would part at some node between `to` and its
  // dominator `from` (or the starts). At each such node, the edges must exclude each other, or later tags or choices
  // must distinguish the walks.
  //
  // Cycles on the way are allowed, but `to` must not be on one, since one walk could then be a prefix of the other.
  // `last`: the predecessors of `to`; `by_marks`: count artificial tags as distinguishing; `lost`: variables that are
  // written after `to`, so that their values do not distinguish walks for long.
  bool harmless(std::uint32_t to, std::uint32_t from, const std::vector<std::uint32_t>& last, bool by_marks,
                std::vector<VarId> lost = {}) {
    clear(to, by_marks);
    lost_ = std::move(lost);
    bool simple = std::ranges::all_of(last, [&](std::uint32_t node) { return add(node); });
    for (std::size_t i = 0; i < nodes_.size() && simple; ++i) {
      if (nodes_.size() > kMaxRegion) simple = false;
      if (nodes_[i] == from) continue;
      for (const std::uint32_t index : exploration_.in[nodes_[i]])
        simple = add(exploration_.edges[index].source) && simple;
    }
    work_ += nodes_.size() * 8;
    return simple && work_ <= kMaxWork && told_apart();
  }

  // Whether any two different walks from the start have different labelings.
  bool labelings_differ(std::uint32_t start) {
    clear(count_, false);
    add(start);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_.size() > kMaxRegion) return false;
      for (const std::uint32_t index : exploration_.out[nodes_[i]]) {
        const Edge& edge = exploration_.edges[index];
        if (edge.deed != Deed::end_move) add(edge.target);
      }
    }
    return told_apart();
  }

 private:
  // Cache of the first tags after an edge.
  struct FirstTags {
    bool known = false;
    bool simple = false;
    std::size_t work = 0;  // the work it took to compute them
    std::vector<std::uint32_t> tags;
  };

  void find_cycles() {
    Arcs links;
    links.reserve(exploration_.edges.size());
    cyclic_.assign(count_, false);
    for (const Edge& edge : exploration_.edges) {
      links.emplace_back(edge.source, end(edge));
      if (end(edge) == edge.source) cyclic_[edge.source] = true;
    }
    component_ = strong_components(count_ + 1, links).of;
    std::vector<std::uint32_t> sizes(count_ + 1, 0);
    for (const std::uint32_t c : component_) ++sizes[c];
    for (std::uint32_t node = 0; node < count_; ++node) {
      if (sizes[component_[node]] > 1) cyclic_[node] = true;
    }
  }

  void clear(std::uint32_t sink, bool by_marks) {
    for (const std::uint32_t node : nodes_) inside_[node] = false;
    nodes_.clear();
    sink_ = sink;
    by_marks_ = by_marks;
    lost_.clear();
  }
  // Adds a node to the region. Returns false for the sink: a walk could pass through it.
  bool add(std::uint32_t node) {
    if (node == sink_) return false;
    if (!inside_[node]) nodes_.push_back(node);
    inside_[node] = true;
    return true;
  }

  // The target of an edge; ends of moves lead to the virtual node count_.
  [[nodiscard]] std::uint32_t end(const Edge& edge) const { return edge.deed == Deed::end_move ? count_ : edge.target; }
  [[nodiscard]] bool writes(const Edge& edge, VarId variable) const {
    return analysis::writes(edge.deed) && facts_.deeds[edge.number].written == variable;
  }
  [[nodiscard]] bool relevant(const Edge& edge) const {
    const std::uint32_t to = end(edge);
    return to == sink_ || (to < count_ && inside_[to]);
  }

  // Collects the tags that can come first after `edge`, and no_tag_ if the sink is reachable without a tag. Returns
  // false if the search is too large. With `carried`: succeeds only if every first tag is this variable, unchanged
  // since `edge`.
  bool first_tags(const Edge& edge, std::vector<std::uint32_t>& plain, VarId carried) {
    std::vector<const Edge*> todo{&edge};
    std::vector<std::uint32_t> seen;
    std::size_t steps = 0;
    bool first = true;
    while (!todo.empty()) {
      const Edge& at = *todo.back();
      todo.pop_back();
      ++work_;
      if (++steps > kMaxFirstTags) return false;
      const bool initial = std::exchange(first, false);
      if (at.deed == Deed::tag || (at.deed == Deed::artificial_tag && by_marks_ && !carried.valid())) {
        if (carried.valid()) return false;
        plain.push_back(std::get<ir::Tag>(facts_.game.graph.label(at.edge)).symbol.value);
        continue;
      }
      if (at.deed == Deed::tag_variable) {
        const VarId variable = std::get<ir::TagVariable>(facts_.game.graph.label(at.edge)).variable;
        if (carried.valid()) {
          if (variable != carried) return false;
          continue;
        }
        for (const SymbolId symbol : facts_.held.of(variable)) plain.push_back(symbol.value);
        continue;
      }
      const std::uint32_t to = end(at);
      if (to == sink_) {
        if (carried.valid()) return false;
        plain.push_back(no_tag_);
        continue;
      }
      if (!initial && carried.valid() && writes(at, carried)) return false;
      if (std::ranges::find(seen, to) != seen.end()) continue;
      seen.push_back(to);
      for (const std::uint32_t next : exploration_.out[to]) {
        if (relevant(exploration_.edges[next])) todo.push_back(&exploration_.edges[next]);
      }
    }
    return true;
  }

  bool find_first_tags(const Edge& edge, FirstTags& first) {
    if (first.known) {
      work_ += first.work;
      return first.simple;
    }
    const std::size_t before = work_;
    first.simple = first_tags(edge, first.tags, {});
    first.work = work_ - before;
    first.known = true;
    std::ranges::sort(first.tags);
    return first.simple;
  }

  // Whether the value chosen by an assignment of any value is still visible at the sink.
  bool choice_survives(const Edge& edge) {
    const Deeds::Row& row = facts_.deeds[edge.number];
    if (!row.whole) return false;
    const auto& any = std::get<ir::AssignAny>(facts_.game.graph.label(edge.edge));
    if (facts_.game.members(any.type).size() == 1) return true;
    std::vector<std::uint32_t> ignored;
    if (first_tags(edge, ignored, row.written)) return true;
    if (std::ranges::find(lost_, row.written) != lost_.end()) return false;
    if (sink_ >= count_ || !exploration_.live[sink_].test(row.written.value)) return false;
    // Ignore @repeat after artificial tags, because the promise may rely on those tags.
    const Bits* listed = marked_[sink_] ? nullptr : facts_.promises.repeat(NodeId(exploration_.nodes[sink_]));
    if (listed != nullptr && !listed->test(row.written.value)) return false;
    work_ += count_;
    // The variable keeps the value to the sink: no other edge of the region writes it, and this edge is on no cycle.
    if (cyclic_[edge.source]) return false;
    return std::ranges::none_of(nodes_, [&](std::uint32_t node) {
      return std::ranges::any_of(exploration_.out[node], [&](std::uint32_t index) {
        const Edge& other = exploration_.edges[index];
        return &other != &edge && relevant(other) && writes(other, row.written);
      });
    });
  }

  bool told_apart() {
    return std::ranges::all_of(nodes_, [&](std::uint32_t node) { return told_apart(node); });
  }
  bool told_apart(std::uint32_t node) {
    std::vector<const Edge*> edges;
    for (const std::uint32_t index : exploration_.out[node]) {
      const Edge& edge = exploration_.edges[index];
      if (!relevant(edge)) continue;
      if (edge.deed == Deed::assign_any && !choice_survives(edge)) return false;
      edges.push_back(&edge);
    }
    constexpr std::size_t kMostEdges = 64;
    if (edges.size() > kMostEdges) return false;
    std::vector<FirstTags> first;
    const auto by_tags = [&](std::size_t i, std::size_t k) {
      first.resize(edges.size());
      return find_first_tags(*edges[i], first[i]) && find_first_tags(*edges[k], first[k]) &&
             disjoint(first[i].tags, first[k].tags);
    };
    for (std::size_t i = 0; i < edges.size(); ++i) {
      for (std::size_t k = i + 1; k < edges.size(); ++k) {
        work_ += 8;
        if (work_ > kMaxWork) return false;
        if (!facts_.exclude(edges[i]->edge, edges[k]->edge) && !by_tags(i, k)) return false;
      }
    }
    return true;
  }

  const Exploration& exploration_;
  const VisitFacts& facts_;
  const std::uint32_t count_;
  const std::uint32_t no_tag_;            // a number beyond all symbols
  std::vector<std::uint32_t> component_;  // by node, plus one entry for the virtual node after all moves
  std::vector<bool> cyclic_, marked_;     // by node: on a cycle; reachable from an artificial tag
  std::vector<bool> inside_;              // the region, excluding the sink
  std::vector<std::uint32_t> nodes_;      // nodes of the region, as a list
  std::uint32_t sink_ = 0;                // the end of the region: a node, or count_ for completed moves
  bool by_marks_ = false;
  std::vector<VarId> lost_;
  std::size_t work_ = 0;  // work done so far; beyond kMaxWork every proof fails
};

class VisitSearch {
 public:
  VisitSearch(const Exploration& exploration, const VisitFacts& facts)
      : exploration_(exploration),
        facts_(facts),
        count_(static_cast<std::uint32_t>(exploration.nodes.size())),
        region_(exploration, facts),
        is_start_(count_, false) {
    for (const std::uint32_t start : exploration.starts) is_start_[start] = true;
    found_.visit.assign(count_, false);
    found_.late.assign(count_, false);
    found_.unproved.assign(count_, false);
  }

  Visits run() {
    behind_ = behind_choices();
    look_at_merges();
    look_at_loops();
    believe_promises();
    if (facts_.doubts) doubt_merges();
    found_.marked = region_.marked();
    return std::move(found_);
  }

 private:
  [[nodiscard]] const Edge& edge(std::uint32_t index) const { return exploration_.edges[index]; }

  // Dominators relative to a virtual root before all starts. Computed on first use, since many automata need none.
  std::uint32_t dominator_of(std::uint32_t node) {
    if (dominator_.empty()) {
      Arcs links;
      links.reserve(exploration_.edges.size() + exploration_.starts.size());
      for (const Edge& e : exploration_.edges)
        links.emplace_back(e.source, e.deed == Deed::end_move ? count_ : e.target);
      for (const std::uint32_t start : exploration_.starts) links.emplace_back(count_ + 1, start);
      dominator_ = immediate_dominators(Rooted(count_ + 2, links), count_ + 1);
    }
    return dominator_[node];
  }

  // The closest dominator that one walk of an exploration reaches. Two walks may pass other dominators in different
  // states, and lose the difference afterwards.
  std::uint32_t single_walk_before(std::uint32_t node) {
    do node = dominator_of(node);
    while (node < count_ && behind_[node]);
    return node;
  }

  // All edges compare the same expression with different symbols.
  [[nodiscard]] bool is_switch(std::uint32_t node) const {
    const std::span<const std::uint32_t> out = exploration_.out[node];
    if (out.size() < 3) return false;
    std::vector<SymbolId> symbols;
    ir::ExprId what;
    for (const std::uint32_t index : out) {
      if (edge(index).deed != Deed::compare) return false;
      const auto compare = std::get<ir::Compare>(canonical(facts_.game, facts_.game.graph.label(edge(index).edge)));
      const auto symbol = facts_.game.constant_symbol(compare.rhs);
      if (compare.negated || !symbol || (what.valid() && what != compare.lhs)) return false;
      what = compare.lhs;
      symbols.push_back(*symbol);
    }
    std::ranges::sort(symbols);
    return std::ranges::adjacent_find(symbols) == symbols.end();
  }

  // At most one of the edges is legal, and it has one result.
  [[nodiscard]] bool steers_alone(std::uint32_t node) const {
    return is_switch(node) || excluding(exploration_.out[node]);
  }
  // The same for the edges that stay in the loop.
  [[nodiscard]] bool stays_one_way(std::uint32_t node) const {
    std::vector<std::uint32_t> inside;
    std::ranges::copy_if(exploration_.out[node], std::back_inserter(inside), [&](std::uint32_t e) { return stays(e); });
    return is_switch(node) || excluding(inside);
  }
  [[nodiscard]] bool stays(std::uint32_t index) const {
    const Edge& e = edge(index);
    return e.deed != Deed::end_move && region_.component(e.source) == region_.component(e.target);
  }
  [[nodiscard]] bool excluding(std::span<const std::uint32_t> out) const {
    constexpr std::size_t kMost = 16;
    if (out.size() > kMost) return false;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Edge& one = edge(out[i]);
      if (one.deed == Deed::assign_any &&
          facts_.game.members(std::get<ir::AssignAny>(facts_.game.graph.label(one.edge)).type).size() > 1) {
        return false;
      }
      for (std::size_t k = 0; k < i; ++k) {
        if (!facts_.exclude(one.edge, edge(out[k]).edge)) return false;
      }
    }
    return true;
  }

  // Nodes reachable from an open choice. Two walks of one exploration can meet only there.
  [[nodiscard]] std::vector<bool> behind_choices() const {
    std::vector<std::uint32_t> next;
    for (std::uint32_t node = 0; node < count_; ++node) {
      if (steers_alone(node)) continue;
      for (const std::uint32_t index : exploration_.out[node]) {
        if (edge(index).deed != Deed::end_move) next.push_back(edge(index).target);
      }
    }
    return behind(exploration_, next);
  }

  void look_at_merges() {
    const bool has_marks =
        std::ranges::any_of(exploration_.edges, [](const Edge& e) { return e.deed == Deed::artificial_tag; });
    std::vector<std::uint32_t> marked;  // merges at which only artificial tags distinguish walks
    for (std::uint32_t node = 0; node < count_; ++node) {
      const std::size_t arrivals = exploration_.in[node].size() + (is_start_[node] ? 1 : 0);
      if (arrivals < 2 || node == exploration_.target) continue;
      if (region_.cyclic(node)) {
        found_.visit[node] = true;
        continue;
      }
      // Each start begins a separate exploration, so being a start adds no arrival to other explorations.
      if (exploration_.in[node].size() < 2 || !behind_[node]) continue;
      std::vector<std::uint32_t> last;
      for (const std::uint32_t index : exploration_.in[node]) last.push_back(edge(index).source);
      if (region_.harmless(node, dominator_of(node), last, false)) continue;
      found_.visit[node] = true;
      // If artificial tags distinguish the walks here, they rarely meet, and the test can be omitted.
      if (has_marks && region_.harmless(node, dominator_of(node), last, true)) marked.push_back(node);
    }
    for (const std::uint32_t node : marked) {
      found_.visit[node] = found_.late[node] = marked.size() > kMaxMarkedMerges;
    }
  }

  // At a merge behind several walks the proof compared walks that pass its dominator in one state. Walks that pass it
  // in different states can lose the difference before they meet. Such a meeting only repeats work, so no test is made;
  // but single arrivals are proved only if the proof also holds from a node that one walk passes.
  void doubt_merges() {
    for (std::uint32_t node = 0; node < count_; ++node) {
      if (found_.visit[node] || exploration_.in[node].size() < 2 || !behind_[node] || region_.cyclic(node)) continue;
      if (facts_.promises.unique(NodeId(exploration_.nodes[node]))) continue;
      const std::uint32_t from = single_walk_before(node);
      if (from == dominator_of(node)) continue;
      std::vector<std::uint32_t> last;
      for (const std::uint32_t index : exploration_.in[node]) last.push_back(edge(index).source);
      found_.unproved[node] = !region_.harmless(node, from, last, false);
    }
  }

  // A loop with one entrance and no open choice can repeat a state only if it runs forever. This is proved if no two
  // walks enter the loop, or if tags or variables that the loop does not write distinguish them.
  void look_at_loops() {
    Rounds rounds(exploration_, facts_.game, facts_.held);
    std::vector<std::vector<std::uint32_t>> loops(count_ + 1);
    for (std::uint32_t node = 0; node < count_; ++node) {
      if (region_.cyclic(node)) loops[region_.component(node)].push_back(node);
    }
    for (const std::vector<std::uint32_t>& loop : loops) {
      const OneWay one_way = loop.empty() ? OneWay::no : goes_one_way(loop);
      if (one_way == OneWay::no) continue;
      Rounds::Edges edges;
      for (const std::uint32_t node : loop) {
        std::ranges::copy_if(exploration_.out[node], std::back_inserter(edges), [&](auto e) { return stays(e); });
      }
      const bool ends = rounds.end(edges);
      // A second round without effect is sure to repeat the first one, so the tests are not late.
      if (!ends && std::ranges::all_of(edges, [&](std::uint32_t e) { return is_still(edge(e).deed); })) continue;
      for (const std::uint32_t node : loop) {
        found_.late[node] = true;
        if (ends) found_.visit[node] = false;
        found_.unproved[node] = one_way == OneWay::expected;
      }
    }
  }
  enum class OneWay : std::uint8_t { no, expected, proved };
  OneWay goes_one_way(const std::vector<std::uint32_t>& loop) {
    std::uint32_t entrance = kNone;
    std::vector<std::uint32_t> last;
    std::vector<VarId> written;
    for (const std::uint32_t node : loop) {
      for (const std::uint32_t index : exploration_.out[node])
        if (stays(index) && writes(edge(index).deed)) written.push_back(facts_.deeds[edge(index).number].written);
      std::size_t arrivals = is_start_[node] ? 1 : 0;
      for (const std::uint32_t index : exploration_.in[node]) {
        if (region_.component(edge(index).source) == region_.component(node)) continue;
        ++arrivals;
        last.push_back(edge(index).source);
      }
      if ((arrivals > 0 && entrance != kNone) || !stays_one_way(node)) return OneWay::no;
      if (arrivals > 0) entrance = node;
    }
    if (entrance == kNone) return OneWay::no;
    const bool start = is_start_[entrance];
    const bool one_way_in = last.size() + (start ? 1 : 0) <= 1;
    if (!one_way_in && (start || !region_.harmless(entrance, dominator_of(entrance), last, true))) return OneWay::no;
    const bool proved = last.empty() || !behind_[entrance] ||
                        region_.harmless(entrance, single_walk_before(entrance), last, true, std::move(written));
    return proved ? OneWay::proved : OneWay::expected;
  }

  // Accepts @unique except on cycles of edges without effect, where a test is needed to end the walk. On a cycle with
  // an artificial tag, possibly only that tag distinguishes arrivals; the test then remains, but as a late one.
  void believe_promises() {
    if (!facts_.promises.any_unique()) return;
    const auto unique = [&](std::uint32_t node) { return facts_.promises.unique(NodeId(exploration_.nodes[node])); };
    std::vector<bool> marked_cycle(count_ + 1, false);
    Arcs idle;
    for (const Edge& e : exploration_.edges) {
      const bool mark = e.deed == Deed::artificial_tag;
      const bool still = is_still(e.deed) || mark;
      const bool tested = found_.visit[e.source] && !unique(e.source);
      if (mark && region_.component(e.source) == region_.component(e.target))
        marked_cycle[region_.component(e.source)] = true;
      if (still && !tested) idle.emplace_back(e.source, e.target);
    }
    const std::vector<std::uint32_t> part = strong_components(count_, idle).of;
    std::vector<bool> idles_alone(count_, false);
    for (const auto& [source, target] : idle) idles_alone[source] = idles_alone[source] || source == target;
    std::vector<std::uint32_t> members(count_, 0);
    for (const std::uint32_t c : part) ++members[c];
    for (std::uint32_t node = 0; node < count_; ++node) {
      if (found_.visit[node] && unique(node) && members[part[node]] == 1 && !idles_alone[node])
        found_.visit[node] = found_.late[node] = marked_cycle[region_.component(node)];
    }
  }

  const Exploration& exploration_;
  const VisitFacts& facts_;
  const std::uint32_t count_;
  Region region_;
  std::vector<bool> is_start_;
  std::vector<bool> behind_;  // by node: reachable from an open choice
  std::vector<std::uint32_t> dominator_;
  Visits found_;
};

}  // namespace

bool VisitFacts::exclude(EdgeId first, EdgeId second) const {
  return promises.exclude(game.graph.source(first), game.graph.target(first), game.graph.target(second)) ||
         exclusive.never_both(first, second);
}

Visits find_visits(const Exploration& exploration, const VisitFacts& facts) {
  return VisitSearch(exploration, facts).run();
}

std::vector<bool> find_equal_labelings(const Exploration& exploration, const VisitFacts& facts) {
  Region region(exploration, facts);
  std::vector<bool> equal;
  for (const std::uint32_t start : exploration.starts) equal.push_back(!region.labelings_differ(start));
  return equal;
}

}  // namespace rgtrans::analysis
