// Child processes with limits. A child is a fork of this process that runs one function and exits. It leads a process
// group, so processes that it starts end with it, and the kernel ends it after the end of this process.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "core/support/clock.hpp"

namespace rgtrans::batch {

struct Limits {
  double seconds = 60;                // of processor time, so that a busy machine changes nothing
  std::uint64_t memory = 4ULL << 30;  // bytes of address space; not enforced under a sanitizer
};

// A process that only waits, or hardly gets a processor, ends after so many seconds of wall clock.
constexpr double patience(double seconds) { return 60 + 20 * seconds; }

// The exit code of a child that ran out of memory.
inline constexpr int kOutOfMemory = 77;
// … and of one that could not write, because the disk is full.
inline constexpr int kNoSpace = 78;

struct Ended {
  std::size_t id = 0;
  int code = 0;            // of exit, when `signal` is 0
  int signal = 0;          // that ended it
  bool timed_out = false;  // ended by us
  double seconds = 0, cpu_seconds = 0;
  std::uint64_t peak_memory = 0;  // bytes
};

// Runs children and reports their ends. While one exists, SIGCHLD, SIGINT, SIGTERM and SIGHUP are blocked and received
// here. There must be no other threads.
class Children {
 public:
  Children();
  ~Children();
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  // `work` runs in the child; its result is the exit code. The child's output goes to `log`.
  void start(std::size_t id, const Limits& limits, const std::filesystem::path& log, const std::function<int()>& work);
  [[nodiscard]] std::size_t running() const { return children_.size(); }
  // Waits until a child ends, a signal comes, or so many seconds have passed.
  std::vector<Ended> wait(double seconds);
  // Somebody wants this process to stop.
  [[nodiscard]] bool interrupted() const { return interrupted_; }
  void kill_all();

 private:
  struct Child {
    std::size_t id;
    pid_t pid;
    Clock::time_point started, deadline;
    bool timed_out = false;
  };

  std::vector<Ended> reap();
  void enforce_deadlines();

  std::vector<Child> children_;
  int signals_ = -1;
  bool interrupted_ = false;
};

}  // namespace rgtrans::batch
