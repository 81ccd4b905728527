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

std::optional<Rounds> rounds_of(const SetWalks& walks, VarId variable, std::size_t values) {
  Rounds rounds(values);
  const bool known = visit_ends(part_of(walks.items, true), nothing_needed(walks.sources.size(), walks.words, values),
                                [&](const SetItem& item, const Needed& at) {
                                  if (item.kind != SetItem::Kind::loop_back) return false;
                                  const Codes& next = item.way->values.at(variable.value);
                                  for (const std::size_t x : item.possible) {
                                    if (at[x]) rounds[x].push_back({*at[x], next[x]});
                                  }
                                  return true;
                                });
  return known ? std::optional(std::move(rounds)) : std::nullopt;
}

std::optional<std::vector<std::vector<ShownBehind>>> ends_of(const SetWalks& walks, std::size_t values) {
  std::vector<std::vector<ShownBehind>> result(values);
  const bool known = visit_ends(part_of(walks.items, false), nothing_needed(walks.sources.size(), walks.words, values),
                                [&](const SetItem& item, const Needed& at) {
                                  if (item.kind != SetItem::Kind::moves) return false;
                                  for (const std::size_t x : item.possible) {
                                    if (at[x]) result[x].push_back({*at[x], item.tags});
                                  }
                                  return true;
                                });
  return known ? std::optional(std::move(result)) : std::nullopt;
}

Rounds turned_rounds(const Rounds& rounds) {
  Rounds result(rounds.size());
  for (std::uint32_t x = 0; x < rounds.size(); ++x) {
    for (const NextValue& next : rounds[x]) result[next.value].push_back({next.needs, x});
  }
  return result;
}

std::map<std::uint32_t, std::vector<Bits>> reached_from(const Rounds& rounds, std::uint32_t value) {
  std::map<std::uint32_t, std::vector<Bits>> result;
  std::vector<std::uint32_t> work = {value};
  result[value];
  while (!work.empty()) {
    const std::uint32_t at = work.back();
    work.pop_back();
    for (const NextValue& next : rounds[at]) {
      const auto [it, fresh] = result.try_emplace(next.value, next.needs);
      if (fresh) work.push_back(next.value);
      for (std::size_t i = 0; i < it->second.size(); ++i) it->second[i] &= next.needs[i];
    }
  }
  return result;
}

}  // namespace rgtrans::cpp
