// The HTTP of the Game Manager protocol: one message a connection, sizes and times bounded.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

namespace rgtrans::cli::ggp {

struct Received {
  std::string message;
  std::string from;  // the sender's address, without the port
};

// Answers messages until stop() is called.
class Server {
 public:
  using Handler = std::function<std::string(const Received& received)>;
  // Gets a line for each request that is refused, from any thread.
  using Log = std::function<void(const std::string& line)>;
  struct Options {
    Log log{};
    bool web_pages = false;                                // pages of every origin may ask and read the answers
    std::uint64_t most_message = std::uint64_t{1} << 20U;  // bytes
  };
  // Port 0 takes any free one. Throws Error when the address is taken.
  Server(const std::string& address, std::uint16_t port, Handler handler, Options options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  [[nodiscard]] std::uint16_t port() const;
  void run();
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

struct NoConnection : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct TimeOut : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// Sends a message and waits for the answer; throws NoConnection or TimeOut.
std::string send_message(const std::string& host, const std::string& port, const std::string& receiver,
                         const std::string& message, std::chrono::steady_clock::duration patience);

}  // namespace rgtrans::cli::ggp
