// A front end is one row of the table returned by frontends(): a name, its file extensions and a few functions.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/ir/ir.hpp"
#include "core/support/support.hpp"

namespace rgtrans {

// Options of one language, by name ("keep-forced" -> ""); a front end ignores those of the others.
struct FrontendOptions {
  std::map<std::string, std::string, std::less<>> values;
  [[nodiscard]] bool has(std::string_view name) const { return values.contains(name); }
};

struct Frontend {
  std::string_view name;                         // as in --from
  std::string_view title;                        // one line for --help
  std::span<const std::string_view> extensions;  // with the dot
  // How sure one may be (0..100) that a text without a telling extension is of this language.
  int (*looks_like)(std::string_view text);
  // Parses and lowers; built-ins are added, the verifier is not yet run. `file` belongs to
  // diagnostics.sources(). Mistakes go to `diagnostics`; when there is an error the game is not to be used.
  ir::Game (*load)(const Sources::File& file, Diagnostics& diagnostics, const FrontendOptions& options);
  // The text in canonical layout, comments kept; null when the language has no formatter.
  std::string (*format)(const Sources::File& file, Diagnostics& diagnostics);
  // The text is the game itself, so that the verifier's warnings are about what the user wrote.
  bool is_rg = false;
};

}  // namespace rgtrans
