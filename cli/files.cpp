#include "cli/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.hpp"

namespace rgtrans::cli {

namespace {

std::string shown(const std::filesystem::path& path, const char* standard) {
  return path == "-" ? standard : path.string();
}

}  // namespace

FileRoles& FileRoles::reads(const std::filesystem::path& path) {
  if (path.empty()) return *this;
  const std::string key = file_key(path, STDIN_FILENO);
  if (!key.empty()) roles_.try_emplace(key, "the input " + shown(path, "(standard input)"));
  return *this;
}

FileRoles& FileRoles::writes(const std::filesystem::path& path, const std::string& option) {
  if (path.empty()) return *this;
  const std::string key = file_key(path, STDOUT_FILENO);
  if (key.empty()) return *this;
  const std::string name = path == "-" ? "standard output" : fmt::format("{} {}", option, path.string());
  const auto [role, fresh] = roles_.try_emplace(key, "what " + name + " names");
  if (!fresh) throw UsageError(fmt::format("{} would overwrite {}; name another file", name, role->second));
  return *this;
}

}  // namespace rgtrans::cli
