// The texts of rule choices, and the valid combinations.
#include "frontends/linegames/rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace rgtrans::linegames {
namespace {

void check_limit(std::string_view parameter, const std::optional<int>& value) {
  if (!value || (*value >= 1 && *value <= Rules::kMaxLimit)) return;
  throw ArgumentError(std::string(parameter), fmt::format("{} must be a number of turns, not {}", parameter, *value),
                      fmt::format("allowed: 1 to {}", Rules::kMaxLimit));
}

void check_points(std::string_view parameter, const Board& board, const std::array<std::set<std::string>, 2>& points) {
  for (const auto& side : points) {
    for (const std::string& name : side) board.require(parameter, name);
  }
}

void check_movement(std::string_view parameter, Movement movement, const Board& board) {
  if (movement == Movement::any) return;
  for (const Player player : {Player::white, Player::black}) {
    const auto usable = [&](Direction d) {
      return moves(movement, player, d) && std::ranges::any_of(board.points(), [&](const Board::Point& p) {
               return p.next[static_cast<std::size_t>(d)] != kNone;
             });
    };
    if (std::ranges::any_of(kDirections, usable)) continue;
    throw ArgumentError(
        std::string(parameter),
        fmt::format("{} '{}' leaves {} no direction on this board", parameter, text_of(movement), name_of(player)),
        "allowed here: any");
  }
}

}  // namespace

std::string allowed(std::span<const std::string_view> names) {
  return fmt::format("allowed: {}", fmt::join(names, ", "));
}

bool moves(Movement movement, Player player, Direction direction) {
  if (movement == Movement::any) return true;
  if (!is_compass(direction)) return movement == Movement::not_backward;
  // The deviation from straight ahead in eighths of a turn, 0 to 4.
  const int ahead = player == Player::white ? 0 : 4;
  const int off = std::abs(static_cast<int>(direction) - ahead);
  const int eighths = std::min(off, 8 - off);
  return movement == Movement::forward ? eighths < 2 : eighths <= 2;
}

std::set<std::string> far_row(const Board& board, Player player) {
  if (!board.has_rows()) {
    throw ArgumentError("promotion", fmt::format("a {} board has no far row", name_of(board.kind())),
                        "give a list of points per player");
  }
  std::set<std::string> result;
  const int row = player == Player::white ? 0 : board.height() - 1;
  for (const Board::Point& point : board.points()) {
    if (point.triangle < 0 && point.row == row) result.insert(point.name);
  }
  return result;
}

bool Rules::has_kings(const Setup& setup) const {
  return !promotion[0].empty() || !promotion[1].empty() ||
         std::ranges::any_of(setup.pieces(), [](const auto& entry) { return entry.second.king; });
}

std::optional<int> Rules::turn_limit() const {
  return stagnation || max_turns ? max_turns : std::optional<int>(kDefaultTurns);
}

void Rules::check(const Board& board, const Setup& setup) const {
  check_limit("stagnation", stagnation);
  check_limit("max_turns", max_turns);
  check_points("promotion", board, promotion);
  check_points("goals", board, goals);
  check_movement("steps", steps, board);
  if (captures != Captures::none) check_movement("jumps", jumps, board);
  if (captures == Captures::none && sequence != Sequence::single) {
    throw ArgumentError("sequence", fmt::format("sequence '{}' needs captures", text_of(sequence)),
                        "allowed with captures 'none': single");
  }
  if (flying == Flying::kings && !has_kings(setup)) {
    throw ArgumentError("flying", "flying 'kings' in a game without kings",
                        "give promotion, or place kings; allowed here: none, all");
  }
  const int fewest = std::min(setup.count(Player::white), setup.count(Player::black));
  if (min_pieces < 0 || min_pieces > fewest) {
    throw ArgumentError("min_pieces", fmt::format("min_pieces must not be {}", min_pieces),
                        fmt::format("allowed: 0 to {}, what both sides have at the start", fewest));
  }
  if (std::ranges::any_of(scores, [](int s) { return s < 0; }) || scores[0] < scores[1] || scores[1] < scores[2]) {
    throw ArgumentError("scores", fmt::format("scores cannot be {}, {}, {}", scores[0], scores[1], scores[2]),
                        "allowed: numbers of a win, a draw and a loss, none negative, in descending order");
  }
  if (compat == Compat::published && (has_kings(setup) || flying != Flying::none)) {
    throw ArgumentError("compat", "the published form knows no kings and no flying pieces", "allowed here: none");
  }
}

}  // namespace rgtrans::linegames
