// The play: start, plies, ends.
#include "frontends/ludii/rules/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

namespace {

bool has_word(const Node& node, std::string_view word) {
  if (!node.is_string() && node.text == word) return true;
  return std::ranges::any_of(node.items, [&](const Node& item) { return has_word(item, word); });
}

bool asks_for_moves(const Node& node, std::string_view player) {
  if (node.is_clause("no") && node.items.size() == 2 && node.items[0].is_word("Moves") && node.items[1].is_word(player))
    return true;
  return std::ranges::any_of(node.items, [&](const Node& item) { return asks_for_moves(item, player); });
}

std::vector<int> from_to_list(int first, int last) {
  std::vector<int> result;
  for (int i = first; i <= last; ++i) result.push_back(i);
  return result;
}

}  // namespace

Lowering::Lowering(const Description& description, const Equipment& equipment, ir::Game& game)
    : DefinedOnce(game), d_(description), e_(equipment), g_(game), statics_(equipment), stuck_(3) {
  where_ = description.rules->where;
  for (const int player : {1, 2}) player_symbols_.push_back(game.symbols.intern(fmt::format("P{}", player)));
  declare_play(player_symbols_, {DefinedOnce::number(50), DefinedOnce::number(0), DefinedOnce::number(100)});
  places_.push_back(kOff);
  for (int site = 0; site < e_.site_end(); ++site) {
    if (e_.is_site(site)) places_.push_back(site);
  }
  pieces_ = from_to_list(0, static_cast<int>(e_.components.size()));
  start_.assign(places_.size(), 0);
}

bool Lowering::mentions(std::string_view word) const { return has_word(*d_.game, word); }

void Lowering::place_one(const Node& rule) {
  if (!rule.is_clause("place")) refuse(rule);
  Arguments arguments(rule);
  const Node* const name = arguments.take_string();
  if (name == nullptr) refuse(rule);
  const int component = e_.find_component(name->text);
  if (component == 0) throw Refused(name->where, fmt::format("there is no piece \"{}\"", name->text));
  if (statics_.take_type(arguments) != e_.use) refuse(rule);
  Sites sites;
  if (const Node* const coordinate = arguments.named("coord")) {
    sites.push_back(e_.topology->find_label(e_.use, coordinate->text));
  } else {
    const Node& where = arguments.need("a place");
    if (where.is_string()) refuse(rule);
    const bool region = where.is_array() || where.is_clause("sites") || where.is_clause("union") ||
                        where.is_clause("difference") || where.is_clause("intersection") || where.is_clause("expand") ||
                        where.is_clause("forEach");
    const auto one = region ? std::nullopt : statics_.integer(where, {});
    const auto several = one ? std::optional(Sites{*one}) : statics_.region(where, {});
    if (!several) refuse(where);
    sites = *several;
  }
  arguments.finish();
  for (const int site : sites) {
    const auto at = std::ranges::find(places_, site);
    if (site < 0 || at == places_.end()) throw Refused(rule.where, "there is no such site");
    int& piece = start_[static_cast<std::size_t>(at - places_.begin())];
    // A piece that is there stays there.
    if (piece == 0) piece = component;
    last_placed_ = site;
    has_start_ = true;
  }
}

void Lowering::place(const Node& start) {
  for (const Node& item : start.items) {
    if (!item.is_array()) {
      place_one(item);
      continue;
    }
    for (const Node& rule : item.items) place_one(rule);
  }
}

