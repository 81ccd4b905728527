// The moves of one state, edge by edge, with everything that is improper about them. This explorer uses the game's
// layout but not its program: it merges only walks that agree in everything, checks every key and every stored symbol,
// and is therefore slow.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "backends/interpreter/interpreter.hpp"
#include "backends/interpreter/layout.hpp"
#include "core/analysis/analysis.hpp"

namespace rgtrans::interpreter {

class StateChecker {
 public:
  StateChecker(const StateChecker&) = delete;
  StateChecker& operator=(const StateChecker&) = delete;

 protected:
  using EdgeId = ir::EdgeId;
  using ExprId = ir::ExprId;
  using ExprKind = ir::ExprKind;
  using NodeId = ir::NodeId;
  using Cells = std::vector<std::uint32_t>;

  static constexpr std::size_t kMaxPending = 500;
  static constexpr std::size_t kMaxMoveTags = 1'000;

  struct TooLong {};  // an abandoned exploration

  StateChecker(const ir::Game& game, const DynamicCheckOptions& options)
      : game_(game),
        options_(options),
        layout_(game_),
        names_(game_.node_names()),
        artificial_(ir::artificial_tags(game)) {
    player_cell_ = layout_.variable(game_.player()).offset;
    walked_.edges.assign(game_.graph.edge_bound(), false);
    merging_.assign(game_.graph.node_bound(), false);
    for (EdgeId edge : game_.graph.edges()) {
      const NodeId target = game_.graph.target(edge);
      const ir::Label& label = game_.graph.label(edge);
      const bool assigns = std::holds_alternative<ir::Assign>(label) || std::holds_alternative<ir::AssignAny>(label);
      if (assigns || game_.graph.in_degree(target) > 1) merging_[target.value] = true;
    }
  }
  ~StateChecker() = default;

  struct Result {
    Cells cells;
    NodeId node;
    EdgeId edge;
  };
  using Labeling = std::vector<SymbolId>;

  [[nodiscard]] bool enough() const { return violations_.size() >= options_.max_violations; }

  // Reports a violation once per kind, severity and source place, but keeper's by themselves. One line of the source
  // may produce many edges.
  void report(Violation::Kind kind, std::uint32_t place, std::string message, Range where,
              Severity severity = Severity::error, bool keeper = false) {
    const std::uint32_t shown = where.known() ? where.begin : place;
    if (enough() || !reported_.emplace(kind, severity, where.known(), shown, keeper).second) return;
    violations_.push_back({kind, std::move(message), path_, where, severity});
  }
  void report_edge(EdgeId edge, const std::string& what, Severity severity = Severity::error) {
    const Range where = game_.graph.where(edge);
    const auto [from, to] = std::pair(game_.graph.source(edge), game_.graph.target(edge));
    const std::string place = where.known() ? "" : fmt::format("{}, {}: ", names_[from.value], names_[to.value]);
    report(Violation::Kind::action, edge.value, place + what, where, severity);
  }
  // " at judge" for a node with a name in the description.
  [[nodiscard]] std::string at(NodeId node) const {
    const bool told = game_.graph.name(node).valid() || !game_.graph.where(node).known();
    return told ? " at " + names_[node.value] : "";
  }

  [[nodiscard]] std::string text(std::uint32_t code) const { return game_.symbols.str(layout_.symbol(code)); }
  [[nodiscard]] std::string text(const Labeling& tags) const {
    std::string out;
    for (SymbolId tag : tags) {
      if (!out.empty()) out += ' ';
      out += game_.symbols.text(tag);
    }
    return out;
  }

  // Reports a state of the mover without moves, and one where keeper has several.
  void judge(const std::string& mover, NodeId node, const std::map<Labeling, Result>& moves) {
    if (moves.empty()) {
      report(Violation::Kind::stuck, node.value,
             fmt::format("{} has no legal move{}, and the play is not over", mover, at(node)), game_.graph.where(node),
             Severity::error, mover == "keeper");
    } else if (mover == "keeper" && moves.size() > 1) {
      report(Violation::Kind::keeper, node.value,
             fmt::format("keeper has {} moves{}, among them '{}' and '{}'", moves.size(), at(node),
                         text(moves.begin()->first), text(std::next(moves.begin())->first)),
             game_.graph.where(node));
    }
  }

  // --- Moves of one state. ---

  struct Walk {
    Cells cells;
    NodeId node;
    Labeling tags;
  };

