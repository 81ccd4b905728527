#include "core/support/progress_line.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <pty.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace rgtrans {
namespace {

using testing::HasSubstr;
using testing::Not;

// Standard error goes to a terminal of 40 columns, or to a pipe, for the life of this.
class CapturedStandardError {
 public:
  explicit CapturedStandardError(bool terminal) {
    std::array<int, 2> ends{};
    winsize size{};
    size.ws_col = 40;
    const int made = terminal ? ::openpty(ends.data(), &ends[1], nullptr, nullptr, &size) : ::pipe(ends.data());
    EXPECT_EQ(made, 0);
    reader_ = ends[0];
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[1]);
    ::fcntl(reader_, F_SETFL, O_NONBLOCK);
  }
  ~CapturedStandardError() {
    ::dup2(saved_, STDERR_FILENO);
    ::close(saved_);
    ::close(reader_);
  }
  CapturedStandardError(const CapturedStandardError&) = delete;
  CapturedStandardError& operator=(const CapturedStandardError&) = delete;

  std::string text() const {
    // A terminal passes on what is written to it a little later: read up to a mark.
    std::fputc('\001', stderr);
    std::fflush(stderr);
    std::string text;
    std::array<char, 4096> bytes{};
    pollfd ready{reader_, POLLIN, 0};
    while (!text.ends_with('\001') && ::poll(&ready, 1, 10'000) == 1) {
      const ssize_t size = ::read(reader_, bytes.data(), bytes.size());
      if (size <= 0) break;
      text.append(bytes.data(), static_cast<std::size_t>(size));
    }
    EXPECT_TRUE(text.ends_with('\001')) << text;
    if (!text.empty()) text.pop_back();
    return text;
  }

 private:
  int saved_ = ::dup(STDERR_FILENO);
  int reader_ = -1;
};

std::string shown(ShowProgress when, bool terminal, const std::string& state) {
  const CapturedStandardError error(terminal);
  {
    ProgressLine line(when);
    line.show([&] { return state; });
  }
  return error.text();
}

TEST(ProgressLine, IsRedrawnOnATerminalAndRemovedAtTheEnd) {
  EXPECT_EQ(shown(ShowProgress::on_terminal, true, "half"), "\r\033[Khalf\r\033[K");
  EXPECT_EQ(shown(ShowProgress::always, true, "half"), "\r\033[Khalf\r\033[K");
  EXPECT_EQ(shown(ShowProgress::never, true, "half"), "");
}

TEST(ProgressLine, IsALineElsewhereIfItIsAlwaysShown) {
  EXPECT_EQ(shown(ShowProgress::on_terminal, false, "half"), "");
  EXPECT_EQ(shown(ShowProgress::always, false, "half"), "half\n");
  EXPECT_EQ(shown(ShowProgress::never, false, "half"), "");
}

// A line that wraps cannot be redrawn. "…" has three bytes, of which none is left alone.
TEST(ProgressLine, IsNoLongerThanTheTerminal) {
  EXPECT_EQ(shown(ShowProgress::always, true, std::string(60, 'a')), "\r\033[K" + std::string(39, 'a') + "\r\033[K");
  EXPECT_EQ(shown(ShowProgress::always, true, std::string(38, 'a') + "…b"),
            "\r\033[K" + std::string(38, 'a') + "\r\033[K");
}

TEST(ProgressLine, CountsNoStatesThatItDoesNotShow) {
  const CapturedStandardError error(false);
  ProgressLine line(ShowProgress::always);
  int calls = 0;
  for (int i = 0; i < 1000; ++i) line.show([&] { return "state " + std::to_string(++calls); });
  EXPECT_LT(calls, 100);
  EXPECT_THAT(error.text(), HasSubstr("state 1\n"));
}

TEST(ProgressLine, IsSharedByThreads) {
  const CapturedStandardError error(true);
  {
    ProgressLine line(ShowProgress::always);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 1000; ++i) line.show([] { return "whole"; });
      });
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_THAT(error.text(), Not(HasSubstr("wholewhole")));
}

}  // namespace
}  // namespace rgtrans
