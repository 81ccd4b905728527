#include "cli/package.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "cli/program.hpp"
#include "core/support/support.hpp"

namespace rgtrans::cli {

namespace {

namespace fs = std::filesystem;

// In a build, the package is in a folder next to the program.
void find_package() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path() / "python";
  if (error || !fs::is_directory(folder / "rgtrans", error)) return;
  const char* others = std::getenv("PYTHONPATH");
  const std::string paths =
      others == nullptr || *others == '\0' ? folder.string() : fmt::format("{}:{}", folder.string(), others);
  setenv("PYTHONPATH", paths.c_str(), 1);
}

// Whether this Python has the package, built for its version. Importing it is left to the run.
bool has_package(const std::string& python) {
  constexpr std::string_view kLook =
      "import importlib.machinery, importlib.util, sys\n"
      "package = importlib.util.find_spec('rgtrans')\n"
      "find = importlib.machinery.PathFinder.find_spec\n"
      "sys.exit(package is None or find('rgtrans._core', package.submodule_search_locations) is None)";
  return run_program({python, "-c", std::string(kLook)}, {.messages = false}) == 0;
}

}  // namespace

void run_in_package(const std::string& command, const std::string& options) {
  find_package();
  // Games in them are longer than an argument may be. The file has no name, and Python inherits it.
  std::FILE* const file = std::tmpfile();
  if (file == nullptr || std::fwrite(options.data(), 1, options.size(), file) != options.size() ||
      std::fflush(file) != 0) {
    throw Error("cannot write a temporary file");
  }
  std::rewind(file);
  const std::string place = fmt::format("@/dev/fd/{}", fileno(file));
  for (const std::string python : {"python3", "/usr/bin/python3"}) {
    if (!has_package(python)) continue;
    std::array<std::string, 4> words = {python, "-m", "rgtrans.scale", place};
    std::array<char*, 5> arguments = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
    execvp(python.c_str(), arguments.data());
  }
  throw Error(fmt::format("{} needs the Python package rgtrans, which no python3 here has", command),
              "install it (pip install .), or build it (the target rgtrans_python)");
}

}  // namespace rgtrans::cli
