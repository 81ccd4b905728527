#include "core/support/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>

#include "core/support/diagnostics.hpp"
#include "core/support/letters.hpp"

namespace rgtrans {

const Sources::File& Sources::add(std::string name, std::string text) {
  std::uint64_t base = 1;
  if (!files_.empty()) base = files_.back()->base + files_.back()->text.size() + 1;
  if (base + text.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw Error(fmt::format("{}: the source texts together are larger than 4 GiB", name));
  }
  auto file = std::make_unique<File>();
  file->name = std::move(name);
  file->text = std::move(text);
  file->base = static_cast<std::uint32_t>(base);
  files_.push_back(std::move(file));
  return *files_.back();
}

const Sources::File* Sources::file_of(std::uint32_t offset) const {
  auto it = std::upper_bound(files_.begin(), files_.end(), offset,
                             [](std::uint32_t o, const auto& file) { return o < file->base; });
  if (it == files_.begin() || offset == 0) return nullptr;
  return std::prev(it)->get();
}

const std::vector<std::uint32_t>& Sources::line_starts(const File& file) {
  // Line starts are computed on first use. Several threads may share one game.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (file.line_starts_.empty()) {
    file.line_starts_.push_back(0);
    const std::string& text = file.text;
    for (std::size_t i = 0; i < text.size(); ++i) {
      // CR LF ends one line, and so does a lone CR.
      if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'))) {
        file.line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
      }
    }
  }
  return file.line_starts_;
}

std::size_t Sources::line_index(const File& file, std::uint32_t at) {
  const auto& starts = line_starts(file);
  return static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), at) - starts.begin()) - 1;
}

LineColumn Sources::position(std::uint32_t offset) const {
  const File* file = file_of(offset);
  if (file == nullptr) return {};
  const std::uint32_t at = offset - file->base;
  const std::size_t line = line_index(*file, at);
  const std::uint32_t start = line_starts(*file)[line];
  std::uint32_t column = 1;
  for (std::uint32_t i = start; i < at && i < file->text.size(); ++i) {
    if (begins_character(file->text[i])) ++column;
  }
  return {static_cast<std::uint32_t>(line + 1), column};
}

std::string_view Sources::line_of(std::uint32_t offset) const {
  const File* file = file_of(offset);
  if (file == nullptr) return {};
  const auto& starts = line_starts(*file);
  const std::size_t line = line_index(*file, offset - file->base);
  const std::size_t end = line + 1 < starts.size() ? starts[line + 1] : file->text.size();
  std::string_view text = std::string_view(file->text).substr(starts[line], end - starts[line]);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::string_view Sources::text(Range range) const {
  const File* file = file_of(range.begin);
  if (file == nullptr) return {};
  return std::string_view(file->text).substr(range.begin - file->base, range.end - range.begin);
}

std::string Sources::describe(Range range) const {
  const File* file = file_of(range.begin);
  if (file == nullptr) return {};
  const LineColumn p = position(range.begin);
  return fmt::format("{}:{}:{}", file->name, p.line, p.column);
}

}  // namespace rgtrans
