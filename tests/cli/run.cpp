#include "tests/cli/run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace rgtrans::test {

namespace {

std::string contents(std::FILE* file) {
  std::string text;
  std::array<char, 65536> buffer;
  std::rewind(file);
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), file)) text.append(buffer.data(), n);
  std::fclose(file);
  return text;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// The parent may have ended already.
void end_with(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
}

}  // namespace

pid_t start_program(const std::string& program, const std::vector<std::string>& arguments,
                    const std::function<void()>& prepare) {
  if (::access(program.c_str(), X_OK) != 0) throw std::runtime_error("cannot run " + program);
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::vector<char*> pointers = pointers_to(words);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot run " + program);
  if (child > 0) return child;
  end_with(parent);
  if (prepare) prepare();
  ::execv(program.c_str(), pointers.data());
  ::_exit(127);
}

Outcome run_program(const std::string& program, const std::vector<std::string>& arguments, std::string_view input,
                    const char* elsewhere) {
  std::FILE* in = std::tmpfile();
  std::FILE* out = elsewhere == nullptr ? std::tmpfile() : std::fopen(elsewhere, "a+");
  std::FILE* err = std::tmpfile();
  if (in == nullptr || out == nullptr || err == nullptr) throw std::runtime_error("no temporary file");
  if (!input.empty()) std::fwrite(input.data(), 1, input.size(), in);
  std::fflush(in);
  std::rewind(in);

  const pid_t child = start_program(program, arguments, [&] {
    ::dup2(fileno(in), STDIN_FILENO);
    ::dup2(fileno(out), STDOUT_FILENO);
    ::dup2(fileno(err), STDERR_FILENO);
  });
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::fclose(in);
  Outcome run;
  run.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (elsewhere == nullptr) {
    run.out = contents(out);
  } else {
    std::fclose(out);
  }
  run.err = contents(err);
  return run;
}

Outcome run_rgtrans(const std::vector<std::string>& arguments, std::string_view input, const char* elsewhere) {
  return run_program(RGTRANS_BINARY, arguments, input, elsewhere);
}

Outcome run_in_terminal(const std::vector<std::string>& arguments, std::string_view typed,
                        double seconds_to_interrupt) {
  winsize size{};
  size.ws_col = 100;
  size.ws_row = 24;
  int terminal = -1;
  std::vector<std::string> words = {RGTRANS_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::vector<char*> pointers = pointers_to(words);
  const pid_t parent = ::getpid();
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child < 0) throw std::runtime_error("no terminal");
  if (child == 0) {
    end_with(parent);
    ::execv(RGTRANS_BINARY, pointers.data());
    ::_exit(127);
  }
  if (!typed.empty() && ::write(terminal, typed.data(), typed.size()) < 0) throw std::runtime_error("nobody listens");
  const auto begin = std::chrono::steady_clock::now();
  Outcome run;
  std::array<char, 4096> buffer{};
  for (;;) {
    pollfd reading{terminal, POLLIN, 0};
    const int ready = ::poll(&reading, 1, 50);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    if (seconds_to_interrupt > 0 && passed.count() >= seconds_to_interrupt) {
      if (::write(terminal, "\x03", 1) < 0) break;
      seconds_to_interrupt = 0;
    }
    if (ready <= 0) continue;
    const ssize_t n = ::read(terminal, buffer.data(), buffer.size());
    if (n <= 0) break;  // nobody has it open any more
    run.out.append(buffer.data(), static_cast<std::size_t>(n));
  }
  ::close(terminal);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  run.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "rgtrans-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::file(std::string_view name, std::string_view text) const {
  const std::filesystem::path path = path_ / name;
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace rgtrans::test
