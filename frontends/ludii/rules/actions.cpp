// Simple actions: a piece comes, goes or changes.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ludii/rules/lowering.hpp"
#include "frontends/ludii/rules/touches.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

NodeId Lowering::if_site(NodeId at, const Value& site, const std::function<NodeId(NodeId)>& then) {
  return when(at, passes(site, [this](int s) { return e_.is_site(s); }), then);
}

// Sets the maps of a site, or those of them that are listed, to 0.
NodeId Lowering::clear_site(NodeId at, const Value& site) {
  for (const ExprId* map_ref : site_maps()) {
    if (map_ref->valid()) at = assign(at, g_.access(*map_ref, site.expr), number(0));
  }
  return at;
}

// Notes the site of the last action.
NodeId Lowering::note_site(NodeId at, const Value& site) {
  at = mark_done(at);
  return uses_after_ ? assign(at, last_after_.expr, site.expr) : at;
}

NodeId Lowering::remove_from(NodeId at, const Value& site) {
  if (has_stacks_) return note_site(take_level(at, site, top_level(site)), site);
  return note_site(clear_site(at, site), site);
}

NodeId Lowering::set_count(NodeId at, const Value& site, const Value& given) {
  // The sum of all counts is at most that of the start, or there is a limit; a table needs a value for every sum.
  const int most = domain("count").back();
  const Value count = limited("count", given, at);
  return assign(at, g_.access(counts_, site.expr), table(count, [most](int c) { return std::clamp(c, 0, most); }).expr);
}

NodeId Lowering::place_on(NodeId at, const Value& site, const Value& component, const std::optional<Value>& count,
                          const std::optional<Value>& state) {
  if (component.domain.back() < 1) return at;
  if (has_stacks_) {
    if (count || state) throw Refused(where_, "new pieces on stacks are not translated yet");
    return note_site(push_on(at, site, {{"piece", component}}), site);
  }
  // A piece that is there stays there.
  const NodeId empty = node(), full = node(), behind = node();
  ask_equal(at, empty, full, what(site), 0);
  const Value amount = count.value_or(constant(1));
  const auto put_there = [&](NodeId here, bool is_new) {
    if (counts_.valid()) here = set_count(here, site, is_new ? amount : sum(count_on(site), amount));
    if (states_.valid() && state) here = store(here, "state", g_.access(states_, site.expr), *state);
    jump(here, behind);
  };
  put_there(assign(empty, g_.access(board_, site.expr), component.expr), true);
  put_there(full, false);
  return note_site(behind, site);
}

// A term that reads the board gets another value when the board changes.
Value Lowering::settled(const Value& value, NodeId& at) {
  const bool settled_ = value.constant || g_.expressions().kind(value.expr) == ir::ExprKind::variable;
  return settled_ ? value : temporary(value, at);
}

NodeId Lowering::relocate(NodeId at, const Value& start, const Value& target, const std::optional<Value>& count,
                          bool copy, bool keeps_state, bool may_be_gone) {
  if (start.expr == target.expr) return note_site(at, target);
  const Value from = settled(start, at), to = settled(target, at);
  if (has_stacks_) {
    if (copy) throw Refused(where_, "`copy:` with stacks is not translated yet");
    return count ? restack_block(at, from, to, *count) : restack(at, from, to, {}, keeps_state);
  }
  const NodeId end = node();
  at = apart(at, end, from, to);
  const auto carry = [&](NodeId here, ExprId map_ref) {
    if (!map_ref.valid()) return here;
    here = assign(here, g_.access(map_ref, to.expr), g_.access(map_ref, from.expr));
    return copy ? here : assign(here, g_.access(map_ref, from.expr), number(0));
  };
  if (!counts_.valid()) {
    if (may_be_gone) {
      // An effect before the move has taken the piece away.
      const NodeId there = node();
      ask_equal(at, end, there, what(from), 0);
      at = there;
    }
    at = carry(carry(carry(at, board_), states_), values_);
    jump(at, end);
    return note_site(end, to);
  }
  const Value amount = count.value_or(constant(1));
  NodeId same = node();
  const NodeId some = node(), other = node(), moved = node();
  ask_equal(at, end, some, what(from), 0);
  ask_equal(some, same, other, what(from), what(to));
  const Value total = sum(count_on(to), amount);
  if (count && limits_.contains("count")) {
    // Ludii adds nothing where a site would hold more than its games can have.
    const NodeId fits = node();
    ask_test(total, same, fits, moved, [this](int c) { return c <= max_count_; });
    same = fits;
  }
  jump(set_count(same, to, total), moved);
  const auto take = [&](NodeId here, ExprId map_ref) {
    // Several pieces at once come without their state.
    if ((keeps_state || count) && map_ref != board_) return here;
    return map_ref.valid() ? assign(here, g_.access(map_ref, to.expr), g_.access(map_ref, from.expr)) : here;
  };
  if (count) {
    // Several pieces are lost on a site with another piece.
    const NodeId empty = node();
    ask_equal(other, empty, moved, what(to), 0);
    jump(set_count(take(take(take(empty, board_), states_), values_), to, amount), moved);
  } else {
    jump(set_count(take(take(take(other, board_), states_), values_), to, amount), moved);
  }
  if (copy) {
    jump(moved, end);
    return note_site(end, to);
  }
  const Value left = table(count_on(from), amount, [](int c, int k) { return std::max(0, c - k); });
  const NodeId none = node(), more = node();
  ask_equal(moved, none, more, left, 0);
  edge(more, end, ir::Assign{g_.access(counts_, from.expr), left.expr});
  jump(clear_site(none, from), end);
  return note_site(end, to);
}

