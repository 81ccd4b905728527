// Any bytes are messages to the language service, one a line, and typed into a document, so that the readers of all
// languages see them. The text grows with each line, and each answer reads all of it. So there are few steps, and the
// last one takes the rest of the bytes.
#include <nlohmann/json.hpp>

#include "ide/service/session.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rgtrans::fuzz {
namespace {

using Json = nlohmann::json;

void target(std::string_view bytes) {
  static constexpr const char* kLanguages[] = {"hrg", "rg", "rbg", "gdl", "ludax", "linegames", "ludii"};
  std::size_t answers = 0;
  ide::Session session([&answers](const std::string& message) {
    const Json json = Json::parse(message);
    require(json.contains("jsonrpc"), "no message of JSON-RPC", message);
    answers += json.contains("id") && !json.contains("method") ? 1 : 0;
  });
  session.receive(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}})");
  const std::string language =
      kLanguages[bytes.empty() ? 0 : static_cast<unsigned char>(bytes[0]) % std::size(kLanguages)];
  const Json document{{"uri", "file:///text"}, {"languageId", language}, {"version", 1}, {"text", ""}};
  session.receive(
      Json{{"jsonrpc", "2.0"}, {"method", "textDocument/didOpen"}, {"params", {{"textDocument", document}}}}.dump());
  int id = 1;
  const Json place{{"line", 0}, {"character", 1}};
  constexpr std::size_t kSteps = 3;
  for (std::size_t step = 0; step < kSteps && !bytes.empty() && !session.finished(); ++step) {
    const bool last = step + 1 == kSteps;
    const std::string_view line = bytes.substr(0, last ? bytes.size() : bytes.find('\n'));
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
    if (line.starts_with("{")) session.receive(line);
    const Json change{{"range", {{"start", place}, {"end", place}}}, {"text", std::string(line) + "\n"}};
    session.receive(
        Json{{"jsonrpc", "2.0"},
             {"method", "textDocument/didChange"},
             {"params", {{"textDocument", {{"uri", "file:///text"}, {"version", ++id}}}, {"contentChanges", {change}}}}}
            .dump(-1, ' ', false, Json::error_handler_t::replace));
    static constexpr const char* kMethods[] = {"completion", "hover",      "rename",         "semanticTokens/full",
                                               "codeAction", "formatting", "documentSymbol", "inlayHint"};
    const char* method = kMethods[(line.size() + step) % std::size(kMethods)];
    session.receive(Json{{"jsonrpc", "2.0"},
                         {"id", ++id},
                         {"method", "textDocument/" + std::string(method)},
                         {"params",
                          {{"textDocument", {{"uri", "file:///text"}}},
                           {"position", place},
                           {"newName", "x"},
                           {"range", {{"start", place}, {"end", place}}}}}}
                        .dump());
  }
  session.wait_until_idle();
  require(answers > 0, "nothing was answered", language);
}
const Registration kRegistration("service", target);

}  // namespace
}  // namespace rgtrans::fuzz
