#include "tests/support/naive_reasoner.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "core/support/support.hpp"

namespace rgtrans::naive {

NaiveReasoner::NaiveReasoner(const ir::Game& game)
    : game_(game), evaluator_(game, {.trust = false, .plain = true, .effort = 5}) {
  for (const SymbolId player : game.players()) info_.players.emplace_back(game.symbols.str(player));
  NaiveReasoner::reset();
}

std::unique_ptr<Reasoner> NaiveReasoner::clone() const {
  auto copy = std::make_unique<NaiveReasoner>(game_);
  copy->set_state_bytes(state_bytes());
  return copy;
}

void NaiveReasoner::reset() {
  state_ = evaluator_.initial();
  known_ = false;
}

std::size_t NaiveReasoner::mover() const {
  const std::string name = evaluator_.mover(state_);
  const auto found = std::ranges::find(info_.players, name);
  if (found != info_.players.end()) return static_cast<std::size_t>(found - info_.players.begin());
  return name == "random" ? info_.random() : info_.keeper();
}

const NaiveReasoner::Moves& NaiveReasoner::listed() {
  if (known_) return moves_;
  moves_.clear();
  for (auto& [text, states] : evaluator_.moves(state_)) moves_.emplace_back(text, std::move(states));
  known_ = true;
  return moves_;
}

std::size_t NaiveReasoner::move_count() { return terminal() ? 0 : listed().size(); }

void NaiveReasoner::apply(std::size_t index) {
  state_ = State(*listed().at(index).second.begin());
  known_ = false;
}

std::string NaiveReasoner::goal(std::size_t player) const {
  return evaluator_.cells(state_, game_.goals()).at({info_.players[player]});
}

std::vector<std::byte> NaiveReasoner::state_bytes() const {
  std::vector<std::uint32_t> words = {static_cast<std::uint32_t>(state_.node.value)};
  for (const ir::ValueId value : state_.values) words.push_back(static_cast<std::uint32_t>(value.value));
  const auto bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.end()};
}

void NaiveReasoner::set_state_bytes(std::span<const std::byte> bytes) {
  std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), bytes.data(), bytes.size());
  state_.node = ir::NodeId(words.at(0));
  state_.values.clear();
  for (std::size_t i = 1; i < words.size(); ++i) state_.values.emplace_back(words[i]);
  known_ = false;
}

PlayoutStats NaiveReasoner::playouts(const PlayoutOptions&) { throw Error("playouts are not counted here"); }

}  // namespace rgtrans::naive
