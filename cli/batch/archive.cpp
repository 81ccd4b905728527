// Archives, by libarchive. Only regular files that are wanted are unpacked, under numbers instead of their names, so
// that no name inside an archive ever reaches the file system.
#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <clocale>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/batch/inputs.hpp"
#include "cli/batch/record.hpp"

namespace rgtrans::batch {

namespace {

constexpr std::int64_t kMaxGame = 256LL << 20;    // bytes of one file inside an archive
constexpr std::int64_t kMaxArchive = 16LL << 30;  // bytes of all of them
constexpr std::size_t kMaxEntries = 4'000'000;

struct Close {
  void operator()(archive* a) const { archive_read_free(a); }
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using Archive = std::unique_ptr<archive, Close>;

Archive open(const std::filesystem::path& path) {
  Archive a(archive_read_new());
  if (a == nullptr) throw std::bad_alloc();
  archive_read_support_format_zip(a.get());
  archive_read_support_format_tar(a.get());
  archive_read_support_format_7zip(a.get());
  archive_read_support_format_empty(a.get());
  // Those that libarchive does itself; for others it would start programs.
  archive_read_support_filter_gzip(a.get());
  archive_read_support_filter_bzip2(a.get());
  archive_read_support_filter_xz(a.get());
  archive_read_support_filter_lzma(a.get());
  archive_read_support_filter_zstd(a.get());
  archive_read_support_filter_lz4(a.get());
  archive_read_support_filter_compress(a.get());
  if (archive_read_open_filename(a.get(), path.c_str(), 1 << 16) != ARCHIVE_OK)
    throw Error(fmt::format("cannot be unpacked: {}", archive_error_string(a.get())));
  return a;
}

// The content of the present entry goes to a file. Returns what is wrong with it, or "".
std::string save(archive* a, const std::filesystem::path& path, std::int64_t& total) {
  std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "wb"));
  if (file == nullptr) throw Error("cannot write an unpacked file");
  std::int64_t size = 0;
  for (;;) {
    const void* block = nullptr;
    std::size_t length = 0;
    la_int64_t offset = 0;
    const int result = archive_read_data_block(a, &block, &length, &offset);
    if (result == ARCHIVE_EOF) return "";
    if (result < ARCHIVE_WARN) return fmt::format("cannot be unpacked: {}", archive_error_string(a));
    size = offset + static_cast<std::int64_t>(length);
    total += static_cast<std::int64_t>(length);
    if (size > kMaxGame || total > kMaxArchive) return "is too large";
    if (std::fseek(file.get(), static_cast<long>(offset), SEEK_SET) != 0 ||
        std::fwrite(block, 1, length, file.get()) != length)
      throw Error("cannot write an unpacked file: no space is left");
  }
}

}  // namespace

void unpack(const std::filesystem::path& path, const Options& options, const std::filesystem::path& spool) {
  std::setlocale(LC_CTYPE, "C.UTF-8");  // names of entries are converted to it
  nlohmann::json list = nlohmann::json::array();
  const auto write_list = [&] { write_file(spool / "list.json", line_of(list)); };
  Archive a = open(path);
  std::int64_t total = 0;
  for (std::size_t entries = 0;; ++entries) {
    archive_entry* entry = nullptr;
    const int result = archive_read_next_header(a.get(), &entry);
    if (result == ARCHIVE_EOF) break;
    if (result < ARCHIVE_WARN || entries == kMaxEntries) {
      write_list();
      throw Error(result < ARCHIVE_WARN ? fmt::format("is damaged: {}", archive_error_string(a.get()))
                                        : std::string("has too many entries"));
    }
    const char* name = archive_entry_pathname(entry);
    if (name == nullptr) continue;
    bool climbs = false;
    const std::string relative = safe_relative(name, &climbs);
    if (relative.empty() || !wanted(options, relative)) continue;
    const bool link = archive_entry_filetype(entry) == AE_IFLNK || archive_entry_hardlink(entry) != nullptr;
    if (!link && archive_entry_filetype(entry) != AE_IFREG) continue;
    const std::string file = fmt::format("{}{}", list.size(), std::filesystem::path(relative).extension().string());
    std::string problem;
    if (climbs) {
      problem = "its path leads out of the archive";
    } else if (link) {
      problem = "is a link; links inside archives are not followed";
    } else {
      problem = save(a.get(), spool / file, total);
    }
    list.push_back({{"path", relative}, {"shown", climbs ? name : relative}, {"file", file}, {"problem", problem}});
  }
  write_list();
}

}  // namespace rgtrans::batch
