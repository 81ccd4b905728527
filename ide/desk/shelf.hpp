// The texts that a studio offers: the games that come with the program, and those of one folder. Nothing outside of
// that folder is read or written, whatever name is asked for and wherever links point.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rgtrans::ide {

struct Preset {
  std::string_view path;  // "hrg/chess.hrg"
  std::string_view text;
};
std::span<const Preset> presets();

class Shelf {
 public:
  Shelf() = default;  // no folder
  explicit Shelf(const std::filesystem::path& folder);

  [[nodiscard]] bool has_folder() const { return !folder_.empty(); }
  [[nodiscard]] std::string folder() const { return folder_.string(); }
  // Descriptions below the folder, by their names relative to it, sorted.
  [[nodiscard]] std::vector<std::string> names() const;
  // Throw Error for names that are not of descriptions in the folder.
  [[nodiscard]] std::string read(const std::string& name) const;
  void write(const std::string& name, std::string_view text) const;

 private:
  [[nodiscard]] std::filesystem::path inside(const std::string& name) const;

  std::filesystem::path folder_;
};

}  // namespace rgtrans::ide
