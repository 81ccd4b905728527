// Every game opens, every request gets an answer, and the answers agree: a place is in the text, and every use leads to
// a declaration of the same spelling.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/support/support.hpp"
#include "tests/ide/service/client.hpp"

namespace rgtrans::ide {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> games_in(const fs::path& folder) {
  static const std::set<std::string> kExtensions = {".hrg", ".rg", ".rbg", ".kif", ".gdl", ".ldx", ".lud", ".linegame"};
  std::vector<fs::path> games;
  if (!fs::exists(folder)) return games;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && kExtensions.contains(entry.path().extension().string()) &&
        entry.file_size() < 100'000)
      games.push_back(entry.path());
  }
  std::ranges::sort(games);
  return games;
}

void ask_everything(Client& client) {
  const std::string& text = client.text();
  const Json whole{{"start", client.position(0)}, {"end", client.position(text.size())}};
  for (const char* method : {"documentSymbol", "semanticTokens/full", "foldingRange", "documentLink", "codeLens"})
    client.in_document(method);
  client.in_document("inlayHint", {{"range", whole}});
  client.in_document("semanticTokens/range", {{"range", whole}});
  client.in_document("formatting", {{"options", Json::object()}});
  for (std::size_t i = 1; i < 8; ++i) {
    const Json place{{"position", client.position(text.size() * i / 8)}};
    for (const char* method : {"hover", "definition", "documentHighlight", "completion", "signatureHelp",
                               "prepareRename", "prepareCallHierarchy"})
      client.in_document(method, place);
    client.in_document("selectionRange", {{"positions", Json::array({place["position"]})}});
  }
  client.in_document("codeAction",
                     {{"range", whole}, {"context", {{"diagnostics", Json::array()}, {"only", {"refactor"}}}}});
}

// Where a use leads, the same word stands.
void check_uses(Client& client) {
  const std::string& text = client.text();
  for (std::size_t i = 1; i < 12; ++i) {
    const Json place{{"position", client.position(text.size() * i / 12)}};
    const Json highlights = client.in_document("documentHighlight", place);
    if (highlights.empty()) continue;
    std::vector<std::string> words = client.texts_of(highlights);
    // A name may be a quoted string, or a part of one.
    for (std::string& word : words) std::erase(word, '"');
    EXPECT_THAT(words, testing::Each(words.front()));
    const Json definition = client.in_document("definition", place);
    if (definition.is_null()) continue;
    std::string defined = client.text_of(definition["range"]);
    std::erase(defined, '"');
    EXPECT_EQ(defined, words.front());
  }
}

void try_games(const std::vector<fs::path>& games, bool ours) {
  Client client;
  for (const fs::path& path : games) {
    SCOPED_TRACE(path.string());
    client.open("file://" + path.string(), read_file(path));
    ask_everything(client);
    check_uses(client);
    if (ours) {
      EXPECT_THAT(client.messages(1), testing::IsEmpty());
      EXPECT_FALSE(client.in_document("documentSymbol").empty());
      EXPECT_FALSE(client.in_document("semanticTokens/full")["data"].empty());
    }
    client.close();
  }
}

TEST(EveryGame, OfOurs) {
  const std::vector<fs::path> games = games_in(kRoot / "games");
  ASSERT_GT(games.size(), 60U);
  try_games(games, true);
}

TEST(EveryGame, OfTheCorpus) {
  std::vector<fs::path> games = games_in(kRoot / "../shared/corpus");
  if (games.empty()) GTEST_SKIP() << "there is no corpus";
  // A part of them in every run.
  if (std::getenv("RGTRANS_FULL") == nullptr) {
    std::vector<fs::path> some;
    for (std::size_t i = 0; i < games.size(); i += 15) some.push_back(games[i]);
    games = some;
  }
  try_games(games, false);
}

}  // namespace
}  // namespace rgtrans::ide
