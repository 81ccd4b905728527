#include "core/support/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>

#include "core/support/diagnostics.hpp"
#include "core/support/limits.hpp"

namespace rgtrans {

namespace {

// Closes a descriptor when the scope ends, however it ends.
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

std::string read_file(const std::filesystem::path& path) {
  const bool standard_input = path == "-";
  Descriptor file(standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail("open", path, errno);
  struct stat info {};
  if (::fstat(file.get(), &info) == 0 && S_ISDIR(info.st_mode)) fail("read", path, EISDIR);
  std::string text;
  const auto expected =
      S_ISREG(info.st_mode) ? std::min<std::size_t>(static_cast<std::size_t>(info.st_size), limits::input_bytes) : 0;
  std::size_t size = 0;
  text.resize(expected + 1);
  for (;;) {
    if (size > limits::input_bytes) {
      throw Error(fmt::format("{} has more than {} bytes", path.string(), limits::input_bytes),
                  limits::input_bytes.advice());
    }
    if (size == text.size()) text.resize(text.size() * 2 + 65536);
    const ssize_t n = ::read(file.get(), text.data() + size, text.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("read", path, errno);
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
  }
  text.resize(size);
  return text;
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
  if (path == "-") {
    write_all(STDOUT_FILENO, text, "standard output");
    return;
  }
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));  // a device or pipe cannot be replaced
    if (file.get() < 0) fail("open", path, errno);
    write_all(file.get(), text, path);
    return;
  }
  // A name that nobody has, made by this call alone; the mode is left to the user's mask.
  std::random_device random;
  std::string name;
  int fd = -1;
  for (int attempt = 0; fd < 0; ++attempt) {
    name = fmt::format("{}.{:08x}", path.string(), random());
    fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0 && (errno != EEXIST || attempt > 100)) fail("create", path, errno);
  }
  Descriptor file(fd);
  try {
    write_all(file.get(), text, path);
    if (!file.close_now()) fail("write", path, errno);
    if (::rename(name.c_str(), path.c_str()) != 0) fail("rename", path, errno);
  } catch (...) {
    ::unlink(name.c_str());
    throw;
  }
}

}  // namespace rgtrans
