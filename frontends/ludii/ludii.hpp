// Ludii: traditional and modern board games, written in ludemes.
//
// Stages: text -> text without options and defines -> tree (PEGTL) -> board (graph, relations, regions) -> equipment ->
// rules -> ir::Game. A construct is translated exactly or refused by its name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "frontends/frontend.hpp"

namespace rgtrans::ludii {

// The entry in the table of front ends.
const Frontend& frontend();

// The files of defines that a description with this name may use, in order. Throws Error.
std::vector<std::filesystem::path> other_files(const std::string& name, const FrontendOptions& options);

}  // namespace rgtrans::ludii
