// Conditions.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

std::span<const Ludeme<Lowering::Condition>> Lowering::conditions() {
  static const auto kRows = std::to_array<Ludeme<Condition>>({
      {"not", "bool", &Lowering::is_not},
      {"and|or", "list", &Lowering::is_and},
      {"xor", "bool bool/second", &Lowering::is_xor},
      {"if", "bool bool/yes [bool/no]", &Lowering::is_if},
      {"=|!=|<|>|<=|>=", "any any/right", &Lowering::is_compared},
      {"is Empty|Occupied", "[type] int", &Lowering::is_empty},
      {"is Enemy|Friend", "int", &Lowering::is_enemy},
      {"is In", "any [any/second]", &Lowering::is_in},
      {"is Mover|Next|Prev", "int", &Lowering::is_turn},
      {"is Even|Odd", "int", &Lowering::is_even},
      {"is Line",
       "[type] int [dirs] [through:int] [throughAny:region] [role] [what:int] [whats:array] [exact:flag] [if:bool] "
       "[contiguous:flag] [top:flag] "
       "[useOpposites:flag]",
       &Lowering::is_line},
      {"is Pattern", "array [type] [from:int] [what:int]", &Lowering::is_pattern},
      {"is Connected", "[literal] [type] [at:int] [dirs] any", &Lowering::is_connected},
      {"is Threatened", "[int] [type] [at:int] [in:region] [moves]", &Lowering::is_threatened},
      {"is Pending", "", &Lowering::is_pending},
      {"is Full", "", &Lowering::is_full},
      {"is Visited", "int", &Lowering::is_visited},
      {"is Within", "int [type] [at:int] [in:region]", &Lowering::is_within},
      {"is Triggered", "str int", &Lowering::is_triggered},
      {"is Active", "int", &Lowering::is_active},
      {"is Related", "dirs [type] int any", &Lowering::is_related},
      {"no Moves", "role", &Lowering::no_moves},
      {"no Pieces", "[type] [role] [of:int] [str] [in:region]", &Lowering::no_pieces},
      {"all Sites", "region if:bool", &Lowering::all_sites},
      {"all Different", "region if:bool", &Lowering::all_different},
      {"all Passed", "", &Lowering::all_passed},
      {"can Move", "moves", &Lowering::can_move},
      {"was Pass", "", &Lowering::was_pass},
      {"all DiceUsed|DiceEqual", "", &Lowering::ask_dice},
      {"is AnyDie", "int", &Lowering::ask_dice},
  });
  return kRows;
}

void Lowering::ask_test(const Value& value, NodeId from, NodeId yes, NodeId no, const std::function<bool(int)>& test) {
  const Value result = table(value, [&](int v) { return test(v) ? 1 : 0; });
  if (result.constant) return jump(from, *result.constant == 1 ? yes : no);
  ask_equal(from, yes, no, result, 1);
}

void Lowering::ask_parts(const Parts& parts, bool every, NodeId from, NodeId yes, NodeId no, const Env& env) {
  if (parts.empty()) return jump(from, every ? yes : no);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const NodeId next = node();
    ask(*parts[i], from, every ? next : yes, every ? no : next, env);
    from = next;
  }
  ask(*parts.back(), from, yes, no, env);
}

void Lowering::ask_exists(NodeId from, NodeId yes, NodeId no, const std::function<void(NodeId, NodeId)>& build) {
  const NodeId start = node(), found = node();
  build(start, found);
  if (yes.valid()) edge(from, yes, ir::Reachability{start, found, false});
  if (no.valid()) edge(from, no, ir::Reachability{start, found, true});
}

void Lowering::ask_some(const Node& area, NodeId from, NodeId yes, NodeId no, const Env& env, const AskSite& ask_one) {
  ask_exists(from, yes, no, [&](NodeId start, NodeId found) {
    const Deeper deeper(depth_);
    const Value site = choose(area, fmt::format("each{}", depth_), start, env);
    ask_one(site, start, found);
  });
}

