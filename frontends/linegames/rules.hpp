// Rules: the choices that define a game on a board. The defaults are those of the published games.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "frontends/linegames/setup.hpp"

namespace rgtrans::linegames {

enum class Captures : std::uint8_t { none, optional, mandatory };
// The continuation after a jump: none, further jumps in the same move, or further jumps as separate moves.
enum class Sequence : std::uint8_t { single, whole, stepwise };
enum class Movement : std::uint8_t { any, forward, not_backward };  // directions of men; kings move in all directions
enum class Flying : std::uint8_t { none, kings, all };              // pieces that move over any number of empty points
enum class OnLimit : std::uint8_t { majority, draw };
enum class NoMove : std::uint8_t { loss, draw, win };
// published: labels and the (ambiguous) stepwise optional captures of the published collection.
enum class Compat : std::uint8_t { none, published };

struct Rules {
  Captures captures = Captures::optional;
  Sequence sequence = Sequence::single;
  Movement steps = Movement::any;
  Movement jumps = Movement::any;
  Flying flying = Flying::none;
  // By player: points on which a man becomes a king at the end of a turn. Empty: no promotions.
  std::array<std::set<std::string>, 2> promotion;
  // A player whose piece ends a turn on one of these points wins.
  std::array<std::set<std::string>, 2> goals;
  // A side with fewer pieces loses at once. 0: a side loses only by being unable to move.
  int min_pieces = 0;
  NoMove no_move = NoMove::loss;
  std::optional<int> stagnation;  // consecutive turns without capture
  std::optional<int> max_turns;   // turns of both players; kDefaultTurns if no limit is given
  OnLimit on_limit = OnLimit::majority;
  Player first = Player::white;
  std::array<int, 3> scores = {100, 50, 0};  // scores of a win, a draw and a loss
  Compat compat = Compat::none;

  static constexpr int kDefaultTurns = 100;
  static constexpr int kMaxLimit = 100000;

  [[nodiscard]] bool has_kings(const Setup& setup) const;
  [[nodiscard]] std::optional<int> turn_limit() const;
  // Throws ArgumentError for combinations without meaning on this board.
  void check(const Board& board, const Setup& setup) const;
};

// The texts of each enumeration, in the order of its values.
template <class E>
inline constexpr std::array<std::string_view, 0> kTexts = {};
template <>
inline constexpr std::array<std::string_view, 3> kTexts<Captures> = {"none", "optional", "mandatory"};
template <>
inline constexpr std::array<std::string_view, 3> kTexts<Sequence> = {"single", "whole", "stepwise"};
template <>
inline constexpr std::array<std::string_view, 3> kTexts<Movement> = {"any", "forward", "not-backward"};
template <>
inline constexpr std::array<std::string_view, 3> kTexts<Flying> = {"none", "kings", "all"};
template <>
inline constexpr std::array<std::string_view, 2> kTexts<OnLimit> = {"majority", "draw"};
template <>
inline constexpr std::array<std::string_view, 3> kTexts<NoMove> = {"loss", "draw", "win"};
template <>
inline constexpr std::array<std::string_view, 2> kTexts<Compat> = {"none", "published"};
template <>
inline constexpr std::array<std::string_view, 2> kTexts<Player> = {"white", "black"};
template <>
inline constexpr std::array<std::string_view, 3> kTexts<MiddleRow> = {"empty", "west-north", "east-north"};
// "allowed: a, b, c"
std::string allowed(std::span<const std::string_view> names);

// The value with this text. Throws an ArgumentError for `parameter` if there is none.
template <class E>
E parse_enum(std::string_view parameter, std::string_view text) {
  const auto& texts = kTexts<E>;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i] == text) return static_cast<E>(i);
  }
  throw ArgumentError(std::string(parameter), std::string(parameter) + " cannot be '" + std::string(text) + "'",
                      allowed(texts));
}

template <class E>
std::string_view text_of(E value) {
  const auto& texts = kTexts<E>;
  return texts[static_cast<std::size_t>(value)];
}

// The points of the row farthest from a player. Throws an ArgumentError if the board has no rows.
std::set<std::string> far_row(const Board& board, Player player);
// Whether a man of `player` may move in that direction.
bool moves(Movement movement, Player player, Direction direction);

}  // namespace rgtrans::linegames
