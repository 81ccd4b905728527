// A node is surely continuing when the first tests on its ways to surely continuing nodes together cover all cases.
// All tests on such a way look at the same state, so that each way is a conjunction of literals over atoms: the
// position of the cursor, the piece at a place, the value of a variable, the order of two values, a pattern. The
// question whether the disjunction of the ways always holds is answered by splitting on one atom after another.
#include "frontends/rbg/proofs.hpp"

#include <algorithm>
#include <map>

#include "frontends/rbg/arithmetic.hpp"
#include "frontends/rbg/knowledge.hpp"

namespace rgtrans::rbg {

namespace {

constexpr std::size_t kMaxWays = 120;      // ways from one node
constexpr std::size_t kMaxTests = 24;      // tests on a way
constexpr std::size_t kMaxSplits = 4'000;  // case distinctions for one node
constexpr std::int64_t kMaxValues = 4'096;

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

 private:
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

  bool covered(NodeId node) {
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

  // Adds the condition under which a step is possible; false when it never is, or nothing can be said.
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
        return false;
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

  bool among(NodeId root, const Step& step, Way& way) {
    const auto& table = f_.table(step.table);
    auto is_key = [&](std::int64_t value) {
      return std::ranges::any_of(table, [&](const auto& entry) { return entry.first == value; });
    };
    if (step.at != kNowhere) {
      const ArithId leaf = variable_leaf(step.at);
      if (!leaf.valid() || largest(leaf) > kMaxValues) return false;
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
    if (has_division(step.left) || has_division(step.right)) return false;
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
    return range && range->low >= 0 && range->high <= bound && !has_division(step.left);
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
};

}  // namespace

std::vector<char> surely_continuing(const Description& description, Relations& relations, const Flow& flow) {
  return Prover(description, relations, flow).run();
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
