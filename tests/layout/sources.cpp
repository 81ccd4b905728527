#include "tests/layout/sources.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

namespace rgtrans::test {

namespace fs = std::filesystem;

namespace {

const fs::path kSources = RGTRANS_SOURCE_DIR;

std::vector<std::string> find_files() {
  std::vector<std::string> found;
  for (const char* top : {"core", "frontends", "backends", "ide", "cli", "python"}) {
    for (auto it = fs::recursive_directory_iterator(kSources / top); it != fs::recursive_directory_iterator(); ++it) {
      if (it->path().filename() == "node_modules") it.disable_recursion_pending();
      const std::string extension = it->path().extension().string();
      if (extension == ".hpp" || extension == ".cpp") found.push_back(fs::relative(it->path(), kSources).string());
    }
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

const std::vector<std::string>& source_files() {
  static const std::vector<std::string> kFiles = find_files();
  return kFiles;
}

bool is_source(const std::string& path) { return fs::exists(kSources / path); }

std::string read_source(const std::string& path) {
  std::ifstream file(kSources / path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string part_of(const std::string& path) {
  const std::size_t first = path.find('/');
  if (first == std::string::npos) return path;
  const std::string top = path.substr(0, first);
  if (top != "core" && top != "frontends" && top != "backends" && top != "ide") return top;
  const std::size_t second = path.find('/', first + 1);
  return second == std::string::npos ? top : path.substr(0, second);
}

std::vector<std::string> includes_of(const std::string& path) {
  static const std::regex kInclude(R"(^\s*#\s*include\s+["<]([^">]+)[">])");
  std::vector<std::string> found;
  std::ifstream file(kSources / path);
  std::smatch match;
  for (std::string line; std::getline(file, line);)
    if (std::regex_search(line, match, kInclude)) found.push_back(match[1]);
  return found;
}

}  // namespace rgtrans::test
