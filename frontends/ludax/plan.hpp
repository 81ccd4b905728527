// A description as turns: one per phase and player, with all terms resolved for that player, and the order of turns.
// The plan also proves facts about the play: which pieces can disappear, which lines are always new, the ranges of
// scores, and where a player always has a move.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "frontends/ludax/ast.hpp"
#include "frontends/ludax/logic.hpp"

namespace rgtrans::ludax {

struct Effect {
  ast::Effect::Kind kind = ast::Effect::Kind::capture;
  Player player = Player::p1;  // owner of the pieces or of the score
  Mask mask;
  Linear value;
  bool scores = false;  // the mover's score grows by the number of captured pieces
  Range where;
};

struct Rule {
  Condition condition;
  ast::Rule::Result result = ast::Rule::Result::draw;
  Player winner = Player::p1;  // for win and lose
  Linear lead;                 // for by_score: the score of P1 minus that of P2
  Range where;
};

struct Turn {
  Player mover = Player::p1;
  Player placed = Player::p1;  // owner of the placed piece
  std::size_t phase = 0;
  Mask destination;
  std::optional<Condition> result;
  std::vector<Effect> effects;
  std::vector<Rule> rules;
  bool force_pass = false;
  bool full_is_stuck = false;               // the last rule only makes a full board a draw, and so is having no move
  std::optional<std::int64_t> most_pieces;  // pieces of the mover after this turn, if it occurs once only
  Range where;
};

// An entry in a phase's list of players.
struct Position {
  std::size_t turn = 0;
  std::size_t next = 0;
};

// For games in which pieces pile up. A cell is allowed if it is the base of a column or follows an occupied cell, and
// no piece disappears. Each column thus has at most one allowed cell, the next one.
struct Columns {
  Cells bases;
  Direction grows = Direction::up;
  bool everywhere = false;  // every cell belongs to a column
};

struct PlanOptions {
  std::optional<std::int64_t> score_limit;  // scores stay between -n and n
};

class Plan {
 public:
  Plan(const ast::Description& description, const PlanOptions& options, Diagnostics& diagnostics);

  const Board& board;
  std::vector<Turn> turns;
  std::vector<Position> positions;           // play begins at the first one
  std::vector<std::optional<Player>> start;  // by cell: its initial piece

  // Whether a player can pass at all.
  bool passes = false;
  // Whether pieces of a player can leave the board or be replaced.
  bool captures = false, replaces = false, flips = false, gives = false;  // gives: (place opponent …)
  // In every turn whose destination has this form.
  std::optional<Columns> columns;
  // By player: the range of the score if it needs a variable.
  std::array<std::optional<Interval>, 2> scores;

  // Whether no such line exists before a placement, so that every line passes through the cell just played.
  [[nodiscard]] bool only_new(const Atom& line) const;
  // Whether the mover has a move in every state in which the play continues.
  [[nodiscard]] bool always_has_move(const Position& after, const Turn& next) const;
  [[nodiscard]] bool has_first_move() const;
  [[nodiscard]] Interval bounds(const Atom& atom) const;
  // An upper bound on the length of a play, or none.
  [[nodiscard]] std::optional<std::int64_t> longest_play() const;
  // Whether every cell of the mask is certainly empty.
  [[nodiscard]] static bool implies_empty(const Mask& mask);
  // Whether some end rule of the turn certainly ends the play.
  [[nodiscard]] static bool certainly_ends(const Turn& turn, const Knowledge& knowledge);

 private:
  void make_turns(const ast::Description& description, Diagnostics& diagnostics);
  [[nodiscard]] Turn make_turn(const ast::Description& description, std::size_t phase, Player mover) const;
  void count_pieces();
  void find_columns();
  void find_full_boards();
  [[nodiscard]] bool takes_any_empty_cell(const Turn& turn) const;
  void derive_scores();
  [[nodiscard]] std::optional<Linear> derived_score(const Turn& turn, Player player) const;
  [[nodiscard]] bool reads_score(const Turn& turn, Player player) const;
  void bound_scores(const PlanOptions& options, Diagnostics& diagnostics);
  bool follow_scores(const std::optional<std::int64_t>& limit);
  [[nodiscard]] std::array<Interval, 2> play_scores(const Turn& turn, std::array<Interval, 2> before,
                                                    std::array<Interval, 2>& extremes,
                                                    const std::optional<std::int64_t>& limit) const;
  void cap(const Turn& turn, Player player, std::array<Interval, 2>& range) const;
  [[nodiscard]] bool starts_with(const Atom& line) const;

  mutable std::map<std::size_t, std::vector<std::pair<Atom, bool>>> new_lines_;  // cache of only_new, by length
};

}  // namespace rgtrans::ludax
