// One thread does all input and output. Each socket has a second thread that handles its messages, so slow work delays
// nobody else. A socket reads its next message after the last one is done: the messages of a faster client wait in the
// kernel's buffers, not in ours.
#include "ide/server/server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <optional>
#include <thread>

#include "core/support/support.hpp"
#include "ide/server/guard.hpp"

namespace rgtrans::ide {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using boost::system::error_code;
using tcp = asio::ip::tcp;

namespace {

constexpr std::string_view kNoncePlace = "@NONCE@";

std::string replaced(std::string_view text, std::string_view place, std::string_view value) {
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t next = text.find(place, at);
    out += text.substr(at, next == std::string_view::npos ? next : next - at);
    if (next == std::string_view::npos) return out;
    out += value;
    at = next + place.size();
  }
}

}  // namespace

class PageServer::Body {
 public:
  explicit Body(ServerOptions options)
      : options_(std::move(options)), acceptor_(io_), nonce_(random_token()), signals_(io_, SIGINT, SIGTERM) {
    listen();
    guard_.emplace(port_, options_.token);
  }

  void run() {
    signals_.async_wait([this](error_code problem, int) {
      if (!problem) stop();
    });
    accept();
    io_.run();
    for (const auto& close : std::map(closers_)) close.second();
    closers_.clear();
  }

  // Whether all that was behind sockets has ended; waits for it, but not long.
  bool ended(std::chrono::milliseconds patience) {
    const auto until = std::chrono::steady_clock::now() + patience;
    for (; !endings_.empty() && std::chrono::steady_clock::now() < until; sweep()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return endings_.empty();
  }

  ~Body() {
    for (Ending& ending : endings_) ending.thread.join();
  }
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

  void stop() {
    asio::post(io_, [this] { io_.stop(); });
  }

  [[nodiscard]] unsigned short port() const { return port_; }
  [[nodiscard]] std::string address() const {
    return fmt::format("http://127.0.0.1:{}/?token={}", port_, options_.token);
  }

 private:
  class Socket;
  class Connection;
  // Waits for the work behind a socket that was closed.
  struct Ending {
    std::shared_ptr<std::atomic<bool>> done;
    std::thread thread;
  };

  // Nobody else waits for the work behind a socket: it can take as long as a step of it that asks for no end.
  void end(std::function<void()> work) {
    sweep();
    auto done = std::make_shared<std::atomic<bool>>(false);
    endings_.push_back({done, std::thread([work = std::move(work), done]() mutable {
                          work();
                          work = {};
                          *done = true;
                        })});
  }
  void sweep() {
    std::erase_if(endings_, [](Ending& ending) {
      if (!*ending.done) return false;
      ending.thread.join();
      return true;
    });
  }

  void listen() {
    const auto bind = [&](unsigned short port) {
      error_code problem;
      acceptor_.open(tcp::v4(), problem);
      if (!problem) acceptor_.set_option(asio::socket_base::reuse_address(true), problem);
      if (!problem) acceptor_.bind({asio::ip::address_v4::loopback(), port}, problem);
      if (!problem) acceptor_.listen(asio::socket_base::max_listen_connections, problem);
      if (problem) acceptor_.close();
      return problem;
    };
    error_code problem = bind(options_.port);
    if (problem && options_.another_port) problem = bind(0);
    if (problem) {
      throw Error(fmt::format("cannot listen on port {} of this machine: {}", options_.port, problem.message()),
                  "another program uses it; --port chooses another one");
    }
    port_ = acceptor_.local_endpoint().port();
  }

  void accept();

  // The headers of every answer that protect the page.
  template <class Response>
  void protect(Response& response) const {
    const std::string sockets = fmt::format("ws://127.0.0.1:{0} ws://localhost:{0}", port_);
    response.set(http::field::server, "rgtrans");
    response.set("Content-Security-Policy",
                 fmt::format("default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'nonce-{}'; "
                             "img-src 'self' data:; connect-src 'self' {}; base-uri 'none'; form-action 'none'; "
                             "frame-ancestors 'none'",
                             nonce_, sockets));
    response.set("X-Content-Type-Options", "nosniff");
    response.set("X-Frame-Options", "DENY");
    response.set("Referrer-Policy", "no-referrer");
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    response.set("Cross-Origin-Opener-Policy", "same-origin");
    response.set(http::field::cache_control, "no-store");
  }

  [[nodiscard]] const Asset* find_asset(const std::string& path) const {
    const auto it = std::ranges::find(options_.assets, path, &Asset::path);
    return it == options_.assets.end() ? nullptr : &*it;
  }

  ServerOptions options_;
  std::size_t connections_ = 0;
  std::size_t sockets_ = 0;
  std::list<Connection*> unfinished_;  // whose request has not arrived, oldest first
  asio::io_context io_{1};
  tcp::acceptor acceptor_;
  unsigned short port_ = 0;
  std::string nonce_;
  asio::signal_set signals_;
  std::optional<Guard> guard_;
  std::list<Ending> endings_;
  std::map<const void*, std::function<void()>> closers_;  // of open sockets, which live by them
};

// A socket after its handshake.
class PageServer::Body::Socket : public std::enable_shared_from_this<Socket> {
 public:
  Socket(Body& body, tcp::socket&& stream) : body_(body), stream_(std::move(stream)) { ++body_.sockets_; }
  ~Socket() { --body_.sockets_, --body_.connections_; }

