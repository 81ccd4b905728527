// The names of all ludemes and constants of Ludii, translated or not, to tell a misspelt word from one that is missing.
#pragma once

#include <string>
#include <string_view>

#include "core/support/support.hpp"
#include "frontends/ludii/text/tree.hpp"

namespace rgtrans::ludii {

bool is_ludeme(std::string_view name);
// "did you mean x?" for a word that Ludii does not have, or "".
std::string nearest_word(std::string_view word);
// Reports clauses that begin with a name which is no ludeme, each name once.
void check_spelling(const Node& game, Diagnostics& diagnostics);

// Reports a refusal, with a proposal if a word in it is misspelt.
void report(const Refused& refused, Diagnostics& diagnostics);

}  // namespace rgtrans::ludii
