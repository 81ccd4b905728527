// Each connection has a thread and a loop of its own, because an answer takes as long as the play clock. Beast's time
// limits belong to its asynchronous calls, so each step is one such call that is run to its end.
#include "cli/ggp/http.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <atomic>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <limits>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

#include "core/support/support.hpp"
#include "core/support/text.hpp"

namespace rgtrans::cli::ggp {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;

namespace {

constexpr std::uint64_t kMaxAnswer = 1ULL << 20U;
constexpr std::size_t kMaxHeader = 1U << 16U;
constexpr std::chrono::seconds kReadTime{30};
constexpr std::chrono::seconds kConnectTime{5};
constexpr std::size_t kMostUnfinished = 32;  // connections whose message has not arrived
constexpr int kMostAnswered = 32;            // connections whose answer is under way
constexpr int kMostConnections = 256;        // also those that are about to end

// Runs one asynchronous step to its end.
template <class Start>
beast::error_code finish(asio::io_context& loop, Start&& start) {
  beast::error_code result = asio::error::would_block;
  start([&result](beast::error_code error, auto&&...) { result = error; });
  loop.restart();
  loop.run();
  return result;
}

// "%28%20INFO" and "+" for a space.
std::string url_decoded(std::string_view text) {
  std::string plain(text);
  std::ranges::replace(plain, '+', ' ');
  return percent_decoded(plain);
}

// Why a message cannot be used.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct TimeIsUp : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A message as it comes in. Memory grows with the bytes that have arrived, whatever the sender says about its length.
class Arriving {
 public:
  Arriving(asio::io_context& loop, beast::tcp_stream& stream, std::size_t most)
      : loop_(loop), stream_(stream), most_(most) {}

  // The lines before the blank one, with the ends that a parser of HTTP expects: old systems send bare line feeds.
  std::string header() {
    std::string lines;
    std::size_t line = 0;  // where it begins
    for (;;) {
      const std::size_t end = bytes_.find('\n', line);
      if (end == std::string::npos) {
        if (bytes_.size() > kMaxHeader) throw Refused(fmt::format("the header has more than {} bytes", kMaxHeader));
        if (!more()) throw Refused(bytes_.empty() ? "nothing was sent" : "the header does not end");
        continue;
      }
      std::string_view text = std::string_view(bytes_).substr(line, end - line);
      if (text.ends_with('\r')) text.remove_suffix(1);
      lines.append(text).append("\r\n");
      line = end + 1;
      if (text.empty() && lines.size() > 2) break;
      if (text.empty()) lines.clear();  // blank lines before a request mean nothing
      if (line > kMaxHeader) throw Refused(fmt::format("the header has more than {} bytes", kMaxHeader));
    }
    bytes_.erase(0, line);
    return lines;
  }

  // The body behind a header that this parser has read.
  template <class Parser>
  std::string body(Parser& parser, bool ends_with_parenthesis) {
    if (const auto length = parser.content_length()) {
      if (*length > most_) throw Refused(fmt::format("{} bytes are announced, {} are the most", *length, most_));
      while (bytes_.size() < *length) {
        if (!more()) throw Refused(fmt::format("{} of {} bytes came", bytes_.size(), *length));
      }
      bytes_.resize(*length);
    } else if (parser.chunked()) {
      return chunks(parser);
    } else {
      while (!(ends_with_parenthesis && complete()) && more()) {
      }
    }
    return std::move(bytes_);
  }

 private:
  // False at the end of the stream.
  bool more() {
    if (bytes_.size() > most_ + kMaxHeader) throw Refused(fmt::format("it has more than {} bytes", most_));
    constexpr std::size_t kPiece = 1U << 14U;
    const std::size_t before = bytes_.size();
    bytes_.resize(before + kPiece);
    std::size_t came = 0;
    const beast::error_code error = finish(loop_, [&](auto done) {
      stream_.async_read_some(asio::buffer(bytes_.data() + before, kPiece),
                              [&came, done](beast::error_code e, std::size_t n) mutable {
                                came = n;
                                done(e);
                              });
    });
    bytes_.resize(before + came);
    if (error == beast::error::timeout) throw TimeIsUp("it did not come in time");
    if (error && error != asio::error::eof) throw Refused(error.message());
    return !error;
  }

  // Without a length a message ends with its last parenthesis, or with the stream.
  bool complete() {
    for (; counted_ < bytes_.size(); ++counted_) {
      const char c = bytes_[counted_];
      opened_ = opened_ || c == '(';
      depth_ += c == '(' ? 1 : c == ')' ? -1 : 0;
    }
    return opened_ && depth_ <= 0;
  }

  template <class Parser>
  std::string chunks(Parser& parser) {
    parser.body_limit(most_);
    parser.eager(true);
    beast::error_code error;
    // An answer without content is done behind its header, whatever that says about chunks.
    while (!parser.is_done()) {
      const std::size_t used = parser.put(asio::buffer(bytes_), error);
      bytes_.erase(0, used);
      if (error && error != http::error::need_more) throw Refused(error.message());
      if (!parser.is_done() && !more()) throw Refused("the last chunk did not come");
    }
    return parser.get().body();
  }

