// Dice: a chance move throws them before the player moves.
//
// Ludii throws them while it lists the moves of a player, as a part of each of these moves. The translation asks the
// conditions of a throw before the move, and omits `(roll)` where it lists the moves.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::NodeId;

namespace {

// Whether the dice, or moves that may depend on them, decide about the condition.
bool depends_on_throw(const Node& node) {
  return find_clause("count Pips, face, pips, all DiceUsed|DiceEqual, is AnyDie", node) != nullptr ||
         find_clause(kAsksForMoves, node) != nullptr;
}

}  // namespace

const std::vector<int>& Lowering::faces_of(int site) const { return e_.component(start_.at(site).component).faces; }

void Lowering::read_dice() {
  int component = 0;
  for (const Container& one : e_.containers) {
    if (one.kind != Container::Kind::dice) continue;
    if (!dice_.empty() || one.owner != e_.shared())
      throw Refused(e_.where->where, "dice that belong to players are not translated yet");
    for (int i = 0; i < one.size; ++i) {
      while (!e_.components[nth(component)].is_die) ++component;
      put(one.first + i, ++component, 1, 0, 0, *e_.where);
      dice_.push_back(one.first + i);
      if (faces_of(dice_.back()).empty()) throw Refused(e_.where->where, "`biased:` is not translated yet");
    }
  }
  std::set<int> sums = {0};
  for (const int die : dice_) {
    std::set<int> next = sums;
    for (const int face : faces_of(die)) {
      for (const int sum : sums) next.insert(sum + face);
      domain("die", {face});
    }
    sums = std::move(next);
  }
  die_values_ = found_map("die", dice_, [](int) { return 0; });
  const std::vector<int> list(sums.begin(), sums.end());
  pips_ = number_variable("pips", list, 0);
  if (mentions("DiceEqual")) all_equal_ = number_variable("all_equal", {0, 1}, 0);
}

// The number on the upper face.
Value Lowering::face_on(const Value& die) {
  return table(die, value_of(g_.access(states_, die.expr), domain("state")), [this](int site, int state) {
    if (!std::ranges::binary_search(dice_, site)) return kOff;
    const auto& faces = faces_of(site);
    return state < static_cast<int>(faces.size()) ? faces[nth(state)] : kOff;
  });
}

NodeId Lowering::throw_dice(int player, NodeId at, const Env& env) {
  if (!mentions_clause("roll")) return at;
  if (dice_.empty()) throw Refused(d_.rules->where, "there are no dice to roll");
  const NodeId joined = node();
  play_of_phase(player, at, [&](const Node& play, NodeId here) { jump(throw_for(play, here, env, true), joined); });
  return joined;
}

// Throws the dice where the list of moves does so. `asked_again`: its conditions are asked behind the throw, too.
NodeId Lowering::throw_for(const Node& play, NodeId at, const Env& env, bool asked_again) {
  if (!play.contains("roll")) return at;
  if (play.is_clause("roll")) return throw_all(at);
  if (play.is_clause("if")) {
    const Call call(play, "if", "bool moves/yes [moves/no] [then]");
    const Node& condition = call.need("bool");
    if (condition.contains("roll") || (asked_again && depends_on_throw(condition))) refuse(condition);
    const NodeId yes = node(), no = node(), joined = node();
    ask(condition, at, yes, no, env);
    jump(throw_for(call.need("yes"), yes, env, asked_again), joined);
    jump(call["no"] == nullptr ? no : throw_for(*call["no"], no, env, asked_again), joined);
    return joined;
  }
  const Call call(play, "do", "moves [next:moves] [ifAfterwards:bool] [then]");
  if (call["next"] == nullptr || call["next"]->contains("roll")) refuse(play);
  return throw_for(call.need("moves"), at, env, false);
}

NodeId Lowering::throw_all(NodeId at) {
  at = assign(at, mover(), g_.symbol(g_.random()));
  Value sum_ = constant(0), first = constant(0);
  for (const int die : dice_) {
    const std::vector<int> indices = ascending(0, static_cast<int>(faces_of(die).size()) - 1);
    const Value face = guess(variable(fmt::format("face_{}", die), indices, 0), indices, at);
    // Equal numbers on two faces are two outcomes.
    at = tag(at, face);
    at = assign(at, g_.access(states_, number(die)), face.expr);
    const Value value = table(face, [&](int i) { return faces_of(die)[nth(i)]; });
    at = assign(at, g_.access(die_values_, number(die)), value.expr);
    const Value next = sum(sum_, value);
    at = assign(at, pips_.expr, next.expr);
    sum_ = value_of(pips_.expr, next.domain);
    if (!all_equal_.expr.valid()) continue;
    if (die == dice_.front()) {
      first = value;
      at = assign(at, all_equal_.expr, number(1));
    } else {
      const NodeId same = node(), other = node();
      ask_equal(at, same, other, first, value);
      jump(assign(other, all_equal_.expr, number(0)), same);
      at = same;
    }
  }
  return at;
}

// Dice are pieces in a place of their own.
void Lowering::refuse_dice(const Owned& owned, const Node& clause) const {
  for (const int die : dice_) {
    for (const int p : owned.player ? owned.player->domain : std::vector<int>{0}) {
      if (owned.fits(start_.at(die).component, p)) refuse(clause);
    }
  }
}

Value Lowering::number_pips(const Call& call, NodeId&, const Env&) {
  if (dice_.empty()) refuse(call.clause());
  return pips_;
}

Value Lowering::number_face(const Call& call, NodeId& at, const Env& env) {
  const Value die = integer(call.need("int"), env, at);
  if (std::ranges::any_of(die.domain, [this](int s) { return !std::ranges::binary_search(dice_, s); }))
    refuse(call.clause());
  return face_on(die);
}

void Lowering::ask_dice(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  if (dice_.empty()) refuse(call.clause());
  if (call.word() == "DiceEqual") return ask_equal(from, yes, no, all_equal_, 1);
  const bool all = call.word() == "DiceUsed";
  const Value wanted = all ? constant(0) : integer(call.need("int"), env, from);
  for (const int die : dice_) {
    const NodeId next = die == dice_.back() ? (all ? yes : no) : node();
    const Value value = value_of(g_.access(die_values_, number(die)), domain("die"));
    ask_equal(from, all ? next : yes, all ? no : next, value, wanted);
    from = next;
  }
}

// The moves with each die.
void Lowering::for_each_die(const Call& call, NodeId from, const Env& env, const Body& behind) {
  if (dice_.empty()) refuse(call.clause());
  with_then(call["then"], env, behind, [&](const Env& outer, const Body& body) {
    const Deeper deeper(depth_);
    NodeId at = from;
    const Value die = guess(variable(fmt::format("die{}", depth_), dice_, dice_.front()), dice_, at);
    Env inner = outer.with(Slot::pips, value_of(g_.access(die_values_, die.expr), domain("die")));
    inner.dice.push_back(die);
    inner.choices.push_back(die);
    if (call["if"] != nullptr) at = holds(*call["if"], at, inner);
    moves(call.need("moves"), at, inner, body);
  });
}

}  // namespace rgtrans::ludii
