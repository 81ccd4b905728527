// The files of a reasoner, which --to cpp and --to cuda write.
#pragma once

#include <filesystem>
#include <string>

#include "backends/cpp/cpp.hpp"
#include "cli/command.hpp"
#include "cli/files.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::cli {

// The files replace those of an earlier one, and nothing else.
void write_project(const ir::Game& game, const std::string& form, const ProjectArguments& names,
                   const std::filesystem::path& folder, FileRoles& roles);
// Throws UsageError for names that are none in C++.
cpp::GenerateOptions generate_options(const ProjectArguments& names);

}  // namespace rgtrans::cli
