// The forms a translated game can be written in (cli/parts.hpp).
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "cli/parts.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::cli {

// Null when there is none of that name.
const OutputForm* find_output(std::string_view name);
// Of the forms that are one text.
std::vector<std::string> emitter_names();
// The text of a game in this form. RG begins with a comment that names the file and the language of the origin, without
// a folder, so the same file gives the same text everywhere.
std::string emit(const ir::Game& game, std::string_view form, const GameOrigin& origin,
                 const ProjectArguments& arguments = {});
// The one of these forms that the name of the output ends in, or the standard one. Throws UsageError for a picture that
// nothing here writes.
std::string form_by_name(const std::string& output, std::initializer_list<std::string_view> forms,
                         std::string_view standard);

}  // namespace rgtrans::cli