void Lowering::read_rules() {
  if (e_.player_count() != 2) refuse(*d_.players);
  if (d_.mode != nullptr) refuse(*d_.mode);
  if (e_.has_dice || e_.large_stacks || e_.boardless || e_.containers.size() > 1)
    throw Refused(e_.where->where, "hands, dice, stacks and boards that grow are not translated yet");
  std::set<int> owners;
  bool one_each = true, plain_numbers = true;
  for (std::size_t i = 0; i < e_.components.size(); ++i) {
    const Component& one = e_.components[i];
    if (one.is_large || one.where->is_clause("tile")) refuse(*one.where);
    one_each = owners.insert(one.owner).second && one_each;
    plain_numbers = plain_numbers && one.owner == static_cast<int>(i) + 1;
  }
  // Such a game stores one number for piece and owner, which changes what (who …) gives.
  if (one_each && !plain_numbers && e_.use == SiteType::cell && mentions("who"))
    throw Refused(e_.where->where, "the owners of these pieces are not translated yet",
                  "each player has one kind of piece, and their order differs");
  static constexpr std::array<std::string_view, 12> kStacks = {
      "Stack", "stack", "level", "topLevel", "Hidden", "state", "State", "value", "rotation", "Passed", "Count", "top"};
  for (const Node& item : d_.rules->items) {
    for (const std::string_view word : kStacks) {
      if (has_word(item, word)) throw Refused(item.where, fmt::format("`{}` is not translated yet", word));
    }
  }
  // (no Moves P1) reads a flag that stays until the player has another turn.
  for (const int player : {1, 2}) {
    if (!asks_for_moves(*d_.rules, fmt::format("P{}", player))) continue;
    if (asks_for_moves(*d_.rules, "Next"))
      throw Refused(d_.rules->where, "`(no Moves Next)` with `(no Moves P1)` is not translated yet");
    stuck_[static_cast<std::size_t>(player)] = variable(fmt::format("stuck_{}", player), {0, 1}, 0);
  }
  Arguments arguments(*d_.rules);
  if (const Node* const start = arguments.take_clause("start")) place(*start);
  play_ = arguments.take_clause("play");
  end_ = arguments.take_clause("end");
  arguments.finish();
  if (play_ == nullptr || play_->items.size() != 1) throw Refused(d_.rules->where, "the rules have no (play …)");
  play_ = &play_->items.front();
  uses_prev_ = mentions("Prev") || mentions("prev");
  uses_next_ = mentions("moveAgain");
  uses_last_ = mentions("last") || mentions("Line");
  board_ = [&] {
    std::vector<ir::ValueId> values;
    std::vector<SymbolId> keys;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      keys.push_back(DefinedOnce::number(places_[i]));
      values.push_back(number_value(start_[i]));
    }
    const ir::TypeId arrow = g_.types.arrow(type_of(places_), type_of(pieces_));
    return g_.variable_ref(g_.define_variable(fresh_name("board"), arrow, map(keys, values)));
  }();
  last_from_ = value_of(variable("last_from", places_, last_placed_), places_);
  last_to_ = value_of(variable("last_to", places_, last_placed_), places_);
  if (uses_next_) next_ = value_of(variable("next", {1, 2}, 1), {1, 2});
  if (uses_prev_) prev_ = value_of(variable("prev", {0, 1, 2}, 0), {0, 1, 2});
  // In a game without a start, missing plies count as passes.
  passes_ = value_of(variable("passes", {0, 1}, has_start_ ? 0 : 1), {0, 1});
}

void Lowering::run() {
  read_rules();
  for (const int player : {1, 2}) begin_[static_cast<std::size_t>(player)] = node();
  for (const int player : {1, 2}) {
    lower_player(player);
  }
  jump(g_.begin(), begin_[1]);
  auto words = std::make_shared<ir::Words>();
  const auto& sites = e_.topology->sites(e_.use);
  for (std::size_t i = 0; i < sites.size(); ++i)
    words->places[DefinedOnce::number(static_cast<int>(i))] = {sites[i].at.x, -sites[i].at.y};
  words->shape = ir::CellShape::point;
  words->asides.insert(asides_.begin(), asides_.end());
  g_.words = std::move(words);
}

void Lowering::lower_player(int player) {
  where_ = play_->where;
  NodeId at = begin_[static_cast<std::size_t>(player)];
  if (uses_next_) at = assign(at, next_.expr, number(3 - player));
  at = assign(at, mover(), g_.symbol(player_symbols_[static_cast<std::size_t>(player - 1)]));
  Env env;
  env.mover = player;
  const NodeId after = node();
  moves(*play_, at, env, [&](NodeId made, const Env&) { jump(made, after); });
  tell_outcomes_apart();
  where_ = play_->where;
  // Without a move the player must pass.
  const NodeId stuck = node();
  ask_exists(at, NodeId(), stuck, [&](NodeId start, NodeId found) {
    Env silent = env;
    silent.silent = true;
    moves(*play_, start, silent, [&](NodeId made, const Env&) { jump(made, found); });
  });
  where_ = play_->where;
  NodeId passed = node();
  edge(stuck, passed, ir::Tag{g_.symbols.intern("pass")});
  passed = assign(passed, mover(), g_.symbol(g_.keeper()));
  if (uses_last_) {
    passed = assign(passed, last_from_.expr, number(kOff));
    passed = assign(passed, last_to_.expr, number(kOff));
  }
  Env behind;
  behind.mover = player;
  behind.after_move = true;
  finish_ply(after, behind);
  behind.forced_pass = true;
  finish_ply(passed, behind);
}

