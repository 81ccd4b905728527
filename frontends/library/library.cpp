#include "frontends/library/library.hpp"

#include <algorithm>
#include <array>

namespace rgtrans {

namespace {

constexpr LibraryGame kGames[] = {
#include "embedded/library.inc"
};

// Of games with one name the first in this order is meant.
constexpr std::array<std::string_view, 6> kFolders = {"hrg", "rbg", "ludax", "ludii", "gdl", "linegames"};

std::string_view folder_of(const LibraryGame& game) { return game.path.substr(0, game.path.find('/')); }

std::string_view stem_of(const LibraryGame& game) {
  const std::string_view file = game.path.substr(game.path.rfind('/') + 1);
  return file.substr(0, file.rfind('.'));
}

std::size_t rank_of(const LibraryGame& game) {
  return static_cast<std::size_t>(std::ranges::find(kFolders, folder_of(game)) - kFolders.begin());
}

// Names are written with hyphens: "Connect Four" and "connect_four" mean connect-four.
std::string spelled(std::string_view name) {
  std::string out(name);
  for (char& c : out) {
    if (c == ' ' || c == '_') c = '-';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool has_name(const LibraryGame& game, std::string_view name) {
  const std::string stem = spelled(stem_of(game));
  return name == stem || name == std::string(folder_of(game)) + "/" + stem || name == spelled(game.path);
}

}  // namespace

std::span<const LibraryGame> library() { return kGames; }

const LibraryGame* find_game(std::string_view name) {
  const std::string wanted = spelled(name);
  const LibraryGame* best = nullptr;
  for (const LibraryGame& game : library()) {
    if (has_name(game, wanted) && (best == nullptr || rank_of(game) < rank_of(*best))) best = &game;
  }
  return best;
}

std::string name_of(const LibraryGame& game) {
  const std::string stem(stem_of(game));
  return find_game(stem) == &game ? stem : std::string(folder_of(game)) + "/" + stem;
}

std::vector<std::string> library_names() {
  std::vector<std::string> names;
  for (const LibraryGame& game : library()) names.push_back(name_of(game));
  std::ranges::sort(names);
  return names;
}

}  // namespace rgtrans