// The piece of the second site comes to the first one without its state, and stays there if nothing takes its place.
NodeId Lowering::exchange(NodeId at, const Value& a, const Value& b) {
  const NodeId empty = node(), piece = node(), end = node();
  ask_equal(at, empty, piece, what(a), 0);
  NodeId copied = assign(empty, g_.access(board_, a.expr), g_.access(board_, b.expr));
  if (counts_.valid()) copied = set_count(copied, a, table(what(b), [](int c) { return c > 0 ? 1 : 0; }));
  jump(copied, end);
  at = piece;
  const Value second = temporary(what(b), at, pieces_);
  at = assign(at, g_.access(board_, b.expr), g_.access(board_, a.expr));
  at = assign(at, g_.access(board_, a.expr), second.expr);
  if (states_.valid()) {
    at = assign(at, g_.access(states_, b.expr), g_.access(states_, a.expr));
    at = assign(at, g_.access(states_, a.expr), number(0));
  }
  if (counts_.valid()) {
    at = set_count(at, b, constant(1));
    at = set_count(at, a, table(second, [](int c) { return c > 0 ? 1 : 0; }));
  }
  jump(at, end);
  return note_site(end, a);
}

Lowering::Commit Lowering::do_nothing(const Call&, NodeId&, const Env&, bool) {
  return [](NodeId at) { return at; };
}

Lowering::Commit Lowering::do_move_again(const Call&, NodeId&, const Env& env, bool) {
  return [this, mover = env.mover](NodeId at) { return assign(set_next_(at), next_.expr, number(mover)); };
}

Lowering::Commit Lowering::do_next_player(const Call& call, NodeId& at, const Env& env, bool held) {
  const Value who = hold(player(call.need("player"), env, at), at, held);
  return [this, who](NodeId here) { return if_player(set_next_(here), who, ir::Assign{next_.expr, who.expr}); };
}

// Pieces that wait for the end of the turn stay when a move names the next player.
NodeId Lowering::set_next_(NodeId at) { return to_clear_.valid() ? assign(at, named_next_, number(1)) : at; }

