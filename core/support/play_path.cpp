#include "core/support/play_path.hpp"

namespace rgtrans {

namespace {

bool is_escaped(char c) { return c == '/' || c == '\\'; }

}  // namespace

std::string path_step(std::string_view move) {
  std::string out;
  for (const char c : move) {
    if (is_escaped(c)) out += '\\';
    out += c;
  }
  return out + '/';
}

std::string path_of(const std::vector<std::string>& moves) {
  std::string out = "/";
  for (const std::string& move : moves) out += path_step(move);
  return out;
}

std::optional<std::string> next_path_move(std::string_view& rest) {
  std::string move;
  for (std::size_t at = 0; at < rest.size(); ++at) {
    if (rest[at] == '/') {
      rest.remove_prefix(at + 1);
      return move;
    }
    const bool pair = rest[at] == '\\' && at + 1 < rest.size() && is_escaped(rest[at + 1]);
    move += rest[pair ? ++at : at];
  }
  return std::nullopt;
}

std::size_t path_length(std::string_view path) {
  if (!path.empty()) path.remove_prefix(1);
  std::size_t moves = 0;
  while (next_path_move(path)) ++moves;
  return moves;
}

}  // namespace rgtrans