void Lowering::ask_some(const std::vector<int>& sites, NodeId from, NodeId yes, NodeId no, const AskSite& ask_one) {
  ask_exists(from, yes, no, [&](NodeId start, NodeId found) {
    const Deeper deeper(depth_);
    const Value site = guess(variable(fmt::format("each{}", depth_), places_, kOff), sites, start);
    ask_one(site, start, found);
  });
}

void Lowering::ask(const Node& condition, NodeId from, NodeId yes, NodeId no, const Env& env) {
  const Range before = where_;
  const Kept kept(temporaries_);
  where_ = condition.where;
  guarded([&] {
    if (const auto value = statics_.condition(condition, known(env))) return jump(from, *value ? yes : no);
    const auto row = find_ludeme(conditions(), condition);
    if (!row) refuse(condition);
    (this->*row->lower)(Call(condition, row->names, row->signature), from, yes, no, env);
  });
  where_ = before;
}

void Lowering::is_not(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  ask(call.need("bool"), from, no, yes, env);
}

void Lowering::is_and(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  ask_parts(call.list(), call.clause().text == "and", from, yes, no, env);
}

void Lowering::is_xor(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  const NodeId first = node(), second = node();
  ask(call.need("bool"), from, first, second, env);
  ask(call.need("second"), first, no, yes, env);
  ask(call.need("second"), second, yes, no, env);
}

void Lowering::is_if(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  const NodeId holds_ = node(), fails = call["no"] == nullptr ? no : node();
  ask(call.need("bool"), from, holds_, fails, env);
  ask(call.need("yes"), holds_, yes, no, env);
  if (call["no"] != nullptr) ask(*call["no"], fails, yes, no, env);
}

void Lowering::is_compared(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  const Node &left = call.need("any"), &right = call.need("right");
  const std::string& name = call.clause().text;
  if (name == "!=") std::swap(yes, no);
  if (is_region(left) && is_region(right)) {
    if (name != "=" && name != "!=") refuse(call.clause());
    // They differ if some site is in one of them only.
    return ask_some(all_sites_, from, no, yes, [&](const Value& site, NodeId at, NodeId found) {
      const NodeId in = node(), out = node();
      ask_member(left, site, at, in, out, env);
      ask_member(right, site, in, NodeId(), found, env);
      ask_member(right, site, out, found, NodeId(), env);
    });
  }
  const Value a = integer(left, env, from), b = integer(right, env, from);
  if (name == "=" || name == "!=") return ask_equal(from, yes, no, a, b);
  const bool or_equal = name.size() > 1;
  ask_order(a, b, from, name.starts_with('<') ? yes : no, or_equal ? yes : no, name.starts_with('>') ? yes : no);
}

void Lowering::is_empty(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  type_in(call);
  const Value site = integer(call.need("int"), env, from);
  // A site that does not exist is neither empty nor occupied.
  const NodeId there = after_test(site, from, no, [this](int s) { return e_.is_site(s); });
  if (call.word() == "Occupied") std::swap(yes, no);
  ask_equal(there, yes, no, what(site), 0);
}

// Pieces that all share are enemies, and so is nobody as -1.
void Lowering::is_enemy(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  const Value who = integer(call.need("int"), env, from);
  const bool enemy = call.word() == "Enemy";
  ask_test(who, from, yes, no, [&](int p) { return enemy ? p != 0 && p != env.mover : p == env.mover; });
}

void Lowering::is_in(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  const Node& first = call.need("any");
  const Node* const second = call["second"];
  if (second == nullptr) return ask_member(first, slot_value(Slot::to, env), from, yes, no, env);
  if (first.is_array()) {
    for (std::size_t i = 0; i < first.items.size(); ++i) {
      const NodeId next = i + 1 == first.items.size() ? yes : node();
      const Value site = integer(first.item(i), env, from);
      ask_member(*second, site, from, next, no, env);
      from = next;
    }
    return;
  }
  if (is_region(first)) refuse(first);
  const Value site = integer(first, env, from);
  ask_member(*second, site, from, yes, no, env);
}

void Lowering::is_turn(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  const Value one = integer(call.need("int"), env, from);
  const Slot slot = call.word() == "Mover" ? Slot::mover : call.word() == "Next" ? Slot::next : Slot::prev;
  ask_equal(from, yes, no, slot_value(slot, env), one);
}

