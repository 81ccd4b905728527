#include "core/ir/defined_once.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <range/v3/view/chunk_by.hpp>

#include "core/ir/builtins.hpp"
#include "core/support/letters.hpp"

namespace rgtrans::ir {

namespace {

std::string number_name(std::int64_t value) {
  return value < 0 ? fmt::format("minus_{}", -value) : std::to_string(value);
}

// Whether number() may return this name, now or later.
bool is_number_name(std::string_view name) {
  constexpr std::string_view kMinus = "minus_";
  if (name.starts_with(kMinus)) name.remove_prefix(kMinus.size());
  return !name.empty() && all_digits(name);
}

}  // namespace

DefinedOnce::DefinedOnce(Game& game) : game_(game) {
  for (const std::string_view name : kBuiltinVariables) reserve(game_.symbols.intern(name));
  for (const std::string_view name : kReservedWords) reserve(game_.symbols.intern(name));
}

bool DefinedOnce::has_meaning(std::string_view name) {
  return std::ranges::find(kBuiltinVariables, name) != kBuiltinVariables.end() ||
         std::ranges::find(kReservedWords, name) != kReservedWords.end();
}

SymbolId DefinedOnce::reserve(SymbolId symbol) {
  taken_.insert(symbol);
  return symbol;
}

SymbolId DefinedOnce::number(std::int64_t value) { return reserve(game_.symbols.intern(number_name(value))); }

std::vector<SymbolId> DefinedOnce::numbers(Interval range) {
  std::vector<SymbolId> list;
  list.reserve(range.size());
  for (std::int64_t value = range.low; value <= range.high; ++value) list.push_back(number(value));
  return list;
}

TypeId DefinedOnce::type(std::string_view name, const std::vector<SymbolId>& members) {
  const auto [it, fresh] = types_.try_emplace(std::string(name));
  if (fresh) {
    taken_.insert(members.begin(), members.end());
    const SymbolId id = game_.symbols.intern(name);
    game_.define_type(id, game_.types.set(members));
    it->second = game_.types.alias(id);
  }
  return it->second;
}

TypeId DefinedOnce::booleans() { return type("Bool", numbers({0, 1})); }

TypeId DefinedOnce::number_type(Interval range) {
  const std::string name = range.low == 0
                               ? fmt::format("Upto_{}", range.high)
                               : fmt::format("From_{}_to_{}", number_name(range.low), number_name(range.high));
  const auto known = types_.find(name);
  return known != types_.end() ? known->second : type(name, numbers(range));
}

void DefinedOnce::declare_play(const std::vector<SymbolId>& players, const std::vector<SymbolId>& scores) {
  type("Player", players);
  type("Score", scores);
  const auto variable = [&](std::string_view name, std::string_view type, ValueId initial) {
    const SymbolId type_name = game_.symbols.intern(type);
    game_.define_type(type_name, builtin_type(game_, type));
    return game_.variable_ref(game_.define_variable(game_.symbols.intern(name), game_.types.alias(type_name), initial));
  };
  goals_ = variable("goals", "Goals", game_.values.map(game_.values.symbol(scores.front()), {}));
  mover_ = variable("player", "PlayerOrSystem", game_.values.symbol(game_.keeper()));
}

SymbolId DefinedOnce::fresh_name(std::string_view wanted) {
  SymbolId id = game_.symbols.intern(wanted);
  for (std::size_t n = 1; taken_.contains(id) || is_number_name(game_.symbols.text(id)); ++n)
    id = game_.symbols.intern(fmt::format("{}_{}", wanted, n));
  return reserve(id);
}

ConstId DefinedOnce::constant(std::string_view wanted, TypeId type, ValueId value) {
  const auto [it, fresh] = constants_.try_emplace({value, type});
  if (fresh) it->second = game_.define_constant(fresh_name(wanted), type, value);
  return it->second;
}

ValueId DefinedOnce::map(const std::vector<SymbolId>& keys, const std::vector<ValueId>& values) {
  std::vector<std::pair<ValueId, std::size_t>> sorted;
  sorted.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sorted.emplace_back(values[i], i);
  std::ranges::sort(sorted);
  std::size_t first = 0, best = 0;  // ties are broken by the first occurrence
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  for (const auto group : sorted | ranges::views::chunk_by(same)) {
    if (group.size() < best || (group.size() == best && group.front().second > first)) continue;
    best = group.size();
    first = group.front().second;
  }
  const ValueId most = values[first];
  std::vector<Values::Entry> entries;
  entries.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (values[i] != most) entries.push_back({keys[i], values[i]});
  }
  return game_.values.map(most, entries);
}

}  // namespace rgtrans::ir
