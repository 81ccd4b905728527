#include "backends/proper/turn_graph.hpp"

#include <algorithm>
#include <deque>
#include <set>

#include "core/support/sorted.hpp"

namespace rgtrans::proper {

namespace {

using Symbols = std::vector<SymbolId>;                          // sorted
using Contents = std::map<ir::ExprId, Symbols>;                 // of lookups: the symbols that they can have
using Valuation = std::vector<std::pair<ir::VarId, SymbolId>>;  // sorted

constexpr std::size_t kMostChoices = 512;  // of the keys of one lookup
constexpr std::size_t kMostRounds = 4'000'000;

class TurnGraphBuilder {
 public:
  TurnGraphBuilder(KnownGame& known, const TurnGraphOptions& options)
      : known_(known), game_(known.game), options_(options), tracked_(game_.variables().size(), false) {
    for (const ir::VarId variable : options.tracked) tracked_[variable.value] = true;
  }

  std::optional<TurnGraph> run() {
    Valuation first;
    for (const ir::VarId variable : options_.tracked) {
      const ir::ValueId initial = game_.variable(variable).initial;
      first.emplace_back(variable, game_.values.as_symbol(initial));
    }
    arrive(game_.begin(), std::move(first), {});
    for (std::size_t round = 0; !queue_.empty(); ++round) {
      if (vertices_.size() > options_.most_vertices || round > kMostRounds) return std::nullopt;
      const std::uint32_t at = queue_.front();
      queue_.pop_front();
      queued_[at] = false;
      follow_all(at, nullptr);
    }
    TurnGraph graph;
    graph.vertices = vertices_.size();
    for (std::uint32_t at = 0; at < vertices_.size(); ++at) follow_all(at, &graph);
    sort_unique(graph.replaced);
    return graph;
  }

 private:
  struct Vertex {
    ir::NodeId node;
    Valuation valuation;
    Contents contents;
  };

  // --- Vertices. ---

  std::uint32_t arrive(ir::NodeId node, Valuation valuation, Contents contents) {
    std::erase_if(valuation, [&](const auto& entry) { return !known_.liveness.live(entry.first, node); });
    const auto number = static_cast<std::uint32_t>(vertices_.size());
    const auto [it, fresh] = numbers_.try_emplace({node, valuation}, number);
    if (fresh) {
      vertices_.push_back({node, std::move(valuation), std::move(contents)});
      queued_.push_back(true);
      queue_.push_back(number);
    } else if (join(vertices_[it->second].contents, contents) && !queued_[it->second]) {
      queued_[it->second] = true;
      queue_.push_back(it->second);
    }
    return it->second;
  }

  static bool join(Contents& into, const Contents& from) {
    bool changed = false;
    for (auto it = into.begin(); it != into.end();) {
      const auto other = from.find(it->first);
      if (other == from.end()) {
        it = into.erase(it);
        changed = true;
        continue;
      }
      Symbols both;
      std::ranges::set_union(it->second, other->second, std::back_inserter(both));
      changed = changed || both.size() > it->second.size();
      it->second = std::move(both);
      ++it;
    }
    return changed;
  }

  // --- Expressions. ---

  // With the values of tracked variables, and folded where that gives a symbol.
  ir::ExprId plain(ir::ExprId expression, const Valuation& valuation) {
    return ir::rewrite(game_, game_.strip_casts(expression), [&](ir::ExprId part) -> ir::ExprId {
      const ir::Folded folded = ir::fold(game_, part, [&](ir::ExprId inner) -> ir::Folded {
        const ir::Expressions& all = game_.expressions();
        if (all.kind(inner) != ir::ExprKind::variable) return {};
        for (const auto& [variable, symbol] : valuation)
          if (variable == all.variable(inner)) return {symbol, {}};
        return {};
      });
      return folded.symbol.valid() ? game_.symbol(folded.symbol) : ir::ExprId();
    });
  }
  // The same with the left side's root left alone.
  ir::ExprId plain_place(ir::ExprId lhs, const Valuation& valuation) {
    return ir::rewrite_indices(game_, game_.strip_casts(lhs), [&](ir::ExprId part) { return plain(part, valuation); });
  }

  // The symbols that a plain expression can have.
  Symbols symbols(ir::ExprId expression, ir::NodeId node, const Contents& contents) {
    const ir::Expressions& all = game_.expressions();
    if (all.kind(expression) == ir::ExprKind::symbol) return {all.symbol(expression)};
    if (const auto known = contents.find(expression); known != contents.end()) return known->second;
    if (const std::optional<Symbols> chosen = looked_up(expression, node, contents)) return *chosen;
    Symbols any = known_.symbols(expression, node);
    sort_unique(any);
    return any;
  }

