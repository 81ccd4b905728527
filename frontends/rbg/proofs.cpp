// A node is surely continuing when the first tests on its ways to surely continuing nodes together cover all cases.
// All tests on such a way look at the same state, so that each way is a conjunction of literals over atoms: the
// position of the cursor, the piece at a place, the value of a variable, the order of two values, a pattern. The
// question whether the disjunction of the ways always holds is answered by splitting on one atom after another.
#include "frontends/rbg/proofs.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "frontends/rbg/arithmetic.hpp"
#include "frontends/rbg/knowledge.hpp"

namespace rgtrans::rbg {

namespace {

constexpr std::size_t kMaxWays = 120;      // ways from one node
constexpr std::size_t kMaxTests = 24;      // tests on a way
constexpr std::size_t kMaxSplits = 4'000;  // case distinctions for one node
constexpr std::int64_t kMaxValues = 4'096;
constexpr std::size_t kMaxPairs = 2'000;  // of walks that are followed together
constexpr std::size_t kMaxRereadVertices = 500;

// What a literal speaks about.
struct Atom {
  enum class Kind : std::uint8_t { cursor, piece, value, order, pattern, other } kind = Kind::other;
  std::uint64_t key = 0;
  auto operator<=>(const Atom&) const = default;
};
struct Literal {
  Atom atom;
  Bits allowed;  // over the values of the atom
};
using Way = std::vector<Literal>;

class Prover {
 public:
  Prover(const Description& description, Relations& relations, const Flow& flow)
      : d_(description),
        r_(relations),
        f_(flow),
        arithmetic_(description),
        known_(analyse(description, relations, flow)) {}

  std::vector<char> run() {
    sure_.assign(f_.node_count(), 0);
    if (!known_.known()) return sure_;
    queued_.assign(f_.node_count(), 0);
    for (const Flow::Pattern& pattern : f_.patterns) {
      if (pattern.alive) accept(pattern.end);
    }
    for (EdgeId id = 0; id < f_.edge_count(); ++id) {
      if (f_.edge(id).alive && ends_move(f_.edge(id).step.kind)) accept(f_.edge(id).from);
    }
    while (!queue_.empty()) {
      const NodeId node = queue_.back();
      queue_.pop_back();
      queued_[node] = 0;
      if (sure_[node] == 0 && covered(node)) accept(node);
    }
    return sure_;
  }

  // Needs run() before. May both steps, out of one node, lead on in the same state, and not to the same node?
  bool rivals(EdgeId a, EdgeId b) {
    std::vector<Trail> left, right;
    const NodeId root = f_.edge(a).from;
    root_ = root;
    Trail trail;
    follow(a, kNowhere, trail, left);
    follow(b, kNowhere, trail, right);
    return std::ranges::any_of(left, [&](const Trail& x) {
      return std::ranges::any_of(right, [&](const Trail& y) {
        return !meet(x, y) && !contradict(x.way, y.way) && !denies(x.way, b) && !denies(y.way, a);
      });
    });
  }
  [[nodiscard]] bool known() const { return known_.known(); }

 private:
  // The tests on a way up to its first other step, and the nodes on it.
  struct Trail {
    Way way;
    std::vector<NodeId> nodes;
  };

  // `via` is where the cursor has gone since.
  void follow(EdgeId id, std::uint32_t via, Trail& trail, std::vector<Trail>& trails) {
    const Flow::Edge& edge = f_.edge(id);
    const std::size_t before = trail.way.size();
    unknown_ = false;
    if (!follow_condition(edge, via, trail.way) && !unknown_) return trail.way.resize(before);
    const bool moves = edge.step.kind == Do::move && via == kNowhere;
    const bool test = is_test(edge.step.kind);
    if ((!test && !moves) || trails.size() >= kMaxWays || trail.way.size() > kMaxTests) {
      trails.push_back(trail);
    } else if (std::ranges::find(trail.nodes, edge.to) == trail.nodes.end()) {
      if (moves) via = edge.step.index;
      follow_all(edge.to, via, trail, trails);
    }
    trail.way.resize(before);
  }

