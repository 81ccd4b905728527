// Writes and reads files that need not fit into memory: in pieces and by lines.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace rgtrans {

// Writes a file in pieces. The file appears when finish() is called; without that call it never appears. "-" writes to
// standard output. Throws Error.
class FileWriter {
 public:
  explicit FileWriter(std::filesystem::path path);
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