  // A lookup in a constant, for all symbols that its keys can have.
  std::optional<Symbols> looked_up(ir::ExprId expression, ir::NodeId node, const Contents& contents) {
    const ir::ExprId root = game_.expressions().root(expression);
    if (game_.expressions().kind(root) != ir::ExprKind::constant) return std::nullopt;
    std::vector<ir::ValueId> maps{game_.constant(game_.expressions().constant(root)).value};
    for (const ir::ExprId index : ir::indices_of(game_.expressions(), expression)) {
      const Symbols keys = symbols(index, node, contents);
      std::vector<ir::ValueId> next;
      if (maps.size() * keys.size() > kMostChoices) return std::nullopt;
      for (const ir::ValueId map : maps) {
        if (game_.values.is_symbol(map)) return std::nullopt;
        for (const SymbolId key : keys) next.push_back(game_.values.at(map, key));
      }
      sort_unique(next);
      maps = std::move(next);
    }
    Symbols out;
    for (const ir::ValueId value : maps) {
      if (!game_.values.is_symbol(value)) return std::nullopt;
      out.push_back(game_.values.as_symbol(value));
    }
    sort_unique(out);
    return out;
  }

  [[nodiscard]] bool reads(ir::ExprId expression, ir::VarId variable) const {
    return ir::reads(game_, expression, variable);
  }

  // Whether two lookups in one map certainly are of different cells.
  bool different_cells(ir::ExprId a, ir::ExprId b, ir::NodeId node, const Contents& contents) {
    const std::vector<ir::ExprId> mine = ir::indices_of(game_.expressions(), a);
    const std::vector<ir::ExprId> others = ir::indices_of(game_.expressions(), b);
    for (std::size_t i = 0; i < std::min(mine.size(), others.size()); ++i) {
      if (mine[i] == others[i]) continue;
      const Symbols left = symbols(mine[i], node, contents);
      const Symbols right = symbols(others[i], node, contents);
      Symbols common;
      std::ranges::set_intersection(left, right, std::back_inserter(common));
      if (common.empty()) return true;
    }
    return false;
  }

  // --- Arcs. ---

  // Adds the arcs to the graph, or else brings what is known to their ends.
  void follow_all(std::uint32_t at, TurnGraph* graph) {
    const Vertex vertex = vertices_[at];
    for (const ir::EdgeId edge : game_.graph.out_edges(vertex.node)) {
      const ir::NodeId target = game_.graph.target(edge);
      if (!known_.values.possible(target)) continue;
      const ir::Label& label = game_.graph.label(edge);
      if (const auto* comparison = std::get_if<ir::Compare>(&label)) {
        Contents after = vertex.contents;
        if (passes(*comparison, vertex, after)) go(at, edge, vertex.valuation, std::move(after), graph, {});
      } else if (ir::is_assignment(label)) {
        assign(at, edge, vertex, graph);
      } else {
        go(at, edge, vertex.valuation, vertex.contents, graph, {});
      }
    }
  }

  struct Effect {
    bool idle = true;
    std::vector<SymbolChange> changes;
  };

  void go(std::uint32_t at, ir::EdgeId edge, Valuation valuation, Contents contents, TurnGraph* graph, Effect effect) {
    const std::uint32_t to = arrive(game_.graph.target(edge), std::move(valuation), std::move(contents));
    if (graph == nullptr) return;
    sort_unique(effect.changes);
    graph->arcs.push_back({at, to, game_.is_player_assignment(game_.graph.label(edge)) ? 1U : 0U, effect.idle,
                           std::move(effect.changes), edge});
  }

