// Any lines are messages to the desk behind a page of the studio, one after the other. Each request is answered once,
// in JSON, nothing is read or written outside of the folder, and a desk can be closed at any moment. Work that would
// start a compiler or take long is not asked for.
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "ide/desk/desk.hpp"
#include "ide/rpc/rpc.hpp"
#include "tests/fuzz/folder.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::fuzz {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr std::string_view kSecret = "seven of diamonds";
constexpr std::size_t kMostMessages = 12;
// Longer than any answer takes on a busy machine.
constexpr std::chrono::seconds kPatience{100};

struct Answers {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t requests = 0, given = 0;
  std::string broken;

  void add(const std::string& text) {
    const std::lock_guard lock(mutex);
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object() || text.find(kSecret) != std::string::npos) broken = text;
    if (json.is_object() && (json.contains("result") || json.contains("error"))) ++given;
    changed.notify_all();
  }
  bool wait() {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, kPatience, [this] { return given >= requests; });
  }
};

const std::set<std::string> kLong = {"playouts", "compare", "engines", "think", "reply", "perft", "cancel"};

void target(std::string_view bytes) {
  if (bytes.find(kSecret) != std::string_view::npos) return;
  static const Folder folder;
  const fs::path games = folder.path() / "games";
  fs::remove_all(games);
  fs::create_directory(games);
  write_file(folder.path() / "secret.rg", kSecret);
  write_file(games / "one.rg", "type Player = { p };\n");
  Answers answers;
  {
    ide::Desk desk(ide::machine(ide::Shelf(games)), [&answers](const std::string& text) { answers.add(text); });
    for (std::size_t i = 0; i < kMostMessages && !bytes.empty(); ++i) {
      const std::string_view line = bytes.substr(0, bytes.find('\n'));
      bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
      std::size_t refused = 0;
      const auto message = ide::read_message(line, [&](const Json&) { ++refused; });
      if (message && kLong.contains(message->method)) continue;
      {
        const std::lock_guard lock(answers.mutex);
        answers.requests += refused + (message && message->reply ? 1 : 0);  // a notification is not answered
      }
      desk.receive(line);
    }
    require(answers.wait(), "a request is not answered", std::string(bytes));
  }
  require(answers.broken.empty(), "no answer, or one that must not be given", answers.broken);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.path()))
    require(entry.path().filename() == "games" || entry.path().filename() == "secret.rg",
            "something was written elsewhere", entry.path().string());
  require(read_file(folder.path() / "secret.rg") == kSecret, "a file outside was overwritten", "");
}

std::string game_of(test::Choices& c, std::string& language) {
  switch (c.below(4)) {
    case 0:
      language = "rg";
      return test::random_game(c);
    case 1:
      language = "hrg";
      return test::random_hrg(c);
    case 2:
      language = "ludax";
      return test::random_ludax(c);
    default:
      language = "gdl";
      return test::random_gdl(c);
  }
}

Json value(test::Choices& c) {
  switch (c.below(7)) {
    case 0:
      return static_cast<int>(c.below(300)) - 2;
    case 1:
      return c.one_of({"one.rg", "../secret.rg", "/etc/passwd", "hrg/hex.hrg", "", "n1", "prune", "a\nb"});
    case 2:
      return nullptr;
    case 3:
      return Json::array({c.one_of({"a", "x y"}), 1});
    case 4:
      return c.chance(2);
    case 5:
      return 1e300;
    default:
      return Json::object({{"name", "one.rg"}});
  }
}

std::string random_messages(test::Choices& c) {
  std::string text;
  for (std::size_t i = 1 + c.below(6); i > 0; --i) {
    const std::string method = c.one_of({"open", "open", "state", "automaton", "explain", "game", "passes", "pass",
                                         "hello", "read", "save", "nothing"});
    Json params = Json::object();
    if (method == "open") {
      std::string language;
      params["text"] = game_of(c, language);
      params["language"] = language;
      params["name"] = "game." + language;
    }
    for (const char* key : {"path", "level", "number", "node", "name", "preset", "text", "optimized", "focus", "flip",
                            "known", "viewer", "passes"}) {
      if (c.chance(5) && !params.contains(key)) params[key] = value(c);
    }
    text += Json{{"jsonrpc", "2.0"}, {"id", static_cast<int>(i)}, {"method", method}, {"params", params}}.dump() + "\n";
  }
  return text;
}

const Registration kRegistration("studio", target, {random_messages});

}  // namespace
}  // namespace rgtrans::fuzz
