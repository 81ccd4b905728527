#include "tests/support/gdl_in_turn.hpp"

#include <algorithm>
#include <cstring>

#include "core/support/support.hpp"

namespace rgtrans::test {

RulesInTurn::RulesInTurn(std::unique_ptr<gdl::Steps> steps) : steps_(std::move(steps)) {
  const std::vector<std::string>& names = steps_->role_names();
  for (std::uint32_t r = 0; r < names.size(); ++r) {
    if (r == steps_->random_role()) continue;
    roles_.push_back(r);
    info_.players.push_back(names[r]);
  }
  std::size_t player = 0;
  for (std::uint32_t r = 0; r < names.size(); ++r)
    player_of_.push_back(r == steps_->random_role() ? info_.random() : player++);
  info_.hidden = names.size() > 1;
  info_.most_goal = steps_->most_goal();
  RulesInTurn::reset();
}

std::unique_ptr<Reasoner> RulesInTurn::clone() const {
  auto copy = std::make_unique<RulesInTurn>(steps_->clone());
  copy->steps_->set_state(steps_->state());
  copy->joint_ = joint_;
  copy->enter();
  return copy;
}

void RulesInTurn::reset() {
  steps_->set_state(steps_->initial());
  joint_.clear();
  enter();
}

void RulesInTurn::enter() {
  listed_ = false;
  over_ = joint_.empty() && steps_->terminal();
}

std::size_t RulesInTurn::mover() const { return all_decided() ? info_.keeper() : player_of_[joint_.size()]; }

std::size_t RulesInTurn::move_count() {
  if (all_decided()) return 1;
  if (!listed_) steps_->legal(static_cast<std::uint32_t>(joint_.size()), legal_);
  listed_ = true;
  return legal_.size();
}

std::string RulesInTurn::move_text(std::size_t index) {
  return all_decided() ? "" : steps_->move_text(legal_[(move_count(), index)]);
}

std::span<const std::uint32_t> RulesInTurn::move_tags(std::size_t index) {
  if (all_decided()) return {};
  return {&legal_[(move_count(), index)], 1};
}

std::string RulesInTurn::observed_move_text(std::size_t index, std::size_t player) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : " ") + text; };
  if (!all_decided()) return mover() == player ? move_text(index) : "";
  if (steps_->imperfect()) {
    for (const std::string& percept : steps_->percepts(joint_, roles_[player])) add(percept);
  } else {
    for (const std::uint32_t move : joint_) add(steps_->move_text(move));
  }
  return out;
}

void RulesInTurn::apply(std::size_t index) {
  if (all_decided()) {
    steps_->step(joint_);
    joint_.clear();
  } else {
    move_count();
    joint_.push_back(legal_.at(index));
  }
  enter();
}

std::string RulesInTurn::goal(std::size_t player) const { return std::to_string(steps_->goal(roles_[player])); }

std::vector<std::byte> RulesInTurn::state_bytes() const {
  const gdl::Steps::State& state = steps_->state();
  std::vector<std::uint64_t> words = {joint_.size()};
  words.insert(words.end(), joint_.begin(), joint_.end());
  words.insert(words.end(), state.begin(), state.end());
  const auto bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.end()};
}

void RulesInTurn::set_state_bytes(std::span<const std::byte> bytes) {
  std::vector<std::uint64_t> words(bytes.size() / sizeof(std::uint64_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint64_t));
  const auto begin = words.begin() + 1, middle = begin + static_cast<std::ptrdiff_t>(words[0]);
  joint_.assign(begin, middle);
  steps_->set_state({middle, words.end()});
  enter();
}

std::string RulesInTurn::describe() const {
  std::string out;
  for (const std::string& fact : steps_->facts()) out += fact + "\n";
  return out;
}

std::uint64_t RulesInTurn::perft(unsigned depth) {
  if (depth == 0) return 1;
  if (terminal()) return 0;
  const std::vector<std::byte> here = state_bytes();
  const bool keeper = all_decided();
  std::uint64_t leaves = 0;
  for (std::size_t i = 0, count = move_count(); i < count; ++i) {
    if (i > 0) set_state_bytes(here);
    apply(i);
    leaves += perft(keeper ? depth : depth - 1);
  }
  set_state_bytes(here);
  return leaves;
}

PlayoutStats RulesInTurn::playouts(const PlayoutOptions&) { throw Error("playouts are not counted here"); }

}  // namespace rgtrans::test
