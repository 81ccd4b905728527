#include "backends/interpreter/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "core/support/progress.hpp"

namespace rgtrans::interpreter {

void give_up(const std::string& what, const std::string& hint) { throw Error(what, hint); }

void endless_keeper(const std::string& node) {
  throw Error(fmt::format("keeper moves more than {} times in a row, last at {}", kMaxKeeperMoves, node));
}

template <class Cell>
InterpreterEngine<Cell>::InterpreterEngine(std::shared_ptr<const Compiled> compiled)
    : compiled_(std::move(compiled)),
      initial_(compiled_->layout.initial().begin(), compiled_->layout.initial().end()),
      state_(initial_),
      machine_(compiled_->program, compiled_->node_names, compiled_->symbol_of_code, compiled_->player_cell) {}

template <class Cell>
std::unique_ptr<Reasoner> InterpreterEngine<Cell>::clone() const {
  auto copy = std::make_unique<InterpreterEngine>(compiled_);
  copy->state_ = state_;
  copy->start_ = start_;
  copy->history_ = history_;
  copy->old_ = old_;
  return copy;
}

template <class Cell>
void InterpreterEngine<Cell>::reset() {
  state_ = initial_;
  start_ = 0;
  listed_ = walked_ = false;
  history_.clear();
  old_.clear();
}

template <class Cell>
std::size_t InterpreterEngine<Cell>::mover() const {
  const std::uint32_t mover = compiled_->mover_of_code[state_[compiled_->player_cell]];
  if (mover == kNone) {
    throw Error(fmt::format("{} is to move, who is neither a player nor keeper nor random",
                            compiled_->symbol_text(state_[compiled_->player_cell])));
  }
  return mover;
}

template <class Cell>
std::size_t InterpreterEngine<Cell>::move_count() {
  if (terminal()) return 0;
  if (!listed_) list(nullptr);
  return moves_.moves.size();
}

template <class Cell>
std::size_t InterpreterEngine<Cell>::move_count_of(std::span<const std::string_view> begin, std::size_t most) {
  if (terminal()) return 0;
  parts_.ask(begin.size(), most, [&](std::size_t i) { return compiled_->game.symbols.find(begin[i]).value; });
  list(&parts_);
  return moves_.moves.size();
}

template <class Cell>
void InterpreterEngine<Cell>::list(MoveParts* parts) {
  machine_.want(parts);
  machine_.list(state_.data(), start_, moves_, true, compiled_->hiding ? &compiled_->visibility : nullptr);
  machine_.want(nullptr);
  listed_ = true;
}

template <class Cell>
std::string InterpreterEngine<Cell>::text(const MoveList& list, std::size_t index,
                                          std::optional<std::size_t> seen_by) const {
  const MoveList::Move& move = list.moves[index];
  std::string out;
  for (std::uint32_t i = move.first_tag; i < move.end_tag; ++i) {
    if (seen_by && !list.seen.empty() && list.seen[i * compiled_->info.players.size() + *seen_by] == 0) continue;
    if (!out.empty()) out += ' ';
    out += compiled_->game.symbols.text(SymbolId(list.tags[i]));
  }
  return out;
}

template <class Cell>
void InterpreterEngine<Cell>::check_move(std::size_t index) {
  if (const std::size_t count = move_count(); index >= count)
    throw Error(fmt::format("there is no move {}: the position has {}", index, count));
}

template <class Cell>
void InterpreterEngine<Cell>::check_player(std::size_t player) const {
  if (const std::size_t count = compiled_->info.players.size(); player >= count)
    throw Error(fmt::format("there is no player {}: the game has {}", player, count));
}

template <class Cell>
std::string InterpreterEngine<Cell>::move_text(std::size_t index) {
  check_move(index);
  return text(moves_, index, std::nullopt);
}

template <class Cell>
std::span<const std::uint32_t> InterpreterEngine<Cell>::move_tags(std::size_t index) {
  check_move(index);
  const MoveList::Move& move = moves_.moves[index];
  return {moves_.tags.data() + move.first_tag, moves_.tags.data() + move.end_tag};
}

template <class Cell>
std::string InterpreterEngine<Cell>::tag_text(std::uint32_t tag) const {
  return std::string(compiled_->game.symbols.text(SymbolId(tag)));
}

template <class Cell>
std::string InterpreterEngine<Cell>::observed_move_text(std::size_t index, std::size_t player) {
  check_move(index);
  check_player(player);
  return text(moves_, index, player);
}

template <class Cell>
std::uint64_t InterpreterEngine<Cell>::tag_fingerprint(std::uint32_t tag) {
  if (tag >= tag_fingerprints_.size()) tag_fingerprints_.resize(tag + 1, 0);
  std::uint64_t& known = tag_fingerprints_[tag];
  if (known == 0) known = std::hash<std::string_view>()(compiled_->game.symbols.text(SymbolId(tag))) | 1U;
  return known;
}

template <class Cell>
std::uint64_t InterpreterEngine<Cell>::move_fingerprint(std::size_t index) {
  check_move(index);
  const MoveList::Move& move = moves_.moves[index];
  std::uint64_t all = 1;
  for (std::uint32_t i = move.first_tag; i < move.end_tag; ++i)
    all = combine_hash(all, tag_fingerprint(moves_.tags[i]));
  std::uint64_t result = all;
  if (moves_.seen.empty()) return result;
  const std::size_t players = compiled_->info.players.size();
  for (std::size_t player = 0; player < players; ++player) {
    std::uint64_t seen = 1;
    for (std::uint32_t i = move.first_tag; i < move.end_tag; ++i) {
      if (moves_.seen[i * players + player] != 0) seen = combine_hash(seen, tag_fingerprint(moves_.tags[i]));
    }
    if (seen != all) result += combine_hash(player, seen);
  }
  return result;
}

template <class Cell>
Machine<Cell>& InterpreterEngine<Cell>::walker() {
  if (!walker_) {
    walker_ = std::make_unique<Machine<Cell>>(compiled_->walks(), compiled_->node_names, compiled_->symbol_of_code,
                                              compiled_->player_cell);
  }
  return *walker_;
}

template <class Cell>
std::uint64_t InterpreterEngine<Cell>::walk_count(std::size_t index) {
  check_move(index);
  if (!walked_) {
    walker().list(state_.data(), start_, walks_, true);
    walked_ = true;
  }
  const MoveList::Move& move = moves_.moves[index];
  const std::span tags(moves_.tags.data() + move.first_tag, moves_.tags.data() + move.end_tag);
  std::uint64_t count = 0;
  std::vector<std::uint32_t> shown;
  for (std::size_t i = 0; i < walks_.moves.size(); ++i) {
    const MoveList::Move& walk = walks_.moves[i];
    shown.assign(walks_.tags.data() + walk.first_tag, walks_.tags.data() + walk.end_tag);
    std::erase_if(shown, [](std::uint32_t tag) { return (tag & kMark) != 0; });
    count += std::ranges::equal(shown, tags) ? 1U : 0U;
  }
  return count;
}

template <class Cell>
void InterpreterEngine<Cell>::apply(std::size_t index) {
  check_move(index);
  const MoveList::Move& move = moves_.moves[index];
  history_.push_back({old_.size(), start_});
  for (std::uint32_t i = move.first_change; i < move.end_change; ++i) {
    const Change& change = moves_.changes[i];
    old_.push_back({change.cell, state_[change.cell]});
    state_[change.cell] = static_cast<Cell>(change.value);
  }
  start_ = move.start;
  listed_ = walked_ = false;
}

template <class Cell>
void InterpreterEngine<Cell>::each_result(const std::function<void(std::size_t, std::span<const std::byte>)>& visit) {
  for (std::size_t i = 0, count = move_count(); i < count; ++i) {
    apply(i);
    visit(i, state_bytes());
    undo();
    listed_ = true;  // neither of these changes the list
  }
}

template <class Cell>
bool InterpreterEngine<Cell>::undo() {
  if (history_.empty()) return false;
  const Played last = history_.back();
  history_.pop_back();
  while (old_.size() > last.first_old) {
    state_[old_.back().cell] = static_cast<Cell>(old_.back().value);
    old_.pop_back();
  }
  start_ = last.start;
  listed_ = walked_ = false;
  return true;
}

template <class Cell>
std::string InterpreterEngine<Cell>::goal(std::size_t player) const {
  check_player(player);
  return compiled_->symbol_text(state_[compiled_->goal_cells[player]]);
}

template <class Cell>
std::vector<std::byte> InterpreterEngine<Cell>::state_bytes() const {
  std::vector<std::byte> out;
  const auto put = [&](std::uint32_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i) & 0xffU));
  };
  put(start_, 4);
  for (std::uint32_t cell : compiled_->state_cells) put(state_[cell], sizeof(Cell));
  return out;
}