  asio::io_context& loop_;
  beast::tcp_stream& stream_;
  std::size_t most_;
  std::string bytes_;
  std::size_t counted_ = 0;
  int depth_ = 0;
  bool opened_ = false;
};

// Lets the parser read the lines of a header. The length of the body is not its business.
template <class Parser>
void read_header(Parser& parser, Arriving& arriving) {
  parser.header_limit(kMaxHeader * 2);
  parser.body_limit(std::numeric_limits<std::uint64_t>::max());
  const std::string lines = arriving.header();
  beast::error_code error;
  parser.put(asio::buffer(lines), error);
  if (!parser.is_header_done()) throw Refused(fmt::format("this is no HTTP: {}", error.message()));
}

// The sockets whose message has not arrived, in the order in which they came.
class Unfinished {
 public:
  // A sender that takes its time gives way to new ones.
  std::uint64_t add(int socket) {
    const std::lock_guard lock(mutex_);
    if (sockets_.size() >= kMostUnfinished) {
      ::shutdown(sockets_.begin()->second, SHUT_RDWR);  // ends the read; the thread of the socket closes it
      sockets_.erase(sockets_.begin());
    }
    sockets_.emplace(++last_, socket);
    return last_;
  }
  // Before the socket is closed: another one could get its number.
  void remove(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    sockets_.erase(number);
  }

 private:
  std::mutex mutex_;
  std::map<std::uint64_t, int> sockets_;
  std::uint64_t last_ = 0;
};

class Session {
 public:
  Session(asio::io_context& loop, tcp::socket socket, const Server::Options& options)
      : loop_(loop), stream_(std::move(socket)), options_(options) {
    beast::error_code ignored;
    from_ = stream_.socket().remote_endpoint(ignored).address().to_string();
  }

  [[nodiscard]] const std::string& from() const { return from_; }

  int descriptor() { return stream_.socket().native_handle(); }

  // Throws Refused or TimeIsUp where there is no message. `arrived` is called when there is one.
  void serve(const Server::Handler& handler, const std::function<void()>& arrived) {
    http::request_parser<http::string_body> parser;
    stream_.expires_after(kReadTime);
    Arriving arriving(loop_, stream_, options_.most_message);
    read_header(parser, arriving);
    if (!options_.web_pages && from_web_page(parser.get())) {
      answer(http::status::forbidden, "");
      throw Refused("a web page asks, and --web-pages does not allow it");
    }
    const http::verb method = parser.get().method();
    if (method == http::verb::options) return answer(http::status::ok, "");
    std::string message;
    if (method == http::verb::get) {
      message = url_decoded(std::string_view(parser.get().target().data(), parser.get().target().size()));
      message.erase(0, message.find_first_not_of('/'));
    } else {
      message = arriving.body(parser, true);
    }
    arrived();
    answer(http::status::ok, handler({message, from_}));
  }

 private:
  // A browser sends the origin of the page that makes a request. A request from the address bar has none.
  template <class Fields>
  static bool from_web_page(const Fields& fields) {
    const beast::string_view site = fields["Sec-Fetch-Site"];
    return fields.count(http::field::origin) > 0 || (!site.empty() && site != "none");
  }

  void answer(http::status status, const std::string& text) {
    http::response<http::string_body> response(status, 10);
    response.set(http::field::content_type, "text/acl");
    if (options_.web_pages) {
      response.set(http::field::access_control_allow_origin, "*");
      response.set(http::field::access_control_allow_methods, "POST, GET, OPTIONS");
      response.set(http::field::access_control_allow_headers, "Content-Type");
    }
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
  const Server::Options& options_;
  std::string from_;
};

}  // namespace

struct Server::Parts {
  Parts(const std::string& address, std::uint16_t port, Handler h, Options o)
      : handler(std::move(h)),
        options(std::move(o)),
        acceptor(loop, tcp::endpoint(asio::ip::make_address(address), port)) {}

  void refused(const std::string& from, const std::string& why) const {
    if (options.log) options.log(fmt::format("refused a request of {}: {}", from, why));
  }

  Handler handler;
  Options options;
  asio::io_context loop;
  tcp::acceptor acceptor;
  // Why no further connection can be served now; "" if it can.
  [[nodiscard]] std::string busy() const {
    if (answered >= kMostAnswered) return fmt::format("{} answers are under way", kMostAnswered);
    if (connections >= kMostConnections) return fmt::format("{} connections are open", kMostConnections);
    return "";
  }

  // A connection on its thread.
  void serve(asio::io_context& to, tcp::socket socket) {
    Session session(to, std::move(socket), options);
    const std::uint64_t number = unfinished.add(session.descriptor());
    bool has_arrived = false;
    try {
      session.serve(handler, [&] {
        unfinished.remove(number);
        has_arrived = true;
        ++answered;
      });
    } catch (const std::exception& e) {
      refused(session.from(), e.what());
    }
    unfinished.remove(number);
    if (has_arrived) --answered;
  }

  Unfinished unfinished;
  std::atomic<int> connections = 0, answered = 0;
  std::atomic<bool> stopped = false;
};

Server::Server(const std::string& address, std::uint16_t port, Handler handler, Options options) {
  try {
    parts_ = std::make_unique<Parts>(address, port, std::move(handler), std::move(options));
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
    if (const std::string why = p.busy(); !why.empty()) {  // the socket is closed
      beast::error_code ignored;
      p.refused(socket.remote_endpoint(ignored).address().to_string(), why);
      continue;
    }
    ++p.connections;
    try {
      std::thread([&p, loop, socket = std::move(socket)]() mutable {
        p.serve(*loop, std::move(socket));
        --p.connections;
      }).detach();
    } catch (const std::system_error& e) {  // there are no more threads
      --p.connections;
      p.refused("somebody", e.what());
    }
  }
  // Waits until open connections have been answered; they use this object.
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
  http::response_parser<http::string_body> parser;
  try {
    Arriving arriving(loop, stream, kMaxAnswer);
    read_header(parser, arriving);
    return arriving.body(parser, false);
  } catch (const TimeIsUp&) {
    throw TimeOut("no answer in time");
  } catch (const Refused& e) {
    throw NoConnection(fmt::format("the answer cannot be read: {}", e.what()));
  }
}

}  // namespace rgtrans::cli::ggp