  void follow_all(NodeId node, std::uint32_t via, Trail& trail, std::vector<Trail>& trails) {
    // The same node with another cursor is another state.
    if (via == kNowhere) trail.nodes.push_back(node);
    bool stops = false;
    for (EdgeId next : f_.out(node)) {
      if (is_test(f_.edge(next).step.kind)) {
        follow(next, via, trail, trails);
      } else {
        stops = true;
      }
    }
    if (stops || f_.out(node).empty()) trails.push_back(trail);
    if (via == kNowhere) trail.nodes.pop_back();
  }

  // After a move only tests of pieces and of what does not depend on the cursor are used.
  bool follow_condition(const Flow::Edge& edge, std::uint32_t via, Way& way) {
    if (via == kNowhere) return condition(root_, edge, way);
    Flow::Edge looked = edge;
    switch (edge.step.kind) {
      case Do::skip:
      case Do::compare:
        return condition(root_, edge, way);
      case Do::on:
        if (edge.step.at == kNowhere) {
          looked.step.at = via;
          return condition(root_, looked, way);
        }
        return true;
      default:
        return true;
    }
  }

  bool contradict(const Way& a, const Way& b) {
    return std::ranges::any_of(a, [&](const Literal& x) {
      return std::ranges::any_of(b, [&](const Literal& y) {
        if (x.atom != y.atom) return same_piece_elsewhere(x, y);
        Bits both = x.allowed;
        both.keep(y.allowed);
        return !both.meets(domains_.at(x.atom));
      });
    });
  }

  // Two tests for pieces of which there is one at most, at places that are never the same.
  bool same_piece_elsewhere(const Literal& x, const Literal& y) {
    if (x.atom.kind != Atom::Kind::piece || y.atom.kind != Atom::Kind::piece) return false;
    Bits either = x.allowed;
    either.add(y.allowed);
    if (!one_at_most(root_, either)) return false;
    bool apart = true;
    known_.cursors[root_].for_each([&](std::size_t v) {
      const std::uint32_t p = place(x.atom.key, v), q = place(y.atom.key, v);
      apart = apart && (p != q || p == kNowhere);
    });
    return apart;
  }
  std::uint32_t place(std::uint64_t function, std::size_t v) const {
    return function == kNowhere ? static_cast<std::uint32_t>(v) : r_.function(static_cast<std::uint32_t>(function))[v];
  }

  // On the whole board (or outside the cursor's vertex) lies at most one of these pieces, and they do not stand for
  // places outside the board.
  bool one_at_most(NodeId node, const Bits& pieces, bool elsewhere = false) const {
    if (pieces.test(d_.pieces.size())) return false;
    for (std::size_t set = 0; set < counted_.size(); ++set) {
      const Count& count = counts_[node * counted_.size() + set];
      if ((elsewhere ? count.elsewhere : count.all) <= 1 && counted_[set].contains(pieces)) return true;
    }
    return false;
  }

  struct Count {
    std::uint8_t all = 0, elsewhere = 0;  // up to kMany; on the board, and not below the cursor
  };
  static constexpr std::uint8_t kMany = 4;

 public:
  // How many pieces of a set that is tested for there can be, by data-flow over the steps that put pieces. To be called
  // before the two questions about choices.
  void count_pieces() {
    std::set<std::uint32_t> sets;
    for (EdgeId id = 0; id < f_.edge_count(); ++id) {
      if (f_.edge(id).alive && f_.edge(id).step.kind == Do::on) sets.insert(f_.edge(id).step.index);
    }
    counted_.clear();
    for (std::uint32_t set : sets) {
      counted_.push_back(piece_set(set));
    }
    counts_.assign(f_.node_count() * counted_.size(), {});
    std::vector<Count> counts(counted_.size());
    for (std::size_t set = 0; set < counted_.size(); ++set) {
      for (std::size_t v = 0; v < d_.board.size(); ++v) {
        if (!counted_[set].test(d_.board[v].piece)) continue;
        more(counts[set].all);
        if (v > 0) more(counts[set].elsewhere);
      }
    }
    std::vector<char> reached(f_.node_count());
    std::vector<NodeId> stack;
    auto join = [&](NodeId node) {
      bool changed = reached[node] == 0;
      reached[node] = 1;
      for (std::size_t set = 0; set < counts.size(); ++set) {
        Count& known = counts_[node * counts.size() + set];
        changed = changed || counts[set].all > known.all || counts[set].elsewhere > known.elsewhere;
        known = {std::max(known.all, counts[set].all), std::max(known.elsewhere, counts[set].elsewhere)};
      }
      if (changed) stack.push_back(node);
    };
    join(f_.begin);
    while (!stack.empty()) {
      const NodeId node = stack.back();
      stack.pop_back();
      for (EdgeId id : f_.out(node)) {
        const auto first = counts_.begin() + static_cast<std::ptrdiff_t>(node * counts.size());
        std::copy(first, first + static_cast<std::ptrdiff_t>(counts.size()), counts.begin());
        change_counts(f_.edge(id), counts);
        join(f_.edge(id).to);
      }
    }
  }

