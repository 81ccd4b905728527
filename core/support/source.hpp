// Source texts and places in them. All texts of one run share one 32-bit offset space, so that a Range takes eight
// bytes. Offset 0 means "no place".
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rgtrans {

// A half-open interval [begin, end) of the offset space of a Sources.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  [[nodiscard]] bool known() const { return begin != 0; }
  bool operator==(const Range&) const = default;
};

// The smallest range that covers `a` and `b`; an unknown one is ignored.
inline Range join(Range a, Range b) {
  if (!a.known()) return b;
  if (!b.known()) return a;
  return {a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

struct LineColumn {
  std::uint32_t line = 0;    // from 1
  std::uint32_t column = 0;  // from 1, in code points
};

class Sources {
 public:
  struct File {
    std::string name;
    std::string text;
    std::uint32_t base = 0;  // the offset of text[0]

    // The range of text[begin, end).
    [[nodiscard]] Range range(std::size_t begin, std::size_t end) const {
      return {base + static_cast<std::uint32_t>(begin), base + static_cast<std::uint32_t>(end)};
    }

   private:
    friend class Sources;
    mutable std::vector<std::uint32_t> line_starts_;
  };

  // The reference is valid while this object lives. Throws Error if the texts exceed the offset space (4 GiB) in total.
  const File& add(std::string name, std::string text);

  [[nodiscard]] const File* file_of(std::uint32_t offset) const;
  [[nodiscard]] LineColumn position(std::uint32_t offset) const;
  // The line that contains `offset`, without its line end.
  [[nodiscard]] std::string_view line_of(std::uint32_t offset) const;
  [[nodiscard]] std::string_view text(Range range) const;
  // "file:line:column", or "" if the place is unknown.
  [[nodiscard]] std::string describe(Range range) const;

 private:
  static const std::vector<std::uint32_t>& line_starts(const File& file);
  // The index of the line that contains text[at].
  static std::size_t line_index(const File& file, std::uint32_t at);

  std::vector<std::unique_ptr<File>> files_;
};

}  // namespace rgtrans