  // False if the comparison never holds at the vertex. Notes what follows from it.
  bool passes(const ir::Compare& compare, const Vertex& vertex, Contents& after) {
    if (!game_.is_set(game_.expressions().type(compare.lhs))) return true;
    const ir::ExprId left = plain(compare.lhs, vertex.valuation);
    const ir::ExprId right = plain(compare.rhs, vertex.valuation);
    const Symbols mine = symbols(left, vertex.node, vertex.contents);
    const Symbols others = symbols(right, vertex.node, vertex.contents);
    const auto note = [&](ir::ExprId expression, const Symbols& symbols) {
      const ir::ExprKind kind = game_.expressions().kind(game_.expressions().root(expression));
      if (kind == ir::ExprKind::symbol) return !symbols.empty();
      if (symbols.empty()) return false;
      after[expression] = symbols;
      return narrow_index(expression, symbols, vertex.node, after);
    };
    if (!compare.negated) {
      if (left == right) return true;
      Symbols common;
      std::ranges::set_intersection(mine, others, std::back_inserter(common));
      return note(left, common) && note(right, common);
    }
    if (left == right) return false;
    const auto without = [](Symbols all, const Symbols& one) {
      if (one.size() == 1) std::erase(all, one[0]);
      return all;
    };
    return note(left, without(mine, others)) && note(right, without(others, mine));
  }

  // After `owner[board[pos]] == black`, board[pos] is one of black's men. False if no index gives such a symbol.
  bool narrow_index(ir::ExprId lookup, const Symbols& found, ir::NodeId node, Contents& after) {
    const ir::Expressions& all = game_.expressions();
    if (all.kind(all.root(lookup)) != ir::ExprKind::constant) return true;
    const std::vector<ir::ExprId> indices = ir::indices_of(all, lookup);
    std::size_t open = indices.size();  // the only one with several symbols
    std::vector<SymbolId> keys;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const Symbols possible = symbols(indices[i], node, after);
      if (possible.size() != 1 && open < indices.size()) return true;
      if (possible.size() != 1) open = i;
      keys.push_back(possible.size() == 1 ? possible[0] : SymbolId());
    }
    if (open == indices.size()) return true;
    Symbols fitting;
    for (const SymbolId key : symbols(indices[open], node, after)) {
      keys[open] = key;
      ir::ValueId value = game_.constant(all.constant(all.root(lookup))).value;
      for (const SymbolId index : keys) value = game_.values.at(value, index);
      if (std::ranges::binary_search(found, game_.values.as_symbol(value))) fitting.push_back(key);
    }
    if (fitting.empty()) return false;
    after[indices[open]] = fitting;
    return narrow_index(indices[open], fitting, node, after);
  }

  void assign(std::uint32_t at, ir::EdgeId edge, const Vertex& vertex, TurnGraph* graph) {
    const ir::Label label = game_.graph.label(edge);
    const ir::VarId variable = ir::written_variable(game_, label);
    const ir::ExprId lhs = game_.strip_casts(ir::left_side(label));
    if (!game_.is_set(game_.expressions().type(lhs))) {
      Contents after = vertex.contents;
      std::erase_if(after, [&](const auto& entry) { return reads(entry.first, variable); });
      if (graph != nullptr) graph->replaced.push_back(variable);
      return go(at, edge, vertex.valuation, std::move(after), graph, {});
    }
    const ir::ExprId place = plain_place(lhs, vertex.valuation);
    ir::ExprId value;
    Symbols stored;
    if (const auto* any = std::get_if<ir::AssignAny>(&label)) {
      const auto members = game_.members(any->type);
      stored.assign(members.begin(), members.end());
      sort_unique(stored);
    } else {
      value = plain(std::get<ir::Assign>(label).rhs, vertex.valuation);
      stored = symbols(value, vertex.node, vertex.contents);
    }
    if (!tracked_[variable.value]) return store(at, edge, vertex, graph, {place, value, stored, variable});
    for (const SymbolId symbol : stored) {
      Valuation valuation = vertex.valuation;
      std::erase_if(valuation, [&](const auto& entry) { return entry.first == variable; });
      valuation.insert(std::ranges::lower_bound(valuation, std::pair(variable, SymbolId())), {variable, symbol});
      Contents after = vertex.contents;
      std::erase_if(after, [&](const auto& entry) { return reads(entry.first, variable); });
      // What the value was computed from is known better.
      if (value.valid() && stored.size() > 1) after_choice(after, value, symbol, variable);
      go(at, edge, std::move(valuation), std::move(after), graph, {});
    }
  }

  void after_choice(Contents& after, ir::ExprId value, SymbolId symbol, ir::VarId written) {
    if (game_.expressions().kind(game_.expressions().root(value)) == ir::ExprKind::variable && !reads(value, written))
      after[value] = {symbol};
  }

  struct Store {
    ir::ExprId place, value;  // plain; no value if any symbol is stored
    Symbols stored;
    ir::VarId variable;
  };

