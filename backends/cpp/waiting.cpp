// Where walks that list moves may wait: there are few moves behind each at most, and something has to be asked or done
// before it is known which. Whether the king is attacked after a move is such a question. Where moves are drawn, only
// the walk that is drawn needs an answer. All walks that part by a choice can wait together, as a set of its values.
//
// How many moves there can be behind a node is counted from the ends on: ways that exclude each other count as the
// largest of them, others are added up. Behind the last tag there is one at most, for no labeling is found twice.
#include <algorithm>
#include <numeric>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/facts.hpp"
#include "core/analysis/analysis.hpp"

namespace rgtrans::cpp {

namespace {
constexpr std::uint32_t kManyMoves = kCosts.moves_behind + 1;  // so many are as good as any number

// The local nodes, each behind those that it leads to unless they lead back.
std::vector<std::uint32_t> ends_first(const CodeContext& moves) {
  const Components components =
      strong_components(moves.nodes.size(), analysis::arcs_of(moves, [](const CodeContext::Edge&) { return true; }));
  std::vector<std::uint32_t> order(moves.nodes.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return components.of[i]; });
  return order;
}

// Where a walk comes to a node that waits whatever the state is, it waits as soon as that is known: a walk that has
// written nothing has less to keep. `may_wait`: by node.
std::vector<bool> early_waits(const GameFacts& facts, const std::vector<bool>& waits,
                              const std::vector<bool>& may_wait) {
  const CodeContext& moves = facts.moves;
  const std::vector<Step>& steps = facts.model.steps;
  const auto never_fails = [&](const std::vector<std::uint32_t>& out) {
    return out.size() == 1 ? !is_condition(steps[out[0]])
                           : out.size() == 2 && facts.complementary(steps[out[0]], steps[out[1]]);
  };
  std::vector<bool> sure = waits;
  for (const std::uint32_t i : ends_first(moves)) {
    const std::uint32_t node = moves.nodes[i];
    const std::vector<std::uint32_t>& out = moves.info[i].out;
    sure[node] = sure[node] || (may_wait[node] && never_fails(out) && std::ranges::all_of(out, [&](std::uint32_t s) {
                                  return !steps[s].ends_move && sure[steps[s].to];
                                }));
  }
  std::vector<bool> result(waits.size(), false);
  for (const std::uint32_t entry : moves.entries) result[entry] = moves.contains(entry) && sure[entry];
  for (const CodeContext::Edge& edge : moves.edges) {
    const Step& step = steps[edge.number];
    if (!sure[step.from]) result[step.to] = result[step.to] || sure[step.to];
  }
  return result;
}

}  // namespace

// What a walk has written is kept cell by cell, each one byte.
Bits GameFacts::not_kept() const {
  Bits result(model.game.variables().size());
  for (const CodeContext::Edge& edge : moves.edges) {
    const Step& step = model.steps[edge.number];
    if (!is_assignment(step) || model.scalar(step.variable) || !assignment_live(moves, step)) continue;
    const bool cell = model.shape(model.game.expressions().type(step.lhs)).scalar();
    const std::uint32_t leaf = model.variable_shape(step.variable).leaf;
    if (!cell || model.universes[leaf].size() > kSizes.kept_contents) result.set(step.variable.value);
  }
  return result;
}

// A question, a choice or a cycle begins at the node.
bool GameFacts::takes_long(std::uint32_t node) const {
  if (moves.at(node).test || !moves.at(node).loop.empty()) return true;
  return std::ranges::any_of(moves.at(node).out, [&](std::uint32_t s) {
    const Step& step = model.steps[s];
    if (step.kind == Deed::assign_any) return assignment_live(moves, step);
    const CodeContext* check = step.kind == Deed::check ? &checks[step.check] : nullptr;
    return check != nullptr && !check->always && check->contains(check->entries[0]);
  });
}

// By local node: how many moves there can be behind it, at most kManyMoves.
std::vector<std::uint32_t> GameFacts::moves_behind() const {
  // By local node: walks come from there to a tag.
  const std::vector<bool> shows = nodes_before(moves, [&](std::uint32_t node) {
    return std::ranges::any_of(moves.at(node).out, [&](std::uint32_t s) { return is_tag(model.steps[s]); });
  });
  // Nodes on cycles are met before what they lead to is counted, and so have many.
  std::vector<std::uint32_t> most(moves.nodes.size(), kManyMoves);
  for (const std::uint32_t i : ends_first(moves)) most[i] = shows[i] ? moves_behind(moves.info[i], most) : 1;
  return most;
}

