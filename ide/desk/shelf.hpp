// The texts of one folder. Files outside of it are neither read nor written, whatever name is given and wherever links
// point.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rgtrans::ide {

// Whether a file of this name is a description in some language.
bool is_description(const std::filesystem::path& path);

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
