// Action space: numbers all moves that players can ever make, based on the automaton alone.
//
// A move is a sequence of tags (its labeling). A minimal acyclic automaton accepts the labelings of all moves, and each
// of its nodes stores how many labelings continue from it. The number of a move, and the move of a number, are
// therefore computed tag by tag; no list of moves is needed. Numbers follow the order of the texts, with runs of digits
// compared as numbers. They depend on the texts only: all optimization levels give the same numbers, because the action
// space is computed from the game as loaded.
//
// Every legal move of a reachable state has a number. Some numbers never denote a legal move, because the analysis
// ignores the contents of the board.
//
// If there are more than `most` moves, or endless ones, moves are factored: each tag has a number, a move is a sequence
// of these, and 0 ends a move that could continue.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ir/ir.hpp"

namespace rgtrans::analysis {

// Removes the first tag of a move's text and returns it.
std::string_view take_tag(std::string_view& text);

class ActionSpace {
 public:
  enum class Whose : std::uint8_t { players, random };
  enum class Form : std::uint8_t { flat, factored };
  static constexpr std::uint64_t kMost = 1'000'000;

  // `game`: the game as loaded, before optimization.
  explicit ActionSpace(const ir::Game& game, Whose whose = Whose::players, std::uint64_t most = kMost);

  [[nodiscard]] Form form() const { return form_; }
  // The count of numbers: moves, or tags and the end in factored form. 0 if there are no moves.
  [[nodiscard]] std::uint64_t size() const;
  // The largest number of tags in a move. Flat form only.
  [[nodiscard]] std::uint32_t longest() const { return longest_; }
  // All tags in the order of their numbers. In factored form, tag i has the number i + 1.
  [[nodiscard]] const std::vector<std::string>& tags() const { return tags_; }

  // The number of a whole move, or none if the text is not a move. Flat form only.
  [[nodiscard]] std::optional<std::uint64_t> id(std::string_view text) const;
  // The number of the move with these tags, given as positions in tags().
  [[nodiscard]] std::optional<std::uint64_t> id(std::span<const std::uint32_t> places) const;
  // The numbers of a move's tags in factored form, or none if a tag is unknown.
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> ids(std::string_view text) const;
  // The position of a tag in tags(), or none.
  [[nodiscard]] std::optional<std::uint32_t> tag_number(std::string_view tag) const;
  // The tags of move `id` < size(), as positions in tags(). Flat form only.
  [[nodiscard]] std::vector<std::uint32_t> places(std::uint64_t id) const;
  // The text of number `id` < size(): a move or, in factored form, a tag or "" for the end.
  [[nodiscard]] std::string text(std::uint64_t id) const;

  // The automaton of the flat form.
  struct Edge {
    std::uint32_t tag;     // position in tags()
    std::uint32_t target;  // node
    std::uint64_t before;  // how many labelings from the source node precede those over this edge
  };
  struct Node {
    std::uint32_t first, last;  // range of edges, sorted by tag
    bool accepts;               // a move can end here; relative to this node, that labeling has number 0
    std::uint64_t count;        // how many labelings continue from here
  };
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }

 private:
  friend class ActionSpaceBuilder;

  Form form_ = Form::flat;
  std::uint32_t longest_ = 0;
  std::uint32_t begin_ = 0;
  std::vector<std::string> tags_;
  std::unordered_map<std::string, std::uint32_t> number_of_;  // position by tag
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
};

}  // namespace rgtrans::analysis
