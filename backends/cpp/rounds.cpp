#include "backends/cpp/rounds.hpp"

#include <algorithm>

namespace rgtrans::cpp {

Needed nothing_needed(std::size_t sources, std::size_t words, std::size_t values) {
  return Needed(values, std::vector<Bits>(sources, Bits(words * kWord)));
}

bool visit_ends(const std::vector<SetItem>& items, const Needed& at,
                const std::function<bool(const SetItem&, const Needed&)>& end) {
  return std::ranges::all_of(items, [&](const SetItem& item) {
    if (item.kind != SetItem::Kind::narrow) return end(item, at);
    const auto next = needed_behind(item, at);
    return next && visit_ends(item.inside, *next, end);
  });
}

std::vector<SetItem> part_of(const std::vector<SetItem>& items, bool back) {
  std::vector<SetItem> result;
  for (const SetItem& item : items) {
    if (item.inside.empty()) {
      if ((item.kind == SetItem::Kind::loop_back) == back) result.push_back(item);
      continue;
    }
    SetItem part = item;
    part.inside = part_of(item.inside, back);
    if (!part.inside.empty()) result.push_back(std::move(part));
  }
  return result;
}

// By value, what `make` makes of the walks to ends of this kind, if they are all that there is.
template <class Made, class Make>
static std::optional<std::vector<std::vector<Made>>> by_ends(const SetWalks& walks, std::size_t values,
                                                             SetItem::Kind kind, Make&& make) {
  std::vector<std::vector<Made>> result(values);
  const bool known =
      visit_ends(part_of(walks.items, kind == SetItem::Kind::loop_back),
                 nothing_needed(walks.sources.size(), walks.words, values), [&](const SetItem& item, const Needed& at) {
                   for (const std::size_t x : item.possible) {
                     if (item.kind == kind && at[x]) result[x].push_back(make(item, *at[x], x));
                   }
                   return item.kind == kind;
                 });
  return known ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<Subsets> rounds_of(const SetWalks& walks, VarId variable, std::size_t values) {
  return by_ends<Subset>(walks, values, SetItem::Kind::loop_back,
                         [&](const SetItem& item, const std::vector<Bits>& needs, std::size_t x) {
                           return Subset{needs, 0, item.way->values.at(variable.value)[x]};
                         });
}

std::optional<std::vector<std::vector<ShownBehind>>> ends_of(const SetWalks& walks, std::size_t values) {
  return by_ends<ShownBehind>(walks, values, SetItem::Kind::moves,
                              [](const SetItem& item, const std::vector<Bits>& needs, std::size_t /*x*/) {
                                return ShownBehind{needs, item.tags};
                              });
}

namespace {

// Collects the ways of one round.
class Spreading {
 public:
  explicit Spreading(VarId variable) : variable_(variable) {}

  // For these values, behind a condition on these cells. False where a way that leads on is something else.
  bool add(const SetItem& item, const Bits& allowed, const Shifted* asked) {
    switch (item.kind) {
      case SetItem::Kind::narrow: {
        if (item.conditions.size() != 1) return other(item);
        const SetCondition& condition = item.conditions[0];
        Bits sure = condition.sure;
        sure &= allowed;
        if (condition.asked.empty()) return add_all(item, sure, asked);
        if (asked != nullptr || sure.any()) return other(item);
        return std::ranges::all_of(condition.asked, [&](const Shifted& one) {
          Bits both = one.where;
          both &= allowed;
          return one.cell.empty() ? add_all(item, both, &one) : other(item);
        });
      }
      case SetItem::Kind::loop_back: {
        if (asked == nullptr) return false;
        Bits from = item.possible;
        from &= allowed;
        const Codes& values = item.way->values.at(variable_.value);
        if (std::ranges::any_of(from, [&](std::size_t x) { return values[x] != asked->cell_of(x); })) return false;
        note(next[asked->source], asked->delta, from);
        return true;
      }
      case SetItem::Kind::goal:
        if (asked == nullptr) return other(item);
        note(goal[asked->source], asked->delta, allowed);
        return true;
      default:
        return other(item);
    }
  }

  using Neighbours = std::map<std::int64_t, Bits>;
  std::map<std::size_t, Neighbours> next, goal;  // by source
  bool whole = true;                             // there is nothing else

 private:
  bool add_all(const SetItem& item, const Bits& allowed, const Shifted* asked) {
    return std::ranges::all_of(item.inside, [&](const SetItem& behind) { return add(behind, allowed, asked); });
  }
  bool other(const SetItem& item) {
    whole = false;
    return part_of({item}, true).empty();
  }
  static void note(Neighbours& into, std::int64_t delta, const Bits& from) {
    const auto [at, fresh] = into.try_emplace(delta, from);
    if (!fresh) at->second |= from;
  }

  VarId variable_;
};

}  // namespace

std::optional<Spread> spread_of(const SetWalks& walks, VarId variable) {
  Spreading found(variable);
  Bits all = walks.items[0].possible;
  for (const SetItem& item : walks.items) all |= item.possible;
  if (!std::ranges::all_of(walks.items, [&](const SetItem& item) { return found.add(item, all, nullptr); }))
    return std::nullopt;
  if (found.next.empty()) return std::nullopt;
  Spread result{found.next.begin()->second, {}, {}, {}};
  for (const auto& [source, neighbours] : found.next) {
    if (neighbours != result.neighbours) return std::nullopt;
    result.next.push_back(source);
  }
  for (const auto& [source, neighbours] : found.goal) {
    if (neighbours == result.neighbours) result.goal.push_back(source);
  }
  // Ways to the goal that are no such cells.
  for (const SetItem& item : part_of(walks.items, false)) {
    Spreading one(variable);
    const bool shared = one.add(item, all, nullptr) && one.whole && std::ranges::all_of(one.goal, [&](const auto& of) {
                          return std::ranges::find(result.goal, of.first) != result.goal.end();
                        });
    if (!shared) result.rest.push_back(item);
  }
  return result;
}

Subsets turned_rounds(const Subsets& rounds) {
  Subsets result(rounds.size());
  for (std::uint32_t x = 0; x < rounds.size(); ++x) {
    for (const Subset& next : rounds[x]) result[next.to].push_back({next.needs, 0, x});
  }
  return result;
}

std::map<std::uint32_t, std::vector<Bits>> reached_from(const Subsets& rounds, std::uint32_t value) {
  std::map<std::uint32_t, std::vector<Bits>> result;
  std::vector<std::uint32_t> work = {value};
  result[value];
  while (!work.empty()) {
    const std::uint32_t at = work.back();
    work.pop_back();
    for (const Subset& next : rounds[at]) {
      const auto [it, fresh] = result.try_emplace(next.to, next.needs);
      if (fresh) work.push_back(next.to);
      for (std::size_t i = 0; i < it->second.size(); ++i) it->second[i] &= next.needs[i];
    }
  }
  return result;
}

}  // namespace rgtrans::cpp
