// Every play ends: finds a measure that falls. The measure of a state is a weight of the vertex that the play is at
// plus, for each slot, a weight of the symbol there. A solver for linear arithmetic chooses the weights so that no arc
// of a component raises the measure and as many arcs as possible lower it. A play takes these only so often, because
// there are finitely many states; they are removed, and the next measure is for the rest, until no cycle is left that
// passes the end of a move. The weights are checked here, by exact arithmetic.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "backends/proper/solver.hpp"
#include "backends/proper/turn_graph.hpp"
#include "core/support/clock.hpp"
#include "core/support/components.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::proper {

namespace {

constexpr std::size_t kMostArcs = 2'000;  // of one component; on larger ones the solver does not keep its time

// Weights by slot and symbol, as numbers of variables or as values.
using WeightIndex = std::map<std::pair<MeasureSlot, SymbolId>, std::uint32_t>;

struct FallingMeasure {
  std::set<ir::VarId> variables;  // whose contents have weights that matter
  bool vertices = false;          // the place in the rules matters
  double turns = 0;               // most ends of moves in the component
};

class EndProver {
 public:
  EndProver(KnownGame& known, double seconds) : known_(known), game_(known.game), seconds_(seconds) {}

  DutyAnswer run(PlayBounds& bounds) {
    DutyAnswer answer{Duty::ends, DutyStanding::open, "", {}, {}};
    if (!known_.cells.few()) {
      answer.reason = "the states have too many cells for the analysis";
      return answer;
    }
    if (some_measure_falls([](TurnGraph&) {})) {
      answer.standing = DutyStanding::proved;
      answer.reason = describe_measures();
      if (turns_ < 1e300) bounds.length = turns_;
      return answer;
    }
    answer.reason = solver_found() ? "no measure was found that falls along this cycle of moves"
                                   : "no measure was found, because Z3 is not installed";
    if (stuck_.valid()) answer.where = game_.graph.where(stuck_);
    return answer;
  }

  // Within one move: the steps from these nodes are counted in place of the ends of moves.
  bool loops_end(const std::vector<bool>& nodes) {
    return some_measure_falls([&](TurnGraph& graph) {
      std::erase_if(graph.arcs, [&](const TurnArc& arc) { return arc.moves > 0; });
      for (TurnArc& arc : graph.arcs) arc.moves = nodes[game_.graph.source(arc.edge).value] ? 1 : 0;
    });
  }

 private:
  // `prepare` may change which arcs count.
  template <class Prepare>
  bool some_measure_falls(const Prepare& prepare) {
    for (const TurnGraphOptions& options : attempts()) {
      if (processor_seconds() - begin_ > seconds_) break;
      std::optional<TurnGraph> graph = make_turn_graph(known_, options);
      if (!graph) continue;
      prepare(*graph);
      double outside = 0;
      for (const TurnArc& arc : graph->arcs) outside += arc.moves;
      contract(*graph);
      if (measure(*graph, outside)) return true;
    }
    return false;
  }

  // Tracks nothing; then the variables that name the written cells; then also those with few symbols.
  std::vector<TurnGraphOptions> attempts() {
    std::set<ir::VarId> keys, small;
    for (const ir::EdgeId edge : game_.graph.edges()) {
      const ir::Label& label = game_.graph.label(edge);
      const ir::ExprId lhs = ir::left_side(label);
      if (!lhs.valid() || !known_.flow.reached(game_.graph.source(edge))) continue;
      const ir::VarId written = ir::written_variable(game_, label);
      if (!game_.built_in(written))
        ir::for_each_index_variable(game_, lhs, [&](ir::VarId variable) { keys.insert(variable); });
    }
    constexpr std::size_t kSmall = 4;
    for (const ir::VarId variable : game_.living_variables()) {
      const ir::TypeId type = game_.variable(variable).type;
      if (game_.is_set(type) && game_.members(type).size() <= kSmall) small.insert(variable);
    }
    std::erase_if(keys, [&](ir::VarId variable) { return !game_.is_set(game_.variable(variable).type); });
    // What a key is computed from.
    for (bool grown = true; grown;) {
      grown = false;
      for (const ir::EdgeId edge : game_.graph.edges()) {
        const auto* assign = std::get_if<ir::Assign>(&game_.graph.label(edge));
        if (assign == nullptr || !keys.contains(game_.assigned_variable(assign->lhs))) continue;
        game_.for_each_variable(assign->rhs, [&](ir::VarId variable) {
          if (game_.is_set(game_.variable(variable).type)) grown = keys.insert(variable).second || grown;
        });
      }
    }
    std::vector<TurnGraphOptions> out;
    out.push_back({});
    out.push_back({{small.begin(), small.end()}, false});
    out.push_back({{keys.begin(), keys.end()}, true});
    keys.insert(small.begin(), small.end());
    out.push_back({{keys.begin(), keys.end()}, true});
    return out;
  }