 private:
  static void more(std::uint8_t& count) { count = std::min<std::uint8_t>(kMany, static_cast<std::uint8_t>(count + 1)); }

  void change_counts(const Flow::Edge& edge, std::vector<Count>& counts) const {
    const Do kind = edge.step.kind;
    const bool moves = kind == Do::move || kind == Do::any || kind == Do::select;
    Bits below(d_.pieces.size() + 1, true);  // the cursor, afterwards
    if (kind == Do::on && edge.step.at == kNowhere && !edge.step.negated) {
      below.keep(piece_set(edge.step.index));
    } else if (kind == Do::move && f_.in(edge.from).size() == 1) {
      // What was looked at before going there.
      const Step& look = f_.edge(f_.in(edge.from).front()).step;
      if (look.kind == Do::on && !look.negated && look.at == edge.step.index) below.keep(piece_set(look.index));
    }
    for (std::size_t set = 0; set < counts.size(); ++set) {
      Count& count = counts[set];
      if (kind == Do::off || kind == Do::put) {
        count.all = count.elsewhere;
        bool puts = kind == Do::off && counted_[set].test(edge.step.index);
        if (kind == Do::put) {
          for (const auto& [key, piece] : f_.table(edge.step.table)) puts = puts || counted_[set].test(piece);
        }
        if (puts) more(count.all);
      }
      if (moves) count.elsewhere = count.all;
      if (count.all > 0 && count.all < kMany && counted_[set].contains(below))
        count.elsewhere = std::min<std::uint8_t>(count.elsewhere, static_cast<std::uint8_t>(count.all - 1));
    }
  }

  Bits piece_set(std::uint32_t set) const {
    Bits pieces(d_.pieces.size() + 1);
    for (std::uint32_t piece : d_.expressions.pieces(set)) pieces.set(piece);
    return pieces;
  }

 public:
  // Needs run() before. May more than one of the places of this step do?
  bool several_places(EdgeId id) {
    const Flow::Edge edge = f_.edge(id);
    std::vector<Trail> trails;
    Trail trail;
    root_ = edge.to;
    follow_all(edge.to, kNowhere, trail, trails);
    Bits looked_for(d_.pieces.size() + 1);
    for (const Trail& way : trails) {
      const auto it = std::ranges::find_if(way.way, [&](const Literal& literal) {
        return literal.atom.kind == Atom::Kind::piece && literal.atom.key == kNowhere;
      });
      if (it == way.way.end()) return true;
      looked_for.add(it->allowed);
    }
    bool leaves = edge.step.kind == Do::select;
    for (std::uint32_t v = 0; v < d_.board.size() && leaves; ++v)
      leaves = !std::ranges::binary_search(r_.members(r_.at(RelationId(edge.step.index), v)), v);
    return !one_at_most(edge.from, looked_for, leaves);
  }

 private:
  // One of the conditions is that some pattern has no walk here, but whoever takes this step and gets to a switch walks
  // one of that pattern.
  bool denies(const Way& way, EdgeId id) {
    return std::ranges::any_of(way, [&](const Literal& literal) {
      if (literal.atom.kind != Atom::Kind::pattern || literal.allowed.test(1)) return false;
      const Flow::Pattern& pattern = f_.patterns[literal.atom.key];
      matched_.clear();
      if (!step_matches(f_.edge(id), {0, pattern.start, kNowhere}, pattern.end)) return false;
      // What was taken for granted on the way may have turned out wrong.
      for (bool again = true; again;) {
        again = false;
        for (auto& [pair, holds] : matched_) {
          if (!holds || edges_match(pair, pattern.end)) continue;
          holds = false;
          again = true;
        }
      }
      return step_matches(f_.edge(id), {0, pattern.start, kNowhere}, pattern.end);
    });
  }

