#include "cli/ggp/translated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "backends/interpreter/interpreter.hpp"
#include "backends/search/search.hpp"
#include "cli/ggp/kif.hpp"
#include "core/passes/passes.hpp"
#include "core/support/letters.hpp"
#include "core/support/support.hpp"
#include "frontends/gdl/gdl.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans::cli::ggp {

namespace {

std::vector<std::string> roles_of(const std::string& rules) {
  std::vector<std::string> roles;
  const Kif all = read_kif("(" + one_line(rules) + ")");
  for (const Kif& item : all.items) {
    const std::string word = item.items.empty() ? "" : item.items[0].keyword();
    if (word == "ROLE" && item.items.size() == 2) roles.push_back(item.items[1].text());
    if (word == "SEES" || (word == "<=" && item.items.size() > 1 && !item.items[1].items.empty() &&
                           item.items[1].items[0].keyword() == "SEES")) {
      throw Error("roles do not see everything");
    }
  }
  if (roles.empty()) throw Error("the description has no role");
  return roles;
}

// Every role makes its move in every step, also the only one that it has.
ir::Game translated_game(const std::string& rules) {
  Diagnostics diagnostics;
  FrontendOptions options;
  options.values["keep-forced"];
  ir::Game game = load_text("<description>", rules, gdl::frontend(), diagnostics, options);
  diagnostics.throw_if_errors();
  passes::optimize(game);
  return game;
}

// Terms are compared like this: in small letters, with one blank between their parts.
std::string normal_term(const std::string& term) { return lower_case(read_kif(term).text()); }

}  // namespace

Translated::Translated(const std::string& rules)
    : roles_(roles_of(rules)),
      game_(translated_game(rules)),
      wording_(game_),
      beginning_(make_interpreter(game_)),
      reasoner_(beginning_->clone()) {
  random_role_ = find_role("random").value_or(kNone);
  std::vector<std::uint32_t> seats;
  for (std::uint32_t r = 0; r < roles_.size(); ++r) {
    if (r != random_role_) seats.push_back(r);
  }
  const std::vector<std::string>& players = reasoner_->info().players;
  if (players.size() != seats.size()) throw Error("the players of the game are not the roles of the description");
  for (std::size_t p = 0; p < players.size(); ++p) {
    const auto named = find_role(written(game_, game_.symbols.find(players[p])));
    role_of_.push_back(named ? *named : seats[p]);
  }
}

std::optional<std::uint32_t> Translated::find_role(const std::string& name) const {
  const auto same = [&](const std::string& role) { return lower_case(role) == lower_case(name); };
  const auto it = std::ranges::find_if(roles_, same);
  return it == roles_.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(it - roles_.begin()));
}

void Translated::use(std::unique_ptr<Reasoner> engine) {
  const std::vector<std::vector<std::string>> before = std::exchange(played_, {});
  reasoner_ = std::move(engine);
  for (const std::vector<std::string>& joint : before) step(joint);
}

std::uint32_t Translated::role_to_move(const Reasoner& position) const {
  return position.mover() == position.info().random() ? random_role_ : role_of_.at(position.mover());
}

std::string Translated::term(const std::string& move) const {
  const std::string text = wording_.full(move);
  const Kif first = read_kif(text);  // the author's words have the outer parentheses, or have not
  return first.end == text.size() ? first.text() : read_kif("(" + text + ")").text();
}

void Translated::apply(Reasoner& position, const std::string& move) const {
  const std::string wanted = normal_term(move);
  std::size_t index = 0;
  while (index < position.move_count() && normal_term(term(position.move_text(index))) != wanted) ++index;
  if (index == position.move_count())
    throw Error(fmt::format("{} has no move {}", roles_[role_to_move(position)], move));
  position.apply(index);
}

void Translated::step(const std::vector<std::string>& joint) {
  step(*reasoner_, joint);
  played_.push_back(joint);
}

void Translated::step(Reasoner& position, const std::vector<std::string>& joint) const {
  if (joint.size() != roles_.size()) throw Error("a step has a move of every role");
  std::vector<bool> moved(roles_.size());
  for (std::size_t i = 0; i < roles_.size(); ++i) {
    search::run_keeper(position);
    if (position.terminal()) throw Error("the play is over");
    const std::uint32_t role = role_to_move(position);
    if (moved.at(role)) throw Error(fmt::format("{} moves twice in a step", roles_[role]));
    moved[role] = true;
    apply(position, joint[role]);
  }
  search::run_keeper(position);
}

Translated::Decision Translated::decide(std::uint32_t role) {
  Decision out;
  std::unique_ptr<Reasoner> position = reasoner_->clone();
  for (std::size_t i = 0; i < roles_.size(); ++i) {
    search::run_keeper(*position);
    if (position->terminal() || position->move_count() == 0) break;
    if (role_to_move(*position) == role) {
      for (const std::string& move : position->move_texts()) out.moves.push_back(term(move));
      out.position = position->clone();
    } else {
      out.alone = out.alone && position->move_count() == 1;
    }
    position->apply(0);
  }
  return out;
}

std::unique_ptr<Reasoner> Translated::after(std::uint32_t role, const std::string& move) const {
  std::unique_ptr<Reasoner> position = reasoner_->clone();
  for (std::size_t i = 0; i < roles_.size() && search::run_keeper(*position); ++i) {
    if (role_to_move(*position) == role) {
      apply(*position, move);
    } else if (position->move_count() == 1) {
      position->apply(0);
    } else {
      break;
    }
  }
  return search::run_keeper(*position) ? std::move(position) : nullptr;
}

}  // namespace rgtrans::cli::ggp
