// Each connection has a thread and a loop of its own, because an answer takes as long as the play clock. Beast's time
// limits belong to its asynchronous calls, so each step is one such call that is run to its end.
#include "cli/ggp/http.hpp"

#include <fmt/format.h>

#include <atomic>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <thread>

#include "core/support/support.hpp"
#include "core/support/text.hpp"

namespace rgtrans::cli::ggp {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;

namespace {

constexpr std::uint64_t kLargestMessage = 32ULL << 20U;
constexpr std::uint32_t kLargestHeader = 1U << 16U;
constexpr std::chrono::seconds kReadTime{30};
constexpr std::chrono::seconds kConnectTime{5};
constexpr int kMostConnections = 32;

// Runs one asynchronous step to its end.
template <class Start>
beast::error_code finish(asio::io_context& loop, Start&& start) {
  beast::error_code result = asio::error::would_block;
  start([&result](beast::error_code error, auto&&...) { result = error; });
  loop.restart();
  loop.run();
  return result;
}

int depth_of(std::string_view text) {
  int depth = 0;
  for (const char c : text) depth += c == '(' ? 1 : c == ')' ? -1 : 0;
  return depth;
}

// "%28%20INFO" and "+" for a space.
std::string url_decoded(std::string_view text) {
  std::string plain(text);
  std::ranges::replace(plain, '+', ' ');
  return percent_decoded(plain);
}

class Session {
 public:
  Session(asio::io_context& loop, tcp::socket socket) : loop_(loop), stream_(std::move(socket)) {}

  void serve(const Server::Handler& handler) {
    http::request_parser<http::string_body> parser;
    parser.header_limit(kLargestHeader);
    parser.body_limit(kLargestMessage);
    stream_.expires_after(kReadTime);
    if (finish(loop_, [&](auto done) { http::async_read_header(stream_, buffer_, parser, done); })) return;
    std::string message;
    const http::verb method = parser.get().method();
    if (method == http::verb::options) {
      answer("");
      return;
    }
    if (method == http::verb::get) {
      message = url_decoded(std::string_view(parser.get().target().data(), parser.get().target().size()));
      message.erase(0, message.find_first_not_of('/'));
    } else if (parser.content_length() || parser.chunked()) {
      if (finish(loop_, [&](auto done) { http::async_read(stream_, buffer_, parser, done); })) return;
      message = parser.get().body();
    } else if (!read_to_end(message)) {
      return;
    }
    answer(handler(message));
  }

 private:
  // Without a length a message ends with its last parenthesis, or with the stream.
  bool read_to_end(std::string& message) {
    const auto take = [&] {
      message += beast::buffers_to_string(buffer_.data());
      buffer_.consume(buffer_.size());
    };
    take();
    while (message.find('(') == std::string::npos || depth_of(message) > 0) {
      if (message.size() > kLargestMessage) return false;
      const beast::error_code error = finish(loop_, [&](auto done) {
        stream_.async_read_some(buffer_.prepare(4096), [this, done](beast::error_code e, std::size_t n) mutable {
          buffer_.commit(n);
          done(e);
        });
      });
      take();
      if (error == asio::error::eof) return true;
      if (error) return false;
    }
    return true;
  }
  void answer(const std::string& text) {
    http::response<http::string_body> response(http::status::ok, 10);
    response.set(http::field::content_type, "text/acl");
    response.set(http::field::access_control_allow_origin, "*");
    response.set(http::field::access_control_allow_methods, "POST, GET, OPTIONS");
    response.set(http::field::access_control_allow_headers, "Content-Type");
    response.keep_alive(false);
    response.body() = text;
    response.prepare_payload();
    stream_.expires_after(kReadTime);
    finish(loop_, [&](auto done) { http::async_write(stream_, response, done); });
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
  }

  asio::io_context& loop_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
};

}  // namespace

struct Server::Parts {
  Parts(const std::string& address, std::uint16_t port, Handler h)
      : handler(std::move(h)), acceptor(loop, tcp::endpoint(asio::ip::make_address(address), port)) {}
  Handler handler;
  asio::io_context loop;
  tcp::acceptor acceptor;
  std::atomic<int> connections = 0;
  std::atomic<bool> stopped = false;
};

Server::Server(const std::string& address, std::uint16_t port, Handler handler) {
  try {
    parts_ = std::make_unique<Parts>(address, port, std::move(handler));
  } catch (const boost::system::system_error& e) {
    throw Error(fmt::format("cannot listen on {}:{}: {}", address, port, e.code().message()),
                "another program may listen there: choose another --port");
  }
}
Server::~Server() { stop(); }
std::uint16_t Server::port() const { return parts_->acceptor.local_endpoint().port(); }

void Server::run() {
  Parts& p = *parts_;
  while (!p.stopped) {
    auto loop = std::make_shared<asio::io_context>();
    beast::error_code error;
    tcp::socket socket = p.acceptor.accept(*loop, error);
    if (p.stopped) break;
    if (error) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      continue;
    }
    if (p.connections >= kMostConnections) continue;  // the socket is closed
    ++p.connections;
    std::thread([&p, loop, socket = std::move(socket)]() mutable {
      try {
        Session(*loop, std::move(socket)).serve(p.handler);
      } catch (const std::exception& e) {
        fmt::print(stderr, "a connection ended: {}\n", e.what());
      }
      --p.connections;
    }).detach();
  }
  // What is still answered belongs to this object.
  while (p.connections > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

void Server::stop() {
  if (parts_ == nullptr || parts_->stopped.exchange(true)) return;
  // Wakes accept(), which shutting the acceptor down does not do everywhere.
  beast::error_code ignored;
  const tcp::endpoint self = parts_->acceptor.local_endpoint(ignored);
  asio::io_context loop;
  tcp::socket knock(loop);
  if (!ignored) knock.connect(self, ignored);
}

std::string send_message(const std::string& host, const std::string& port, const std::string& receiver,
                         const std::string& message, std::chrono::steady_clock::duration patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  asio::io_context loop;
  beast::tcp_stream stream(loop);
  beast::error_code error;
  tcp::resolver resolver(loop);
  const auto places = resolver.resolve(host, port, error);
  if (error) throw NoConnection(fmt::format("{}:{}: {}", host, port, error.message()));
  stream.expires_at(std::min(until, std::chrono::steady_clock::now() + kConnectTime));
  error = finish(loop, [&](auto done) { stream.async_connect(places, done); });
  if (error) throw NoConnection(fmt::format("{}:{}: {}", host, port, error.message()));
  const auto fail = [&](const char* what) {
    if (error == beast::error::timeout) throw TimeOut("no answer in time");
    throw NoConnection(fmt::format("{}: {}", what, error.message()));
  };
  http::request<http::string_body> request(http::verb::post, "/", 10);
  request.set(http::field::accept, "text/delim");
  request.set(http::field::host, host);
  request.set("Sender", "GAMESERVER");
  request.set("Receiver", receiver);
  request.set(http::field::content_type, "text/acl");
  request.body() = message;
  request.prepare_payload();
  stream.expires_at(until);
  error = finish(loop, [&](auto done) { http::async_write(stream, request, done); });
  if (error) fail("cannot be told");
  beast::flat_buffer buffer;
  http::response_parser<http::string_body> parser;
  parser.header_limit(kLargestHeader);
  parser.body_limit(1U << 20U);
  error = finish(loop, [&](auto done) { http::async_read(stream, buffer, parser, done); });
  if (error) fail("does not answer");
  return parser.get().body();
}

}  // namespace rgtrans::cli::ggp