  void start(const http::request<http::empty_body>& request, const OpenChannel& open) {
    stream_.set_option(websocket::stream_base::timeout{body_.options_.patience, std::chrono::seconds(120), true});
    stream_.set_option(
        websocket::stream_base::decorator([this](websocket::response_type& response) { body_.protect(response); }));
    stream_.read_message_max(body_.options_.most_message);
    stream_.async_accept(request, [self = this->shared_from_this(), open](error_code problem) {
      if (!problem) self->opened(open);
    });
  }

 private:
  void opened(const OpenChannel& open) {
    body_.closers_.emplace(this, [self = this->shared_from_this()] { self->close(); });
    channel_ = open([weak = this->weak_from_this(), &io = body_.io_](std::string message) {
      asio::post(io, [weak, message = std::move(message)]() mutable {
        if (const auto self = weak.lock()) self->send(std::move(message));
      });
    });
    thread_ = std::thread([this] { work(); });
    read();
  }

  void read() {
    stream_.async_read(buffer_, [self = this->shared_from_this()](error_code problem, std::size_t) {
      if (problem) return self->close();
      self->hand_over(beast::buffers_to_string(self->buffer_.data()));
      self->buffer_.consume(self->buffer_.size());
    });
  }

  void hand_over(std::string message) {
    const std::lock_guard lock(mutex_);
    message_ = std::move(message);
    changed_.notify_one();
  }

  // The socket's own thread.
  void work() {
    for (;;) {
      std::string message;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return message_ || closing_; });
        if (closing_) return;
        message = std::move(*message_);
        message_.reset();
      }
      channel_->receive(message);
      asio::post(body_.io_, [weak = this->weak_from_this()] {
        if (const auto self = weak.lock(); self && !self->closed_) self->read();
      });
    }
  }

  void send(std::string message) {
    if (closed_) return;
    waiting_ += message.size();
    outgoing_.push_back(std::move(message));
    if (waiting_ > body_.options_.most_waiting) return close();
    if (outgoing_.size() == 1) write();
  }

  void write() {
    stream_.text(true);
    stream_.async_write(asio::buffer(outgoing_.front()),
                        [self = this->shared_from_this()](error_code problem, std::size_t) {
                          if (problem) return self->close();
                          self->waiting_ -= self->outgoing_.front().size();
                          self->outgoing_.pop_front();
                          if (!self->outgoing_.empty()) self->write();
                        });
  }

  // Releases the channel behind the socket, and its thread; pending operations end with an error and release the rest.
  // Work in progress gets a signal to end. Another thread waits for it, because
  // waiting here would delay other clients.
  void close() {
    if (closed_) return;
    closed_ = true;
    const auto self = this->shared_from_this();  // beyond the erasing
    body_.closers_.erase(this);
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
      changed_.notify_one();
    }
    beast::get_lowest_layer(stream_).close();
    body_.end([self]() mutable {
      if (self->thread_.joinable()) self->thread_.join();
      self->channel_.reset();
      asio::post(self->body_.io_, [self = std::move(self)] {});  // it counts itself off where sockets are counted
    });
  }

  Body& body_;
  websocket::stream<beast::tcp_stream> stream_;
  beast::flat_buffer buffer_;
  std::unique_ptr<Channel> channel_;
  std::deque<std::string> outgoing_;
  std::size_t waiting_ = 0;
  bool closed_ = false;

  std::mutex mutex_;  // of the members that the thread reads
  std::condition_variable changed_;
  std::optional<std::string> message_;
  bool closing_ = false;
  std::thread thread_;
};

