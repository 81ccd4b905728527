// See targets.hpp.
#include "backends/cpp/targets.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/subset.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::cpp {

// Sources of which nothing is needed.
void drop_sources(TargetTable& found) {
  for (std::size_t i = found.walks.sources.size(); i-- > 0;) {
    const bool asked = std::ranges::any_of(found.targets, [&](const auto& of_value) {
      return std::ranges::any_of(of_value, [&](const Subset& target) { return target.needs[i].any(); });
    });
    if (asked) continue;
    const auto at = static_cast<std::ptrdiff_t>(i);
    found.walks.sources.erase(found.walks.sources.begin() + at);
    for (auto& of_value : found.targets) {
      for (Subset& target : of_value) target.needs.erase(target.needs.begin() + at);
    }
  }
}

double vectors_compared(const TargetTable& found) {
  const std::size_t vectors = found.needs_planes * found.padded / kLanes;
  return static_cast<double>(vectors);
}

double conditions_walked(const TargetTable& found) {
  std::size_t most = 0;
  for (const auto& of_value : found.targets) {
    std::size_t cells = 0;
    for (const Subset& target : of_value) {
      for (const Bits& needed : target.needs) cells += needed.count();
    }
    most = std::max(most, cells);
  }
  return static_cast<double>(most);
}

Targets TargetPlanner::function(std::uint32_t node) {
  const auto [it, fresh] = functions_.try_emplace(node);
  if (fresh) {
    const std::vector<VarId> parameters = facts_.parameters(context_, node);
    std::optional<TargetTable> found;
    if (parameters.size() == 1)
      found = find(node, parameters[0], {{}, {}, {}, facts_.duplicates && facts_.duplicate_behind[node]});
    if (found && !found->next) {
      found->drawn = found->needs_planes <= kSizes.drawn_planes;
      it->second = std::make_shared<const TargetTable>(std::move(*found));
    }
  }
  return it->second;
}

Targets TargetPlanner::choose(std::uint32_t node, const Where& where) {
  if (auto found = function(node)) return found;
  const std::vector<VarId> parameters = facts_.parameters(context_, node);
  if (!form_.for_device && parameters.size() == 1 && plan_.begins_rays(node)) {
    if (auto choice = choose_behind(node, parameters[0], functions_behind(node, where), where)) return choice;
  }
  // A move that starts here, for a value that the state has.
  if (std::ranges::find(context_.entries, node) == context_.entries.end() || !parameters.empty()) return nullptr;
  for (const std::size_t v : context_.live_at(node)) {
    const VarId variable(static_cast<std::uint32_t>(v));
    if (!model_.assigned[v] || !model_.scalar(variable)) continue;
    if (auto choice = choose_behind(node, variable, {}, where)) return choice;
  }
  return nullptr;
}

Targets TargetPlanner::choose_behind(std::uint32_t node, VarId variable, const std::set<std::uint32_t>& stops,
                                     const Where& where) {
  std::optional<TargetTable> found = find(node, variable, {where.known, where.excluded, stops, where.may_duplicate});
  return found ? std::make_shared<const TargetTable>(std::move(*found)) : nullptr;
}

// Where moves are drawn, no value is followed alone: each counts as if there were as many targets behind it as behind
// any.
std::optional<Sampling> TargetPlanner::choose_sample(const Step& any, const Where& where) {
  if (context_.purpose != Purpose::moves || !form_.any_output() || !form_.layout.packed || !model_.scalar(any.variable))
    return no("moves are not drawn here");
  if (auto reached = choose_reached(any, where)) return reached;
  auto targets = choose_behind(any.to, any.variable, {}, where);
  if (!targets) return std::nullopt;
  if (targets->next) return no("another function follows");
  if (targets->needs_planes > kSizes.drawn_planes) return no("too many words a target");
  return Sampling{.targets = std::move(targets)};
}

// Functions behind a node that are lists of targets.
std::set<std::uint32_t> TargetPlanner::functions_behind(std::uint32_t node, const Where& where) {
  std::set<std::uint32_t> seen = {node};
  std::vector<std::uint32_t> work = {node};
  std::set<std::uint32_t> result;
  while (!work.empty() && seen.size() < kEfforts.target_nodes) {
    const std::uint32_t at = work.back();
    work.pop_back();
    if (!context_.contains(at)) continue;
    if (at != node && plan_.own_function(at, where.excluded) && function(at) != nullptr) {
      result.insert(at);
      continue;
    }
    for (const Step& step : model_.steps_at(context_.at(at).out)) {
      if (!step.ends_move && seen.insert(step.to).second) work.push_back(step.to);
    }
  }
  return result;
}

Targets TargetPlanner::choose_behind(const Step& any, const Where& where) {
  if (!model_.scalar(any.variable) || form_.for_device) return nullptr;
  return choose_behind(any.to, any.variable, functions_behind(any.to, where), where);
}

