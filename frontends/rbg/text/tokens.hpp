// Tokens. Every token has a class of one byte, so that a sequence of tokens is at the same time a string over which
// a PEGTL grammar can run; the index into that string is the index of the token.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::rbg {

// Single-character punctuation stands for itself.
namespace token {
inline constexpr char kIdentifier = 'i';
inline constexpr char kNumber = '0';
inline constexpr char kString = 's';
inline constexpr char kHexagon = 'H';
inline constexpr char kCuboid = 'C';
inline constexpr char kRectangle = 'R';
inline constexpr char kSection = 'K';         // players pieces variables rules board
inline constexpr char kPositive = 'q';        // {?
inline constexpr char kNegative = 'n';        // {!
inline constexpr char kComparison = 'c';      // {$
inline constexpr char kAssignment = 'a';      // [$
inline constexpr char kNotEqual = 'N';        // !=
inline constexpr char kEqual = 'E';           // ==
inline constexpr char kLessOrEqual = 'L';     // <=
inline constexpr char kGreaterOrEqual = 'G';  // >=
inline constexpr char kSwitch = 'w';          // ->
inline constexpr char kKeeperSwitch = 'W';    // ->>
inline constexpr char kPriority = 'v';        // +>

constexpr bool opens(char kind) {
  return kind == '(' || kind == '[' || kind == '{' || kind == kPositive || kind == kNegative || kind == kComparison ||
         kind == kAssignment;
}
constexpr bool closes(char kind) { return kind == ')' || kind == ']' || kind == '}'; }
}  // namespace token

struct Token {
  SymbolId text;             // the spelling; of a number without leading zeros
  Range where;               // the place where it is written
  std::uint32_t origin = 0;  // the expansion that it was written for, 0 for none (see Expansions)
  char kind = 0;
};

// The value of a number.
std::uint32_t number_of(const Token& token, const Symbols& symbols);

// The class of a spelling that is one token, or 0.
char classify(std::string_view spelling);
bool is_keyword(char kind);

// All tokens of a text. Characters that start no token are reported and skipped.
std::vector<Token> tokenize(const Sources::File& file, Symbols& symbols, Diagnostics& diagnostics);

// Comments and tokens in order, for the formatter.
struct PieceKind {
  enum class Kind : std::uint8_t { token, line_comment, block_comment };
  Kind kind = Kind::token;
  Range where;
};
std::vector<PieceKind> pieces_of(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::rbg