// One request and its answer, or the way to a socket.
class PageServer::Body::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Body& body, tcp::socket&& socket)
      : body_(body), stream_(std::move(socket)), place_(body_.unfinished_.insert(body_.unfinished_.end(), this)) {
    ++body_.connections_;
  }
  ~Connection() {
    arrived();
    if (counted_) --body_.connections_;
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void start() {
    constexpr std::size_t kMostHeader = 16 << 10U;
    parser_.header_limit(kMostHeader);
    parser_.body_limit(0);
    stream_.expires_after(body_.options_.patience);
    http::async_read(stream_, buffer_, parser_, [self = this->shared_from_this()](error_code problem, std::size_t) {
      self->arrived();
      if (!problem) self->answer();
    });
  }
  // The read ends with an error, and nothing holds this object any more.
  void give_way() {
    arrived();
    stream_.close();
  }

 private:
  void arrived() {
    if (place_ == body_.unfinished_.end()) return;
    body_.unfinished_.erase(place_);
    place_ = body_.unfinished_.end();
  }

  void answer() {
    const auto& request = parser_.get();
    const auto field = [&](http::field name) {
      const beast::string_view value = request[name];
      return std::string_view(value.data(), value.size());
    };
    if (request.count(http::field::host) != 1 || !body_.guard_->host_allowed(field(http::field::host))) {
      return refuse(http::status::forbidden, "this server has another name");
    }
    const bool upgrade = websocket::is_upgrade(request);
    const bool has_origin = request.count(http::field::origin) > 0;
    if ((upgrade || has_origin) && !body_.guard_->origin_allowed(field(http::field::origin))) {
      return refuse(http::status::forbidden, "this server answers its own page only");
    }
    const auto target = read_target(std::string_view(request.target().data(), request.target().size()));
    if (!target) return refuse(http::status::bad_request, "no such page");
    if (upgrade) return go_on_as_socket(*target);
    if (request.method() != http::verb::get && request.method() != http::verb::head) {
      return refuse(http::status::method_not_allowed, "there is nothing to write here");
    }
    const Asset* asset = body_.find_asset(target->path);
    if (asset == nullptr) return refuse(http::status::not_found, "no such page");
    if (asset->secret && !body_.guard_->token_allowed(target->token)) {
      return refuse(http::status::forbidden, "open the address that rgtrans studio has printed: the token is missing");
    }
    reply(http::status::ok, asset->type, replaced(asset->text, kNoncePlace, body_.nonce_));
  }

  void go_on_as_socket(const RequestTarget& target) {
    if (!body_.guard_->token_allowed(target.token)) return refuse(http::status::forbidden, "wrong token");
    const auto channel = body_.options_.channels.find(target.path);
    if (channel == body_.options_.channels.end()) return refuse(http::status::not_found, "no such socket");
    if (body_.sockets_ >= body_.options_.most_sockets) {
      return refuse(http::status::service_unavailable, "too many pages are open");
    }
    stream_.expires_never();
    counted_ = false;
    std::make_shared<Socket>(body_, stream_.release_socket())
        ->start(http::request<http::empty_body>(parser_.get()), channel->second);
  }

  void refuse(http::status status, const std::string& why) { reply(status, "text/plain; charset=utf-8", why + "\n"); }

  void reply(http::status status, const std::string& type, std::string text) {
    const auto& request = parser_.get();
    response_.result(status);
    response_.version(request.version());
    body_.protect(response_);
    response_.set(http::field::content_type, type);
    response_.keep_alive(false);
    response_.content_length(text.size());
    if (request.method() != http::verb::head) response_.body() = std::move(text);
    stream_.expires_after(body_.options_.patience);
    http::async_write(stream_, response_, [self = this->shared_from_this()](error_code, std::size_t) {
      error_code ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  Body& body_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{std::size_t{32} << 10U};
  http::request_parser<http::empty_body> parser_;
  http::response<http::string_body> response_;
  bool counted_ = true;
  std::list<Connection*>::iterator place_;
};

void PageServer::Body::accept() {
  acceptor_.async_accept([this](error_code problem, tcp::socket socket) {
    if (problem == asio::error::operation_aborted) return;
    // Who takes his time with a request gives way to those who come.
    const bool full = connections_ >= options_.most_connections;
    const bool room = !full || !unfinished_.empty();
    if (!problem && full && room) unfinished_.front()->give_way();
    if (!problem && room) {
      std::make_shared<Connection>(*this, std::move(socket))->start();
    } else if (!problem) {
      error_code ignored;
      socket.close(ignored);
    } else {
      // No descriptors are left, perhaps: others have to end first.
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    accept();
  });
}

PageServer::PageServer(ServerOptions options) : body_(std::make_unique<Body>(std::move(options))) {}
PageServer::~PageServer() = default;
unsigned short PageServer::port() const { return body_->port(); }
std::string PageServer::address() const { return body_->address(); }
void PageServer::run() { body_->run(); }
bool PageServer::ended(std::chrono::milliseconds patience) { return body_->ended(patience); }
void PageServer::stop() { body_->stop(); }

}  // namespace rgtrans::ide