  // Whether all cycles through ends of moves are broken.
  // `outside`: most ends of moves that are on no cycle.
  bool measure(const TurnGraph& graph, double outside) {
    measures_.clear();
    turns_ = outside;
    std::vector<std::uint32_t> arcs(graph.arcs.size());
    for (std::uint32_t i = 0; i < arcs.size(); ++i) arcs[i] = i;
    bool first = true;
    for (;; first = false) {
      const std::vector<std::vector<std::uint32_t>> components = with_ends(graph, arcs);
      if (components.empty()) return true;
      if (!first) turns_ = 1e300;  // a lexicographic measure; its bound is astronomic
      std::set<std::uint32_t> falling;
      for (const std::vector<std::uint32_t>& component : components) {
        const std::vector<std::uint32_t> found = fall(graph, component);
        if (found.empty()) {
          for (const std::uint32_t arc : component)
            if (graph.arcs[arc].moves > 0) stuck_ = graph.arcs[arc].edge;
          return false;
        }
        falling.insert(found.begin(), found.end());
      }
      std::erase_if(arcs, [&](std::uint32_t arc) { return falling.contains(arc); });
    }
  }

  // The arcs of each strongly connected component that contains the end of a move.
  static std::vector<std::vector<std::uint32_t>> with_ends(const TurnGraph& graph,
                                                           const std::vector<std::uint32_t>& arcs) {
    Arcs pairs;
    for (const std::uint32_t arc : arcs) pairs.emplace_back(graph.arcs[arc].from, graph.arcs[arc].to);
    const Components components = strong_components(graph.vertices, pairs);
    std::vector<std::vector<std::uint32_t>> inside(components.count);
    std::vector<bool> ends(components.count, false);
    for (const std::uint32_t arc : arcs) {
      const std::uint32_t component = components.of[graph.arcs[arc].from];
      if (component != components.of[graph.arcs[arc].to]) continue;
      inside[component].push_back(arc);
      if (graph.arcs[arc].moves > 0) ends[component] = true;
    }
    std::vector<std::vector<std::uint32_t>> out;
    for (std::size_t i = 0; i < inside.size(); ++i)
      if (ends[i]) out.push_back(std::move(inside[i]));
    return out;
  }

  // The arcs that a measure lowers which no arc of the component raises.
  std::vector<std::uint32_t> fall(const TurnGraph& graph, const std::vector<std::uint32_t>& component) {
    const double left = seconds_ - (processor_seconds() - begin_);
    if (left <= 0 || component.size() > kMostArcs || !solver_found()) return {};
    LinearProblem problem(left);
    std::map<std::uint32_t, std::uint32_t> places;  // by vertex
    WeightIndex weights;
    const auto weight = [&](const MeasureSlot& slot, SymbolId symbol) {
      const auto [it, fresh] = weights.try_emplace({slot, symbol}, 0);
      if (fresh) it->second = problem.fresh();
      return it->second;
    };
    const auto place = [&](std::uint32_t vertex) {
      const auto [it, fresh] = places.try_emplace(vertex, 0);
      if (fresh) it->second = problem.fresh();
      return it->second;
    };
    using Sum = std::vector<std::pair<std::uint32_t, int>>;
    std::vector<std::pair<std::size_t, Sum>> conditions;  // of arcs: how the measure changes
    std::vector<std::uint32_t> drops;
    Sum all;
    for (std::size_t i = 0; i < component.size(); ++i) {
      const TurnArc& arc = graph.arcs[component[i]];
      drops.push_back(problem.fresh());
      all.emplace_back(drops.back(), 1);
      problem.at_most(Sum{{drops.back(), 1}}, 1);
      problem.at_most(Sum{{drops.back(), -1}}, 0);
      Sum base;
      if (arc.from != arc.to) base = {{place(arc.to), 1}, {place(arc.from), -1}};
      if (arc.idle) conditions.emplace_back(i, base);
      for (const SymbolChange& change : arc.changes) {
        if (std::ranges::binary_search(graph.replaced, change.slot.variable)) {
          if (!arc.idle) conditions.emplace_back(i, base);
          continue;
        }
        Sum sum = base;
        sum.emplace_back(weight(change.slot, change.to), 1);
        sum.emplace_back(weight(change.slot, change.from), -1);
        conditions.emplace_back(i, std::move(sum));
      }
    }
    for (const auto& [arc, sum] : conditions) {
      Sum with_drop = sum;
      with_drop.emplace_back(drops[arc], 1);
      problem.at_most(with_drop, 0);
    }
    const std::optional<std::vector<Rational>> values = problem.maximize(all);
    if (!values) return {};
    // The solver is not trusted: an arc falls if its conditions hold for these values.
    std::vector<bool> falls(component.size(), true);
    Rational step = 0;  // the least fall
    for (const auto& [arc, sum] : conditions) {
      Rational change = 0;
      for (const auto& [variable, factor] : sum) change += (*values)[variable] * factor;
      if (change > 0) return {};
      if (change == 0) falls[arc] = false;
    }
    for (const auto& [arc, sum] : conditions) {
      if (!falls[arc]) continue;
      Rational fallen = 0;
      for (const auto& [variable, factor] : sum) fallen -= (*values)[variable] * factor;
      if (step == 0 || fallen < step) step = fallen;
    }
    std::vector<bool> constrained(component.size(), false);
    for (const auto& [arc, sum] : conditions) constrained[arc] = true;
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < component.size(); ++i)
      if (falls[i] || !constrained[i]) out.push_back(component[i]);
    if (step > 0) note(graph, component, *values, weights, places, static_cast<double>(step));
    return out;
  }

