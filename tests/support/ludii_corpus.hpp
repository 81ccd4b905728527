// The games of Ludii in the shared folder, and what Ludii itself says about them.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/shared.hpp"

namespace rgtrans::corpus {

// Paths by the name of the file.
inline std::map<std::string, fs::path> ludii_games() {
  std::map<std::string, fs::path> games;
  const fs::path folder = shared() / "corpus/lud/games";
  if (!fs::exists(folder)) return games;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".lud") games[entry.path().stem().string()] = entry.path();
  }
  return games;
}

// An archive of the oracle, unpacked into a folder that is removed in the end.
class LudiiOracle {
 public:
  explicit LudiiOracle(const std::string& name)
      : name_(name), folder_(fs::temp_directory_path() / ("rgtrans-" + name + "-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
    const fs::path archive = shared() / "oracle" / (name + ".tar.xz");
    const std::string command = "tar -xJf '" + archive.string() + "' -C '" + folder_.string() + "'";
    complete_ = std::system(command.c_str()) == 0;
  }
  ~LudiiOracle() {
    std::error_code error;
    fs::remove_all(folder_, error);
  }
  LudiiOracle(const LudiiOracle&) = delete;
  LudiiOracle& operator=(const LudiiOracle&) = delete;

  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] fs::path path(const std::string& file) const { return folder_ / name_ / file; }
  [[nodiscard]] nlohmann::json read(const std::string& file) const {
    std::ifstream stream(path(file));
    return nlohmann::json::parse(stream);
  }

 private:
  std::string name_;
  fs::path folder_;
  bool complete_ = false;
};

}  // namespace rgtrans::corpus
