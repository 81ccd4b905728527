// All parts of a module share its frame: the program of the game, the map of the memory, the globals, and the functions
// that every game has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backends/interpreter/interpreter.hpp"
#include "backends/interpreter/tables.hpp"
#include "backends/wasm/module.hpp"

namespace rgtrans::wasm {

// Errors of play, which a module stores in its global `error` before it traps.
enum class Fault : std::uint8_t { none, too_many_moves, no_move, endless_keeper, no_memory };

// A move of a list, in memory.
struct MoveRow {
  static constexpr std::uint32_t kState = 0;   // address of the state that the walk leads to
  static constexpr std::uint32_t kBehind = 4;  // number of the code that completes the move
  static constexpr std::uint32_t kTags = 8;    // the sequence of tags as a number
  static constexpr std::uint32_t kBytes = 16;
};

constexpr std::uint32_t kSlack = 4U << 20U;  // free memory at the end, for walks between two checks

class ModuleFrame {
 public:
  explicit ModuleFrame(const ir::Game& game);

  WrittenTables names;
  std::vector<std::string> player_names;
  interpreter::MachineTables tables;
  [[nodiscard]] const interpreter::MachineProgram& program() const { return tables.program; }

  Module module;

  // --- Memory. --- The state begins at address 0.
  std::uint32_t cell_bytes = 1;
  Load load_cell = Load::byte;
  Store store_cell = Store::byte;
  // Numbers in memory, as narrow as their values permit.
  struct Row {
    std::uint32_t address = 0, bytes = 4;
    Load load = Load::i32;
  };
  Row lookups, lists, tag_of_code;
  std::uint32_t state_bytes = 0, initial = 0, goal_values = 0, shown = 0, results = 0;
  std::uint32_t first_stamp = 0, stamps_end = 0;
  std::uint32_t moves = 0, moves_end = 0;  // rows of moves
  [[nodiscard]] std::uint32_t cell_address(std::uint32_t cell) const { return cell * cell_bytes; }

  // Tags of a walk: one number, whose digits are the tags, or the number of a node in a tree of sequences where walks
  // can have too many tags. No tag is 0.
  std::uint32_t tag_base = 1;
  bool packed_tags = true;

  // Numbers in memory that say when a key was met. Without them keys are in the set.
  struct Stamps {
    std::uint32_t address = 0, count = 0;
  };
  std::vector<Stamps> visit_stamps;  // by visit: the last exploration
  Stamps label_stamps;               // bytes: the last search, as `label_stamp`
  // By visit, if its key is large: the address of a mask that selects its cells in the words of the state.
  std::vector<std::uint32_t> visit_masks;
  std::uint32_t picked = 0;
  [[nodiscard]] std::uint32_t state_words() const { return (state_bytes + 7) / 8; }

  [[nodiscard]] std::uint32_t most_shown() const { return packed_tags ? 64 : 1U << 16U; }  // tags of a move

  // --- Globals. ---
  Global start = 0;               // where the next move begins
  Global top = 0, top_limit = 0;  // free memory, and the check of its end
  Global moves_top = 0;           // next row
  Global count = 0, notice = 0;   // moves found; moves from this one on are noticed
  Global listing = 0, stops = 0;  // noticed moves are listed; the first one ends the search
  Global behind = 0;              // code behind the last noticed move, whose state is in `picked`
  Global search = 0, exploration = 0, explorations = 0, late = 0, label_stamp = 0;
  Global slots = 0, slot_mask = 0, used = 0, fresh = 0;  // the set of keys
  Global floor = 0;                                      // memory below is never freed
  Global error = 0;
  Global rng = 0;  // the first of four

  // --- Functions. ---
  std::uint32_t search_type = 0, check_type = 0, behind_type = 0;
  Function slot = 0, grow = 0, reserve = 0, notice_move = 0, extend = 0, arrive = 0;

  // Copies the state: two addresses are in locals.
  void copy_state(Body& body, Local to, Local from) const;
  // Calls the runtime with a fault.
  void fail(Body& body, Fault fault) const;
  // For each number on the stack: the element of the row at `first` + number, modulo 2^32.
  void load(Body& body, const Row& row, std::uint32_t first) const;
  // An address on the stack instead of the number of a cell.
  void scale(Body& body) const;

 private:
  void count_tags();
  void place_stamps();
  void map_memory();
  void declare();
  Row place(const std::vector<std::uint32_t>& numbers);
  std::uint32_t place_bytes(const Bytes& bytes);
  std::uint32_t room(std::uint32_t bytes);

  std::uint64_t end_ = 0;
  std::uint64_t labels_ = 0;                 // bound of the numbers of complete labelings; 0: too many
  std::vector<std::uint64_t> before_visit_;  // by visit: bound of the numbers of preceding tags; 0: too many
};

// Third parts of keys in the set. Those of visits begin at kVisitKeys.
constexpr std::uint64_t kLabelKey = 1, kTagKey = 2, kResultKey = 3, kVisitKeys = 4;

// Writes the functions that search for moves. Returns, by start, the functions that list moves with their tags, and
// those that only find them; kNoFunction where no move begins.
constexpr Function kNoFunction = 0xffffffffU;
struct Searches {
  std::vector<Function> listing, finding;
};
Searches write_searches(ModuleFrame& frame);
// Writes the common functions and the exports.
void write_runtime(ModuleFrame& frame, const Searches& searches);

}  // namespace rgtrans::wasm