  // What the measure counts, and how often it can fall.
  void note(const TurnGraph& graph, const std::vector<std::uint32_t>& component, const std::vector<Rational>& values,
            const WeightIndex& weights, const std::map<std::uint32_t, std::uint32_t>& places, double step) {
    FallingMeasure found;
    std::map<MeasureSlot, std::pair<Rational, Rational>> range;
    for (const auto& [key, variable] : weights) {
      const Rational& value = values[variable];
      const auto [it, fresh] = range.try_emplace(key.first, value, value);
      it->second.first = std::min(it->second.first, value);
      it->second.second = std::max(it->second.second, value);
    }
    double total = 0;
    for (const auto& [slot, bounds] : range) {
      if (bounds.first == bounds.second) continue;
      found.variables.insert(slot.variable);
      const double cells =
          slot.cell == kNone ? static_cast<double>(game_.cell_count(game_.variable(slot.variable).type)) : 1;
      // Symbols that never change there have no weight, as if they had the least one of the others.
      total += cells * static_cast<double>(Rational(bounds.second - bounds.first));
    }
    Rational least = 0, most = 0;
    bool any = false;
    for (const auto& [vertex, variable] : places) {
      const Rational& value = values[variable];
      least = any ? std::min(least, value) : value;
      most = any ? std::max(most, value) : value;
      any = true;
    }
    found.vertices = least != most;
    total += static_cast<double>(Rational(most - least));
    double ends = 0;
    for (const std::uint32_t arc : component) ends += graph.arcs[arc].moves;
    turns_ += (total / step + 1) * ends;
    measures_.push_back(std::move(found));
  }

  [[nodiscard]] std::string describe_measures() const {
    if (measures_.empty()) return "no cycle of the rules passes the end of a move";
    std::set<ir::VarId> variables;
    for (const FallingMeasure& measure : measures_)
      variables.insert(measure.variables.begin(), measure.variables.end());
    std::vector<std::string> names;
    for (const ir::VarId variable : variables) names.push_back(game_.symbols.str(game_.variable(variable).name));
    if (names.empty()) return "the place in the rules only advances";
    return fmt::format(
        "a measure of {} falls on every cycle of moves{}", fmt::join(names, ", "),
        measures_.size() > 1 ? fmt::format(" ({} measures, one after the other)", measures_.size()) : "");
  }

  KnownGame& known_;
  ir::Game& game_;
  const double seconds_;
  const double begin_ = processor_seconds();
  std::vector<FallingMeasure> measures_;
  double turns_ = 0;
  ir::EdgeId stuck_;  // ends a move on a cycle without a measure
};

}  // namespace

bool loops_end(KnownGame& known, const std::vector<bool>& nodes, double seconds) {
  return known.cells.few() && EndProver(known, seconds).loops_end(nodes);
}

DutyAnswer prove_ends(KnownGame& known, double seconds, PlayBounds& bounds) {
  return EndProver(known, seconds).run(bounds);
}

}  // namespace rgtrans::proper
