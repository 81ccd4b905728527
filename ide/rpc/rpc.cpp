#include "ide/rpc/rpc.hpp"

#include <cstdlib>

#include "core/support/json_text.hpp"
#include "core/support/progress.hpp"

namespace rgtrans::ide {

std::string dump(const Json& message) { return message.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json notification(std::string_view method, Json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

const Json& member(const Json& object, std::string_view key) {
  static const Json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(key);
  return found == object.end() ? kNull : *found;
}

// --- Replies. ---

Reply::~Reply() {
  if (!answered_) error({kInternalError, "the request was not answered"});
}

void Reply::send(const char* key, Json value) {
  if (answered_.exchange(true)) return;
  Json message{{"jsonrpc", "2.0"}, {"id", id_}};
  message[key] = std::move(value);
  send_(message);
}

void Reply::result(Json result) { send("result", std::move(result)); }

void Reply::error(const RequestError& error) {
  Json value{{"code", error.code}, {"message", error.message}};
  if (!error.data.is_null()) value["data"] = error.data;
  send("error", std::move(value));
}

void Reply::answer(const std::function<Json()>& call) {
  attempt([&] { result(call()); });
}

void Reply::attempt(const std::function<void()>& call) {
  try {
    call();
  } catch (const Abandoned&) {
    cancelled();
  } catch (const RequestError& problem) {
    error(problem);
  } catch (const BadField& problem) {
    error({kInvalidParameters, problem.what()});
  } catch (const Json::exception&) {
    error({kInvalidParameters, "the parameters have another form"});
  } catch (const Error& problem) {
    error({kRequestFailed, problem.what(), to_json_message(complaints_of(problem))});
  } catch (const std::exception& problem) {
    error({kInternalError, problem.what()});
  }
}

// --- Messages. ---

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

}  // namespace

std::optional<Incoming> read_message(std::string_view text, const Reply::Send& send) {
  const auto refuse = [&](const Json& id, const RequestError& error) {
    Reply(id, send).error(error);
    return std::nullopt;
  };
  if (nests_too_deeply(text)) return refuse(nullptr, {kInvalidRequest, "the message nests too deeply"});
  Json json = parse_json<Json>(text);
  if (json.is_discarded()) json = parse_json<Json>(without_lone_surrogates(valid_utf8(text)));
  if (json.is_discarded()) return refuse(nullptr, {kParseError, "this is not JSON"});
  if (!json.is_object()) return refuse(nullptr, {kInvalidRequest, "a message is an object"});
  if (!member(json, "method").is_string()) {
    // Answers of the client are not waited for.
    if (json.contains("result") || json.contains("error")) return std::nullopt;
    return refuse(member(json, "id"), {kInvalidRequest, "there is no method"});
  }
  Incoming incoming{json["method"], member(json, "params"), nullptr};
  if (json.contains("id")) incoming.reply = std::make_shared<Reply>(json["id"], send);
  return incoming;
}

// --- Lanes. ---

std::string key_of(const Json& id) { return "request:" + dump(id); }

void answer_in(Lane& lane, const std::string& key, const ReplyPointer& reply, std::function<Json(const Stop&)> work) {
  lane.post(
      key,
      [reply, work = std::move(work)](const Stop& stop) {
        reply->answer([&] {
          stop.check();
          const WhileWanted asking([&stop] { stop.check(); });
          return work(stop);
        });
      },
      [reply] { reply->cancelled(); });
}

}  // namespace rgtrans::ide
