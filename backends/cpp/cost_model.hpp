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
  std::size_t without_branch = 64;
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
  // Cells of a board from which on bit planes are kept, bits of its contents up to which they are, cells that a move
  // writes in a row, and words where walks write and restore it.
  std::uint32_t planes_least_cells = 17;
  std::uint32_t planes_most = 3;
  std::size_t planes_most_writes = 4;
  std::uint32_t planes_most_restored = 2;
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
  // Values of a choice that may begin rays.
  std::size_t directions = 16;
  // Values that a deferred walk may keep.
  std::size_t kept_values = 8;
  // Moves behind a walk that is deferred with others.
  std::uint32_t moves_behind = 16;
  // Values of a choice from which on they are a set. A check needs more: it often holds for one of the first values.
  std::size_t set_values_least = 6;
  std::size_t checked_values_least = 9;
  // Ways of a check that are alike from which on they are lanes of a vector; instructions for a condition on all lanes.
  std::size_t lanes_least = 4;
  std::size_t lanes = 5;
  // Shifts of one condition; beyond that cells are gathered.
  std::size_t shifts = 4;
  // Contents that are compared one by one.
  std::size_t compared_contents = 4;
  // Instructions that take one bit plane of a board on a device.
  std::size_t plane = 40;
  // Instructions that compare planes with a value.
  std::size_t equal_in_planes = 4;
  // Arrivals at nodes with a late test that are taken for first visits.
  std::uint32_t late_visits = 4096;
  // Instructions that compare the cells of a board with a value.
  std::size_t equal_cells = 72;
  // How much faster than code a compiler reads tables.
  std::size_t tables = 8;
  // Contents of a board that are compared one by one instead of by a table.
  std::size_t compared_kinds = 2;
  // Pairs of contents from which on two boards are compared together.
  std::size_t pairs_least = 4;
  // Members of a type above which parts of it keep their places.
  std::size_t large_type = 16;
  // Cells of a row from which on it is compared as a whole.
  std::uint32_t row_least = 6;
  // Cells of a table from which on equal blocks are stored once, if that leaves so many times fewer.
  std::uint64_t block_cells = 1U << 17U;
  std::size_t blocks_save = 4;
  // Functions of a device from which on each is compiled for itself.
  std::size_t linked_functions = 128;
  // Cells of a board from which on a device needs more registers.
  std::uint64_t large_board = 192;
  // Lines of code for a byte of a state from which on states are sorted on a device.
  std::size_t lines_for_byte = 2;
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
  // Cells of one array of visit marks; beyond that visits are kept in a hash table.
  std::uint64_t visit_cells = 1U << 18U;
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
  // Characters of a label in a comment, and of a name.
  std::size_t label = 100;
  std::size_t identifier = 48;
  // Cells of the table of an expression.
  std::size_t form_table = std::size_t{1} << 15U;
  // Characters of one file of code.
  std::size_t file = 400'000;
  // Symbols, tags and nodes, which have numbers of 16 bits.
  std::size_t numbers = 65'535;
  // Elements of a field that is not kept apart on a device.
  std::uint64_t near_field = 8;
  // Cells of a table of the values that a variable can have.
  std::size_t validity_table = 65536;
  // Characters of code that an edge takes at least.
  std::uint64_t edge = 125;
  // Contents of the cells that patterns compare.
  std::uint32_t pattern_contents = 64;
  // Lines of all entries together that become one function on a device.
  std::uint64_t whole_lines = 250;
  // Lines of a function that is always copied to its callers there.
  std::uint64_t short_lines = 12;
  // Lines of all copies of a function there.
  std::uint64_t copied_lines = 100;
  // Lines of a function that is not copied there, even where it is called once.
  std::uint64_t long_lines = 1000;
  // Rounds of a loop that are counted.
  std::uint64_t rounds = 4096;
  // Sets of cells that a check compares together.
  std::size_t full_sets = 256;
  // Symbols of a universe that have names.
  std::uint32_t enumerators = 400;
  // Characters of a line of a table.
  std::size_t line = 110;
  // Tags of a move of any length.
  std::uint32_t move_tags = 254;
  // Characters of one function.
  std::size_t function = 1'000'000;
  // Combinations of values of a key that no assignment replaces by a new epoch.
  std::uint64_t key_values = 1U << 14U;
  // Cells of a variable that are counted for that.
  std::uint64_t counted_cells = 4096;
  // Bytes of the marks of one thread of a device.
  std::uint64_t marks = 1U << 24U;
  // Slots of its table of known moves.
  std::uint32_t known_moves = 16384;
  // Bytes of its stack.
  std::size_t stack = 32768;
  // Contents of a cell that a deferred walk keeps.
  std::uint32_t kept_contents = 256;
};
inline constexpr SizeLimits kSizes;

// How far are walks followed when the code is planned?
struct FollowLimits {
  // Nodes behind a choice that are searched for filters.
  int filter_nodes = 12;
  // Steps between an assignment to a board and a check that reads it.
  int write_distance = 4;
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
  // The same where ways are compared that may show equal tags; tags behind the first one.
  std::size_t way_tags = 100'000'000;
  int followed_tags = 6;
  // Comparisons of two variables there, and pairs of values.
  std::size_t related = 32;
  std::size_t related_values = 4096;
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
  // Clauses of a check.
  std::size_t clauses = 50'000;
  // Steps along the walks of one check without symbolic cells.
  std::size_t pattern_steps = 200'000;
  // Steps along the walks of one check with symbolic cells.
  std::size_t place_steps = 900'000;
  // The same of all checks of a game, and attempts to find targets: so much takes minutes.
  std::size_t all_pattern_steps = 20'000'000;
  std::size_t all_target_attempts = 1000;
  // Parameters of its clauses.
  std::size_t parameters = 3;
  // Steps of one way through it.
  std::size_t pattern_way = 400;
  // Cells that are assumed to hold what they held at first.
  std::size_t assumed = 2;
  // Cells that a place is known not to be.
  std::size_t excluded_cells = 4;
  // Steps that are searched backwards from a write, for the value of the cell before it.
  int overwritten_steps = 8;
  // Pairs of walks that may show the same tags.
  std::size_t pairs = 200'000;
  // Differences that are known of one pair.
  std::size_t differences = 6;
  // How often possible values may grow before all are taken, and where that takes too long.
  std::uint8_t growths = 100;
  std::uint8_t few_growths = 24;
  // Epochs that are counted.
  std::uint32_t epochs = 64;
  // Steps at the start of a way whose conditions are compared with those of another.
  std::size_t leading_steps = 8;
  // Words of all sets of possible values, and how many such sets.
  std::size_t value_words = std::size_t{1} << 23U;
  std::size_t value_sets = std::size_t{1} << 26U;
  // Cells of a map that are followed one by one.
  std::size_t followed_cells = 4096;
  // Possible values that are looked at.
  std::size_t values = 40'000'000;
  // Contents of such a cell.
  std::uint32_t followed_contents = 256;
  // Steps before an assignment whose conditions restrict it.
  int guards = 4;
  // Nodes that are searched for the tag that shows a value.
  std::size_t shown_nodes = 3000;
  // Tags in a row that show all that ways have done.
  std::size_t shown_tags = 6;
  // Values of a variable that counts rounds.
  std::uint32_t counted_rounds = 64;
};
inline constexpr FollowLimits kEfforts;

}  // namespace rgtrans::cpp
