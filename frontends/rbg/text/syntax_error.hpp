// Runs a PEGTL grammar over token classes and converts a failure to a diagnostic with a place.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <tao/pegtl.hpp>

#include "frontends/rbg/text/tokens.hpp"

namespace rgtrans::rbg {

// The position in the token string where the grammar failed.
struct SectionError {
  std::size_t at = 0;
  std::string expected;
};

inline std::string kinds_of(std::span<const Token> tokens) {
  std::string kinds;
  kinds.reserve(tokens.size());
  for (const Token& token : tokens) kinds += token.kind;
  return kinds;
}

// The texts of `expected` come from Messages<Rule>::text, as PEGTL's must_if requires.
template <class Grammar, template <class...> class Action, template <class...> class Control, class... States>
bool parse_tokens(const std::string& kinds, SectionError& error, States&&... states) {
  tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy> input(kinds.data(), kinds.size(), "");
  try {
    if (tao::pegtl::parse<Grammar, Action, Control>(input, states...)) return true;
    error = {0, "something else"};
  } catch (const tao::pegtl::parse_error& failure) {
    error = {failure.positions().front().byte, std::string(failure.message())};
  }
  return false;
}

// A hint about the token that the author probably meant, or "".
inline std::string usual_slip(std::span<const Token> tokens, const SectionError& error) {
  const char found = tokens[error.at].kind;
  const char before = error.at > 0 ? tokens[error.at - 1].kind : '\0';
  if (error.expected.starts_with("no '*'")) return "put the item into round brackets, as in ({e} up)*";
  if (found == '=' && error.expected.starts_with("one of ==")) return "== compares, = assigns";
  if (found == '-' && error.expected == "an arithmetic expression") return "a negative number is a difference: 0 - 1";
  if ((found == '$' || found == '?' || found == '!') && (before == '{' || before == '['))
    return "{$, [$, {? and {! are written without a space";
  return {};
}

// Reports "expected X, found Y" at the token where the grammar failed. `end` is the place of the end.
inline Diagnostic& report(Diagnostics& diagnostics, const Symbols& symbols, std::span<const Token> tokens, Range end,
                          const SectionError& error) {
  if (error.at >= tokens.size()) {
    return diagnostics.error(end, fmt::format("expected {}, found the end", error.expected));
  }
  const Token& token = tokens[error.at];
  return diagnostics.error(token.where,
                           fmt::format("expected {}, found '{}'", error.expected, symbols.text(token.text)),
                           usual_slip(tokens, error));
}

}  // namespace rgtrans::rbg
