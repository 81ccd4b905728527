#include "cli/batch/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <sstream>

#include "core/support/json_text.hpp"
#include "core/support/pieces.hpp"
#include "core/support/support.hpp"

namespace rgtrans::batch {

namespace fs = std::filesystem;

Journal::Journal(const Options& options) {
  const fs::path top = options.output / kFolder;
  folder_ = options.shards == 1 ? top : top / fmt::format("shard-{}-of-{}", options.shard, options.shards);
  staging_ = folder_ / "staging";
  spool_ = folder_ / "spool";
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw Error(fmt::format("cannot create {}: {}", folder_.string(), error.message()));
  lock(top / "lock", options.shards > 1);
  if (options.shards > 1) lock(folder_ / "lock", false);
  fs::remove_all(staging_, error);
  fs::remove_all(spool_, error);
  fs::create_directories(staging_);
  fs::create_directories(spool_);
  read(folder_ / "records.jsonl", own_);
  read(folder_ / "journal.jsonl", own_);
  read_other_shards(top);
  // A line that was cut off by a kill must not swallow the next one.
  const fs::path journal = folder_ / "journal.jsonl";
  file_ = ::open(journal.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) throw Error(fmt::format("cannot write {}: {}", journal.string(), std::strerror(errno)));
  if (fs::file_size(journal, error) > 0 && ::write(file_, "\n", 1) != 1)
    throw Error("cannot write " + journal.string());
}

Journal::~Journal() {
  std::error_code ignored;
  fs::remove_all(staging_, ignored);
  fs::remove_all(spool_, ignored);
  if (file_ >= 0) ::close(file_);
  for (const int lock : locks_) ::close(lock);
}

// POSIX record locks: they end with the process, are not inherited by workers, and work over NFS.
void Journal::lock(const fs::path& file, bool shared) {
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) throw Error(fmt::format("cannot open {}: {}", file.string(), std::strerror(errno)));
  locks_.push_back(fd);
  struct flock request {};
  request.l_type = shared ? F_RDLCK : F_WRLCK;
  request.l_whence = SEEK_SET;
  if (::fcntl(fd, F_SETLK, &request) == 0) return;
  request.l_type = F_WRLCK;
  ::fcntl(fd, F_GETLK, &request);
  throw Error(fmt::format("another batch run (process {}) is writing to this folder", request.l_pid),
              "wait until it ends, or name another folder with -o");
}

void Journal::read(const fs::path& file, std::unordered_map<std::string, Record>& records) {
  std::error_code error;
  if (!fs::exists(file, error)) return;
  std::istringstream lines(read_file(file));
  for (std::string line; std::getline(lines, line);) {
    const auto object = parse_json<nlohmann::json>(line);
    if (!object.is_object()) continue;  // cut off
    try {
      Record record = record_from(object);
      records[record.output] = std::move(record);
    } catch (const nlohmann::json::exception&) {
      continue;
    }
  }
}

void Journal::read_other_shards(const fs::path& top) {
  if (folder_ != top) read(top / "records.jsonl", others_);
  for (const auto& entry : fs::directory_iterator(top)) {
    if (!entry.path().filename().string().starts_with("shard-") || entry.path() == folder_) continue;
    read(entry.path() / "records.jsonl", others_);
    read(entry.path() / "journal.jsonl", others_);
  }
}

const Record* Journal::find(const std::string& output, const std::string& key) const {
  const Record* best = nullptr;
  for (const auto* records : {&own_, &others_}) {
    const auto it = records->find(output);
    if (it == records->end()) continue;
    if (it->second.key == key) return &it->second;
    if (best == nullptr) best = &it->second;
  }
  return best;
}

void Journal::append(const Record& record) {
  const std::string line = line_of(to_json(record, true));
  errno = 0;
  if (::write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    // A part of it is written where the disk becomes full.
    if (errno == 0 || errno == ENOSPC || errno == EDQUOT)
      throw NoSpace(fmt::format("cannot write {}: the disk is full", (folder_ / "journal.jsonl").string()),
                    "make room on it; the same command with --resume goes on");
    throw Error(fmt::format("cannot write {}: {}", (folder_ / "journal.jsonl").string(), std::strerror(errno)));
  }
  own_[record.output] = record;
}

void Journal::finish() {
  const std::map<std::string, Record> sorted(own_.begin(), own_.end());
  std::string text;
  for (const auto& [output, record] : sorted) text += line_of(to_json(record, true));
  write_file(folder_ / "records.jsonl", text);
  std::error_code ignored;
  fs::remove(folder_ / "journal.jsonl", ignored);
}

}  // namespace rgtrans::batch
