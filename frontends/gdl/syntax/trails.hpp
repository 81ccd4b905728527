// Some rules follow a way from place to place and keep what they have visited in a list:
//
//   (<= (path ?c (cons ?c nil)) (first ?c))
//   (<= (path ?d (cons ?d ?seen)) (path ?c ?seen) (adjacent ?c ?d) (not (member ?d ?seen)))
//   (<= wins (path ?c ?seen) (last ?c))
//
// There are as many lists as there are ways that visit nothing twice, which is a lot. Where nobody reads the list but
// to ask whether a place has been visited, it makes no difference: what can be reached at all is reached without
// visiting a place twice. So the list goes, and so do the questions:
//
//   (<= (path ?c) (first ?c))
//   (<= (path ?d) (path ?c) (adjacent ?c ?d))
//   (<= wins (path ?c) (last ?c))
#pragma once

#include "core/ir/ir.hpp"
#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

// True where some lists have gone. What a state derives stays the same for the facts, moves, goals and all else that is
// left. What was concluded becomes claims (trail_claims.hpp), where
// they are wanted.
bool drop_trails(Program& program, ir::Claims* claims = nullptr);

}  // namespace rgtrans::gdl
