// Effects: a move can change the state in other places than those where its piece starts and ends.
//
// Ludii computes all parts of an effect before the first one acts. Parts that would see the actions of those before
// them are computed first: plan() evaluates an effect and gives back the action.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "frontends/ludii/rules/lowering.hpp"
#include "frontends/ludii/rules/touches.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

std::span<const Ludeme<Lowering::Simple>> Lowering::simple_effects() {
  static const auto kRows = std::to_array<Ludeme<Simple>>({
      {"moveAgain", "[then]", &Lowering::do_move_again},
      {"remove", "[type] site [level:int] [at:word] [count:int] [then]", &Lowering::do_remove},
      {"add, move Add", "[piece] to [count:int] [stack:flag] [then]", &Lowering::do_add},
      {"promote", "[type] [int] piece [player] [then]", &Lowering::do_promote},
      {"fromTo, move", "from to [count:int] [copy:flag] [stack:flag] [then]", &Lowering::do_from_to},
      {"addScore, set Score", "player int [then]", &Lowering::do_score},
      {"set Count|State", "[type] at:int [level:int] int [then]", &Lowering::do_set_site},
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
  static const auto kRows = std::to_array<Ludeme<Effect>>({
      {"if", "bool moves/yes [moves/no] [then]", &Lowering::effect_if},
      {"and|or", "list [then]", &Lowering::effect_and},
      {"seq", "list", &Lowering::effect_seq},
      {"priority", "list [then]", &Lowering::effect_priority},
      {"forEach Site", "region moves [noMoveYet:moves] [then]", &Lowering::effect_sites},
      {"forEach Value", "[region/any] [min:int] [max:int] moves [then]", &Lowering::effect_values},
      {"forEach Level", "[type] int [word] moves [then]", &Lowering::effect_level},
      {"forEach Player", "moves [then]", &Lowering::effect_players},
      {"forEach Direction", "[from] [dirs] [between] [to] [moves] [then]", &Lowering::effect_direction},
      {"do", "moves next:moves [then]", &Lowering::effect_do},
      {"slide, move Slide", "from dirs between [to]", &Lowering::effect_slide},
      {"custodial", "[from] [dirs] [between] [to] [then]", &Lowering::effect_custodial},
      {"surround", "[from] [dirs] [between] [to] [except:int] [with:any] [then]", &Lowering::effect_surround},
      {"enclose", "[type] [from] [dirs] [between] [numException:int] [then]", &Lowering::effect_enclose},
      {"intervene", "[from] [dirs] [between] [to] [then]", &Lowering::effect_intervene},
      {"sow",
       "[type] [int] [count:int] [numPerHole:int] [str] [owner:int] [if:bool] [sowEffect:moves] [apply:moves] "
       "[includeSelf:flag] [origin:bool] [skipIf:bool] [backtracking:bool] [forward:bool] [then]",
       &Lowering::effect_sow},
  });
  return kRows;
}

namespace {

// Whether the effect marks sites, and then acts on each of them.
bool marks_then_acts(const Node& clause) { return names_clause("custodial|surround|enclose|intervene", clause); }

// Whether the effect is a list of moves, each with the consequences of the whole.
bool repeats_its_then(const Node& clause) {
  return clause.is_clause("forEach") || (marks_then_acts(clause) && !clause.is_clause("surround"));
}

// Whether the effect does nothing where there is no piece before all parts.
bool needs_piece(const Node& node) {
  if (node.is_clause("if")) return std::ranges::any_of(node.items, needs_piece);
  return node.is_clause("remove") || node.is_clause("fromTo");
}

// Whether the last of several rounds decides, and the numbers of the list may not ascend.
bool depends_on_order(const Node& list, const Node& body) {
  const auto sets = [](const Node& node) { return node.is_clause("set") && !names_clause("set Pending", node); };
  const Node& items = list.is_clause("array") && !list.items.empty() ? list.item(0) : list;
  const auto number = [](const Node& item) { return item.is_integer() ? std::stoi(item.text) : -1; };
  const bool ascends = items.is_array() && std::ranges::all_of(items.items, &Node::is_integer) &&
                       std::ranges::is_sorted(items.items, {}, number);
  return !ascends && body.find(sets) != nullptr;
}

// Whether the effect is one move at most.
bool is_one_move(const Node& clause) {
  if (clause.is_clause("if")) return clause.items.size() == 2 && is_one_move(clause.item(1));
  return names_clause("moveAgain|fromTo|remove|add|set|addScore|remember|trigger", clause) &&
         find_clause("sites|expand", clause) == nullptr;
}

// Whether the effect always does something.
bool always_acts(const Node& clause) { return !names_clause("remove|add|promote|fromTo|move|flip", clause); }

}  // namespace

NodeId Lowering::effect(const Node& clause, NodeId at, const Env& env) {
  const Range before = where_;
  const Kept kept(temporaries_);
  where_ = clause.where;
  NodeId result = at;
  guarded([&] {
    if (const auto row = find_ludeme(effects(), clause)) {
      const Call call(clause, row->names, row->signature);
      Env inner = env;
      inner.each_then = nullptr;
      // What follows a repeated effect follows each of its actions.
      const bool repeats = repeats_its_then(clause);
      if (repeats) inner.each_then = call["then"];
      if (repeats || call["then"] == nullptr) {
        result = (this->*row->lower)(call, at, inner);
        return;
      }
      if (call.list().size() > 1) {
        // It follows each part.
        if (!std::ranges::all_of(call.list(), [](const Node* part) { return is_one_move(*part); }))
          refuse(*call["then"]);
        result = effect_list(call.list(), at, inner, call["then"]);
        return;
      }
      result = followed(call["then"], at, env, [&](NodeId here) { return (this->*row->lower)(call, here, inner); });
      return;
    }
    const auto row = find_ludeme(simple_effects(), clause);
    if (!row) refuse(clause);
    const Call call(clause, row->names, row->signature);
    NodeId here = at;
    result = simple(call, here, env, false)(here);
  });
  where_ = before;
  return result;
}

// Notes whether an effect does something.
std::pair<NodeId, Value> Lowering::watched(NodeId at, const std::function<NodeId(NodeId)>& build) {
  const Value did = flag(at);
  did_.push_back(did.expr);
  const NodeId done = build(at);
  did_.pop_back();
  return {done, did};
}

// An effect whose consequences follow only if it did something.
NodeId Lowering::followed(const Node* then, NodeId at, const Env& env, const std::function<NodeId(NodeId)>& build) {
  if (then == nullptr) return build(at);
  const auto [done, did] = watched(at, build);
  return when(done, equals(did, 1), [&](NodeId follows) { return consequence(then, follows, env); });
}

Lowering::Commit Lowering::simple(const Call& call, NodeId& at, const Env& env, bool held) {
  const auto row = find_ludeme(simple_effects(), call.clause());
  Commit commit = (this->*row->lower)(call, at, env, held);
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
  if (const auto row = find_ludeme(simple_effects(), clause)) {
    return simple(Call(clause, row->names, row->signature), at, env, true);
  }
  const auto row = find_ludeme(effects(), clause);
  if (!row) refuse(clause);
  const Call call(clause, row->names, row->signature);
  if (call["then"] != nullptr) refuse(*call["then"]);
  if (clause.is_clause("and") || clause.is_clause("or")) {
    std::vector<Commit> parts;
    for (const Node* part : call.list()) parts.push_back(plan(*part, at, env));
    return [parts](NodeId here) {
      for (const Commit& part : parts) here = part(here);
      return here;
    };
  }
  if (clause.is_clause("if")) {
    const Value chosen = flag(at);
    NodeId yes = node(), no = node();
    const NodeId joined = node();
    ask(call.need("bool"), at, yes, no, env);
    yes = assign(yes, chosen.expr, number(1));
    const Commit first = plan(call.need("yes"), yes, env);
    jump(yes, joined);
    Commit second;
    if (call["no"] != nullptr) second = plan(*call["no"], no, env);
    jump(no, joined);
    at = joined;
    return [this, chosen, first, second](NodeId here) {
      const NodeId one = node(), other = node(), behind = node();
      ask_equal(here, one, other, chosen, 1);
      jump(first(one), behind);
      jump(second ? second(other) : other, behind);
      return behind;
    };
  }
  if (clause.is_clause("forEach") && clause.item(0).is_word("Site")) {
    // The sites are found now; what happens there is computed from the board as it is now.
    const Node& body = call.need("moves");
    if (call["noMoveYet"] != nullptr) refuse(clause);
    const Act act = act_of(body, Slot::site, written_, at, env);
    const ExprId map_ref = mark_region(call.need("region"), at, env);
    return [this, map_ref, act](NodeId here) { return each_marked(map_ref, all_sites_, here, act); };
  }
  if (marks_then_acts(clause)) {
    Commit commit = [](NodeId here) { return here; };
    deferred_ = &commit;
    const std::unique_ptr<Commit*, void (*)(Commit**)> reset(&deferred_, [](Commit** one) { *one = nullptr; });
    Env inner = env;
    inner.each_then = nullptr;
    at = (this->*row->lower)(call, at, inner);
    return commit;
  }
  if (clause.is_clause("sow") && call["apply"] == nullptr) {
    // Where the seeds fall does not depend on the board, only their number.
    Env known_seeds = env;
    known_seeds.seeds = temporary(seeds_of(call, at, env), at);
    return [this, &clause, known_seeds](NodeId here) { return effect(clause, here, known_seeds); };
  }
  refuse(clause);
}

NodeId Lowering::effect_list(const Parts& parts, NodeId at, const Env& env, const Node* then) {
  std::uint32_t written = 0;
  const std::uint32_t later = then == nullptr ? 0 : touches(*then).writes;
  bool brought = false;
  std::vector<Commit> planned(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Touches one = touches(*parts[i]);
    brought = brought || (i > 0 && find_clause("add|fromTo|move|sow|swap", *parts[i - 1]) != nullptr);
    if ((one.reads & written) != 0 || (brought && needs_piece(*parts[i]))) {
      const std::uint32_t before = std::exchange(written_, written);
      planned[i] = plan(*parts[i], at, env);
      written_ = before;
    }
    written |= one.writes | later;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    at = followed(then, at, env,
                  [&](NodeId here) { return planned[i] ? planned[i](here) : effect(*parts[i], here, env); });
  }
  return at;
}

Value Lowering::hold(const Value& value, NodeId& at, bool held) {
  if (!held || value.constant) return value;
  return temporary(value, at);
}

NodeId Lowering::act_on_marked(ExprId map_ref, const std::vector<int>& sites, Slot slot, const To& apply, NodeId at,
                               const Env& env) {
  if (apply.effect == nullptr) return at;
  const Act act = act_of(*apply.effect, slot, deferred_ != nullptr ? written_ : 0, at, env);
  if (deferred_ != nullptr) {
    // A planned effect has found its sites; it acts on them later.
    *std::exchange(deferred_, nullptr) = [this, map_ref, sites, act](NodeId here) {
      return each_marked(map_ref, sites, here, act);
    };
    return at;
  }
  return each_marked(map_ref, sites, at, act);
}

NodeId Lowering::each_marked(ExprId map_ref, const std::vector<int>& sites, NodeId at, const Act& act) {
  const Value site = temporary(constant(sites.front()), at, sites);
  return each_marked(map_ref, site, at, act);
}

NodeId Lowering::each_marked(ExprId map_ref, const Value& site, NodeId at, const Act& act) {
  return loop(site.domain, site, at, [&](NodeId here) {
    return when(here, equals(marked(map_ref, site), 1), [&](NodeId in) { return act(in, site); });
  });
}

// Copies the maps of the sites.
Lowering::SiteMaps Lowering::freeze(NodeId& at) {
  static constexpr std::array<std::string_view, 4> kNames = {"board", "count", "state", "value"};
  SiteMaps copies;
  ++temporaries_;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const ExprId live = *site_maps()[i];
    if (!live.valid()) continue;
    const std::vector<int> values = variables_.find(std::string(kNames[i]))->second.second;
    copies[i] = map_variable(fmt::format("before{}_{}", temporaries_, kNames[i]), places_, values,
                             [&](int) { return values.front(); });
    at = assign(at, copies[i], live);
  }
  return copies;
}

void Lowering::exchange_maps(SiteMaps& maps) {
  for (std::size_t i = 0; i < maps.size(); ++i) std::swap(*site_maps()[i], maps[i]);
}

// Plans an effect that reads copies of the maps.
Lowering::Commit Lowering::plan_frozen(const Node& action, SiteMaps copies, NodeId& at, const Env& env) {
  exchange_maps(copies);
  const std::unique_ptr<SiteMaps, std::function<void(SiteMaps*)>> back(
      &copies, [this](SiteMaps* maps) { exchange_maps(*maps); });
  return plan(action, at, env);
}

bool Lowering::can_freeze(const Node& action, std::uint32_t written) const {
  const std::uint32_t reads = touches(action).reads;
  if (has_stacks_) return false;
  return (reads & kEverything) != kEverything && (reads & written & ~std::uint32_t{kBoard}) == 0;
}

// What an effect does for one site of several. If it would see what it did for others, or what happens before it, it
// is evaluated on a copy of the board.
Lowering::Act Lowering::act_of(const Node& action, Slot slot, std::uint32_t written, NodeId& at, const Env& env) {
  std::uint32_t own = touches(action).writes;
  Env around = env;
  if ((touches(action).reads & kNext & (own | written)) != 0 && uses_next_) {
    // The next player is the one before any of them acts.
    around.next = temporary(slot_value(Slot::next, env), at);
    own &= ~std::uint32_t{kNext};
    written &= ~std::uint32_t{kNext};
  }
  const bool disturbed = (touches(action, true).reads & own) != 0 || (touches(action).reads & written) != 0;
  if (disturbed && !can_freeze(action, own | written)) refuse(action);
  const SiteMaps copies = disturbed ? freeze(at) : SiteMaps();
  return [this, &action, slot, env = around, copies, disturbed](NodeId here, const Value& site) {
    Env bound = env.with(slot, site);
    bound.each_then = nullptr;
    if (slot == Slot::site) bound[Slot::to] = site;
    return followed(env.each_then, here, env, [&](NodeId one) {
      if (!disturbed) return effect(action, one, bound);
      const Commit commit = plan_frozen(action, copies, one, bound);
      return commit(one);
    });
  };
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
  const To between = read_to(call["between"]);
  const Node& where = call.need("dirs");
  const auto direction = where.is_word() ? find_direction(where.text) : std::nullopt;
  if (!direction || !is_compass(*direction) || between.range == nullptr || !between.range->is_clause("exact"))
    refuse(call.clause());
  for (const auto& lines : lines_of(&where, env, false)) {
    if (lines.size() > 1) refuse(call.clause());
  }
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
    if (i + 1 == call.list().size()) {
      jump(effect(part, at, env), behind);
      return behind;
    }
    if (marks_then_acts(part)) {
      const auto [done, did] = watched(at, [&](NodeId here) { return effect(part, here, env); });
      const NodeId next = node();
      ask_equal(done, behind, next, did, 1);
      at = next;
      continue;
    }
    // Only a condition tells here whether another part does something.
    if (!part.is_clause("if") || part.items.size() != 2) refuse(part);
    const NodeId yes = node(), no = node();
    ask(part.item(0), at, yes, no, env);
    jump(effect(part.item(1), yes, env), behind);
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
    const Env bound = env.with(Slot::site, site).with(Slot::to, site);
    return followed(env.each_then, here, env, [&](NodeId one) { return effect(body, one, bound); });
  });
}

