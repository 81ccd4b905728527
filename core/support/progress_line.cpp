#include "core/support/progress_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "core/support/text.hpp"

namespace rgtrans {

namespace {

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

// A character may have several bytes, which stay together.
std::string shortened(std::string line, std::size_t width) {
  if (line.size() <= width) return line;
  while (width > 0 && (static_cast<unsigned char>(line[width]) & 0xC0U) == 0x80U) --width;
  line.resize(width);
  return line;
}

}  // namespace

ProgressLine::ProgressLine(ShowProgress when)
    : redraws_(when != ShowProgress::never && ::isatty(STDERR_FILENO) == 1),
      shows_(redraws_ || when == ShowProgress::always) {}

void ProgressLine::show(const std::function<std::string()>& state) {
  if (!shows_) return;
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  if (redraws_) {
    next_ = now + std::chrono::milliseconds(100);
    fmt::print(stderr, "\r\033[K{}", shortened(printable(state()), terminal_width() - 1));
    drawn_ = true;
  } else {
    next_ = now + std::chrono::seconds(1);
    fmt::print(stderr, "{}\n", printable(state()));
  }
  std::fflush(stderr);
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace rgtrans
