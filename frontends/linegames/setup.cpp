// Placements are collected first and applied together, so that an error leaves the setup unchanged.
#include "frontends/linegames/setup.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rgtrans::linegames {
namespace {

void require_rows(const Board& board, std::string_view parameter) {
  if (board.has_rows()) return;
  throw ArgumentError(
      std::string(parameter), fmt::format("a {} board has no rows", name_of(board.kind())),
      "allowed on grid, alquerque and square_with_diagonals boards; use points, spokes or triangle here");
}

bool in_ready_made_part(const Board::Point& point) { return point.triangle < 0 && point.row >= 0; }

}  // namespace

std::string_view name_of(Player player) { return player == Player::white ? "white" : "black"; }

void Setup::place(const std::map<std::string, Piece>& fresh, bool replace) {
  if (!replace) {
    for (const auto& [name, piece] : fresh) {
      if (!pieces_.contains(name)) continue;
      throw ArgumentError("points",
                          fmt::format("there is already a {} piece on '{}'", name_of(pieces_.at(name).owner), name),
                          "set replace to put the new piece there, or clear the point first");
    }
  }
  for (const auto& [name, piece] : fresh) pieces_.insert_or_assign(name, piece);
}

Setup& Setup::put(const Board& board, Player player, std::span<const std::string> points, Options options) {
  std::map<std::string, Piece> fresh;
  for (const std::string& name : points) {
    board.require("points", name);
    if (!fresh.emplace(name, Piece{player, options.king}).second && !options.replace) {
      throw ArgumentError("points", fmt::format("'{}' is named twice", name));
    }
  }
  place(fresh, options.replace);
  return *this;
}

Setup& Setup::rows(const Board& board, Player player, int first, int last, Options options) {
  require_rows(board, "rows");
  const auto check = [&](std::string_view parameter, int value) {
    if (value >= 0 && value <= board.height()) return;
    throw ArgumentError(std::string(parameter), fmt::format("{} must be a number of rows, not {}", parameter, value),
                        fmt::format("allowed: 0 to {}", board.height()));
  };
  check("first", first);
  check("last", last);
  if (first == 0 && last == 0)
    throw ArgumentError("rows", "no rows are chosen", "give first or last, the number of rows");
  std::map<std::string, Piece> fresh;
  for (const Board::Point& point : board.points()) {
    if (!in_ready_made_part(point)) continue;
    if (point.row < first || point.row >= board.height() - last) fresh.emplace(point.name, Piece{player, options.king});
  }
  place(fresh, options.replace);
  return *this;
}

Setup& Setup::halves(const Board& board, Player north, MiddleRow middle, Options options) {
  require_rows(board, "halves");
  std::map<std::string, Piece> fresh;
  for (const Board::Point& point : board.points()) {
    if (!in_ready_made_part(point)) continue;
    const int down = point.row - board.height() / 2;
    int side = down;
    if (down == 0 && middle != MiddleRow::empty) {
      side = point.column - board.width() / 2;  // negative: west
      if (middle == MiddleRow::east_north) side = -side;
    }
    if (side != 0) fresh.emplace(point.name, Piece{side < 0 ? north : opponent(north), options.king});
  }
  place(fresh, options.replace);
  return *this;
}

Setup& Setup::spokes(const Board& board, Player player, std::span<const int> spokes, Options options) {
  if (board.kind() != Board::Kind::circle) {
    throw ArgumentError("spokes", fmt::format("a {} board has no spokes", name_of(board.kind())),
                        "allowed on circle boards");
  }
  for (const int spoke : spokes) {
    if (spoke >= 0 && spoke < board.width()) continue;
    throw ArgumentError("spokes", fmt::format("there is no spoke {}", spoke),
                        fmt::format("allowed: 0 to {}", board.width() - 1));
  }
  std::map<std::string, Piece> fresh;
  for (const Board::Point& point : board.points()) {
    if (!in_ready_made_part(point) || point.row == 0) continue;
    if (std::ranges::find(spokes, point.column) != spokes.end()) fresh.emplace(point.name, Piece{player, options.king});
  }
  place(fresh, options.replace);
  return *this;
}

Setup& Setup::triangle(const Board& board, Player player, Direction side, Options options) {
  std::map<std::string, Piece> fresh;
  for (const Board::Point& point : board.points()) {
    if (point.triangle < 0 || board.triangles()[static_cast<std::size_t>(point.triangle)].side != side) continue;
    fresh.emplace(point.name, Piece{player, options.king});
  }
  if (fresh.empty()) {
    std::string sides;
    for (const Board::Triangle& t : board.triangles()) {
      if (!sides.empty()) sides += ", ";
      sides += name_of(t.side);
    }
    throw ArgumentError("triangle", fmt::format("no triangle is attached to the {}", name_of(side)),
                        sides.empty() ? "the board has no triangles; attach one first" : "allowed: " + sides);
  }
  place(fresh, options.replace);
  return *this;
}

Setup& Setup::clear(const Board& board, std::span<const std::string> points) {
  for (const std::string& name : points) board.require("clear", name);
  for (const std::string& name : points) pieces_.erase(name);
  return *this;
}

int Setup::count(Player player) const {
  return static_cast<int>(
      std::ranges::count_if(pieces_, [&](const auto& entry) { return entry.second.owner == player; }));
}

void Setup::check(const Board& board) const {
  for (const auto& [name, piece] : pieces_) board.require("pieces", name);
}

}  // namespace rgtrans::linegames