  // Where a walk of the main part and one of a pattern are; the cursor of the first is `ahead` of that of the second.
  struct Pair {
    NodeId node = 0, at = 0;
    std::uint32_t ahead = kNowhere;
    auto operator<=>(const Pair&) const = default;
  };

  // Does the walk that goes on with this step contain one of the pattern? The pattern may leave out tests, and offs
  // whose place it does not look at any more.
  bool step_matches(const Flow::Edge& edge, Pair pair, NodeId end) {
    if (pair.at == end) return true;
    if (ends_move(edge.step.kind)) return false;
    for (EdgeId id : f_.out(pair.at)) {
      const Flow::Edge& other = f_.edge(id);
      if (other.step.kind == Do::skip && step_matches(edge, {0, other.to, pair.ahead}, end)) return true;
      const bool follows = other.step.kind == Do::move && other.step.index == pair.ahead;
      if (follows && step_matches(edge, {0, other.to, kNowhere}, end)) return true;
      if (same_test(edge.step, other.step, pair.ahead) && walk_matches({edge.to, other.to, pair.ahead}, end))
        return true;
    }
    if (edge.step.kind == Do::move) {
      return walk_matches({edge.to, pair.at, compose(r_, pair.ahead, edge.step.index)}, end);
    }
    const bool unseen = edge.step.kind == Do::off && !reads_again(pair, end);
    return (unseen || is_test(edge.step.kind)) && walk_matches({edge.to, pair.at, pair.ahead}, end);
  }

  // What is asked again on the way is taken for granted: walks are finite.
  bool walk_matches(Pair pair, NodeId end) {
    if (pair.at == end) return true;
    const auto [it, fresh] = matched_.try_emplace(pair, true);
    if (!fresh) return it->second;
    if (matched_.size() > kMaxPairs) return false;
    const bool all = edges_match(pair, end);
    matched_[pair] = all;
    return all;
  }
  bool edges_match(const Pair& pair, NodeId end) {
    return std::ranges::all_of(f_.out(pair.node), [&](EdgeId id) { return step_matches(f_.edge(id), pair, end); });
  }

  bool same_test(const Step& a, const Step& b, std::uint32_t ahead) {
    if (a.kind != b.kind || a.negated != b.negated) return false;
    if (a.kind == Do::on) {
      const std::uint32_t place = a.at == kNowhere ? ahead : compose(r_, ahead, a.at);
      return place == b.at && !a.negated && piece_bits(d_, b.index).contains(piece_bits(d_, a.index));
    }
    if (a.kind == Do::compare) return a.left == b.left && a.right == b.right && a.relation == b.relation;
    return (a.kind == Do::where || a.kind == Do::check) && ahead == kNowhere && a.index == b.index;
  }

  // May a walk of a pattern look at the vertex where the other walk is now?
  bool reads_again(const Pair& pair, NodeId end) {
    const std::size_t vertices = d_.board.size();
    if (vertices > kMaxRereadVertices) return true;
    const auto [it, fresh] = reads_.try_emplace({0, pair.at, pair.ahead}, true);
    if (!fresh) return it->second;
    for (std::uint32_t start = 0; start < vertices; ++start) {
      const std::uint32_t changed = place(pair.ahead, start);
      if (changed != kNowhere && reads(pair.at, start, changed, end)) return true;
    }
    return reads_[{0, pair.at, pair.ahead}] = false;
  }
  bool reads(NodeId at, std::uint32_t start, std::uint32_t changed, NodeId end) const {
    std::set<std::pair<NodeId, std::uint32_t>> seen;
    std::vector<std::pair<NodeId, std::uint32_t>> stack = {{at, start}};
    while (!stack.empty()) {
      const auto [node, v] = stack.back();
      stack.pop_back();
      if (node == end || !seen.emplace(node, v).second) continue;
      for (EdgeId id : f_.out(node)) {
        const Flow::Edge& edge = f_.edge(id);
        if (edge.step.kind == Do::move) {
          const std::uint32_t to = r_.function(edge.step.index)[v];
          if (to != kNowhere) stack.emplace_back(edge.to, to);
        } else if (edge.step.kind == Do::on || edge.step.kind == Do::skip || edge.step.kind == Do::where) {
          if (edge.step.kind == Do::on && place(edge.step.at, v) == changed) return true;
          stack.emplace_back(edge.to, v);
        } else {
          return true;
        }
      }
    }
    return false;
  }

