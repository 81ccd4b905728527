// Tokens. Every token has a class of one byte, so a sequence of tokens is also a string that a PEGTL grammar can match.
// An index into that string is the index of a token.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::rbg {

// The class of single-character punctuation is the character itself.
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
  SymbolId text;             // the spelling; a number has no leading zeros
  Range where;               // its place in the text
  std::uint32_t origin = 0;  // the expansion that produced it, or 0 (see Expansions)
  char kind = 0;
};

// The value of a number.
std::uint32_t number_of(const Token& token, const Symbols& symbols);

// The class of a spelling that forms one token, or 0.
char classify(std::string_view spelling);
bool is_keyword(char kind);

// All tokens of a text. Reports and skips characters that begin no token.
std::vector<Token> tokenize(const Sources::File& file, Symbols& symbols, Diagnostics& diagnostics);

// Comments and tokens in order, for the formatter.
struct PieceKind {
  enum class Kind : std::uint8_t { token, line_comment, block_comment };
  Kind kind = Kind::token;
  Range where;
};
std::vector<PieceKind> pieces_of(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::rbg
