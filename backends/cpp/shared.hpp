// What all functions of a reasoner share: the text with its indentation, tables of constants, names.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "backends/cpp/code.hpp"
#include "backends/cpp/facts.hpp"
#include "backends/cpp/functions.hpp"
#include "backends/cpp/planner.hpp"

namespace rgtrans::cpp {

// Code was about to become so much that a compiler would need too long for it.
struct TooMuchCode {};

// Everything that ends up in the generated files: functions, tables and names.
class Shared : public CodeForm {
 public:
  // `for_device`: what is written is compiled for a GPU as well.
  Shared(NumberedGame& m, GameFacts& a, Techniques techniques, bool for_device = false);

  NumberedGame& model;
  GameFacts& facts;
  Decisions decisions;
  // What functions and tables begin with.
  std::string_view function_head, table_head;
  Text tables;  // definitions of constants
  FunctionTable functions;
  bool marks_visits = false;     // some function recognises that it is called again
  bool keeps_keys = false;       // some of them by complete keys
  bool keeps_cells = false;      // the working memory has sets of cells
  bool counts_arrivals = false;  // … when there were many arrivals
  bool recursive = false;        // some checks flood the board by calls to themselves
  bool defers = false;           // some checks keep a list of what is left to try
  bool lists_sets = false;       // some moves are listed as sets
  // Places in the code where sets of moves are found, and where single ones are that are no rare case.
  std::size_t set_ends = 0, single_ends = 0;
  std::set<std::uint32_t> called_checks;  // by NumberedGame::checks
  // Moves can be drawn from sets instead of a list.
  [[nodiscard]] bool draws() const { return words() && set_ends > 0 && set_ends >= single_ends; }
  // … and some of them when it was not yet asked whether they are possible.
  std::set<std::uint32_t> candidates_in;  // nodes whose functions find such
  bool some_wait = false;                 // some of them are walks that go on only if they are drawn
  bool needs_acceptance_test = false;     // whether they are moves, where their cells hold what they need
  [[nodiscard]] bool draws_candidates() const { return !candidates_in.empty(); }

  // The function gets its body. Throws TooMuchCode when this one is too large, or all of them are.
  void define(FunctionId id, Text body);
  // Of checks that are written several times one stays.
  void join_checks();
  [[nodiscard]] std::size_t code_size() const { return code_size_; }
  [[nodiscard]] std::string enumerator(std::uint32_t universe, std::uint32_t code);
  [[nodiscard]] std::string symbol_text(std::uint32_t universe, SymbolId symbol);
  // A table with the cells of a constant map.
  std::string map_table(ValueId value, const ArrayShape& shape, std::string_view name);
  // A table in two: blocks[index[i]…[j]][k]…, with `depth` indices in the first brackets.
  struct Blocks {
    std::string index, blocks;
    std::size_t depth = 0;
  };
  // Of a large constant map, most of whose blocks are equal; else without blocks.
  const Blocks& map_blocks(ValueId value, const ArrayShape& shape, std::string_view name);
  // A table of arbitrary numbers; equal ones are stored once.
  std::string number_table(const std::vector<std::uint64_t>& numbers, const std::vector<std::size_t>& dimensions,
                           std::string_view type, std::string_view name);
  // The same of one dimension.
  template <class Numbers>
  std::string number_list(const Numbers& list, std::string_view type, std::string_view name) {
    const std::vector<std::uint64_t> numbers(list.begin(), list.end());
    return number_table(numbers, {numbers.size()}, type, name);
  }
  // By number up to `size`: 1 for the members, else 0.
  template <class Members>
  std::string member_list(const Members& members, std::size_t size, std::string_view name) {
    std::vector<std::uint64_t> numbers(size, 0);
    for (const std::size_t member : members) numbers[member] = 1;
    return number_list(numbers, "std::uint8_t", name);
  }
  [[nodiscard]] std::string cell_type(std::uint32_t universe) const;
  // How many bits cells have, where code that reads them is told so; else 0.
  [[nodiscard]] unsigned cell_bits(std::uint32_t universe) const;
  // The function of a node; `way`: one that a worker calls for one way after the other.
  [[nodiscard]] FunctionId node_function(const CodeContext& context, std::uint32_t node, bool way = false);
  // What the function of a node is handed, in this order.
  [[nodiscard]] Parameters node_parameters(const CodeContext& context, std::uint32_t node) const;
  [[nodiscard]] std::uint32_t entry_number(std::uint32_t node) const { return entry_numbers_.at(node); }
  // The name of a map's bit planes; empty for other maps.
  [[nodiscard]] std::string planes_name(VarId map) const;
  // A comment that names the nodes, the label and the place in the game's text.
  const std::string& comment(const Step& step);
  [[nodiscard]] std::set<std::uint32_t>& used_universes() { return used_universes_; }
  std::string unique(std::string_view name) { return names_.make(name); }
  [[nodiscard]] bool is_variable(const std::string& name) const { return variable_names_.contains(name); }

 private:
  void flatten(ValueId value, const ArrayShape& shape, std::size_t depth, std::vector<std::uint64_t>& into) const;
  [[nodiscard]] std::vector<std::uint64_t> map_cells(ValueId value, const ArrayShape& shape,
                                                     std::string_view name) const;
  Blocks make_blocks(ValueId value, const ArrayShape& shape, std::string_view name);

  std::size_t code_size_ = 0;
  std::map<std::string, std::string> table_of_;
  std::map<std::vector<std::size_t>, std::string> map_table_of_;  // by value and shape
  std::map<std::vector<std::size_t>, Blocks> map_blocks_of_;
  std::map<std::tuple<std::uint64_t, std::uint32_t, bool>, FunctionId> node_functions_;
  std::unordered_map<std::uint32_t, std::string> comments_;  // by edge
  std::unordered_map<std::uint32_t, std::uint32_t> entry_numbers_;
  std::set<std::uint32_t> used_universes_;
  Identifiers names_;
  std::set<std::string> variable_names_;
};

// All choices as text.
std::string print_plan(const Shared& shared);
// A comment-safe form of text that comes from a game.
std::string in_comment(std::string_view text);
// A C++ string literal.
std::string literal(std::string_view text);

}  // namespace rgtrans::cpp
