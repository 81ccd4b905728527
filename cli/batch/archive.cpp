// Archives. Only regular files that are wanted are unpacked, under numbers instead of their names, so that no name
// inside an archive ever reaches the file system.
#include "core/support/archive.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/batch/inputs.hpp"
#include "cli/batch/record.hpp"
#include "core/support/pieces.hpp"

namespace rgtrans::batch {

namespace {

constexpr std::int64_t kMaxGame = 256LL << 20;    // bytes of one file inside an archive
constexpr std::int64_t kMaxArchive = 16LL << 30;  // bytes of all of them
constexpr std::size_t kMaxEntries = 4'000'000;

struct Close {
  void operator()(std::FILE* f) const { std::fclose(f); }
};

// The content of the present entry goes to a file. Returns what is wrong with it, or "".
std::string save(ArchiveReader& reader, const std::filesystem::path& path, std::int64_t& total) {
  std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "wb"));
  if (file == nullptr) throw Error("cannot write an unpacked file");
  std::string problem;
  const auto take = [&](std::int64_t place, std::string_view piece) {
    total += static_cast<std::int64_t>(piece.size());
    if (place + static_cast<std::int64_t>(piece.size()) > kMaxGame || total > kMaxArchive) {
      problem = "is too large";
      return false;
    }
    if (std::fseek(file.get(), static_cast<long>(place), SEEK_SET) != 0 ||
        std::fwrite(piece.data(), 1, piece.size(), file.get()) != piece.size())
      throw NoSpace("cannot write an unpacked file: no space is left");
    return true;
  };
  try {
    reader.read(take);
  } catch (const NoSpace&) {
    throw;
  } catch (const Error& error) {
    return error.diagnostics().front().message;
  }
  return problem;
}

}  // namespace

void unpack(const std::filesystem::path& path, const Options& options, const std::filesystem::path& spool) {
  nlohmann::json list = nlohmann::json::array();
  const auto write_list = [&] { write_file(spool / "list.json", line_of(list)); };
  ArchiveReader reader(path);
  std::int64_t total = 0;
  for (std::size_t entries = 0;; ++entries) {
    std::optional<ArchiveReader::Entry> entry;
    try {
      entry = reader.next();
      if (entry && entries == kMaxEntries) throw Error("has too many entries");
    } catch (const Error&) {
      write_list();
      throw;
    }
    if (!entry) break;
    bool climbs = false;
    const std::string relative = safe_relative(entry->name, &climbs);
    const bool nested = is_archive(relative) && !excluded(options, relative);
    if (relative.empty() || (!nested && !wanted(options, relative))) continue;
    const bool link = entry->kind == ArchiveReader::Kind::link;
    if (entry->kind == ArchiveReader::Kind::other) continue;
    const std::string file = fmt::format("{}{}", list.size(), std::filesystem::path(relative).extension().string());
    std::string problem;
    if (climbs) {
      problem = "its path leads out of the archive";
    } else if (link) {
      problem = "is a link; links inside archives are not followed";
    } else if (nested) {
      problem = "is an archive inside of an archive; unpack the outer one to convert what is in it";
    } else {
      problem = save(reader, spool / file, total);
    }
    list.push_back(
        {{"path", relative}, {"shown", climbs ? entry->name : relative}, {"file", file}, {"problem", problem}});
  }
  write_list();
}

}  // namespace rgtrans::batch
