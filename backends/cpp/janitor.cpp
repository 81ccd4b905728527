#include "backends/cpp/janitor.hpp"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <string>

namespace rgtrans::cpp {

namespace {

// Runs in a fork of a process that may have other threads: nothing but system calls.
[[noreturn]] void wait_and_clean(int socket, char* const* remove) {
  ::setpgid(0, 0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_IGN);
  char done = 0;
  ssize_t got = 0;
  while ((got = ::read(socket, &done, 1)) < 0 && errno == EINTR) {
  }
  if (got == 1) ::_exit(0);  // the work is over
  ::kill(0, SIGTERM);        // of the group only this process does not listen
  const timespec moment{0, 200'000'000};
  ::nanosleep(&moment, nullptr);
  ::execv(remove[0], remove);
  ::_exit(1);
}

}  // namespace

Janitor::Janitor(const std::filesystem::path& folder) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
  std::string program = "/bin/rm", flags = "-rf", name = folder.string();
  const std::array<char*, 4> remove = {program.data(), flags.data(), name.data(), nullptr};
  process_ = ::fork();
  if (process_ == 0) {
    ::close(ends[1]);
    wait_and_clean(ends[0], remove.data());
  }
  ::close(ends[0]);
  if (process_ < 0) {
    ::close(ends[1]);
    process_ = 0;
    return;
  }
  ::setpgid(process_, process_);  // whoever comes first
  alive_ = ends[1];
}

Janitor::~Janitor() {
  if (process_ == 0) return;
  const char done = 1;
  ::send(alive_, &done, 1, MSG_NOSIGNAL);
  ::close(alive_);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace rgtrans::cpp
