#include "tests/ide/service/client.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "ide/workbench/text.hpp"

namespace rgtrans::ide {

Json usual_capabilities() {
  return {{"workspace", {{"inlayHint", {{"refreshSupport", true}}}}},
          {"textDocument",
           {{"completion", {{"completionItem", {{"snippetSupport", true}}}}},
            {"documentSymbol", {{"hierarchicalDocumentSymbolSupport", true}}},
            {"rename", {{"prepareSupport", true}}},
            {"hover", {{"contentFormat", {"markdown", "plaintext"}}}}}}};
}

Client::Client(const Json& capabilities, const Json& root)
    : session_([this](const std::string& message) { take(message); }) {
  if (capabilities.is_null()) return;
  result("initialize", {{"processId", nullptr}, {"rootUri", root}, {"capabilities", capabilities}});
  notify("initialized", Json::object());
}

void Client::take(const std::string& text) {
  Json message = Json::parse(text);
  const std::lock_guard lock(mutex_);
  if (message.contains("method")) {
    if (message["method"] == "textDocument/publishDiagnostics")
      diagnostics_[message["params"]["uri"]] = message["params"]["diagnostics"];
    told_.push_back(std::move(message));
  } else {
    answers_.push_back(std::move(message));
  }
  changed_.notify_all();
}

void Client::notify(std::string_view method, Json params) {
  session_.receive(Json{{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}}.dump());
}

int Client::begin(std::string_view method, Json params) {
  const int id = next_id_++;
  session_.receive(Json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}}.dump());
  return id;
}

Json Client::answer(int id) {
  std::unique_lock lock(mutex_);
  const auto find = [&] { return std::ranges::find_if(answers_, [&](const Json& a) { return a["id"] == id; }); };
  const bool came = changed_.wait_for(lock, std::chrono::minutes(2), [&] { return find() != answers_.end(); });
  EXPECT_TRUE(came) << "request " << id << " is not answered";
  if (!came) return nullptr;
  const auto it = find();
  Json found = std::move(*it);
  answers_.erase(it);
  return found;
}

std::size_t Client::answers_to(const Json& id) {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(std::ranges::count_if(answers_, [&](const Json& a) { return a["id"] == id; }));
}

Json Client::ask(std::string_view method, Json params) { return answer(begin(method, std::move(params))); }

Json Client::result(std::string_view method, Json params) {
  Json whole = ask(method, std::move(params));
  EXPECT_TRUE(whole.contains("result")) << method << ": " << whole.dump();
  return whole.contains("result") ? whole["result"] : Json();
}

void Client::open(const std::string& uri, std::string text, std::string language) {
  uri_ = uri;
  text_ = std::move(text);
  language_ = std::move(language);
  version_ = 1;
  notify("textDocument/didOpen",
         {{"textDocument", {{"uri", uri}, {"languageId", language_}, {"version", version_}, {"text", text_}}}});
}

void Client::close() { notify("textDocument/didClose", parameters()); }

Json Client::position(std::size_t offset) const {
  const LinePlace place = Lines(text_).place(offset, text_, Encoding::utf16);
  return {{"line", place.line}, {"character", place.character}};
}

std::size_t Client::offset(const Json& position) const {
  return Lines(text_).offset({position["line"], position["character"]}, text_, Encoding::utf16);
}

Json Client::at(std::string_view part, std::size_t shift, std::size_t n) const {
  std::size_t found = text_.find(part);
  for (; n > 0; --n) found = text_.find(part, found + 1);
  EXPECT_NE(found, std::string::npos) << part;
  return position(found + shift);
}

Json Client::parameters(Json more) const {
  more["textDocument"] = {{"uri", uri_}};
  return more;
}

Json Client::in_document(std::string_view method, Json more) {
  return result("textDocument/" + std::string(method), parameters(std::move(more)));
}

void Client::replace(std::size_t begin, std::size_t end, std::string_view text) {
  replace_at(position(begin), position(end), text);
}

void Client::replace_at(const Json& begin, const Json& end, std::string_view text) {
  const Json change{{"range", {{"start", begin}, {"end", end}}}, {"text", text}};
  const std::size_t first = offset(begin);
  text_.replace(first, offset(end) - first, text);
  notify("textDocument/didChange",
         {{"textDocument", {{"uri", uri_}, {"version", ++version_}}}, {"contentChanges", Json::array({change})}});
}

void Client::replace_raw(std::size_t at, std::string_view raw, std::string_view read) {
  const Json change{{"range", {{"start", position(at)}, {"end", position(at)}}}, {"text", "@RAW@"}};
  const Json params{{"textDocument", {{"uri", uri_}, {"version", ++version_}}},
                    {"contentChanges", Json::array({change})}};
  std::string message = Json{{"jsonrpc", "2.0"}, {"method", "textDocument/didChange"}, {"params", params}}.dump();
  message.replace(message.find("@RAW@"), 5, raw);
  session_.receive(message);
  text_.insert(at, read);
}

// All edits speak about the text before any of them, and do not overlap.
void Client::apply(const Json& edits) {
  struct Part {
    std::size_t begin, end;
    std::string text;
  };
  std::vector<Part> parts;
  for (const Json& edit : edits)
    parts.push_back({offset(edit["range"]["start"]), offset(edit["range"]["end"]), edit["newText"]});
  std::ranges::stable_sort(parts, std::greater(), &Part::begin);
  for (const Part& part : parts) replace(part.begin, part.end, part.text);
}

std::string Client::text_of(const Json& range) const {
  const std::size_t begin = offset(range["start"]);
  return text_.substr(begin, offset(range["end"]) - begin);
}

std::vector<std::string> Client::texts_of(const Json& list) const {
  std::vector<std::string> texts;
  for (const Json& item : list) texts.push_back(text_of(item["range"]));
  return texts;
}

Json Client::diagnostics() {
  session_.wait_until_idle();
  const std::lock_guard lock(mutex_);
  return diagnostics_[uri_];
}

std::vector<std::string> Client::messages(int worst_severity) {
  std::vector<std::string> texts;
  for (const Json& item : diagnostics()) {
    if (item["severity"] <= worst_severity) texts.push_back(item["message"]);
  }
  return texts;
}

std::vector<Json> Client::notifications() {
  const std::lock_guard lock(mutex_);
  return told_;
}

}  // namespace rgtrans::ide
