// A smaller text that shows the same: statements, then parts of them, are left out as long as it does.
#pragma once

#include <functional>
#include <string>

namespace rgtrans::differential {

using Shows = std::function<bool(const std::string& text)>;

// Of prefix GDL and other texts in parentheses: lists within lists.
std::string shrink_lists(const std::string& text, const Shows& shows, double seconds);
// Of any other text: its lines.
std::string shrink_lines(const std::string& text, const Shows& shows, double seconds);

}  // namespace rgtrans::differential
