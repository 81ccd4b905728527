// Data embedded in a page: compressed with deflate and encoded in base64. Browsers can decode both.
#pragma once

#include <string>
#include <string_view>

namespace rgtrans {

std::string packed(std::string_view text);

}  // namespace rgtrans
