// Random edits, sensible and senseless: places out of range, halves of pairs, bytes that are no text, half messages,
// cancelled requests, files that come and go. After every hundred the session has to say the same about the text as one
// that has just opened it. A few hundred edits in every run, RGTRANS_FULL makes 100,000; RGTRANS_EDITS says another
// number, RGTRANS_FIRST_ROUND where to begin.
#include <gmock/gmock.h>

#include <filesystem>
#include <random>

#include "core/support/support.hpp"
#include "ide/workbench/text.hpp"
#include "tests/ide/service/client.hpp"

namespace rgtrans::ide {
namespace {

namespace fs = std::filesystem;

class Vandal {
 public:
  Vandal(Client& client, std::uint32_t seed, fs::path folder)
      : client_(client), random_(seed), folder_(std::move(folder)) {}

  void edit() {
    const std::size_t size = client_.text().size();
    std::size_t begin = boundary(below(size + 1)), end = begin;
    switch (below(13)) {
      case 0:  // a part goes
        end = boundary(std::min(size, begin + below(40)));
        return client_.replace(begin, end, "");
      case 1:  // a part comes again
        end = boundary(std::min(size, begin + below(60)));
        return insert(boundary(below(size + 1)), client_.text().substr(begin, end - begin));
      case 2:
        return insert(begin, kPieces[below(std::size(kPieces))]);
      case 3:  // a letter, as one types
        return insert(begin, std::string(1, static_cast<char>(' ' + below(95))));
      case 4:
        return insert(begin, "\r\n");
      case 5:
        return beyond_the_end();
      case 6:
        return ask();
      case 7:
        return ask_for_work();
      case 8:  // bytes of no character, and half of a surrogate pair
        return below(2) == 0 ? client_.replace_raw(begin, "\xC3\xFF", "\xEF\xBF\xBD\xEF\xBF\xBD")
                             : client_.replace_raw(begin, "\\ud83d", "\xEF\xBF\xBD");
      case 9:
        return disturb();
      case 10:
        return change_files();
      default:
        return client_.replace(begin, boundary(std::min(size, begin + 1)), "x");
    }
  }

 private:
  static constexpr const char* kPieces[] = {
      "{",  "}",  "(",  ")",  "[",  ";",  "domain X = ", "graph ",          "#", "->", "\xF0\x9F\x98\x80", "\xC3\xA9",
      "?x", "<=", ":-", "\"", "//", "\r", "\n\n",        "where X in 1..3", "=", "@",  "type T = {",       "~",
      "$$ "};

  std::size_t below(std::size_t bound) { return random_() % bound; }
  // The beginning of the character that holds this byte.
  [[nodiscard]] std::size_t boundary(std::size_t at) const {
    const std::string& text = client_.text();
    while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U) --at;
    // Between CR and LF there is no place.
    if (at > 0 && at < text.size() && text[at] == '\n' && text[at - 1] == '\r') --at;
    return at;
  }
  void insert(std::size_t at, std::string_view piece) { client_.replace(at, at, piece); }

  // The service moves such a place to the end of a line or of the text; so does the client.
  void beyond_the_end() {
    constexpr std::uint32_t kFar[] = {2000, 70'000, 0xffff'ffff};
    const Json place{{"line", below(kFar[below(3)])}, {"character", below(kFar[below(3)])}};
    client_.replace_at(place, place, "y");
  }

  void remember(int id, bool cancel) {
    if (cancel) client_.notify("$/cancelRequest", {{"id", id}});
    asked_.push_back(id);
  }

