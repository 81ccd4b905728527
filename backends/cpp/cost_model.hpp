// All numbers that decide between forms of code, in three records: costs (`kCosts`), sizes (`kSizes`) and the work of
// an analysis (`kEfforts`). Costs are instructions of an AVX-512 machine, or measured borders between two forms; those
// of a device say so.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rgtrans::cpp {

// When does one form of code beat another?
struct CostModel {
  // Instructions that mask a set for a condition.
  std::size_t mask = 3;
  // Instructions that add a set of moves.
  std::size_t add_moves = 10;
  // Instructions up to which an empty set needs no branch.
  std::size_t without_branch = 24;
  // Instructions of a check from which on it is left for the move that is drawn.
  std::size_t deferred_check = 60;
  // Moves of a set up to which they are written one by one.
  std::size_t few_moves = 10;
  // Numbers of tags that are distinguished by a switch.
  std::size_t tag_counts = 4;
  // Sets of cells from which on they are compared together.
  std::size_t nearly_full_sets = 3;
  // Moves behind a value up to which it waits although sets of moves follow.
  std::uint32_t moves_behind_sets = 8;
  // Cells up to which a check reads them one by one: a board that was just written is read slowly.
  std::size_t cells_one_by_one = 8;
  // Conditions from which on patterns pay for reading a board that was just written.
  double patterns_after_write = 20;
  // Conditions from which on patterns pay on a device, where a board takes some hundred instructions.
  double patterns_on_device = 12;
  // Cells of a board that is one vector, whichever way it is read.
  std::uint32_t cells_in_one_vector = 16;
  // Comparisons from which on a check is one expression.
  std::size_t expression_least = 4;
  // Comparisons up to which it is: of more, most fail at once, and branches leave out the others.
  std::size_t expression_most = 12;
  // Targets of a value from which on they are compared together.
  std::size_t targets_least = 8;
  // Values from which on the next one is searched in a vector.
  std::size_t lookout_least = 8;
  // Values that are tried one by one before that.
  unsigned lookout_tries = 4;
  // Ways out of a node that are compared one after the other; more of them by a switch.
  std::size_t compared_ways = 64;
  // Ways that compare one expression from which on a switch distinguishes them.
  std::size_t switch_least = 3;
  // Steps of one node that are compared with each other.
  std::size_t excluded_pairs = 48;
  // Ways from which on the next tag is looked up in a table.
  std::size_t arms_least = 3;
  // Values of a choice that may begin rays.
  std::size_t directions = 16;
  // Values that a deferred walk may keep.
  std::size_t kept_values = 8;
  // Moves behind a walk that is deferred with others.
  std::uint32_t moves_behind = 16;
  // Values of a choice from which on they are a set.
  std::size_t set_values_least = 9;
  // Shifts of one condition; beyond that cells are gathered.
  std::size_t shifts = 4;
  // Contents that are compared one by one.
  std::size_t compared_contents = 4;
  // Instructions that take one bit plane of a board on a device.
  std::size_t plane = 40;
  // Instructions that compare planes with a value.
  std::size_t equal_in_planes = 4;
  // Instructions that compare the cells of a board with a value.
  std::size_t equal_cells = 72;
};
inline constexpr CostModel kCosts;

// How large may tables, sets and functions become?
struct SizeLimits {
  // Words of a set that a flood goes round by round.
  std::size_t flood_words = 2;
  // 64-bit words of a table of rounds.
  std::size_t round_table = std::size_t{1} << 15U;
  // Words that one value of a round needs.
  std::size_t round_planes = 4;
  // Sets in a row of a pattern.
  std::size_t pattern_sets = 32;
  // Words of one table of patterns.
  std::uint64_t pattern_table = 16384;
  // 64-bit words of a table of targets: 256 KiB.
  std::size_t target_table = std::size_t{1} << 15U;
  // Nested blocks behind a label.
  int straight_depth = 24;
  // Nodes beyond which variables are a struct, so that the code may become several functions.
  std::size_t straight_nodes = 1500;
  // Nodes of one part of a function that becomes several: the time of a compiler grows faster.
  std::size_t part_nodes = 1000;
  // Nodes up to which all entries share a function.
  std::size_t common_nodes = 400;
  // Nodes of one function before those that follow become functions, or behind one label before they get their own.
  std::size_t search_nodes = 256;
  // Nested blocks before a function of its own.
  int search_depth = 24;
  // Tags beyond which a set of them has a bit for each.
  std::size_t tag_bytes = 512;
  // Words of a set on a board.
  std::size_t set_words = 4;
  // Words of a set on a board with more cells.
  std::size_t large_set_words = 8;
  // Cells that one permutation gathers.
  std::size_t gathered_cells = 128;
  // Words of a table of sets.
  std::size_t set_table = 4096;
  // 64-bit words of a table of values that pass a filter.
  std::uint64_t filter_table = 32768;
  // Bits of the tags that can come first, by node.
  std::size_t first_tags = std::size_t{1} << 28U;
  // Ways in a table of next tags.
  std::size_t arms = 250;
  // Cells of such a table.
  std::size_t arm_table = 1U << 16U;
  // Rounds that leave one value, or lead to it.
  std::size_t rounds_of_value = 8;
  // Cells of a table made from several lookups.
  std::uint64_t composed_table = 8192;
  // Targets of one value.
  std::size_t targets = 64;
  // Words that one target needs.
  std::size_t target_planes = 4;
  // The same of targets that are drawn before they are tested.
  std::size_t drawn_planes = 2;
};
inline constexpr SizeLimits kSizes;

// How far are walks followed when the code is planned?
struct FollowLimits {
  // Nodes behind a choice that are searched for filters.
  int filter_nodes = 12;
  // Steps between an assignment to a board and a check that reads it.
  int write_distance = 4;
  // Attempts to find targets, in one game.
  std::size_t target_attempts = 200;
  // Nodes that are searched for functions of targets.
  std::size_t target_nodes = 2000;
  // Sets of moves behind one node from which a move is guessed.
  std::size_t guessed_sets = 2;
  // Tags before them.
  std::size_t guessed_tags = 16;
  // Steps that walks of sets may follow.
  std::size_t set_steps = 3000;
  // Conditions of these walks that the state decides.
  std::size_t state_conditions = 320;
  // Values of a second choice, each of which is followed.
  std::size_t second_choice = 16;
  // Values of an outer variable, each of which is followed.
  std::size_t split_values = 8;
  // Steps of one walk.
  std::size_t set_walk = 100;
  // Ends of walks that are always followed together.
  double few_ends = 4;
  // Ends per value above which values are followed one by one.
  double ends_per_value = 2;
  // Places where values are followed one by one.
  std::size_t scalarized_places = 12;
  // Steps of PossibleValues for the next tags.
  std::size_t next_tags = 10'000'000;
  // Tags before the one that shows a value.
  int shown_after = 4;
  // Values of a variable that are tried one by one.
  std::size_t candidate_values = 1024;
  // Such variables.
  std::size_t candidates = 6;
  // Effort of a step that is searched for them.
  std::size_t candidate_step = 64;
  // Places that a case of a check may combine.
  std::size_t combined_places = 2;
};
inline constexpr FollowLimits kEfforts;

}  // namespace rgtrans::cpp
