// How few and how many tags a move can have passed at each node. A loop with a tag in it makes the number endless,
// unless a variable counts the rounds (`steps = minus_1_[steps]` behind `steps != 0`): then the nodes paired with
// the values of this variable have no such loop, and the longest way through the pairs is the answer.
#include <algorithm>
#include <numeric>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/facts.hpp"
#include "core/analysis/analysis.hpp"

namespace rgtrans::cpp {

namespace {

// The nodes of a context, each paired with the values that one variable can have there; without a variable the nodes
// alone.
class Pairs {
 public:
  Pairs(NumberedGame& model, const CodeContext& context, VarId variable)
      : model_(model), context_(context), variable_(variable) {
    if (variable.valid()) {
      reference_ = model.game.variable_ref(variable);
      universe_ = model.variable_shape(variable).leaf;
      values_ = model.universes[universe_].size();
    }
    explore();
  }

  [[nodiscard]] std::size_t size() const { return places_.size(); }
  [[nodiscard]] std::uint32_t node(std::size_t pair) const { return places_[pair] / values_; }

  // By pair.
  [[nodiscard]] analysis::TagBounds bounds() const {
    std::vector<std::uint32_t> starts(starts_);
    std::iota(starts.begin(), starts.end(), 0U);
    return analysis::tag_bounds(size(), starts, arcs_, kManyTags);
  }

 private:
  std::uint32_t pair(std::uint32_t place) {
    if (numbers_[place] == kNone) {
      numbers_[place] = static_cast<std::uint32_t>(places_.size());
      places_.push_back(place);
    }
    return numbers_[place];
  }

  void explore() {
    numbers_.assign(context_.nodes.size() * values_, kNone);
    for (const std::uint32_t entry : context_.entries) {
      if (!context_.contains(entry)) continue;
      for (std::uint32_t value = 0; value < values_; ++value) {
        if (variable_.valid() && !model_.variable_values[variable_.value].test(value)) continue;
        pair(context_.local.at(entry) * values_ + value);
      }
    }
    starts_ = static_cast<std::uint32_t>(places_.size());
    for (std::uint32_t next = 0; next < places_.size(); ++next) {
      const std::uint32_t place = places_[next];
      for (const Step& step : model_.steps_at(context_.info[place / values_].out)) {
        if (!step.ends_move) add_arcs(next, step, place % values_);
      }
    }
  }

  void add_arcs(std::uint32_t from, const Step& step, std::uint32_t value) {
    const std::uint32_t to = context_.local.at(step.to) * values_;
    const auto add = [&](std::uint32_t after) { arcs_.push_back({from, pair(to + after), is_tag(step)}); };
    if (!variable_.valid()) return add(0);
    if (step.kind == Deed::compare && never(step, value)) return;
    if (!is_assignment(step) || step.variable != variable_) return add(value);
    if (step.kind == Deed::assign) {
      const Folded result = model_.fold(step.rhs, bound_to(value));
      if (result.symbol.valid() && model_.has(universe_, result.symbol)) {
        return add(model_.code(universe_, result.symbol));
      }
    }
    const Bits& values = model_.variable_values[variable_.value];
    for (const std::size_t v : values) add(static_cast<std::uint32_t>(v));
  }

  // The comparison does not hold when the variable has this value.
  [[nodiscard]] bool never(const Step& step, std::uint32_t value) const {
    if (!model_.reads(step.lhs, variable_) && !model_.reads(step.rhs, variable_)) return false;
    return !model_.holds(step, bound_to(value)).value_or(true);
  }

  [[nodiscard]] Bindings bound_to(std::uint32_t value) const {
    return {{reference_, model_.universes[universe_].symbols[value]}};
  }

  const NumberedGame& model_;
  const CodeContext& context_;
  VarId variable_;
  ExprId reference_;
  std::uint32_t universe_ = 0, values_ = 1;
  std::vector<std::uint32_t> numbers_;  // of places: node * values + value
  std::vector<std::uint32_t> places_;   // by pair
  std::uint32_t starts_ = 0;            // pairs in which a move begins
  std::vector<analysis::TagArc> arcs_;
};

// Some change of the variable inside the endless loops takes it from one value to the next, and no chain of changes
// comes back to a value that was left.
bool counts_rounds(NumberedGame& model, VarId variable, const std::vector<const Step*>& changes) {
  if (!model.scalar(variable)) return false;
  const std::uint32_t universe = model.variable_shape(variable).leaf;
  const std::vector<SymbolId>& values = model.universes[universe].symbols;
  if (values.size() > kEfforts.counted_rounds) return false;
  const ExprId reference = model.game.variable_ref(variable);
  Arcs arcs;
  for (const Step* step : changes) {
    if (step->kind != Deed::assign) return false;
    for (std::uint32_t value = 0; value < values.size(); ++value) {
      const Folded after = model.fold(step->rhs, {{reference, values[value]}});
      if (!after.symbol.valid() || !model.has(universe, after.symbol)) return false;
      const std::uint32_t code = model.code(universe, after.symbol);
      if (code != value) arcs.emplace_back(value, code);
    }
  }
  return !arcs.empty() && strong_components(values.size(), arcs).count == values.size();
}

}  // namespace

void GameFacts::count_tags(CodeContext& context) {
  const Pairs nodes(model, context, {});
  const analysis::TagBounds bounds = nodes.bounds();
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    CodeContext::Node& node = context.info[nodes.node(i)];
    node.tags_min = bounds.least[i];
    node.tags_max = bounds.most[i];
  }
  for (const CodeContext::Node& node : context.info) {
    context.has_tags |= std::ranges::any_of(node.out, [&](std::uint32_t s) { return is_tag(model.steps[s]); });
  }
  std::map<VarId, std::vector<const Step*>> changes;  // inside the endless loops
  for (std::uint32_t i = 0; i < context.info.size(); ++i) {
    if (!context.info[i].tag_cycle) continue;
    for (const Step& step : model.steps_at(context.info[i].out)) {
      if (step.ends_move || !is_assignment(step) || !context.at(step.to).tag_cycle) continue;
      changes[step.variable].push_back(&step);
    }
  }
  for (const auto& [variable, steps] : changes) {
    if (counts_rounds(model, variable, steps)) count_tags_by_rounds(context, variable);
  }
  for (const CodeContext::Node& node : context.info) max_tags = std::max(max_tags, node.tags_max);
}

// The variable's values tell the rounds of a loop apart.
void GameFacts::count_tags_by_rounds(CodeContext& context, VarId variable) {
  const Pairs pairs(model, context, variable);
  const std::vector<std::uint32_t> most = pairs.bounds().most;
  std::vector<std::uint32_t> bound(context.info.size(), 0);
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    bound[pairs.node(i)] = std::max(bound[pairs.node(i)], most[i]);
  }
  for (std::uint32_t i = 0; i < bound.size(); ++i) {
    CodeContext::Node& node = context.info[i];
    node.tags_max = std::max(node.tags_min, std::min(node.tags_max, bound[i]));
  }
}

}  // namespace rgtrans::cpp
