// The passes over the text before it is parsed: comments, options, rulesets, defines, ranges and metadata.
#pragma once

#include <map>
#include <string>

#include "frontends/ludii/text/options.hpp"
#include "frontends/ludii/text/text.hpp"

namespace rgtrans::ludii {

struct ReadOptions {
  Choices choices;
  std::map<std::string, int, std::less<>> bounds;  // of numbers whose bound does not follow from the rules
  std::string ludii;  // a folder or archive with Ludii's defines; "": LUDII_HOME, or upward
};

// Throws Refused.
SourceText expand(const Sources::File& file, Sources& sources, const ReadOptions& options);

}  // namespace rgtrans::ludii
