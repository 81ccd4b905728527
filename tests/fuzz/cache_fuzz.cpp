// Any bytes are the files of a compiled game in the cache: a seal, a program and a library, each of which may be
// missing, and later versions of the program and the library. A library is loaded only if both files have the digests
// in the seal.
#include <algorithm>
#include <array>

#include "backends/cpp/kept.hpp"
#include "core/support/digest.hpp"
#include "core/support/files.hpp"
#include "tests/fuzz/folder.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rgtrans::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCacheFiles = 2;
const std::array<std::string, kCacheFiles> kCacheNames = {"reasoner", "reasoner.so"};
constexpr std::string_view kWritten = "written";  // in the place of a seal: the one that seal() writes

// The line of a file in a seal, written without the code under test.
std::string seal_line(std::size_t file, std::string_view text) {
  return Digest().add(text).hex() + " " + kCacheNames[file] + "\n";
}

bool plain(std::string_view text) { return text != "missing" && text != "folder" && text != "link"; }

void put(const fs::path& path, std::string_view text) {
  fs::remove_all(path);
  if (text == "missing") return;
  if (text == "folder") {
    fs::create_directory(path);
  } else if (text == "link") {
    fs::create_symlink("reasoner", path);
  } else {
    write_file(path, text);
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  }
}

void cache_target(std::string_view bytes) {
  static const Folder folder;
  const fs::path own = folder.path() / "game";
  fs::remove_all(own);
  cpp::make_private(own);
  // The fields end at empty lines.
  std::array<std::string_view, 1 + 2 * kCacheFiles> fields;
  for (std::string_view& field : fields) {
    const std::size_t end = std::min(bytes.find("\n\n"), bytes.size());
    field = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 2, bytes.size()));
  }
  const auto [seal, program, library, later_program, later_library] = fields;
  const std::array<std::string_view, kCacheFiles> before = {program, library}, after = {later_program, later_library};
  const std::vector<std::string> names(kCacheNames.begin(), kCacheNames.end());
  for (std::size_t i = 0; i < kCacheFiles; ++i) put(own / kCacheNames[i], before[i]);
  require(!cpp::intact(own, names), "files without a seal are used", "");
  std::string written = std::string(seal);
  if (seal == kWritten) {
    cpp::seal(own);
    written = read_file(own / cpp::kSealName);
    const bool whole = std::ranges::all_of(before, plain);
    require(!whole || written == seal_line(0, program) + seal_line(1, library), "the seal is another one", written);
    require(cpp::intact(own, names) == whole, "a fresh seal is refused, or one that lacks a file is used", written);
  } else {
    put(own / cpp::kSealName, seal);
  }
  for (std::size_t i = 0; i < kCacheFiles; ++i) put(own / kCacheNames[i], after[i]);
  bool fits = plain(written) && std::ranges::all_of(after, plain);
  for (std::size_t i = 0; fits && i < kCacheFiles; ++i)
    fits = (written + "\n").find(seal_line(i, after[i])) != std::string::npos;
  require(fits || !cpp::intact(own, names), "files are used that were not sealed", written);
  require(seal != kWritten || after != before || cpp::intact(own, names) == fits, "unchanged files are refused",
          written);
}

std::string random_entry(test::Choices& c) {
  const auto file = [&] {
    return c.one_of({"a", "b", "", "program", std::string(c.below(3000), 'x'), "missing", "folder", "link", "\n"});
  };
  const std::string program = file(), library = file();
  std::string seal = c.chance(2) ? std::string(kWritten) : seal_line(0, program) + seal_line(1, library);
  if (c.chance(4)) seal.resize(c.below(seal.size() + 1));
  if (c.chance(6)) seal = file();
  std::string text = seal + "\n\n" + program + "\n\n" + library;
  text += "\n\n" + (c.chance(2) ? program : file()) + "\n\n" + (c.chance(2) ? library : file());
  return text;
}

const Registration kCacheRegistration("cache", cache_target, {random_entry});

}  // namespace
}  // namespace rgtrans::fuzz
