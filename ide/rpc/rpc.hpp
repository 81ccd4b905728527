// JSON-RPC 2.0 for one client. Messages are read, and each request is answered once. Work that takes longer than a
// message runs in lanes, where it can be cancelled.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ide/rpc/lane.hpp"  // IWYU pragma: export
#include "ide/workbench/workbench.hpp"

namespace rgtrans::ide {

// Answers a request with an error.
struct RequestError {
  int code = 0;
  std::string message;
  Json data = nullptr;  // nothing is sent where it is null
};
inline constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601,
                     kInvalidParameters = -32602, kInternalError = -32603, kNotInitialized = -32002,
                     kRequestFailed = -32803, kCancelled = -32800;

// The message as text. Invalid UTF-8, for example in a text of the user, is replaced.
std::string dump(const Json& message);
Json notification(std::string_view method, Json params);
// The member of an object, or a null with static lifetime.
const Json& member(const Json& object, std::string_view key);

// The duty to answer one request, once. Forgotten, it answers by itself.
class Reply {
 public:
  using Send = std::function<void(const Json&)>;
  Reply(Json id, Send send) : id_(std::move(id)), send_(std::move(send)) {}
  ~Reply();
  Reply(const Reply&) = delete;
  Reply& operator=(const Reply&) = delete;
  [[nodiscard]] const Json& id() const { return id_; }
  void result(Json result);
  void error(const RequestError& error);
  void cancelled() { error({kCancelled, "cancelled"}); }
  // Answers with the result or the exception of the call.
  void answer(const std::function<Json()>& call);
  // The same for a call that answers by itself, now or later, unless it throws.
  void attempt(const std::function<void()>& call);

 private:
  void send(const char* key, Json value);

  Json id_;
  Send send_;
  std::atomic<bool> answered_ = false;
};
using ReplyPointer = std::shared_ptr<Reply>;

struct Incoming {
  std::string method;
  Json params;
  ReplyPointer reply;  // null for a notification
};
// Nothing for an invalid message, which it refuses, and for the answers of a client.
std::optional<Incoming> read_message(std::string_view text, const Reply::Send& send);

// By which the work of a request is known to lanes.
std::string key_of(const Json& id);
// Answers in a lane; work that is dropped or cancelled there is answered, too.
void answer_in(Lane& lane, const std::string& key, const ReplyPointer& reply, std::function<Json(const Stop&)> work);

}  // namespace rgtrans::ide
