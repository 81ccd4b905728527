// Reasoner: a playable position of one game, independent of the engine behind it. Perft, playouts, play and the Python
// package use only this interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rgtrans {

namespace search {
class TreeSearch;
struct TreeOptions;
}  // namespace search

// Properties of a game that do not change during play.
struct GameInfo {
  std::vector<std::string> players;      // members of Player, in order
  bool hidden = false;                   // some moves may be hidden from some players
  double least_goal = 0, most_goal = 0;  // bounds of the goals as numbers; other symbols count 0
  // Mover indices after those of the players.
  [[nodiscard]] std::size_t keeper() const { return players.size(); }
  [[nodiscard]] std::size_t random() const { return players.size() + 1; }
  [[nodiscard]] std::string mover_name(std::size_t mover) const {
    return mover < players.size() ? players[mover] : mover == keeper() ? "keeper" : "random";
  }
};

// Totals over uniform random playouts.
struct PlayoutStats {
  std::uint64_t playouts = 0;
  std::uint64_t moves = 0;       // moves of players, excluding keeper and random
  std::uint64_t max_length = 0;  // most such moves in one playout
  std::uint64_t min_length = UINT64_MAX;
  double length_squares = 0;        // sum of squared lengths, for the standard deviation
  std::uint64_t branching_sum = 0;  // number of legal moves, summed over the states in which a player moved
  std::uint64_t branching_max = 0;
  std::uint64_t stopped = 0;     // playouts stopped at the limit on moves
  std::vector<double> goal_sum;  // by player, if the score is a number
  std::vector<double> goal_squares;
  std::vector<std::uint64_t> wins;  // by player: playouts with a strictly higher goal than all others
  double seconds = 0;               // elapsed time

  void merge(const PlayoutStats& other);
};

struct PlayoutOptions {
  std::uint64_t count = 0;  // 0: until `seconds` have passed
  double seconds = 0;
  std::uint64_t seed = 1;
  std::uint64_t max_moves = 1'000'000;  // per playout; 0: no limit
  bool sample = false;                  // compiled reasoners draw moves without listing them, if they can
  // Another thread stores a nonzero value here to stop all playouts soon. Null: never.
  const std::uint32_t* stop = nullptr;
  [[nodiscard]] bool stopped() const { return stop != nullptr && __atomic_load_n(stop, __ATOMIC_RELAXED) != 0; }
};

// A variable of the current state, for users and for drawings of boards.
struct VariableView {
  std::string name;
  std::string value;  // as RG text
  // For a map: each cell with its keys, in the order of the types.
  struct Cell {
    std::vector<std::string> keys;
    std::string value;
  };
  std::vector<Cell> cells;
  bool alive = true;  // the variable can affect the rest of the play
};

// A scalar, or a cell of a map, that callers can query by its number.
struct NumberedCell {
  std::string variable;
  std::vector<std::string> keys;
  std::uint32_t number = 0;
};

class Reasoner {
 public:
  virtual ~Reasoner() = default;

  [[nodiscard]] virtual const GameInfo& info() const = 0;
  [[nodiscard]] virtual std::unique_ptr<Reasoner> clone() const = 0;
  // Returns to the initial state.
  virtual void reset() = 0;

  // Whether the last move ended in the node `end`.
  [[nodiscard]] virtual bool terminal() const = 0;
  // The mover: an index into info().players, or info().keeper(), or info().random().
  [[nodiscard]] virtual std::size_t mover() const = 0;

  // The number of legal moves: distinct labelings in a fixed order. Computed once per state and kept until the state
  // changes.
  virtual std::size_t move_count() = 0;
  // Lists only moves that begin with these tags and have at most `most` tags. For each possible next tag, at least one
  // move is listed; an engine without this filter lists all moves. Until the state changes, these are its moves.
  virtual std::size_t move_count_of(std::span<const std::string_view> /*begin*/, std::size_t /*most*/) {
    return move_count();
  }
  // The tags of move `index`, separated by single spaces; "" for a move without tags.
  virtual std::string move_text(std::size_t index) = 0;
  // The same tags as numbers, which tag_text() converts to texts in every state. Valid until the next call.
  virtual std::span<const std::uint32_t> move_tags(std::size_t index) = 0;
  [[nodiscard]] virtual std::string tag_text(std::uint32_t tag) const = 0;
  // The move as `player` sees it, without tags that are invisible to that player.
  virtual std::string observed_move_text(std::size_t index, std::size_t player) = 0;
  // A hash of the move's texts for all players. Equal texts have equal fingerprints, also in another version of the
  // game played by the same engine.
  virtual std::uint64_t move_fingerprint(std::size_t index) {
    const auto hash = [](const std::string& text) { return std::hash<std::string>()(text); };
    const std::uint64_t all = hash(move_text(index));
    std::uint64_t result = all;
    for (std::size_t player = 0; player < info().players.size(); ++player) {
      const std::uint64_t seen = hash(observed_move_text(index, player));
      if (seen != all) result += (seen + player) * 0x9e3779b97f4a7c15U;
    }
    return result;
  }
  // The number of walks with this labeling (for diagnostics).
  virtual std::uint64_t walk_count(std::size_t index) = 0;
  // Throws Error if there is no such move.
  virtual void apply(std::size_t index) = 0;
  // Calls `visit` with each move and the bytes of the state behind it; `visit` does not use this reasoner. The current
  // state and its moves stay.
  virtual void each_result(const std::function<void(std::size_t index, std::span<const std::byte> state)>& visit) {
    for (std::size_t i = 0, count = move_count(); i < count; ++i) {
      apply(i);
      visit(i, state_bytes());
      undo();
    }
  }
  // Undoes the last move. Returns false in the initial state or if the history was dropped.
  virtual bool undo() = 0;

