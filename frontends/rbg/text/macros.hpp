// Directives and macros. A macro expands to a string of tokens. It is visible only in later directives of the file, so
// recursion is impossible. Expansion is one pass from left to right over texts (token strings with an environment), and
// its output is never scanned again. Each token remembers the chain of expansions that produced it, for messages.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontends/rbg/limits.hpp"
#include "frontends/rbg/text/tokens.hpp"

namespace rgtrans::rbg {

inline const Limit& kMaxTokens = limits::tokens;                   // tokens of one section after expansion
inline const Limit& kMaxExpansionSteps = limits::expansion_steps;  // tokens processed in all expansions
inline const Limit& kMaxExpansions = limits::macro_calls;          // macro calls in all expansions
inline const Limit& kMaxExpansionDepth = limits::macro_depth;      // nested macros and arguments

struct Directive {
  SymbolId name;
  Range where;  // place of the name
  bool section = false;
  std::vector<SymbolId> parameters;
  std::span<const Token> body;
};

class Macros {
 public:
  // Splits the file into directives and collects the definitions. `tokens` must outlive this object.
  Macros(std::span<const Token> tokens, Symbols& symbols, Diagnostics& diagnostics);

  // The directive of that section, or null.
  [[nodiscard]] const Directive* section(std::string_view name) const;
  // The tokens of a section after expansion. Reports an error and returns an empty list on failure.
  std::vector<Token> expand(const Directive& section);

  // Reports an error at a token, with notes about its expansions.
  Diagnostic& error(const Token& at, std::string message, std::string hint = {}) const;
  // Adds "in expansion of …" notes, innermost first.
  void explain(Diagnostic& diagnostic, std::uint32_t origin) const;
  // The reason why the name of a macro was not expanded; "" if it is not a macro.
  [[nodiscard]] std::string why_not_expanded(const Token& name) const;
  // Warns about macros that were never expanded.
  void warn_unused();

 private:
  struct Origin {
    std::uint32_t directive;
    Range call;
    std::uint32_t parent;
  };
  struct Environment;
  struct Text;
  class Expander;
  struct Overloads {
    std::vector<std::uint32_t> by_arity;  // the directives that define this name, in order
  };

  void read_directive(std::span<const Token> tokens);
  void define(std::uint32_t index);
  std::string define_line(Range where) const;

  Symbols& symbols_;
  Diagnostics& diagnostics_;
  std::vector<Directive> directives_;
  std::vector<bool> used_;
  std::unordered_map<SymbolId, Overloads> macros_;
  std::vector<Origin> origins_;
  std::size_t steps_ = 0;
};

}  // namespace rgtrans::rbg
