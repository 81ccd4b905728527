// Plays through an external program. The program reads one JSON object per line from standard input (start, move,
// choose, end). It answers "choose" with one line: the text of a move, or its number in the list. It runs in a process
// group of its own, which ends with the play.
#include "backends/search/command.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <nlohmann/json.hpp>

#include "core/support/clock.hpp"
#include "core/support/support.hpp"

namespace rgtrans::search {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestLine = 1U << 16U;
constexpr std::chrono::seconds kPatience{60};  // for an answer

// A child with its standard input and output on one socket.
class Process {
 public:
  explicit Process(const std::string& command) : command_(command) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("cannot be started");
    const char* const shell = "/bin/sh";
    child_ = fork();
    if (child_ == 0) {
      setpgid(0, 0);
      dup2(ends[1], STDIN_FILENO);
      dup2(ends[1], STDOUT_FILENO);
      execl(shell, shell, "-c", command.c_str(), nullptr);
      _exit(127);
    }
    close(ends[1]);
    socket_ = ends[0];
    if (child_ < 0) fail("cannot be started");
    setpgid(child_, child_);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    close(socket_);
    if (child_ <= 0) return;
    // The program may end when its input does; then it need not be killed.
    int status = 0;
    for (int wait = 0; wait < 20 && waitpid(child_, &status, WNOHANG) == 0; ++wait) usleep(5000);
    kill(-child_, SIGKILL);
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
  }

  void say(const Json& message) {
    const std::string line = message.dump() + "\n";
    const auto until = Clock::now() + kPatience;
    for (std::size_t sent = 0; sent < line.size();) {
      wait(POLLOUT, until);
      const ssize_t now = send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (now < 0 && errno != EAGAIN && errno != EINTR) fail("has ended");
      sent += static_cast<std::size_t>(std::max<ssize_t>(now, 0));
    }
  }
  std::string answer() {
    const auto until = Clock::now() + kPatience;
    for (;;) {
      if (const std::size_t end = input_.find('\n'); end != std::string::npos) {
        std::string line = input_.substr(0, end);
        input_.erase(0, end + 1);
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
        return line;
      }
      if (input_.size() > kLongestLine) fail("answers a line without end");
      wait(POLLIN, until);
      char buffer[4096];
      const ssize_t got = recv(socket_, buffer, sizeof buffer, MSG_DONTWAIT);
      if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) fail("has ended");
      if (got > 0) input_.append(buffer, static_cast<std::size_t>(got));
    }
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw PlayerError(fmt::format("the player '{}' {}", command_, what));
  }

 private:
  void wait(short event, Clock::time_point until) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd waiting{socket_, event, 0};
    if (left <= 0 || poll(&waiting, 1, static_cast<int>(left)) == 0) {
      fail(fmt::format("is silent for {} seconds", kPatience.count()));
    }
  }

  std::string command_;
  pid_t child_ = -1;
  int socket_ = -1;
  std::string input_;
};

class CommandPlayer : public SeatPlayer {
 public:
  explicit CommandPlayer(std::string command) : command_(std::move(command)) {}
  ~CommandPlayer() override {
    try {
      if (process_) process_->say({{"type", "end"}});
    } catch (const std::exception&) {
      // The process has already ended.
    }
  }

  void start(const Reasoner& game, std::size_t seat, std::uint64_t seed) override {
    seat_ = seat;
    process_ = std::make_unique<Process>(command_);
    const std::vector<std::string>& players = game.info().players;
    process_->say({{"type", "start"}, {"players", players}, {"you", players[seat]}, {"seed", seed}});
  }
  void observe(Reasoner& play, std::size_t index) override {
    const std::string text = play.mover() == seat_ ? play.move_text(index) : play.observed_move_text(index, seat_);
    process_->say({{"type", "move"}, {"by", play.mover_name()}, {"move", text}});
  }
  std::size_t choose(Reasoner& play) override {
    const std::vector<std::string> moves = play.move_texts();
    process_->say({{"type", "choose"}, {"moves", moves}});
    const std::string line = process_->answer();
    if (const auto it = std::ranges::find(moves, line); it != moves.end()) {
      return static_cast<std::size_t>(it - moves.begin());
    }
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), index);
    if (error != std::errc() || end != line.data() + line.size() || index >= moves.size()) {
      process_->fail(fmt::format("answers '{}', which is no legal move", line.substr(0, 100)));
    }
    return index;
  }

 private:
  std::string command_;
  std::size_t seat_ = 0;
  std::unique_ptr<Process> process_;
};

}  // namespace

std::unique_ptr<SeatPlayer> make_command_player(const std::string& command) {
  return std::make_unique<CommandPlayer>(command);
}

}  // namespace rgtrans::search
