// Witness: the knowledge of each player during a play. It follows the play on a reasoner of its own, which plays the
// original game. For each player it stores what that player has seen: the movers and the visible tags.
//
// These observations alone define the player's knowledge of a state: all states that fit them are equally possible for
// the player. A cell may be shown if it has the same value in all of them. The list of possible states is computed from
// the initial state, by all moves that fit.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "backends/reasoner.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::scene {

// One move as a player saw it.
struct Seen {
  std::size_t mover;
  std::string text;
  bool operator==(const Seen&) const = default;
};

// A value that the viewer cannot know begins so; behind it stand the possible ones, as in "? a b", unless they are
// many.
inline constexpr std::string_view kUnknown = "?";

class Witness {
 public:
  explicit Witness(const ir::Game& game);

  // Whether a move can be invisible to some player. If not, every player knows everything.
  [[nodiscard]] bool hides() const { return hides_; }
  [[nodiscard]] const Reasoner& state() const { return *state_; }
  // The variables where plays begin.
  [[nodiscard]] const std::vector<VariableView>& beginning() const { return beginning_; }

  void reset();
  // Makes the move with these tags; throws Error when there is none.
  void apply(std::string_view move);
  // Makes the moves of the keeper that show nothing.
  void settle();
  // Takes the last move back; false at the start.
  bool undo();

  // The moves so far as `viewer` saw them. The keeper's are in it when they show something.
  [[nodiscard]] std::vector<Seen> seen(std::size_t viewer) const;
  // The variables, all of them known.
  [[nodiscard]] std::vector<VariableView> variables() const;
  // The same as `viewer` may know them; none when too many states are possible for that player.
  [[nodiscard]] std::optional<std::vector<VariableView>> variables(std::size_t viewer);

 private:
  using State = std::vector<std::byte>;
  struct Event {
    std::size_t mover;
    std::vector<std::string> seen;  // by player
    State before;
  };
  // The states that are possible for one player after some of the events.
  struct Belief {
    std::size_t events = 0;
    std::set<State> states;
    std::set<State> before;                          // the last move that was not the keeper's
    bool lost = false;                               // there were too many
    std::optional<std::vector<VariableView>> views;  // as the player may know the variables, once computed
  };

  void advance(Belief& belief, std::size_t viewer) const;
  [[nodiscard]] bool follow(Belief& belief, std::size_t viewer, const Event& event) const;
  [[nodiscard]] bool close(std::set<State>& states, std::size_t viewer) const;
  [[nodiscard]] std::vector<VariableView> merged(const std::set<State>& states, const std::set<State>& before) const;

  std::unique_ptr<Reasoner> state_;
  std::unique_ptr<Reasoner> probe_;  // goes to other states
  std::vector<VariableView> beginning_;
  bool hides_;
  std::vector<Event> history_;
  std::map<std::size_t, Belief> beliefs_;
};

}  // namespace rgtrans::scene
