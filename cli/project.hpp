// The files of a reasoner, which --to cpp and --to cuda write.
#pragma once

#include <filesystem>
#include <string>

#include "cli/files.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::cli {

// The files replace those of an earlier one, and nothing else.
void write_project(const ir::Game& game, const std::string& form, const std::string& title,
                   const std::filesystem::path& folder, FileRoles& roles);

}  // namespace rgtrans::cli
