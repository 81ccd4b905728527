// Drawing with Graphviz, which is a program of its own and may be missing.
#pragma once

#include <string>
#include <string_view>

namespace rgtrans::cli {

// The SVG that `dot` makes of a Graphviz text. Throws Error when dot is not installed or fails.
std::string draw_svg(std::string_view dot_text);

}  // namespace rgtrans::cli