std::optional<TargetTable> TargetPlanner::find(std::uint32_t node, VarId variable, WalkBounds bounds) {
  if (!form_.layout.packed) return no("a move is no number");
  if (!context_.contains(node) || context_.is_goal(node)) return no("nothing follows");
  if (!context_.tags_static(node)) return no("the number of tags differs");
  if (context_.at(node).reaches_test) return no("second visits are recognised");
  if (decisions_.target_attempts++ > kEfforts.all_target_attempts) return no("the effort for targets ended");
  auto walks = find_set_walks(model_, facts_, context_, node, variable, std::move(bounds), &why_);
  if (!walks) return std::nullopt;
  if (walks->sources.empty()) return no("no cell decides");
  if (walks->sources.size() * walks->words > kSizes.target_planes)
    return no(fmt::format("{} words a target", walks->sources.size() * walks->words));
  std::optional<TargetTable> begun = begin(node, variable, std::move(*walks));
  if (!begun) return std::nullopt;
  TargetTable& found = *begun;
  const SetWalks& of = found.walks;
  const Needed start = nothing_needed(of.sources.size(), of.words, found.targets.size());
  const auto collects = [&](const SetItem& item, const Needed& at) { return collect(item, at, found); };
  if (!visit_ends(of.items, start, collects)) return no("some walk is no list of cells");
  const std::size_t most = most_of(found.targets);
  join_alike(found);
  found.most = most_of(found.targets);
  found.padded = whole_vectors(found.most);
  found.needs_planes = found.walks.sources.size() * found.walks.words;
  if (most < kCosts.targets_least)
    return no(fmt::format("{} targets of a value, at least {} pay", most, kCosts.targets_least));
  if (found.most > kSizes.targets ||
      found.targets.size() * found.padded * (found.needs_planes + 1) > kSizes.target_table)
    return no("the table is too large");
  return begun;
}

// What is found of walks without their targets; none where what they ask is no table of cells.
std::optional<TargetTable> TargetPlanner::begin(std::uint32_t node, VarId variable, SetWalks walks) {
  const auto plain = [](const CellPredicate& source) {
    return source.kind == CellPredicate::Kind::contents || source.kind == CellPredicate::Kind::kinds;
  };
  if (!form_.techniques.use(Technique::targets)) return no("left out");
  if (!std::ranges::all_of(walks.sources, plain)) return no("contents of cells do not decide");
  TargetTable found;
  found.variable = variable;
  found.node = node;
  found.targets.resize(values_of(variable));
  found.walks = std::move(walks);
  return found;
}

// Cells that hold what one of two sources asks for; none where the sources do not say that in one table.
std::optional<CellPredicate> TargetPlanner::either(const CellPredicate& a, const CellPredicate& b) const {
  if (a.board != b.board || a.negated || b.negated) return std::nullopt;
  if (b.kind != CellPredicate::Kind::contents) {
    return a.kind == CellPredicate::Kind::contents ? either(b, a) : std::nullopt;
  }
  CellPredicate result = a;
  if (a.kind == CellPredicate::Kind::contents) {
    result.codes.insert(result.codes.end(), b.codes.begin(), b.codes.end());
    sort_unique(result.codes);
    return result;
  }
  const auto& e = model_.game.expressions();
  const std::size_t lanes = kind_lanes(model_.universe(e.variable(e.root(a.board))).size());
  for (std::size_t row = 0; row < result.table.size(); row += lanes) {
    for (const std::uint32_t code : b.codes) result.table[row + code] = kAllOnes;
  }
  return result;
}

// Of two targets that are the same move, one where a cell is empty and one where it has a piece to be captured, one
// becomes that asks whether the cell holds either.
void TargetPlanner::join_alike(TargetTable& found) const {
  const std::size_t sources = found.walks.sources.size();
  for (std::size_t a = 0; a < sources; ++a) {
    for (std::size_t b = a + 1; b < sources && found.walks.sources.size() == sources; ++b) {
      const std::optional<CellPredicate> both = either(found.walks.sources[a], found.walks.sources[b]);
      if (!both || std::ranges::find(found.walks.sources, *both) != found.walks.sources.end()) continue;
      bool any = false;
      for (auto& of_value : found.targets) any = join_alike(of_value, a, b) || any;
      if (any) found.walks.sources.push_back(*both);
    }
  }
  if (found.walks.sources.size() == sources) return;
  for (auto& of_value : found.targets) {
    for (Subset& target : of_value) target.needs.resize(sources + 1, Bits(found.walks.words * kWord));
  }
  drop_sources(found);
}

