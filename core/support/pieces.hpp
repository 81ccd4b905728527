// Files beyond read_file() and write_file(): files that no user named, files of any size, and files that need not fit
// into memory, which are written in pieces and read by lines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/support/diagnostics.hpp"

namespace rgtrans {

// Reads a file that no user named, such as one of a folder. Throws Error for pipes and devices, which may never end.
std::string read_regular_file(const std::filesystem::path& path);
// Reads the text of a game. Throws Error above the limit limits::text_bytes, before the text is in memory.
std::string read_description(const std::filesystem::path& path);
// Throws Error if a text is larger than limits::text_bytes; `name` is in the message.
void check_text_size(std::string_view name, std::uint64_t size);

// Thrown by writers of files: the disk or the user's quota is full.
struct NoSpace : Error {
  using Error::Error;
};

// Writes a file in pieces. The file appears when finish() is called; without that call it never appears. "-" writes to
// standard output. If that is a terminal, terminal_text() removes control characters unless the text is `safe`. Throws
// Error.
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
  std::string temporary_;  // "" if the pieces go directly to the destination
  std::string waiting_;
  int fd_ = -1;
  bool terminal_ = false;
};

// A source of lines for inputs that need not fit into memory.
class LineSource {
 public:
  virtual ~LineSource() = default;
  // The next line without its end, or none after the last one. Throws Error if the text stops in the middle of a line.
  virtual std::optional<std::string> next() = 0;
};
// Lines of a text, which must outlive this object.
class TextLines : public LineSource {
 public:
  explicit TextLines(std::string_view text) : text_(text) {}
  std::optional<std::string> next() override;

 private:
  std::string_view text_;
};
// Lines of a file, or of standard input for "-". A line has at most one megabyte.
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
