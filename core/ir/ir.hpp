// The intermediate representation: one Game per description (types, constants, variables, an automaton, pragmas), the
// built-in definitions, and the verifier, which checks every static rule of the language.
#pragma once

#include "core/ir/automaton.hpp"     // IWYU pragma: export
#include "core/ir/boost_graph.hpp"   // IWYU pragma: export
#include "core/ir/builtins.hpp"      // IWYU pragma: export
#include "core/ir/claims.hpp"        // IWYU pragma: export
#include "core/ir/defined_once.hpp"  // IWYU pragma: export
#include "core/ir/expressions.hpp"   // IWYU pragma: export
#include "core/ir/game.hpp"          // IWYU pragma: export
#include "core/ir/parts.hpp"         // IWYU pragma: export
#include "core/ir/pragmas.hpp"       // IWYU pragma: export
#include "core/ir/recursion.hpp"     // IWYU pragma: export
#include "core/ir/relations.hpp"     // IWYU pragma: export
#include "core/ir/types.hpp"         // IWYU pragma: export
#include "core/ir/values.hpp"        // IWYU pragma: export
#include "core/ir/verifier.hpp"      // IWYU pragma: export
#include "core/ir/words.hpp"         // IWYU pragma: export
