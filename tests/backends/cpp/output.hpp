// The output of a shell command.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

namespace rgtrans::cpp {

inline std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) text += static_cast<char>(c);
  return text;
}

}  // namespace rgtrans::cpp