  // A cell takes a byte where a byte numbers all symbols.
  static std::string key(NodeId node, const Labeling& tags, const Cells& cells, bool narrow) {
    const std::size_t head = (2 + tags.size()) * sizeof(std::uint32_t);
    std::string out(head + cells.size() * (narrow ? 1 : sizeof(std::uint32_t)), '\0');
    char* to = out.data();
    const auto put = [&](std::uint32_t value) {
      std::memcpy(to, &value, sizeof value);
      to += sizeof value;
    };
    put(node.value);
    put(static_cast<std::uint32_t>(tags.size()));
    for (SymbolId tag : tags) put(tag.value);
    if (narrow) {
      for (std::uint32_t cell : cells) *to++ = static_cast<char>(cell);
    } else {
      std::memcpy(to, cells.data(), cells.size() * sizeof(std::uint32_t));
    }
    return out;
  }

  // The walks that one exploration has met. Distinct walks stay distinct along an edge that assigns nothing, so only
  // the nodes in merging_ and the first node can be reached twice with the same state and tags.
  class Met {
   public:
    Met(const StateChecker& checker, NodeId first, const Cells& cells)
        : merging_(checker.merging_), first_(first), narrow_(checker.layout_.code_count() <= 256) {
      keys_.insert(key(first, {}, cells, narrow_));
    }
    bool is_new(NodeId node, const Labeling& tags, const Cells& cells) {
      return (!merging_[node.value] && node != first_) || keys_.insert(key(node, tags, cells, narrow_)).second;
    }

   private:
    const std::vector<bool>& merging_;
    const NodeId first_;
    const bool narrow_;
    std::unordered_set<std::string> keys_;
  };

  void list(const Cells& state, NodeId node, std::map<Labeling, Result>& moves) {
    steps_ = 0;
    pending_.clear();
    Met met(*this, node, state);
    std::vector<Walk> todo{{state, node, {}}};
    while (!todo.empty()) {
      Walk here = std::move(todo.back());
      todo.pop_back();
      if (here.tags.size() > kMaxMoveTags) give_up(node, "a move collects tags without end");
      std::uint32_t left = game_.graph.out_degree(here.node);
      for (EdgeId edge : game_.graph.out_edges(here.node)) {
        count_step(node);
        const ir::Label& label = game_.graph.label(edge);
        const NodeId target = game_.graph.target(edge);
        act(here.cells, --left == 0, edge, [&](Cells&& after) {
          Walk walk{std::move(after), target, here.tags};
          if (const auto* tag = std::get_if<ir::Tag>(&label); tag != nullptr && !artificial_[tag->symbol.value]) {
            walk.tags.push_back(tag->symbol);
          }
          if (const auto* tag = std::get_if<ir::TagVariable>(&label)) {
            walk.tags.push_back(layout_.symbol(walk.cells[layout_.variable(tag->variable).offset]));
          }
          if (game_.is_player_assignment(label)) {
            finish(node, edge, std::move(walk), moves);
          } else if (met.is_new(walk.node, walk.tags, walk.cells)) {
            todo.push_back(std::move(walk));
          }
        });
      }
    }
  }

  void finish(NodeId start, EdgeId edge, Walk walk, std::map<Labeling, Result>& moves) {
    const auto [it, fresh] = moves.try_emplace(walk.tags, Result{walk.cells, walk.node, edge});
    if (fresh) return;
    const Result& before = it->second;
    std::string difference;
    Severity severity = Severity::error;
    if (before.node != walk.node) {
      difference = fmt::format("one ends at {}, another at {}", names_[before.node.value], names_[walk.node.value]);
    } else {
      // Reports a difference in a cell that the play can still read, if there is one; otherwise any difference.
      for (const bool read : {true, false}) {
        for (std::uint32_t cell = 0; cell < walk.cells.size() && difference.empty(); ++cell) {
          if (before.cells[cell] == walk.cells[cell] || layout_.is_trash(cell)) continue;
          if (read && !read_from(walk.node, variable_of(cell))) continue;
          difference = fmt::format("one ends with {} in {}, another with {}{}", text(before.cells[cell]),
                                   cell_name(cell), text(walk.cells[cell]), read ? "" : ", which nothing reads then");
          if (!read) severity = Severity::warning;
        }
      }
    }
    if (difference.empty()) return;
    report(Violation::Kind::ambiguity, start.value,
           fmt::format("the move '{}'{} has walks with different results: {}", text(walk.tags), at(start), difference),
           game_.graph.where(edge), severity);
  }

  bool read_from(NodeId node, ir::VarId variable) {
    if (!variable.valid()) return true;
    return liveness().live(variable, node);
  }

  const analysis::Liveness& liveness() {
    if (!liveness_) liveness_.emplace(game_, flow_.emplace(game_));
    return *liveness_;
  }

  [[nodiscard]] ir::VarId variable_of(std::uint32_t cell) const {
    for (std::size_t i = 0; i < game_.variables().size(); ++i) {
      const VariableLayout& variable = layout_.variable(ir::VarId(i));
      if (cell >= variable.offset && cell < variable.offset + variable.shape.size) return ir::VarId(i);
    }
    return {};
  }