Lowering::Commit Lowering::do_remove(const Call& call, NodeId& at, const Env& env, bool held) {
  type_in(call);
  const Node* const moment = call["at"];
  std::optional<Value> level = level_in(call["level"], at, env);
  if (level) level = hold(*level, at, held);
  const Value amount = call["count"] == nullptr ? constant(1) : hold(integer(*call["count"], env, at), at, true);
  const bool at_end = moment != nullptr;
  if (at_end && !moment->is_word("EndOfTurn")) refuse(*moment);
  const Node& where = call.need("site");
  // A stack loses as many pieces.
  constexpr int kMostTimes = 64;
  const int times = has_stacks_ ? std::min(amount.domain.back(), highest_) : 1;
  if (times > kMostTimes || (times > 1 && level)) refuse(call.clause());
  const auto one = [this, at_end, amount, level, times](NodeId here, const Value& site) {
    const NodeId some = node(), piece = node(), behind = node();
    ask_test(amount, here, some, behind, [](int k) { return k > 0; });
    ask_equal(some, behind, piece, what(site), 0);
    NodeId done = piece;
    if (at_end) {
      done = note_site(mark(piece, to_clear_, site), site);
    } else {
      if (level) ask_equal(piece, behind, done = node(), on_level("piece", site, *level), 0);
      done = level ? note_site(take_level(done, site, *level), site) : remove_from(piece, site);
      for (int i = 1; i < times; ++i) {
        const NodeId enough = node(), more = node();
        ask_test(amount, done, enough, behind, [i](int k) { return k > i; });
        ask_equal(enough, behind, more, what(site), 0);
        done = remove_from(more, site);
      }
    }
    jump(done, behind);
    return behind;
  };
  if (!is_region(where)) {
    Value site = as_place(integer(where, env, at));
    if (held) {
      // A site that is empty now keeps what comes there before the effect acts.
      site = temporary(site, at, places_);
      const NodeId there = node(), behind = node(), empty = node();
      ask_test(site, at, there, behind, [this](int s) { return e_.is_site(s); });
      ask_equal(there, empty, behind, what(site), 0);
      edge(empty, behind, ir::Assign{site.expr, number(kOff)});
      at = behind;
    }
    return
        [this, site, one](NodeId here) { return if_site(here, site, [&](NodeId there) { return one(there, site); }); };
  }
  if (const auto sites = held ? std::nullopt : statics_.region(where, known(env))) {
    const std::vector<int>& list = *sites;
    const Value site = temporary(constant(kOff), at, places_);
    return [this, list, site, one](NodeId here) {
      return loop(list, value_of(site.expr, list), here,
                  [&](NodeId each) { return one(each, value_of(site.expr, list)); });
    };
  }
  const ExprId map_ref = marks(at);
  at = for_each_site(where, at, env, [&](NodeId here, const Value& site) {
    return when(here, differs(what(site), 0), marking(map_ref, site));
  });
  const Value site = temporary(constant(all_sites_.front()), at, all_sites_);
  return [this, map_ref, site, one](NodeId here) { return each_marked(map_ref, site, here, one); };
}

Lowering::Commit Lowering::do_add(const Call& call, NodeId& at, const Env& env, bool held) {
  if (call.flag("stack")) refuse(call.clause());
  const To to = read_to(call["to"]);
  if (to.region == nullptr || to.effect != nullptr) refuse(call.clause());
  Value component = constant(env.mover);
  std::optional<Value> state, count;
  if (call["piece"] != nullptr) {
    const Call piece(*call["piece"], "piece", "any [state:int]");
    const Node& name = piece.need("any");
    component = name.is_string() || name.is_array() ? constant(components_in(call["piece"], env).front())
                                                    : hold(integer(name, env, at), at, held);
    if (piece["state"] != nullptr) state = hold(integer(*piece["state"], env, at), at, held);
  }
  if (call["count"] != nullptr) count = hold(integer(*call["count"], env, at), at, held);
  if (held && to.test != nullptr) {
    if (is_region(*to.region)) refuse(call.clause());
    const Value fits = flag(at);
    const Env bound = env.with(Slot::to, integer(*to.region, env, at));
    const NodeId yes = node(), joined = node();
    ask(*to.test, at, yes, joined, bound);
    edge(yes, joined, ir::Assign{fits.expr, number(1)});
    at = joined;
    component = table(fits, component, [](int f, int c) { return f == 1 ? c : 0; });
  }
  const auto one = [this, component, state, count, test = held ? nullptr : to.test, env](NodeId here,
                                                                                         const Value& site) {
    const NodeId behind = node();
    if (test != nullptr) {
      const NodeId good = node();
      ask(*test, here, good, behind, env.with(Slot::to, site));
      here = good;
    }
    const NodeId piece = after_test(component, here, behind, [](int c) { return c > 0; });
    jump(place_on(piece, site, component, count, state), behind);
    return behind;
  };
  if (is_region(*to.region)) {
    if (held) refuse(call.clause());
    const ExprId map_ref = mark_region(*to.region, at, env);
    const Value site = temporary(constant(all_sites_.front()), at, all_sites_);
    return [this, map_ref, site, one](NodeId here) { return each_marked(map_ref, site, here, one); };
  }
  const Value site = hold(as_place(integer(*to.region, env, at)), at, held);
  return [this, site, one](NodeId here) { return if_site(here, site, [&](NodeId there) { return one(there, site); }); };
}

Lowering::Commit Lowering::do_promote(const Call& call, NodeId& at, const Env& env, bool held) {
  type_in(call);
  const Value site =
      hold(call["int"] == nullptr ? slot_value(Slot::to, env) : as_place(integer(*call["int"], env, at)), at, held);
  const Node& named = call["piece"]->item(0);
  Value component = constant(0);
  if (named.is_string() || named.is_array()) {
    const auto found = components_in(call["piece"], env, call["player"]);
    if (found.empty()) return [](NodeId here) { return here; };
    // Of several pieces, the last one wins.
    component = constant(found.back());
  } else {
    component = hold(integer(named, env, at), at, held);
  }
  return [this, site, component](NodeId here) {
    return if_site(here, site, [&](NodeId there) { return place_on(remove_from(there, site), site, component); });
  };
}

