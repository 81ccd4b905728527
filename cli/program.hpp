// Other programs: started by their names in PATH, with these files, and waited for.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rgtrans::cli {

struct ProgramFiles {
  int input = -1;  // descriptors; -1: those of this program
  int output = -1;
  bool messages = true;  // those of the program are shown
};

// The exit status; none if the program cannot be started or a signal ended it.
std::optional<int> run_program(std::vector<std::string> words, const ProgramFiles& files = {});

}  // namespace rgtrans::cli
