// A client of the language service in the same process: sends messages, waits for answers, stores notifications.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "ide/service/session.hpp"

namespace rgtrans::ide {

using Json = nlohmann::json;

// The sources of the project.
inline const std::filesystem::path kRoot = RGTRANS_SOURCE_DIR;

// The capabilities of most editors.
Json usual_capabilities();

class Client {
 public:
  // Without capabilities nothing is sent at first.
  explicit Client(const Json& capabilities = usual_capabilities(), const Json& root = nullptr);

  // The whole answer, with "result" or "error". Fails the test when none comes.
  Json ask(std::string_view method, Json params);
  // Only the result; an error fails the test.
  Json result(std::string_view method, Json params);
  void notify(std::string_view method, Json params);
  void send_raw(std::string_view message) { session_.receive(message); }
  // Sends a request without waiting; its id.
  int begin(std::string_view method, Json params);
  Json answer(int id);
  [[nodiscard]] std::size_t answers_to(const Json& id);

  // --- One document, which the client knows as it should be. ---
  void open(const std::string& uri, std::string text, std::string language = "");
  // Replaces bytes of the text, as an editor does that counts in UTF-16.
  void replace(std::size_t begin, std::size_t end, std::string_view text);
  void replace_at(const Json& begin, const Json& end, std::string_view text);
  // Inserts text that a client should not send, raw in the message; the text then has `read` there.
  void replace_raw(std::size_t at, std::string_view raw, std::string_view read);
  void type(std::string_view text) { replace(text_.size(), text_.size(), text); }
  void apply(const Json& edits);
  void close();
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::string& uri() const { return uri_; }
  [[nodiscard]] const std::string& language() const { return language_; }
  [[nodiscard]] Json position(std::size_t offset) const;
  // Where `part` begins for the n-th time (from 0), moved by `shift`.
  [[nodiscard]] Json at(std::string_view part, std::size_t shift = 0, std::size_t n = 0) const;
  [[nodiscard]] Json parameters(Json more = Json::object()) const;
  Json in_document(std::string_view method, Json more = Json::object());
  // "from-to" of each range in the list, as text.
  [[nodiscard]] std::vector<std::string> texts_of(const Json& list) const;
  [[nodiscard]] std::string text_of(const Json& range) const;

  // The newest list of diagnostics, when nothing is under way any more.
  Json diagnostics();
  std::vector<std::string> messages(int worst_severity = 2);

  [[nodiscard]] std::vector<Json> notifications();
  Session& session() { return session_; }

 private:
  void take(const std::string& message);
  [[nodiscard]] std::size_t offset(const Json& position) const;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Json> answers_, told_;
  std::map<std::string, Json> diagnostics_;
  int next_id_ = 1;
  int version_ = 1;
  std::string uri_, text_, language_;
  Session session_;
};

}  // namespace rgtrans::ide