  // The goal symbol of a player ("100").
  [[nodiscard]] virtual std::string goal(std::size_t player) const = 0;
  // Bytes that are equal exactly for equal states (all variables and the node).
  [[nodiscard]] virtual std::vector<std::byte> state_bytes() const = 0;
  virtual void set_state_bytes(std::span<const std::byte> bytes) = 0;
  // Replaces a state by a representative with the same future: variables that no later move reads get their initial
  // values. With `symmetries`, the representative is the first image under the engine's symmetries; moves then have
  // other names.
  virtual void canonical(std::vector<std::byte>& /*state*/, bool /*symmetries*/) const {}
  // Two states of one game in one engine are the same position if their representatives are equal; then they have equal
  // hashes and the same future. States with the same future may be different positions: canonical() compares no values
  // of variables that a later move may read.
  [[nodiscard]] std::uint64_t canonical_hash() const {
    const std::vector<std::byte> bytes = canonical_bytes();
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  [[nodiscard]] bool same_position(const Reasoner& other) const { return canonical_bytes() == other.canonical_bytes(); }
  [[nodiscard]] std::vector<std::byte> canonical_bytes() const {
    std::vector<std::byte> bytes = state_bytes();
    canonical(bytes, false);
    return bytes;
  }
  // A description for users: lines "goals:", "player:", "position:", "values:", with values in RG text.
  [[nodiscard]] virtual std::string describe() const = 0;

  // The variables except goals, player and visible. Empty if the engine does not know them.
  [[nodiscard]] virtual std::vector<VariableView> variables() const { return {}; }
  // The same for programs that read many states: all scalars and cells, numbered. cell_value() is a number, which
  // value_text() converts to a text; cell_alive() is whether the cell's variable can affect the rest of the play.
  [[nodiscard]] virtual std::vector<NumberedCell> cells() const { return {}; }
  [[nodiscard]] virtual std::uint32_t cell_value(std::uint32_t /*cell*/) const { return 0; }
  [[nodiscard]] virtual bool cell_alive(std::uint32_t /*cell*/) const { return false; }
  [[nodiscard]] virtual std::string value_text(std::uint32_t /*value*/) const { return {}; }

  // The number of leaves at exactly `depth` moves below this state, over distinct moves. Keeper's moves do not count as
  // depth; moves of random that lead to equal states count once.
  virtual std::uint64_t perft(unsigned depth) = 0;
  // The same over walks instead of labelings, if the engine distinguishes them.
  virtual std::uint64_t perft_walks(unsigned depth) = 0;
  // Plays random playouts from this state and leaves the state unchanged.
  virtual PlayoutStats playouts(const PlayoutOptions& options) = 0;
  // Plays at random to the end and stays there; moves cannot be undone. Returns false after `most_moves`, or if `stop`
  // returns true. `random` is a seed; the call replaces it.
  virtual bool play_out(std::uint64_t& random, std::uint64_t most_moves, const std::function<bool()>& stop) {
    for (std::uint64_t moves = 0; !terminal(); ++moves) {
      if (moves == most_moves || stop()) return false;
      const std::size_t count = move_count();
      if (count == 0) throw std::runtime_error("a player has no move, and the play is not over");
      random = random * 6364136223846793005U + 1442695040888963407U;
      apply((random >> 32U) * count >> 32U);
    }
    return true;
  }
  // The engine's own tree search (backends/search), or null.
  [[nodiscard]] virtual std::shared_ptr<search::TreeSearch> make_search(const search::TreeOptions& /*options*/,
                                                                        std::uint64_t /*seed*/) const {
    return nullptr;
  }

  // --- Common to all engines. ---

  // "" if the play is over.
  [[nodiscard]] std::string mover_name() const { return terminal() ? "" : info().mover_name(mover()); }
  [[nodiscard]] bool keeper_moves() const { return !terminal() && mover() == info().keeper(); }
  // Whether keeper makes a move without tags, which callers can make at once.
  bool moves_unseen() { return keeper_moves() && move_count() > 0 && move_text(0).empty(); }
  // The texts of all moves in order; empty if the play is over.
  std::vector<std::string> move_texts() {
    std::vector<std::string> texts(terminal() ? 0 : move_count());
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = move_text(i);
    return texts;
  }
  // Whether a move has this text. apply_checked() makes it, or returns false and leaves the state as it is.
  bool is_legal(std::string_view text) { return find_move(text).has_value(); }
  bool apply_checked(std::string_view text) {
    const std::optional<std::size_t> index = find_move(text);
    if (index) apply(*index);
    return index.has_value();
  }
  // The first move with this text, or none.
  std::optional<std::size_t> find_move(std::string_view text) {
    const std::size_t count = terminal() ? 0 : move_count();
    for (std::size_t i = 0; i < count; ++i) {
      if (move_text(i) == text) return i;
    }
    return std::nullopt;
  }
};

}  // namespace rgtrans