Lowering::Commit Lowering::do_from_to(const Call& call, NodeId& at, const Env& env, bool held) {
  const To origin = read_to(call["from"]), to = read_to(call["to"]);
  if (origin.effect != nullptr || to.effect != nullptr || to.region == nullptr || to.level != nullptr)
    refuse(call.clause());
  if (is_region(*to.region)) refuse(*to.region);
  Env bound = env;
  if (origin.region != nullptr && is_region(*origin.region)) {
    // All pieces of a region go to one site.
    if (held || origin.test != nullptr || origin.level != nullptr || call.flag("stack") || to.test != nullptr ||
        call["count"] != nullptr || call["copy"] != nullptr || touches(*to.region).reads != 0)
      refuse(call.clause());
    // The pieces are found before any of them moves.
    const ExprId map_ref = mark_region(*origin.region, at, env);
    const Value from = temporary(constant(all_sites_.front()), at, all_sites_);
    return [this, env, map_ref, from, to](NodeId here) {
      return loop(all_sites_, from, here, [&](NodeId each) {
        NodeId in = node();
        const NodeId behind = node(), piece = node();
        ask_equal(each, in, behind, marked(map_ref, from), 1);
        const Env inner = env.with(Slot::from, from);
        const Value target = as_place(integer(*to.region, inner, in));
        ask_equal(in, behind, piece, what(from), 0);
        jump(if_site(piece, target, [&](NodeId there) { return relocate(there, from, target, {}, false); }), behind);
        return behind;
      });
    };
  }
  const Value from = hold(
      origin.region == nullptr ? slot_value(Slot::from, env) : as_place(integer(*origin.region, env, at)), at, held);
  bound[Slot::from] = from;
  const Value target = hold(as_place(integer(*to.region, bound, at)), at, held);
  // The number of pieces is found before (to) is the target.
  std::optional<Value> count;
  if (call["count"] != nullptr) count = hold(integer(*call["count"], bound, at), at, true);
  if (call.flag("stack")) count = temporary(height(from), at);
  std::optional<Value> level = level_in(origin.level, at, bound);
  if (level) level = hold(*level, at, held);
  bound[Slot::to] = target;
  // The conditions are asked before anything acts.
  const Value allowed = flag(at);
  NodeId good = node();
  const NodeId behind_tests = node(), both = node(), piece = node();
  ask_test(from, at, good, behind_tests, [this](int s) { return e_.is_site(s); });
  ask_test(target, good, both, behind_tests, [this](int s) { return e_.is_site(s); });
  ask_equal(both, behind_tests, piece, what(from), 0);
  good = piece;
  for (const Node* test : {origin.test, to.test}) {
    if (test == nullptr) continue;
    const NodeId next = node();
    ask(*test, good, next, behind_tests, bound);
    good = next;
  }
  edge(good, behind_tests, ir::Assign{allowed.expr, number(1)});
  at = behind_tests;
  return [this, allowed, from, target, count, level, copy = call.flag("copy")](NodeId here) {
    return when(here, equals(allowed, 1), [&](NodeId act) {
      return level ? restack(act, from, target, level, true) : relocate(act, from, target, count, copy);
    });
  };
}

Lowering::Commit Lowering::do_flip(const Call& call, NodeId& at, const Env& env, bool held) {
  type_in(call);
  const Value site =
      hold(call["int"] == nullptr ? slot_value(Slot::to, env) : integer(*call["int"], env, at), at, held);
  return [this, site](NodeId here) {
    return if_site(here, site, [&](NodeId there) {
      const Value state = value_of(g_.access(states_, site.expr), domain("state"));
      return note_site(store(there, "state", state.expr,
                             table(what(site), state,
                                   [this](int c, int s) {
                                     if (c == 0 || !e_.component(c).flips) return s;
                                     const auto [a, b] = *e_.component(c).flips;
                                     return s == a ? b : s == b ? a : s;
                                   })),
                       site);
    });
  };
}

Lowering::Commit Lowering::do_swap_pieces(const Call& call, NodeId& at, const Env& env, bool held) {
  const Value a = call["int"] == nullptr ? last_from_ : hold(integer(*call["int"], env, at), at, held);
  const Value b = call["second"] == nullptr ? last_to_ : hold(integer(*call["second"], env, at), at, held);
  return [this, a, b](NodeId here) {
    return if_site(here, a, [&](NodeId first) {
      return if_site(first, b, [&](NodeId second) { return exchange(second, a, b); });
    });
  };
}

}  // namespace rgtrans::ludii
