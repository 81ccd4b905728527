// Effects: a move can change the state in other places than those where its piece starts and ends.
//
// Ludii computes all parts of an effect before the first one acts. Parts that would see the actions of those before
// them are computed first: plan() evaluates an effect and gives back the action.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ludii/rules/lowering.hpp"
#include "frontends/ludii/rules/touches.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

std::span<const Ludeme<Lowering::Simple>> Lowering::simple_effects() {
  static constexpr std::string_view kSetSite = "[type] at:int [level:int] int [then]";
  static const auto kRows = std::to_array<Ludeme<Simple>>({
      {"moveAgain", "[then]", &Lowering::do_move_again},
      {"remove", "[type] site [level:int] [at:word] [count:int] [then]", &Lowering::do_remove},
      {"add", "[piece] to [count:int] [stack:flag] [then]", &Lowering::do_add},
      {"move Add", "[piece] to [count:int] [stack:flag] [then]", &Lowering::do_add},
      {"promote", "[type] [int] piece [player] [then]", &Lowering::do_promote},
      {"fromTo", "from to [count:int] [copy:flag] [stack:flag] [then]", &Lowering::do_from_to},
      {"move", "from to [count:int] [copy:flag] [stack:flag] [then]", &Lowering::do_from_to},
      {"addScore", "player int [then]", &Lowering::do_score},
      {"set Score", "player int [then]", &Lowering::do_score},
      {"set Count", kSetSite, &Lowering::do_set_site},
      {"set State", kSetSite, &Lowering::do_set_site},
      {"set Value", "[player] [type] [at:int] int [then]", &Lowering::do_set_player},
      {"set Var", "[str] [int] [then]", &Lowering::do_set_number},
      {"set Counter", "[int] [then]", &Lowering::do_set_number},
      {"set Pending", "[site] [then]", &Lowering::do_pending},
      {"set NextPlayer", "player [then]", &Lowering::do_next_player},
      {"remember Value", "[str] int [unique:flag] [then]", &Lowering::do_remember},
      {"forget Value", "[str] any [then]", &Lowering::do_forget},
      {"trigger", "str int [then]", &Lowering::do_trigger},
      {"flip", "[type] [int] [then]", &Lowering::do_flip},
      {"swap Pieces", "[int] [int/second] [then]", &Lowering::do_swap_pieces},
      {"note", "[any] [any/more] [player:any] [to:any]", &Lowering::do_nothing},
      {"pass", "[then]", &Lowering::do_nothing},
  });
  return kRows;
}

std::span<const Ludeme<Lowering::Effect>> Lowering::effects() {
  static constexpr std::string_view kFlanked = "[from] [dirs] [between] [to] [then]";
  static const auto kRows = std::to_array<Ludeme<Effect>>({
      {"if", "bool moves/yes [moves/no] [then]", &Lowering::effect_if},
      {"and", "list [then]", &Lowering::effect_and},
      {"or", "list [then]", &Lowering::effect_and},
      {"seq", "list", &Lowering::effect_seq},
      {"priority", "list [then]", &Lowering::effect_priority},
      {"forEach Site", "region moves [noMoveYet:moves] [then]", &Lowering::effect_sites},
      {"forEach Value", "[region/any] [min:int] [max:int] moves [then]", &Lowering::effect_values},
      {"forEach Player", "moves [then]", &Lowering::effect_players},
      {"forEach Direction", "[from] [dirs] [between] [to] [moves] [then]", &Lowering::effect_direction},
      {"do", "moves next:moves [then]", &Lowering::effect_do},
      {"slide", "from dirs between to", &Lowering::effect_slide},
      {"custodial", kFlanked, &Lowering::effect_custodial},
      {"surround", "[from] [dirs] [between] [to] [except:int] [with:any] [then]", &Lowering::effect_surround},
      {"enclose", "[type] [from] [dirs] [between] [numException:int] [then]", &Lowering::effect_enclose},
      {"intervene", kFlanked, &Lowering::effect_intervene},
      {"sow",
       "[type] [int] [count:int] [numPerHole:int] [str] [owner:int] [if:bool] [sowEffect:moves] [apply:moves] "
       "[includeSelf:flag] [origin:bool] [skipIf:bool] [backtracking:bool] [forward:bool] [then]",
       &Lowering::effect_sow},
  });
  return kRows;
}

