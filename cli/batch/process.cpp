#include "cli/batch/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include "core/support/clock.hpp"
#include "core/support/pieces.hpp"
#include "core/support/support.hpp"

namespace rgtrans::batch {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // shadow memory needs more address space than any limit
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

sigset_t handled_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

void limit(__rlimit_resource resource, std::uint64_t value) {
  const rlimit both{value, value};
  ::setrlimit(resource, &both);
}

void redirect(const std::filesystem::path& log) {
  const int nothing = ::open("/dev/null", O_RDONLY);
  const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
  if (file >= 0) {
    ::dup2(file, STDOUT_FILENO);
    ::dup2(file, STDERR_FILENO);
  }
  ::close(nothing);
  ::close(file);
}

// The work of a child. It leaves by _exit, because buffers and cleanup of the parent are not the child's.
[[noreturn]] void be_child(pid_t parent, const Limits& limits, const std::filesystem::path& log,
                           const std::function<int()>& work) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died before we could ask
  const sigset_t set = handled_signals();
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  redirect(log);
  limit(RLIMIT_CORE, 0);
  // The alarm is exact and for this process alone; programs that it starts inherit the limit. The parent watches the
  // wall clock.
  const auto whole = static_cast<time_t>(limits.seconds);
  const auto rest = static_cast<suseconds_t>((limits.seconds - static_cast<double>(whole)) * 1e6);
  const itimerval alarm{{0, 0}, {whole, rest}};
  ::setitimer(ITIMER_PROF, &alarm, nullptr);
  limit(RLIMIT_CPU, static_cast<std::uint64_t>(whole) + (rest > 0 ? 2 : 1));
  if (!kSanitized) limit(RLIMIT_AS, limits.memory);
  std::set_new_handler([] { ::_exit(kOutOfMemory); });
  int code = 1;
  try {
    code = work();
  } catch (const std::bad_alloc&) {
    code = kOutOfMemory;
  } catch (const NoSpace&) {
    code = kNoSpace;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
  }
  std::fflush(nullptr);
  ::_exit(code);
}

double seconds_of(const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; }

}  // namespace

Children::Children() {
  const sigset_t set = handled_signals();
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  signals_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals_ < 0) throw Error(std::string("cannot receive signals: ") + std::strerror(errno));
}

Children::~Children() {
  kill_all();
  ::close(signals_);
  const sigset_t set = handled_signals();
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

void Children::start(std::size_t id, const Limits& limits, const std::filesystem::path& log,
                     const std::function<int()>& work) {
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  const Clock::time_point now = Clock::now();
  const pid_t pid = ::fork();
  if (pid < 0) throw Error(std::string("cannot start a process: ") + std::strerror(errno));
  if (pid == 0) be_child(parent, limits, log, work);
  ::setpgid(pid, pid);  // in the parent and in the child, because either may be first
  children_.push_back({id, pid, now, now + seconds_long(patience(limits.seconds))});
}

std::vector<Ended> Children::wait(double seconds) {
  std::vector<Ended> ended = reap();
  if (!ended.empty() || interrupted_) return ended;
  Clock::time_point until = Clock::now() + seconds_long(seconds);
  for (const Child& child : children_) {
    if (!child.timed_out) until = std::min(until, child.deadline);
  }
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count() + 1;
  pollfd descriptor{signals_, POLLIN, 0};
  if (::poll(&descriptor, 1, static_cast<int>(std::max<std::int64_t>(left, 0))) > 0) {
    signalfd_siginfo info;
    while (::read(signals_, &info, sizeof info) == sizeof info) {
      if (info.ssi_signo != SIGCHLD) interrupted_ = true;
    }
  }
  enforce_deadlines();
  return reap();
}

void Children::enforce_deadlines() {
  const Clock::time_point now = Clock::now();
  for (Child& child : children_) {
    if (child.timed_out || now < child.deadline) continue;
    child.timed_out = true;
    ::kill(-child.pid, SIGKILL);
  }
}

std::vector<Ended> Children::reap() {
  std::vector<Ended> ended;
  std::erase_if(children_, [&](const Child& child) {
    int status = 0;
    rusage usage{};
    if (::wait4(child.pid, &status, WNOHANG, &usage) != child.pid) return false;
    ::kill(-child.pid, SIGKILL);  // processes that it started and left behind
    Ended e;
    e.id = child.id;
    e.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    e.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    e.timed_out = (child.timed_out && e.signal == SIGKILL) || e.signal == SIGXCPU || e.signal == SIGPROF;
    e.seconds = seconds_since(child.started);
    e.cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    e.peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    ended.push_back(e);
    return true;
  });
  return ended;
}

void Children::kill_all() {
  for (const Child& child : children_) ::kill(-child.pid, SIGKILL);
  for (const Child& child : children_) ::waitpid(child.pid, nullptr, 0);
  children_.clear();
}

}  // namespace rgtrans::batch