  static bool meet(const Trail& a, const Trail& b) {
    return std::ranges::any_of(a.nodes, [&](NodeId node) { return std::ranges::find(b.nodes, node) != b.nodes.end(); });
  }

  static bool is_test(Do kind) {
    return kind == Do::skip || kind == Do::on || kind == Do::where || kind == Do::compare || kind == Do::check ||
           kind == Do::among;
  }

  void accept(NodeId node) {
    if (sure_[node] != 0) return;
    sure_[node] = 1;
    // Nodes before it, also through tests.
    std::vector<std::pair<NodeId, int>> stack = {{node, 0}};
    while (!stack.empty()) {
      const auto [at, depth] = stack.back();
      stack.pop_back();
      for (EdgeId id : f_.in(at)) {
        const Flow::Edge& edge = f_.edge(id);
        if (ends_move(edge.step.kind)) continue;
        if (sure_[edge.from] == 0 && queued_[edge.from] == 0) {
          queued_[edge.from] = 1;
          queue_.push_back(edge.from);
        }
        if (is_test(edge.step.kind) && depth < 6 && sure_[edge.from] == 0) stack.emplace_back(edge.from, depth + 1);
      }
    }
    // Patterns that begin here always hold now, which may settle the checks of them.
    for (std::uint32_t p = 0; p < f_.patterns.size(); ++p) {
      if (!f_.patterns[p].alive || f_.patterns[p].start != node) continue;
      for (EdgeId id = 0; id < f_.edge_count(); ++id) {
        const Flow::Edge& edge = f_.edge(id);
        if (edge.alive && edge.step.kind == Do::check && edge.step.index == p && queued_[edge.from] == 0) {
          queued_[edge.from] = 1;
          queue_.push_back(edge.from);
        }
      }
    }
  }

  // "D* X {! D X}" with X below the cursor and a direction D that runs out: the last vertex of the run of X along D
  // will do.
  bool maximal_run(NodeId node) {
    for (EdgeId id : f_.out(node)) {
      const Flow::Edge& walk = f_.edge(id);
      if (walk.step.kind != Do::select) continue;
      for (EdgeId on_id : f_.out(walk.to)) {
        const Flow::Edge& on = f_.edge(on_id);
        if (on.step.kind != Do::on || on.step.negated || on.step.at != kNowhere) continue;
        if (!piece_bits(d_, on.step.index).contains(known_.pieces[node])) continue;
        for (EdgeId last_id : f_.out(on.to)) {
          const Flow::Edge& last = f_.edge(last_id);
          const bool ends_run = last.step.kind == Do::on && last.step.negated && last.step.at != kNowhere &&
                                last.step.index == on.step.index && sure_[last.to] != 0;
          if (ends_run && is_orbit(node, RelationId(walk.step.index), r_.function(last.step.at))) return true;
        }
      }
    }
    return false;
  }

  // From every place of the cursor the relation leads along the direction, which does not come back.
  bool is_orbit(NodeId node, RelationId relation, const std::vector<std::uint32_t>& direction) {
    bool good = true;
    known_.cursors[node].for_each([&](std::size_t start) {
      if (!good) return;
      std::vector<std::uint32_t> orbit;
      for (auto v = static_cast<std::uint32_t>(start); v != kNowhere && good; v = direction[v]) {
        orbit.push_back(v);
        good = orbit.size() <= direction.size();
      }
      std::ranges::sort(orbit);
      good = good && std::ranges::equal(orbit, r_.members(r_.at(relation, static_cast<std::uint32_t>(start))));
    });
    return good;
  }

  bool covered(NodeId node) {
    if (maximal_run(node)) return true;
    ways_.clear();
    Way way;
    on_way_.clear();
    if (collect(node, node, way)) return true;
    splits_ = 0;
    return holds_always(ways_);
  }

  // Gathers the ways from `node`; true when one has no condition at all.
  bool collect(NodeId root, NodeId node, Way& way) {
    if (ways_.size() >= kMaxWays || way.size() > kMaxTests) return false;
    if (std::ranges::find(on_way_, node) != on_way_.end()) return false;
    on_way_.push_back(node);
    bool free = false;
    for (EdgeId id : f_.out(node)) {
      const Flow::Edge& edge = f_.edge(id);
      const std::size_t before = way.size();
      if (condition(root, edge, way)) {
        if (sure_[edge.to] != 0) {
          if (way.empty()) free = true;
          ways_.push_back(way);
        } else if (is_test(edge.step.kind)) {
          free = collect(root, edge.to, way) || free;
        }
      }
      way.resize(before);
      if (free) break;
    }
    on_way_.pop_back();
    return free;
  }

