// Replaces compound terms by their arguments: `(cell (pos ?x ?y) ?p)` becomes a relation of three columns. A rule with
// a variable for a whole term, fact or move becomes one rule per form of that term.
#pragma once

#include <map>
#include <string>

#include "frontends/gdl/ground/grounder.hpp"
#include "frontends/gdl/lifted/lifted.hpp"

namespace rgtrans::gdl::lifted {

// An unused name.
SymbolId fresh_symbol(Program& program, const std::string& wish);

// The text of a fact or move, with a kPlaceholder (lifted.hpp) for each column (of a move: after the role).
using Forms = std::map<RelId, std::string>;
std::string form_of(const Program& program, const RelationInfo& info, RelId relation, const Forms& forms);

// Replaces the state-dependent rules if some rule mentions such a term; they keep their meaning. Throws NotLifted if
// there would be too many rules.
Forms flatten(Program& program, Unground& unground);

}  // namespace rgtrans::gdl::lifted
