// A file of numbers and bytes with a digest at its end, for work that goes on later. A damaged file is no file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/digest.hpp"

namespace rgtrans::lockstep {

// Writes to another file, and close() puts that in the place of the first. Without close() the first stays as it was.
class SavedWriter {
 public:
  explicit SavedWriter(const std::string& path);
  void number(std::uint64_t value);
  void text(std::string_view value);  // with its length
  void bytes(std::span<const std::byte> value);
  void numbers(const std::vector<std::uint64_t>& values);
  // Throws Error if the file cannot be written.
  void close();

 private:
  std::string path_, part_;
  std::ofstream file_;
  Digest digest_;
};

// Throws Error at the end of the file and for a wrong digest.
class SavedReader {
 public:
  explicit SavedReader(const std::string& path);
  std::uint64_t number();
  std::string text();
  void bytes(std::span<std::byte> value);
  std::vector<std::uint64_t> numbers();
  // Compares the digest.
  void close();

 private:
  std::string path_;
  std::ifstream file_;
  std::uint64_t left_ = 0;  // bytes
  Digest digest_;
};

}  // namespace rgtrans::lockstep
