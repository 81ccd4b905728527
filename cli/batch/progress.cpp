#include "cli/batch/progress.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/support/clock.hpp"
#include "core/support/text.hpp"

namespace rgtrans::batch {

namespace {

// "0:07", "12:30", "3:04:00"
std::string clock_time(double seconds) {
  const auto s = static_cast<std::uint64_t>(std::llround(seconds));
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace

// Without a terminal, the lines of the games are enough.
Progress::Progress(std::size_t total, ShowProgress when)
    : total_(total), when_(when), line_(when == ShowProgress::always ? ShowProgress::on_terminal : when) {}

void Progress::done(const Record& record, bool fresh) {
  ++done_;
  if (fresh) ++fresh_;
  const bool failed = record.status != Status::converted;
  if (failed) ++failed_;
  last_ = record.input;
  if (when_ == ShowProgress::never) return;
  if (line_.redraws()) {
    tick();
    return;
  }
  const int digits = static_cast<int>(std::to_string(total_).size());
  if (fresh || failed) {
    fmt::print(stderr, "[{:{}}/{}] {}: {}{}\n", done_, digits, total_, printable(record.input), name_of(record.status),
               failed                       ? ": " + printable(first_line(record.message))
               : !record.unfinished.empty() ? ", but " + printable(first_line(record.unfinished))
                                            : fmt::format(", {:.3f} s", record.seconds));
  }
}

std::string Progress::bar() const {
  const double elapsed = seconds_since(start_);
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
  return line;
}

}  // namespace rgtrans::batch
