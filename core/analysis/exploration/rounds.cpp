#include "core/analysis/exploration/rounds.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>

#include "core/support/components.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::analysis {

using ir::VarId;

namespace {

// Limits for one group: states of the product of nodes and values, and transitions between them.
constexpr std::size_t kMostRoundStates = std::size_t{1} << 18U;
constexpr std::size_t kMostRoundArcs = std::size_t{1} << 20U;
// Limit on the total work for one exploration.
constexpr std::size_t kMostRoundWork = std::size_t{1} << 20U;

// The scalar variable that an edge assigns, or none.
VarId assigned_scalar(const ir::Game& game, const Exploration::Edge& edge) {
  if (!writes(edge.deed)) return {};
  const VarId variable = ir::written_variable(game, game.graph.label(edge.edge));
  return variable.valid() && game.is_set(game.variable(variable).type) ? variable : VarId();
}

// The product of a cycle's nodes with the values of a group of variables at each node. A value is represented by its
// position in the sorted list of values that its variable can ever hold.
class Product {
 public:
  Product(const Exploration& exploration, const ir::Game& game, HeldValues& held, const Rounds::Hints& hints,
          const std::vector<VarId>& group)
      : exploration_(exploration), game_(game), hints_(hints), group_(group) {
    for (const VarId variable : group) values_.push_back(held.of(variable));
  }

  // The edges that some cycle of the product uses, or none if a limit is exceeded.
  std::optional<Rounds::Edges> endless(const Rounds::Edges& edges) {
    for (const std::uint32_t e : edges) {
      if (!add(exploration_.edges[e].source) || !add(exploration_.edges[e].target)) return std::nullopt;
    }
    Arcs arcs;
    std::vector<std::size_t> behind;  // by edge: end of its transitions in arcs
    for (const std::uint32_t e : edges) {
      if (!follow(exploration_.edges[e], arcs)) return std::nullopt;
      behind.push_back(arcs.size());
    }
    work_ += states_ + arcs.size();
    const Components components = strong_components(states_, arcs);
    Rounds::Edges found;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const auto mine =
          std::span(arcs).subspan(i == 0 ? 0 : behind[i - 1]).first(behind[i] - (i == 0 ? 0 : behind[i - 1]));
      const auto comes_back = [&](const auto& arc) { return components.of[arc.first] == components.of[arc.second]; };
      if (std::ranges::any_of(mine, comes_back)) found.push_back(edges[i]);
    }
    return found;
  }
  [[nodiscard]] std::size_t work() const { return work_; }

 private:
  struct Node {
    std::size_t first = 0;                             // number of its first state
    std::vector<std::vector<std::uint32_t>> choices;   // by variable: its possible values at this node
    std::vector<std::vector<std::uint32_t>> place_of;  // by variable and value: position in choices, or kNone
    std::vector<bool> live;
  };
  // Results of evaluating a label for all values of the variables that it reads.
  struct Table {
    std::vector<std::size_t> reads;      // variables of the group
    std::vector<std::uint32_t> results;  // the value of the first variable varies fastest
  };

  // Adds the states of a node. Returns false if a limit is exceeded.
  bool add(std::uint32_t node) {
    const auto [it, fresh] = nodes_.try_emplace(node);
    if (!fresh) return true;
    Node& here = it->second;
    here.first = states_;
    std::uint64_t states = 1;
    for (std::size_t k = 0; k < group_.size(); ++k) {
      here.live.push_back(exploration_.live[node].test(group_[k].value));
      std::vector<std::uint32_t> choices, place_of(values_[k].size(), kNone);
      for (std::uint32_t v = 0; v < values_[k].size(); ++v) {
        // All values of a dead variable are equivalent: keep one.
        if (!here.live[k] ? v > 0 : hints_.can_hold && !hints_.can_hold(node, group_[k], values_[k][v])) continue;
        place_of[v] = static_cast<std::uint32_t>(choices.size());
        choices.push_back(v);
      }
      states *= choices.size();
      if (states > kMostRoundStates) return false;
      here.choices.push_back(std::move(choices));
      here.place_of.push_back(std::move(place_of));
    }
    states_ += states;
    return states_ <= kMostRoundStates;
  }

