// Small random games for differential tests: a handful of nodes, three variables of small types, labels of every
// kind, checks, cycles. Many are improper somewhere; it is for the test to pass over what it cannot compare.
#pragma once

#include <cstdint>
#include <string>

namespace rgtrans::testing {

// As RG text. The same seed gives the same game everywhere.
std::string random_game(std::uint64_t seed);

}  // namespace rgtrans::testing
