// Reads archives: .zip, .tar, .7z and the like. The library for this, libarchive, is opened when the first archive is
// met: with all that it needs it would cost every run of the program as much time as a translation takes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace rgtrans {

class ArchiveReader {
 public:
  // Throws Error, also if libarchive is not installed.
  explicit ArchiveReader(const std::filesystem::path& path);
  ~ArchiveReader();
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;

  enum class Kind : std::uint8_t { file, link, other };
  struct Entry {
    std::string name;  // as in the archive; not safe to append to a folder
    Kind kind = Kind::file;
  };
  // The next entry with a name, or nothing at the end. Throws Error if the archive is damaged.
  std::optional<Entry> next();
  // Gives the content of the present entry in pieces with their places, until `take` returns false. Throws Error.
  void read(const std::function<bool(std::int64_t place, std::string_view piece)>& take);

 private:
  struct Handle;
  Handle* handle_;
};

}  // namespace rgtrans
