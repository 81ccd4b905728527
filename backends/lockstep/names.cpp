#include "backends/lockstep/names.hpp"

#include <utility>

namespace rgtrans::lockstep {

MoveNames::MoveNames(const EqualOptions& options, std::vector<std::size_t> players, std::size_t systems)
    : options_(options), first_mover_(players.size() + systems) {
  for (std::size_t p = 0; p < players.size(); ++p) first_mover_[players[p]] = p;
  for (std::size_t s = players.size(); s < first_mover_.size(); ++s) first_mover_[s] = s;
}

std::uint32_t MoveNames::of(std::size_t game, std::size_t mover, const std::string& raw) {
  const std::string text = options_.name(game, raw);
  const std::size_t first = game == 0 ? mover : first_mover_[mover];
  std::string key = std::to_string(first) + ' ' + text;
  const std::lock_guard lock(mutex_);
  if (game == (options_.renaming.reversed ? 1U : 0U) && !options_.renaming.identical()) {
    auto found = options_.renaming.moves.find({first, text});
    if (found == options_.renaming.moves.end()) found = options_.renaming.moves.find({NameMap::kEveryMover, text});
    if (found != options_.renaming.moves.end()) {
      key = std::to_string(first) + ' ' + found->second;
    } else if (options_.renaming.complete) {
      key += '\n';  // no text has a line break
    }
  }
  const auto [known, fresh] = numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(texts_.size()));
  if (fresh) texts_.emplace_back();
  texts_[known->second][game] = text;
  met_[game].insert(text);
  return known->second;
}

std::string MoveNames::text(std::size_t game, std::uint32_t number) const {
  const std::lock_guard lock(mutex_);
  return texts_.at(number)[game];
}

std::vector<NameMap::Move> MoveNames::unused() const {
  const std::lock_guard lock(mutex_);
  const auto met_text = [&](std::size_t game, const std::string& text) { return met_[game].contains(text); };
  std::vector<NameMap::Move> out;
  for (const auto& entry : options_.renaming.moves) {
    const auto& [a, b] = options_.renaming.names(entry);
    if (!met_text(0, a) || !met_text(1, b)) out.push_back(entry.first);
  }
  return out;
}

void MoveNames::save(SavedWriter& out) const {
  std::vector<std::string> keys(texts_.size());
  for (const auto& [key, number] : numbers_) keys[number] = key;
  out.number(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    out.text(keys[i]);
    for (const std::string& text : texts_[i]) out.text(text);
  }
  for (const auto& met : met_) {
    out.number(met.size());
    for (const std::string& text : met) out.text(text);
  }
}

void MoveNames::load(SavedReader& in) {
  numbers_.clear();
  texts_.resize(in.number());
  for (std::uint32_t i = 0; i < texts_.size(); ++i) {
    numbers_.emplace(in.text(), i);
    for (std::string& text : texts_[i]) text = in.text();
  }
  for (auto& met : met_) {
    for (std::uint64_t left = in.number(); left > 0; --left) met.insert(in.text());
  }
}

void Views::save(SavedWriter& out) const {
  for (const auto& map : other_) {
    out.number(map.size());
    for (const auto& [one, other] : map) {
      out.text(one);
      out.text(other);
    }
  }
}

void Views::load(SavedReader& in) {
  for (auto& map : other_) {
    for (std::uint64_t left = in.number(); left > 0; --left) {
      std::string one = in.text();
      map[std::move(one)] = in.text();
    }
  }
}

std::uint32_t NameCache::number(Reasoner& play, std::size_t mover, std::size_t index) {
  key_.assign(1, static_cast<char32_t>(mover));
  for (const std::uint32_t tag : play.move_tags(index)) key_ += static_cast<char32_t>(tag);
  const auto known = numbers_.find(key_);
  if (known != numbers_.end()) return known->second;
  const std::uint32_t number = names_.of(game_, mover, play.move_text(index));
  numbers_.emplace(key_, number);
  return number;
}

bool Views::fit(std::size_t player, const std::string& first, const std::string& second) {
  if (identical_) return first == second;
  if (first.empty() != second.empty()) return false;
  const std::string prefix = std::to_string(player) + ' ';
  const std::lock_guard lock(mutex_);
  const auto [there, new_there] = other_[0].try_emplace(prefix + first, second);
  const auto [back, new_back] = other_[1].try_emplace(prefix + second, first);
  return there->second == second && back->second == first;
}

}  // namespace rgtrans::lockstep
