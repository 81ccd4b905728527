// The declared names of a description. Players, pieces, variables and directions share one name space.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontends/rbg/ast.hpp"
#include "frontends/rbg/text/macros.hpp"

namespace rgtrans::rbg {

enum class NameKind : std::uint8_t { player, piece, variable, label };

class DeclaredNames {
 public:
  // The arguments must outlive this object.
  DeclaredNames(Description& description, const Macros& macros) : d_(description), macros_(macros) {}

  // Adds the name to the description's lists. Reports an error if the name is in use.
  void declare(NameKind kind, const Token& name);
  // The index of a declared name of that kind, or none.
  [[nodiscard]] std::optional<std::uint32_t> find(NameKind kind, SymbolId name) const;
  // The same, but reports an error if there is none.
  [[nodiscard]] std::optional<std::uint32_t> resolve(NameKind kind, const Token& name) const;
  // A variable or player, as an index of variables (players first).
  [[nodiscard]] std::optional<std::uint32_t> resolve_variable(const Token& name) const;

 private:
  struct Name {
    NameKind kind;
    std::uint32_t index;
  };
  [[nodiscard]] std::vector<Declared>& list(NameKind kind) const;
  [[nodiscard]] std::optional<std::uint32_t> resolve(NameKind kind, const Token& name, std::string_view expected) const;
  [[nodiscard]] std::string suggestion(SymbolId name, NameKind kind) const;
  [[nodiscard]] std::string_view text(SymbolId id) const { return d_.symbols.text(id); }

  Description& d_;
  const Macros& macros_;
  std::unordered_map<SymbolId, Name> names_;
};

}  // namespace rgtrans::rbg