namespace {

// Whether the effect is a list of moves, each with the consequences of the whole.
bool repeats_its_then(const Node& clause) {
  return clause.is_clause("forEach") || clause.is_clause("custodial") || clause.is_clause("enclose") ||
         clause.is_clause("intervene");
}

// Whether the effect always does something.
bool always_acts(const Node& clause) {
  return !clause.is_clause("remove") && !clause.is_clause("add") && !clause.is_clause("promote") &&
         !clause.is_clause("fromTo") && !clause.is_clause("move") && !clause.is_clause("flip");
}

}  // namespace

NodeId Lowering::effect(const Node& clause, NodeId at, const Env& env) {
  const Range before = where_;
  const Kept kept(temporaries_);
  where_ = clause.where;
  NodeId result = at;
  guarded([&] {
    if (const auto* const row = find_ludeme(effects(), clause)) {
      const Call call(clause, row->name, row->signature);
      Env inner = env;
      inner.each_then = nullptr;
      // What follows a repeated effect follows each of its actions.
      const bool repeats = repeats_its_then(clause);
      if (repeats) inner.each_then = call["then"];
      if (repeats || call["then"] == nullptr) {
        result = (this->*row->lower)(call, at, inner);
        return;
      }
      if (call.list().size() > 1) refuse(*call["then"]);
      result = followed(call["then"], at, env, [&](NodeId here) { return (this->*row->lower)(call, here, inner); });
      return;
    }
    const auto* const row = find_ludeme(simple_effects(), clause);
    if (row == nullptr) refuse(clause);
    const Call call(clause, row->name, row->signature);
    NodeId here = at;
    result = simple(call, here, env, false)(here);
  });
  where_ = before;
  return result;
}

// An effect whose consequences follow only if it did something.
NodeId Lowering::followed(const Node* then, NodeId at, const Env& env, const std::function<NodeId(NodeId)>& build) {
  if (then == nullptr) return build(at);
  const Value did = temporary(constant(0), at, std::vector<int>{0, 1});
  did_.push_back(did.expr);
  const NodeId done = build(at);
  did_.pop_back();
  const NodeId follows = node(), behind = node();
  ask_equal(done, follows, behind, did, 1);
  jump(consequence(then, follows, env), behind);
  return behind;
}

Lowering::Commit Lowering::simple(const Call& call, NodeId& at, const Env& env, bool held) {
  const auto* const row = find_ludeme(simple_effects(), call.clause());
  const Commit commit = (this->*row->lower)(call, at, env, held);
  const Node* const then = call["then"];
  if (always_acts(call.clause())) {
    return [this, commit, env, then](NodeId here) {
      here = mark_done(commit(here));
      return then == nullptr ? here : consequence(then, here, env);
    };
  }
  if (then == nullptr) return commit;
  return [this, commit, env, then](NodeId here) { return followed(then, here, env, commit); };
}

// Notes for the clauses around that something was done.
NodeId Lowering::mark_done(NodeId at) {
  for (const ExprId one : did_) at = assign(at, one, number(1));
  return at;
}

