// The sources of the house as the layout tests read them: files, the part of the house that each belongs to, #include
// lines.
#pragma once

#include <string>
#include <vector>

namespace rgtrans::test {

// Headers and sources of core, front ends, back ends, ide, cli and python, relative to the repository, in order.
const std::vector<std::string>& source_files();
bool is_source(const std::string& path);
std::string read_source(const std::string& path);

// Which part of the house a file belongs to: "core/ir", "frontends/hrg", "cli", …
std::string part_of(const std::string& path);

// The files that the #include lines of a file name, in either form, in order. Texts inside generated code look like
// such lines, too.
std::vector<std::string> includes_of(const std::string& path);

}  // namespace rgtrans::test