void Lowering::is_even(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  const bool even = call.word() == "Even";
  ask_test(integer(call.need("int"), env, from), from, yes, no, [&](int v) { return ((v & 1) == 0) == even; });
}

void Lowering::is_pending(const Call&, NodeId from, NodeId yes, NodeId no, const Env& env) {
  if (!pending_.valid()) return jump(from, no);
  ask_some(places_, from, yes, no,
           [&](const Value& site, NodeId at, NodeId found) { ask_pending(site, at, found, NodeId(), env); });
}

void Lowering::is_full(const Call&, NodeId from, NodeId yes, NodeId no, const Env&) {
  ask_some(statics_.all_sites(e_.use), from, no, yes,
           [&](const Value& site, NodeId at, NodeId found) { ask_equal(at, found, NodeId(), what(site), 0); });
}

void Lowering::is_visited(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  const Value site = integer(call.need("int"), env, from);
  ask_equal(from, yes, no, marked(visited_, site), 1);
}

void Lowering::is_within(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  type_in(call);
  const Value component = integer(call.need("int"), env, from);
  const auto is_piece = [](int c) { return c > 0; };
  if (call["in"] == nullptr) {
    const Value site = integer_or(call["at"], last_to_, env, from);
    const NodeId there = after_test(component, from, no, is_piece);
    return ask_equal(there, yes, no, what(site), component);
  }
  ask_some(*call["in"], from, yes, no, env, [&](const Value& site, NodeId at, NodeId found) {
    const NodeId there = after_test(component, at, NodeId(), is_piece);
    ask_equal(there, found, NodeId(), what(site), component);
  });
}

void Lowering::is_triggered(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  const Value who = integer(call.need("int"), env, from);
  const NodeId there = after_test(who, from, no, [this](int p) { return is_player(p); });
  ask_equal(there, yes, no, marked(triggered_, who), 1);
}

void Lowering::is_active(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  const Value who = integer(call.need("int"), env, from);
  const NodeId there = after_test(who, from, no, [this](int p) { return is_player(p); });
  if (!active_.valid()) return jump(there, yes);
  ask_active(there, yes, no, who.expr);
}

void Lowering::is_related(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  type_in(call);
  const auto neighbours = neighbours_of(&call.need("dirs"), env);
  const Value site = integer(call.need("int"), env, from);
  const auto near = [&](const Value& other, NodeId at, NodeId in, NodeId out) {
    limit_size(call.clause(), other.domain.size() * site.domain.size());
    ask_equal(at, in, out,
              table(site, other,
                    [&](int a, int b) {
                      if (!e_.is_board_site(a)) return 0;
                      const auto& list = neighbours[nth(a)];
                      return std::ranges::find(list, b) != list.end() ? 1 : 0;
                    }),
              1);
  };
  const Node& to = call.need("any");
  if (!is_region(to)) {
    const Value other = integer(to, env, from);
    return near(other, from, yes, no);
  }
  ask_some(to, from, yes, no, env,
           [&](const Value& other, NodeId at, NodeId found) { near(other, at, found, NodeId()); });
}

void Lowering::no_moves(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  // The search would throw the dice again.
  if (mentions_clause("roll")) refuse(call.clause());
  const Node& who = call.need("role");
  if (who.is_word("Next")) {
    // Ludii does not search within such a search.
    if (env.within.stalemate || (env.silent && !env.after_move)) return jump(from, no);
    if (!env.after_move) refuse(call.clause());
    if (has_swap_) {
      // Whoever can take the other side has a move.
      const NodeId later = node();
      ask_equal(from, no, later, plies_, 0);
      from = later;
    }
    if (may_eliminate_) refuse(call.clause());
    // With moveAgain the mover is asked whether it can go on.
    const auto without = [&](int player, NodeId at) {
      const auto [start, found] = search_for_moves(player, env);
      if (no.valid()) edge(at, no, ir::Reachability{start, found, false});
      if (yes.valid()) edge(at, yes, ir::Reachability{start, found, true});
    };
    const Value next = slot_value(Slot::next, env);
    if (next.constant) return without(*next.constant, from);
    for (const int player : next.domain) {
      if (player > 0) without(player, check(from, next, player));
    }
    if (next.may_be(0)) jump(check(from, next, 0), no);
    return;
  }
  const auto player = statics_.role(who.text, known(env));
  if (!player || *player < 1 || *player > n_) refuse(call.clause());
  if (*player == env.mover && env.after_move) return jump(from, env.forced_pass ? yes : no);
  const ExprId stuck = stuck_[nth(*player)];
  if (!stuck.valid()) refuse(call.clause());
  ask_equal(from, yes, no, value_of(stuck, {0, 1}), 1);
}

