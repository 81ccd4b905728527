#include "ide/desk/shelf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/support/pieces.hpp"
#include "core/support/support.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans::ide {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostNames = 2000;
constexpr int kDeepest = 6;
constexpr std::uintmax_t kLargest = std::uintmax_t{16} << 20U;

}  // namespace

bool is_description(const fs::path& path) {
  const std::string extension = path.extension().string();
  return std::ranges::any_of(frontends(), [&](const Frontend* frontend) {
    return std::ranges::find(frontend->extensions, extension) != frontend->extensions.end();
  });
}

Shelf::Shelf(const fs::path& folder) {
  std::error_code problem;
  folder_ = fs::canonical(folder, problem);
  if (problem || !fs::is_directory(folder_)) throw Error(fmt::format("there is no folder {}", folder.string()));
}

std::vector<std::string> Shelf::names() const {
  std::set<std::string> names;
  if (!has_folder()) return {};
  std::error_code problem;
  fs::recursive_directory_iterator it(folder_, fs::directory_options::skip_permission_denied, problem);
  for (; !problem && it != fs::recursive_directory_iterator() && names.size() < kMostNames; it.increment(problem)) {
    const bool hidden = it->path().filename().string().starts_with('.');
    if (it->is_directory(problem) && (hidden || it.depth() >= kDeepest)) it.disable_recursion_pending();
    if (!hidden && it->is_regular_file(problem) && is_description(it->path())) {
      names.insert(it->path().lexically_relative(folder_).generic_string());
    }
  }
  return {names.begin(), names.end()};
}

fs::path Shelf::inside(const std::string& name) const {
  if (!has_folder()) throw Error("the studio was opened without a folder", "rgtrans studio FOLDER opens one");
  std::error_code problem;
  const fs::path path = fs::weakly_canonical(folder_ / name, problem);
  const fs::path relative = path.lexically_relative(folder_);
  const bool outside = problem || relative.empty() || *relative.begin() == ".." || fs::path(name).is_absolute();
  if (outside || name.find('\0') != std::string::npos) throw Error(fmt::format("{} is not in the folder", name));
  if (!is_description(path)) throw Error(fmt::format("{} has the extension of no language", name));
  return path;
}

std::string Shelf::read(const std::string& name) const {
  const fs::path path = inside(name);
  std::error_code problem;
  if (!fs::is_regular_file(path, problem)) throw Error(fmt::format("there is no file {}", name));
  if (fs::file_size(path, problem) > kLargest || problem) throw Error(fmt::format("{} is too large", name));
  return read_regular_file(path);
}

void Shelf::write(const std::string& name, std::string_view text) const {
  const fs::path path = inside(name);
  std::error_code problem;
  if (fs::exists(path, problem) && !fs::is_regular_file(path, problem))
    throw Error(fmt::format("{} is no regular file", name));
  if (!fs::is_directory(path.parent_path())) throw Error(fmt::format("the folder of {} does not exist", name));
  write_file(path, text);
}

}  // namespace rgtrans::ide
