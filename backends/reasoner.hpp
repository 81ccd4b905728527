// Reasoner: a playable position of one game, whatever engine is behind it. perft, playouts, play and the Python
// package are written against this interface alone.
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

// Facts about a game that do not change while it is played.
struct GameInfo {
  std::vector<std::string> players;      // members of Player, in order
  bool hidden = false;                   // there may be moves that not everybody sees
  double least_goal = 0, most_goal = 0;  // bounds of the goals as numbers; one that is no number counts 0
  // Mover indices beyond the players.
  [[nodiscard]] std::size_t keeper() const { return players.size(); }
  [[nodiscard]] std::size_t random() const { return players.size() + 1; }
  [[nodiscard]] std::string mover_name(std::size_t mover) const {
    return mover < players.size() ? players[mover] : mover == keeper() ? "keeper" : "random";
  }
};

// Aggregated over uniform random playouts.
struct PlayoutStats {
  std::uint64_t playouts = 0;
  std::uint64_t moves = 0;       // moves of players, keeper and random not counted
  std::uint64_t max_length = 0;  // most such moves in one playout
  std::uint64_t min_length = UINT64_MAX;
  double length_squares = 0;        // sum of squared lengths, for the standard deviation
  std::uint64_t branching_sum = 0;  // legal moves summed over the states in which a player moved
  std::uint64_t branching_max = 0;
  std::uint64_t stopped = 0;     // playouts given up at the move limit
  std::vector<double> goal_sum;  // per player, where the score is a number
  std::vector<double> goal_squares;
  std::vector<std::uint64_t> wins;  // per player: playouts with a strictly higher goal than everybody else's
  double seconds = 0;               // wall clock

  void merge(const PlayoutStats& other);
};

struct PlayoutOptions {
  std::uint64_t count = 0;  // 0: until `seconds` have passed
  double seconds = 0;
  std::uint64_t seed = 1;
  std::uint64_t max_moves = 1'000'000;  // per playout
  bool sample = false;                  // compiled reasoners draw moves without listing them, where they can
  // Where another thread stores something else than 0 to end all of them soon; null for never.
  const std::uint32_t* stop = nullptr;
  [[nodiscard]] bool stopped() const { return stop != nullptr && __atomic_load_n(stop, __ATOMIC_RELAXED) != 0; }
};

// A variable of the present state, for people and for drawing boards.
struct VariableView {
  std::string name;
  std::string value;  // as RG text
  // Of a map: each cell with its keys, in the order of the types.
  struct Cell {
    std::vector<std::string> keys;
    std::string value;
  };
  std::vector<Cell> cells;
  bool alive = true;  // the rest of the play can depend on it
};