// Whether a player could move, with the rules of its phase. Shared by all who ask for the same.
std::pair<NodeId, NodeId> Lowering::search_for_moves(int player, const Env& env) {
  const auto [it, is_new] = searches_.try_emplace(fmt::format("moves {} {} {}", player, env.mover, env.within.key()));
  if (!is_new) return it->second;
  const std::pair<NodeId, NodeId> ends{node(), node()};
  it->second = ends;
  Env inner;
  inner.mover = player;
  inner.silent = inner.counted = true;
  inner.prev = constant(env.mover);
  inner.within = env.within;
  inner.within.stalemate = true;
  play_of_phase(player, ends.first, [&](const Node& play, NodeId at) {
    moves(play, at, inner, [&](NodeId end, const Made&) { jump(end, ends.second); });
  });
  return ends;
}

// The pieces of a player, or those of a name.
Lowering::Owned Lowering::counted_pieces(const Call& call, const Env& env, NodeId& at) {
  type_in(call);
  Owned wanted = owned_by(call["role"] != nullptr ? call["role"] : call["of"], env, at);
  if (const Node* const name = call["str"]) {
    wanted.fits = [this, f = wanted.fits, text = name->text](int c, int p) {
      return f(c, p) && e_.component(c).name.find(text) != std::string::npos;
    };
  }
  if (call["in"] == nullptr) refuse_dice(wanted, call.clause());
  return wanted;
}

void Lowering::no_pieces(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  const Owned wanted = counted_pieces(call, env, from);
  const auto on_site = [&](const Value& site, NodeId at, NodeId found) {
    if (!has_stacks_) return ask_owned(wanted, what(site), at, found, NodeId());
    const Value level = choose_level(at, fmt::format("each{}_level", depth_));
    ask_owned(wanted, on_level("piece", site, level), at, found, NodeId());
  };
  if (call["in"] != nullptr) return ask_some(*call["in"], from, no, yes, env, on_site);
  ask_some(all_sites_, from, no, yes, on_site);
}

void Lowering::all_sites(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  ask_some(call.need("region"), from, no, yes, env, [&](const Value& site, NodeId at, NodeId found) {
    ask(call.need("if"), at, NodeId(), found, env.with(Slot::site, site));
  });
}

// The condition holds on all sites, and no piece stands on two of them.
void Lowering::all_different(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  const NodeId held = node();
  all_sites(call, from, held, no, env);
  ask_some(call.need("region"), held, no, yes, env, [&](const Value& one, NodeId at, NodeId found) {
    const Deeper again(depth_);
    const Value other = choose(call.need("region"), fmt::format("each{}", depth_), at, env);
    const NodeId apart = node();
    ask_equal(at, NodeId(), apart, one, other);
    ask_equal(apart, found, NodeId(), what(one), what(other));
  });
}

void Lowering::all_passed(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  // In consequences, the pass that is being made is not counted yet.
  if (!env.after_move || env.consequence) refuse(call.clause());
  if (!env.passed) return jump(from, no);
  ask_test(passes_, from, yes, no, [this](int k) { return k + 1 >= n_; });
}

void Lowering::was_pass(const Call&, NodeId from, NodeId yes, NodeId no, const Env& env) {
  if (env.consequence) return ask_equal(from, yes, no, value_of(made_pass_, {0, 1}), 1);
  if (env.after_move) return jump(from, env.passed ? yes : no);
  ask_test(passed_before_, from, yes, no, [](int k) { return k == 1; });
}

