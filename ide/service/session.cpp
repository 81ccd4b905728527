// From messages to the tables of requests, and back.
#include "ide/service/session.hpp"

#include <chrono>
#include <thread>

#include "core/support/progress.hpp"
#include "ide/service/service.hpp"

namespace rgtrans::ide {

namespace {

// Clients in JavaScript may write half of a surrogate pair, which is no character; any other unit keeps places right.
std::string without_lone_surrogates(std::string_view text) {
  std::string result(text);
  const auto unit = [&](std::size_t at) -> unsigned {
    if (at + 6 > result.size() || result[at] != '\\' || result[at + 1] != 'u') return 0;
    return static_cast<unsigned>(std::strtoul(result.substr(at + 2, 4).c_str(), nullptr, 16));
  };
  for (std::size_t at = 0; at + 1 < result.size(); ++at) {
    if (result[at] != '\\') continue;
    const unsigned first = unit(at);
    if (first >= 0xd800 && first < 0xdc00 && unit(at + 6) >= 0xdc00 && unit(at + 6) < 0xe000) {
      at += 11;
    } else if (first >= 0xd800 && first < 0xe000) {
      result.replace(at + 2, 4, "fffd");
    } else {
      ++at;
    }
  }
  return result;
}

std::optional<Json> parse_message(std::string_view message) {
  Json json = Json::parse(message, nullptr, false);
  if (json.is_discarded()) json = Json::parse(without_lone_surrogates(valid_utf8(message)), nullptr, false);
  if (json.is_discarded()) return std::nullopt;
  return json;
}

std::string key_of(const Json& id) { return "request:" + id.dump(-1, ' ', false, Json::error_handler_t::replace); }

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
  // The client may be gone already.
  ~Implementation() { service_.close(); }

  void receive(std::string_view text) {
    auto message = parse_message(text);
    if (!message) return refuse(nullptr, {kParseError, "this is not JSON"});
    if (!message->is_object()) return refuse(nullptr, {kInvalidRequest, "a message is an object"});
    const Json& method = member(*message, "method");
    const Json& id = member(*message, "id");
    if (!method.is_string()) {
      // Answers of the client are not waited for.
      if (!message->contains("result") && !message->contains("error"))
        refuse(id, {kInvalidRequest, "there is no method"});
      return;
    }
    if (method == "$/cancelRequest") return cancel(member(member(*message, "params"), "id"));
    if (method == "exit") finished_ = true;
    auto shared = std::make_shared<Json>(std::move(*message));
    if (!shared->contains("id")) {
      front_.post({}, [this, shared](Stop&) { handle_notification(*shared); });
      return;
    }
    auto reply = std::make_shared<Reply>((*shared)["id"], [this](const Json& answer) { service_.send(answer); });
    front_.post(
        key_of((*shared)["id"]), [this, shared, reply](Stop& stop) { handle_request(*shared, reply, stop); },
        [reply] {
          reply->error({kCancelled, "the request was cancelled"});
        });
  }

  [[nodiscard]] bool finished() const { return finished_; }
  [[nodiscard]] bool idle() const { return front_.idle() && service_.idle() && front_.idle(); }

 private:
  void refuse(const Json& id, const RequestError& error) {
    Reply(id, [this](const Json& j) { service_.send(j); }).error(error);
  }

  void cancel(const Json& id) {
    const std::string key = key_of(id);
    front_.cancel(key);
    service_.cancel(key);
  }

  void handle_request(const Json& message, const ReplyPointer& reply, const Stop& stop) {
    const std::string method = message["method"];
    const Json& params = member(message, "params");
    try {
      if (stop.requested()) throw RequestError{kCancelled, "the request was cancelled"};
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
      defer(*slow, slow->begin(service_, params), message["id"], reply, stop);
    } catch (const RequestError& error) {
      reply->error(error);
    } catch (const Error& error) {
      reply->error({kRequestFailed, error.what()});
    } catch (const Json::exception&) {
      reply->error({kInvalidParameters, "the parameters of " + method + " have another form"});
    } catch (const std::exception& error) {
      reply->error({kInternalError, error.what()});
    }
  }

  void defer(const SlowRequest& row, Rest rest, const Json& id, const ReplyPointer& reply, const Stop& stop) {
    const auto cancelled = [reply] { reply->error({kCancelled, "the request was cancelled"}); };
    const std::string key = key_of(id);
    Lane& lane = service_.lane(row.pace);
    lane.post(
        key,
        [reply, cancelled, rest = std::move(rest)](const Stop& wanted) {
          try {
            wanted.check();
            const WhileWanted asking([&wanted] { wanted.check(); });
            reply->result(rest(wanted));
          } catch (const Abandoned&) {
            cancelled();
          } catch (const RequestError& error) {
            reply->error(error);
          } catch (const std::exception& error) {
            reply->error({kRequestFailed, error.what()});
          }
        },
        cancelled);
    // It may have been cancelled on its way from one lane to the other.
    if (stop.requested()) lane.cancel(key);
  }

  void handle_notification(const Json& message);

  std::atomic<bool> finished_ = false;
  bool initialized_ = false, shut_down_ = false;
  Service service_;
  Lane front_;  // is gone before what it uses
};

namespace {

void open(Service& service, const Json& params) {
  const Json& document = params.at("textDocument");
  service.change_document(std::make_shared<Snapshot>(document.at("uri"), document.value("languageId", ""),
                                                     document.value("version", std::int64_t{0}), document.at("text")));
}

void change(Service& service, const Json& params) {
  const SnapshotPointer before = service.document(params);
  std::string text = before->text;
  std::optional<Lines> lines = before->lines;
  for (const Json& edit : params.at("contentChanges")) {
    const std::string& replacement = edit.at("text").get_ref<const std::string&>();
    if (!edit.contains("range")) {
      text = replacement;
    } else {
      const auto offset = [&](const Json& place) {
        return lines->offset(Service::place(place), text, service.encoding);
      };
      const std::uint32_t begin = offset(edit["range"].at("start")), end = offset(edit["range"].at("end"));
      text.replace(std::min(begin, end), std::max(begin, end) - std::min(begin, end), replacement);
    }
    lines.emplace(text);
  }
  service.change_document(std::make_shared<Snapshot>(before->uri, before->language_id,
                                                     params.at("textDocument").value("version", before->version + 1),
                                                     std::move(text), before->game()));
}

void close(Service& service, const Json& params) { service.close_document(params.at("textDocument").at("uri")); }

}  // namespace

void Session::Implementation::handle_notification(const Json& message) {
  if (!initialized_ || shut_down_) return;
  const std::string& method = message["method"].get_ref<const std::string&>();
  const Json& params = member(message, "params");
  // Nobody waits for an answer, so that a notification of another form can only be left out.
  try {
    if (method == "textDocument/didOpen") open(service_, params);
    if (method == "textDocument/didChange") change(service_, params);
    if (method == "textDocument/didClose") close(service_, params);
  } catch (const RequestError&) {
  } catch (const Json::exception&) {
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
