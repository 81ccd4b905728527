// Chooses the code for a choice of a value behind which the walk follows a cycle, round by round (targets.hpp).
#include <algorithm>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/targets.hpp"

namespace rgtrans::cpp {

namespace {

// What the walk has written to the cell at last, if it has.
std::optional<std::uint32_t> last_written(const SetWay& way, VarId map, std::size_t cell, std::size_t x) {
  for (auto it = way.writes.rbegin(); it != way.writes.rend(); ++it) {
    if (it->map == map && it->cell[x] == cell) return (*it->value)[x];
  }
  return std::nullopt;
}

// Joins equal ways. Returns false if two different ways show the same tags: a single test could not decide whether one
// of them is possible.
bool join_shown(std::vector<Subset>& targets) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    for (std::size_t k = targets.size(); --k > i;) {
      Subset& first = targets[i];
      const Subset& other = targets[k];
      if (first.shown != other.shown || (!first.reached && !other.reached)) continue;
      if (!first.reached || !other.reached || first.to != other.to || first.needs != other.needs) return false;
      targets.erase(targets.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }
  return true;
}

bool few_rounds(const Subsets& rounds) { return most_of(rounds) <= kSizes.rounds_of_value; }

}  // namespace

// The only node behind the node that tests visits, if every walk to it shows a tag first. Visits of different values
// then differ, and the set that one value reaches does not depend on earlier visits.
std::optional<std::uint32_t> TargetPlanner::cycle_behind(std::uint32_t node) const {
  std::set<std::pair<std::uint32_t, bool>> seen = {{node, false}};
  std::vector<std::pair<std::uint32_t, bool>> work(seen.begin(), seen.end());
  std::set<std::uint32_t> found;
  while (!work.empty()) {
    const auto [at, shown] = work.back();
    work.pop_back();
    if (!context_.contains(at) || !context_.at(at).reaches_test) continue;
    if (context_.at(at).test) {
      if (!shown) return std::nullopt;
      found.insert(at);
      continue;
    }
    for (const Step& step : model_.steps_at(context_.at(at).out)) {
      const std::pair next(step.to, shown || is_tag(step));
      if (!step.ends_move && seen.insert(next).second) work.push_back(next);
    }
  }
  return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
}

std::optional<TargetCycle> TargetPlanner::find_cycle(std::uint32_t node) {
  TargetCycle cycle;
  cycle.node = node;
  cycle.key = facts_.sole_key(context_, node);
  if (!cycle.key.valid() || facts_.parameters(context_, node) != std::vector{cycle.key}) return std::nullopt;
  WalkBounds bounds;
  bounds.may_duplicate = facts_.duplicates && facts_.duplicate_behind[node];
  bounds.around = true;
  auto walks = find_set_walks(model_, facts_, context_, node, cycle.key, std::move(bounds));
  if (!walks || walks->sources.size() * walks->words > kSizes.target_planes) return std::nullopt;
  const auto& e = model_.game.expressions();
  if (!std::ranges::all_of(walks->sources, [&](const CellPredicate& source) {
        return source.kind == CellPredicate::Kind::contents && e.kind(source.board) == ir::ExprKind::variable;
      }))
    return std::nullopt;
  const std::size_t values = values_of(cycle.key);
  auto rounds = rounds_of(*walks, cycle.key, values);
  auto ends = ends_of(*walks, values);
  if (!rounds || !ends || !few_rounds(*rounds) || !few_rounds(turned_rounds(*rounds))) return std::nullopt;
  cycle.walks = std::move(*walks);
  cycle.rounds = std::move(*rounds);
  cycle.ends = std::move(*ends);
  return cycle;
}

std::optional<TargetTable> TargetPlanner::find_reached(const Step& any, TargetCycle& cycle, const Where& where) {
  auto walks = find_set_walks(model_, facts_, context_, any.to, any.variable,
                              {where.known, where.excluded, {cycle.node}, where.may_duplicate});
  std::optional<TargetTable> begun = walks ? begin(any.to, any.variable, std::move(*walks)) : std::nullopt;
  if (!begun) return std::nullopt;
  TargetTable& found = *begun;
  found.walks.words = std::max(found.walks.words, cycle.walks.words);
  std::vector<CellPredicate>& sources = found.walks.sources;
  for (const CellPredicate& source : cycle.walks.sources) {
    const auto it = std::ranges::find(sources, source);
    cycle.sources.push_back(static_cast<std::size_t>(it - sources.begin()));
    if (it == sources.end()) sources.push_back(source);
  }
  const Needed start = nothing_needed(sources.size(), found.walks.words, found.targets.size());
  const auto collects = [&](const SetItem& item, const Needed& at) { return collect_reached(item, at, cycle, found); };
  if (!visit_ends(found.walks.items, start, collects) || !cycle.way) return std::nullopt;
  if (!std::ranges::all_of(found.targets, [](auto& of_value) { return join_shown(of_value); })) return std::nullopt;
  drop_sources(found);
  found.most = most_of(found.targets);
  found.padded = (found.most + kSizes.rounds_of_value - 1) / kSizes.rounds_of_value * kSizes.rounds_of_value;
  found.needs_planes = sources.size() * found.walks.words;
  if (found.most > kSizes.targets || found.needs_planes == 0 || found.needs_planes > kSizes.drawn_planes)
    return std::nullopt;
  return begun;
}

bool TargetPlanner::collect_reached(const SetItem& item, const Needed& at, TargetCycle& cycle, TargetTable& into) {
  const bool enters = item.kind == SetItem::Kind::scalarize && item.node == cycle.node && !cycle.way;
  if (!enters && item.kind != SetItem::Kind::moves) return false;
  if (enters) {
    cycle.way = item.way;
    cycle.possible = item.possible;
    if (!knows_writes(cycle)) return false;
  }
  return std::ranges::all_of(item.possible, [&](std::size_t x) {
    if (!at[x]) return true;
    if (enters) return add_reached(x, *at[x], cycle, into);
    const auto shown = shown_by(item.tags, x, passed(into.node));
    if (shown) into.targets[x].push_back({*at[x], *shown});
    return shown.has_value();
  });
}

// All that can ever be reached from a value.
bool TargetPlanner::add_reached(std::size_t x, const std::vector<Bits>& needs, const TargetCycle& cycle,
                                TargetTable& into) {
  const auto& e = model_.game.expressions();
  const std::uint32_t before = passed(into.node);
  const std::uint32_t start = cycle.way->values.at(cycle.key.value)[x];
  const auto first = shown_by(cycle.way->tags, x, before);
  if (!first) return false;
  for (const auto& [value, entered] : reached_from(cycle.rounds, start)) {
    for (const ShownBehind& end : cycle.ends[value]) {
      const auto rest = shown_by(end.tags, value, before + static_cast<std::uint32_t>(cycle.way->tags.size()));
      if (!rest) return false;
      Subset target{needs, *first | *rest, value, value == start, true};
      bool possible = true;
      const auto need = [&](const std::vector<Bits>& of_cycle) {
        for (std::size_t i = 0; i < of_cycle.size(); ++i) {
          const CellPredicate& source = cycle.walks.sources[i];
          for (const std::size_t cell : of_cycle[i]) {
            if (const auto content = last_written(*cycle.way, e.variable(source.board), cell, x))
              possible = possible && source.holds(*content);
            else
              target.needs[cycle.sources[i]].set(cell);
          }
        }
      };
      need(entered);
      need(end.needs);
      if (possible) into.targets[x].push_back(std::move(target));
    }
  }
  return true;
}

// What the walk to the cycle writes to the boards that it asks is known, and the same for all values.
bool TargetPlanner::knows_writes(const TargetCycle& cycle) const {
  const auto& e = model_.game.expressions();
  return std::ranges::all_of(cycle.walks.sources, [&](const CellPredicate& source) {
    const VarId board = e.variable(source.board);
    return !cycle.way->clobbered.contains(board.value) &&
           std::ranges::all_of(cycle.way->writes, [&](const SetWay::Write& write) {
             if (write.map != board) return true;
             return write.value && std::ranges::all_of(cycle.possible, [&](std::size_t x) {
                      return (*write.value)[x] == (*write.value)[*cycle.possible.begin()];
                    });
           });
  });
}

std::optional<Sampling> TargetPlanner::choose_reached(const Step& any, const Where& where) {
  if (where.may_duplicate || !context_.tags_static(any.to) || !context_.at(any.to).reaches_test ||
      facts_.parameters(context_, any.to) != std::vector{any.variable})
    return std::nullopt;
  const std::optional<std::uint32_t> node = cycle_behind(any.to);
  std::optional<TargetCycle> cycle = node ? find_cycle(*node) : std::nullopt;
  std::optional<TargetTable> found = cycle ? find_reached(any, *cycle, where) : std::nullopt;
  if (!found) return std::nullopt;
  return Sampling{.targets = std::make_shared<const TargetTable>(std::move(*found)),
                  .cycle = std::make_shared<const TargetCycle>(std::move(*cycle))};
}

}  // namespace rgtrans::cpp
