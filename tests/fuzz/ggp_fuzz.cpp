// Any bytes travel over loopback: as a message to our server of the Game Manager protocol, or as the answer that our
// client gets. The server always answers or closes. An expression that was read can be written and read again.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "cli/ggp/http.hpp"
#include "cli/ggp/kif.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rgtrans::fuzz {
namespace {

using namespace std::chrono_literals;
using cli::ggp::Kif;

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}
// Nothing of a connection stays when it is closed, so that ports do not run out.
void forget_at_close(int socket) {
  const linger now{1, 0};
  setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

class OurServer {
 public:
  OurServer()
      : server_("127.0.0.1", 0, [this](const cli::ggp::Received& received) { return answer(received.message); }, {}) {
    thread_ = std::thread([this] { server_.run(); });
  }
  ~OurServer() {
    server_.stop();
    thread_.join();
  }
  void receive(std::string_view bytes) {
    const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(server_.port());
    require(connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0,
            "the server does not accept", "");
    // A server that has enough closes; later bytes are lost.
    while (!bytes.empty()) {
      const ssize_t sent = send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) break;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    shutdown(client, SHUT_WR);
    std::array<char, 4096> answer{};
    while (recv(client, answer.data(), answer.size(), 0) > 0) {
    }
    forget_at_close(client);
    close(client);
    const std::lock_guard lock(mutex_);
    if (const auto found = std::exchange(finding_, std::nullopt)) throw Finding(*found);
  }

 private:
  std::string answer(const std::string& message) {
    std::string text;
    try {
      text = cli::ggp::read_kif(message).text();
    } catch (const Error&) {
      return "error";
    }
    try {
      cli::ggp::read_kif(text);
    } catch (const Error& error) {
      const std::lock_guard lock(mutex_);
      finding_ = std::string("an expression that was read cannot be read: ") + error.what() + "\n" + text;
    }
    return text;
  }

  std::mutex mutex_;
  std::optional<std::string> finding_;
  cli::ggp::Server server_;
  std::thread thread_;
};

// A server that sends the given answer.
class Anybody {
 public:
  Anybody() : listening_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    bind(listening_, reinterpret_cast<const sockaddr*>(&address), size);
    listen(listening_, 8);
    getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  ~Anybody() { close(listening_); }
  void ask(std::string_view answer) const {
    std::thread thread([this, answer] {
      const int client = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
      std::array<char, 4096> request{};
      recv(client, request.data(), request.size(), 0);
      send(client, answer.data(), answer.size(), MSG_NOSIGNAL);
      shutdown(client, SHUT_WR);
      while (recv(client, request.data(), request.size(), 0) > 0) {
      }
      close(client);
    });
    try {
      const std::string text = cli::ggp::send_message("127.0.0.1", std::to_string(port_), "somebody", "( INFO )", 5s);
      try {
        cli::ggp::read_kif(text);
      } catch (const Error&) {
      }
    } catch (const cli::ggp::NoConnection&) {
    } catch (const cli::ggp::TimeOut&) {
    }
    thread.join();
  }

 private:
  int listening_;
  std::uint16_t port_ = 0;
};

void target(std::string_view bytes) {
  static OurServer server;
  static const Anybody anybody;
  if (bytes.starts_with("HTTP"))
    anybody.ask(bytes);
  else
    server.receive(bytes);
}

std::string expression(test::Choices& c, int depth = 0) {
  if (depth > 3 || c.chance(3))
    return c.one_of({"PLAY", "START", "m1", "white", "(noop)", "nil", "10", "DONE", "(mark 1 1)", "ABORT", "info"});
  std::string text = "(";
  for (std::size_t i = c.below(5); i > 0; --i) text += expression(c, depth + 1) + " ";
  return text + ")";
}
std::string request(test::Choices& c) {
  const std::string body = expression(c);
  std::string text = c.one_of({"POST / HTTP/1.0", "POST / HTTP/1.1", "GET /%28INFO%29 HTTP/1.1", "OPTIONS * HTTP/1.1",
                               "PUT / HTTP/1.0"}) +
                     "\r\n";
  if (c.chance(2))
    text += c.one_of({"Accept: text/delim", "Host: localhost", "Sender: GAMEMASTER", "Transfer-Encoding: chunked"}) +
            "\r\n";
  if (c.coin(80))
    text += fmt::format("Content-length: {}\r\n", c.chance(6)
                                                      ? c.one_of({"100000000000", "-1", "18446744073709551616", "x"})
                                                      : std::to_string(body.size() + c.below(2)));
  return text + "\r\n" +
         (text.find("chunked") != std::string::npos ? fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", body.size(), body) : body);
}
std::string response(test::Choices& c) {
  const std::string body = expression(c);
  return c.one_of({"HTTP/1.0 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found", "HTTP/1.1 100 Continue"}) +
         fmt::format("\r\nContent-length: {}\r\n\r\n{}", c.chance(5) ? body.size() * 7 : body.size(), body);
}

const Registration kRegistration("ggp", target, {request, response});

}  // namespace
}  // namespace rgtrans::fuzz
