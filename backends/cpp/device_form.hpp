// The form of a reasoner that a GPU can run. The functions are those of the C++ form, with another kind of output:
// moves are counted and picked, never listed, and all memory is of fixed size. Compiled as plain C++ it is the twin of
// what runs on the device, behind the same interface as any compiled reasoner.
#pragma once

#include <string>
#include <vector>

#include "backends/cpp/cpp.hpp"
#include "backends/cpp/shared.hpp"

namespace rgtrans::cpp {

// What is written for one game.
struct DeviceParts {
  Shared& shared;
  std::string title;
  std::string symbols, state, tag_names;  // declarations
  std::string tables, rules;              // on the device
  std::string host;                       // what only the twin needs
};

// Throws Error where the game does not fit.
std::vector<GeneratedFile> device_files(const DeviceParts& parts);

}  // namespace rgtrans::cpp