Lowering::Commit Lowering::plan(const Node& clause, NodeId& at, const Env& env) {
  if (const auto* const row = find_ludeme(simple_effects(), clause)) {
    return simple(Call(clause, row->name, row->signature), at, env, true);
  }
  const auto* const row = find_ludeme(effects(), clause);
  if (row == nullptr) refuse(clause);
  const Call call(clause, row->name, row->signature);
  if (call["then"] != nullptr) refuse(*call["then"]);
  if (clause.is_clause("and") || clause.is_clause("or")) {
    std::vector<Commit> parts;
    for (const Node* part : call.list()) parts.push_back(plan(*part, at, env));
    return [this, parts, env, then = call["then"]](NodeId here) {
      for (const Commit& part : parts) here = part(here);
      return then == nullptr ? here : consequence(then, here, env);
    };
  }
  if (clause.is_clause("if")) {
    const Value flag = temporary(constant(0), at, std::vector<int>{0, 1});
    NodeId yes = node(), no = node();
    const NodeId joined = node();
    ask(call.need("bool"), at, yes, no, env);
    yes = assign(yes, flag.expr, number(1));
    const Commit first = plan(call.need("yes"), yes, env);
    jump(yes, joined);
    Commit second;
    if (call["no"] != nullptr) second = plan(*call["no"], no, env);
    jump(no, joined);
    at = joined;
    return [this, flag, first, second, env, then = call["then"]](NodeId here) {
      const NodeId one = node(), other = node(), behind = node();
      ask_equal(here, one, other, flag, 1);
      jump(first(one), behind);
      jump(second ? second(other) : other, behind);
      return then == nullptr ? behind : consequence(then, behind, env);
    };
  }
  if (clause.is_clause("forEach") && clause.items.front().is_word("Site")) {
    // The sites are found now; the actions must not depend on each other.
    const Node& body = call.need("moves");
    const Node& action = body.is_clause("if") ? body.items[1] : body;
    const Touches inside = touches(action, true);
    if ((inside.reads & inside.writes) != 0 || call["noMoveYet"] != nullptr ||
        (body.is_clause("if") && body.items.size() != 2))
      refuse(clause);
    const ExprId map_ref = marks(at);
    at = for_each_site(call.need("region"), at, env, [&](NodeId here, const Value& site) {
      const NodeId behind = node();
      NodeId in = here;
      if (body.is_clause("if")) {
        Env bound = env;
        bound[Slot::site] = bound[Slot::to] = site;
        in = node();
        ask(body.items[0], here, in, behind, bound);
      }
      jump(assign(in, g_.access(map_ref, site.expr), number(1)), behind);
      return behind;
    });
    return [this, map_ref, &action, env, then = call["then"]](NodeId here) {
      To one;
      one.effect = &action;
      here = act_on_marked(map_ref, all_sites_, Slot::site, one, nullptr, here, env);
      return then == nullptr ? here : consequence(then, here, env);
    };
  }
  if (clause.is_clause("sow") && call["apply"] == nullptr && call["then"] == nullptr) {
    // Where the seeds fall does not depend on the board, only their number.
    Env known_seeds = env;
    known_seeds.seeds = temporary(seeds_of(call, at, env), at);
    return [this, &clause, known_seeds](NodeId here) { return effect(clause, here, known_seeds); };
  }
  refuse(clause);
}

NodeId Lowering::effect_list(const Parts& parts, NodeId at, const Env& env) {
  std::uint32_t written = 0;
  std::vector<Commit> planned(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Touches one = touches(*parts[i]);
    if ((one.reads & written) != 0) planned[i] = plan(*parts[i], at, env);
    written |= one.writes;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) at = planned[i] ? planned[i](at) : effect(*parts[i], at, env);
  return at;
}

Value Lowering::hold(const Value& value, NodeId& at, bool held) {
  if (!held || value.constant) return value;
  return temporary(value, at);
}

