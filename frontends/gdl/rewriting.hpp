// The rewrites of rules as a user sees them: their names, the rules behind one of them, and a check of each.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/frontend.hpp"
#include "frontends/gdl/syntax/rewrites.hpp"

namespace rgtrans::gdl {

// In the order in which they run.
std::span<const NamedRewrite> rewrites();

// Thrown by a watch once it has the rules that it waits for.
struct RewritingStopped {};

// Stores the rules behind the rewrite of this name, or behind the last one if the name is empty.
RewriteWatch keep_rules(std::string& text, std::string_view rewrite);

// Plays the rules before and behind each rewrite side by side, with the evaluator of rules. Throws Error at the first
// difference in moves, ends or goals.
RewriteWatch verify_rewrites(const Program& program);

}  // namespace rgtrans::gdl
