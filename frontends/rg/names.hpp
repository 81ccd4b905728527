// Words that RG text reads in a special way.
#pragma once

#include <string_view>

#include "core/support/unicode.hpp"

namespace rgtrans::rg {

inline bool is_keyword(std::string_view name) { return name == "const" || name == "type" || name == "var"; }

// Whether a complete text is a valid name.
inline bool is_name(std::string_view text) {
  return !text.empty() && name_length(text.data(), text.data() + text.size()) == text.size() && !is_keyword(text);
}

// Whether the text after an @ would be read as a known pragma.
bool begins_like_known_pragma(std::string_view content);

}  // namespace rgtrans::rg
