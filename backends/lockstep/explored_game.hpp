// The states of one game, expanded when they are asked for, for the search for names of moves.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "backends/lockstep/equal.hpp"
#include "backends/lockstep/forced.hpp"
#include "core/support/clock.hpp"
#include "core/support/ids.hpp"

namespace rgtrans::lockstep {

// No answer within the bounds.
struct SearchBound {
  std::string why = "the search for a renaming of the moves";
};

using Path = std::vector<std::pair<std::size_t, std::string>>;  // movers and texts of the first game

class ExploredGame {
 public:
  struct Move {
    std::uint32_t name, behind;
    std::uint64_t look;  // how well players can tell the move from the others
  };
  struct State {
    std::vector<std::byte> bytes;
    bool expanded = false, over = false;
    std::size_t mover = 0;  // as in the first game
    std::string scores;     // in the order of the first game's players
    std::vector<Move> moves;
    std::vector<std::uint64_t> signatures;  // by plies; 0 if not known
  };

  ExploredGame(const Reasoner& game, std::vector<std::size_t> players, bool second, const EqualOptions& options)
      : play_(game.clone()),
        players_(std::move(players)),
        first_mover_(players_.size() + 2),
        options_(options),
        second_(second),
        deadline_(options.seconds > 0 ? Clock::now() + seconds_long(options.seconds) : Clock::time_point::max()) {
    std::iota(first_mover_.begin(), first_mover_.end(), 0);
    for (std::size_t p = 0; second && p < players_.size(); ++p) first_mover_[players_[p]] = p;
    if (!second) std::iota(players_.begin(), players_.end(), 0);
    play_->reset();
    number(play_->state_bytes());
  }

  const State& at(std::uint32_t state) {
    if (!states_[state].expanded) expand(state);
    return states_[state];
  }
  // Equal for states that play alike for some plies, under whatever names.
  std::uint64_t signature(std::uint32_t state, std::size_t plies) {
    at(state);
    if (states_[state].signatures.size() <= plies) states_[state].signatures.resize(plies + 1, 0);
    if (states_[state].signatures[plies] != 0) return states_[state].signatures[plies];
    std::uint64_t sum = std::hash<std::string>()(states_[state].scores);
    sum = combine_hash(combine_hash(sum, states_[state].mover), states_[state].moves.size());
    if (plies > 0) {
      std::vector<std::uint64_t> behind;
      const std::vector<Move> moves = states_[state].moves;
      for (const Move& move : moves) behind.push_back(combine_hash(move.look, signature(move.behind, plies - 1)));
      std::ranges::sort(behind);
      for (const std::uint64_t part : behind) sum = combine_hash(sum, part);
    }
    sum = std::max<std::uint64_t>(sum, 1);
    states_[state].signatures[plies] = sum;
    return sum;
  }
  [[nodiscard]] std::size_t size() const { return states_.size(); }
  // Throws SearchBound after Ctrl-C or the time.
  void stop_at_bound() const {
    if (options_.following.stopped()) throw SearchBound{"interrupted"};
    if (Clock::now() > deadline_) throw SearchBound{fmt::format("the limit of {} s", options_.seconds)};
  }
  [[nodiscard]] const Path& names() const { return names_; }

 private:
  std::uint32_t number(const std::vector<std::byte>& bytes) {
    std::string key(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto [known, fresh] = numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(states_.size()));
    if (fresh) states_.emplace_back().bytes = bytes;
    return known->second;
  }
  // For each player, whether a move shows something, and how many moves look the same.
  void look(std::vector<Move>& moves) {
    for (const std::size_t player : players_) {
      std::vector<std::string> seen;
      for (std::size_t i = 0; i < moves.size(); ++i) seen.push_back(play_->observed_move_text(i, player));
      for (std::size_t i = 0; i < moves.size(); ++i) {
        const auto same = static_cast<std::size_t>(std::ranges::count(seen, seen[i]));
        moves[i].look = combine_hash(moves[i].look, 2 * same + (seen[i].empty() ? 1 : 0));
      }
    }
  }
  void expand(std::uint32_t state) {
    stop_at_bound();
    play_->set_state_bytes(states_[state].bytes);
    make_forced_moves(*play_, options_.skip_forced);
    State made;
    made.over = play_->terminal();
    made.mover = made.over ? 0 : first_mover_[play_->mover()];
    for (std::size_t p = 0; made.over && p < players_.size(); ++p) made.scores += play_->goal(players_[p]) + ' ';
    std::vector<std::vector<std::byte>> behind;
    if (!made.over) {
      for (std::size_t i = 0; i < play_->move_count(); ++i) {
        Path::value_type name{made.mover, options_.name(second_ ? 1 : 0, play_->move_text(i))};
        const auto [known, fresh] =
            name_numbers_.try_emplace(std::to_string(name.first) + ' ' + name.second, names_.size());
        if (fresh) names_.push_back(std::move(name));
        made.moves.push_back({static_cast<std::uint32_t>(known->second), 0, 0});
      }
      if (play_->info().hidden) look(made.moves);
      play_->each_result(
          [&](std::size_t, std::span<const std::byte> bytes) { behind.emplace_back(bytes.begin(), bytes.end()); });
    }
    for (std::size_t i = 0; i < behind.size(); ++i) made.moves[i].behind = number(behind[i]);
    made.expanded = true;
    made.bytes = std::move(states_[state].bytes);
    states_[state] = std::move(made);
  }

  std::unique_ptr<Reasoner> play_;
  std::vector<std::size_t> players_, first_mover_;
  const EqualOptions& options_;
  bool second_;
  Clock::time_point deadline_;
  std::vector<State> states_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  Path names_;  // movers and texts of the moves
  std::unordered_map<std::string, std::size_t> name_numbers_;
};

// Describes a difference that signatures of so many plies show: a play, and the states to which it leads. In each state
// the play makes a move whose result occurs more often in the first game. The second game makes one whose result occurs
// more often there. Of these moves it takes the two whose results agree longest.
void explain_difference(const Reasoner& first, const Reasoner& second, const std::vector<std::size_t>& players,
                        std::size_t plies, const EqualOptions& options, EqualResult& result);

}  // namespace rgtrans::lockstep
