// The HTTP of the Game Manager protocol: one message a connection, sizes and times bounded.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

namespace rgtrans::cli::ggp {

// Answers messages until stop() is called.
class Server {
 public:
  using Handler = std::function<std::string(const std::string& message)>;
  // Port 0 takes any free one. Throws Error when the address is taken.
  Server(const std::string& address, std::uint16_t port, Handler handler);
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
