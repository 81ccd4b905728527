// Random edits, sensible and senseless: places out of range, halves of pairs, bytes that are no text, cancelled
// requests. After every hundred the session has to say the same about the text as one that has just opened it. A few
// hundred edits in every run, RGTRANS_FULL makes 100,000; RGTRANS_EDITS says another number.
#include <gmock/gmock.h>

#include <filesystem>
#include <random>

#include "core/support/support.hpp"
#include "ide/service/text.hpp"
#include "tests/ide/service/client.hpp"

namespace rgtrans::ide {
namespace {

const std::filesystem::path kRoot = RGTRANS_SOURCE_DIR;

class Vandal {
 public:
  Vandal(Client& client, std::uint32_t seed) : client_(client), random_(seed) {}

  void edit() {
    const std::size_t size = client_.text().size();
    std::size_t begin = boundary(below(size + 1)), end = begin;
    switch (below(8)) {
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
    const Json place{{"line", below(2000)}, {"character", below(5000)}};
    client_.replace_at(place, place, "y");
  }

  void ask() {
    static constexpr const char* kMethods[] = {"hover",         "definition",        "completion",
                                               "signatureHelp", "documentHighlight", "prepareRename"};
    const Json place{{"line", below(200)}, {"character", below(100)}};
    const int id = client_.begin("textDocument/" + std::string(kMethods[below(std::size(kMethods))]),
                                 client_.parameters({{"position", place}}));
    if (below(2) == 0) client_.notify("$/cancelRequest", {{"id", id}});
    asked_.push_back(id);
    if (below(10) == 0) client_.send_raw("{\"jsonrpc\": \"2.0\", \"method\": \"textDocument/did");
    if (below(10) == 0) client_.send_raw("\xFF\xFE{}");
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
  std::vector<int> asked_;
};

Json state_of(Client& client) {
  Json state{{"symbols", client.in_document("documentSymbol")},
             {"tokens", client.in_document("semanticTokens/full")["data"]},
             {"folds", client.in_document("foldingRange")},
             {"diagnostics", client.diagnostics()}};
  return state;
}

std::size_t edits() {
  if (const char* count = std::getenv("RGTRANS_EDITS")) return std::strtoul(count, nullptr, 10);
  return std::getenv("RGTRANS_FULL") != nullptr ? 100'000 : 600;
}

TEST(RandomEdits, LeaveTheServiceAsIfItHadJustOpenedTheText) {
  const std::string kRg =
      "type Player = { a, b };\ntype Score = { 0, 100 };\nconst other: Player -> Player = { a: b, :a };\nvar x: Player "
      "= a;\n"
      "begin, one: player = x; // comes\none, two: ? three -> four;\ntwo, end: x = other[x];\n@unique one;\n";
  const char* kGames[] = {
      "rg",          "hrg/tic-tac-toe.hrg", "rbg/breakthrough.rbg", "gdl/tic-tac-toe.kif", "ludax/reversi.ldx",
      "hrg/hex.hrg", "rbg/tic-tac-toe.rbg"};
  const std::size_t rounds = std::max<std::size_t>(edits() / 100, 1);
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::string game = kGames[round % std::size(kGames)];
    SCOPED_TRACE(game + " in round " + std::to_string(round));
    const std::string uri = "file:///" + game;
    Client client;
    client.open(uri, game == "rg" ? kRg : read_file(kRoot / "games" / game), game == "rg" ? "rg" : "");
    Vandal vandal(client, static_cast<std::uint32_t>(round));
    for (int i = 0; i < 100; ++i) vandal.edit();
    vandal.check_answers();
    Client fresh;
    fresh.open(uri, client.text(), game == "rg" ? "rg" : "");
    ASSERT_EQ(state_of(client), state_of(fresh)) << client.text();
  }
}

}  // namespace
}  // namespace rgtrans::ide
