// Some rules follow a path from place to place and collect the visited places in a list:
//
//   (<= (path ?c (cons ?c nil)) (first ?c))
//   (<= (path ?d (cons ?d ?seen)) (path ?c ?seen) (adjacent ?c ?d) (not (member ?d ?seen)))
//   (<= wins (path ?c ?seen) (last ?c))
//
// There is a list for each simple path, so their number is exponential. If rules read the list only to test whether a
// place has been visited, the list is redundant: every reachable place is reachable by a simple path. So the list
// column and the tests are removed:
//
//   (<= (path ?c) (first ?c))
//   (<= (path ?d) (path ?c) (adjacent ?c ?d))
//   (<= wins (path ?c) (last ?c))
#pragma once

#include "core/ir/ir.hpp"
#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

// Returns true if some lists were removed. Each state derives the same facts, moves, goals and other remaining
// relations as before. `claims` receives the conclusion as claims (trail_claims.hpp).
bool drop_trails(Program& program, ir::Claims* claims = nullptr);

}  // namespace rgtrans::gdl
