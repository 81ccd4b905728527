// See loop_plan.hpp.
#include "backends/cpp/loop_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cpp/cost_model.hpp"

namespace rgtrans::cpp {

std::optional<CellPredicate> LoopPlanner::filter(VarId variable, const Comparisons& steps) const {
  return form_.techniques.use(Technique::loops) ? find_filter(model_, variable, steps) : std::nullopt;
}

// Conditions behind the choice that decide for 64 values at once. `node` becomes the node where they end; the nodes
// before it are on the way.
std::vector<LoopFilter> LoopPlanner::find_filters(VarId variable, std::uint32_t& node, Where& where) const {
  std::vector<LoopFilter> filters;
  for (int i = 0; i < kEfforts.filter_nodes; ++i) {
    if (context_.is_goal(node) || plan_.own_function(node, where.excluded)) break;
    const std::vector<std::uint32_t>& out = context_.at(node).out;
    if (out.empty()) break;
    const Step& first = model_.steps[out[0]];
    const auto has = [&](auto&& test) {
      return std::ranges::all_of(out, [&](std::uint32_t s) { return test(model_.steps[s]); });
    };
    if (!has([&](const Step& step) { return step.to == first.to; }) || first.ends_move) break;
    if (has([](const Step& step) { return step.kind == Deed::compare; })) {
      if (auto predicate = filter(variable, out)) filters.push_back({std::move(*predicate), out});
    } else if (out.size() != 1 || is_assignment(first)) {
      break;
    }
    node = first.to;
    where.on_way.insert(node);
  }
  return filters;
}

std::vector<Loop> LoopPlanner::choose(const Step& any, const Where& where) {
  rejected_.clear();
  if (auto sets = sets_.choose(any, where)) {
    std::vector<Loop> result(1);
    result[0] = {where.excluded, where.on_way, {}, any.to, std::move(*sets)};
    record_loop(result[0], any, where);
    return result;
  }
  rejected_.push_back({"sets", sets_.why()});
  std::uint32_t fork = any.to;
  Where inside = where;
  inside.on_way.insert(fork);
  std::vector<LoopFilter> filters = find_filters(any.variable, fork, inside);
  if (filters.size() == 1 && context_.purpose == Purpose::check && context_.is_goal(fork) &&
      model_.member_codes(any.type).size() <= kCosts.cells_one_by_one)
    return {choose_loop(any, where, {}, fork)};
  const bool goes_on = !context_.is_goal(fork);
  const bool own = goes_on && plan_.own_function(fork, where.excluded);
  // Where the ways then part by such conditions, each way gets a loop of its own: nothing is tested value by value. Not
  // on a cycle, whose later rounds reach the ways with other values. Its head is the fork or a node before it.
  const bool on_cycle =
      goes_on && std::ranges::any_of(inside.on_way, [&](std::uint32_t n) { return !context_.at(n).loop.empty(); });
  std::vector<LoopFilter> ways;
  Comparisons rest;
  if (goes_on && !own && !on_cycle) {
    const std::vector<Arm> arms = plan_.arms_of(context_.at(fork).out);
    for (const Arm& arm : arms) {
      auto predicate = arm.guarded && arms.size() > 1 ? filter(any.variable, arm.steps) : std::nullopt;
      if (predicate)
        ways.push_back({std::move(*predicate), arm.steps});
      else
        rest.insert(rest.end(), arm.steps.begin(), arm.steps.end());
    }
  }
  // A function that begins with nothing but conditions on the value is called only where one of them holds.
  if (own) {
    const std::vector<std::uint32_t>& out = context_.at(fork).out;
    const bool asks = !out.empty() &&
                      std::ranges::all_of(out, [&](std::uint32_t s) { return model_.steps[s].kind == Deed::compare; });
    if (auto predicate = asks ? filter(any.variable, out) : std::nullopt)
      filters.push_back({std::move(*predicate), {}});
  }
  if (ways.empty()) return {choose_loop(any, where, std::move(filters), fork)};
  std::vector<Loop> result;
  const std::vector<Rejected> rejected = rejected_;
  const auto add = [&](const LoopFilter* way) {
    inside.excluded = where.excluded;
    if (way != nullptr) inside.excluded.insert(rest.begin(), rest.end());
    for (const LoopFilter& other : ways) {
      if (&other != way) inside.excluded.insert(other.steps.begin(), other.steps.end());
    }
    std::vector<LoopFilter> with = filters;
    if (way != nullptr) with.push_back(*way);
    rejected_ = rejected;
    result.push_back(choose_loop(any, inside, std::move(with), way != nullptr ? model_.steps[way->steps[0]].to : fork));
  };
  for (const LoopFilter& way : ways) add(&way);
  if (!rest.empty()) add(nullptr);
  return result;
}

Loop LoopPlanner::choose_loop(const Step& any, const Where& where, std::vector<LoopFilter> filters,
                              std::uint32_t node) {
  Loop loop{where.excluded, where.on_way, std::move(filters), node, {}};
  if (auto sets = where.excluded.empty() ? std::nullopt : sets_.choose(any, where))
    loop.form = std::move(*sets);
  else
    choose_form(loop, any, where);
  record_loop(loop, any, where);
  return loop;
}

// What follows the filters, which hold, begins at the node.
void LoopPlanner::choose_form(Loop& loop, const Step& any, const Where& where) {
  // What is found at once need not wait.
  const bool quick = !facts_.takes_long_behind(loop.node);
  const std::uint32_t most = may_wait() && !quick ? facts_.max_deferred_moves(any.to, loop.node) : 0;
  if (most > 0) {
    loop.form = Sampling{.most = most};
  } else if (auto flood = choose_flood(loop, any, where)) {
    loop.form = *flood;
  } else if (!loop.filters.empty()) {
    Where with = where;
    for (const LoopFilter& filter : loop.filters) with.known.insert(filter.steps.begin(), filter.steps.end());
    loop.form = EachBit();
    if (auto sample = targets_.choose_sample(any, with))
      loop.form = std::move(*sample);
    else if (context_.purpose == Purpose::moves)
      rejected_.push_back({"pairs", targets_.why()});
  }
}

// Where a check goes round by round from each value, it can begin with all of them.
std::optional<Flood> LoopPlanner::choose_flood(const Loop& loop, const Step& any, const Where& where) {
  if (context_.purpose != Purpose::check || context_.is_goal(loop.node) || !context_.contains(loop.node) ||
      context_.begins_epoch.test(any.variable.value))
    return std::nullopt;
  // The filters are all conditions on the way.
  const auto decided = [&](std::uint32_t s) {
    return model_.steps[s].kind == Deed::nothing || std::ranges::any_of(loop.filters, [&](const LoopFilter& filter) {
             return std::ranges::find(filter.steps, s) != filter.steps.end();
           });
  };
  for (std::uint32_t at = any.to; at != loop.node; at = model_.steps[context_.at(at).out[0]].to) {
    if (!context_.contains(at) || context_.at(at).out.empty() || !std::ranges::all_of(context_.at(at).out, decided))
      return std::nullopt;
  }
  if (loop.filters.empty()) {
    if (auto flood = choose_flood_of_image(loop.node, any, where)) return flood;
  }
  const Around* const around = around_of(loop.node, where);
  const std::size_t words = words_of_values(model_, any);
  if (around == nullptr || around->key != any.variable || words > around->walks.words) return std::nullopt;
  return Flood{around->walks.words, loop.node, any.variable, {}};
}

const Around* LoopPlanner::around_of(std::uint32_t node, const Where& where) {
  return plan_.own_function(node, where.excluded) ? sets_.around(node) : nullptr;
}

// The values that the choice is for: `line = Line(*)`, `cell = first[line]`, and a cycle around cells.
std::optional<Flood> LoopPlanner::choose_flood_of_image(std::uint32_t node, const Step& any, const Where& where) {
  const std::vector<std::uint32_t>& out = context_.at(node).out;
  if (out.size() != 1 || context_.at(node).test) return std::nullopt;
  const Step& step = model_.steps[out[0]];
  const bool assigns = step.kind == Deed::assign && !step.ends_move && model_.scalar(step.variable);
  if (!assigns || !context_.contains(step.to) || context_.is_goal(step.to) ||
      context_.begins_epoch.test(step.variable.value))
    return std::nullopt;
  const Around* const around = around_of(step.to, where);
  const bool forgotten = step.variable == any.variable || !context_.live_at(step.to).test(any.variable.value);
  if (around == nullptr || around->key != step.variable || !forgotten) return std::nullopt;
  const Universe& from = model_.universe(any.variable);
  const std::uint32_t to = model_.variable_shape(step.variable).leaf;
  Bits all(model_.universes[to].size());
  for (const std::uint32_t code : model_.member_codes(any.type)) {
    const Folded value = model_.fold(step.rhs, {{model_.game.variable_ref(any.variable), from.symbols[code]}});
    if (!value.symbol.valid() || !model_.has(to, value.symbol)) return std::nullopt;
    all.set(model_.code(to, value.symbol));
  }
  if (std::ranges::any_of(all, [&](std::size_t c) { return c / kWord >= around->walks.words; })) return std::nullopt;
  return Flood{around->walks.words, step.to, step.variable, std::move(all)};
}

void LoopPlanner::record_loop(const Loop& loop, const Step& any, const Where& where) const {
  const std::size_t values = model_.member_codes(any.type).size();
  std::string strategy;
  std::string reason;
  double cost = 0;
  std::vector<Rejected> rejected = rejected_;
  const auto* const sample = std::get_if<Sampling>(&loop.form);
  if (const auto* const sets = std::get_if<SetChoice>(&loop.form)) {
    strategy = sets->remembers ? "sets, one look first" : "sets";
    reason = fmt::format("what follows is a function of the value; {} values are {} word{}", values, sets->walks.words,
                         sets->walks.words == 1 ? "" : "s");
    if (!sets->walks.assumed.empty())
      reason += fmt::format("; while {} other cell{} what it held at first", sets->walks.assumed.size(),
                            sets->walks.assumed.size() == 1 ? " holds" : "s hold");
    cost = static_cast<double>(cost_of(sets->walks.items) * sets->walks.words);
    rejected = {{"one by one", fmt::format("{} values, each with what follows", values)}};
  } else if (const auto* const flood = std::get_if<Flood>(&loop.form)) {
    strategy = "flood";
    reason = fmt::format("a cycle begins with all {} values at once", values);
    cost = static_cast<double>(flood->words);
  } else if (sample != nullptr && !sample->targets) {
    strategy = "waiting values";
    reason = fmt::format("the move that is drawn goes on alone, {} moves behind a value at most", sample->most);
  } else if (sample != nullptr && sample->cycle) {
    strategy = "reached";
    reason = "all that a cycle can ever reach from a value is a candidate";
  } else if (!std::holds_alternative<EachMember>(loop.form)) {
    strategy = sample != nullptr ? "pairs" : "bits";
    reason = fmt::format("{} condition{} {} values, 64 at once", loop.filters.size(),
                         loop.filters.size() == 1 ? " filters" : "s filter", values);
    if (sample != nullptr) {
      reason += fmt::format("; a pair of a value and one of {} targets is drawn", sample->targets->most);
      cost = vectors_compared(*sample->targets);
    }
  } else {
    strategy = "one by one";
    reason = fmt::format("no condition decides for all {} values at once", values);
  }
  record(where.node, label_text(model_, any), std::move(strategy), std::move(reason), cost, std::move(rejected));
}

}  // namespace rgtrans::cpp
