// The games that come with the program, by name: "chess", "rbg/chess" and "rbg/chess.rbg" all name a game of games/.
// Their texts are part of the program, so that a name means the same wherever the program is installed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rgtrans {

struct LibraryGame {
  std::string_view path;  // below games/: "hrg/chess.hrg"
  std::string_view text;
};

// Sorted by path.
std::span<const LibraryGame> library();

// Null when no game has the name. Several languages may have a game of one name: then HRG comes first.
const LibraryGame* find_game(std::string_view name);

// The shortest name that finds the game: "chess", and "rbg/chess" for its twin.
std::string name_of(const LibraryGame& game);

// The names of all games, sorted.
std::vector<std::string> library_names();

}  // namespace rgtrans