std::uint32_t GameFacts::moves_behind(const CodeContext::Node& node, const std::vector<std::uint32_t>& most) const {
  std::vector<std::vector<const Step*>> groups;  // of steps that exclude each other
  std::uint32_t result = 0;
  for (const Step& step : model.steps_at(node.out)) {
    const auto fits = [&](const std::vector<const Step*>& group) {
      return std::ranges::all_of(group, [&](const Step* other) {
        return exclusive(*other, step) || (is_condition(*other) && is_condition(step) && other->to == step.to);
      });
    };
    const auto group = std::ranges::find_if(groups, fits);
    (group != groups.end() ? *group : groups.emplace_back()).push_back(&step);
  }
  for (const std::vector<const Step*>& group : groups) {
    std::uint32_t largest = 0;
    for (const Step* step : group) {
      const bool chooses = step->kind == Deed::assign_any && assignment_live(moves, *step);
      const std::uint32_t behind = step->ends_move ? 1 : most[moves.local.at(step->to)];
      const std::size_t values = chooses ? model.member_codes(step->type).size() : 1;
      largest = std::max(largest, static_cast<std::uint32_t>(std::min<std::size_t>(kManyMoves, values * behind)));
    }
    result = std::min(result + largest, kManyMoves);
  }
  return result;
}

void GameFacts::find_waits() {
  waits.assign(model.out.size(), false);
  waits_ahead = may_keep = waits;
  std::vector<bool> keeps_one = waits;
  most_behind.assign(model.out.size(), kManyMoves);
  const std::vector<std::uint32_t> most = moves_behind();
  const Bits lost = not_kept();
  for (std::uint32_t i = 0; i < moves.nodes.size(); ++i) {
    const std::uint32_t node = moves.nodes[i];
    most_behind[node] = duplicates && duplicate_behind[node] ? kManyMoves : most[i];
    // A walk that waited goes on with an epoch of its own.
    may_keep[node] = !moves.changed[i].intersects(lost) && parameters(moves, node).size() < kCosts.kept_values &&
                     !(visit_tests_prove_distinct && moves.info[i].reaches_test);
    keeps_one[node] = most_behind[node] == 1 && may_keep[node];
    waits[node] = keeps_one[node] && takes_long(node);
  }
  waits = early_waits(*this, waits, keeps_one);
  const auto all_before = [&](const auto& those) {
    std::vector<bool> result(model.out.size(), false);
    const std::vector<bool> before = nodes_before(moves, those);
    for (std::uint32_t i = 0; i < before.size(); ++i) result[moves.nodes[i]] = before[i];
    return result;
  };
  asks_each = all_before([&](std::uint32_t node) { return waits[node]; });
  long_ahead = all_before([&](std::uint32_t node) { return takes_long(node); });
  waits_ahead = all_before([&](std::uint32_t node) {
    return waits[node] || std::ranges::any_of(moves.at(node).out, [&](std::uint32_t s) {
             const Step& step = model.steps[s];
             return step.kind == Deed::assign_any && may_keep[step.to];
           });
  });
  // Moves that start elsewhere are listed, because some of them might be found twice.
  may_wait = std::ranges::any_of(
      moves.entries, [&](std::uint32_t node) { return waits_ahead[node] && !(duplicates && duplicate_entry[node]); });
  if (!may_wait) walk_on();
}

std::uint32_t GameFacts::max_deferred_moves(std::uint32_t choice, std::uint32_t node) const {
  // All moves behind one value would be asked, though only one of them is drawn.
  const bool asks_much = most_behind[node] > 1 && asks_each[node];
  return may_keep[choice] && !asks_much && most_behind[node] <= kCosts.moves_behind ? most_behind[node] : 0;
}

void GameFacts::walk_on() {
  may_wait = false;
  waits.assign(waits.size(), false);
  waits_ahead = may_keep = waits;
}

}  // namespace rgtrans::cpp
