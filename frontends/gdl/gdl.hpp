// The front end for the Game Description Language (prefix KIF and infix, GDL-I and GDL-II): reading, checking,
// grounding, the propositional network, and lowering to one RG game.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "core/support/support.hpp"
#include "frontends/frontend.hpp"
#include "frontends/gdl/direct/direct.hpp"          // IWYU pragma: export
#include "frontends/gdl/ground/ground_program.hpp"  // IWYU pragma: export
#include "frontends/gdl/network/machine.hpp"        // IWYU pragma: export
#include "frontends/gdl/playable.hpp"               // IWYU pragma: export

namespace rgtrans::gdl {

const Frontend& frontend();

// Reads the options of grounding from those of the language.
GroundOptions ground_options(const FrontendOptions& options);

// Reads, checks and grounds a text. The result must not be used if `diagnostics` contains an error.
GroundProgram ground(const Sources::File& file, Diagnostics& diagnostics, const GroundOptions& options = {});

// The first step of grounding: the rules in normal form.
Program read_program(const Sources::File& file, Diagnostics& diagnostics, bool fold_case,
                     const Sources::File* more = nullptr);

// Prints the ground description as KIF; `write` gets the pieces of the text in order.
void print_ground(const GroundProgram& program, const std::function<void(std::string_view)>& write);

// Prints the propositional network for Graphviz.
void print_network(const GroundProgram& program, const std::function<void(std::string_view)>& write);

// For every depth up to `depth`, counts the sequences of that many joint moves from the initial state in which no
// earlier state is terminal. Equal states are visited once. Stops when one depth has more than `max_states` states.
struct JointPerft {
  struct Row {
    std::uint64_t leaves = 0;    // saturated
    std::uint64_t distinct = 0;  // number of different states
    std::uint64_t terminal_leaves = 0;
    std::uint64_t stuck_states = 0;  // some role has no legal move before the end
  };
  std::vector<Row> rows;
  bool complete = true;
};
JointPerft joint_perft(const GroundProgram& program, unsigned depth, std::uint64_t max_states = 20'000'000);
// The same count on any evaluator of the rules.
JointPerft joint_perft(Steps& steps, unsigned depth, std::uint64_t max_states = 20'000'000);
JointCounts joint_counts(const JointPerft& perft);

}  // namespace rgtrans::gdl
