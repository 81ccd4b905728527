// Defines: names for pieces of text with parameters #1, #2, …
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/ludii/text/text.hpp"

namespace rgtrans::ludii {

SourceText without_comments(const SourceText& text);
// Cuts the first clause of that name out of the text.
std::optional<SourceText> cut_clause(SourceText& text, std::string_view name);

// The files with the defines of Ludii: those of the folder `ludii`, or this archive, else of LUDII_HOME, else of a
// folder `def` upward from the file.
std::vector<std::filesystem::path> files_of_defines(const std::string& file_name, const std::string& ludii);

// Cuts the defines out of the text and replaces their uses, and those of the defines of Ludii. Throws Refused.
void expand_defines(SourceText& text, const std::string& file_name, const std::string& ludii, Sources& sources);

}  // namespace rgtrans::ludii
