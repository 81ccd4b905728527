// Terms with arguments become their arguments: `(cell (pos ?x ?y) ?p)` is a relation of three columns, and a variable
// for a whole term, fact or move becomes one rule for each form of what it can stand for.
#pragma once

#include <map>
#include <string>

#include "frontends/gdl/ground/grounder.hpp"

namespace rgtrans::gdl::lifted {

// A name that nothing in the description has.
SymbolId fresh_symbol(Program& program, const std::string& wish);

// How a fact or move is written, with a `?` for each column (of a move: behind the role).
using Forms = std::map<RelId, std::string>;
std::string form_of(const Program& program, const RelationInfo& info, RelId relation, const Forms& forms);

// Replaces the rules that depend on the state where some of them mentions such a term. The sense stays the same.
// Throws NotLifted where there would be too many rules.
Forms flatten(Program& program, Unground& unground);

}  // namespace rgtrans::gdl::lifted