NodeId Lowering::plan_without_then(const Call& call, NodeId at, const Env& env) {
  Node copy = call.clause();
  std::erase_if(copy.items, [](const Node& item) { return item.is_clause("then"); });
  const std::uint32_t before = std::exchange(written_, 0);
  const Commit commit = plan(keep(std::move(copy)), at, env);
  written_ = before;
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
    if (depends_on_order(*call["any"], body)) refuse(call.clause());
    refuse_negative(*call["any"], at, env);
    values = region(*call["any"], constant(kOff), at, env).sites;
  } else {
    if (call["min"] == nullptr || call["max"] == nullptr) refuse(call.clause());
    low = hold(integer(*call["min"], env, at), at, true);
    high = hold(integer(*call["max"], env, at), at, true);
    values = ascending(low.domain.front(), high.domain.back());
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
      ask_equal(here, above, behind, table(value, low, [](int v, int l) { return v >= l ? 1 : 0; }), 1);
      ask_equal(above, in, behind, table(value, high, [](int v, int h) { return v <= h ? 1 : 0; }), 1);
    }
    const Env bound = env.with(Slot::value, value);
    jump(followed(env.each_then, in, env, [&](NodeId one) { return effect(body, one, bound); }), behind);
    return behind;
  });
}

NodeId Lowering::effect_players(const Call& call, NodeId at, const Env& env) {
  // Not yet exact: in the inner ones of nested conditions, Ludii does not find the piece of (id "Rook" Player).
  const auto names_piece = [](const Node& node) {
    return node.is_clause("addScore") || (node.is_clause("id") && node.items.size() == 2 && node.item(0).is_string());
  };
  if (call.need("moves").find(names_piece) != nullptr) refuse(call.clause());
  for (int p = 1; p <= n_; ++p) {
    // The consequences of this clause are dropped.
    at = effect(call.need("moves"), at, env.with(Slot::player, constant(p)));
  }
  return at;
}

