// A description as turns: one for each phase and player, with everything resolved for that player, and the order in
// which they come. Then what can be proved of the play: which pieces can vanish, which lines can only be new ones, how
// large scores become, where a player always has a move.
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
  Player player = Player::p1;  // whose pieces, or whose score
  Mask mask;
  Linear value;
  bool scores = false;  // the mover's score grows by the number captured
  Range where;
};

struct Rule {
  Condition condition;
  ast::Rule::Result result = ast::Rule::Result::draw;
  Player winner = Player::p1;  // of win and lose
  Linear lead;                 // of by_score: the score of P1 minus that of P2
  Range where;
};

struct Turn {
  Player mover = Player::p1;
  Player placed = Player::p1;  // whose piece is put
  std::size_t phase = 0;
  Mask destination;
  std::optional<Condition> result;
  std::vector<Effect> effects;
  std::vector<Rule> rules;
  bool force_pass = false;
  bool full_is_stuck = false;               // the last rule says only that a full board is a draw, as is having no move
  std::optional<std::int64_t> most_pieces;  // of the mover behind this turn, where it comes once only
  Range where;
};

// One entry of the list of players of a phase.
struct Position {
  std::size_t turn = 0;
  std::size_t next = 0;
};

// Where pieces pile up: a cell may be taken that is the base of a column or follows a taken one, and no piece vanishes.
// So each column has one free cell at most, the one that comes next.
struct Columns {
  Cells bases;
  Direction grows = Direction::up;
  bool everywhere = false;  // each cell belongs to a column
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
  std::vector<std::optional<Player>> start;  // the piece on each cell

  // Can somebody pass at all?
  bool passes = false;
  // Pieces of a player can leave the board, or be replaced.
  bool captures = false, replaces = false, flips = false, gives = false;  // gives: (place opponent …)
  // In every turn, where the destination says so.
  std::optional<Columns> columns;
  // By player: the score needs a variable, with this range.
  std::array<std::optional<Interval>, 2> scores;

  // Before a placement there is never such a line, so that a line must go through the cell just played.
  [[nodiscard]] bool only_new(const Atom& line) const;
  // In every state that goes on there is a cell for the one to act.
  [[nodiscard]] bool always_has_move(const Position& after, const Turn& next) const;
  [[nodiscard]] bool has_first_move() const;
  [[nodiscard]] Interval bounds(const Atom& atom) const;
  // No play is longer, where that is known.
  [[nodiscard]] std::optional<std::int64_t> longest_play() const;
  // Does every cell of the mask lack a piece?
  [[nodiscard]] static bool implies_empty(const Mask& mask);
  // Would some end rule of the turn certainly end the play?
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

  mutable std::map<std::size_t, std::vector<std::pair<Atom, bool>>> new_lines_;  // what only_new found, by length
};

}  // namespace rgtrans::ludax
