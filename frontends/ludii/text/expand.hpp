// The passes over the text before it is parsed: comments, options, rulesets, defines, ranges and metadata.
#pragma once

#include "frontends/ludii/text/text.hpp"

namespace rgtrans::ludii {

// Throws Refused.
SourceText expand(const Sources::File& file, Sources& sources);

}  // namespace rgtrans::ludii