// For the sites on all lines from a site.
NodeId Lowering::effect_direction(const Call& call, NodeId at, const Env& given) {
  Env env = given;
  const To between = read_to(call["between"]), to = read_to(call["to"]);
  const Node* const body = call["moves"] != nullptr ? call["moves"] : to.effect;
  if (body == nullptr) refuse(call.clause());
  if (to.test != nullptr && (touches(*to.test, true).reads & touches(*body).writes) != 0) refuse(call.clause());
  const Bounds range = bounds_of(between.range, {1, 1}, env);
  // Without a piece on (from), Ludii does nothing.
  if (!env[Slot::from] || (between.test != nullptr && range.low > 1)) refuse(call.clause());
  const NodeId none = node(), piece = node();
  ask_equal(at, none, piece, what(slot_value(Slot::from, env)), 0);
  at = piece;
  const Value start = start_site(call["from"], at, env);
  const Act act = act_of(*body, Slot::to, 0, at, env);
  const NodeId walked = walk_lines(lines_of(call["dirs"], env, false), start, at, [&](NodeId each, const Beam& beam) {
    const Runner runner = run_along(beam, each);
    const NodeId head = node(), end = node();
    jump(each, head);
    NodeId here = read_site(beam, runner, head, end);
    if (to.test != nullptr) {
      const NodeId good = node();
      ask(*to.test, here, good, end, env.with(Slot::to, runner.site));
      here = good;
    }
    const NodeId near = when(here, passes(runner.index, [&](int i) { return i + 1 >= range.low; }),
                             [&](NodeId acting) { return act(acting, runner.site); });
    const NodeId more = node();
    ask_test(runner.index, near, more, end, [&](int i) { return i + 1 < range.high; });
    jump(step_on(runner, more), head);
    return end;
  });
  jump(walked, none);
  return none;
}

}  // namespace rgtrans::ludii
