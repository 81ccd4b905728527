// What an evaluation is about: values with their domains, and the circumstances in which a term is read.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/ludii/equipment/statics.hpp"

namespace rgtrans::ludii {

// A number that is known, or an expression with all its possible values in ascending order.
struct Value {
  std::optional<int> constant;
  ir::ExprId expr;
  std::vector<int> domain;

  [[nodiscard]] bool may_be(int value) const { return std::ranges::binary_search(domain, value); }
};

// The searches around an evaluation.
struct Within {
  bool threat = false, stalemate = false;  // for a threat, for a move of the next player
  bool old_pending = false;                // sites that were pending before the move are so still
  bool supposed = false;                   // the threatened piece is on its site for this question alone

  [[nodiscard]] std::string key() const {
    return {threat ? 't' : '-', stalemate ? 's' : '-', old_pending ? 'p' : '-', supposed ? 'e' : '-'};
  }
};

// The circumstances of an evaluation.
struct Env {
  std::array<std::optional<Value>, kSlots> slots;  // none: -1
  int mover = 1;
  int component = 0;                              // the piece that is being moved, if known
  std::optional<Direction> facing;                // if the piece is not known
  std::optional<std::vector<Direction>> heading;  // of the last move, if known
  std::map<const Node*, int> terms;               // known parts of directions
  bool silent = false;                            // only whether there is a move matters
  bool checked = false;                           // a condition on the state behind the move follows
  bool after_move = false;                        // within consequences and end rules
  bool consequence = false;                       // within consequences, or the test of a move
  bool counted = false;                           // the move that is being made counts already
  bool forced_pass = false, passed = false;
  Within within;
  bool within_effect = false;       // a move that an effect makes
  bool planned_pending = false;     // sites that a part before the move has named will be pending
  bool chain = false;               // within the search for the longest turn
  const Node* each_then = nullptr;  // what follows each action of a repeated effect
  std::vector<Value> choices;       // values of iterators that the text of a move must show
  std::string then;                 // consequences of the clauses around the move
  std::optional<Value> prev, next, seeds;
  int real_mover = 0;  // if another player's pieces move as if it were that player's turn
  std::optional<Value> real_prev;
  ir::ExprId group;         // the map of the sites of (sites)
  std::vector<Value> dice;  // the sites of the dice that the move uses
  bool thrown = false;      // the dice lie as they are for this move

  [[nodiscard]] const std::optional<Value>& operator[](Slot slot) const { return slots[nth(slot)]; }
  [[nodiscard]] std::optional<Value>& operator[](Slot slot) { return slots[nth(slot)]; }
  [[nodiscard]] Env with(Slot slot, const Value& value) const {
    Env result = *this;
    result[slot] = value;
    return result;
  }
  // For the question whether there is a move.
  [[nodiscard]] Env searching() const {
    Env result = *this;
    result.silent = true;
    result.checked = false;
    return result;
  }
};

// The integers of a range.
std::vector<int> ascending(int first, int last);
// The index of a site on a track, or -1.
int index_on(const Track& track, int site);
// Ludemes that ask which moves there are.
inline constexpr std::string_view kAsksForMoves = "can Move, no Moves, is Threatened, sites From|To|Between";

// What the variables of a game can be, by name; kept from one lowering to the next.
struct Domains {
  std::map<std::string, std::set<int>> values;
  bool grown = false;
  std::size_t round = 0;
};

// Restores a number at the end of a scope.
class Kept {
 public:
  explicit Kept(std::size_t& number) : number_(number), before_(number) {}
  ~Kept() { number_ = before_; }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

 private:
  std::size_t& number_;
  std::size_t before_;
};

}  // namespace rgtrans::ludii
