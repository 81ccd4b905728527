// A browser has no files, archives or other programs. A caller that asks for one gets an error that names it.
#include <fmt/format.h>

#include "backends/search/search.hpp"
#include "core/support/archive.hpp"
#include "core/support/pieces.hpp"
#include "core/support/support.hpp"

namespace rgtrans {

namespace {

[[noreturn]] void refuse_file(const char* verb, const std::filesystem::path& path) {
  throw Error(fmt::format("cannot {} {}: there are no files in a browser", verb, path.string()));
}

}  // namespace

std::string read_file(const std::filesystem::path& path) { refuse_file("read", path); }
std::string read_description(const std::filesystem::path& path) { refuse_file("read", path); }
std::string read_regular_file(const std::filesystem::path& path) { refuse_file("read", path); }
void write_file(const std::filesystem::path& path, std::string_view /*text*/) { refuse_file("write", path); }
void check_text_size(std::string_view /*name*/, std::uint64_t /*size*/) {}  // of entries of archives

ArchiveReader::ArchiveReader(const std::filesystem::path& path) : handle_(nullptr) { refuse_file("read", path); }
ArchiveReader::~ArchiveReader() = default;
std::optional<ArchiveReader::Entry> ArchiveReader::next() { return std::nullopt; }
void ArchiveReader::read(const std::function<bool(std::int64_t, std::string_view)>& /*take*/) {}

namespace search {

std::unique_ptr<SeatPlayer> make_command_player(const std::string& command);  // instead of that in command.cpp
std::unique_ptr<SeatPlayer> make_command_player(const std::string& command) {
  throw Error(fmt::format("cannot start {}: there are no other programs in a browser", command));
}

}  // namespace search

}  // namespace rgtrans
