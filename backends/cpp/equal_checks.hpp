// Checks that several explorations have a copy of each, read from the texts of the functions.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "backends/cpp/shared.hpp"

namespace rgtrans::cpp {

struct EqualChecks {
  std::map<std::string, std::string, std::less<>> instead;  // by function, another one that does the same
  std::set<std::string, std::less<>> fields;                // of the functions that are not needed then
};

// Functions are equal when their texts are, but for their own names and for the arrays in which they mark what they
// have visited. One array serves two explorations, as each has an epoch of its own; but one of them must not go on
// where the other one has marked anew, so copies stay when an exploration could ask for the other within its own
// search.
EqualChecks find_equal_checks(const std::vector<std::string>& functions, const std::vector<CacheField>& fields);

// The name of the check that a function or a declaration is about; "" when it is something else.
std::string_view check_defined_by(std::string_view text);

// A text in which other functions are called instead of those.
std::string with_calls_to(std::string_view text, const EqualChecks& equal);

}  // namespace rgtrans::cpp
