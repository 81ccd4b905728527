// Commands that many processes or machines carry out are in the Python package (rgtrans.scale).
#pragma once

#include <string>

namespace rgtrans::cli {

// Becomes a Python that runs a command with these options, as JSON. Throws Error if no Python has the package.
[[noreturn]] void run_in_package(const std::string& command, const std::string& options);

}  // namespace rgtrans::cli
