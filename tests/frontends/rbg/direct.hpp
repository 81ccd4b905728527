// Interprets RBG directly and slowly, following the semantics: one automaton with empty edges per expression. A move is
// a search over (node, cursor) that restarts after each modifier. The lowering is compared with it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontends/rbg/ast.hpp"
#include "frontends/rbg/flow/arithmetic.hpp"

namespace rgtrans::rbg::test {

inline bool is_modifier(Kind kind) { return is_switch(kind) || kind == Kind::off || kind == Kind::assign; }

struct Position {
  std::uint32_t player = kNone;  // kNone: keeper
  std::vector<std::uint32_t> pieces;
  std::vector<std::int64_t> values;
  std::uint32_t cursor = 0;
  std::uint32_t node = 0;
  auto operator<=>(const Position&) const = default;
};

class Direct {
 public:
  // The modifier number and vertex of every modifier of the move.
  using Move = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  explicit Direct(const Description& description) : d_(description), e_(description.expressions) {
    start_ = node();
    build(d_.rules, start_, node(), true);
  }

  Position initial() const { return complete(start()); }

  // Makes keeper's moves until a player is to move or no move is possible.
  Position complete(Position p) const {
    for (int steps = 0; p.player == kNone && steps < 10'000; ++steps) {
      std::vector<std::pair<Move, Position>> found;
      search(p, found, true);
      if (found.empty()) break;
      p = std::move(found.front().second);
    }
    return p;
  }

  Position start() const {
    Position p;
    for (const Vertex& vertex : d_.board) p.pieces.push_back(vertex.piece);
    p.values.assign(d_.variable_count(), 0);
    p.node = start_;
    return p;
  }

  // All positions in which keeper can stop, for all of its choices.
  std::set<Position> completions(const Position& p) const {
    std::set<Position> seen = {p}, ends;
    std::vector<Position> stack = {p};
    while (!stack.empty()) {
      const Position at = std::move(stack.back());
      stack.pop_back();
      std::vector<std::pair<Move, Position>> found;
      if (at.player == kNone) search(at, found, false);
      if (found.empty()) ends.insert(at);
      for (auto& [move, next] : found) {
        if (seen.insert(next).second) stack.push_back(std::move(next));
      }
    }
    return ends;
  }

  std::map<Move, Position> moves(const Position& p) const {
    std::vector<std::pair<Move, Position>> found;
    search(p, found, false);
    std::map<Move, Position> result;
    for (auto& [move, next] : found) result.emplace(move, std::move(next));
    return result;
  }

  std::string text(const Move& move) const {
    std::string out;
    for (const auto& [modifier, vertex] : move) {
      out += (out.empty() ? "" : " ") + d_.symbols.str(d_.board[vertex].name) + " index_" + std::to_string(modifier);
    }
    return out;
  }

 private:
  struct Edge {
    std::uint32_t to;
    ExprId action;  // none for an empty edge
    std::uint32_t modifier = 0;
    std::uint32_t pattern_start = 0, pattern_end = 0;
  };

  std::uint32_t node() {
    edges_.emplace_back();
    return static_cast<std::uint32_t>(edges_.size() - 1);
  }

  void build(ExprId id, std::uint32_t from, std::uint32_t to, bool main) {
    const ExprNode& n = e_[id];
    switch (n.kind) {
      case Kind::sum:
        for (ExprId part : e_.children(id)) {
          const std::uint32_t a = node(), b = node();
          edges_[from].push_back({a, {}});
          build(part, a, b, main);
          edges_[b].push_back({to, {}});
        }
        break;
      case Kind::concat: {
        std::uint32_t at = from;
        for (ExprId part : e_.children(id)) {
          const std::uint32_t next = node();
          build(part, at, next, main);
          at = next;
        }
        edges_[at].push_back({to, {}});
        break;
      }
      case Kind::star: {
        const std::uint32_t x = node(), y = node();
        edges_[from].push_back({x, {}});
        build(e_.child(id), x, y, main);
        edges_[y].push_back({x, {}});
        edges_[x].push_back({to, {}});
        break;
      }
      default: {
        Edge edge{to, id};
        if (n.kind == Kind::pattern) {
          edge.pattern_start = node();
          edge.pattern_end = node();
          build(e_.child(id), edge.pattern_start, edge.pattern_end, false);
        } else if (main && is_modifier(n.kind)) {
          edge.modifier = ++modifiers_;
        }
        edges_[from].push_back(edge);
        break;
      }
    }
  }

