// The files that one command line names. An input is never written, and no two results go to one file.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace rgtrans::cli {

// A command names its files before it begins to work.
class FileRoles {
 public:
  // "" is no file.
  FileRoles& reads(const std::filesystem::path& path);
  // `option` is how the user named it. Throws UsageError where the file has a role already.
  FileRoles& writes(const std::filesystem::path& path, const std::string& option);

 private:
  std::map<std::string, std::string> roles_;  // by file_key(): in the words of the message
};

}  // namespace rgtrans::cli