  void store(std::uint32_t at, ir::EdgeId edge, const Vertex& vertex, TurnGraph* graph, const Store& store) {
    const bool whole = game_.expressions().kind(store.place) == ir::ExprKind::variable;
    Contents after;
    for (const auto& [lookup, held] : vertex.contents) {
      if (!reads(lookup, store.variable)) {
        after.emplace(lookup, held);
        continue;
      }
      // A lookup in the written map, whose keys the write does not change.
      bool in_keys = whole;
      ir::for_each_index(game_.expressions(), lookup,
                         [&](ir::ExprId index) { in_keys = in_keys || reads(index, store.variable); });
      if (in_keys || lookup == store.place) continue;
      Symbols widened = held;
      if (!different_cells(lookup, store.place, vertex.node, vertex.contents)) {
        widened.clear();
        std::ranges::set_union(held, store.stored, std::back_inserter(widened));
      }
      after.emplace(lookup, std::move(widened));
    }
    bool own_keys = false;
    ir::for_each_index(game_.expressions(), store.place,
                       [&](ir::ExprId index) { own_keys = own_keys || reads(index, store.variable); });
    const bool lost = may_be_lost(vertex, store);
    if (!own_keys && !lost) after[store.place] = store.stored;
    if (whole && store.value.valid() && !reads(store.value, store.variable)) copy(after, vertex.contents, store);
    Effect effect;
    if (graph != nullptr) effect = effect_of(vertex, store, whole, *graph);
    effect.idle = effect.idle || lost;
    go(at, edge, vertex.valuation, std::move(after), graph, std::move(effect));
  }

  // Whether a key may be outside of the map, so that nothing is stored.
  bool may_be_lost(const Vertex& vertex, const Store& store) {
    const std::vector<ir::TypeId> types = game_.keys(game_.variable(store.variable).type);
    std::size_t level = 0;
    for (const ir::ExprId index : ir::indices_of(game_.expressions(), store.place)) {
      const ir::TypeId type = types[level++];
      for (const SymbolId key : symbols(index, vertex.node, vertex.contents))
        if (game_.index_of(type, key) < 0) return true;
    }
    return false;
  }

  // After `pos = next[at]`, the contents of board[next[at]] are those of board[pos].
  void copy(Contents& after, const Contents& before, const Store& store) {
    if (game_.expressions().kind(store.value) == ir::ExprKind::symbol) return;
    for (const auto& [lookup, held] : before) {
      if (lookup == store.value || reads(lookup, store.variable)) continue;
      const ir::ExprId renamed =
          ir::rewrite(game_, lookup, [&](ir::ExprId part) { return part == store.value ? store.place : ir::ExprId(); });
      if (renamed != lookup) after.emplace(renamed, held);
    }
  }

  Effect effect_of(const Vertex& vertex, const Store& store, bool whole, TurnGraph& graph) {
    Effect effect;
    if (whole && game_.built_in(store.variable)) return effect;
    MeasureSlot slot{store.variable, kNone};
    if (!whole && options_.cells) {
      std::vector<SymbolId> keys;
      for (const ir::ExprId index : ir::indices_of(game_.expressions(), store.place)) {
        const Symbols one = symbols(index, vertex.node, vertex.contents);
        if (one.size() == 1) keys.push_back(one[0]);
      }
      slot.cell = known_.cells.cell(store.variable, keys);
      if (slot.cell == kNone) {
        graph.replaced.push_back(store.variable);
        return effect;
      }
    }
    // A variable that may take many values whatever it held before has no useful weights.
    constexpr std::size_t kMostPairs = 200;
    const Symbols before = symbols(store.place, vertex.node, vertex.contents);
    if (whole && store.stored.size() > 1 && before.size() * store.stored.size() > kMostPairs && !reads_place(store)) {
      graph.replaced.push_back(store.variable);
      return effect;
    }
    effect.idle = false;
    for (const SymbolId from : before) {
      for (const SymbolId to : stored_for(vertex, store, from)) {
        if (from == to) {
          effect.idle = true;
        } else {
          effect.changes.push_back({slot, from, to});
        }
      }
    }
    return effect;
  }

  [[nodiscard]] bool reads_place(const Store& store) const {
    bool found = false;
    if (!store.value.valid()) return found;
    ir::visit_parts(game_.expressions(), store.value, [&](ir::ExprId part) {
      found = found || part == store.place;
      return !found;
    });
    return found;
  }

  // The symbols that are stored if the place holds this one before.
  Symbols stored_for(const Vertex& vertex, const Store& store, SymbolId before) {
    if (!reads_place(store)) return store.stored;
    const ir::ExprId given = ir::rewrite(
        game_, store.value, [&](ir::ExprId part) { return part == store.place ? game_.symbol(before) : ir::ExprId(); });
    return symbols(plain(given, vertex.valuation), vertex.node, vertex.contents);
  }

