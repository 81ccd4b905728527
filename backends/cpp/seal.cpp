#include "backends/cpp/seal.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <optional>

#include "core/support/digest.hpp"

namespace rgtrans::cpp {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSealBlock = 1U << 16U;  // bytes that are read at a time

std::optional<std::string> digest_of_file(const fs::path& path) {
  std::error_code problem;
  if (fs::symlink_status(path, problem).type() != fs::file_type::regular) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  Digest digest;
  std::array<char, kSealBlock> block;
  while (in.read(block.data(), block.size()) || in.gcount() > 0) {
    digest.add({block.data(), static_cast<std::size_t>(in.gcount())});
  }
  if (in.bad()) return std::nullopt;
  return digest.hex();
}

}  // namespace

std::string seal_text(const fs::path& folder, std::span<const std::string> names) {
  std::string text = "rgtrans compiled game 1\n";
  for (const std::string& name : names) {
    const auto digest = digest_of_file(folder / name);
    if (!digest) return {};
    text += fmt::format("{} {}\n", *digest, name);
  }
  return text;
}

bool is_sealed(const fs::path& folder, std::span<const std::string> names) {
  // A seal may be of any size in a damaged folder, so no more of it is read than the right one has.
  constexpr std::size_t kMostSeal = 4096;
  const fs::path path = folder / kSealName;
  std::error_code problem;
  if (fs::symlink_status(path, problem).type() != fs::file_type::regular) return false;
  const std::uintmax_t size = fs::file_size(path, problem);
  if (problem || size == 0 || size > kMostSeal) return false;
  std::ifstream in(path, std::ios::binary);
  std::string found(static_cast<std::size_t>(size), '\0');
  if (!in.read(found.data(), static_cast<std::streamsize>(found.size()))) return false;
  return found == seal_text(folder, names);
}

}  // namespace rgtrans::cpp
