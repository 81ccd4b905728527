// Files beyond read_file() and write_file(): those that nobody named, those that may be too large, and those that need
// not fit into memory, written piece by piece, read line by line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/support/diagnostics.hpp"

namespace rgtrans {

// For files that nobody named, such as all of a folder: a pipe or a device, which could be read for ever, is an Error.
std::string read_regular_file(const std::filesystem::path& path);
// The text of a game, as read_file(). Somebody wrote it, so it has a size that people can write (limits::text_bytes).
std::string read_description(const std::filesystem::path& path);
// Throws Error where a text of this size is none that people write; `name` is in the message.
void check_text_size(std::string_view name, std::uint64_t size);

// Thrown by what writes files: no space is left on the disk, or none that this user may have.
struct NoSpace : Error {
  using Error::Error;
};

// A file that is made piece by piece: it appears with finish(), or not at all. "-" is standard output; where that is a
// terminal, no control character of the text reaches it (terminal_text()), unless the text is `safe`. Throws Error.
class FileWriter {
 public:
  explicit FileWriter(std::filesystem::path path, bool safe = false);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  void write(std::string_view text);
  void finish();

 private:
  void flush();

  std::filesystem::path path_;
  std::string temporary_;  // "" where the file itself is written
  std::string waiting_;
  int fd_ = -1;
  bool terminal_ = false;
};

// Lines one after the other, for files that need not fit into memory.
class LineSource {
 public:
  virtual ~LineSource() = default;
  // Without its end; nothing behind the last one. Throws Error where the text stops before the end of a line.
  virtual std::optional<std::string> next() = 0;
};
// Of a text that lives longer.
class TextLines : public LineSource {
 public:
  explicit TextLines(std::string_view text) : text_(text) {}
  std::optional<std::string> next() override;

 private:
  std::string_view text_;
};
// Of a file, or of standard input for "-". A line has a megabyte at most.
class FileLines : public LineSource {
 public:
  explicit FileLines(std::filesystem::path path);
  ~FileLines() override;
  FileLines(const FileLines&) = delete;
  FileLines& operator=(const FileLines&) = delete;
  std::optional<std::string> next() override;

 private:
  std::filesystem::path path_;
  int fd_ = -1;
  std::string buffer_;
  std::size_t at_ = 0;
};

}  // namespace rgtrans
