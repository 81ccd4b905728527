// Walking around in a cycle whose steps depend on nothing but one variable - `pos = left[pos]` or `pos = right[pos]`,
// as often as one likes - is one choice among the values that can be reached. They are worked out here: the cycle
// becomes
//     old = pos;  pos = T(*);  reach[old][pos] == 1;
// for each of its ways out, and nothing has to be visited when the game is played.
#include <algorithm>
#include <map>
#include <set>

#include "backends/cpp/model.hpp"
#include "core/analysis/analysis.hpp"

namespace rgtrans::cpp {

namespace {

constexpr std::uint32_t kMostValues = 256;
constexpr std::size_t kMostTables = 64;

struct Cycle {
  VarId variable;
  std::set<std::uint32_t> nodes;
  std::vector<std::uint32_t> steps;
};

class Closer {
 public:
  explicit Closer(Model& model) : model_(model) {
    for (const Check& check : model.checks) pinned_.insert({check.from, check.to});
    pinned_.insert({model.game.begin().value, model.game.end().value});
  }

  // Cycles that share no node.
  std::vector<Cycle> find() {
    std::vector<Cycle> cycles;
    std::set<std::uint32_t> taken;
    std::set<VarId> variables;
    for (const Step& step : model_.steps) {
      if (step.kind == StepKind::assign && !step.ends_move && model_.scalar(step.variable)) {
        variables.insert(step.variable);
      }
    }
    for (const VarId x : variables) {
      if (model_.universes[model_.variable_shape(x).leaf].size() > kMostValues) continue;
      for (Cycle& cycle : cycles_of(x)) {
        const auto bad = [&](std::uint32_t node) { return taken.contains(node) || pinned_.contains(node); };
        if (std::any_of(cycle.nodes.begin(), cycle.nodes.end(), bad)) continue;
        taken.insert(cycle.nodes.begin(), cycle.nodes.end());
        cycles.push_back(std::move(cycle));
      }
    }
    return cycles;
  }

  void close(ir::Game& game, const Cycle& cycle) {
    const std::set<std::uint32_t> steps(cycle.steps.begin(), cycle.steps.end());
    std::set<std::uint32_t> entries, exits;
    for (const std::uint32_t node : cycle.nodes) {
      for (const std::uint32_t s : model_.in[node]) {
        if (!steps.contains(s)) entries.insert(node);
      }
      for (const std::uint32_t s : model_.out[node]) {
        if (!steps.contains(s)) exits.insert(node);
      }
    }
    if (entries.size() * exits.size() > kMostTables) return;
    const ir::Variable variable = game.variable(cycle.variable);
    const TypeId type = game.resolve(variable.type);
    const SymbolId no = game.symbols.intern("0"), yes = game.symbols.intern("1");
    const TypeId relation = game.types.arrow(type, game.types.arrow(type, game.types.set(std::vector{no, yes})));
    const std::string name = game.symbols.str(variable.name);
    const VarId old = game.define_variable(fresh(game, "old_" + name), type, variable.initial);
    const ir::ExprId x = game.variable_ref(cycle.variable);
    std::map<std::uint32_t, NodeId> behind;
    for (const std::uint32_t exit : exits) behind[exit] = game.graph.add_node({}, game.graph.where(NodeId(exit)));
    for (const std::uint32_t entry : entries) {
      const Range where = game.graph.where(NodeId(entry));
      const NodeId first = game.graph.add_node({}, where);
      const NodeId second = game.graph.add_node({}, where);
      const NodeId third = game.graph.add_node({}, where);
      game.graph.add_edge(first, second, ir::Assign{game.variable_ref(old), x}, where);
      game.graph.add_edge(second, third, ir::AssignAny{x, type}, where);
      for (const std::uint32_t exit : exits) {
        const ValueId table = reachable(game, cycle, entry, exit, no, yes);
        const ConstId reach = game.define_constant(fresh(game, "reach_" + name), relation, table);
        const ir::ExprId row = game.access(game.constant_ref(reach), game.variable_ref(old));
        game.graph.add_edge(third, behind[exit], ir::Compare{game.access(row, x), game.symbol(yes), false}, where);
      }
      for (const std::uint32_t s : model_.in[entry]) {
        if (!steps.contains(s)) game.graph.set_target(model_.steps[s].edge, first);
      }
    }
    for (const std::uint32_t exit : exits) {
      for (const std::uint32_t s : model_.out[exit]) {
        if (!steps.contains(s)) game.graph.set_source(model_.steps[s].edge, behind[exit]);
      }
    }
    for (const std::uint32_t s : cycle.steps) game.graph.remove_edge(model_.steps[s].edge);
  }

 private:
  using ConstId = ir::ConstId;

  static SymbolId fresh(ir::Game& game, const std::string& base) {
    for (unsigned i = 1;; ++i) {
      const SymbolId name = game.symbols.intern(base + "_" + std::to_string(i));
      if (!game.find_variable(name).valid() && !game.find_constant(name).valid()) return name;
    }
  }

  // A function of x, or a constant.
  [[nodiscard]] const Form* form_of(ExprId expression, std::uint32_t universe, VarId x) const {
    const Form& form = model_.values->form(expression, universe);
    if (form.kind == Form::Kind::constant) return &form;
    const bool good = form.kind == Form::Kind::scalar && form.variable == x && !form.second.valid();
    return good ? &form : nullptr;
  }

  static std::uint32_t at(const Form& form, std::uint32_t value) {
    return form.table[form.kind == Form::Kind::constant ? 0 : value];
  }

