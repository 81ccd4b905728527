#include "tests/support/naive_reasoner.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <regex>

#include "core/support/support.hpp"

namespace rgtrans::naive {

namespace {

constexpr std::size_t kMostLists = 500;

}  // namespace

NaiveReasoner::NaiveReasoner(const ir::Game& game)
    : game_(game), evaluator_(game, {.trust = false, .plain = true, .effort = 5}) {
  hides_ = ir::hides_moves(game);
  for (const SymbolId player : game.players()) info_.players.push_back(ir::written(game, player));
  NaiveReasoner::reset();
}

std::unique_ptr<Reasoner> NaiveReasoner::clone() const {
  auto copy = std::make_unique<NaiveReasoner>(game_);
  copy->set_state_bytes(state_bytes());
  return copy;
}

void NaiveReasoner::reset() {
  state_ = evaluator_.initial();
  moves_ = nullptr;
}

std::size_t NaiveReasoner::mover() const {
  const std::string name = evaluator_.mover(state_);
  const auto players = game_.players();
  const auto found = std::ranges::find(players, game_.symbols.find(name));
  if (found != players.end()) return static_cast<std::size_t>(found - players.begin());
  return name == "random" ? info_.random() : info_.keeper();
}

const NaiveReasoner::Moves& NaiveReasoner::listed() {
  if (moves_ != nullptr) return *moves_;
  if (const auto known = lists_.find(state_); known != lists_.end()) return *(moves_ = &known->second);
  Moves moves;
  std::map<std::string, std::uint64_t> shown;
  if (hides_) {
    static const std::regex marks("~[^ ]*");
    for (const auto& move : evaluator_.marked_moves(state_)) ++shown[std::regex_replace(move.first, marks, "")];
  }
  for (auto& [text, states] : evaluator_.moves(state_)) {
    const std::uint64_t ways = std::max<std::uint64_t>(shown[text], states.size());
    moves.push_back({text, std::move(states), ways});
  }
  if (lists_.size() >= kMostLists) lists_.clear();
  return *(moves_ = &lists_.emplace(state_, std::move(moves)).first->second);
}

std::size_t NaiveReasoner::move_count() { return terminal() ? 0 : listed().size(); }

void NaiveReasoner::apply(std::size_t index) {
  state_ = State(*listed().at(index).states.begin());
  moves_ = nullptr;
}

std::string NaiveReasoner::goal(std::size_t player) const {
  return evaluator_.cells(state_, game_.goals()).at({game_.symbols.str(game_.players()[player])});
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
  moves_ = nullptr;
}

PlayoutStats NaiveReasoner::playouts(const PlayoutOptions&) { throw Error("playouts are not counted here"); }

}  // namespace rgtrans::naive
