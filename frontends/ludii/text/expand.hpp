// The passes over the text before it is parsed: comments, options, rulesets, defines, ranges and metadata.
#pragma once

#include <string>

#include "frontends/ludii/text/options.hpp"
#include "frontends/ludii/text/text.hpp"

namespace rgtrans::ludii {

struct ReadOptions {
  Choices choices;
  std::string ludii;  // a folder or archive with the defines of Ludii; "": LUDII_HOME, or upward from the file
};

// Throws Refused.
SourceText expand(const Sources::File& file, Sources& sources, const ReadOptions& options);

}  // namespace rgtrans::ludii
