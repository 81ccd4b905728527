#include "frontends/rbg/emit/vocabulary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <range/v3/view/chunk_by.hpp>

namespace rgtrans::rbg {

namespace {

// Names with a meaning of their own in RG.
constexpr std::array<std::string_view, 8> kReserved = {"player", "goals", "visible", "keeper",
                                                       "random", "const", "type",    "var"};

}  // namespace

Vocabulary::Vocabulary(const Description& description, ir::Game& game) : d_(description), g_(game) {
  for (std::string_view name : kReserved) taken_.insert(g_.symbols.intern(name));
  auto all = [&](const auto& list, std::vector<SymbolId>& names) {
    names.reserve(list.size());
    for (const auto& item : list) names.push_back(rename(item.name));
  };
  all(d_.players, players);
  all(d_.pieces, pieces);
  all(d_.board, vertices);
  null = g_.symbols.intern("null");
  while (symbols_.contains(null)) null = g_.symbols.intern(g_.symbols.str(null) + "_");
  symbols_.insert(null);
}

SymbolId Vocabulary::rename(SymbolId original) {
  const std::string name = d_.symbols.str(original);
  SymbolId id = g_.symbols.intern(name);
  if (std::ranges::find(kReserved, std::string_view(name)) != kReserved.end()) {
    // The same text gets the same new name wherever it stands, so that there is one table for people.
    id = g_.symbols.intern(name + "_1");
    const std::string pragma = fmt::format("renamed {} {}_1", name, name);
    if (!symbols_.contains(id)) g_.pragmas.push_back({ir::Unknown{pragma}, {}});
  }
  symbols_.insert(id);
  return id;
}

SymbolId Vocabulary::integer(std::int64_t value) {
  const SymbolId id = g_.symbols.intern(value < 0 ? fmt::format("minus_{}", -value) : std::to_string(value));
  symbols_.insert(id);
  return id;
}

SymbolId Vocabulary::modifier(std::uint32_t number) { return g_.symbols.intern(fmt::format("index_{}", number)); }

ir::TypeId Vocabulary::type(std::string_view name, const std::vector<SymbolId>& members) {
  const auto [it, fresh] = types_.try_emplace(std::string(name), ir::TypeId());
  if (fresh) {
    const SymbolId id = g_.symbols.intern(name);
    g_.define_type(id, g_.types.set(members));
    it->second = g_.types.alias(id);
  }
  return it->second;
}

ir::TypeId Vocabulary::subset(std::string_view stem, const std::vector<SymbolId>& members) {
  const std::string key = fmt::format("{} {}", stem, g_.types.set(members).value);
  if (const auto it = types_.find(key); it != types_.end()) return it->second;
  const ir::TypeId made = type(fmt::format("{}_{}", stem, ++counters_[std::string(stem)]), members);
  types_[key] = made;
  return made;
}

ir::TypeId Vocabulary::integers(Interval range) {
  const std::string name = range.low == 0  ? fmt::format("Upto_{}", range.high)
                           : range.low < 0 ? fmt::format("From_minus_{}_to_{}{}", -range.low,
                                                         range.high < 0 ? "minus_" : "", std::abs(range.high))
                                           : fmt::format("From_{}_to_{}", range.low, range.high);
  if (const auto it = types_.find(name); it != types_.end()) return it->second;
  std::vector<SymbolId> members;
  for (std::int64_t value = range.low; value <= range.high; ++value) members.push_back(integer(value));
  return type(name, members);
}

ir::TypeId Vocabulary::booleans() { return type("Bool", {integer(0), integer(1)}); }

SymbolId Vocabulary::fresh_name(std::string_view wanted) {
  std::string name(wanted);
  SymbolId id = g_.symbols.intern(name);
  for (std::size_t n = 1; symbols_.contains(id) || taken_.contains(id); ++n) {
    id = g_.symbols.intern(fmt::format("{}_{}", wanted, n));
  }
  taken_.insert(id);
  return id;
}

ir::ConstId Vocabulary::constant(std::string_view wanted, ir::TypeId type, ir::ValueId value) {
  auto& list = constants_[value.value];
  for (const auto& [known_type, id] : list) {
    if (known_type == type) return id;
  }
  const ir::ConstId id = g_.define_constant(fresh_name(wanted), type, value);
  list.emplace_back(type, id);
  return id;
}

ir::ValueId Vocabulary::map(const std::vector<SymbolId>& keys, const std::vector<ir::ValueId>& values) {
  // The most frequent value becomes the default.
  std::vector<std::pair<ir::ValueId, std::size_t>> sorted;
  sorted.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sorted.emplace_back(values[i], i);
  std::ranges::sort(sorted);
  std::size_t first = 0, best = 0;  // of several the one that comes first
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  for (const auto group : sorted | ranges::views::chunk_by(same)) {
    if (group.size() < best || (group.size() == best && group.front().second > first)) continue;
    best = group.size();
    first = group.front().second;
  }
  const ir::ValueId most = values[first];
  std::vector<ir::Values::Entry> entries;
  entries.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (values[i] != most) entries.push_back({keys[i], values[i]});
  }
  return g_.values.map(most, entries);
}

std::vector<SymbolId> Vocabulary::integer_list(Interval range) {
  std::vector<SymbolId> list;
  for (std::int64_t value = range.low; value <= range.high; ++value) list.push_back(integer(value));
  return list;
}

}  // namespace rgtrans::rbg
