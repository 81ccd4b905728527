#include "ide/desk/desk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <memory>
#include <mutex>

#include "ide/rpc/rpc.hpp"

namespace rgtrans::ide {

namespace {

constexpr std::size_t kMostSlow = 4;
constexpr std::size_t kMostWaiting = 256;

}  // namespace

class Desk::Body {
 public:
  Body(std::shared_ptr<const Host> host, Answer answer)
      : send_([answer = std::move(answer)](const Json& message) { answer(dump(message)); }) {
    bench_.host = std::move(host);
  }

  void receive(std::string_view text) {
    const auto message = read_message(text, send_);
    if (!message) return;
    const Json params = message->params.is_object() ? message->params : Json::object();
    if (message->method == "cancel") return cancel(from_json_message<CancelRequest>(params).id);
    if (message->reply == nullptr) return;
    if (quick_.waiting() >= kMostWaiting) return message->reply->error({kRequestFailed, "too many requests wait"});
    if (const Verb* verb = find_verb(text_verbs(), message->method)) return answer(*verb, params, message->reply);
    if (const Verb* verb = find_verb(game_verbs(), message->method)) return answer(*verb, params, message->reply);
    message->reply->error({kMethodNotFound, fmt::format("there is no method {}", message->method)});
  }

 private:
  void answer(const Verb& verb, const Json& params, const ReplyPointer& reply) {
    if (verb.slow != nullptr) {
      // It is about the text that was opened before it.
      return quick_.post(
          key_of(reply->id()), [this, &verb, params, reply](const Stop& stop) { start(verb, params, reply, stop); },
          [reply] { reply->cancelled(); });
    }
    // A text that is opened after another one makes that one needless.
    const std::string key = verb.name == "open" ? "open" : key_of(reply->id());
    answer_in(quick_, key, reply, [this, &verb, params](const Stop& stop) { return verb.quick(bench_, params, stop); });
  }

  void start(const Verb& verb, const Json& params, const ReplyPointer& reply, const Stop& stop) {
    const std::lock_guard lock(mutex_);
    const auto free = std::ranges::find_if(slow_, &Lane::idle);
    if (free == slow_.end() && slow_.size() >= kMostSlow)
      return reply->error({kRequestFailed, "too much is under way; cancel something"});
    Lane& lane = free == slow_.end() ? slow_.emplace_back() : *free;
    answer_in(lane, key_of(reply->id()), reply,
              [this, &verb, params, id = reply->id(), document = bench_.document](const Stop& stop) {
                const auto tell = [&](Json value) {
                  send_(notification("progress", {{"id", id}, {"value", std::move(value)}}));
                };
                return verb.slow({*bench_.host, game_of(document), stop}, params, tell);
              });
    // It may have been cancelled on its way from one lane to the other.
    if (stop.requested()) lane.cancel(key_of(reply->id()));
  }

  void cancel(const Json& id) {
    const std::string key = key_of(id);
    quick_.cancel(key);
    const std::lock_guard lock(mutex_);
    for (Lane& lane : slow_) lane.cancel(key);
  }

  Reply::Send send_;
  Bench bench_;  // of the quick lane
  std::mutex mutex_;
  std::list<Lane> slow_;
  Lane quick_;  // destroyed before the members that it uses
};

Desk::Desk(std::shared_ptr<const Host> host, Answer answer)
    : body_(std::make_unique<Body>(std::move(host), std::move(answer))) {}
Desk::~Desk() = default;
void Desk::receive(std::string_view message) { body_->receive(message); }

}  // namespace rgtrans::ide
