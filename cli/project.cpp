#include "cli/project.hpp"

#include <fmt/format.h>

#include <system_error>
#include <vector>

#include "backends/cpp/cpp.hpp"
#include "core/support/support.hpp"

namespace rgtrans::cli {

void write_project(const ir::Game& game, const std::string& form, const std::string& title,
                   const std::filesystem::path& folder, FileRoles& roles) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(fmt::format("cannot create the folder {}: {}", folder.string(), error.message()));
  const std::vector<cpp::GeneratedFile> files =
      cpp::generate(game, {.title = title.empty() ? "game" : title, .device = form == "cuda"});
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