void Lowering::finish_ply(NodeId at, const Env& env) {
  if (end_ != nullptr) {
    std::vector<const Node*> rules;
    for (const Node& item : end_->items) {
      if (!item.is_array()) {
        rules.push_back(&item);
        continue;
      }
      for (const Node& rule : item.items) rules.push_back(&rule);
    }
    for (const Node* rule : rules) {
      const NodeId next = node();
      end_rule(*rule, at, next, env);
      at = next;
    }
  }
  where_ = d_.rules->where;
  const auto player = static_cast<std::size_t>(env.mover);
  // A flag for (no Moves P1) that an end rule of the other player reads.
  const ExprId stuck = stuck_[player];
  if (env.forced_pass) {
    NodeId single = at;
    if (uses_prev_) {
      // A pass that continues a turn is no turn of its own.
      single = check(at, prev_.expr, number(env.mover), false);
      NodeId rest = check(at, prev_.expr, number(env.mover));
      rest = assign(rest, passes_.expr, number(0));
      const NodeId joined = node();
      jump(rest, joined);
      const NodeId first = check(single, passes_.expr, number(0));
      edge(single, drawn(), ir::Compare{passes_.expr, number(1), false});
      jump(assign(first, passes_.expr, number(1)), joined);
      at = joined;
    } else {
      const NodeId first = check(single, passes_.expr, number(0));
      edge(single, drawn(), ir::Compare{passes_.expr, number(1), false});
      at = assign(first, passes_.expr, number(1));
    }
  } else {
    at = assign(at, passes_.expr, number(0));
  }
  if (stuck.valid()) at = assign(at, stuck, number(env.forced_pass ? 1 : 0));
  if (uses_prev_) at = assign(at, prev_.expr, number(env.mover));
  if (!uses_next_) return jump(at, begin_[static_cast<std::size_t>(3 - env.mover)]);
  for (const int p : {1, 2}) edge(at, begin_[static_cast<std::size_t>(p)], ir::Compare{next_.expr, number(p), false});
}

void Lowering::end_rule(const Node& rule, NodeId at, NodeId next, const Env& env) {
  where_ = rule.where;
  if (!rule.is_clause("if")) refuse(rule);
  Arguments arguments(rule);
  const Node& test = arguments.need("a condition");
  const Node& outcome = arguments.need("a result");
  arguments.finish();
  if (!outcome.is_clause("result")) refuse(outcome);
  const NodeId holds = node();
  ask(test, at, holds, next, env);
  where_ = outcome.where;
  result(outcome, holds, env);
}

NodeId Lowering::result(const Node& clause, NodeId at, const Env& env) {
  Arguments arguments(clause);
  const Node& who = arguments.need("a player");
  const Node& what_ = arguments.need("Win, Loss or Draw");
  arguments.finish();
  if (what_.is_word("Draw")) {
    jump(at, drawn());
    return at;
  }
  const bool win = what_.is_word("Win");
  if (!win && !what_.is_word("Loss")) refuse(what_);
  const auto decide = [&](int player, NodeId here) { jump(here, won(win ? player : 3 - player)); };
  if (who.is_word("Next") && uses_next_) {
    for (const int player : {1, 2}) decide(player, check(at, next_.expr, number(player)));
    return at;
  }
  const auto player = statics_.role(who.text, known(env));
  if (!player || *player < 1 || *player > 2) refuse(who);
  decide(*player, at);
  return at;
}

NodeId Lowering::won(int player) {
  NodeId& target = won_[static_cast<std::size_t>(player)];
  if (target.valid()) return target;
  target = node();
  NodeId at = target;
  for (const int p : {1, 2}) {
    const ExprId goal = g_.access(goals(), g_.symbol(player_symbols_[static_cast<std::size_t>(p - 1)]));
    at = assign(at, goal, number(p == player ? 100 : 0));
  }
  edge(at, g_.end(), ir::Assign{mover(), g_.symbol(g_.keeper())});
  return target;
}

NodeId Lowering::drawn() {
  if (!drawn_.valid()) {
    drawn_ = node();
    edge(drawn_, g_.end(), ir::Assign{mover(), g_.symbol(g_.keeper())});
  }
  return drawn_;
}

void lower(const Description& description, const Equipment& equipment, ir::Game& game) {
  Lowering(description, equipment, game).run();
}

}  // namespace rgtrans::ludii
