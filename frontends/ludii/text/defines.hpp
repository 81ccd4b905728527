// Defines: names for pieces of text with parameters #1, #2, …
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontends/ludii/text/text.hpp"

namespace rgtrans::ludii {

SourceText without_comments(const SourceText& text);
// Cuts the first clause of that name out of the text.
std::optional<SourceText> cut_clause(SourceText& text, std::string_view name);

// Cuts the defines out of the text and replaces their uses, and those of the defines of Ludii. These are in the folder
// or archive `ludii`, else below LUDII_HOME, else in a folder `def` upward from the file. Throws Refused.
void expand_defines(SourceText& text, const std::string& file_name, const std::string& ludii, Sources& sources);

}  // namespace rgtrans::ludii
