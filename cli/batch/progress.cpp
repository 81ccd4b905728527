#include "cli/batch/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>

#include "core/support/clock.hpp"

namespace rgtrans::batch {

namespace {

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

// "0:07", "12:30", "3:04:00"
std::string clock_time(double seconds) {
  const auto s = static_cast<std::uint64_t>(std::llround(seconds));
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace

Progress::Progress(std::size_t total, bool quiet)
    : total_(total), quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { clear(); }

void Progress::done(const Record& record, bool fresh) {
  ++done_;
  if (fresh) ++fresh_;
  const bool failed = record.status != Status::converted;
  if (failed) ++failed_;
  last_ = record.input;
  if (quiet_) return;
  if (terminal_) {
    tick();
    return;
  }
  const int digits = static_cast<int>(std::to_string(total_).size());
  if (fresh || failed) {
    fmt::print(stderr, "[{:{}}/{}] {}: {}{}\n", done_, digits, total_, record.input, name_of(record.status),
               failed                       ? ": " + first_line(record.message)
               : !record.unfinished.empty() ? ", but " + first_line(record.unfinished)
                                            : fmt::format(", {:.3f} s", record.seconds));
  }
}

void Progress::tick() {
  if (quiet_ || !terminal_ || Clock::now() - drawn_ < std::chrono::milliseconds(100)) return;
  draw();
}

void Progress::draw() {
  drawn_ = Clock::now();
  const double elapsed = std::chrono::duration<double>(drawn_ - start_).count();
  const double rate = elapsed > 0 ? static_cast<double>(fresh_) / elapsed : 0;
  const double share = total_ == 0 ? 1 : static_cast<double>(done_) / static_cast<double>(total_);
  constexpr std::size_t kBar = 20;
  const auto filled = static_cast<std::size_t>(share * kBar);
  std::string line =
      fmt::format("[{}{}] {}/{}", std::string(filled, '='), std::string(kBar - filled, ' '), done_, total_);
  if (rate > 0)
    line += fmt::format("  {:.1f}/s  {} left", rate, clock_time(static_cast<double>(total_ - done_) / rate));
  if (failed_ > 0) line += fmt::format("  {} failed", failed_);
  line += "  " + last_;
  const std::size_t width = terminal_width() - 1;
  if (line.size() > width) line.resize(width);
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
}

void Progress::clear() {
  if (!quiet_ && terminal_) fmt::print(stderr, "\r\033[K");
}

}  // namespace rgtrans::batch