// A scalar, or a cell of a map, that an engine can be asked for by a number.
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
  // Back to the initial state.
  virtual void reset() = 0;

  // A move has just ended in the node `end`.
  [[nodiscard]] virtual bool terminal() const = 0;
  // Who moves: an index into info().players, or info().keeper(), or info().random().
  [[nodiscard]] virtual std::size_t mover() const = 0;

  // The legal moves of this state: distinct labelings, in a fixed order. Computed once per state and kept until
  // the state changes.
  virtual std::size_t move_count() = 0;
  // The same for moves that begin with these tags and have `most` at most. Of those that go on with the same tag at
  // least one is listed; an engine that cannot leave out the others lists all moves. Until the state changes these are
  // its moves.
  virtual std::size_t move_count_of(std::span<const std::string_view> /*begin*/, std::size_t /*most*/) {
    return move_count();
  }
  // The tags of move `index`, separated by single spaces ("" for a move without tags).
  virtual std::string move_text(std::size_t index) = 0;
  // The same as numbers, whose texts tag_text() knows, in every state; until the next question.
  virtual std::span<const std::uint32_t> move_tags(std::size_t index) = 0;
  [[nodiscard]] virtual std::string tag_text(std::uint32_t tag) const = 0;
  // What `player` sees of it: without the tags that are invisible to that player.
  virtual std::string observed_move_text(std::size_t index, std::size_t player) = 0;
  // A number that is equal (but for accidents of a hash) where moves read the same to everybody, also in another
  // version of the game played by the same engine.
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
  // How many walks have this labeling (a diagnostic).
  virtual std::uint64_t walk_count(std::size_t index) = 0;
  virtual void apply(std::size_t index) = 0;
  // Takes back the last applied move; false at the initial state (or where history was dropped).
  virtual bool undo() = 0;

  // The goal symbol of a player ("100").
  [[nodiscard]] virtual std::string goal(std::size_t player) const = 0;
  // Equal exactly for equal states (all variables and the node).
  [[nodiscard]] virtual std::vector<std::byte> state_bytes() const = 0;
  virtual void set_state_bytes(std::span<const std::byte> bytes) = 0;
  // Replaces a state by one with the same future: what no later move looks at gets its initial value, and with
  // `symmetries` it becomes the first of its images under those that the engine was told (then moves have other names).
  virtual void canonical(std::vector<std::byte>& /*state*/, bool /*symmetries*/) const {}
  // Lines "goals:", "player:", "position:", "values:" (rg text values), for people.
  [[nodiscard]] virtual std::string describe() const = 0;

  // The variables of the state other than goals, player and visible; an engine that does not know them has none.
  [[nodiscard]] virtual std::vector<VariableView> variables() const { return {}; }
  // The same for programs that look at many states: all scalars and cells, and of each by its number, what it holds, as
  // a number whose text value_text() knows, and whether the rest of the play can depend on its variable.
  [[nodiscard]] virtual std::vector<NumberedCell> cells() const { return {}; }
  [[nodiscard]] virtual std::uint32_t cell_value(std::uint32_t /*cell*/) const { return 0; }
  [[nodiscard]] virtual bool cell_alive(std::uint32_t /*cell*/) const { return false; }
  [[nodiscard]] virtual std::string value_text(std::uint32_t /*value*/) const { return {}; }

  // Leaves at exactly `depth` moves below this state, counted over distinct moves: keeper's moves cost no
  // depth, random's moves that lead to equal states count once.
  virtual std::uint64_t perft(unsigned depth) = 0;
  // The same over walks instead of labelings, where the engine can tell.
  virtual std::uint64_t perft_walks(unsigned depth) = 0;
  // Random playouts from this state, which is left unchanged.
  virtual PlayoutStats playouts(const PlayoutOptions& options) = 0;
  // Plays at random to the end, and stays there: no move can be taken back. False when that takes more than
  // `most_moves` or `stop` says so on the way. `random` is a seed, and another one afterwards.
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
  // The engine's own tree search (backends/search), or none.
  [[nodiscard]] virtual std::shared_ptr<search::TreeSearch> make_search(const search::TreeOptions& /*options*/,
                                                                        std::uint64_t /*seed*/) const {
    return nullptr;
  }

  // --- What every engine answers alike. ---

  // "" where the play is over.
  [[nodiscard]] std::string mover_name() const { return terminal() ? "" : info().mover_name(mover()); }
  [[nodiscard]] bool keeper_moves() const { return !terminal() && mover() == info().keeper(); }
  // Keeper makes a move that shows nothing, which nobody has to be asked about.
  bool moves_unseen() { return keeper_moves() && move_count() > 0 && move_text(0).empty(); }
  // Of all moves, in their order; none where the play is over.
  std::vector<std::string> move_texts() {
    std::vector<std::string> texts(terminal() ? 0 : move_count());
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = move_text(i);
    return texts;
  }
  // The first move that reads so; nothing where there is none.
  std::optional<std::size_t> find_move(std::string_view text) {
    const std::size_t count = terminal() ? 0 : move_count();
    for (std::size_t i = 0; i < count; ++i) {
      if (move_text(i) == text) return i;
    }
    return std::nullopt;
  }
};

}  // namespace rgtrans
