// Any bytes are what lies in the cache under the name of a compiled game: a seal, a program and a library, or less. The
// library is loaded only if both files are byte by byte what was sealed.
#include <algorithm>
#include <array>

#include "backends/cpp/seal.hpp"
#include "core/support/digest.hpp"
#include "core/support/files.hpp"
#include "tests/fuzz/folder.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rgtrans::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCacheFiles = 2;
const std::array<std::string, kCacheFiles> kCacheNames = {"reasoner", "reasoner.so"};
constexpr std::string_view kWritten = "written";  // in the place of a seal: the one of the files

// The seal of these texts, written without the code that is tested.
std::string expected_seal(const std::array<std::string_view, kCacheFiles>& texts) {
  std::string seal = "rgtrans compiled game 1\n";
  for (std::size_t i = 0; i < kCacheFiles; ++i) seal += Digest().add(texts[i]).hex() + " " + kCacheNames[i] + "\n";
  return seal;
}

void put(const fs::path& path, std::string_view text) {
  if (text == "missing") return;
  if (text == "folder") {
    fs::create_directory(path);
  } else if (text == "link") {
    fs::create_symlink("reasoner", path);
  } else {
    write_file(path, text);
  }
}

void cache_target(std::string_view bytes) {
  static const Folder folder;
  const fs::path own = folder.path() / "game";
  fs::remove_all(own);
  fs::create_directory(own);
  // The seal, the program, the library, and the program and the library as they become later; empty lines part them.
  std::array<std::string_view, 1 + 2 * kCacheFiles> fields;
  for (std::string_view& field : fields) {
    const std::size_t end = std::min(bytes.find("\n\n"), bytes.size());
    field = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 2, bytes.size()));
  }
  const auto [seal, program, library, later_program, later_library] = fields;
  const std::array<std::string_view, kCacheFiles> before = {program, library}, after = {later_program, later_library};
  const auto plain = [](std::string_view text) { return text != "missing" && text != "folder" && text != "link"; };
  const bool whole = std::ranges::all_of(before, plain);
  for (std::size_t i = 0; i < kCacheFiles; ++i) put(own / kCacheNames[i], before[i]);
  require(!cpp::is_sealed(own, kCacheNames), "files without a seal are taken", "");
  const std::string fitting = cpp::seal_text(own, kCacheNames);
  require(fitting == (whole ? expected_seal(before) : std::string()), "the seal is another one", fitting);
  put(own / cpp::kSealName, seal == kWritten ? std::string_view(fitting) : seal);
  const bool sealed = cpp::is_sealed(own, kCacheNames);
  require(sealed == (whole && (seal == kWritten || seal == fitting)), "a seal is taken that does not fit, or refused",
          std::string(seal));
  for (std::size_t i = 0; i < kCacheFiles; ++i) {
    fs::remove_all(own / kCacheNames[i]);
    put(own / kCacheNames[i], after[i]);
  }
  require(cpp::is_sealed(own, kCacheNames) == (std::ranges::all_of(after, plain) && plain(seal) &&
                                               (seal == kWritten ? fitting : seal) == expected_seal(after)),
          "files are taken that were not sealed, or sealed ones refused", std::string(seal));
}

std::string random_entry(test::Choices& c) {
  const auto file = [&] {
    return c.one_of({"a", "b", "", "program", std::string(c.below(3000), 'x'), "missing", "folder", "link", "\n"});
  };
  const std::string program = file(), library = file();
  std::string seal = c.chance(2) ? std::string(kWritten) : expected_seal({program, library});
  if (c.chance(4)) seal.resize(c.below(seal.size() + 1));
  if (c.chance(6)) seal = file();
  std::string text = seal + "\n\n" + program + "\n\n" + library;
  text += "\n\n" + (c.chance(2) ? program : file()) + "\n\n" + (c.chance(2) ? library : file());
  return text;
}

const Registration kCacheRegistration("cache", cache_target, {random_entry});

}  // namespace
}  // namespace rgtrans::fuzz
