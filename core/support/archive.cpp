#include "core/support/archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <clocale>
#include <new>

#include "core/support/diagnostics.hpp"

namespace rgtrans {

namespace {

// The functions of libarchive that are called, by their names without archive_.
struct ArchiveLibrary {
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

const ArchiveLibrary& archive_library() {
  static const ArchiveLibrary all;
  return all;
}

}  // namespace

// The handle of libarchive under a name of this class.
struct ArchiveReader::Handle {
  archive* raw() { return reinterpret_cast<archive*>(this); }
  // The library has no message for some kinds of damage.
  std::string reason() {
    const char* const text = archive_library().error_string(raw());
    return text == nullptr ? "its content makes no sense" : text;
  }
};

ArchiveReader::ArchiveReader(const std::filesystem::path& path)
    : handle_(reinterpret_cast<Handle*>(archive_library().read_new())) {
  if (handle_ == nullptr) throw std::bad_alloc();
  std::setlocale(LC_CTYPE, "C.UTF-8");  // names of entries are converted to it
  const ArchiveLibrary& library = archive_library();
  archive* const a = handle_->raw();
  library.read_support_format_zip(a);
  library.read_support_format_tar(a);
  library.read_support_format_7zip(a);
  library.read_support_format_empty(a);
  // Those that libarchive does itself; for others it would start programs.
  library.read_support_filter_gzip(a);
  library.read_support_filter_bzip2(a);
  library.read_support_filter_xz(a);
  library.read_support_filter_lzma(a);
  library.read_support_filter_zstd(a);
  library.read_support_filter_lz4(a);
  library.read_support_filter_compress(a);
  if (library.read_open_filename(a, path.c_str(), 1 << 16) != ARCHIVE_OK) {
    const std::string reason = handle_->reason();
    library.read_free(a);
    throw Error(fmt::format("cannot be unpacked: {}", reason));
  }
}

ArchiveReader::~ArchiveReader() { archive_library().read_free(handle_->raw()); }

std::optional<ArchiveReader::Entry> ArchiveReader::next() {
  const ArchiveLibrary& library = archive_library();
  while (true) {
    archive_entry* entry = nullptr;
    const int result = library.read_next_header(handle_->raw(), &entry);
    if (result == ARCHIVE_EOF) return std::nullopt;
    if (result < ARCHIVE_WARN) throw Error(fmt::format("is damaged: {}", handle_->reason()));
    const char* const name = library.entry_pathname(entry);
    if (name == nullptr) continue;
    const bool link = library.entry_filetype(entry) == AE_IFLNK || library.entry_hardlink(entry) != nullptr;
    const bool file = library.entry_filetype(entry) == AE_IFREG;
    return Entry{name, link ? Kind::link : file ? Kind::file : Kind::other};
  }
}

void ArchiveReader::read(const std::function<bool(std::int64_t, std::string_view)>& take) {
  for (;;) {
    const void* block = nullptr;
    std::size_t length = 0;
    la_int64_t offset = 0;
    const int result = archive_library().read_data_block(handle_->raw(), &block, &length, &offset);
    if (result == ARCHIVE_EOF) return;
    if (result < ARCHIVE_WARN) throw Error(fmt::format("cannot be unpacked: {}", handle_->reason()));
    if (!take(offset, std::string_view(static_cast<const char*>(block), length))) return;
  }
}

}  // namespace rgtrans