  [[nodiscard]] std::string cell_name(std::uint32_t cell) const {
    const ir::VarId id = variable_of(cell);
    if (!id.valid()) return "a variable";
    const VariableLayout& variable = layout_.variable(id);
    std::string out = game_.symbols.str(game_.variable(id).name);
    for (const Level& level : variable.shape.levels) {
      const std::uint32_t block = (cell - variable.offset) / level.stride % level.blocks();
      out += block < level.keys.size() ? "[" + text(level.keys[block]) + "]" : "[elsewhere]";
    }
    return out;
  }

  void count_step(NodeId node) {
    if (++steps_ > options_.max_steps) {
      give_up(node, fmt::format("listing the moves takes more than {} steps", options_.max_steps));
    }
  }
  void give_up(NodeId node, const std::string& why) {
    report(Violation::Kind::length, node.value, why + at(node), game_.graph.where(node));
    throw TooLong();
  }

  // --- Actions. ---

  // Calls next(cells) for each state behind the edge. Takes `cells` itself where it is the last use of them.
  template <class Next>
  void act(Cells& cells, bool last, EdgeId edge, const Next& next) {
    const auto unchanged = [&](bool holds) {
      if (!holds) return;
      walked_.edges[edge.value] = true;
      next(last ? std::move(cells) : Cells(cells));
    };
    std::visit(
        ir::Overloaded{[&](const ir::Compare& compare) { unchanged(equal(cells, compare, edge) != compare.negated); },
                       [&](const ir::Assign& assign) {
                         walked_.edges[edge.value] = true;
                         Cells after = cells;
                         store(after, cells, assign, edge);
                         next(std::move(after));
                       },
                       [&](const ir::AssignAny& any) {
                         const auto place = address(cells, any.lhs, edge, true);
                         if (!place) return;
                         for (SymbolId member : game_.members(any.type)) {
                           walked_.edges[edge.value] = true;
                           Cells after = cells;
                           after[place->cell] = layout_.code(member);
                           check_member(any.lhs, layout_.code(member), edge);
                           next(std::move(after));
                         }
                       },
                       [&](const ir::Reachability& check) { unchanged(reaches(cells, check, edge) != check.negated); },
                       [&](const auto&) { unchanged(true); }},
        game_.graph.label(edge));
  }

  struct Place {
    std::uint32_t cell = 0;
    std::span<const Level> levels;    // the remaining levels
    const Cells* constant = nullptr;  // the cells of a constant; null for the state's
  };

  // The place of `expr`; none for a plain symbol.
  std::optional<Place> address(const Cells& cells, ExprId expr, EdgeId edge, bool writing) {
    const ir::Expressions& all = game_.expressions();
    const ExprId root = all.root(expr);
    Place out;
    if (all.kind(root) == ExprKind::variable) {
      out.cell = layout_.variable(all.variable(root)).offset;
      out.levels = layout_.variable(all.variable(root)).shape.levels;
    } else if (all.kind(root) == ExprKind::constant) {
      auto& [shape, flat] = constants_[all.constant(root).value];
      if (flat.empty()) {
        const ir::Constant& constant = game_.constant(all.constant(root));
        shape = layout_.shape(constant.type, true);
        layout_.flatten(constant.value, shape, 0, flat);
      }
      out.levels = shape.levels;
      out.constant = &flat;
    } else {
      return std::nullopt;
    }
    if (expr == root) return out;
    for (const ExprId index : ir::indices_of(all, expr)) {
      const std::uint32_t key = value(cells, index, edge);
      const Level& here = out.levels.front();
      out.levels = out.levels.subspan(1);
      if (key >= here.position.size() || here.position[key] < 0) {
        const std::string what = fmt::format("the key {} is outside the source type of the map", text(key));
        if (writing) report_edge(edge, what + ", so that nothing is stored");
        if (!writing && options_.keys) report_edge(edge, what + ", whose default is read", Severity::warning);
      }
      out.cell += here.block(key, writing) * here.stride;
    }
    return out;
  }

  std::uint32_t value(const Cells& cells, ExprId expr, EdgeId edge) {
    const ir::Expressions& all = game_.expressions();
    const ExprId root = all.root(expr);
    if (all.kind(root) == ExprKind::symbol) return layout_.code(all.symbol(root));
    const auto place = address(cells, expr, edge, false);
    return place->constant != nullptr ? (*place->constant)[place->cell] : cells[place->cell];
  }

