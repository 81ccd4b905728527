#include "backends/cpp/kept.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <system_error>

#include "core/support/digest.hpp"
#include "core/support/support.hpp"
#include "core/support/text.hpp"

namespace rgtrans::cpp {

namespace {

namespace fs = std::filesystem;

constexpr mode_t kOthers = S_IWGRP | S_IWOTH;

bool ours(const struct stat& info) { return info.st_uid == ::geteuid() && (info.st_mode & kOthers) == 0; }

bool is_private_folder(const fs::path& folder) {
  struct stat info {};
  return ::lstat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && ours(info);
}

// Nothing where the file is no regular one of ours, or cannot be read.
std::optional<std::string> digest_of(const fs::path& file) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return std::nullopt;
  struct stat info {};
  bool good = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && ours(info);
  Digest digest;
  std::array<char, 1U << 16U> piece{};
  while (good) {
    const ssize_t n = ::read(fd, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) break;
    good = n > 0;
    if (good) digest.add({piece.data(), static_cast<std::size_t>(n)});
  }
  ::close(fd);
  return good ? std::optional(digest.hex()) : std::nullopt;
}

void write_through(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 || ::fsync(fd) != 0) {
    const int error = errno;
    if (fd >= 0) ::close(fd);
    if (error == EINVAL || error == EROFS) return;  // a file system that cannot
    throw Error(fmt::format("cannot write {}: {}", path.string(), std::strerror(error)));
  }
  ::close(fd);
}

std::vector<std::string> files_of(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::error_code unknown;
    if (fs::is_regular_file(entry.symlink_status(unknown))) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace

std::string processor_of(std::string_view cpuinfo) {
  constexpr std::string_view kKeys[] = {"vendor_id", "cpu family", "model",    "model name", "flags", "CPU implementer",
                                        "CPU part",  "Features",   "platform", "cpu",        "isa",   "uarch"};
  std::string text;
  for (const std::string& line : split_lines(std::string(cpuinfo))) {
    if (line.empty() && !text.empty()) break;  // the others are of the same kind
    std::string key = line.substr(0, line.find(':'));
    while (!key.empty() && (key.back() == ' ' || key.back() == '\t')) key.pop_back();
    if (std::ranges::find(kKeys, key) != std::end(kKeys)) text += line + "\n";
  }
  return text;
}

void make_private(const fs::path& folder, bool links) {
  std::error_code problem;
  if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), problem);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    throw Error(fmt::format("cannot make the folder {}: {}", folder.string(), std::strerror(errno)),
                "set XDG_CACHE_HOME to a folder that can be written");
  }
  struct stat info {};
  bool known = ::lstat(folder.c_str(), &info) == 0 && info.st_uid == ::geteuid();
  if (known && links && S_ISLNK(info.st_mode)) known = ::stat(folder.c_str(), &info) == 0 && info.st_uid == ::geteuid();
  if (known && S_ISDIR(info.st_mode) && (info.st_mode & S_IWOTH) == 0) {
    if (ours(info)) return;
    // A mask that lets a group write is common. A file that the group put there does not belong to this user.
    if (::chmod(folder.c_str(), info.st_mode & ~kOthers & 07777U) == 0) return;
  }
  throw Error(fmt::format("{} is not a folder of yours alone", folder.string()),
              "set HOME or XDG_CACHE_HOME, where compiled games are kept");
}

void seal(const fs::path& folder) {
  std::string list;
  for (const std::string& name : files_of(folder)) {
    fs::permissions(folder / name, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove);
    const auto digest = digest_of(folder / name);
    if (!digest) throw Error(fmt::format("cannot read {}", (folder / name).string()));
    list += *digest + " " + name + "\n";
    write_through(folder / name);
  }
  write_file(folder / kSealName, list);
  fs::permissions(folder / kSealName, fs::perms::owner_read | fs::perms::owner_write);
  fs::permissions(folder, fs::perms::owner_all);
  write_through(folder / kSealName);
  write_through(folder);
}

bool intact(const fs::path& folder, const std::vector<std::string>& names) {
  if (!is_private_folder(folder) || !digest_of(folder / kSealName)) return false;
  std::map<std::string, std::string> digests;
  try {
    for (const std::string& line : split_lines(read_file(folder / kSealName))) {
      const std::size_t blank = line.find(' ');
      if (blank != std::string::npos) digests[line.substr(blank + 1)] = line.substr(0, blank);
    }
  } catch (const Error&) {
    return false;
  }
  if (!std::ranges::all_of(names, [&](const std::string& name) { return digests.contains(name); })) return false;
  return std::ranges::all_of(digests, [&](const auto& entry) {
    return entry.first.find('/') == std::string::npos && digest_of(folder / entry.first) == entry.second;
  });
}

bool put_in_place(const fs::path& made, const fs::path& target, const std::vector<std::string>& names) {
  std::error_code problem;
  for (int attempt = 0; attempt < 10; ++attempt) {
    fs::rename(made, target, problem);
    if (!problem) {
      write_through(target.parent_path());
      return true;
    }
    if (intact(target, names)) return false;
    std::error_code ignored;
    fs::remove_all(target, ignored);
  }
  throw Error(fmt::format("cannot rename {}: {}", made.string(), problem.message()));
}

}  // namespace rgtrans::cpp