template <class Cell>
void InterpreterEngine<Cell>::set_state_bytes(std::span<const std::byte> bytes) {
  const std::vector<std::uint32_t>& cells = compiled_->state_cells;
  if (bytes.size() != 4 + cells.size() * sizeof(Cell)) throw Error("the bytes are no state of this game: wrong length");
  std::size_t at = 0;
  const auto take = [&](std::size_t count) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i) value |= static_cast<std::uint32_t>(bytes[at++]) << (8 * i);
    return value;
  };
  const std::uint32_t start = take(4);
  if (start >= compiled_->program.starts.size()) throw Error("the bytes are no state of this game: no such position");
  std::vector<Cell> state = initial_;
  for (std::uint32_t cell : cells) {
    const std::uint32_t code = take(sizeof(Cell));
    if (!compiled_->layout.variable(compiled_->variable_of_cell[cell]).possible.contains(code)) {
      throw Error("the bytes are no state of this game: a value is out of its range");
    }
    state[cell] = static_cast<Cell>(code);
  }
  state_ = std::move(state);
  start_ = start;
  listed_ = walked_ = false;
  history_.clear();
  old_.clear();
}

template <class Cell>
void InterpreterEngine<Cell>::canonical(std::vector<std::byte>& state, bool symmetries) const {
  constexpr std::size_t kStart = 4;  // bytes
  const auto number = [](const std::byte* from, std::size_t bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value |= static_cast<std::uint32_t>(from[i]) << (8 * i);
    return value;
  };
  const auto put = [](std::byte* to, std::uint32_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) to[i] = static_cast<std::byte>(value >> (8 * i) & 0xffU);
  };
  const auto forget = [&](std::vector<std::byte>& bytes) {
    for (const std::uint32_t place : compiled_->dead_places[number(bytes.data(), kStart)]) {
      put(bytes.data() + kStart + place * sizeof(Cell), initial_[compiled_->state_cells[place]], sizeof(Cell));
    }
  };
  forget(state);
  if (!symmetries || compiled_->symmetries.empty()) return;
  const std::vector<std::byte> original = state;
  std::vector<std::byte> image(state.size());
  for (const Compiled::StateMap& map : compiled_->symmetries) {
    put(image.data(), map.start[number(original.data(), kStart)], kStart);
    for (std::size_t i = 0; i < map.cell.size(); ++i) {
      const std::uint32_t code = number(original.data() + kStart + i * sizeof(Cell), sizeof(Cell));
      put(image.data() + kStart + map.cell[i] * sizeof(Cell), map.code[code], sizeof(Cell));
    }
    forget(image);
    if (image < state) state = image;
  }
}

