// Players and hosts of the Game Manager protocol for tests: processes, functions, and bytes over loopback.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cli/ggp/host.hpp"
#include "cli/ggp/http.hpp"
#include "core/support/support.hpp"
#include "tests/cli/run.hpp"

namespace rgtrans::cli::ggp {

using namespace std::chrono_literals;

inline const std::string kGames = RGTRANS_SOURCE_DIR "/games/gdl/";

// A description as it travels.
inline std::string without_comments(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == ';') at = text.find('\n', at);
    if (at < text.size()) out += text[at] == '\n' || text[at] == '\r' ? ' ' : text[at];
  }
  return out;
}
inline std::string description(const std::string& game) { return without_comments(read_file(kGames + game)); }

inline std::string tell(int port, const std::string& message, std::chrono::milliseconds patience = 10s) {
  return send_message("127.0.0.1", std::to_string(port), "player", message, patience);
}

// `rgtrans ggp-player` as a process.
class PlayerProcess {
 public:
  explicit PlayerProcess(std::vector<std::string> more = {"--no-compile", "--no-ponder"}) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    std::vector<std::string> words = {"ggp-player", "--port", "0"};
    words.insert(words.end(), more.begin(), more.end());
    child_ = test::start_program(RGTRANS_BINARY, words, [&] {
      dup2(ends[1], STDOUT_FILENO);
      const int log = open(log_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
      dup2(log, STDERR_FILENO);
    });
    close(ends[1]);
    std::string line;
    for (char c = 0; read(ends[0], &c, 1) == 1 && c != '\n';) line += c;
    close(ends[0]);
    EXPECT_THAT(line, ::testing::HasSubstr("127.0.0.1:"));
    port = std::atoi(line.substr(line.rfind(':') + 1).c_str());
  }
  PlayerProcess(const PlayerProcess&) = delete;
  PlayerProcess& operator=(const PlayerProcess&) = delete;
  ~PlayerProcess() { stop(); }
  void stop() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = -1;
    unlink(log_.c_str());
  }
  // Its log.
  [[nodiscard]] std::string log() const { return read_file(log_); }
  // The log as soon as it has this text, or after two seconds: the player logs some messages after its answer.
  [[nodiscard]] std::string log_with(const std::string& text) const {
    for (int i = 0; i < 100 && log().find(text) == std::string::npos; ++i) ::usleep(20'000);
    return log();
  }
  [[nodiscard]] pid_t process() const { return child_; }
  [[nodiscard]] std::string address() const { return fmt::format("127.0.0.1:{}", port); }
  int port = 0;

 private:
  pid_t child_ = -1;
  std::string log_ =
      fmt::format("{}/rgtrans-player-{}-{}.log", std::filesystem::temp_directory_path().string(), getpid(), ++players);
  static inline int players = 0;
};

// A player that is a function.
class FakePlayer {
 public:
  explicit FakePlayer(std::function<std::string(const std::string& message)> answer)
      : server_("127.0.0.1", 0,
                [answer = std::move(answer)](const Received& received) { return answer(received.message); }, {}),
        thread_([this] { server_.run(); }) {}
  ~FakePlayer() {
    server_.stop();
    thread_.join();
  }
  FakePlayer(const FakePlayer&) = delete;
  FakePlayer& operator=(const FakePlayer&) = delete;
  [[nodiscard]] std::string address() const { return fmt::format("127.0.0.1:{}", server_.port()); }

 private:
  Server server_;
  std::thread thread_;
};

inline HostedMatch host(const std::string& game, std::vector<std::string> players, double play_clock = 0.3) {
  HostOptions options;
  options.players = std::move(players);
  options.start_clock = 2;
  options.play_clock = play_clock;
  options.grace = 0.2;
  const std::string text = description(game);
  return host_match(text, std::make_shared<const MatchRules>(text), options);
}

// Opens a socket and sends these bytes.
inline int connect_and_send(int port, const std::string& bytes) {
  const int s = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(s, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(send(s, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  return s;
}

// Sends a message as other hosts and browsers write it, byte by byte; the answer.
inline std::string raw(int port, const std::string& bytes) {
  const int s = connect_and_send(port, bytes);
  std::string out;
  char buffer[1000];
  for (ssize_t got = 0; (got = recv(s, buffer, sizeof buffer, 0)) > 0;)
    out.append(buffer, static_cast<std::size_t>(got));
  close(s);
  return out;
}

// A host with another address on this machine.
inline std::string tell_from(const std::string& address, int port, const std::string& message) {
  const int s = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in from{}, to{};
  from.sin_family = to.sin_family = AF_INET;
  inet_pton(AF_INET, address.c_str(), &from.sin_addr);
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(bind(s, reinterpret_cast<sockaddr*>(&from), sizeof from), 0);
  EXPECT_EQ(connect(s, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  const std::string request = fmt::format("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{}", message.size(), message);
  EXPECT_EQ(send(s, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
  std::string out;
  char buffer[1000];
  for (ssize_t got = 0; (got = recv(s, buffer, sizeof buffer, 0)) > 0;)
    out.append(buffer, static_cast<std::size_t>(got));
  close(s);
  return out.substr(std::min(out.size(), out.find("\r\n\r\n") + 4));
}

}  // namespace rgtrans::cli::ggp
