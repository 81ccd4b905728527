// A description as written, with its form checked: every word is known and in a valid place; arguments are named.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/support/support.hpp"
#include "frontends/ludax/board.hpp"

namespace rgtrans::ludax::ast {

enum class Kind : std::uint8_t {
  // masks
  empty,
  occupied,
  center,
  corners,
  every,   // (and m …)
  either,  // (or m …)
  except,  // (not m)
  adjacent,
  custodial,
  edge,
  owned,  // (occupied side)
  prev_move,
  // functions
  number,
  add,
  multiply,
  subtract,
  count,
  score,
  line,
  connected,
  // predicates
  all,  // (and p …)
  any,  // (or p …)
  negation,
  equal,
  at_least,
  at_most,
  exists,
  full_board,
  mover_is,
  passed,
};

enum class Side : std::uint8_t { mover, opponent, p1, p2, both };

// The targets of `connected` that are written as a single word.
enum class Targets : std::uint8_t { listed, corners, edges, edges_no_corners };

struct Term {
  Kind kind = Kind::number;
  Range where;
  Range word;               // its head, for messages
  std::vector<Term> parts;  // operands; for adjacent and count: the mask; for connected: the targets
  Side side = Side::mover;
  std::int64_t number = 0;  // a number; for line: its length; for custodial: 0 means any length
  Range number_where;
  Directions directions = 0xff;
  Range directions_where;  // known if they are written
  bool exact = false;
  Edge edge = Edge::top;
  Targets targets = Targets::listed;
};

struct Placement {
  Side who = Side::p1;
  std::vector<std::pair<std::int64_t, Range>> cells;
};

struct Effect {
  enum class Kind : std::uint8_t { capture, flip, increment_score, set_score };
  Kind kind = Kind::capture;
  Range where;
  Side side = Side::opponent;
  Term term;  // a mask or a function
  bool scores = false;
};

struct Phase {
  Range where;
  bool once = false;
  std::vector<Side> movers;  // P1 or P2
  Side placed = Side::mover;
  Term destination;
  std::optional<Term> result;
  std::vector<Effect> effects;
  bool force_pass = false;
};

struct Rule {
  enum class Result : std::uint8_t { win, lose, draw, by_score };
  Range where;
  Term condition;
  Result result = Result::draw;
  Side side = Side::mover;
};

struct Description {
  std::string name;
  Range board_where;
  Board board;
  std::vector<Placement> start;
  std::vector<Phase> phases;
  std::vector<Rule> rules;
};

}  // namespace rgtrans::ludax::ast