template <class Cell>
std::string InterpreterEngine<Cell>::describe() const {
  const ir::Game& game = compiled_->game;
  std::string out = "goals: " + compiled_->value_text(game.goals(), state_) + "\n";
  out += "player: " + compiled_->value_text(game.player(), state_) + "\n";
  out += "position: " + compiled_->node_names[compiled_->program.starts[start_].node] + "\n";
  out += "values:\n";
  for (const ir::VarId id : game.living_variables()) {
    if (game.built_in(id)) continue;
    out += "  " + game.symbols.str(game.variable(id).name) + ": " + compiled_->value_text(id, state_) + "\n";
  }
  return out + "visible: " + compiled_->value_text(game.visible(), state_) + "\n";
}

template <class Cell>
std::vector<VariableView> InterpreterEngine<Cell>::variables() const {
  const ir::Game& game = compiled_->game;
  std::vector<VariableView> out;
  for (const ir::VarId id : game.living_variables()) {
    if (game.built_in(id)) continue;
    VariableView& view = out.emplace_back();
    view.alive = compiled_->alive[start_][id.value];
    view.name = game.symbols.str(game.variable(id).name);
    view.value = compiled_->value_text(id, state_);
    if (compiled_->layout.variable(id).shape.levels.empty()) continue;
    compiled_->each_cell(id, [&](std::uint32_t cell, std::vector<std::string> keys) {
      view.cells.push_back({std::move(keys), value_text(state_[cell])});
    });
  }
  return out;
}

template <class Cell>
std::vector<NumberedCell> InterpreterEngine<Cell>::cells() const {
  const ir::Game& game = compiled_->game;
  std::vector<NumberedCell> out;
  for (const ir::VarId id : game.living_variables()) {
    if (game.built_in(id)) continue;
    compiled_->each_cell(id, [&](std::uint32_t cell, std::vector<std::string> keys) {
      out.push_back({game.symbols.str(game.variable(id).name), std::move(keys), cell});
    });
  }
  return out;
}

// --- Counting. ---

template <class Cell>
void InterpreterEngine<Cell>::stuck(std::uint32_t start, const Cell* state) const {
  throw Error(fmt::format("{} has no move at {}, and the play is not over",
                          compiled_->symbol_text(state[compiled_->player_cell]),
                          compiled_->node_names[compiled_->program.starts[start].node]));
}

