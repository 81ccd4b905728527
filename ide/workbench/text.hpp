// Places of a text as editors count them: lines from 0, and in a line the units of an encoding that client and server
// have agreed on. Inside the service a place is an offset in bytes. Any place from a client has an answer: beyond the
// end of a line it is that end, beyond the last line the end of the text, and inside of a character its beginning.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rgtrans::ide {

enum class Encoding : std::uint8_t { utf8, utf16, utf32 };

struct LinePlace {
  std::uint32_t line = 0;
  std::uint32_t character = 0;
  bool operator==(const LinePlace&) const = default;
};

// Where the lines of one text begin. Lines end with LF, CR LF or CR.
class Lines {
 public:
  explicit Lines(std::string_view text);

  [[nodiscard]] std::size_t count() const { return starts_.size(); }
  [[nodiscard]] std::uint32_t start(std::size_t line) const { return starts_[line]; }
  // Without what ends the line.
  [[nodiscard]] std::uint32_t end(std::size_t line, std::string_view text) const;
  [[nodiscard]] std::uint32_t line_of(std::size_t offset) const;
  [[nodiscard]] LinePlace place(std::size_t offset, std::string_view text, Encoding encoding) const;
  [[nodiscard]] std::uint32_t offset(LinePlace place, std::string_view text, Encoding encoding) const;

 private:
  std::vector<std::uint32_t> starts_;
};

// How long a text is in the units of an encoding.
std::uint32_t units(std::string_view text, Encoding encoding);
// The same text with U+FFFD for every byte that belongs to no character.
std::string valid_utf8(std::string_view text);

}  // namespace rgtrans::ide
