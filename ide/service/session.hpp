// The language service: one client talks to it in messages of JSON-RPC, as the Language Server Protocol defines them.
// The owner of a Session carries the messages: `rgtrans lsp` over standard input and output, the studio over a
// WebSocket.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace rgtrans::ide {

class Session {
 public:
  using Send = std::function<void(std::string message)>;  // called from any thread, from one at a time
  explicit Session(Send send);
  ~Session();  // cancels what is running, and waits for it
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // One message, without a header. Returns before the work is done.
  void receive(std::string_view message);
  // The client sent `exit`; no message is sent any more.
  [[nodiscard]] bool finished() const;
  // Waits until all requests are answered and no diagnostics are pending.
  void wait_until_idle() const;

  class Implementation;

 private:
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace rgtrans::ide