template <class Cell>
void InterpreterEngine<Cell>::run_keeper(Machine<Cell>& machine, Cell* state, std::uint32_t& start) const {
  const std::uint32_t keeper = compiled_->layout.code(compiled_->game.keeper());
  for (std::uint64_t moves = 0; state[compiled_->player_cell] == keeper && !compiled_->final_start[start]; ++moves) {
    if (moves > kMaxKeeperMoves) endless_keeper(compiled_->node_names[compiled_->program.starts[start].node]);
    if (!machine.first(state, start)) stuck(start, state);
  }
}

// Of several moves with equal results, keeps the first.
template <class Cell>
void InterpreterEngine<Cell>::keep_distinct_results(MoveList& list) {
  std::set<std::vector<Cell>> met;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < list.moves.size(); ++k) {
    const MoveList::Move move = list.moves[k];
    std::vector<Cell> after = state_;
    for (std::uint32_t i = move.first_change; i < move.end_change; ++i) {
      after[list.changes[i].cell] = static_cast<Cell>(list.changes[i].value);
    }
    std::vector<Cell> key;
    for (std::uint32_t cell : compiled_->state_cells) key.push_back(after[cell]);
    key.push_back(static_cast<Cell>(move.start & 0xffU));
    key.push_back(static_cast<Cell>(move.start >> 8U & 0xffU));
    key.push_back(static_cast<Cell>(move.start >> 16U & 0xffU));
    if (met.insert(std::move(key)).second) list.moves[kept++] = move;
  }
  list.moves.cut(kept);
}

template <class Cell>
std::uint64_t InterpreterEngine<Cell>::count_leaves(Machine<Cell>& machine, unsigned depth) {
  struct Level {
    MoveList list;
    std::size_t next = 0;
    std::vector<Cell> state;
  };
  if (depth == 0) return 1;
  const std::vector<Cell> saved = state_;
  const std::uint32_t saved_start = start_;
  const std::uint32_t random = compiled_->layout.code(compiled_->game.random());
  const std::uint32_t keeper = compiled_->layout.code(compiled_->game.keeper());
  std::vector<std::unique_ptr<Level>> levels;
  std::size_t used = 0;
  std::uint64_t leaves = 0;
  // Runs keeper's moves, then lists the moves of the current state.
  const auto enter = [&] {
    check_wanted();
    for (std::uint64_t moves = 0; state_[compiled_->player_cell] == keeper && !compiled_->final_start[start_];
         ++moves) {
      if (moves > kMaxKeeperMoves) endless_keeper(compiled_->node_names[compiled_->program.starts[start_].node]);
      if (!machine.first(state_.data(), start_)) return;
    }
    if (compiled_->final_start[start_]) return;
    if (used == levels.size()) levels.push_back(std::make_unique<Level>());
    Level& level = *levels[used];
    machine.list(state_.data(), start_, level.list, false);
    if (state_[compiled_->player_cell] == random) keep_distinct_results(level.list);
    if (used + 1 == depth) {
      leaves += level.list.moves.size();
      return;
    }
    level.next = 0;
    level.state = state_;
    ++used;
  };
  try {
    enter();
    while (used > 0) {
      Level& level = *levels[used - 1];
      if (level.next == level.list.moves.size()) {
        --used;
        continue;
      }
      const MoveList::Move& move = level.list.moves[level.next++];
      state_ = level.state;
      for (std::uint32_t i = move.first_change; i < move.end_change; ++i) {
        state_[level.list.changes[i].cell] = static_cast<Cell>(level.list.changes[i].value);
      }
      start_ = move.start;
      enter();
    }
  } catch (...) {
    state_ = saved;
    start_ = saved_start;
    throw;
  }
  state_ = saved;
  start_ = saved_start;
  return leaves;
}

template <class Cell>
std::uint64_t InterpreterEngine<Cell>::perft(unsigned depth) {
  return count_leaves(machine_, depth);
}

template <class Cell>
std::uint64_t InterpreterEngine<Cell>::perft_walks(unsigned depth) {
  return count_leaves(walker(), depth);
}

template class InterpreterEngine<ByteCell>;
template class InterpreterEngine<std::uint16_t>;
template class InterpreterEngine<std::uint32_t>;

}  // namespace rgtrans::interpreter

namespace rgtrans {

std::unique_ptr<Reasoner> make_interpreter(const ir::Game& game, const InterpreterOptions& options) {
  auto compiled = std::make_shared<const interpreter::Compiled>(game, options);
  if (compiled->layout.code_count() <= 256) {
    return std::make_unique<interpreter::InterpreterEngine<interpreter::ByteCell>>(std::move(compiled));
  }
  if (compiled->layout.code_count() <= 65536) {
    return std::make_unique<interpreter::InterpreterEngine<std::uint16_t>>(std::move(compiled));
  }
  return std::make_unique<interpreter::InterpreterEngine<std::uint32_t>>(std::move(compiled));
}

}  // namespace rgtrans
