// Setup: the initial pieces. Placements name points or parts of a board.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "frontends/linegames/board.hpp"

namespace rgtrans::linegames {

enum class Player : std::uint8_t { white, black };  // white moves towards the north

struct Piece {
  Player owner = Player::white;
  bool king = false;
  bool operator==(const Piece&) const = default;
};

// The half of the middle row that belongs to the northern side.
enum class MiddleRow : std::uint8_t { empty, west_north, east_north };

std::string_view name_of(Player player);
inline Player opponent(Player player) { return player == Player::white ? Player::black : Player::white; }

struct PlacementOptions {
  bool replace = false;
  bool king = false;
};

// Placing a piece on an occupied point is an error unless `replace` is set. A call that throws changes nothing.
class Setup {
 public:
  using Options = PlacementOptions;

  Setup& put(const Board& board, Player player, std::span<const std::string> points, Options options = {});
  // Fills the `first` northernmost and the `last` southernmost rows of the ready-made part.
  Setup& rows(const Board& board, Player player, int first, int last, Options options = {});
  // Fills the rows above and below the middle one. The middle point stays empty.
  Setup& halves(const Board& board, Player north, MiddleRow middle, Options options = {});
  Setup& spokes(const Board& board, Player player, std::span<const int> spokes, Options options = {});
  // Fills all points of the triangles on that side, except their root.
  Setup& triangle(const Board& board, Player player, Direction side, Options options = {});
  Setup& clear(const Board& board, std::span<const std::string> points);

  [[nodiscard]] const std::map<std::string, Piece>& pieces() const { return pieces_; }
  [[nodiscard]] int count(Player player) const;
  // Throws ArgumentError if a piece is on a point that the board no longer has.
  void check(const Board& board) const;

 private:
  void place(const std::map<std::string, Piece>& fresh, bool replace);

  std::map<std::string, Piece> pieces_;
};

}  // namespace rgtrans::linegames
