#include "cli/project.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::cli {

cpp::GenerateOptions generate_options(const ProjectArguments& names) {
  for (const auto& [option, name] : {std::pair("--namespace", names.space), std::pair("--prefix", names.prefix)}) {
    if (!name.empty() && !cpp::is_name(name))
      throw UsageError(fmt::format("{} {}: this is no name in C++, or one that the generated code uses", option, name));
  }
  cpp::GenerateOptions options;
  options.title = names.title;
  options.source = names.source;
  options.licence = names.licence;
  options.space = names.space;
  options.prefix = names.prefix;
  for (const std::string& technique : names.without) options.techniques.leave_out(technique);
  return options;
}

void write_project(const ir::Game& game, const std::string& form, const ProjectArguments& names,
                   const std::filesystem::path& folder, FileRoles& roles) {
  cpp::GenerateOptions options = generate_options(names);
  options.device = form == "cuda";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(fmt::format("cannot create the folder {}: {}", folder.string(), error.message()));
  const std::vector<cpp::GeneratedFile> files = cpp::generate(game, options);
  const bool earlier = cpp::is_reasoner(folder);
  for (const cpp::GeneratedFile& file : files) {
    roles.writes(folder / file.name, "-o");
    if (!earlier && std::filesystem::exists(folder / file.name, error))
      throw Error(fmt::format("{} would be overwritten, and {} is no folder of a reasoner",
                              (folder / file.name).string(), folder.string()),
                  "name another folder with -o");
  }
  for (const cpp::GeneratedFile& file : files) write_file(folder / file.name, file.text);
}

}  // namespace rgtrans::cli
