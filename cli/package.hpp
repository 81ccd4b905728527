// Commands that many processes or machines carry out are in the Python package (rgtrans.scale).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/command.hpp"

namespace rgtrans::cli {

// Where the work of a command runs.
struct Cluster {
  std::string name = "local";
  unsigned parts = 8;  // tasks of the array, with slurm

  void add_to(OptionSet& app, const std::string& what);
};

// Becomes a Python that runs a command with these options. Throws Error if no Python has the package.
[[noreturn]] void run_in_package(const std::string& command, const Cluster& cluster, nlohmann::ordered_json options);

}  // namespace rgtrans::cli
