#include "frontends/rbg/text/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace rgtrans::rbg {

namespace {

std::string_view article(NameKind kind) {
  switch (kind) {
    case NameKind::player:
      return "a player";
    case NameKind::piece:
      return "a piece";
    case NameKind::variable:
      return "a variable";
    case NameKind::label:
      return "a direction";
  }
  return "";
}

std::string hint_for(NameKind found, NameKind wanted, std::string_view name) {
  if (wanted != NameKind::label) return {};
  if (found == NameKind::piece) return fmt::format("{{{0}}} tests for the piece, [{0}] puts it", name);
  if (found == NameKind::player) return fmt::format("->{} gives the turn to the player", name);
  return {};
}

}  // namespace

std::vector<Declared>& DeclaredNames::list(NameKind kind) const {
  switch (kind) {
    case NameKind::player:
      return d_.players;
    case NameKind::piece:
      return d_.pieces;
    case NameKind::variable:
      return d_.variables;
    case NameKind::label:
      break;
  }
  return d_.labels;
}

void DeclaredNames::declare(NameKind kind, const Token& name) {
  std::vector<Declared>& declared = list(kind);
  const auto [it, fresh] = names_.try_emplace(name.text, Name{kind, static_cast<std::uint32_t>(declared.size())});
  if (!fresh) {
    const Name& known = it->second;
    Diagnostic& diagnostic =
        macros_.error(name,
                      known.kind == kind ? fmt::format("{} is declared twice", text(name.text))
                                         : fmt::format("{} is already {}", text(name.text), article(known.kind)),
                      known.kind == kind ? "" : "players, pieces, variables and directions need different names");
    diagnostic.notes.push_back({list(known.kind)[known.index].where, "first declared here"});
  }
  declared.push_back({name.text, 0, name.where});
}

std::optional<std::uint32_t> DeclaredNames::find(NameKind kind, SymbolId name) const {
  const auto it = names_.find(name);
  if (it == names_.end() || it->second.kind != kind) return std::nullopt;
  return it->second.index;
}

std::optional<std::uint32_t> DeclaredNames::resolve(NameKind kind, const Token& name) const {
  return resolve(kind, name, article(kind));
}

std::optional<std::uint32_t> DeclaredNames::resolve_variable(const Token& name) const {
  if (const auto player = find(NameKind::player, name.text)) return player;
  const auto index = resolve(NameKind::variable, name, "a variable or player");
  if (!index) return std::nullopt;
  return static_cast<std::uint32_t>(*index + d_.players.size());
}

std::optional<std::uint32_t> DeclaredNames::resolve(NameKind kind, const Token& name, std::string_view expected) const {
  const auto it = names_.find(name.text);
  if (it == names_.end()) {
    std::string hint = macros_.why_not_expanded(name);
    if (hint.empty()) hint = suggestion(name.text, kind);
    macros_.error(name, fmt::format("unknown name {}; {} is expected", text(name.text), expected), std::move(hint));
    return std::nullopt;
  }
  const Name& known = it->second;
  if (known.kind == kind) return known.index;
  macros_.error(name, fmt::format("{} is {}, but {} is expected", text(name.text), article(known.kind), expected),
                hint_for(known.kind, kind, text(name.text)));
  return std::nullopt;
}

std::string DeclaredNames::suggestion(SymbolId name, NameKind kind) const {
  std::vector<std::string_view> candidates;
  for (const auto& [symbol, known] : names_) {
    if (known.kind == kind || (kind == NameKind::variable && known.kind == NameKind::player)) {
      candidates.push_back(text(symbol));
    }
  }
  std::ranges::sort(candidates);
  return did_you_mean(text(name), candidates);
}

}  // namespace rgtrans::rbg