  // Adds the transitions of an edge. Returns false if there are too many.
  bool follow(const Exploration::Edge& edge, Arcs& arcs) {
    const Node& from = nodes_.at(edge.source);
    const Node& to = nodes_.at(edge.target);
    const ir::Label& label = game_.graph.label(edge.edge);
    std::optional<Table> passes, assigns;
    if (edge.deed == Deed::compare) passes = passing(std::get<ir::Compare>(label));
    const auto written =
        static_cast<std::size_t>(std::ranges::find(group_, assigned_scalar(game_, edge)) - group_.begin());
    if (written < group_.size() && edge.deed == Deed::assign) assigns = assigning(std::get<ir::Assign>(label), written);
    std::vector<std::uint32_t> places(group_.size(), 0), values(group_.size());
    if (std::ranges::any_of(from.choices, &std::vector<std::uint32_t>::empty)) return true;
    for (std::size_t state = from.first;; ++state) {
      for (std::size_t k = 0; k < group_.size(); ++k) values[k] = from.choices[k][places[k]];
      if ((!passes || look_up(*passes, values) != 0) && can_pass(edge, from, values)) {
        if (written < group_.size()) {
          const std::uint32_t next = assigns ? look_up(*assigns, values) : kNone;
          for (std::uint32_t v = 0; v < (to.live[written] ? values_[written].size() : 1); ++v) {
            if (to.live[written] && next != kNone && v != next) continue;
            values[written] = v;
            arrive(state, to, values, arcs);
          }
        } else {
          arrive(state, to, values, arcs);
        }
        if (arcs.size() > kMostRoundArcs) return false;
      }
      std::size_t k = 0;
      while (k < group_.size() && ++places[k] == from.choices[k].size()) places[k++] = 0;
      if (k == group_.size()) return true;
    }
  }

  void arrive(std::size_t state, const Node& to, const std::vector<std::uint32_t>& values, Arcs& arcs) const {
    std::size_t place = 0;
    for (std::size_t k = group_.size(); k-- > 0;) {
      const std::uint32_t mine = to.live[k] ? to.place_of[k][values[k]] : 0;
      if (mine == kNone) return;
      place = place * to.choices[k].size() + mine;
    }
    arcs.emplace_back(static_cast<std::uint32_t>(state), static_cast<std::uint32_t>(to.first + place));
  }

  [[nodiscard]] bool can_pass(const Exploration::Edge& edge, const Node& from,
                              const std::vector<std::uint32_t>& values) const {
    if (edge.deed != Deed::compare || !hints_.can_pass) return true;
    for (std::size_t k = 0; k < group_.size(); ++k) {
      if (from.live[k] && !hints_.can_pass(edge.number, group_[k], values_[k][values[k]])) return false;
    }
    return true;
  }

  // 1 where the comparison can hold.
  [[nodiscard]] Table passing(const ir::Compare& compare) {
    return tabled({compare.lhs, compare.rhs}, [&](const auto& bound) {
      const ir::Folded left = ir::fold(game_, compare.lhs, bound), right = ir::fold(game_, compare.rhs, bound);
      return left.known() && right.known() && (left == right) == compare.negated ? 0U : 1U;
    });
  }
  // The assigned value, or kNone if it is unknown.
  [[nodiscard]] Table assigning(const ir::Assign& assign, std::size_t written) {
    return tabled({assign.rhs}, [&](const auto& bound) {
      const ir::Folded value = ir::fold(game_, assign.rhs, bound);
      const auto it = std::ranges::lower_bound(values_[written], value.symbol);
      return value.symbol.valid() && it != values_[written].end() && *it == value.symbol
                 ? static_cast<std::uint32_t>(it - values_[written].begin())
                 : kNone;
    });
  }

