// Names of a game as names in C++.
#include <iterator>
#include <set>
#include <sstream>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/model.hpp"
#include "core/support/letters.hpp"

namespace rgtrans::cpp {

namespace {

// Words that generated code uses itself, keywords, and macros of the headers that it includes.
constexpr const char* kReserved =
    "alignas alignof and asm auto bool break case catch char class concept const continue default delete do double "
    "else enum export extern false float for friend goto if inline int long mutable namespace new not operator or "
    "private protected public register requires return short signed sizeof static struct switch template this throw "
    "true try typedef typeid typename union unsigned using virtual void volatile while xor compl bitand bitor "
    "nullptr linux unix main s c moves mask rest epoch count std word noexcept constexpr decltype explicit char8_t "
    "not_eq and_eq or_eq xor_eq moved Tag Packed tags i386 result NULL EOF node assert errno stdin stdout co_await "
    "co_return co_yield const_cast consteval constinit char16_t char32_t dynamic_cast reinterpret_cast "
    "static_assert static_cast thread_local wchar_t stderr BIG_ENDIAN BUFSIZ BYTE_ORDER CHAR_BIT CHAR_MAX CHAR_MIN "
    "CLOCKS_PER_SEC E2BIG EACCES EAGAIN EBUSY EDOM EEXIST EFAULT EINTR EINVAL EIO EMFILE ENOENT ENOMEM EPERM EPIPE "
    "ERANGE ETIME EXIT_FAILURE EXIT_SUCCESS FILENAME_MAX F_LOCK F_OK F_TEST INT_MAX INT_MIN INT8_MAX INT8_MIN "
    "INT16_MAX INT16_MIN INT32_MAX INT32_MIN INT64_MAX INT64_MIN LINE_MAX LITTLE_ENDIAN LONG_MAX LONG_MIN L_SET "
    "NAME_MAX NZERO PATH_MAX RAND_MAX R_OK SEEK_CUR SEEK_END SEEK_SET SIZE_MAX TIME_UTC TMP_MAX UINT8_MAX "
    "UINT16_MAX UINT32_MAX UINT64_MAX UINT_MAX W_OK X_OK";
// Types of the code that is the same for all games (runtime/).
constexpr const char* kTypes =
    "ActionTable Batch Cache CacheBase CandidateSet Candidates Cells Choosing Deeper Device Drawing Drawn DrawnFrom "
    "DuplicateMarks Duplicates End FourWords Game GameState Graph HostBatch How Images KeyBuilder KeySet KnownMove "
    "KnownMoves KnownRules KnownStates Lack Lane LanePlace Line List Listed Marked Memory Move MoveCode MoveList "
    "MoveSet Numbers OnHeap Output Pace Perft Planes Play Played Playouts Plays Random Reached Refused Rest "
    "RoomBase Rules Scratch Search SecondTargets SetList ShortKnownMove Shown StackTop Start State StateWords "
    "Stopwatch Stored Sums VisitKeys Waiting WaitingSet Walker Work WorkList Workspace";
// Variables are locals where these functions are called, and beside these other locals.
constexpr const char* kLocals =
    "add_move add_pairs add_waiting add_waiting_set any_contained before begin_list bit_count bit_in_word "
    "cells_equal cells_holding cells_matching cells_of cells_paired contained copy_map drop each_cell end_list "
    "equal_cells everywhere first_cell forget_write gathered have holds in_lanes is_reached kept_planes key "
    "lowest_bit match_cells memcpy moved_lanes nearly_full next_member next_player note_write number of_lanes "
    "one_cell out planes planes_fit planes_of possible_targets possible_ways random renew_planes seen_by shifted "
    "tag_at tries with_tag with_value word_holding write_byte write_cell";

std::set<std::string> set_of_words(const std::string& list) {
  std::istringstream words{list};
  return {std::istream_iterator<std::string>(words), {}};
}

}  // namespace

std::string Identifiers::make(std::string_view name) {
  static const std::set<std::string> kWords = set_of_words(std::string(kReserved) + " " + kTypes);
  std::string id;
  for (const char c : name.substr(0, kSizes.identifier)) {
    const bool plain = is_letter(c) || is_digit(c);
    // Two underscores in a row are reserved in C++.
    if (plain)
      id += c;
    else if (!id.empty() && id.back() != '_')
      id += '_';
  }
  while (!id.empty() && id.back() == '_') id.pop_back();
  if (id.empty()) id = "x";
  if (is_digit(id[0])) id.insert(0, "n");
  if (kWords.contains(id)) id += "_";
  const unsigned before = used_[id]++;
  if (before == 0) return id;
  std::string numbered;
  for (unsigned n = before + 1;; ++n) {
    numbered = id + (id.back() == '_' ? "" : "_") + std::to_string(n);
    if (used_.try_emplace(numbered, 1).second) return numbered;
  }
}

void NumberedGame::name_variables() {
  Identifiers names;
  for (const std::string& taken : set_of_words(kLocals)) names.make(taken);
  for (const ir::Variable& variable : game.variables())
    identifiers.push_back(names.make(game.symbols.text(variable.name)));
}

}  // namespace rgtrans::cpp