  std::optional<std::int64_t> value(ArithId id, const Position& p) const {
    const ArithNode& n = e_.arith(id);
    switch (n.kind) {
      case Arith::number:
        return n.value;
      case Arith::variable:
        return p.values[static_cast<std::size_t>(n.value)];
      case Arith::piece:
        return std::count(p.pieces.begin(), p.pieces.end(), static_cast<std::uint32_t>(n.value));
      default: {
        const auto left = value(n.left, p), right = value(n.right, p);
        if (!left || !right) return std::nullopt;
        return apply(n.kind, *left, *right);
      }
    }
  }

  // Takes the step if it is valid; otherwise returns false.
  bool step(const Edge& edge, Position& p) const {
    if (!edge.action.valid()) return true;
    const ExprNode& n = e_[edge.action];
    switch (n.kind) {
      case Kind::shift: {
        const std::uint32_t target = d_.neighbour(n.index, p.cursor);
        if (target == kNone) return false;
        p.cursor = target;
        return true;
      }
      case Kind::on: {
        const auto& set = e_.pieces(n.index);
        return std::find(set.begin(), set.end(), p.pieces[p.cursor]) != set.end();
      }
      case Kind::off:
        p.pieces[p.cursor] = n.index;
        return true;
      case Kind::assign: {
        const auto result = value(n.left, p);
        if (!result || *result < 0 || *result > d_.variable(n.index).bound) return false;
        p.values[n.index] = *result;
        return true;
      }
      case Kind::compare: {
        const auto left = value(n.left, p), right = value(n.right, p);
        return left && right && holds(n.relation, *left, *right);
      }
      case Kind::pattern:
        return accepts(p, edge.pattern_start, edge.pattern_end) != n.negated;
      case Kind::to_player:
        p.player = n.index;
        return true;
      case Kind::to_keeper:
        p.player = kNone;
        return true;
      default:
        return true;
    }
  }

  bool accepts(Position p, std::uint32_t start, std::uint32_t end) const {
    p.node = start;
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    std::vector<Position> stack = {std::move(p)};
    while (!stack.empty()) {
      const Position at = std::move(stack.back());
      stack.pop_back();
      if (at.node == end) return true;
      if (!seen.emplace(at.node, at.cursor).second) continue;
      for (const Edge& edge : edges_[at.node]) {
        Position next = at;
        next.node = edge.to;
        if (!step(edge, next)) continue;
        if (edge.action.valid() && is_modifier(e_[edge.action].kind)) {
          if (accepts(next, edge.to, end)) return true;
        } else {
          stack.push_back(std::move(next));
        }
      }
    }
    return false;
  }

  void search(const Position& start, std::vector<std::pair<Move, Position>>& found, bool first) const {
    Move move;
    search_from(start, move, found, first);
  }

  void search_from(const Position& start, Move& move, std::vector<std::pair<Move, Position>>& found, bool first) const {
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    walk(start, move, found, first, seen);
  }

  void walk(const Position& at, Move& move, std::vector<std::pair<Move, Position>>& found, bool first,
            std::set<std::pair<std::uint32_t, std::uint32_t>>& seen) const {
    if (!seen.emplace(at.node, at.cursor).second) return;
    for (const Edge& edge : edges_[at.node]) {
      if (first && !found.empty()) return;
      Position next = at;
      next.node = edge.to;
      if (!step(edge, next)) continue;
      if (edge.modifier == 0) {
        walk(next, move, found, first, seen);
        continue;
      }
      move.emplace_back(edge.modifier, next.cursor);
      if (is_switch(e_[edge.action].kind)) {
        found.emplace_back(move, next);
      } else {
        search_from(next, move, found, first);
      }
      move.pop_back();
    }
  }

  const Description& d_;
  const RuleExpressions& e_;
  std::vector<std::vector<Edge>> edges_;
  std::uint32_t start_ = 0;
  std::uint32_t modifiers_ = 0;
};

}  // namespace rgtrans::rbg::test
