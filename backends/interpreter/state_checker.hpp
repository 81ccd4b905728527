// The moves of one state, edge by edge, with everything that is improper about them. This explorer uses the game's
// layout but not its program: it merges only walks that agree in everything, checks every key and every stored symbol,
// and is therefore slow.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "backends/interpreter/interpreter.hpp"
#include "backends/interpreter/layout.hpp"
#include "backends/interpreter/walk_stack.hpp"
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
    accesses_.resize(game_.expressions().size());
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
    if (severity == Severity::warning && !options_.warnings) return;
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

  void list(const Cells& state, NodeId node, std::map<Labeling, Result>& moves) {
    steps_ = 0;
    pending_.clear();
    cells_ = state;
    WalkStack& walks = walks_of(0);
    walks.begin(node);
    while (walks.next()) {
      if (walks.tags().size() > kMaxMoveTags) give_up(node, "a move collects tags without end");
      for (EdgeId edge : game_.graph.out_edges(walks.node())) {
        count_step(node);
        const ir::Label& label = game_.graph.label(edge);
        const NodeId target = game_.graph.target(edge);
        act(edge, walks, [&] {
          if (game_.is_player_assignment(label)) {
            walks.try_writes([&] { finish(node, edge, walks.tags(), target, moves); });
            return;
          }
          SymbolId shown;
          if (const auto* tag = std::get_if<ir::Tag>(&label); tag != nullptr && !artificial_[tag->symbol.value]) {
            shown = tag->symbol;
          }
          if (const auto* tag = std::get_if<ir::TagVariable>(&label)) {
            shown = layout_.symbol(cells_[layout_.variable(tag->variable).offset]);
          }
          walks.add(target, shown);
        });
      }
    }
    walks.end();
  }

  // The walks of an exploration inside so many others.
  WalkStack& walks_of(std::size_t depth) {
    while (walks_.size() <= depth) walks_.emplace_back(cells_, merging_);
    return walks_[depth];
  }

  void finish(NodeId start, EdgeId edge, const Labeling& tags, NodeId node, std::map<Labeling, Result>& moves) {
    const auto it = moves.find(tags);
    if (it == moves.end()) {
      moves.emplace(tags, Result{cells_, node, edge});
      return;
    }
    const Result& before = it->second;
    std::string difference;
    Severity severity = Severity::error;
    if (before.node != node) {
      difference = fmt::format("one ends at {}, another at {}", names_[before.node.value], names_[node.value]);
    } else {
      // Reports a difference in a cell that the play can still read, if there is one; otherwise any difference.
      for (const bool read : {true, false}) {
        for (std::uint32_t cell = 0; cell < cells_.size() && difference.empty(); ++cell) {
          if (before.cells[cell] == cells_[cell] || layout_.is_trash(cell)) continue;
          if (read && !read_from(node, variable_of(cell))) continue;
          difference = fmt::format("one ends with {} in {}, another with {}{}", text(before.cells[cell]),
                                   cell_name(cell), text(cells_[cell]), read ? "" : ", which nothing reads then");
          if (!read) severity = Severity::warning;
        }
      }
    }
    if (difference.empty()) return;
    report(Violation::Kind::ambiguity, start.value,
           fmt::format("the move '{}'{} has walks with different results: {}", text(tags), at(start), difference),
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
    if (++all_steps_ > options_.max_all_steps) {
      give_up(node, fmt::format("the plays take more than {} steps", options_.max_all_steps));
    }
  }
  void give_up(NodeId node, const std::string& why) {
    report(Violation::Kind::length, node.value, why + at(node), game_.graph.where(node));
    throw TooLong();
  }

  // --- Actions. ---

  // Calls next() for each way along the edge, with its writes in `walks`.
  template <class Next>
  void act(EdgeId edge, WalkStack& walks, const Next& next) {
    const auto unchanged = [&](bool holds) {
      if (!holds) return;
      walked_.edges[edge.value] = true;
      next();
    };
    std::visit(ir::Overloaded{[&](const ir::Compare& compare) { unchanged(equal(compare, edge) != compare.negated); },
                              [&](const ir::Assign& assign) {
                                walked_.edges[edge.value] = true;
                                store(walks, assign, edge);
                                next();
                              },
                              [&](const ir::AssignAny& any) {
                                if (access_of(any.lhs).symbol) return;
                                const Place place = address(any.lhs, edge, true);
                                for (SymbolId member : game_.members(any.type)) {
                                  walked_.edges[edge.value] = true;
                                  walks.write(place.cell, layout_.code(member));
                                  check_member(any.lhs, layout_.code(member), edge);
                                  next();
                                }
                              },
                              [&](const ir::Reachability& check) { unchanged(reaches(check, edge) != check.negated); },
                              [&](const auto&) { unchanged(true); }},
               game_.graph.label(edge));
  }

  // An expression: a symbol, or an access to the cells of the state or of a constant.
  struct Access {
    bool symbol = false;
    std::uint32_t first = 0;  // code of the symbol, or first cell
    std::span<const Level> levels;
    const Cells* constant = nullptr;  // null: the state
    std::vector<ExprId> indices;
    std::vector<bool> allowed;  // by code: values of its type; computed at first use
  };
  Access& access_of(ExprId expr) {
    std::unique_ptr<Access>& known = accesses_[expr.value];
    if (known == nullptr) known = std::make_unique<Access>(make_access(expr));
    return *known;
  }
  Access make_access(ExprId expr) {
    const ir::Expressions& all = game_.expressions();
    const ExprId root = all.root(expr);
    Access out;
    if (all.kind(root) == ExprKind::variable) {
      out.first = layout_.variable(all.variable(root)).offset;
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
      out.symbol = true;
      out.first = layout_.code(all.symbol(root));
    }
    if (expr != root) out.indices = ir::indices_of(all, expr);
    return out;
  }

  struct Place {
    std::uint32_t cell = 0;
    std::span<const Level> levels;  // the remaining levels
    const Cells* cells = nullptr;   // the state's, or those of a constant
  };

  // The place of an expression that is no symbol.
  Place address(ExprId expr, EdgeId edge, bool writing) {
    const Access& access = access_of(expr);
    Place out{access.first, access.levels, access.constant != nullptr ? access.constant : &cells_};
    for (const ExprId index : access.indices) {
      const std::uint32_t key = value(index, edge);
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

  std::uint32_t value(ExprId expr, EdgeId edge) {
    const Access& access = access_of(expr);
    if (access.symbol) return access.first;
    const Place place = address(expr, edge, false);
    return (*place.cells)[place.cell];
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

  bool equal(const ir::Compare& compare, EdgeId edge) {
    if (const Access& left = access_of(compare.lhs); left.symbol || left.indices.size() == left.levels.size()) {
      return value(compare.lhs, edge) == value(compare.rhs, edge);
    }
    const Place left = address(compare.lhs, edge, false);
    const Place right = address(compare.rhs, edge, false);
    const Cells& a = *left.cells;
    const Cells& b = *right.cells;
    bool same = true;
    pair_up(left.levels, right.levels, left.cell, right.cell, true,
            [&](std::uint32_t l, std::uint32_t r, bool inside) { same = same && (!inside || a[l] == b[r]); });
    pair_up(right.levels, left.levels, right.cell, left.cell, true,
            [&](std::uint32_t r, std::uint32_t l, bool inside) { same = same && (!inside || a[l] == b[r]); });
    return same;
  }

  void store(WalkStack& walks, const ir::Assign& assign, EdgeId edge) {
    const Place to = address(assign.lhs, edge, true);
    if (to.levels.empty()) {
      const std::uint32_t code = value(assign.rhs, edge);
      walks.write(to.cell, code);
      check_member(assign.lhs, code, edge);
      return;
    }
    const Place from = address(assign.rhs, edge, false);
    pair_up(to.levels, from.levels, to.cell, from.cell, true, [&](std::uint32_t l, std::uint32_t r, bool inside) {
      walks.write(l, (*from.cells)[r]);
      if (inside) check_member(assign.lhs, (*from.cells)[r], edge);
    });
  }

  // The set at the end of `place`'s type must contain the stored symbol.
  void check_member(ExprId place, std::uint32_t code, EdgeId edge) {
    std::vector<bool>& allowed = access_of(place).allowed;
    if (allowed.empty()) {
      const ir::Expressions& all = game_.expressions();
      allowed.assign(layout_.code_count(), false);
      for (const SymbolId member : game_.members(game_.value_type(all.type(all.uncast(place)))))
        allowed[layout_.code(member)] = true;
    }
    if (!allowed[code]) report_edge(edge, fmt::format("{} is stored where its type does not allow it", text(code)));
  }

  bool reaches(const ir::Reachability& check, EdgeId edge) {
    const std::pair<NodeId, NodeId> pair(check.from, check.to);
    if (std::ranges::find(pending_, pair) != pending_.end() || pending_.size() >= kMaxPending) {
      report_edge(edge, fmt::format("the reachability check from {} to {} is recursive", names_[check.from.value],
                                    names_[check.to.value]));
      return false;
    }
    pending_.push_back(pair);
    WalkStack& walks = walks_of(pending_.size());
    walks.begin(check.from);
    bool found = false;
    while (walks.next()) {
      if (walks.node() == check.to) {
        found = true;
        break;
      }
      for (EdgeId next : game_.graph.out_edges(walks.node())) {
        count_step(check.from);
        act(next, walks, [&] { walks.add(game_.graph.target(next)); });
      }
    }
    walks.end();
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
  std::vector<std::unique_ptr<Access>> accesses_;  // by expression
  Cells cells_;                                    // of the current walk
  std::deque<WalkStack> walks_;                    // by number of enclosing explorations
  std::vector<std::pair<NodeId, NodeId>> pending_;
  std::uint64_t steps_ = 0;  // of this state
  std::uint64_t all_steps_ = 0;
  std::string path_;
  std::set<std::tuple<Violation::Kind, Severity, bool, std::uint32_t, bool>> reported_;
  std::vector<Violation> violations_;
  WalkedEdges walked_;
};

}  // namespace rgtrans::interpreter