NodeId Lowering::act_on_marked(ExprId map_ref, const std::vector<int>& sites, Slot slot, const To& apply,
                               const Node* otherwise, NodeId at, const Env& env) {
  const Node* const action = apply.effect != nullptr ? apply.effect : otherwise;
  if (action == nullptr) return at;
  const Touches touched = touches(*action, true);
  if ((touched.reads & touched.writes) != 0) refuse(*action);
  const Value site = temporary(constant(sites.front()), at, sites);
  return loop(sites, site, at, [&](NodeId here) {
    const NodeId in = node(), behind = node();
    ask_equal(here, in, behind, marked(map_ref, site), 1);
    Env bound = env;
    bound[slot] = site;
    if (slot == Slot::site) bound[Slot::to] = site;
    jump(followed(env.each_then, in, env, [&](NodeId one) { return effect(*action, one, bound); }), behind);
    return behind;
  });
}

// --- Simple actions. ---

NodeId Lowering::if_site(NodeId at, const Value& site, const std::function<NodeId(NodeId)>& then) {
  const NodeId there = node(), behind = node();
  ask_test(
      site, [this](int s) { return e_.is_site(s); }, at, there, behind);
  jump(then(there), behind);
  return behind;
}

// Notes the site of the last action.
NodeId Lowering::note_site(NodeId at, const Value& site) {
  at = mark_done(at);
  return uses_after_ ? assign(at, last_after_.expr, site.expr) : at;
}

NodeId Lowering::remove_from(NodeId at, const Value& site) {
  at = assign(at, g_.access(board_, site.expr), number(0));
  if (counts_.valid()) at = assign(at, g_.access(counts_, site.expr), number(0));
  if (states_.valid()) at = assign(at, g_.access(states_, site.expr), number(0));
  if (values_.valid()) at = assign(at, g_.access(values_, site.expr), number(0));
  return note_site(at, site);
}

NodeId Lowering::set_count(NodeId at, const Value& site, const Value& count) {
  const int most = domain("count").back();
  return assign(at, g_.access(counts_, site.expr), table(count, [most](int c) { return std::clamp(c, 0, most); }).expr);
}

NodeId Lowering::place_on(NodeId at, const Value& site, const Value& component, const std::optional<Value>& count,
                          const std::optional<Value>& state) {
  if (component.domain.back() < 1) return at;
  const NodeId empty = node(), full = node(), behind = node();
  ask_equal(at, empty, full, what(site), 0);
  // A piece that is there stays there.
  NodeId here = assign(empty, g_.access(board_, site.expr), component.expr);
  const Value amount = count.value_or(constant(1));
  if (counts_.valid()) here = set_count(here, site, amount);
  if (states_.valid() && state) here = store(here, "state", g_.access(states_, site.expr), *state);
  jump(here, behind);
  here = full;
  if (counts_.valid()) here = set_count(here, site, sum(count_on(site), amount));
  if (states_.valid() && state) here = store(here, "state", g_.access(states_, site.expr), *state);
  jump(here, behind);
  return note_site(behind, site);
}

