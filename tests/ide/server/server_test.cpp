// The server against those who mean it no good: each is refused, and a well-behaved client is served all the while.
#include "ide/server/server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <future>
#include <memory>
#include <optional>
#include <thread>

#include "ide/server/guard.hpp"

namespace rgtrans::ide {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// A client that sends exactly the given bytes.
class Client {
 public:
  explicit Client(unsigned short port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    timeval patience{5, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  [[nodiscard]] bool connected() const { return connected_; }
  bool send(std::string_view text) {
    while (!text.empty()) {
      const ssize_t n = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }
  // "" when the server has closed, or says nothing for five seconds.
  std::string receive(std::size_t most = 65536) {
    std::string text(most, '\0');
    const ssize_t n = ::recv(socket_, text.data(), text.size(), 0);
    text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return text;
  }
  std::string all() {
    std::string text;
    for (std::string part = receive(); !part.empty(); part = receive()) text += part;
    return text;
  }
  // A text frame, masked with zeros.
  bool send_frame(std::string_view text, std::optional<std::uint64_t> said = {}) {
    const std::uint64_t size = said.value_or(text.size());
    std::string frame = "\x81";
    if (size < 126) {
      frame += static_cast<char>(0x80U | size);
    } else {
      frame += static_cast<char>(0xff);
      for (int shift = 56; shift >= 0; shift -= 8) frame += static_cast<char>((size >> shift) & 0xffU);
    }
    frame += std::string(4, '\0');
    return send(frame + std::string(text));
  }

 private:
  int socket_;
  bool connected_ = false;
};

class Echo : public Channel {
 public:
  explicit Echo(Send send) : send_(std::move(send)) {}
  void receive(std::string_view message) override {
    if (message == "flood") {
      for (int i = 0; i < 400; ++i) send_(std::string(100'000, 'x'));
    } else {
      send_("<" + std::string(message) + ">");
    }
  }

 private:
  Send send_;
};

// Takes its time, even if a client waits.
class Slow : public Channel {
 public:
  explicit Slow(std::shared_future<void> end) : end_(std::move(end)) {}
  ~Slow() override { end_.wait(); }
  void receive(std::string_view) override { end_.wait(); }

 private:
  std::shared_future<void> end_;
};

std::size_t resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) >> 20U;
}

class ServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ServerOptions options;
    options.token = kToken;
    options.patience = std::chrono::seconds(1);
    options.most_waiting = std::size_t{4} << 20U;
    options.assets = {{"/", "text/html", "<p>@NONCE@</p>", true}, {"/page.js", "text/javascript", "let x = 1;", false}};
    options.channels["/echo"] = [](Send send) { return std::make_unique<Echo>(std::move(send)); };
    options.channels["/slow"] = [this](const Send&) { return std::make_unique<Slow>(end_.get_future().share()); };
    server_ = std::make_unique<PageServer>(std::move(options));
    thread_ = std::thread([this] { server_->run(); });
  }
  void TearDown() override {
    server_->stop();
    thread_.join();
  }

  std::string host() const { return fmt::format("127.0.0.1:{}", server_->port()); }
  std::string ask(const std::string& request) const {
    Client client(server_->port());
    client.send(request);
    return client.all();
  }
  std::string get(const std::string& target, const std::string& more = "") const {
    return ask(fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\n{}\r\n", target, host(), more));
  }
  std::string handshake(const std::string& target, const std::string& origin) const {
    return fmt::format(
        "GET {} HTTP/1.1\r\nHost: {}\r\n{}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        target, host(), origin.empty() ? "" : "Origin: " + origin + "\r\n");
  }
  std::unique_ptr<Client> socket() const {
    auto client = std::make_unique<Client>(server_->port());
    client->send(handshake(fmt::format("/echo?token={}", kToken), "http://" + host()));
    EXPECT_THAT(client->receive(), StartsWith("HTTP/1.1 101"));
    return client;
  }
  void expect_good_service() const {
    const auto client = socket();
    client->send_frame("hello");
    EXPECT_EQ(client->receive(), "\x81\x07<hello>");
    EXPECT_THAT(get("/page.js"), HasSubstr("let x = 1;"));
  }

  static constexpr const char* kToken = "0123456789abcdef0123456789abcdef";
  std::promise<void> end_;  // of slow work
  std::unique_ptr<PageServer> server_;
  std::thread thread_;
};

TEST_F(ServerTest, ServesItsFilesWithAStrictPolicy) {
  const std::string page = get(fmt::format("/?token={}", kToken));
  EXPECT_THAT(page, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(page, HasSubstr("Content-Security-Policy: default-src 'none'"));
  EXPECT_THAT(page, HasSubstr("frame-ancestors 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("@NONCE@")));
  EXPECT_THAT(page, Not(HasSubstr("unsafe-inline'; img")));
  expect_good_service();
}

TEST_F(ServerTest, TheAddressOpensThePage) {
  EXPECT_EQ(server_->address(), fmt::format("http://127.0.0.1:{}/?token={}", server_->port(), kToken));
}

TEST_F(ServerTest, AsksForTheToken) {
  EXPECT_THAT(get("/"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(get("/?token=0123456789abcdef0123456789abcdee"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(get(fmt::format("/?token={}0", kToken)), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(ask(handshake("/echo", "http://" + host())), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(ask(handshake("/echo?token=", "http://" + host())), StartsWith("HTTP/1.1 403"));
}

TEST_F(ServerTest, RefusesOtherNames) {
  for (const char* name : {"evil.example", "evil.example:80", "127.0.0.1", "localhost.evil.example"}) {
    EXPECT_THAT(ask(fmt::format("GET /page.js HTTP/1.1\r\nHost: {}\r\n\r\n", name)), StartsWith("HTTP/1.1 403"))
        << name;
  }
  EXPECT_THAT(ask("GET /page.js HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(ask(fmt::format("GET /page.js HTTP/1.1\r\nHost: {0}\r\nHost: evil.example\r\n\r\n", host())),
              StartsWith("HTTP/1.1 403"));
}

TEST_F(ServerTest, RefusesOtherOrigins) {
  const std::string target = fmt::format("/echo?token={}", kToken);
  for (const std::string& origin :
       {std::string("http://evil.example"), std::string("null"), "https://" + host(),
        "http://" + host() + ".evil.example", std::string("http://127.0.0.1:1"), std::string()}) {
    EXPECT_THAT(ask(handshake(target, origin)), StartsWith("HTTP/1.1 403")) << origin;
  }
  EXPECT_THAT(get("/page.js", "Origin: http://evil.example\r\n"), StartsWith("HTTP/1.1 403"));
}

TEST_F(ServerTest, KnowsNoOtherPaths) {
  for (const char* path : {"/../../etc/passwd", "/%2e%2e/etc/passwd", "/page.js/../../etc/passwd", "//etc/passwd\\x"}) {
    EXPECT_THAT(get(path), StartsWith("HTTP/1.1 4")) << path;
  }
  EXPECT_THAT(get("/etc/passwd"), StartsWith("HTTP/1.1 404"));
  EXPECT_THAT(ask(fmt::format("POST /page.js HTTP/1.1\r\nHost: {}\r\nContent-Length: 0\r\n\r\n", host())),
              StartsWith("HTTP/1.1 405"));
  EXPECT_THAT(ask(handshake(fmt::format("/other?token={}", kToken), "http://" + host())), StartsWith("HTTP/1.1 404"));
}

TEST_F(ServerTest, BoundsRequests) {
  EXPECT_THAT(get("/page.js", "X: " + std::string(200'000, 'x') + "\r\n"), Not(HasSubstr("200 OK")));
  EXPECT_THAT(ask("nonsense\r\n\r\n"), Not(HasSubstr("200 OK")));
  expect_good_service();
}

TEST_F(ServerTest, RefusesHugeMessages) {
  const std::size_t before = resident_megabytes();
  const auto client = socket();
  client->send_frame(std::string(70'000, 'x'), std::uint64_t{100} << 20U);
  client->all();  // ends, because the server does not wait for the rest
  const auto lying = socket();
  lying->send_frame("x", UINT64_MAX >> 1U);
  lying->all();
  expect_good_service();
  EXPECT_LT(resident_megabytes(), before + 40);
}

TEST_F(ServerTest, AThousandConnectionsShutNobodyOut) {
  const auto served = socket();
  const std::size_t before = resident_megabytes();
  {
    std::vector<std::unique_ptr<Client>> crowd;
    for (int i = 0; i < 1000; ++i) crowd.push_back(std::make_unique<Client>(server_->port()));
    served->send_frame("still");
    EXPECT_EQ(served->receive(), "\x81\x07<still>");
    expect_good_service();  // those who say nothing give way
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1300));
  expect_good_service();
  EXPECT_LT(resident_megabytes(), before + 64);
}

TEST_F(ServerTest, DropsThoseWhoDoNotFinishTheirRequest) {
  Client slow(server_->port());
  slow.send("GET / HTTP/1.1\r\nHost: ");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(slow.all(), "");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(4));
}

TEST_F(ServerTest, DropsThoseWhoDoNotReadTheirAnswers) {
  const auto slow = socket();
  const std::size_t before = resident_megabytes();
  slow->send_frame("flood");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_LT(resident_megabytes(), before + 80);
  expect_good_service();
  EXPECT_LT(slow->all().size(), 400 * 100'000U);
}

// A page that closes in the middle of its work lets others go on, and the server end.
TEST_F(ServerTest, WorkOfAClosedPageKeepsNobodyWaiting) {
  {
    Client page(server_->port());
    page.send(handshake(fmt::format("/slow?token={}", kToken), "http://" + host()));
    EXPECT_THAT(page.receive(), StartsWith("HTTP/1.1 101"));
    page.send_frame("work");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 5; ++i) expect_good_service();
  server_->stop();
  thread_.join();
  EXPECT_FALSE(server_->ended(std::chrono::milliseconds(100))) << "the work goes on";
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3));
  end_.set_value();
  EXPECT_TRUE(server_->ended(std::chrono::seconds(10)));
  thread_ = std::thread([] {});
}

TEST(Guard, KnowsItsNames) {
  const Guard guard(7474, "abc");
  EXPECT_TRUE(guard.host_allowed("127.0.0.1:7474"));
  EXPECT_TRUE(guard.host_allowed("localhost:7474"));
  EXPECT_FALSE(guard.host_allowed("localhost:7475"));
  EXPECT_FALSE(guard.host_allowed(""));
  EXPECT_TRUE(guard.origin_allowed("http://localhost:7474"));
  EXPECT_FALSE(guard.origin_allowed("localhost:7474"));
  EXPECT_TRUE(guard.token_allowed("abc"));
  EXPECT_FALSE(guard.token_allowed("ab"));
  EXPECT_FALSE(guard.token_allowed("abcd"));
  EXPECT_FALSE(Guard(1, "").token_allowed(""));
}

TEST(Guard, ReadsTargets) {
  EXPECT_EQ(read_target("/a/b.js")->path, "/a/b.js");
  EXPECT_EQ(read_target("/?x=1&token=t&y=2")->token, "t");
  EXPECT_FALSE(read_target("a"));
  EXPECT_FALSE(read_target("http://evil.example/"));
  EXPECT_FALSE(read_target("/a/../b"));
  EXPECT_FALSE(read_target("/a%2fb"));
  EXPECT_FALSE(read_target("/" + std::string(1000, 'a')));
}

TEST(Guard, TokensDiffer) {
  EXPECT_EQ(random_token().size(), 32U);
  EXPECT_NE(random_token(), random_token());
}

}  // namespace
}  // namespace rgtrans::ide
