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
