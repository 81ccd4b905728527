#include "backends/scene/witness.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backends/interpreter/interpreter.hpp"
#include "core/support/support.hpp"

namespace rgtrans::scene {

namespace {

// The list of states ends at this size. Both bounds depend on observations alone, because the picture must not reveal
// more.
constexpr std::size_t kMaxPossible = 4096;
constexpr std::size_t kMaxFollowed = 60'000;  // moves that fit one observation

// Moves of `mover` in the present state of `probe` that look like `text` to the viewer.
std::vector<std::size_t> fitting(Reasoner& probe, std::size_t viewer, std::size_t mover, std::string_view text) {
  std::vector<std::size_t> found;
  if (probe.terminal() || probe.mover() != mover) return found;
  const std::size_t count = probe.move_count();
  for (std::size_t i = 0; i < count; ++i) {
    if (probe.observed_move_text(i, viewer) == text) found.push_back(i);
  }
  return found;
}

}  // namespace

Witness::Witness(const ir::Game& game)
    : state_(make_interpreter(game)),
      probe_(state_->clone()),
      beginning_(state_->variables()),
      hides_(ir::hides_moves(game)) {}

void Witness::reset() {
  state_->reset();
  history_.clear();
  beliefs_.clear();
}

void Witness::apply(std::string_view move) {
  const std::optional<std::size_t> index = state_->find_move(move);
  if (!index) throw Error(fmt::format("'{}' is no move here", move));
  Event event{state_->mover(), {}, state_->state_bytes()};
  for (std::size_t player = 0; player < state_->info().players.size(); ++player) {
    event.seen.push_back(state_->observed_move_text(*index, player));
  }
  history_.push_back(std::move(event));
  state_->apply(*index);
}

void Witness::settle() {
  constexpr std::size_t kMaxAlone = 100'000;
  for (std::size_t i = 0; i < kMaxAlone && state_->moves_unseen(); ++i) apply("");
}

bool Witness::undo() {
  if (history_.empty()) return false;
  state_->undo();
  history_.pop_back();
  std::erase_if(beliefs_, [&](const auto& entry) { return entry.second.events > history_.size(); });
  return true;
}

std::vector<Seen> Witness::seen(std::size_t viewer) const {
  std::vector<Seen> out;
  for (const Event& event : history_) {
    if (event.mover == state_->info().keeper() && event.seen[viewer].empty()) continue;
    out.push_back({event.mover, event.seen[viewer]});
  }
  return out;
}

std::vector<VariableView> Witness::variables() const {
  const auto last = std::ranges::find_if(history_.rbegin(), history_.rend(),
                                         [&](const Event& e) { return e.mover != state_->info().keeper(); });
  return merged({state_->state_bytes()}, last == history_.rend() ? std::set<State>() : std::set<State>{last->before});
}

std::optional<std::vector<VariableView>> Witness::variables(std::size_t viewer) {
  if (!hides_) return variables();
  Belief& belief = beliefs_[viewer];
  advance(belief, viewer);
  if (belief.lost) return std::nullopt;
  if (belief.views) return belief.views;
  // Everybody knows who moves next and whether the play is over.
  std::set<State> possible = belief.states;
  if (!close(possible, viewer)) return std::nullopt;
  std::erase_if(possible, [&](const State& state) {
    probe_->set_state_bytes(state);
    return probe_->terminal() != state_->terminal() || (!probe_->terminal() && probe_->mover() != state_->mover());
  });
  belief.views = merged(possible, belief.before);
  return belief.views;
}

void Witness::advance(Belief& belief, std::size_t viewer) const {
  if (belief.events == 0 && belief.states.empty()) {
    probe_->reset();
    belief.states.insert(probe_->state_bytes());
  }
  for (; belief.events < history_.size() && !belief.lost; ++belief.events) {
    const Event& event = history_[belief.events];
    belief.views.reset();
    if (event.mover == state_->info().keeper() && event.seen[viewer].empty()) continue;
    belief.lost = !follow(belief, viewer, event);
  }
}

// False when there are too many.
bool Witness::follow(Belief& belief, std::size_t viewer, const Event& event) const {
  if (!close(belief.states, viewer)) return false;
  std::set<State> before;
  std::set<State> after;
  std::size_t followed = 0;
  for (const State& state : belief.states) {
    probe_->set_state_bytes(state);
    const auto moves = fitting(*probe_, viewer, event.mover, event.seen[viewer]);
    if (!moves.empty()) before.insert(state);
    if ((followed += moves.size()) > kMaxFollowed) return false;
    for (const std::size_t move : moves) {
      probe_->set_state_bytes(state);
      probe_->apply(move);
      after.insert(probe_->state_bytes());
      if (after.size() > kMaxPossible) return false;
    }
  }
  if (event.mover != state_->info().keeper()) belief.before = std::move(before);
  belief.states = std::move(after);
  return true;
}

// Adds what moves of the keeper lead to that the viewer does not notice. False when there are too many.
bool Witness::close(std::set<State>& states, std::size_t viewer) const {
  std::vector<State> open(states.begin(), states.end());
  while (!open.empty()) {
    const State state = std::move(open.back());
    open.pop_back();
    probe_->set_state_bytes(state);
    for (const std::size_t move : fitting(*probe_, viewer, state_->info().keeper(), "")) {
      probe_->set_state_bytes(state);
      probe_->apply(move);
      State next = probe_->state_bytes();
      if (!states.insert(next).second) continue;
      if (states.size() > 2 * kMaxPossible) return false;
      open.push_back(std::move(next));
    }
  }
  return true;
}

namespace {

constexpr std::size_t kMaxAlternatives = 40;

using Alternatives = std::set<std::string>;

void settle_value(std::string& value, const Alternatives& all) {
  if (all.size() < 2) return;
  value = kUnknown;
  if (all.size() > kMaxAlternatives) return;
  for (const std::string& one : all) value += " " + one;
}

}  // namespace

// After the end of a play no variable matters; the variables that mattered before the last move are shown then.
std::vector<VariableView> Witness::merged(const std::set<State>& states, const std::set<State>& before) const {
  std::vector<VariableView> all;
  std::vector<std::vector<Alternatives>> values;  // of each variable: the whole, then its cells
  for (const State& state : states) {
    probe_->set_state_bytes(state);
    const std::vector<VariableView> here = probe_->variables();
    if (all.empty()) {
      all = here;
      for (const VariableView& view : all) values.emplace_back(view.cells.empty() ? 1 : view.cells.size());
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].alive = all[i].alive || here[i].alive;
      if (here[i].cells.empty()) values[i][0].insert(here[i].value);
      for (std::size_t k = 0; k < here[i].cells.size(); ++k) values[i][k].insert(here[i].cells[k].value);
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].cells.empty()) settle_value(all[i].value, values[i][0]);
    for (std::size_t k = 0; k < all[i].cells.size(); ++k) settle_value(all[i].cells[k].value, values[i][k]);
    // The value of a map as one text is of no use when parts of it are unknown.
    if (std::ranges::any_of(values[i], [](const Alternatives& a) { return a.size() > 1; }) && !all[i].cells.empty()) {
      all[i].value = kUnknown;
    }
  }
  if (!state_->terminal()) return all;
  for (const State& state : before) {
    probe_->set_state_bytes(state);
    const std::vector<VariableView> here = probe_->variables();
    for (std::size_t i = 0; i < all.size(); ++i) all[i].alive = all[i].alive || here[i].alive;
  }
  return all;
}

}  // namespace rgtrans::scene
