// Data inside of a page: deflated, and written in base64. Browsers unpack them by themselves.
#pragma once

#include <string>
#include <string_view>

namespace rgtrans {

std::string packed(std::string_view text);

}  // namespace rgtrans