  // Adds the condition under which a step is possible; false when it never is, or (then unknown_ is set) nothing can be
  // said.
  bool condition(NodeId root, const Flow::Edge& edge, Way& way) {
    const Step& step = edge.step;
    const std::size_t vertices = d_.board.size();
    switch (step.kind) {
      case Do::skip:
      case Do::off:
      case Do::any:
      case Do::put:
      case Do::code:
      case Do::forget:
        return true;
      case Do::among:
        return among(root, step, way);
      case Do::to_player:
      case Do::to_keeper:
      case Do::to_end:
        return ignorance();
      case Do::where: {
        Bits inside(vertices);
        for (std::uint32_t v : r_.members(SetId(step.index))) inside.set(v);
        return add_cursor(root, std::move(inside), step.negated, way);
      }
      case Do::move: {
        if (step.total) return true;
        Bits inside(vertices);
        for (std::size_t v = 0; v < vertices; ++v) {
          if (r_.function(step.index)[v] != kNowhere) inside.set(v);
        }
        return add_cursor(root, std::move(inside), false, way);
      }
      case Do::select: {
        Bits inside(vertices);
        for (std::uint32_t v = 0; v < vertices; ++v) {
          if (r_.at(RelationId(step.index), v) != r_.empty()) inside.set(v);
        }
        return add_cursor(root, std::move(inside), false, way);
      }
      case Do::on: {
        // One more value for a place outside the board.
        const std::size_t kinds = d_.pieces.size();
        Bits allowed(kinds + 1);
        for (std::uint32_t piece : d_.expressions.pieces(step.index)) allowed.set(piece);
        if (step.negated) complement(allowed, kinds + 1);
        const Literal literal{{Atom::Kind::piece, step.at}, std::move(allowed)};
        const bool at_cursor = step.at == kNowhere;
        Bits possible(kinds + 1);
        for (std::size_t p = 0; p < kinds; ++p) {
          if (!at_cursor || known_.pieces[root].test(p)) possible.set(p);
        }
        if (!at_cursor) {
          known_.cursors[root].for_each([&](std::size_t v) {
            if (r_.function(step.at)[v] == kNowhere) possible.set(kinds);
          });
        }
        return add(literal, possible, way);
      }
      case Do::compare:
        return compare(step, way);
      case Do::assign:
        return assign(step, way);
      case Do::check: {
        const Flow::Pattern& pattern = f_.patterns[step.index];
        if (sure_[pattern.start] != 0) return !step.negated;
        Bits allowed(2);
        allowed.set(step.negated ? 0 : 1);
        return add({{Atom::Kind::pattern, step.index}, std::move(allowed)}, Bits(2, true), way);
      }
    }
    return false;
  }

  bool ignorance() {
    unknown_ = true;
    return false;
  }

  bool among(NodeId root, const Step& step, Way& way) {
    const auto& table = f_.table(step.table);
    auto is_key = [&](std::int64_t value) {
      return std::ranges::any_of(table, [&](const auto& entry) { return entry.first == value; });
    };
    if (step.at != kNowhere) {
      const ArithId leaf = variable_leaf(step.at);
      if (!leaf.valid() || largest(leaf) > kMaxValues) return ignorance();
      return add_value(leaf, largest(leaf), way, is_key);
    }
    const std::size_t kinds = d_.pieces.size();
    Bits allowed(kinds + 1), possible(kinds + 1);
    for (std::size_t p = 0; p < kinds; ++p) {
      if (is_key(static_cast<std::int64_t>(p))) allowed.set(p);
      if (known_.pieces[root].test(p)) possible.set(p);
    }
    return add({{Atom::Kind::piece, kNowhere}, std::move(allowed)}, possible, way);
  }