// Pairs of which the first needs one cell more from source a, and the second the same cell from source b.
bool TargetPlanner::join_alike(std::vector<Subset>& targets, std::size_t a, std::size_t b) {
  const std::size_t sources = targets.empty() ? 0 : targets[0].needs.size();
  const auto joined = [&](const Subset& one, const Subset& other) -> std::optional<std::vector<Bits>> {
    if (one.shown != other.shown || one.to != other.to || one.needs.size() != sources || other.needs.size() != sources)
      return std::nullopt;
    const Bits more = one.needs[a] - other.needs[a];
    if (more.count() != 1 || more != other.needs[b] - one.needs[b]) return std::nullopt;
    std::vector<Bits> needs = one.needs;
    needs[a] = one.needs[a] - more;
    std::vector<Bits> others = other.needs;
    others[b] = other.needs[b] - more;
    if (needs != others) return std::nullopt;
    needs.push_back(more);
    return needs;
  };
  const std::size_t before = targets.size();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    for (std::size_t k = i + 1; k < targets.size(); ++k) {
      std::optional<std::vector<Bits>> needs = joined(targets[i], targets[k]);
      if (!needs) needs = joined(targets[k], targets[i]);
      if (!needs) continue;
      targets[i].needs = std::move(*needs);
      targets.erase(targets.begin() + static_cast<std::ptrdiff_t>(k));
      break;
    }
  }
  return targets.size() < before;
}

// Collects the targets of all values at the ends of the walks. `at` has, for each value, the cells that a walk needs to
// arrive here; none for a value without such a walk.
bool TargetPlanner::collect(const SetItem& item, const Needed& at, TargetTable& into) {
  const bool ends = item.kind == SetItem::Kind::moves;
  const std::vector<SetTag>& tags = ends || !item.way ? item.tags : item.way->tags;
  if (ends ? into.next.has_value() : !goes_on(item, into)) return false;
  into.ends = into.ends || ends;
  for (std::size_t x = 0; x < at.size(); ++x) {
    if (!at[x] || !item.possible.test(x)) continue;
    const auto shown = shown_by(tags, x, passed(into.node));
    if (!shown) return false;
    Subset target{*at[x], *shown};
    if (!ends) target.to = item.way->values.at(parameter_of(*into.next).value)[x];
    into.targets[x].push_back(std::move(target));
  }
  return true;
}

// How many tags come before those that the tables have: wide moves have a word for these alone.
std::uint32_t TargetPlanner::passed(std::uint32_t node) const {
  return form_.layout.wide ? 0 : context_.at(node).tags_max;
}

// What a table has of tags behind so many others; none where it has no room.
std::optional<std::uint64_t> TargetPlanner::shown_by(const std::vector<SetTag>& tags, std::size_t x,
                                                     std::uint32_t passed) const {
  const std::uint32_t bits = form_.layout.bits;
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    if (tags[i].outer.valid() || (passed + i + 1) * bits > kWord) return std::nullopt;
    result |= std::uint64_t{tags[i].tags[x]} << ((passed + i) * bits);
  }
  return result;
}

// All targets go on at one node, with the same cells written. What is written where the walk has come is left out when
// nothing that follows asks for it: rays do not come back to where they begin.
bool TargetPlanner::goes_on(const SetItem& item, TargetTable& into) {
  if (item.kind != SetItem::Kind::scalarize || into.ends) return false;
  const SetWay& way = *item.way;
  if (into.next.value_or(item.node) != item.node || !way.values.contains(parameter_of(item.node).value) ||
      !way.clobbered.empty()) {
    return false;
  }
  std::vector<SetWay::Write> writes;
  for (const SetWay::Write& write : way.writes) {
    if (!write.value) return false;
    if (!is_unseen(write, item)) writes.push_back(write);
  }
  const auto same = [](const SetWay::Write& a, const SetWay::Write& b) {
    return a.map == b.map && a.cell == b.cell && a.value == b.value;
  };
  if (!into.next) into.writes = writes;
  into.next = item.node;
  return std::ranges::equal(into.writes, writes, same);
}

// The write is to the place where the walk has come, and no way on from there asks what that holds.
bool TargetPlanner::is_unseen(const SetWay::Write& write, const SetItem& item) {
  const VarId parameter = parameter_of(item.node);
  const std::shared_ptr<const TargetTable> next = function(item.node);
  if (next == nullptr || model_.variable_shape(write.map).keys[0] != model_.variable_shape(parameter).leaf)
    return false;
  const auto& places = item.way->values.at(parameter.value);
  return std::ranges::all_of(item.possible, [&](std::size_t x) {
    const std::uint32_t place = places[x];
    return write.cell[x] == place && std::ranges::none_of(next->targets[place], [&](const Subset& target) {
             return std::ranges::any_of(target.needs, [&](const Bits& cells) { return cells.test(place); });
           });
  });
}

}  // namespace rgtrans::cpp
