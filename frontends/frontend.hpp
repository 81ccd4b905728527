// A front end is one row of the table returned by frontends(): a name, its file extensions and a few functions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/ir/ir.hpp"
#include "core/support/support.hpp"

namespace rgtrans {

// An option that a language knows, written NAME, or NAME=VALUE where the value is a whole number from 1.
struct LanguageOption {
  std::string_view name;
  std::uint64_t most;  // of the value; 0 where there is none
  std::string_view help;
};

// Options by name ("keep-forced" -> ""). Those that a front end is given are in its table and have the form that it
// says.
struct FrontendOptions {
  std::map<std::string, std::string, std::less<>> values;
  [[nodiscard]] bool has(std::string_view name) const { return values.contains(name); }
  [[nodiscard]] std::uint64_t number(std::string_view name, std::uint64_t standard) const {
    const auto found = values.find(name);
    return found == values.end() ? standard : std::stoull(found->second);
  }
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
  std::span<const LanguageOption> options = {};
};

}  // namespace rgtrans
