#include "cli/watch.hpp"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <utility>

namespace rgtrans::cli {

namespace {

std::uint32_t stop_flag = 0;
volatile std::sig_atomic_t signal_came = 0;
timespec first_came{};
struct sigaction before {};

// A sender that signals a process and its group sends two signals at once; only a later signal counts as a second one.
void note_signal(int signal) {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  if (signal_came == 0) {
    first_came = now;
    signal_came = 1;
    __atomic_store_n(&stop_flag, 1U, __ATOMIC_RELAXED);
  } else if ((now.tv_sec - first_came.tv_sec) * 1000 + (now.tv_nsec - first_came.tv_nsec) / 1'000'000 > 300) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);
  }
}

}  // namespace

Watch::Watch(ShowProgress when, std::string what) : state_(std::move(what)), line_(when) {
  signal_came = 0;
  __atomic_store_n(&stop_flag, 0U, __ATOMIC_RELAXED);
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, nullptr, &before);
  // A program that was started in the background must not receive signals.
  if (before.sa_handler != SIG_IGN) ::sigaction(SIGINT, &action, nullptr);
  if (line_.shows()) thread_ = std::thread([this] { run(); });
}

Watch::~Watch() {
  ::sigaction(SIGINT, &before, nullptr);
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Following Watch::following() {
  Following out{&stop_flag, {}};
  if (line_.shows()) {
    out.told = [this](std::string state) {
      const std::lock_guard lock(mutex_);
      state_ = std::move(state);
    };
  }
  return out;
}

bool Watch::interrupted() { return signal_came != 0; }
void Watch::stop() { __atomic_store_n(&stop_flag, 1U, __ATOMIC_RELAXED); }

void Watch::run() {
  constexpr std::chrono::milliseconds kFirst{2000}, kPeriod{200};
  std::unique_lock lock(mutex_);
  auto next = begin_ + kFirst;
  while (!wake_.wait_until(lock, next, [this] { return over_; })) {
    next = Clock::now() + kPeriod;
    const std::string state = state_;
    lock.unlock();
    line_.show([&] {
      return fmt::format("{}, {:.0f} s; {}", state, seconds_since(begin_),
                         interrupted() ? "ending, Ctrl-C again ends at once" : "Ctrl-C shows the result so far");
    });
    lock.lock();
  }
}

}  // namespace rgtrans::cli
