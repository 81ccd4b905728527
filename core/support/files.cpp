#include "core/support/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <utility>

#include "core/support/diagnostics.hpp"
#include "core/support/limits.hpp"
#include "core/support/pieces.hpp"
#include "core/support/text.hpp"

namespace rgtrans {

namespace {

// Closes a file descriptor at the end of the scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close_now(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  bool close_now() {
    const int fd = fd_;
    fd_ = -1;
    return fd < 3 || ::close(fd) == 0;
  }

 private:
  int fd_;
};

[[noreturn]] void fail(const char* verb, const std::filesystem::path& path, int error) {
  if (error == ENOSPC || error == EDQUOT)
    throw NoSpace(fmt::format("cannot {} {}: the disk is full", verb, path.string()), "make room on it");
  throw Error(fmt::format("cannot {} {}: {}", verb, path.string(), std::strerror(error)));
}

void write_all(int fd, std::string_view text, const std::filesystem::path& path) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("write", path, errno);
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace

namespace {

// Fails before it reads more than `limit`, if the file reports its size.
std::string read_to_end(int fd, const std::filesystem::path& path, const Limit& limit = limits::input_bytes) {
  struct stat info {};
  const bool known = ::fstat(fd, &info) == 0;
  if (known && S_ISDIR(info.st_mode)) fail("read", path, EISDIR);
  const auto refuse = [&] {
    throw Error(fmt::format("{} has more than {} bytes", path.string(), limit), limit.advice());
  };
  const bool regular = known && S_ISREG(info.st_mode);
  if (regular && static_cast<std::uint64_t>(info.st_size) > limit) refuse();
  std::string text;
  std::size_t size = 0;
  text.resize(regular ? static_cast<std::size_t>(info.st_size) + 1 : 1);
  for (;;) {
    if (size > limit) refuse();
    if (size == text.size()) text.resize(text.size() * 2 + 65536);
    const ssize_t n = ::read(fd, text.data() + size, text.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("read", path, errno);
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
  }
  text.resize(size);
  return text;
}

}  // namespace

namespace {

std::string read_named(const std::filesystem::path& path, const Limit& limit) {
  const bool standard_input = path == "-";
  Descriptor file(standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail("open", path, errno);
  return read_to_end(file.get(), path, limit);
}

const Limit& smaller(const Limit& a, const Limit& b) { return a.value() < b.value() ? a : b; }

}  // namespace

std::string read_file(const std::filesystem::path& path) { return read_named(path, limits::input_bytes); }

std::string read_description(const std::filesystem::path& path) {
  return read_named(path, smaller(limits::text_bytes, limits::input_bytes));
}

void check_text_size(std::string_view name, std::uint64_t size) {
  if (size <= limits::text_bytes) return;
  throw Error(fmt::format("{} has more than {} bytes", name, limits::text_bytes), limits::text_bytes.advice());
}

std::string read_regular_file(const std::filesystem::path& path) {
  // Opening a pipe does not wait for its writer.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) fail("open", path, errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode))
    throw Error(fmt::format("{} is no regular file", path.string()));
  return read_to_end(file.get(), path);
}

std::string file_key(const std::filesystem::path& path, int standard_stream) {
  struct stat info {};
  const bool standard = path == "-";
  const bool known = (standard ? ::fstat(standard_stream, &info) : ::stat(path.c_str(), &info)) == 0;
  if (known) return S_ISREG(info.st_mode) ? fmt::format("{}:{}", info.st_dev, info.st_ino) : "";
  std::error_code ignored;
  return standard ? "" : std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored).string();
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  FileWriter file(path);
  file.write(text);
  file.finish();
}

FileWriter::FileWriter(std::filesystem::path path, bool safe) : path_(std::move(path)) {
  if (path_ == "-") {
    path_ = "standard output";
    fd_ = STDOUT_FILENO;
    terminal_ = !safe && ::isatty(fd_) == 1;
    return;
  }
  std::error_code ignored;
  if (std::filesystem::exists(path_, ignored) && !std::filesystem::is_regular_file(path_, ignored)) {
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);  // a device or pipe cannot be replaced
    if (fd_ < 0) fail("open", path_, errno);
    return;
  }
  // Creates a file under a fresh random name. O_EXCL excludes existing files; the user's umask sets the mode.
  std::random_device random;
  for (int attempt = 0; fd_ < 0; ++attempt) {
    temporary_ = fmt::format("{}.{:08x}", path_.string(), random());
    fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd_ < 0 && (errno != EEXIST || attempt > 100)) fail("create", path_, errno);
  }
}

FileWriter::~FileWriter() {
  if (fd_ < 0) return;
  Descriptor closing(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void FileWriter::flush() {
  write_all(fd_, terminal_ ? terminal_text(waiting_) : waiting_, path_);
  waiting_.clear();
}

void FileWriter::write(std::string_view text) {
  constexpr std::size_t kMostWaiting = 1U << 16U;
  if (waiting_.size() + text.size() < kMostWaiting) {
    waiting_ += text;
    return;
  }
  if (terminal_) {  // no character may be parted
    const std::size_t end = text.rfind('\n') + 1;
    waiting_ += text.substr(0, end);
    flush();
    waiting_ = text.substr(end);
    return;
  }
  flush();
  write_all(fd_, text, path_);
}

void FileWriter::finish() {
  flush();
  Descriptor file(fd_);
  if (!file.close_now()) {
    const int error = errno;
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    fd_ = -1;
    fail("write", path_, error);
  }
  fd_ = -1;
  if (temporary_.empty() || ::rename(temporary_.c_str(), path_.c_str()) == 0) return;
  const int error = errno;
  ::unlink(temporary_.c_str());
  fail("rename", path_, error);
}

std::optional<std::string> TextLines::next() {
  if (text_.empty()) return std::nullopt;
  const std::size_t end = text_.find('\n');
  if (end == std::string_view::npos) throw Error("the last line has no end, so something may be missing");
  std::string line(text_.substr(0, end));
  text_.remove_prefix(end + 1);
  return line;
}

FileLines::FileLines(std::filesystem::path path) : path_(std::move(path)) {
  fd_ = path_ == "-" ? STDIN_FILENO : ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd_ < 0) fail("open", path_, errno);
}

FileLines::~FileLines() { Descriptor closing(fd_); }

std::optional<std::string> FileLines::next() {
  constexpr std::size_t kMostOfLine = 1U << 20U, kPiece = 1U << 16U;
  std::size_t looked_at = at_;
  for (;;) {
    if (const std::size_t end = buffer_.find('\n', looked_at); end != std::string::npos) {
      std::string line = buffer_.substr(at_, end - at_);
      at_ = end + 1;
      return line;
    }
    buffer_.erase(0, std::exchange(at_, 0));
    looked_at = buffer_.size();
    if (looked_at > kMostOfLine) throw Error(fmt::format("{} has a line of more than a megabyte", path_.string()));
    buffer_.resize(looked_at + kPiece);
    ssize_t n = 0;
    do {
      n = ::read(fd_, buffer_.data() + looked_at, kPiece);
    } while (n < 0 && errno == EINTR);
    if (n < 0) fail("read", path_, errno);
    buffer_.resize(looked_at + static_cast<std::size_t>(n));
    if (n > 0) continue;
    if (buffer_.empty()) return std::nullopt;
    throw Error("the last line has no end, so something may be missing");
  }
}

}  // namespace rgtrans
