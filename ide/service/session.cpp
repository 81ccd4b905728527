// From messages to the tables of requests, and back.
#include "ide/service/session.hpp"

#include <chrono>
#include <thread>

#include "ide/service/service.hpp"

namespace rgtrans::ide {

namespace {

template <class Row>
const Row* find_row(std::span<const Row> table, std::string_view method) {
  for (const Row& row : table) {
    if (row.method == method) return &row;
  }
  return nullptr;
}

}  // namespace

class Session::Implementation {
 public:
  explicit Implementation(Send send) : service_(std::move(send)) {}
  // The client may have disconnected already.
  ~Implementation() { service_.close(); }

  void receive(std::string_view text) {
    const auto read = read_message(text, [this](const Json& answer) { service_.send(answer); });
    if (!read) return;
    const auto message = std::make_shared<const Incoming>(*read);
    if (message->method == "$/cancelRequest") return cancel(member(message->params, "id"));
    if (message->method == "exit") finished_ = true;
    if (message->reply == nullptr) return front_.post({}, [this, message](Stop&) { handle_notification(*message); });
    front_.post(
        key_of(message->reply->id()),
        [this, message](const Stop& stop) { message->reply->attempt([&] { handle_request(*message, stop); }); },
        [message] { message->reply->cancelled(); });
  }

  [[nodiscard]] bool finished() const { return finished_; }
  [[nodiscard]] bool idle() const { return front_.idle() && service_.idle() && front_.idle(); }

 private:
  void cancel(const Json& id) {
    const std::string key = key_of(id);
    front_.cancel(key);
    service_.cancel(key);
  }

  void handle_request(const Incoming& message, const Stop& stop) {
    const auto& [method, params, reply] = message;
    stop.check();
    if (method == "initialize") {
      if (initialized_) throw RequestError{kInvalidRequest, "initialize was sent before"};
      initialized_ = true;
      return reply->result(initialize(service_, params));
    }
    if (!initialized_) throw RequestError{kNotInitialized, "initialize has to come first"};
    if (shut_down_) throw RequestError{kInvalidRequest, "the service was shut down"};
    if (method == "shutdown") {
      shut_down_ = true;
      return reply->result(nullptr);
    }
    if (const Request* row = find_row(requests(), method)) return reply->result(row->answer(service_, params));
    const SlowRequest* slow = find_row(slow_requests(), method);
    if (slow == nullptr) throw RequestError{kMethodNotFound, "there is no method " + method};
    Lane& lane = service_.lane(slow->pace);
    answer_in(lane, key_of(reply->id()), reply, slow->begin(service_, params));
    // It may have been cancelled on its way from one lane to the other.
    if (stop.requested()) lane.cancel(key_of(reply->id()));
  }

  void handle_notification(const Incoming& message);

  std::atomic<bool> finished_ = false;
  bool initialized_ = false, shut_down_ = false;
  Service service_;
  Lane front_;  // destroyed before the members that it uses
};

namespace {

void open(Service& service, const OpenParams& params) {
  const OpenedText& opened = params.document;
  service.change_document(
      std::make_shared<Snapshot>(opened.uri, opened.language, opened.version.value_or(0), opened.text));
}

void change(Service& service, const ChangeParams& params) {
  const SnapshotPointer before = service.document(params.document);
  std::string text = before->text;
  std::optional<Lines> lines = before->lines;
  for (const TextChange& edit : params.changes) {
    if (!edit.range) {
      text = edit.text;
    } else {
      const auto offset = [&](const EditorPlace& place) {
        return lines->offset(Service::place(place), text, service.encoding);
      };
      const std::uint32_t begin = offset(edit.range->start), end = offset(edit.range->end);
      text.replace(std::min(begin, end), std::max(begin, end) - std::min(begin, end), edit.text);
    }
    lines.emplace(text);
  }
  service.change_document(std::make_shared<Snapshot>(before->uri, before->language_id,
                                                     params.document.version.value_or(before->version + 1),
                                                     std::move(text), before->game()));
}

void close(Service& service, const DocumentParams& params) { service.close_document(params.document.uri); }

}  // namespace

void Session::Implementation::handle_notification(const Incoming& message) {
  if (!initialized_ || shut_down_) return;
  // Nobody waits for an answer, so that a notification of another form can only be left out.
  try {
    if (message.method == "textDocument/didOpen") open(service_, from_json_message<OpenParams>(message.params));
    if (message.method == "textDocument/didChange") change(service_, from_json_message<ChangeParams>(message.params));
    if (message.method == "textDocument/didClose") close(service_, from_json_message<DocumentParams>(message.params));
  } catch (const RequestError&) {
  } catch (const BadField&) {
  }
}

Session::Session(Send send) : implementation_(std::make_unique<Implementation>(std::move(send))) {}
Session::~Session() = default;
void Session::receive(std::string_view message) { implementation_->receive(message); }
bool Session::finished() const { return implementation_->finished(); }

void Session::wait_until_idle() const {
  while (!implementation_->idle()) std::this_thread::sleep_for(std::chrono::microseconds(200));
}

}  // namespace rgtrans::ide
