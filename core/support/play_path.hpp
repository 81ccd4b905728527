// Paths of plays, as `rgtrans moves --path` takes them: "/" is the initial state, "/e2 e4//" the state after the move
// "e2 e4" and an empty one. A slash or backslash that belongs to a move has a backslash before it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rgtrans {

// The move as a part of a path, with the slash that ends it.
std::string path_step(std::string_view move);
std::string path_of(const std::vector<std::string>& moves);

// Takes the next move off the rest of a path. Nothing if no slash ends it.
std::optional<std::string> next_path_move(std::string_view& rest);

// The number of moves of a path that begins with its slash.
std::size_t path_length(std::string_view path);

}  // namespace rgtrans
