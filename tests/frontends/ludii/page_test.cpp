// The page about Ludii lists the ludemes in the rules of our games. RGTRANS_UPDATE=1 writes the list anew.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "frontends/ludii/description.hpp"
#include "frontends/ludii/ludii.hpp"

namespace rgtrans::ludii {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Of a family, such as `move Step`, the first word belongs to the name; a player is an argument.
std::string name_of(const Node& clause) {
  static constexpr std::array<std::string_view, 11> kFamilies = {"move", "is",   "no",  "all",   "can",    "sites",
                                                                 "last", "size", "set", "count", "forEach"};
  static const std::set<std::string_view> kPlayers = {"P1", "P2", "Each", "Shared", "Neutral", "Mover", "Next", "Prev"};
  const bool family = std::ranges::find(kFamilies, clause.text) != kFamilies.end();
  const bool player = clause.text == "sites" && !clause.items.empty() && kPlayers.contains(clause.items.front().text);
  return family && !player ? clause.ludeme() : clause.text;
}

void collect(const Node& node, const std::string& game, std::map<std::string, std::set<std::string>>& games) {
  if (node.is_clause()) games[name_of(node)].insert(game);
  for (const Node& item : node.items) collect(item, game, games);
}

std::string table() {
  std::map<std::string, std::set<std::string>> games;
  for (const auto& entry : fs::directory_iterator(fs::path(RGTRANS_SOURCE_DIR) / "games" / "ludii")) {
    if (entry.path().extension() != ".lud") continue;
    Sources sources;
    const Description description =
        read_description(sources.add(entry.path().string(), text_of(entry.path())), sources);
    const std::string game = entry.path().stem().string();
    collect(*description.rules, game, games);
    for (const Node& list : description.equipment->items) {
      for (const Node& item : list.items) {
        if (!item.is_clause("piece")) continue;
        for (const Node& moves : item.items) collect(moves, game, games);
      }
    }
  }
  std::string text = "| ludeme | games |\n|---|---|\n";
  for (const auto& [ludeme, names] : games) {
    const std::size_t shown = std::min<std::size_t>(names.size(), 4);
    const std::vector<std::string> first(names.begin(), std::next(names.begin(), static_cast<std::ptrdiff_t>(shown)));
    const std::string more = names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "";
    text += fmt::format("| `{}` | {}{} |\n", ludeme, fmt::join(first, ", "), more);
  }
  return text;
}

TEST(LudiiPage, ListsTheLudemesOfOurGames) {
  const fs::path page = fs::path(RGTRANS_SOURCE_DIR) / "docs" / "ludii.md";
  std::string text = text_of(page);
  const std::string_view open = "<!-- ludemes -->\n", close = "<!-- end of ludemes -->";
  const std::size_t begin = text.find(open), end = text.find(close);
  ASSERT_TRUE(begin != std::string::npos && end != std::string::npos && begin < end);
  const std::size_t first = begin + open.size();
  const std::string wanted = table();
  if (std::getenv("RGTRANS_UPDATE") != nullptr) {
    text.replace(first, end - first, wanted);
    std::ofstream(page) << text;
    return;
  }
  EXPECT_EQ(text.substr(first, end - first), wanted) << "RGTRANS_UPDATE=1 writes it anew";
}

// Every game of ours is laid out as rgtrans format does it.
TEST(LudiiGames, AreFormatted) {
  std::size_t games = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(RGTRANS_SOURCE_DIR) / "games" / "ludii")) {
    if (entry.path().extension() != ".lud") continue;
    Diagnostics diagnostics;
    const std::string text = text_of(entry.path());
    EXPECT_EQ(frontend().format(diagnostics.sources()->add(entry.path().string(), text), diagnostics), text)
        << entry.path();
    ++games;
  }
  EXPECT_GE(games, 12U);
}

}  // namespace
}  // namespace rgtrans::ludii