void Lowering::can_move(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  if (visited_.valid()) {
    // The sites of the last move count as visited.
    return ask_exists(from, yes, no, [&](NodeId start, NodeId found) {
      NodeId at = assign(start, g_.access(visited_, last_from_.expr), number(1));
      at = assign(at, g_.access(visited_, last_to_.expr), number(1));
      ask_can_move(call.need("moves"), at, found, NodeId(), env);
    });
  }
  ask_can_move(call.need("moves"), from, yes, no, env);
}

void Lowering::ask_can_move(const Node& list, NodeId from, NodeId yes, NodeId no, const Env& env) {
  ask_exists(from, yes, no, [&](NodeId start, NodeId found) {
    Env inner = env.searching();
    inner.chain = false;
    moves(list, start, inner, [&](NodeId at, const Made&) { jump(at, found); });
  });
}

// Whether a move of an enemy could end on the site, if the piece were there.
void Lowering::is_threatened(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  if (env.within.threat) return jump(from, no);
  type_in(call);
  if (call["int"] == nullptr || n_ != 2) refuse(call.clause());
  const Value component = integer(call.need("int"), env, from);
  const bool supposed = (call["at"] != nullptr || call["in"] != nullptr) && mentions_clause("sites", "Empty");
  const auto with_component = [&](int c, NodeId at, NodeId in, NodeId out) {
    if (c < 1) return jump(at, out);
    const int owner = owner_of(c);
    if (owner < 1 || owner > n_) refuse(call.clause());
    const auto on_site = [&](const Value& site, NodeId here, NodeId hit, NodeId safe) {
      const Value target = threatened();
      const NodeId there = after_test(site, here, safe, [this](int s) { return e_.is_site(s); });
      const NodeId named = assign(there, target.expr, site.expr);
      Env there_alone = env;
      there_alone.within.supposed = supposed;
      const auto [start, found] = search_for_threat(c, others(owner), call["moves"], target, there_alone);
      if (hit.valid()) edge(named, hit, ir::Reachability{start, found, false});
      if (safe.valid()) edge(named, safe, ir::Reachability{start, found, true});
    };
    if (call["in"] != nullptr)
      return ask_some(*call["in"], at, in, out, env,
                      [&](const Value& site, NodeId start, NodeId found) { on_site(site, start, found, NodeId()); });
    const Value site = call["at"] != nullptr ? integer(*call["at"], env, at) : first_with(constant(c), {}, at);
    on_site(site, at, in, out);
  };
  if (component.constant) return with_component(*component.constant, from, yes, no);
  for (const int c : component.domain) with_component(c, check(from, component, c), yes, no);
}

std::pair<NodeId, NodeId> Lowering::search_for_threat(int component, int enemy, const Node* list, const Value& target,
                                                      const Env& env) {
  const Value next = slot_value(Slot::next, env);
  const auto [it, is_new] = searches_.try_emplace(fmt::format("threat {} {} {} {} {} {} {}", component, enemy,
                                                              env.mover, env.after_move ? 1 : 0, env.counted ? 1 : 0,
                                                              env.within.key(), next.expr.value));
  if (!is_new && list == nullptr) return it->second;
  const std::pair<NodeId, NodeId> ends{node(), node()};
  Env inner;
  if (list == nullptr) {
    it->second = ends;
  } else {
    inner = env;
    if (is_new) searches_.erase(it);
  }
  inner.counted = env.counted;
  inner.mover = enemy;
  inner.component = 0;
  inner.silent = true;
  inner.checked = inner.chain = inner.after_move = false;
  inner.within = env.within;
  inner.within.threat = true;
  inner.prev = constant(owner_of(component));
  // The next player is not changed while an enemy is asked for its moves.
  inner.next = next;
  const NodeId kept = env.within.supposed ? assign(ends.first, stood_here().expr, piece_on(target).expr) : ends.first;
  const NodeId placed = assign(kept, g_.access(board_, target.expr), number(component));
  const auto hits = [&](NodeId end, const Made& made) { ask_equal(end, ends.second, NodeId(), made.to, target); };
  const Deeper deeper(depth_);
  if (list != nullptr) {
    moves(*list, placed, inner, hits);
  } else {
    play_of_phase(enemy, placed, [&](const Node& play, NodeId at) { moves(play, at, inner, hits); });
  }
  return ends;
}

}  // namespace rgtrans::ludii