NodeId Lowering::relocate(NodeId at, const Value& from, const Value& to, const std::optional<Value>& count, bool copy) {
  if (from.expr == to.expr) return note_site(at, to);
  const NodeId end = node();
  // A piece that moves to its own site stays there.
  const bool may_meet = std::ranges::any_of(from.domain, [&](int s) { return to.may_be(s); });
  if (may_meet) {
    const NodeId apart = node();
    ask_equal(at, end, apart, from, to);
    at = apart;
  }
  const auto carry = [&](NodeId here, ExprId map_ref) {
    if (!map_ref.valid()) return here;
    here = assign(here, g_.access(map_ref, to.expr), g_.access(map_ref, from.expr));
    return copy ? here : assign(here, g_.access(map_ref, from.expr), number(0));
  };
  if (!counts_.valid()) {
    at = carry(carry(carry(at, board_), states_), values_);
    jump(at, end);
    return note_site(end, to);
  }
  const Value amount = count.value_or(constant(1));
  const NodeId some = node(), same = node(), other = node(), moved = node();
  ask_equal(at, end, some, what(from), 0);
  ask_equal(some, same, other, what(from), what(to));
  jump(set_count(same, to, sum(count_on(to), amount)), moved);
  const auto take = [&](NodeId here, ExprId map_ref) {
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
  NodeId cleared = assign(none, g_.access(board_, from.expr), number(0));
  for (const ExprId map_ref : {counts_, states_, values_}) {
    if (map_ref.valid()) cleared = assign(cleared, g_.access(map_ref, from.expr), number(0));
  }
  jump(cleared, end);
  return note_site(end, to);
}

// The piece of the second site comes to the first one without its state.
NodeId Lowering::exchange(NodeId at, const Value& a, const Value& b) {
  const Value second = temporary(what(b), at, pieces_);
  at = assign(at, g_.access(board_, b.expr), g_.access(board_, a.expr));
  at = assign(at, g_.access(board_, a.expr), second.expr);
  if (states_.valid()) {
    at = assign(at, g_.access(states_, b.expr), g_.access(states_, a.expr));
    at = assign(at, g_.access(states_, a.expr), number(0));
  }
  return note_site(at, a);
}

Lowering::Commit Lowering::do_nothing(const Call&, NodeId&, const Env&, bool) {
  return [](NodeId at) { return at; };
}

Lowering::Commit Lowering::do_move_again(const Call&, NodeId&, const Env& env, bool) {
  return [this, mover = env.mover](NodeId at) { return assign(set_next_(at), next_.expr, number(mover)); };
}

Lowering::Commit Lowering::do_next_player(const Call& call, NodeId& at, const Env& env, bool held) {
  const Value who = hold(player(call.need("player"), env, at), at, held);
  return [this, who](NodeId here) {
    const NodeId there = node(), behind = node();
    ask_test(
        who, [this](int p) { return p >= 1 && p <= n_; }, set_next_(here), there, behind);
    edge(there, behind, ir::Assign{next_.expr, who.expr});
    return behind;
  };
}

// Pieces that wait for the end of the turn stay when a move names the next player.
NodeId Lowering::set_next_(NodeId at) { return to_clear_.valid() ? assign(at, named_next_, number(1)) : at; }

Lowering::Commit Lowering::do_remove(const Call& call, NodeId& at, const Env& env, bool held) {
  type_in(call);
  const Node* const when = call["at"];
  if (call["level"] != nullptr && !call["level"]->is_clause("level")) refuse(*call["level"]);
  if (call["count"] != nullptr) refuse(*call["count"]);
  const bool at_end = when != nullptr && when->is_word("EndOfTurn");
  const Node& where = call.need("site");
  const auto one = [this, at_end](NodeId here, const Value& site) {
    const NodeId piece = node(), behind = node();
    ask_equal(here, behind, piece, what(site), 0);
    NodeId done = piece;
    if (at_end) {
      done = note_site(assign(piece, g_.access(to_clear_, site.expr), number(1)), site);
    } else {
      done = remove_from(piece, site);
    }
    jump(done, behind);
    return behind;
  };
  if (!is_region(where)) {
    const Value site = hold(integer(where, env, at), at, held);
    return
        [this, site, one](NodeId here) { return if_site(here, site, [&](NodeId there) { return one(there, site); }); };
  }
  if (const auto sites = statics_.region(where, known(env))) {
    const std::vector<int> list = *sites;
    const Value site = temporary(constant(kOff), at, places_);
    return [this, list, site, one](NodeId here) {
      return loop(list, value_of(site.expr, list), here,
                  [&](NodeId each) { return one(each, value_of(site.expr, list)); });
    };
  }
  const ExprId map_ref = marks(at);
  at = for_each_site(where, at, env, [&](NodeId here, const Value& site) {
    return assign(here, g_.access(map_ref, site.expr), number(1));
  });
  const Value site = temporary(constant(all_sites_.front()), at, all_sites_);
  return [this, map_ref, site, one](NodeId here) {
    return loop(all_sites_, site, here, [&](NodeId each) {
      const NodeId in = node(), behind = node();
      ask_equal(each, in, behind, marked(map_ref, site), 1);
      jump(one(in, site), behind);
      return behind;
    });
  };
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
  const auto one = [this, component, state, count, test = to.test, env](NodeId here, const Value& site) {
    const NodeId behind = node();
    if (test != nullptr) {
      Env bound = env;
      bound[Slot::to] = site;
      const NodeId good = node();
      ask(*test, here, good, behind, bound);
      here = good;
    }
    const NodeId piece = node();
    ask_test(
        component, [](int c) { return c > 0; }, here, piece, behind);
    jump(place_on(piece, site, component, count, state), behind);
    return behind;
  };
  if (is_region(*to.region)) {
    if (held) refuse(call.clause());
    const ExprId map_ref = marks(at);
    at = for_each_site(*to.region, at, env, [&](NodeId here, const Value& site) {
      return assign(here, g_.access(map_ref, site.expr), number(1));
    });
    const Value site = temporary(constant(all_sites_.front()), at, all_sites_);
    return [this, map_ref, site, one](NodeId here) {
      return loop(all_sites_, site, here, [&](NodeId each) {
        const NodeId in = node(), behind = node();
        ask_equal(each, in, behind, marked(map_ref, site), 1);
        jump(one(in, site), behind);
        return behind;
      });
    };
  }
  const Value site = hold(integer(*to.region, env, at), at, held);
  return [this, site, one](NodeId here) { return if_site(here, site, [&](NodeId there) { return one(there, site); }); };
}

Lowering::Commit Lowering::do_promote(const Call& call, NodeId& at, const Env& env, bool held) {
  type_in(call);
  const Value site =
      hold(call["int"] == nullptr ? slot_value(Slot::to, env) : integer(*call["int"], env, at), at, held);
  const Node& named = call["piece"]->items.front();
  Value component = constant(0);
  if (named.is_string() || named.is_array()) {
    const auto found = components_in(call["piece"], env, call["player"]);
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
  if (call.flag("stack")) refuse(call.clause());
  const To origin = read_to(call["from"]), to = read_to(call["to"]);
  if (origin.effect != nullptr || to.effect != nullptr || to.region == nullptr) refuse(call.clause());
  if (is_region(*to.region)) refuse(*to.region);
  Env bound = env;
  if (origin.region != nullptr && is_region(*origin.region)) {
    // All pieces of a region go to one site.
    if (held || origin.test != nullptr || to.test != nullptr || call["count"] != nullptr) refuse(call.clause());
    const Node* const area = origin.region;
    return [this, env, area, to](NodeId here) {
      return for_each_site(*area, here, env, [&](NodeId each, const Value& from) {
        Env inner = env;
        inner[Slot::from] = from;
        const Value target = integer(*to.region, inner, each);
        return if_site(each, target, [&](NodeId there) {
          const NodeId piece = node(), behind = node();
          ask_equal(there, behind, piece, what(from), 0);
          jump(relocate(piece, from, target, {}, false), behind);
          return behind;
        });
      });
    };
  }
  const Value from =
      hold(origin.region == nullptr ? slot_value(Slot::from, env) : integer(*origin.region, env, at), at, held);
  bound[Slot::from] = from;
  const Value target = hold(integer(*to.region, bound, at), at, held);
  // The number of pieces is found before (to) is the target.
  std::optional<Value> count;
  if (call["count"] != nullptr) count = hold(integer(*call["count"], bound, at), at, true);
  bound[Slot::to] = target;
  // The conditions are asked before anything acts.
  const Value flag = temporary(constant(0), at, std::vector<int>{0, 1});
  NodeId good = node();
  const NodeId behind_tests = node(), both = node(), piece = node();
  ask_test(
      from, [this](int s) { return e_.is_site(s); }, at, good, behind_tests);
  ask_test(
      target, [this](int s) { return e_.is_site(s); }, good, both, behind_tests);
  ask_equal(both, behind_tests, piece, what(from), 0);
  good = piece;
  for (const Node* test : {origin.test, to.test}) {
    if (test == nullptr) continue;
    const NodeId next = node();
    ask(*test, good, next, behind_tests, bound);
    good = next;
  }
  edge(good, behind_tests, ir::Assign{flag.expr, number(1)});
  at = behind_tests;
  return [this, flag, from, target, count, copy = call.flag("copy")](NodeId here) {
    const NodeId act = node(), end = node();
    ask_equal(here, act, end, flag, 1);
    jump(relocate(act, from, target, count, copy), end);
    return end;
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
  return [this, a, b](NodeId here) { return exchange(here, a, b); };
}

NodeId Lowering::effect_if(const Call& call, NodeId at, const Env& env) {
  const NodeId yes = node(), no = node(), behind = call["no"] == nullptr ? no : node();
  ask(call.need("bool"), at, yes, no, env);
  jump(effect(call.need("yes"), yes, env), behind);
  if (call["no"] != nullptr) jump(effect(*call["no"], no, env), behind);
  return behind;
}

NodeId Lowering::effect_and(const Call& call, NodeId at, const Env& env) { return effect_list(call.list(), at, env); }

NodeId Lowering::effect_seq(const Call& call, NodeId at, const Env& env) {
  for (const Node* part : call.list()) at = effect(*part, at, env);
  return at;
}

NodeId Lowering::effect_do(const Call& call, NodeId at, const Env& env) {
  return effect(call.need("next"), effect(call.need("moves"), at, env), env);
}

// A piece that moves a known number of steps, if it can.
NodeId Lowering::effect_slide(const Call& call, NodeId at, const Env& env) {
  const To between = read_to(call["between"]), to = read_to(call["to"]);
  const Node& where = call.need("dirs");
  const auto direction = where.is_word() ? find_direction(where.text) : std::nullopt;
  if (!direction || !is_compass(*direction) || between.range == nullptr || !between.range->is_clause("exact") ||
      to.test == nullptr || !to.test->is_word("True"))
    refuse(call.clause());
  Env inner = env;
  inner.silent = inner.checked = inner.within_effect = true;
  const NodeId behind = node();
  ask_exists(at, NodeId(), behind, [&](NodeId start, NodeId found) {
    moves(call.clause(), start, inner, [&](NodeId end, const Made&) { jump(end, found); });
  });
  moves(call.clause(), at, inner, [&](NodeId end, const Made&) { jump(end, behind); });
  return behind;
}

NodeId Lowering::effect_priority(const Call& call, NodeId at, const Env& env) {
  const NodeId behind = node();
  for (std::size_t i = 0; i < call.list().size(); ++i) {
    const Node& part = *call.list()[i];
    // Only a condition tells here whether a part does something.
    if (!part.is_clause("if") || part.items.size() != 2) {
      if (i + 1 < call.list().size()) refuse(part);
      jump(effect(part, at, env), behind);
      return behind;
    }
    const NodeId yes = node(), no = node();
    ask(part.items[0], at, yes, no, env);
    jump(effect(part.items[1], yes, env), behind);
    at = no;
  }
  jump(at, behind);
  return behind;
}

NodeId Lowering::effect_sites(const Call& call, NodeId at, const Env& env) {
  if (call["noMoveYet"] != nullptr) refuse(call.clause());
  const Node& body = call.need("moves");
  const Node& area = call.need("region");
  const bool plain = names_clause("sites Occupied", area) || names_clause("sites Empty", area);
  const Touches inside = touches(body, true), sites = plain ? Touches() : touches(area, true);
  if (((inside.reads | sites.reads) & inside.writes) != 0) return plan_without_then(call, at, env);
  return for_each_site(call.need("region"), at, env, [&](NodeId here, const Value& site) {
    Env bound = env;
    bound[Slot::site] = bound[Slot::to] = site;
    return followed(env.each_then, here, env, [&](NodeId one) { return effect(body, one, bound); });
  });
}

NodeId Lowering::plan_without_then(const Call& call, NodeId at, const Env& env) {
  Node copy = call.clause();
  std::erase_if(copy.items, [](const Node& item) { return item.is_clause("then"); });
  kept_nodes_.push_back(std::make_unique<Node>(std::move(copy)));
  const Commit commit = plan(*kept_nodes_.back(), at, env);
  return commit(at);
}

NodeId Lowering::effect_values(const Call& call, NodeId at, const Env& env) {
  const Node& body = call.need("moves");
  std::vector<int> values;
  std::function<NodeId(NodeId, const Value&, NodeId)> in_range;
  Value low, high;
  if (call["any"] != nullptr) {
    const Touches inside = touches(body);
    if ((inside.reads & inside.writes) != 0) refuse(call.clause());
    values = region(*call["any"], constant(kOff), at, env).sites;
  } else {
    if (call["min"] == nullptr || call["max"] == nullptr) refuse(call.clause());
    low = hold(integer(*call["min"], env, at), at, true);
    high = hold(integer(*call["max"], env, at), at, true);
    for (int v = low.domain.front(); v <= high.domain.back(); ++v) values.push_back(v);
  }
  if (values.empty()) return at;
  limit_size(call.clause(), values.size());
  const Value value = temporary(constant(values.front()), at, values);
  return loop(values, value, at, [&](NodeId here) {
    const NodeId in = node(), behind = node();
    if (call["any"] != nullptr) {
      ask_member(*call["any"], value, here, in, behind, env);
    } else {
      const NodeId above = node();
      const auto one = [](int v) { return v == 1; };
      ask_test(table(value, low, [](int v, int l) { return v >= l ? 1 : 0; }), one, here, above, behind);
      ask_test(table(value, high, [](int v, int h) { return v <= h ? 1 : 0; }), one, above, in, behind);
    }
    Env bound = env;
    bound[Slot::value] = value;
    jump(followed(env.each_then, in, env, [&](NodeId one) { return effect(body, one, bound); }), behind);
    return behind;
  });
}

NodeId Lowering::effect_players(const Call& call, NodeId at, const Env& env) {
  for (int p = 1; p <= n_; ++p) {
    Env inner = env;
    // The consequences of this clause are dropped.
    inner[Slot::player] = constant(p);
    at = effect(call.need("moves"), at, inner);
  }
  return at;
}

// For the sites on all lines from a site.
NodeId Lowering::effect_direction(const Call& call, NodeId at, const Env& given) {
  Env env = given;
  const To between = read_to(call["between"]), to = read_to(call["to"]);
  const Node* const body = call["moves"] != nullptr ? call["moves"] : to.effect;
  if (body == nullptr) refuse(call.clause());
  const Touches inside = touches(*body);
  if ((inside.reads & inside.writes) != 0) refuse(call.clause());
  const Bounds range = bounds_of(between.range, {1, 1}, env);
  const Value start = start_site(call["from"], at, env);
  return walk_lines(lines_of(call["dirs"], env, false), start, at, [&](NodeId each, const Beam& beam) {
    const Runner runner = run_along(beam, each);
    const NodeId head = node(), end = node();
    jump(each, head);
    NodeId here = read_site(beam, runner, head, end);
    Env bound = env;
    bound[Slot::to] = runner.site;
    if (to.test != nullptr) {
      const NodeId good = node();
      ask(*to.test, here, good, end, bound);
      here = good;
    }
    NodeId acting = node(), near = node();
    ask_test(
        runner.index, [&](int i) { return i + 1 >= range.low; }, here, acting, near);
    jump(followed(env.each_then, acting, env, [&](NodeId one) { return effect(*body, one, bound); }), near);
    const NodeId more = node();
    ask_test(
        runner.index, [&](int i) { return i + 1 < range.high; }, near, more, end);
    jump(step_on(runner, more), head);
    return end;
  });
}

}  // namespace rgtrans::ludii