  void ask() {
    static constexpr const char* kMethods[] = {"hover",         "definition",        "completion",
                                               "signatureHelp", "documentHighlight", "prepareRename"};
    // A place may also be no place at all.
    Json place{{"line", below(200)}, {"character", below(100)}};
    static const Json kOdd[] = {-1, 1e300, 4'294'967'297, "1", nullptr};
    if (below(5) == 0) place["character"] = kOdd[below(std::size(kOdd))];
    const int id = client_.begin("textDocument/" + std::string(kMethods[below(std::size(kMethods))]),
                                 client_.parameters({{"position", place}}));
    remember(id, below(2) == 0);
  }

  // Requests for other lanes. Most are cancelled before they begin.
  void ask_for_work() {
    const auto command = [&](const char* name, Json more) {
      more["uri"] = client_.uri();
      return client_.begin("workspace/executeCommand", {{"command", name}, {"arguments", Json::array({more})}});
    };
    switch (below(6)) {
      case 0:
        return remember(command("rgtrans.perft", {{"depth", 50}}), true);
      case 1:
        return remember(command("rgtrans.playouts", {{"count", 1'000'000}}), true);
      case 2:
        return remember(command("rgtrans.optimize", {{"trace", true}}), true);
      case 3:
        return remember(client_.begin("textDocument/diagnostic", client_.parameters()), below(2) == 0);
      case 4:
        return remember(client_.begin("workspace/symbol", {{"query", "a"}}), below(2) == 0);
      default:
        const Json place{{"line", below(60)}, {"character", below(40)}};
        const int id =
            client_.begin("textDocument/rename", client_.parameters({{"position", place}, {"newName", "zz"}}));
        return remember(id, below(2) == 0);
    }
  }

  // Messages that are none, or speak about what is not there.
  void disturb() {
    switch (below(7)) {
      case 0:
        return client_.send_raw("{\"jsonrpc\": \"2.0\", \"method\": \"textDocument/did");
      case 1:
        return client_.send_raw("\xFF\xFE{}");
      case 2:
        return client_.send_raw("[{}, 1, \"\\ud800\"]");
      case 3:
        return client_.notify("$/cancelRequest", {{"id", below(50)}});
      case 4:
        return client_.notify("textDocument/didChange", {{"textDocument", {{"uri", "file:///nowhere"}}}});
      case 5:
        return client_.notify("textDocument/didClose", {{"textDocument", {{"uri", 7}}}});
      default:  // it is put away, and taken up again
        client_.close();
        return client_.open(client_.uri(), client_.text(), client_.language());
    }
  }

  // Other games of the workspace appear and are deleted, so that a search meets files that have just gone.
  void change_files() {
    const fs::path file = folder_ / (std::to_string(below(4)) + ".hrg");
    if (below(2) == 0) {
      write_file(file, client_.text());
    } else {
      fs::remove(file);
    }
    client_.notify("workspace/didChangeWatchedFiles",
                   {{"changes", Json::array({{{"uri", "file://" + file.string()}, {"type", 3}}})}});
    remember(client_.begin("workspace/symbol", {{"query", ""}}), below(3) == 0);
  }

 public:
  // Every request has one answer.
  void check_answers() {
    for (const int id : asked_) EXPECT_TRUE(client_.answer(id).is_object());
    asked_.clear();
  }

 private:
  Client& client_;
  std::mt19937 random_;
  fs::path folder_;
  std::vector<int> asked_;
};

// All requests. Those about the game are omitted while there is none: then the session may know the game of an earlier
// version.
Json state_of(Client& client) {
  const std::size_t size = client.text().size();
  const Json whole{{"start", client.position(0)}, {"end", client.position(size)}};
  const Json options{{"tabSize", 2}};
  Json state{{"diagnostics", client.diagnostics()}};
  const bool complete = std::ranges::none_of(state["diagnostics"], [](const Json& d) { return d["severity"] == 1; });
  for (const char* method : {"documentSymbol", "foldingRange", "documentLink", "codeLens"})
    state[method] = client.in_document(method);
  state["tokens"] = client.in_document("semanticTokens/full")["data"];
  state["some tokens"] = client.in_document("semanticTokens/range", {{"range", whole}})["data"];
  state["formatting"] = client.in_document("formatting", {{"options", options}});
  state["lines"] = client.in_document("rangeFormatting", {{"range", whole}, {"options", options}});
  state["actions"] =
      client.in_document("codeAction", {{"range", whole}, {"context", {{"diagnostics", Json::array()}}}});
  if (complete) state["hints"] = client.in_document("inlayHint", {{"range", whole}});
  constexpr std::size_t kPlaces = 5;
  for (std::size_t i = 0; i < kPlaces; ++i) {
    const Json place = client.position(size * (2 * i + 1) / (2 * kPlaces));
    Json here;
    for (const char* method :
         {"definition", "documentHighlight", "completion", "signatureHelp", "prepareRename", "prepareCallHierarchy"})
      here[method] = client.in_document(method, {{"position", place}});
    here["references"] =
        client.in_document("references", {{"position", place}, {"context", {{"includeDeclaration", true}}}});
    here["selection"] = client.in_document("selectionRange", {{"positions", Json::array({place})}});
    here["on type"] = client.in_document("onTypeFormatting", {{"position", place}, {"ch", ";"}, {"options", options}});
    Json renamed = client.ask("textDocument/rename", client.parameters({{"position", place}, {"newName", "zz9"}}));
    renamed.erase("id");
    here["rename"] = std::move(renamed);
    for (const Json& item : here["prepareCallHierarchy"]) {
      here["calls"].push_back(client.result("callHierarchy/incomingCalls", {{"item", item}}));
      here["calls"].push_back(client.result("callHierarchy/outgoingCalls", {{"item", item}}));
    }
    if (complete) here["hover"] = client.in_document("hover", {{"position", place}});
    state["places"].push_back(std::move(here));
  }
  return state;
}

std::size_t number(const char* variable, std::size_t standard) {
  const char* text = std::getenv(variable);
  return text == nullptr ? standard : std::strtoul(text, nullptr, 10);
}

struct Start {
  std::string uri, language, text;
};

std::vector<Start> starts() {
  std::vector<Start> all = {
      {"file:///small.rg", "rg",
       "type Player = { a, b };\ntype Score = { 0, 100 };\nconst other: Player -> Player = { a: b, :a };\nvar x: "
       "Player = a;\nbegin, one: player = x; // comes\none, two: ? three -> four;\ntwo, end: x = other[x];\n@unique "
       "one;\n"},
      {"file:///small.gdl", "gdl",
       "role(r)\nrole(s)\ninit(f(1))\ninit(turn(r))\nsucc(1, 2)\nsucc(2, 3)\n; a step\nlegal(P, go(Y)) :- "
       "true(turn(P)) & true(f(X)) & succ(X, Y)\nlegal(P, noop) :- role(P) & ~true(turn(P))\nnext(f(Y)) :- does(P, "
       "go(Y))\nnext(turn(P)) :- role(P) & ~true(turn(P))\nterminal :- true(f(3))\ngoal(P, 100) :- "
       "true(turn(P))\ngoal(P, 0) :- role(P) & ~true(turn(P))\n"}};
  for (const char* game : {"hrg/tic-tac-toe.hrg", "rbg/breakthrough.rbg", "gdl/tic-tac-toe.kif", "ludax/reversi.ldx",
                           "linegames/variants/draughts.linegame", "hrg/hex.hrg", "rbg/tic-tac-toe.rbg",
                           "gdl/prisoners-dilemma.kif", "linegames/variants/star-single-mandatory.linegame"})
    all.push_back({"file:///" + std::string(game), "", read_file(kRoot / "games" / game)});
  // Lines end in another way.
  std::string carriage;
  for (const char c : all[2].text) carriage += c == '\n' ? "\r\n" : std::string(1, c);
  all.push_back({"file:///carriage.hrg", "", carriage});
  return all;
}

TEST(RandomEdits, LeaveTheServiceAsIfItHadJustOpenedTheText) {
  const std::vector<Start> all = starts();
  const std::size_t edits = number("RGTRANS_EDITS", std::getenv("RGTRANS_FULL") != nullptr ? 100'000 : 1200);
  const std::size_t first = number("RGTRANS_FIRST_ROUND", 0);
  const fs::path folder = fs::temp_directory_path() / ("rgtrans-edits-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  for (std::size_t round = first; round < first + std::max<std::size_t>(edits / 100, 1); ++round) {
    const Start& start = all[round % all.size()];
    SCOPED_TRACE(start.uri + " in round " + std::to_string(round));
    Client client(usual_capabilities(), "file://" + folder.string());
    client.open(start.uri, start.text, start.language);
    Vandal vandal(client, static_cast<std::uint32_t>(round), folder);
    for (int i = 0; i < 100; ++i) vandal.edit();
    vandal.check_answers();
    Client fresh;
    fresh.open(start.uri, client.text(), start.language);
    const Json now = state_of(client), expected = state_of(fresh);
    ASSERT_EQ(now, expected) << Json::diff(expected, now).dump(1) << client.text();
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace rgtrans::ide
