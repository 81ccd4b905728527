// From text to syntax tree.
#pragma once

#include "core/support/support.hpp"
#include "frontends/hrg/ast.hpp"
#include "frontends/hrg/limits.hpp"

namespace rgtrans::hrg {

// Limits on what a text may ask for; each is named in the message that reports it.
inline const Limit& kMaxNesting = limits::nesting;      // of blocks, parentheses, types, map literals
inline const Limit& kMaxOperators = limits::operators;  // in one expression that leans to the left
inline constexpr std::int64_t kMaxNumber = 999'999'999'999'999'999;

// Syntax errors go to `diagnostics`, several where possible; names go to `symbols`.
ast::Program parse(const Sources::File& file, Symbols& symbols, Diagnostics& diagnostics);

[[nodiscard]] bool is_upper(std::string_view name);

}  // namespace rgtrans::hrg
