#include "cli/package.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

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

// Whether this Python has the package, built for its version, and another module. Importing them is left to the run.
bool has_package(const std::string& python, const std::string& module) {
  constexpr std::string_view kLook =
      "import importlib.machinery, importlib.util, sys\n"
      "package = importlib.util.find_spec('rgtrans')\n"
      "find = importlib.machinery.PathFinder.find_spec\n"
      "sys.exit(package is None or find('rgtrans._core', package.submodule_search_locations) is None\n"
      "         or importlib.util.find_spec(sys.argv[1]) is None)";
  return run_program({python, "-c", std::string(kLook), module}, {.messages = false}) == 0;
}

// The first Python with the package; one that can reach the cluster comes before the others.
std::string python_for(const std::string& command, const Cluster& cluster) {
  std::vector<std::string> modules = {"rgtrans"};
  if (cluster.name.starts_with("dask")) modules.insert(modules.begin(), "distributed");
  for (const std::string& module : modules) {
    for (const char* python : {"python3", "/usr/bin/python3"}) {
      if (has_package(python, module)) return python;
    }
  }
  throw Error(fmt::format("{} needs the Python package rgtrans, which no python3 here has", command),
              "install it (pip install .), or build it (the target rgtrans_python)");
}

}  // namespace

void Cluster::add_to(OptionSet& app, const std::string& what) {
  app.add_option("--cluster", name, fmt::format("where {}: local, dask://HOST:PORT, slurm", what))
      ->capture_default_str()
      ->type_name("CLUSTER");
  app.add_option("--parts", parts, "tasks of the array of --cluster slurm")
      ->between(1U, 1'000'000U)
      ->capture_default_str()
      ->type_name("N");
}

void run_in_package(const std::string& command, const Cluster& cluster, nlohmann::ordered_json options) {
  find_package();
  const std::string python = python_for(command, cluster);
  options["cluster"] = cluster.name;
  options["parts"] = cluster.parts;
  const std::string text = options.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  // Games in them are longer than an argument may be. The file has no name, and Python inherits it.
  std::FILE* const file = std::tmpfile();
  if (file == nullptr || std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0) {
    throw Error("cannot write a temporary file");
  }
  std::rewind(file);
  const std::string place = fmt::format("@/dev/fd/{}", fileno(file));
  std::array<std::string, 4> words = {python, "-m", "rgtrans.scale", place};
  std::array<char*, 5> arguments = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  execvp(python.c_str(), arguments.data());
  throw Error(fmt::format("cannot run {}: {}", python, std::strerror(errno)));
}

}  // namespace rgtrans::cli