  // The expression that is just this variable.
  ArithId variable_leaf(std::uint32_t variable) const {
    for (std::size_t i = 0; i < d_.expressions.arith_count(); ++i) {
      const ArithNode& node = d_.expressions.arith(ArithId(i));
      if (node.kind == Arith::variable && node.value == static_cast<std::int64_t>(variable)) return ArithId(i);
    }
    return {};
  }

  static void complement(Bits& bits, std::size_t size) {
    Bits all(size, true);
    all.drop(bits);
    bits = all;
  }

  bool add_cursor(NodeId root, Bits inside, bool negated, Way& way) {
    if (negated) complement(inside, d_.board.size());
    return add({{Atom::Kind::cursor, 0}, std::move(inside)}, known_.cursors[root], way);
  }

  // `possible` are the values that the atom can have at all.
  bool add(Literal literal, const Bits& possible, Way& way) {
    domains_.insert_or_assign(literal.atom, possible);
    if (!literal.allowed.meets(possible)) return false;
    if (literal.allowed.contains(possible)) return true;
    for (const Literal& other : way) {
      if (other.atom != literal.atom) continue;
      literal.allowed.keep(other.allowed);
      if (!literal.allowed.meets(possible)) return false;
    }
    way.push_back(std::move(literal));
    return true;
  }

  // A condition on the value of one variable or counter, given as a test of its values.
  template <class Test>
  bool add_value(ArithId leaf, std::int64_t largest, Way& way, Test&& test) {
    Bits allowed(static_cast<std::size_t>(largest) + 1);
    for (std::int64_t value = 0; value <= largest; ++value) {
      if (test(value)) allowed.set(static_cast<std::size_t>(value));
    }
    return add({{Atom::Kind::value, leaf.value}, std::move(allowed)}, Bits(static_cast<std::size_t>(largest) + 1, true),
               way);
  }

  std::int64_t largest(ArithId leaf) const { return arithmetic_.interval(leaf)->high; }

  bool compare(const Step& step, Way& way) {
    std::vector<ArithId> leaves;
    arithmetic_.leaves(step.left, leaves);
    arithmetic_.leaves(step.right, leaves);
    auto truth = [&](const std::vector<std::int64_t>& values) {
      const auto left = arithmetic_.evaluate(step.left, leaves, values);
      const auto right = arithmetic_.evaluate(step.right, leaves, values);
      return (left && right && holds(step.relation, *left, *right)) != step.negated;
    };
    if (leaves.empty()) return truth({});
    if (leaves.size() == 1 && largest(leaves.front()) <= kMaxValues) {
      return add_value(leaves.front(), largest(leaves.front()), way,
                       [&](std::int64_t value) { return truth({value}); });
    }
    const bool turned = step.left > step.right;
    const ArithId low = turned ? step.right : step.left;
    const ArithId high = turned ? step.left : step.right;
    if (has_division(step.left) || has_division(step.right)) return ignorance();
    Bits allowed(3);  // less, equal, greater
    for (std::int64_t order = -1; order <= 1; ++order) {
      if (holds(step.relation, turned ? -order : order, 0) != step.negated)
        allowed.set(static_cast<std::size_t>(order + 1));
    }
    return add({{Atom::Kind::order, (std::uint64_t{low.value} << 32U) | high.value}, std::move(allowed)}, Bits(3, true),
               way);
  }

  bool has_division(ArithId id) const {
    const ArithNode& node = d_.expressions.arith(id);
    return node.kind == Arith::divide || (node.left.valid() && (has_division(node.left) || has_division(node.right)));
  }

  bool assign(const Step& step, Way& way) {
    const std::int64_t bound = d_.variable(step.index).bound;
    std::vector<ArithId> leaves;
    arithmetic_.leaves(step.left, leaves);
    if (leaves.size() == 1 && largest(leaves.front()) <= kMaxValues) {
      return add_value(leaves.front(), largest(leaves.front()), way, [&](std::int64_t value) {
        const auto result = arithmetic_.evaluate(step.left, leaves, {value});
        return result && *result >= 0 && *result <= bound;
      });
    }
    const auto range = arithmetic_.interval(step.left);
    if (range && range->low >= 0 && range->high <= bound && !has_division(step.left)) return true;
    return ignorance();
  }