  KnownGame& known_;
  ir::Game& game_;
  const TurnGraphOptions& options_;
  std::vector<bool> tracked_;  // by variable
  std::vector<Vertex> vertices_;
  std::map<std::pair<ir::NodeId, Valuation>, std::uint32_t> numbers_;
  std::deque<std::uint32_t> queue_;
  std::vector<bool> queued_;
};

// Removes vertices that one arc enters, or leaves, while that arc or all others do nothing.
class Contraction {
 public:
  explicit Contraction(TurnGraph& graph) : graph_(graph), in_(graph.vertices), out_(graph.vertices) {
    for (std::uint32_t i = 0; i < graph.arcs.size(); ++i) link(i);
    alive_.assign(graph.arcs.size(), true);
  }

  void run() {
    std::vector<std::uint32_t> todo(graph_.vertices);
    for (std::uint32_t v = 0; v < todo.size(); ++v) todo[v] = v;
    while (!todo.empty()) {
      const std::uint32_t v = todo.back();
      todo.pop_back();
      if (!removable(v)) continue;
      const std::vector<std::uint32_t> in = in_[v];
      const std::vector<std::uint32_t> out = out_[v];
      for (const std::uint32_t a : in) {
        for (const std::uint32_t b : out) join(a, b);
      }
      for (const std::uint32_t a : in) unlink(a);
      for (const std::uint32_t b : out) unlink(b);
      for (const std::uint32_t a : in) todo.push_back(graph_.arcs[a].from);
      for (const std::uint32_t b : out) todo.push_back(graph_.arcs[b].to);
    }
    std::vector<TurnArc> left;
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, bool, std::vector<SymbolChange>>> seen;
    for (std::size_t i = 0; i < graph_.arcs.size(); ++i) {
      TurnArc& arc = graph_.arcs[i];
      if (alive_[i] && seen.emplace(arc.from, arc.to, arc.moves, arc.idle, arc.changes).second)
        left.push_back(std::move(arc));
    }
    graph_.arcs = std::move(left);
  }

 private:
  [[nodiscard]] bool silent(std::uint32_t arc) const { return graph_.arcs[arc].changes.empty(); }
  [[nodiscard]] bool removable(std::uint32_t v) const {
    const auto& in = in_[v];
    const auto& out = out_[v];
    if (in.empty() && out.empty()) return false;
    for (const std::uint32_t a : in)
      if (graph_.arcs[a].from == v) return false;
    if (in.empty() || out.empty()) return true;  // on no cycle
    if (in.size() > 1 && out.size() > 1) return false;
    const bool silent_in = std::ranges::all_of(in, [&](std::uint32_t a) { return silent(a); });
    return silent_in || std::ranges::all_of(out, [&](std::uint32_t a) { return silent(a); });
  }
  void join(std::uint32_t a, std::uint32_t b) {
    TurnArc both = silent(a) ? graph_.arcs[b] : graph_.arcs[a];
    both.from = graph_.arcs[a].from;
    both.to = graph_.arcs[b].to;
    both.moves = graph_.arcs[a].moves + graph_.arcs[b].moves;
    if (!silent(a) || !silent(b)) both.idle = (silent(a) || graph_.arcs[a].idle) && (silent(b) || graph_.arcs[b].idle);
    graph_.arcs.push_back(std::move(both));
    alive_.push_back(true);
    link(static_cast<std::uint32_t>(graph_.arcs.size() - 1));
  }
  void link(std::uint32_t arc) {
    out_[graph_.arcs[arc].from].push_back(arc);
    in_[graph_.arcs[arc].to].push_back(arc);
  }
  void unlink(std::uint32_t arc) {
    alive_[arc] = false;
    std::erase(out_[graph_.arcs[arc].from], arc);
    std::erase(in_[graph_.arcs[arc].to], arc);
  }

  TurnGraph& graph_;
  std::vector<std::vector<std::uint32_t>> in_, out_;  // by vertex
  std::vector<bool> alive_;                           // by arc
};

}  // namespace

std::optional<TurnGraph> make_turn_graph(KnownGame& known, const TurnGraphOptions& options) {
  return TurnGraphBuilder(known, options).run();
}

void contract(TurnGraph& graph) { Contraction(graph).run(); }

}  // namespace rgtrans::proper
