#include "frontends/gdl/lower/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/support/letters.hpp"

namespace rgtrans::gdl {

Names::Names(std::function<std::string(TermId)> text) : text_(std::move(text)) {
  used_ = {"begin", "end"};
  const auto take = [&](const auto& words) {
    for (const std::string_view word : words) used_.emplace(word);
  };
  take(ir::kBuiltinTypes);
  take(ir::kBuiltinVariables);
  take(ir::kReservedWords);
}

std::string Names::readable(std::string_view text) {
  std::string out;
  bool gap = false;
  for (const char c : text) {
    const bool letter = is_letter(c) || is_digit(c);
    if (c == '+') {
      out += gap ? "_plus" : "plus";
      gap = false;
      continue;
    }
    if (!letter) {
      gap = !out.empty();
      continue;
    }
    if (gap) out += '_';
    gap = false;
    out += c;
  }
  return out.empty() ? "x" : out;
}

std::string Names::fresh(std::string_view wish) {
  std::string name(wish);
  for (int i = 2; !used_.insert(name).second; ++i) name = fmt::format("{}_{}", wish, i);
  return name;
}

std::string Names::term(TermId term) {
  const auto [it, is_new] = terms_.try_emplace(term);
  if (is_new) it->second = fresh(readable(text_(term)));
  return it->second;
}

void Names::add_words(ir::Words& words, Symbols& symbols) const {
  for (const auto& [term, name] : terms_) {
    std::string text = text_(term);
    if (text != name) words.texts.emplace(symbols.intern(name), std::move(text));
  }
}

// Builds the map from the innermost level outwards.
ir::ValueId GameWords::map_value(Paths values, std::size_t levels, ir::ValueId missing) {
  std::ranges::sort(values);
  for (std::size_t k = levels; k-- > 0;) {
    Paths outer;
    for (std::size_t i = 0; i < values.size();) {
      const auto in_front = [&](std::size_t j) { return std::span(values[j].first).first(k); };
      std::vector<ir::Values::Entry> entries;
      const std::size_t first = i;
      for (; i < values.size() && std::ranges::equal(in_front(i), in_front(first)); ++i)
        entries.push_back({values[i].first[k], values[i].second});
      outer.emplace_back(std::move(values[first].first), game_.values.map(missing, entries));
    }
    values = std::move(outer);
    missing = game_.values.map(missing, {});
  }
  return values.empty() ? missing : values[0].second;
}

std::string GameWords::fresh_word(std::string_view wish) {
  return names_.fresh(all_digits(wish) ? fmt::format("fact_{}", wish) : std::string(wish));
}

void GameWords::declare_basics(const std::vector<SymbolId>& players, const std::vector<int>& scores) {
  game_.define_type(symbol("Player"), game_.types.set(players));
  std::vector<SymbolId> symbols;
  for (const int s : scores) symbols.push_back(symbol(std::to_string(s)));
  game_.define_type(symbol("Score"), game_.types.set(symbols));
  bool_ = symbol("Bool");
  game_.define_type(bool_, game_.types.set(std::vector<SymbolId>{zero_, one_}));
  none_ = symbol(names_.fresh("none"));
}

}  // namespace rgtrans::gdl
