// Files that need not fit into memory: written piece by piece, read line by line.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace rgtrans {

// A file that is made piece by piece: it appears with finish(), or not at all. "-" is standard output. Throws Error.
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
  std::string temporary_;  // "" where the file itself is written
  std::string waiting_;
  int fd_ = -1;
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
