#include "frontends/rbg/emit/vocabulary.hpp"

#include <fmt/format.h>

namespace rgtrans::rbg {

Vocabulary::Vocabulary(const Description& description, ir::Game& game) : DefinedOnce(game), d_(description), g_(game) {
  auto all = [&](const auto& list, std::vector<SymbolId>& names) {
    names.reserve(list.size());
    for (const auto& item : list) names.push_back(rename(item.name));
  };
  all(d_.players, players);
  all(d_.pieces, pieces);
  all(d_.board, vertices);
  null = g_.symbols.intern("null");
  while (taken(null)) null = g_.symbols.intern(g_.symbols.str(null) + "_");
  reserve(null);
}

SymbolId Vocabulary::rename(SymbolId original) {
  const std::string name = d_.symbols.str(original);
  if (!has_meaning(name)) return reserve(g_.symbols.intern(name));
  // Equal names get the same new name in every role, so that one pragma per name suffices to show the original.
  // Names of the description may have the form of a new name already.
  std::string renamed = name + "_1";
  for (std::size_t n = 2; d_.symbols.find(renamed).valid(); ++n) renamed = fmt::format("{}_{}", name, n);
  const SymbolId id = g_.symbols.intern(renamed);
  if (!taken(id)) g_.pragmas.push_back({ir::Unknown{fmt::format("renamed {} {}", name, renamed)}, {}});
  return reserve(id);
}

SymbolId Vocabulary::modifier(std::uint32_t number) { return g_.symbols.intern(fmt::format("index_{}", number)); }

ir::TypeId Vocabulary::subset(std::string_view stem, const std::vector<SymbolId>& members) {
  const auto [it, fresh] = subsets_.try_emplace(fmt::format("{} {}", stem, g_.types.set(members).value));
  if (fresh) it->second = type(fmt::format("{}_{}", stem, ++counters_[std::string(stem)]), members);
  return it->second;
}

}  // namespace rgtrans::rbg