  template <class Result>
  [[nodiscard]] Table tabled(std::initializer_list<ir::ExprId> read, const Result& result) {
    Table table;
    for (const ir::ExprId expression : read) {
      game_.for_each_variable(expression, [&](VarId variable) {
        const auto k = static_cast<std::size_t>(std::ranges::find(group_, variable) - group_.begin());
        if (k < group_.size()) table.reads.push_back(k);
      });
    }
    sort_unique(table.reads);
    std::vector<std::uint32_t> values(group_.size(), 0);
    const auto bound = [&](ir::ExprId part) {
      if (game_.expressions().kind(part) != ir::ExprKind::variable) return ir::Folded{};
      const auto k = std::ranges::find(group_, game_.expressions().variable(part)) - group_.begin();
      return static_cast<std::size_t>(k) < group_.size() ? ir::Folded{values_[k][values[k]], {}} : ir::Folded{};
    };
    for (;;) {
      table.results.push_back(result(bound));
      ++work_;
      std::size_t i = 0;
      while (i < table.reads.size() && ++values[table.reads[i]] == values_[table.reads[i]].size())
        values[table.reads[i++]] = 0;
      if (i == table.reads.size()) return table;
    }
  }
  [[nodiscard]] std::uint32_t look_up(const Table& table, const std::vector<std::uint32_t>& values) const {
    std::size_t place = 0;
    for (std::size_t i = table.reads.size(); i-- > 0;)
      place = place * values_[table.reads[i]].size() + values[table.reads[i]];
    return table.results[place];
  }

  const Exploration& exploration_;
  const ir::Game& game_;
  const Rounds::Hints& hints_;
  const std::vector<VarId>& group_;
  std::vector<std::vector<SymbolId>> values_;  // by variable of the group: sorted values
  std::unordered_map<std::uint32_t, Node> nodes_;
  std::size_t states_ = 0;
  std::size_t work_ = 0;
};

}  // namespace

Rounds::Edges Rounds::endless(const Edges& edges) {
  for (const Group& group : groups(edges)) {
    if (work_ > kMostRoundWork) break;
    Product product(exploration_, game_, held_, hints_, group);
    const std::optional<Edges> left = product.endless(edges);
    work_ += product.work();
    if (left && left->size() < edges.size()) return *left;
  }
  return edges;
}

bool Rounds::end(const Edges& edges) {
  Arcs arcs;
  for (const std::uint32_t e : edges) arcs.emplace_back(exploration_.edges[e].source, exploration_.edges[e].target);
  const Components components = strong_components(exploration_.nodes.size(), arcs);
  std::vector<Edges> inside(components.count);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (components.of[arcs[i].first] == components.of[arcs[i].second])
      inside[components.of[arcs[i].first]].push_back(edges[i]);
  }
  return std::ranges::all_of(inside, [&](const Edges& cycle) {
    if (cycle.empty()) return true;
    const Edges left = endless(cycle);
    return left.size() < cycle.size() && end(left);
  });
}

// The groups of variables, those with the fewest combinations of values first.
std::vector<Rounds::Group> Rounds::groups(const Edges& edges) const {
  std::set<Group> found;
  for (const std::uint32_t e : edges) {
    if (const VarId variable = assigned_scalar(game_, exploration_.edges[e]); variable.valid())
      found.insert(computed_together(edges, variable));
  }
  std::vector<Group> sorted(found.begin(), found.end());
  std::ranges::stable_sort(sorted, {}, [&](const Group& group) { return combinations(group); });
  while (!sorted.empty() && combinations(sorted.back()) > kMostRoundStates) sorted.pop_back();
  return sorted;
}

Rounds::Group Rounds::computed_together(const Edges& edges, VarId first) const {
  Group group{first};
  for (std::size_t i = 0; i < group.size(); ++i) {
    for (const std::uint32_t e : edges) {
      const Exploration::Edge& edge = exploration_.edges[e];
      if (edge.deed != Deed::assign || assigned_scalar(game_, edge) != group[i]) continue;
      game_.for_each_variable(std::get<ir::Assign>(game_.graph.label(edge.edge)).rhs, [&](VarId read) {
        if (game_.is_set(game_.variable(read).type) && std::ranges::find(group, read) == group.end())
          group.push_back(read);
      });
    }
  }
  std::ranges::sort(group);
  return group;
}

double Rounds::combinations(const Group& group) const {
  double product = 1;
  for (const VarId variable : group) product *= static_cast<double>(held_.of(variable).size());
  return product;
}

}  // namespace rgtrans::analysis
