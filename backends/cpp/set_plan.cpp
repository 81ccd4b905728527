// See set_plan.hpp.
#include "backends/cpp/set_plan.hpp"

#include <algorithm>
#include <numeric>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/guesses.hpp"
#include "backends/cpp/pairs.hpp"
#include "backends/cpp/set_simpler.hpp"
#include "backends/cpp/subset.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::cpp {

// The cell that is asked for each value, if it is the same one.
std::optional<std::size_t> sole_cell(const Shifted& asked) {
  const std::optional<std::size_t> first = asked.where.first();
  if (!first) return std::nullopt;
  const std::size_t cell = asked.cell_of(*first);
  const bool same = std::ranges::all_of(asked.where, [&](std::size_t x) { return asked.cell_of(x) == cell; });
  return same ? std::optional(cell) : std::nullopt;
}

namespace {

// Collects the sets of a check.
struct NearlyFull : FullSets {
  // Whether all ways through these items are such sets, for the same values.
  bool add(const std::vector<SetItem>& items, const Bits& possible, std::uint64_t set) {
    return std::ranges::all_of(items, [&](const SetItem& item) {
      if (item.possible != possible) return false;
      if (item.kind == SetItem::Kind::goal) {
        sets.push_back(set);
        return set != 0;
      }
      return item.kind == SetItem::Kind::narrow && std::ranges::all_of(item.conditions, [&](const SetCondition& one) {
               const std::uint64_t cell = asked_cell(one, possible);
               return cell != 0 && sets.size() <= kSizes.full_sets && add(item.inside, possible, set | cell);
             });
    });
  }

 private:
  std::uint64_t used_ = 0;

  // The cell that is asked for all values but that of the cell itself.
  std::uint64_t asked_cell(const SetCondition& condition, const Bits& possible) {
    const auto& [sure, all] = condition;
    if (all.size() != 1) return 0;
    Bits decided = sure;
    decided |= all[0].where;
    const std::optional<std::size_t> cell = sole_cell(all[0]);
    if (!cell || *cell >= kWord || decided != possible) return 0;
    if (used_ == 0) source = all[0].source;
    const std::uint64_t bit = std::uint64_t{1} << *cell;
    const bool owned = sure.any();
    if (all[0].source != source || (owned && sure.single() != cell)) return 0;
    if ((used_ & bit) != 0 && ((own & bit) != 0) != owned) return 0;
    used_ |= bit;
    if (owned) own |= bit;
    return bit;
  }
};

// A check that needs sets of cells (rows on a board), when each value has just filled its own cell: it is one
// expression without branches. None when it is no such check.
std::optional<FullSets> full_sets(const SetItem& item, std::size_t words) {
  NearlyFull found;
  if (words != 1 || item.kind != SetItem::Kind::check || !found.add(item.check, item.possible, 0)) return std::nullopt;
  sort_unique(found.sets);
  if (found.sets.size() < kCosts.nearly_full_sets || found.sets.size() > kSizes.full_sets) return std::nullopt;
  found.sets.resize(whole_vectors(found.sets.size()), found.sets[0]);
  return FullSets(std::move(found));
}

}  // namespace

std::optional<SetChoice> SetPlanner::choose(const Step& any, const Where& where) {
  if (!form_.techniques.use(Technique::sets)) return no("left out");
  WalkBounds bounds;
  bounds.excluded = where.excluded;
  bounds.may_duplicate = where.may_duplicate;
  bounds.may_assume = true;
  auto walks = find_set_walks(model_, facts_, context_, any, std::move(bounds), &why_);
  if (!walks) return std::nullopt;
  join_pairs(*walks, model_);
  drop_implied(*walks);
  plan_items(walks->items, walks->words, any.to);
  SetChoice choice{&any, std::move(*walks), model_.members(any.type)};
  choice.remembers = context_.purpose == Purpose::check && !form_.for_device &&
                     form_.techniques.use(Technique::guesses) && one_look_pays(model_, choice.walks);
  return choice;
}

// Which checks compare sets of cells, and where values wait. `choice`: the node behind the choice, kNone in a cycle.
void SetPlanner::plan_items(std::vector<SetItem>& items, std::size_t words, std::uint32_t choice) const {
  const bool waits = choice != kNone && may_wait();
  for (SetItem& item : items) {
    item.full = full_sets(item, words);
    if (words == 1 && !form_.for_device) join_lanes(item.check);
    plan_items(item.check, words, choice);
    plan_items(item.inside, words, choice);
    if (!waits) continue;
    if (item.kind == SetItem::Kind::moves) item.most_deferred = facts_.may_wait_behind(choice) ? 1 : 0;
    // A check is left to the value that is drawn if that is much less.
    const auto check_cost = [](std::size_t most, const SetItem& part) { return std::max(most, cost_of(part.check)); };
    const bool waits_for_check =
        item.kind == SetItem::Kind::check_deferrable &&
        std::accumulate(item.inside.begin(), item.inside.end(), std::size_t{0}, check_cost) >= kCosts.deferred_check;
    if (item.kind == SetItem::Kind::scalarize || waits_for_check)
      item.most_deferred = facts_.max_deferred_moves(choice, item.node);
  }
}

std::optional<SetWalks> SetPlanner::find_around(std::uint32_t node, VarId variable) const {
  WalkBounds bounds;
  bounds.may_duplicate = facts_.duplicates && facts_.duplicate_behind[node];
  bounds.around = true;
  std::optional<SetWalks> walks = find_set_walks(model_, facts_, context_, node, variable, std::move(bounds));
  if (!walks || walks->words > kSizes.flood_words || part_of(walks->items, true).empty()) return std::nullopt;
  plan_items(walks->items, walks->words, kNone);
  return walks;
}

const Around* SetPlanner::around(std::uint32_t node) {
  if (!form_.techniques.use(Technique::sets)) return nullptr;
  if (context_.purpose != Purpose::moves && context_.purpose != Purpose::check) return nullptr;
  const auto [it, fresh] = around_.try_emplace(node);
  if (fresh) {
    const VarId key = facts_.sole_key(context_, node);
    if (!key.valid() || facts_.parameters(context_, node) != std::vector{key}) return nullptr;
    std::optional<SetWalks> walks = find_around(node, key);
    if (!walks) return nullptr;
    std::optional<Subsets> rounds = walks->shifts ? std::nullopt : small_rounds(*walks, key);
    std::optional<Spread> spread =
        walks->shifts && context_.purpose == Purpose::check ? spread_of(*walks, key) : std::nullopt;
    if (walks->shifts || rounds) it->second = {key, std::move(*walks), std::move(rounds), std::move(spread)};
  }
  return it->second ? &*it->second : nullptr;
}

// Where the rounds are compared with tables.
std::optional<Subsets> SetPlanner::small_rounds(const SetWalks& walks, VarId variable) const {
  const std::size_t planes = walks.sources.size() * walks.words;
  if (!form_.layout.packed || planes == 0 || planes > kSizes.round_planes) return std::nullopt;
  auto rounds = rounds_of(walks, variable, values_of(variable));
  const bool small = rounds && most_of(*rounds) <= kLanes && rounds->size() * kLanes * planes <= kSizes.round_table;
  return small ? std::move(rounds) : std::nullopt;
}

}  // namespace rgtrans::cpp
