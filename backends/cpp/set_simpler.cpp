// See set_simpler.hpp.
#include "backends/cpp/set_simpler.hpp"

#include <algorithm>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/subset.hpp"

namespace rgtrans::cpp {

namespace {

// A condition on cells behind which another one on the same cells always fails unless it held.
bool implies(const std::vector<CellPredicate>& sources, std::size_t inner, std::size_t outer) {
  const CellPredicate& a = sources[inner];
  const CellPredicate& b = sources[outer];
  if (a.kind != CellPredicate::Kind::contents || b.kind != a.kind || a.board != b.board || a.negated) return false;
  return std::ranges::all_of(a.codes, [&](std::uint32_t code) { return b.holds(code); });
}

bool implies(const std::vector<CellPredicate>& sources, const SetItem& inner, const SetItem& outer) {
  if (inner.kind != SetItem::Kind::narrow || inner.conditions.size() != 1 || outer.conditions.size() != 1) return false;
  const auto holds = [&](std::size_t x, const Shifted* asked) {
    return outer.conditions[0].sure.test(x) ||
           (asked != nullptr && std::ranges::any_of(outer.conditions[0].asked, [&](const Shifted& before) {
              return before.where.test(x) && before.cell_of(x) == asked->cell_of(x) &&
                     implies(sources, asked->source, before.source);
            }));
  };
  return std::ranges::all_of(inner.conditions[0].sure, [&](std::size_t x) { return holds(x, nullptr); }) &&
         std::ranges::all_of(inner.conditions[0].asked, [&](const Shifted& asked) {
           return std::ranges::all_of(asked.where, [&](std::size_t x) { return holds(x, &asked); });
         });
}

template <class F>
void for_each_asked(std::vector<SetItem>& items, const F& f) {
  for (SetItem& item : items) {
    for (SetCondition& condition : item.conditions) {
      for (Shifted& asked : condition.asked) f(asked);
    }
    for_each_asked(item.check, f);
    for_each_asked(item.inside, f);
  }
}

// A cell that is white is not black. Whether some condition was left out.
bool drop_implied(std::vector<SetItem>& items, const std::vector<CellPredicate>& sources) {
  bool any = false;
  for (SetItem& item : items) {
    const bool in_check = drop_implied(item.check, sources);
    any = drop_implied(item.inside, sources) || in_check || any;
    while (item.kind == SetItem::Kind::narrow && item.inside.size() == 1 && implies(sources, item.inside[0], item)) {
      SetItem next = std::move(item.inside[0]);
      next.possible = item.possible;
      item = std::move(next);
      any = true;
    }
  }
  return any;
}

}  // namespace

void drop_sources(SetWalks& walks) {
  std::vector<std::size_t> number(walks.sources.size(), 0);
  for_each_asked(walks.items, [&](const Shifted& asked) { number[asked.source] = 1; });
  std::vector<CellPredicate> kept;
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (number[i] == 0) continue;
    number[i] = kept.size();
    kept.push_back(std::move(walks.sources[i]));
  }
  walks.sources = std::move(kept);
  for_each_asked(walks.items, [&](Shifted& asked) { asked.source = number[asked.source]; });
}

void drop_implied(SetWalks& walks) {
  if (drop_implied(walks.items, walks.sources)) drop_sources(walks);
}

namespace {

// The only shift of a way's next condition.
const Shifted* sole_shift(const SetItem& item) {
  if (item.kind != SetItem::Kind::narrow || item.conditions.size() != 1 || item.conditions[0].asked.size() != 1)
    return nullptr;
  const Shifted& asked = item.conditions[0].asked[0];
  return asked.cell.empty() && std::abs(asked.delta) < static_cast<std::int64_t>(kWord) ? &asked : nullptr;
}

const SetItem* find_way(const std::vector<SetItem>& items, std::size_t source) {
  const auto it = std::ranges::find_if(items, [&](const SetItem& item) {
    const Shifted* const asked = sole_shift(item);
    return asked != nullptr && asked->source == source;
  });
  return it == items.end() ? nullptr : &*it;
}

// Nothing but conditions, on different sources where ways part, and ends.
bool fits_in_lane(const SetItem& item) {
  if (item.kind == SetItem::Kind::goal) return true;
  const Shifted* const asked = sole_shift(item);
  return asked != nullptr && std::ranges::all_of(item.inside, [&](const SetItem& next) {
           const Shifted* const behind = sole_shift(next);
           return fits_in_lane(next) && (behind == nullptr || find_way(item.inside, behind->source) == &next);
         });
}

// The ways, which begin with a condition on the same source; a lane without a way holds for no value.
LaneItem lanes_of(const std::vector<const SetItem*>& ways) {
  LaneItem made;
  std::vector<std::size_t> next;
  for (std::size_t lane = 0; lane < ways.size(); ++lane) {
    if (ways[lane] == nullptr) continue;
    const Shifted& asked = *sole_shift(*ways[lane]);
    made.step = ways[lane]->step;
    made.source = asked.source;
    LaneItem::Lane& here = made.lanes[lane];
    here = {asked.delta, asked.where.to_words()[0], ways[lane]->conditions[0].sure.to_words()[0]};
    for (const SetItem& item : ways[lane]->inside) {
      const Shifted* const behind = sole_shift(item);
      if (behind == nullptr)
        here.goal = true;
      else if (std::ranges::find(next, behind->source) == next.end())
        next.push_back(behind->source);
    }
  }
  for (const std::size_t source : next) {
    std::vector<const SetItem*> behind(ways.size());
    std::ranges::transform(ways, behind.begin(), [&](const SetItem* way) {
      return way == nullptr ? nullptr : find_way(way->inside, source);
    });
    made.inside.push_back(lanes_of(behind));
  }
  return made;
}

}  // namespace

void join_lanes(std::vector<SetItem>& items) {
  for (SetItem& item : items) join_lanes(item.inside);
  for (std::size_t first = 0; first < items.size(); ++first) {
    const Shifted* const asked = sole_shift(items[first]);
    if (asked == nullptr) continue;
    std::vector<std::size_t> places;
    std::vector<const SetItem*> ways;
    for (std::size_t i = first; i < items.size() && ways.size() < kLanes; ++i) {
      const Shifted* const other = sole_shift(items[i]);
      if (other == nullptr || other->source != asked->source || !fits_in_lane(items[i])) continue;
      places.push_back(i);
      ways.push_back(&items[i]);
    }
    if (ways.size() < kCosts.lanes_least || places[0] != first) continue;
    SetItem made;
    made.kind = SetItem::Kind::lanes;
    made.possible = items[first].possible;
    made.lanes = {lanes_of(ways)};
    for (std::size_t i = places.size(); i-- > 1;) items.erase(items.begin() + static_cast<std::ptrdiff_t>(places[i]));
    items[first] = std::move(made);
  }
}

}  // namespace rgtrans::cpp
