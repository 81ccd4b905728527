// Archives, by libarchive. Only regular files that are wanted are unpacked, under numbers instead of their names, so
// that no name inside an archive ever reaches the file system.
//
// The library is opened when the first archive is met: with all that it needs it would cost every run of the program as
// much time as a translation takes.
#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <clocale>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/batch/inputs.hpp"
#include "cli/batch/record.hpp"
#include "core/support/pieces.hpp"

namespace rgtrans::batch {

namespace {

constexpr std::int64_t kMaxGame = 256LL << 20;    // bytes of one file inside an archive
constexpr std::int64_t kMaxArchive = 16LL << 30;  // bytes of all of them
constexpr std::size_t kMaxEntries = 4'000'000;

// The functions of libarchive that are called, by their names without archive_.
struct Library {
  // NOLINTBEGIN(bugprone-macro-parentheses): the macro declares a name, which has no parentheses.
#define RGTRANS_ARCHIVE_FUNCTION(name) \
  decltype(&archive_##name) name = find<decltype(&archive_##name)>("archive_" #name)
  // NOLINTEND(bugprone-macro-parentheses)
  RGTRANS_ARCHIVE_FUNCTION(entry_filetype);
  RGTRANS_ARCHIVE_FUNCTION(entry_hardlink);
  RGTRANS_ARCHIVE_FUNCTION(entry_pathname);
  RGTRANS_ARCHIVE_FUNCTION(error_string);
  RGTRANS_ARCHIVE_FUNCTION(read_data_block);
  RGTRANS_ARCHIVE_FUNCTION(read_free);
  RGTRANS_ARCHIVE_FUNCTION(read_new);
  RGTRANS_ARCHIVE_FUNCTION(read_next_header);
  RGTRANS_ARCHIVE_FUNCTION(read_open_filename);
  RGTRANS_ARCHIVE_FUNCTION(read_support_filter_bzip2);
  RGTRANS_ARCHIVE_FUNCTION(read_support_filter_compress);
  RGTRANS_ARCHIVE_FUNCTION(read_support_filter_gzip);
  RGTRANS_ARCHIVE_FUNCTION(read_support_filter_lz4);
  RGTRANS_ARCHIVE_FUNCTION(read_support_filter_lzma);
  RGTRANS_ARCHIVE_FUNCTION(read_support_filter_xz);
  RGTRANS_ARCHIVE_FUNCTION(read_support_filter_zstd);
  RGTRANS_ARCHIVE_FUNCTION(read_support_format_7zip);
  RGTRANS_ARCHIVE_FUNCTION(read_support_format_empty);
  RGTRANS_ARCHIVE_FUNCTION(read_support_format_tar);
  RGTRANS_ARCHIVE_FUNCTION(read_support_format_zip);
#undef RGTRANS_ARCHIVE_FUNCTION

 private:
  template <class Function>
  static Function find(const char* name) {
    static void* const handle = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
    void* const symbol = handle == nullptr ? nullptr : dlsym(handle, name);
    if (symbol == nullptr)
      throw Error("cannot be unpacked: libarchive is not installed", "on Debian: apt install libarchive13");
    return reinterpret_cast<Function>(symbol);
  }
};

const Library& library() {
  static const Library all;
  return all;
}

// The library has no message for some kinds of damage.
std::string reason(archive* a) {
  const char* const text = library().error_string(a);
  return text == nullptr ? "its content makes no sense" : text;
}

struct Close {
  void operator()(archive* a) const { library().read_free(a); }
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using Archive = std::unique_ptr<archive, Close>;

Archive open(const std::filesystem::path& path) {
  Archive a(library().read_new());
  if (a == nullptr) throw std::bad_alloc();
  library().read_support_format_zip(a.get());
  library().read_support_format_tar(a.get());
  library().read_support_format_7zip(a.get());
  library().read_support_format_empty(a.get());
  // Those that libarchive does itself; for others it would start programs.
  library().read_support_filter_gzip(a.get());
  library().read_support_filter_bzip2(a.get());
  library().read_support_filter_xz(a.get());
  library().read_support_filter_lzma(a.get());
  library().read_support_filter_zstd(a.get());
  library().read_support_filter_lz4(a.get());
  library().read_support_filter_compress(a.get());
  if (library().read_open_filename(a.get(), path.c_str(), 1 << 16) != ARCHIVE_OK)
    throw Error(fmt::format("cannot be unpacked: {}", reason(a.get())));
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
    const int result = library().read_data_block(a, &block, &length, &offset);
    if (result == ARCHIVE_EOF) return "";
    if (result < ARCHIVE_WARN) return fmt::format("cannot be unpacked: {}", reason(a));
    size = offset + static_cast<std::int64_t>(length);
    total += static_cast<std::int64_t>(length);
    if (size > kMaxGame || total > kMaxArchive) return "is too large";
    if (std::fseek(file.get(), static_cast<long>(offset), SEEK_SET) != 0 ||
        std::fwrite(block, 1, length, file.get()) != length)
      throw NoSpace("cannot write an unpacked file: no space is left");
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
    const int result = library().read_next_header(a.get(), &entry);
    if (result == ARCHIVE_EOF) break;
    if (result < ARCHIVE_WARN || entries == kMaxEntries) {
      write_list();
      throw Error(result < ARCHIVE_WARN ? fmt::format("is damaged: {}", reason(a.get()))
                                        : std::string("has too many entries"));
    }
    const char* name = library().entry_pathname(entry);
    if (name == nullptr) continue;
    bool climbs = false;
    const std::string relative = safe_relative(name, &climbs);
    const bool nested = is_archive(relative) && !excluded(options, relative);
    if (relative.empty() || (!nested && !wanted(options, relative))) continue;
    const bool link = library().entry_filetype(entry) == AE_IFLNK || library().entry_hardlink(entry) != nullptr;
    if (!link && library().entry_filetype(entry) != AE_IFREG) continue;
    const std::string file = fmt::format("{}{}", list.size(), std::filesystem::path(relative).extension().string());
    std::string problem;
    if (climbs) {
      problem = "its path leads out of the archive";
    } else if (link) {
      problem = "is a link; links inside archives are not followed";
    } else if (nested) {
      problem = "is an archive inside of an archive; unpack the outer one to convert what is in it";
    } else {
      problem = save(a.get(), spool / file, total);
    }
    list.push_back({{"path", relative}, {"shown", climbs ? name : relative}, {"file", file}, {"problem", problem}});
  }
  write_list();
}

}  // namespace rgtrans::batch
