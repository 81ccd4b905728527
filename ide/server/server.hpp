// A server for one person at one machine: the files of a page, and sockets over which the page talks to a channel. It
// listens on the loopback interface only and bounds all memory that a client can make it reserve.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ide/server/guard.hpp"  // IWYU pragma: export

namespace rgtrans::ide {

// The far end of a socket. Messages come one after the other, on a thread of the channel's own.
class Channel {
 public:
  virtual ~Channel() = default;
  virtual void receive(std::string_view message) = 0;
};
using Send = std::function<void(std::string message)>;  // from any thread, also after the socket was closed
using OpenChannel = std::function<std::unique_ptr<Channel>(Send send)>;

// A file of the page. In its text @NONCE@ is replaced by the secret that permits the page to add styles.
struct Asset {
  std::string path;  // "/studio.js"
  std::string type;  // "text/javascript; charset=utf-8"
  std::string_view text;
  bool secret = false;  // only for those who know the token
};

struct ServerOptions {
  unsigned short port = 0;    // 0: any that is free
  bool another_port = false;  // where that one is taken: any that is free
  std::string token;
  std::vector<Asset> assets;
  std::map<std::string, OpenChannel> channels;  // by path

  std::size_t most_connections = 64;
  std::size_t most_sockets = 24;
  std::size_t most_message = std::size_t{8} << 20U;   // bytes of one
  std::size_t most_waiting = std::size_t{64} << 20U;  // bytes that a client is too slow to take
  std::chrono::seconds patience{10};                  // with a request, and with a client that takes nothing
};

class PageServer {
 public:
  // Listens from here on. Throws Error when the port is taken.
  explicit PageServer(ServerOptions options);
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  [[nodiscard]] unsigned short port() const;
  // To be opened in a browser; the token is in it.
  [[nodiscard]] std::string address() const;
  // Serves until stop(), which any thread may call, or the signals by which programs are ended.
  void run();
  void stop();
  // After run(): whether the work of all channels has ended, at the latest when this time is over. The destructor waits
  // for it.
  bool ended(std::chrono::milliseconds patience);

 private:
  class Body;
  std::unique_ptr<Body> body_;
};

}  // namespace rgtrans::ide
