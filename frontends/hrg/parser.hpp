// Parses a text into a syntax tree.
#pragma once

#include "core/support/support.hpp"
#include "frontends/hrg/ast.hpp"
#include "frontends/hrg/limits.hpp"

namespace rgtrans::hrg {

// Limits for texts. A message that reports one names it.
inline const Limit& kMaxNesting = limits::nesting;      // nesting of blocks, parentheses, types, map literals
inline const Limit& kMaxOperators = limits::operators;  // operators in one left-associative expression
inline constexpr std::int64_t kMaxNumber = 999'999'999'999'999'999;

// Reports syntax errors to `diagnostics`, several if possible. Adds names to `symbols`.
ast::Program parse(const Sources::File& file, Symbols& symbols, Diagnostics& diagnostics);

[[nodiscard]] bool is_upper(std::string_view name);

}  // namespace rgtrans::hrg
