// Options of a game: the chosen item of every category is put in place of its references.
#pragma once

#include <map>
#include <string>

#include "frontends/ludii/text/text.hpp"

namespace rgtrans::ludii {

// The chosen items by the names of their categories. `Ruleset` names a combination of items.
using Choices = std::map<std::string, std::string, std::less<>>;

// Cuts options and rulesets out of the text. Throws Refused, also for choices that the text does not offer.
void apply_options(SourceText& text, const Choices& choices);

}  // namespace rgtrans::ludii
