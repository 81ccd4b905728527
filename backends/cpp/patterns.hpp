// Checks that are a question about the cells of one board: which sets of cells hold what decides, whichever way through
// the automaton asks for them. All ways of such a check are walked when the reasoner is generated, for each value of
// what its indices depend on; what is left of a way is a clause: cells and what they must hold.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "backends/cpp/cell_predicate.hpp"
#include "backends/cpp/facts.hpp"

namespace rgtrans::cpp {

// What a cell is asked for: whether it holds this, or, of a place, whether it is this cell.
struct PatternValue {
  ExprId expression;
  bool place = false;
  ExprId row = {};  // of the board, of which a cell is asked: all of it, or a row of two dimensions
  bool operator==(const PatternValue&) const = default;
};

// It does, or does not.
struct PatternLiteral {
  std::uint32_t cell = 0;
  std::uint32_t value = 0;  // index into CheckPatterns::values
  bool negated = false;
  auto operator<=>(const PatternLiteral&) const = default;
};

struct Clause {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> given;  // parameter, code; sorted
  std::vector<PatternLiteral> literals;                        // sorted; all hold
  auto operator<=>(const Clause&) const = default;
};

inline constexpr std::uint32_t kPatternCells = 64;

struct CheckPatterns {
  VarId board;                       // of cells, or of rows of them
  std::vector<ExprId> parameters;    // read from the state or handed to the check
  std::vector<PatternValue> values;  // these depend on nothing that the check assigns
  std::vector<Clause> clauses;       // the check holds when one of them does
  // All this holds while these cells hold what they held at first: few, beyond the bits of one word, such as the square
  // outside of a board of 64.
  std::vector<AssumedCell> assumed;
  std::vector<ExprId> inside;  // and while these places are cells of the board that have a bit in one word
};

// How far is gone for it. `places`: a variable may stand for a cell, so that tables are not about each of its values,
// and contents of cells may be asked for one by one.
enum class PatternMeans : std::uint8_t { plain, places };

// None when the check is no such question, or takes too many steps; `steps` counts those of all checks.
std::optional<CheckPatterns> find_patterns(NumberedGame& model, const GameFacts& facts, const CodeContext& check,
                                           PatternMeans means, std::size_t& steps);

}  // namespace rgtrans::cpp