  // Calls f(left cell, right cell, leaf is a key of the left type) for the corresponding cells of two maps.
  template <class F>
  void pair_up(std::span<const Level> left, std::span<const Level> right, std::uint32_t l, std::uint32_t r, bool inside,
               const F& f) const {
    if (left.empty()) {
      f(l, r, inside);
      return;
    }
    const Level& mine = left.front();
    const Level& theirs = right.front();
    for (std::uint32_t i = 0; i < mine.keys.size(); ++i) {
      pair_up(left.subspan(1), right.subspan(1), l + i * mine.stride,
              r + theirs.block(mine.keys[i], false) * theirs.stride, inside, f);
    }
    if (mine.has_default) {
      const auto own = static_cast<std::uint32_t>(mine.keys.size());
      const auto other = static_cast<std::uint32_t>(theirs.keys.size());
      pair_up(left.subspan(1), right.subspan(1), l + own * mine.stride, r + other * theirs.stride, false, f);
    }
  }

  bool equal(const Cells& cells, const ir::Compare& compare, EdgeId edge) {
    if (!game_.is_arrow(game_.expressions().type(compare.lhs))) {
      return value(cells, compare.lhs, edge) == value(cells, compare.rhs, edge);
    }
    const Place left = *address(cells, compare.lhs, edge, false);
    const Place right = *address(cells, compare.rhs, edge, false);
    const Cells& a = left.constant != nullptr ? *left.constant : cells;
    const Cells& b = right.constant != nullptr ? *right.constant : cells;
    bool same = true;
    pair_up(left.levels, right.levels, left.cell, right.cell, true,
            [&](std::uint32_t l, std::uint32_t r, bool inside) { same = same && (!inside || a[l] == b[r]); });
    pair_up(right.levels, left.levels, right.cell, left.cell, true,
            [&](std::uint32_t r, std::uint32_t l, bool inside) { same = same && (!inside || a[l] == b[r]); });
    return same;
  }

  void store(Cells& after, const Cells& cells, const ir::Assign& assign, EdgeId edge) {
    const Place to = *address(cells, assign.lhs, edge, true);
    if (to.levels.empty()) {
      after[to.cell] = value(cells, assign.rhs, edge);
      check_member(assign.lhs, after[to.cell], edge);
      return;
    }
    const Place from = *address(cells, assign.rhs, edge, false);
    const Cells& source = from.constant != nullptr ? *from.constant : cells;
    pair_up(to.levels, from.levels, to.cell, from.cell, true, [&](std::uint32_t l, std::uint32_t r, bool inside) {
      after[l] = source[r];
      if (inside) check_member(assign.lhs, after[l], edge);
    });
  }

  // The set at the end of `place`'s type must contain the stored symbol.
  void check_member(ExprId place, std::uint32_t code, EdgeId edge) {
    const ir::Expressions& all = game_.expressions();
    if (game_.index_of(game_.value_type(all.type(all.uncast(place))), layout_.symbol(code)) >= 0) return;
    report_edge(edge, fmt::format("{} is stored where its type does not allow it", text(code)));
  }

  bool reaches(const Cells& cells, const ir::Reachability& check, EdgeId edge) {
    const std::pair<NodeId, NodeId> pair(check.from, check.to);
    if (std::ranges::find(pending_, pair) != pending_.end() || pending_.size() >= kMaxPending) {
      report_edge(edge, fmt::format("the reachability check from {} to {} is recursive", names_[check.from.value],
                                    names_[check.to.value]));
      return false;
    }
    pending_.push_back(pair);
    Met met(*this, check.from, cells);
    std::vector<Walk> todo{{cells, check.from, {}}};
    bool found = false;
    while (!todo.empty()) {
      Walk here = std::move(todo.back());
      todo.pop_back();
      if (here.node == check.to) {
        found = true;
        break;
      }
      std::uint32_t left = game_.graph.out_degree(here.node);
      for (EdgeId next : game_.graph.out_edges(here.node)) {
        count_step(check.from);
        const NodeId target = game_.graph.target(next);
        act(here.cells, --left == 0, next, [&](Cells&& after) {
          if (met.is_new(target, {}, after)) todo.push_back({std::move(after), target, {}});
        });
      }
    }
    pending_.pop_back();
    return found;
  }

  const ir::Game game_;
  const DynamicCheckOptions options_;
  const StateLayout layout_;
  const std::vector<std::string> names_;
  std::vector<bool> merging_;           // by node: walks that differ before can agree there
  const std::vector<bool> artificial_;  // by symbol: tags that are not part of a move
  std::optional<analysis::Flow> flow_;
  std::optional<analysis::Liveness> liveness_;  // computed at first use
  std::uint32_t player_cell_ = 0;
  std::unordered_map<std::uint32_t, std::pair<FlatShape, Cells>> constants_;
  std::vector<std::pair<NodeId, NodeId>> pending_;
  std::uint64_t steps_ = 0;
  std::string path_;
  std::set<std::tuple<Violation::Kind, Severity, bool, std::uint32_t, bool>> reported_;
  std::vector<Violation> violations_;
  WalkedEdges walked_;
};

}  // namespace rgtrans::interpreter