  // What a step makes of a value of x: another one, or nothing. None when that depends on something else.
  struct Effect {
    bool known = false;
    std::optional<std::uint32_t> value;
  };
  [[nodiscard]] Effect effect(const Step& step, VarId x, std::uint32_t value) const {
    if (step.kind == StepKind::empty) return {true, value};
    if (step.kind == StepKind::assign && step.variable == x) {
      const Form* form = form_of(step.rhs, model_.variable_shape(x).leaf, x);
      if (form == nullptr || at(*form, value) >= model_.universes[model_.variable_shape(x).leaf].size()) return {};
      return {true, at(*form, value)};
    }
    if (step.kind != StepKind::compare) return {};
    const auto universe = model_.universe_of(step.lhs) ? model_.universe_of(step.lhs) : model_.universe_of(step.rhs);
    if (!universe) return {};
    const Form* left = form_of(step.lhs, *universe, x);
    const Form* right = form_of(step.rhs, *universe, x);
    if (left == nullptr || right == nullptr) return {};
    const bool holds = (at(*left, value) == at(*right, value)) != step.negated;
    return {true, holds ? std::optional(value) : std::nullopt};
  }

  [[nodiscard]] std::vector<Cycle> cycles_of(VarId x) const {
    std::vector<std::uint32_t> steps;
    for (std::uint32_t s = 0; s < model_.steps.size(); ++s) {
      const Step& step = model_.steps[s];
      if (!step.ends_move && effect(step, x, 0).known) steps.push_back(s);
    }
    analysis::Arcs arcs;
    for (const std::uint32_t s : steps) arcs.emplace_back(model_.steps[s].from, model_.steps[s].to);
    const std::vector<std::uint32_t> component = analysis::strong_components(model_.out.size(), arcs).of;
    std::map<std::uint32_t, Cycle> cycles;
    std::set<std::uint32_t> moving;
    for (const std::uint32_t s : steps) {
      const Step& step = model_.steps[s];
      if (component[step.from] != component[step.to]) continue;
      Cycle& cycle = cycles[component[step.from]];
      cycle.variable = x;
      cycle.steps.push_back(s);
      cycle.nodes.insert({step.from, step.to});
      if (step.kind == StepKind::assign) moving.insert(component[step.from]);
    }
    std::vector<Cycle> result;
    for (auto& [number, cycle] : cycles) {
      if (moving.contains(number)) result.push_back(std::move(cycle));
    }
    return result;
  }

  // For each value at the entry, which values there can be at the exit.
  [[nodiscard]] ValueId reachable(ir::Game& game, const Cycle& cycle, std::uint32_t entry, std::uint32_t exit,
                                  SymbolId no, SymbolId yes) const {
    const Universe& universe = model_.universes[model_.variable_shape(cycle.variable).leaf];
    const ValueId zero = game.values.symbol(no), one = game.values.symbol(yes);
    const ValueId nowhere = game.values.map(zero, {});
    std::vector<ir::Values::Entry> rows;
    for (std::uint32_t start = 0; start < universe.size(); ++start) {
      std::set<std::pair<std::uint32_t, std::uint32_t>> seen = {{entry, start}};
      std::vector<std::pair<std::uint32_t, std::uint32_t>> work = {{entry, start}};
      std::vector<ir::Values::Entry> cells;
      while (!work.empty()) {
        const auto [node, value] = work.back();
        work.pop_back();
        if (node == exit) cells.push_back({universe.symbols[value], one});
        for (const std::uint32_t s : cycle.steps) {
          if (model_.steps[s].from != node) continue;
          const auto next = effect(model_.steps[s], cycle.variable, value).value;
          if (next && seen.insert({model_.steps[s].to, *next}).second) work.emplace_back(model_.steps[s].to, *next);
        }
      }
      rows.push_back({universe.symbols[start], game.values.map(zero, cells)});
    }
    return game.values.map(nowhere, rows);
  }

  Model& model_;
  std::set<std::uint32_t> pinned_;
};

// A quick look: is there any cycle of steps that read one variable at most?
bool may_have_cycles(const ir::Game& game) {
  const auto reads_one = [&](std::initializer_list<ir::ExprId> expressions, VarId variable) {
    bool one = true;
    for (const ir::ExprId expression : expressions) {
      game.for_each_variable(expression, [&](VarId v) {
        one &= !variable.valid() || v == variable;
        variable = v;
      });
    }
    return one;
  };
  analysis::Arcs arcs;
  std::vector<ir::EdgeId> moving;
  for (const ir::EdgeId edge : game.graph.edges()) {
    const ir::Label& label = game.graph.label(edge);
    const auto* compare = std::get_if<ir::Compare>(&label);
    const auto* assign = std::get_if<ir::Assign>(&label);
    const bool scalar = assign != nullptr && game.expressions().kind(assign->lhs) == ir::ExprKind::variable;
    const bool simple = std::holds_alternative<ir::Empty>(label) ||
                        (compare != nullptr && reads_one({compare->lhs, compare->rhs}, VarId())) ||
                        (scalar && reads_one({assign->rhs}, game.assigned_variable(assign->lhs)));
    if (!simple || game.is_player_assignment(label)) continue;
    arcs.emplace_back(game.graph.source(edge).value, game.graph.target(edge).value);
    if (assign != nullptr) moving.push_back(edge);
  }
  const std::vector<std::uint32_t> component = analysis::strong_components(game.graph.node_bound(), arcs).of;
  return std::any_of(moving.begin(), moving.end(), [&](ir::EdgeId edge) {
    return component[game.graph.source(edge).value] == component[game.graph.target(edge).value];
  });
}

}  // namespace

ir::Game close_cycles(const ir::Game& source) {
  if (!may_have_cycles(source)) return source;
  Model model(source);
  Closer closer(model);
  const std::vector<Cycle> cycles = closer.find();
  ir::Game game = source;
  for (const Cycle& cycle : cycles) closer.close(game, cycle);
  return game;
}

}  // namespace rgtrans::cpp
