// Prints rules with variables as GDL that any reader accepts: before the evaluation of static relations, and after it.
//
//   (<= (next (cell ?c ?p))
//       (does ?p (mark ?c)))
#pragma once

#include <span>
#include <string>

#include "frontends/gdl/ground/grounder.hpp"

namespace rgtrans::gdl {

std::string rule_text(const Program& program);

// State-dependent rules, the initial facts, and the tuples of the static relations that the rules query.
std::string rule_text(const Program& program, const Unground& unground, std::span<const EngineRule> rules);

// Parts of one rule, with the same names of variables.
std::string literal_text(const Program& program, const Unground& unground, const EngineRule& rule,
                         const EngineLiteral& literal);
std::string variable_name(const Program& program, const EngineRule& rule, std::uint32_t variable);

}  // namespace rgtrans::gdl
