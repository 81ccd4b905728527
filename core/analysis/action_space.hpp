// Action space: a number for every move that a player can ever have, found from the automaton and not by playing.
//
// The moves of a game are sequences of tags (labelings). Their set is a minimal acyclic automaton whose nodes know how
// many labelings lead on from them; so the number of a move and the move of a number are found tag by tag, and nothing
// is listed. Numbers follow the order of the texts, where digits count as numbers. They depend on the texts alone: a
// game that another level of optimization made has the same ones when it is asked as it was loaded.
//
// Every move that is legal in a reachable state has a number. Some numbers may never be legal: what other pieces stand
// where is not looked at.
//
// Where there would be more numbers than `most`, or moves without end, moves are factored: a number for each tag, given
// one after the other, and 0 for the end of a move that could also go on.
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

// The next tag of a move's text, which is taken off it.
std::string_view take_tag(std::string_view& text);

class ActionSpace {
 public:
  enum class Whose : std::uint8_t { players, random };
  enum class Form : std::uint8_t { flat, factored };
  static constexpr std::uint64_t kMost = 1'000'000;

  // The game as it was loaded.
  explicit ActionSpace(const ir::Game& game, Whose whose = Whose::players, std::uint64_t most = kMost);

  [[nodiscard]] Form form() const { return form_; }
  // How many numbers there are: of moves, or of tags and the end. 0: nobody moves.
  [[nodiscard]] std::uint64_t size() const;
  // Most tags of a move; only where moves are not factored.
  [[nodiscard]] std::uint32_t longest() const { return longest_; }
  // All that occur, in the order of numbers. In the factored form tag i has the number i + 1.
  [[nodiscard]] const std::vector<std::string>& tags() const { return tags_; }

  // Of a whole move; none for what is no move. Only where moves are not factored.
  [[nodiscard]] std::optional<std::uint64_t> id(std::string_view text) const;
  // The same of a move whose tags have these places in tags().
  [[nodiscard]] std::optional<std::uint64_t> id(std::span<const std::uint32_t> places) const;
  // Of the parts of a move, in the factored form; none for a tag that does not occur.
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> ids(std::string_view text) const;
  // The place of a tag in tags(), if it occurs.
  [[nodiscard]] std::optional<std::uint32_t> tag_number(std::string_view tag) const;
  // Of a number below size(), in the flat form: the places of its tags.
  [[nodiscard]] std::vector<std::uint32_t> places(std::uint64_t id) const;
  // Of a number below size(): a move, or in the factored form a tag, "" being the end.
  [[nodiscard]] std::string text(std::uint64_t id) const;

  // The automaton of the flat form.
  struct Edge {
    std::uint32_t tag;     // in tags()
    std::uint32_t target;  // a node
    std::uint64_t before;  // numbers of labelings from this node that come before those over this edge
  };
  struct Node {
    std::uint32_t first, last;  // of its edges, which are sorted by tag
    bool accepts;               // a move can end here; that is the node's number 0
    std::uint64_t count;        // of labelings from here
  };
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }

 private:
  friend class ActionSpaceBuilder;

  Form form_ = Form::flat;
  std::uint32_t longest_ = 0;
  std::uint32_t begin_ = 0;
  std::vector<std::string> tags_;
  std::unordered_map<std::string, std::uint32_t> number_of_;  // tag -> position
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
};

}  // namespace rgtrans::analysis