  // Does at least one of the ways hold in every case?
  bool holds_always(const std::vector<Way>& ways) {
    if (ways.empty() || ++splits_ > kMaxSplits) return false;
    const Way* shortest = &ways.front();
    for (const Way& way : ways) {
      if (way.size() < shortest->size()) shortest = &way;
    }
    if (shortest->empty()) return true;
    const Atom atom = shortest->front().atom;
    // Values that no way tells apart are one case.
    std::vector<Bits> cases = {domains_.at(atom)};
    for (const Way& way : ways) {
      for (const Literal& literal : way) {
        if (literal.atom != atom) continue;
        std::vector<Bits> finer;
        for (const Bits& part : cases) {
          Bits inside = part, outside = part;
          inside.keep(literal.allowed);
          outside.drop(literal.allowed);
          if (!inside.none()) finer.push_back(inside);
          if (!outside.none()) finer.push_back(outside);
        }
        cases = std::move(finer);
        if (cases.size() > 64) return false;
      }
    }
    for (const Bits& part : cases) {
      std::vector<Way> rest;
      for (const Way& way : ways) {
        Way shorter;
        bool possible = true;
        for (const Literal& literal : way) {
          if (literal.atom != atom) {
            shorter.push_back(literal);
          } else if (!literal.allowed.meets(part)) {
            possible = false;
            break;
          }
        }
        if (possible) rest.push_back(std::move(shorter));
      }
      if (!holds_always(rest)) return false;
    }
    return true;
  }

  const Description& d_;
  Relations& r_;
  const Flow& f_;
  Arithmetic arithmetic_;
  Knowledge known_;
  std::vector<char> sure_, queued_;
  std::vector<NodeId> queue_, on_way_;
  std::vector<Way> ways_;
  std::map<Atom, Bits> domains_;
  std::size_t splits_ = 0;
  bool unknown_ = false;
  NodeId root_ = 0;
  std::map<Pair, bool> matched_, reads_;
  std::vector<Bits> counted_;
  std::vector<Count> counts_;  // by node and set
};

}  // namespace

std::vector<char> surely_continuing(const Description& description, Relations& relations, const Flow& flow) {
  return Prover(description, relations, flow).run();
}

Choices open_choices(const Description& description, Relations& relations, const Flow& flow,
                     const std::vector<char>& wanted) {
  Prover prover(description, relations, flow);
  prover.run();
  prover.count_pieces();
  Choices choices;
  for (NodeId node = 0; node < wanted.size(); ++node) {
    if (wanted[node] == 0) continue;
    std::vector<std::vector<EdgeId>> groups;
    for (EdgeId id : flow.out(node)) {
      const Step& step = flow.edge(id).step;
      const bool many = step.kind == Do::select || (step.kind == Do::any && relations.size(SetId(step.index)) > 1);
      if (many && (!prover.known() || prover.several_places(id))) choices.places.push_back(id);
      // Joins all groups in which it has a rival.
      std::vector<EdgeId> group;
      std::erase_if(groups, [&](std::vector<EdgeId>& other) {
        const bool rival =
            !prover.known() || std::ranges::any_of(other, [&](EdgeId o) { return prover.rivals(o, id); });
        if (rival) group.insert(group.end(), other.begin(), other.end());
        return rival;
      });
      group.push_back(id);
      groups.push_back(std::move(group));
    }
    for (auto& group : groups) {
      if (group.size() < 2) continue;
      std::ranges::sort(group);
      choices.rivals.push_back(std::move(group));
    }
  }
  return choices;
}

void shorten_patterns(const Description& description, Relations& relations, Flow& flow) {
  const std::vector<char> sure = surely_continuing(description, relations, flow);
  std::vector<NodeId> stack;
  std::vector<char> seen(flow.node_count());
  for (std::size_t p = 0; p < flow.patterns.size(); ++p) {
    const Flow::Pattern pattern = flow.patterns[p];
    if (!pattern.alive) continue;
    stack.push_back(pattern.start);
    while (!stack.empty()) {
      const NodeId node = stack.back();
      stack.pop_back();
      if (seen[node] != 0 || node == pattern.end) continue;
      seen[node] = 1;
      const std::vector<EdgeId> out = flow.out(node);
      for (EdgeId id : out) {
        if (sure[node] != 0) {
          flow.edge(id).alive = false;
        } else {
          stack.push_back(flow.edge(id).to);
        }
      }
      if (sure[node] != 0) flow.add_edge(node, pattern.end, Step{});
    }
  }
  flow.rebuild();
}

}  // namespace rgtrans::rbg
