// A small game of two moves, for tests of everything that people do with a game: x names a square, o answers with
// another one.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/support/support.hpp"

namespace rgtrans {

inline constexpr std::string_view kGame = R"(
type Player = { x, o };
type Score = { 0, 100 };
type Square = { a1, b1, a2, b2 };
type Mark = { empty, x, o };
var board: Square -> Mark = { :empty };
var at: Square = a1;
begin, choose: player = x;
choose, chosen: at = Square(*);
chosen, free: $$ at;
free, put: board[at] == empty;
put, side: board[at] = x;
side, tag: $ now;
tag, reply: player = o;
reply, replied: at = Square(*);
replied, open: board[at] == empty;
open, answer: $$ at;
answer, mark: board[at] = o;
mark, after: player = keeper;
after, score: goals[o] = 100;
score, end: player = keeper;
)";

// The error of an action: its message, and the texts and hints of its diagnostics.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    std::string out = error.what();
    for (const Diagnostic& diagnostic : error.diagnostics()) out += "\n" + diagnostic.message + "\n" + diagnostic.hint;
    return out;
  }
  return "";
}

}  // namespace rgtrans
