// Reads any bytes as an archive of games. Unpacked files are in the given folder, under numbers, and are listed by
// paths that stay inside of any folder.
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "cli/batch/inputs.hpp"
#include "tests/fuzz/folder.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rgtrans::fuzz {
namespace {

namespace fs = std::filesystem;

void check_path(const std::string& path) {
  require(!path.empty() && path[0] != '/', "a path of a listed game is not relative", path);
  for (const fs::path& part : fs::path(path)) require(part != ".." && part != ".", "a path climbs", path);
  for (const char c : path)
    require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f, "a path has a control character", path);
}

void target(std::string_view bytes) {
  static const Folder folder;
  const fs::path archive = folder.path() / "input.zip", spool = folder.path() / "spool";
  write_file(archive, bytes);
  fs::remove_all(spool);
  fs::create_directory(spool);
  try {
    batch::unpack(archive, {}, spool);
  } catch (const Error& error) {
    require(!std::string_view(error.what()).empty(), "a refusal without a message", "");
  }
  const fs::path list = spool / "list.json";
  if (!fs::exists(list)) return;
  const nlohmann::json entries = nlohmann::json::parse(read_file(list));
  for (const nlohmann::json& entry : entries) {
    check_path(entry.at("path"));
    const std::string file = entry.at("file");
    require(file.find('/') == std::string::npos && file[0] >= '0' && file[0] <= '9', "a file is not named by a number",
            file);
    require(entry.at("problem") != "" || fs::exists(spool / file), "a listed file is missing", file);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.path()))
    require(entry.path() == archive || entry.path() == spool, "something was unpacked elsewhere",
            entry.path().string());
}

// --- Archives of a few games, one of which may be a link, lie elsewhere or have a strange name. ---

std::string name(test::Choices& c) {
  return c.one_of({"a.rg", "b/c.kif", "b/../d.hrg", "../e.rbg", "/f.ldx", "b//g.rg", "h\n.rg", "i.zip", "\xc3\xa9.kif",
                   "\xff.rg", "b/", "j.linegame", "very/deep/in/folders/k.rg", "C:\\l.rg", ".m.rg", "notes.txt"});
}
std::string content(test::Choices& c) {
  return std::string(c.below(40), c.chance(2) ? 'x' : '\n') + "type Player = { p };\n";
}

std::uint32_t crc(std::string_view text) {
  std::uint32_t value = 0xffffffffU;
  for (const char c : text) {
    value ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) value = value >> 1U ^ ((value & 1U) != 0 ? 0xedb88320U : 0U);
  }
  return ~value;
}
std::string bytes_of(std::uint64_t value, int count) {
  std::string text;
  for (; count > 0; --count, value >>= 8U) text += static_cast<char>(value & 0xffU);
  return text;
}

std::string random_zip(test::Choices& c) {
  std::string files, directory;
  std::uint32_t count = 0;
  for (std::size_t i = c.below(5); i > 0; --i, ++count) {
    const std::string path = name(c), text = content(c);
    const std::string common = bytes_of(20, 2) + bytes_of(c.chance(3) ? 0x800 : 0, 2) +
                               bytes_of(c.chance(8) ? 8 : 0, 2) + bytes_of(0, 4) + bytes_of(crc(text), 4) +
                               bytes_of(text.size(), 4) + bytes_of(c.chance(8) ? 0xffffffffU : text.size(), 4) +
                               bytes_of(path.size(), 2) + bytes_of(0, 2);
    const std::uint32_t mode = c.chance(8) ? 0120777U : 0100644U;
    directory += "PK\1\2" + bytes_of(0x314, 2) + common + bytes_of(0, 6) + bytes_of(std::uint64_t{mode} << 16U, 4) +
                 bytes_of(files.size(), 4) + path;
    files += "PK\3\4" + common + path + text;
  }
  return files + directory + "PK\5\6" + bytes_of(0, 4) + bytes_of(count, 2) + bytes_of(count, 2) +
         bytes_of(directory.size(), 4) + bytes_of(files.size(), 4) + bytes_of(0, 2);
}

std::string random_tar(test::Choices& c) {
  std::string all;
  for (std::size_t i = c.below(5); i > 0; --i) {
    const std::string path = name(c), text = content(c);
    std::string head(512, '\0');
    const auto put = [&](std::size_t at, const std::string& field) { head.replace(at, field.size(), field); };
    std::array<char, 16> size{};
    std::snprintf(size.data(), size.size(), "%011zo", c.chance(8) ? text.size() + 600 : text.size());
    put(0, path);
    put(100, "0000644");
    put(124, size.data());
    put(148, "        ");
    head[156] = "0000125"[c.below(7)];
    if (head[156] != '0') put(157, name(c));
    put(257, std::string("ustar\00000", 8));
    unsigned sum = 0;
    for (const char x : head) sum += static_cast<unsigned char>(x);
    std::array<char, 8> digits{};
    std::snprintf(digits.data(), digits.size(), "%06o", sum & 0777777U);
    put(148, digits.data());
    all += head + text + std::string((512 - text.size() % 512) % 512, '\0');
  }
  return all + std::string(1024, '\0');
}

const Registration kRegistration("archive", target, {random_zip, random_tar});

}  // namespace
}  // namespace rgtrans::fuzz
