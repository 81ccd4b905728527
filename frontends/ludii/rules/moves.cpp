// Lists of moves: choices, filters, and the clauses that repeat one for pieces, sites and numbers.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

namespace {

bool reads_pending(const Node& node) { return find_clause("is|sites|value Pending", node) != nullptr; }

// Whether something that follows a move asks for pending sites, or for moves that may depend on them.
bool follows_pending(const Node& node) {
  return node.find([](const Node& then) {
    return then.is_clause("then") && (reads_pending(then) || find_clause(kAsksForMoves, then) != nullptr);
  }) != nullptr;
}

}  // namespace

std::span<const Ludeme<Lowering::Move>> Lowering::generators() {
  static const auto kRows = std::to_array<Ludeme<Move>>({
      {"or|and", "list [then]", &Lowering::move_or},
      {"if", "bool moves/yes [moves/no] [then]", &Lowering::move_if},
      {"priority", "list [then]", &Lowering::move_priority},
      {"do", "moves [next:moves] [ifAfterwards:bool] [then]", &Lowering::move_do},
      {"max Moves", "moves [then]", &Lowering::move_max},
      {"max Distance", "[str] [role] moves [then]", &Lowering::move_same},
      {"append", "moves [then]", &Lowering::move_append},
      {"forEach Piece", "[on:type] [strs] [container:any] [moves] [player] [top:flag] [then]",
       &Lowering::for_each_piece},
      {"forEach Site", "region moves [noMoveYet:moves] [then]", &Lowering::for_each_site_move},
      {"forEach Value", "[region/any] [min:int] [max:int] moves [then]", &Lowering::for_each_value},
      {"forEach Player", "moves [then]", &Lowering::for_each_player},
      {"forEach Direction", "[from] [dirs] [between] [to] [moves] [then]", &Lowering::for_each_direction},
      {"forEach Die", "[if:bool] moves [then]", &Lowering::for_each_die},
      {"move Add, add", "[piece] to [count:int] [stack:flag] [then]", &Lowering::move_add},
      {"move Step, step", "[from] [dirs] to [stack:flag] [then]", &Lowering::move_step},
      {"move Slide, slide", "[from] [str] [dirs] [between] [to] [stack:flag] [then]", &Lowering::move_slide},
      {"move Hop, hop", "[from] [dirs] [between] to [stack:flag] [then]", &Lowering::move_hop},
      {"move Leap, leap", "[from] array [forward:flag] [rotations:flag] to [then]", &Lowering::move_leap},
      {"move Remove, remove", "[type] site [level:int] [at:word] [count:int] [then]", &Lowering::move_remove},
      {"move Select, select", "from [to] [role] [then]", &Lowering::move_select},
      {"move Promote, promote", "[type] [int] piece [player] [then]", &Lowering::move_promote},
      {"move Shoot", "piece [from] [dirs] [between] [to] [then]", &Lowering::move_shoot},
      {"move Pass, pass", "[then]", &Lowering::move_pass},
      {"move Swap", "word [any] [any/second] [then]", &Lowering::move_swap},
      {"move, fromTo", "from to [count:int] [copy:flag] [stack:flag] [role] [then]", &Lowering::from_to},
  });
  return kRows;
}

void Lowering::moves(const Node& clause, NodeId from, const Env& env, const Body& behind) {
  const Range before = where_;
  const Kept kept(temporaries_);
  where_ = clause.where;
  guarded([&] {
    const auto row = find_ludeme(generators(), clause);
    if (row) return (this->*row->lower)(Call(clause, row->names, row->signature), from, env, behind);
    if (env.silent && !env.checked && find_ludeme(effects(), clause)) {
      // A search asks whether the effect would do something.
      const auto [done, did] = watched(from, [&](NodeId at) { return effect(clause, at, env); });
      return behind(check(done, did, 1), {constant(kOff), constant(kOff)});
    }
    // A simple effect is a move without a text of its own, and there is always one.
    if ((!env.silent && !env.checked) || !find_ludeme(simple_effects(), clause)) refuse(clause);
    behind(acts(env) ? effect(clause, from, env) : from, {constant(kOff), constant(kOff)});
  });
  where_ = before;
}

void Lowering::with_then(const Node* then, const Env& env, const Body& behind,
                         const std::function<void(const Env&, const Body&)>& build) {
  if (then == nullptr) return build(env, behind);
  Env inner = env;
  inner.then = then->whole() + env.then;
  build(inner, [&](NodeId at, const Made& made) { behind(acts(env) ? consequence(then, at, env) : at, made); });
}

void Lowering::move_or(const Call& call, NodeId from, const Env& env, const Body& behind) {
  with_then(call["then"], env, behind, [&](const Env& inner, const Body& body) {
    for (const Node* part : call.list()) moves(*part, from, inner, body);
  });
}

void Lowering::move_same(const Call& call, NodeId from, const Env& env, const Body& behind) {
  moves(call.need("moves"), from, env, behind);
}

void Lowering::move_if(const Call& call, NodeId from, const Env& env, const Body& behind) {
  const NodeId yes = node(), no = call["no"] == nullptr ? NodeId() : node();
  ask(call.need("bool"), from, yes, no, env);
  with_then(call["then"], env, behind, [&](const Env& inner, const Body& body) {
    moves(call.need("yes"), yes, inner, body);
    if (call["no"] != nullptr) moves(*call["no"], no, inner, body);
  });
}

void Lowering::move_priority(const Call& call, NodeId from, const Env& env, const Body& behind) {
  with_then(call["then"], env, behind, [&](const Env& inner, const Body& body) {
    NodeId at = from;
    for (std::size_t i = 0; i < call.list().size(); ++i) {
      const Node& part = *call.list()[i];
      moves(part, at, inner, body);
      if (i + 1 == call.list().size()) break;
      const NodeId next = node();
      ask_can_move(part, at, NodeId(), next, env);
      at = next;
    }
  });
}

// Moves after which a condition holds, or that follow an effect.
void Lowering::move_do(const Call& call, NodeId from, const Env& env, const Body& behind) {
  const Node* const test = call["ifAfterwards"];
  const Node& first = call.need("moves");
  const auto generate = [&](const Env& outer, const Body& body) {
    const Node* const next = call["next"];
    if (next == nullptr) return moves(first, from, outer, body);
    if (first.contains("roll")) {
      // They have been thrown before the player moves.
      if (!outer.thrown) refuse(first);
      return moves(*next, from, outer, body);
    }
    Env inner = outer;
    inner.then = first.whole() + outer.then;
    if (!pending_.valid() || find_clause("set Pending", first) == nullptr)
      return moves(*next, effect(first, from, outer), inner, body);
    // The sites that the first part names are pending in the second one, and behind the move.
    if (outer.planned_pending || test != nullptr) refuse(call.clause());
    const ExprId before = map_variable("pending_before", places_, {0, 1}, [](int) { return 0; });
    planned_pending_ = map_variable("planned_pending", places_, {0, 1}, [](int) { return 0; });
    NodeId at = from;
    const Commit act = plan(first, at, outer);
    at = act(clear(assign(at, before, pending_), pending_));
    at = unite(assign(at, planned_pending_, pending_), pending_, before);
    inner.planned_pending = true;
    moves(*next, at, inner, body);
  };
  with_then(call["then"], env, behind, [&](const Env& outer, const Body& body) {
    if (test == nullptr) return generate(outer, body);
    // A search for a threat ignores whether a move would leave a piece under threat.
    if (env.within.threat && test->is_clause("not") && !test->items.empty() &&
        names_clause("is Threatened", test->item(0)))
      return generate(outer, body);
    // Ludii clears the sites that were pending before the move behind the test only, and for the consequences again.
    // What follows the whole clause is not tested.
    const bool of_pieces = first.contains("forEach") && follows_pending(*d_.equipment);
    if (old_pending_.valid() && (of_pieces || follows_pending(first)))
      refuse(*test, "a test of `ifAfterwards:` with pending sites in consequences is not translated yet");
    Env inner = outer;
    inner.checked = true;
    const NodeId made = node();
    const Made ends = gather(outer.silent, made, [&](const Body& each) { generate(inner, each); });
    Env after;
    after.mover = env.mover;
    after.after_move = after.consequence = after.counted = true;
    after.silent = true;
    after.prev = env.prev;
    after.within = env.within;
    after.within.old_pending = true;
    NodeId at = made;
    if (uses_next_) {
      // If the turn goes on, the test sees the player before as the next one.
      std::vector<int> nobody = players_;
      nobody.insert(nobody.begin(), 0);
      after.next = temporary(next_, at, nobody);
      const NodeId goes_on = node(), seen = node();
      ask_equal(at, goes_on, seen, *after.next, env.mover);
      edge(goes_on, seen, ir::Assign{after.next->expr, slot_value(Slot::prev, env).expr});
      at = seen;
    }
    NodeId good = node();
    ask(*test, at, good, NodeId(), after);
    if (!outer.checked && !outer.silent) good = assign(good, mover(), g_.symbol(g_.keeper()));
    body(good, ends);
  });
}

// The moves with which the turn can become longest.
void Lowering::move_max(const Call& call, NodeId from, const Env& env, const Body& behind) {
  const Node& list = call.need("moves");
  if (call["then"] != nullptr) refuse(*call["then"]);
  if (env.chain || (env.silent && !env.checked) || !uses_next_) return moves(list, from, env, behind);
  // Each ply of a turn takes a piece, or the game is refused.
  const std::vector<int> numbers = ascending(0, e_.board_size());
  const Value left = value_of(variable("plies_left", numbers, 0), numbers);
  const Value best = value_of(variable("longest_turn", numbers, 0), numbers);
  const Value fewer = one_less(left);
  // Whether the turn can go on for as many plies as are left.
  const NodeId start = node(), again = node(), done = node(), found = node();
  Env chain = env;
  chain.silent = chain.checked = chain.chain = true;
  const auto ply = [&](NodeId at) {
    const NodeId after = assign(at, left.expr, fewer.expr);
    ask_equal(after, found, done, left, 0);
  };
  const NodeId made = node();
  moves(list, start, chain, [&](NodeId at, const Made&) { jump(at, made); });
  ply(made);
  // The next ply of the same player.
  NodeId next = check(done, next_, env.mover);
  next = assign(next, next_.expr, number(others(env.mover)));
  jump(next, again);
  chain.prev = constant(env.mover);
  chain.slots = {};
  const NodeId made_again = node();
  play_of_phase(env.mover, again, [&](const Node& play, NodeId at) {
    moves(play, at, chain, [&](NodeId end, const Made&) { jump(end, made_again); });
  });
  ply(made_again);
  const NodeId head = node(), ready = node(), longer = node();
  jump(assign(from, best.expr, number(1)), head);
  const NodeId tried = assign(head, left.expr, one_more(best).expr);
  edge(tried, longer, ir::Reachability{start, found, false});
  edge(tried, ready, ir::Reachability{start, found, true});
  edge(longer, head, ir::Assign{best.expr, one_more(best).expr});
  Env inner = env;
  inner.checked = true;
  const NodeId joined = node();
  const Made ends = gather(env.silent, joined, [&](const Body& each) { moves(list, ready, inner, each); });
  const NodeId counted = assign(joined, left.expr, one_less(best).expr);
  NodeId good = node();
  const NodeId more = node();
  ask_equal(counted, good, more, left, 0);
  edge(more, good, ir::Reachability{done, found, false});
  if (!env.checked && !env.silent) good = assign(good, mover(), g_.symbol(g_.keeper()));
  behind(good, ends);
}

// Leads all moves to one node. Their ends are noted if no text shows them.
Lowering::Made Lowering::gather(bool silent, NodeId joined, const std::function<void(const Body&)>& generate) {
  Made ends{value_of(variable(fmt::format("made_from{}", depth_), places_, kOff), places_),
            value_of(variable(fmt::format("made_to{}", depth_), places_, kOff), places_)};
  const Deeper deeper(depth_);
  generate([&](NodeId at, const Made& one) {
    if (silent) at = assign(assign(at, ends.from.expr, one.from.expr), ends.to.expr, one.to.expr);
    jump(at, joined);
  });
  return ends;
}

void Lowering::for_each_piece(const Call& call, NodeId from, const Env& env, const Body& behind) {
  if (const Node* const on = call["on"]; on != nullptr && statics_.type_or(on) != e_.use) refuse(*on);
  std::vector<int> sites = statics_.all_sites(e_.use);
  if (const Node* const container = call["container"]) {
    const Container* const one = container_of(*container, {}, env);
    if (one == nullptr) refuse(*container);
    sites = sites_of(*one);
  }
  const Node* const role = call["player"];
  Owned owned = owned_by(role, env, from);
  int player_number = env.mover;
  if (role == nullptr) {
    owned.fits = [this, m = env.mover](int c, int) { return owner_of(c) == m; };
  } else if (role->is_word("All") || role->is_word("Each")) {
    owned = owned_by(nullptr, env, from);
  } else if (role->is_word("NonMover") || role->is_word("Enemy")) {
    refuse(*role);
  } else {
    if (owned.player) {
      // The next player is not known: a list for each.
      for (const int p : owned.player->domain) {
        Env inner = env;
        inner.next = constant(p);
        if (!role->is_word("Next")) refuse(*role);
        for_each_piece(call, check(from, *owned.player, p), inner, behind);
      }
      return;
    }
    const auto number_ = statics_.integer(role->is_word() ? *role : role->item(0), known(env));
    if (!number_ || *number_ < 0) refuse(*role);
    if (*number_ >= 1 && *number_ <= n_) player_number = *number_;
  }
  std::vector<std::string> names;
  if (const Node* const list = call["strs"]) {
    for (const Node& one : list->each()) names.push_back(one.text);
  }
  // Ludii compares names without all their last digits.
  const auto ends_with_digit = [](const Component& one) {
    return !one.base.empty() && one.base.back() >= '0' && one.base.back() <= '9';
  };
  if (!names.empty() && std::ranges::any_of(e_.components, ends_with_digit)) refuse(*call["strs"]);
  with_then(call["then"], env, behind, [&](const Env& outer, const Body& body) {
    for (int component = 1; component <= static_cast<int>(e_.components.size()); ++component) {
      const Component& one = e_.component(component);
      if (!owned.fits(component, 0) || one.is_die) continue;
      if (!names.empty() && std::ranges::find(names, one.base) == names.end()) continue;
      const Node* const generator = call["moves"] == nullptr ? one.moves : call["moves"];
      if (generator == nullptr) continue;
      const Deeper deeper(depth_);
      const ExprId chosen = variable(fmt::format("from{}", depth_), places_, kOff);
      NodeId there = from;
      Env inner = outer.with(Slot::from, guess(chosen, sites, there));
      inner.component = component;
      const NodeId at = there;
      if (has_stacks_ && !call.flag("top")) {
        // Buried pieces move, too; without a level, they move the top of their stack.
        if (generator->contains("level")) {
          inner[Slot::level] = choose_level(there, fmt::format("level{}", depth_));
          inner.choices.push_back(*inner[Slot::level]);
          there = check(there, on_level("piece", *inner[Slot::from], *inner[Slot::level]), component);
        } else {
          there = node();
          ask_any_level({[component](int c, int) { return c == component; }, std::nullopt}, *inner[Slot::from], at,
                        there, NodeId());
        }
      } else {
        there = check(there, piece_on(inner[Slot::from].value()), component);
        if (has_stacks_) inner[Slot::level] = top_level(*inner[Slot::from]);
      }
      if (player_number != env.mover) {
        // Another player's pieces move as if it were that player's turn.
        if (!env.silent) refuse(call.clause());
        // What follows a move sees the real mover.
        if (inner.real_mover == 0) {
          inner.real_mover = env.mover;
          inner.real_prev = env.prev;
        }
        inner.mover = player_number;
        inner.next = inner.prev = constant(env.mover);
      }
      moves(*generator, there, inner, body);
    }
  });
}

void Lowering::for_each_site_move(const Call& call, NodeId from, const Env& env, const Body& behind) {
  const auto each = [&](NodeId at, const Env& outer, const Body& body) {
    const Deeper deeper(depth_);
    Env inner = outer.with(Slot::site, choose(call.need("region"), fmt::format("site{}", depth_), at, outer));
    if (inner[Slot::site]->constant && *inner[Slot::site]->constant == kOff) return;
    inner[Slot::to] = inner[Slot::site];
    inner.choices.push_back(*inner[Slot::site]);
    moves(call.need("moves"), at, inner, body);
  };
  with_then(call["then"], env, behind, [&](const Env& outer, const Body& body) {
    each(from, outer, body);
    const Node* const otherwise = call["noMoveYet"];
    if (otherwise == nullptr) return;
    const NodeId none = node();
    ask_exists(from, NodeId(), none, [&](NodeId start, NodeId found) {
      each(start, env.searching(), [&](NodeId at, const Made&) { jump(at, found); });
    });
    moves(*otherwise, none, outer, body);
  });
}

void Lowering::for_each_value(const Call& call, NodeId from, const Env& env, const Body& behind) {
  with_then(call["then"], env, behind, [&](const Env& outer, const Body& body) {
    Env inner = outer;
    const Deeper deeper(depth_);
    NodeId at = from;
    const auto one_of = [&](const std::vector<int>& values) {
      const std::string name = fmt::format("value{}_{}", depth_, type_of(values).value);
      inner[Slot::value] = guess(variable(name, values, values.front()), values, at);
      inner.choices.push_back(*inner[Slot::value]);
      return *inner[Slot::value];
    };
    if (const Node* const list = call["any"]) {
      refuse_negative(*list, at, env);
      const std::vector<int> values = region(*list, constant(kOff), at, env).sites;
      if (values.empty()) return;
      const Value value = one_of(values);
      const NodeId in = node();
      ask_member(*list, value, at, in, NodeId(), env);
      return moves(call.need("moves"), in, inner, body);
    }
    if (call["min"] == nullptr || call["max"] == nullptr) refuse(call.clause());
    const Value low = integer(*call["min"], env, at), high = integer(*call["max"], env, at);
    const std::vector<int> values = ascending(low.domain.front(), high.domain.back());
    if (values.empty()) return;
    limit_size(call.clause(), values.size());
    const Value value = one_of(values);
    at = check(at, table(value, low, [](int v, int l) { return v >= l ? 1 : 0; }), 1);
    at = check(at, table(value, high, [](int v, int h) { return v <= h ? 1 : 0; }), 1);
    moves(call.need("moves"), at, inner, body);
  });
}

void Lowering::for_each_player(const Call& call, NodeId from, const Env& env, const Body& behind) {
  for (int p = 1; p <= n_; ++p) {
    Env inner = env.with(Slot::player, constant(p));
    inner.then += fmt::format(" player {}", p);
    moves(call.need("moves"), from, inner, behind);
  }
}

// The directions from any site need a piece on (from).
NodeId Lowering::has_piece(const Value& from, NodeId at, const Env& env) {
  return env.component != 0 ? at : check(at, what(from), 0, false);
}

// Moves for the sites on lines from a site.
void Lowering::for_each_direction(const Call& call, NodeId from, const Env& env, const Body& behind) {
  NodeId at = from;
  Env outer = env;
  const To between = read_to(call["between"]), to = read_to(call["to"]);
  const Node* const body = call["moves"] != nullptr ? call["moves"] : to.effect;
  if (body == nullptr) refuse(call.clause());
  const Bounds range = bounds_of(between.range, {1, 1}, env);
  at = has_piece(slot_value(Slot::from, env), at, env);
  const Value start = start_site(call["from"], at, outer);
  if (env[Slot::to] && follow_a_piece(call["dirs"], env)) {
    // Relative to the direction of the step that is being made.
    if (call["from"] == nullptr || between.clause != nullptr) refuse(call.clause());
    return turned_direction(call, start, at, env, to, body, behind);
  }
  const Lines lines = lines_of(call["dirs"], outer, false);
  const Deeper deeper(depth_);
  const Beam beam = choose_beam(fmt::format("way{}", depth_), lines, start, at);
  if (!beam.way.valid()) return;
  with_then(call["then"], env, behind, [&](const Env& around, const Body& made) {
    NodeId here = at;
    for (int i = 1; i <= std::min(range.high, static_cast<int>(beam.length)); ++i) {
      const Value target = value_of(variable(fmt::format("to{}_{}", depth_, i), places_, kOff), beam.sites);
      here = assign(here, target.expr, g_.access(beam.table, number(i - 1)));
      here = check(here, value_of(target.expr, places_), kOff, false);
      const Env bound = around.with(Slot::to, target);
      if (between.test != nullptr && range.low > 1 && i < range.low) here = holds(*between.test, here, bound);
      if (to.test != nullptr) here = holds(*to.test, here, bound);
      if (i >= range.low) moves(*body, here, bound, made);
    }
  });
}

void Lowering::turned_direction(const Call& call, const Value& start, NodeId at, const Env& env, const To& to,
                                const Node* body, const Body& behind) {
  // By the site before and the site itself: the sites one step further on.
  const Value before = slot_value(Slot::from, env);
  if (call["then"] != nullptr) refuse(call.clause());
  std::map<std::pair<int, int>, std::vector<int>> ends;
  std::size_t most = 0;
  for (int a = 0; a < e_.board_size(); ++a) {
    for (const Neighbour& step : e_.topology->site(e_.use, a).steps) {
      std::optional<Direction> heading;
      for (const Direction d : list_of(step.kinds)) {
        if (is_compass(d)) heading = d;
      }
      if (!heading) continue;
      const auto list = statics_.directions(call.need("dirs"), *heading, step.to, known(env));
      if (!list) refuse(call.need("dirs"));
      auto& targets = ends[{a, step.to}];
      for (const Direction d : *list) {
        for (const Radial& radial : e_.topology->radials(e_.use, d, step.to)) {
          if (radial.size() > 1 && std::ranges::find(targets, radial[1]) == targets.end()) targets.push_back(radial[1]);
        }
      }
      most = std::max(most, targets.size());
    }
  }
  for (std::size_t k = 0; k < most; ++k) {
    const Deeper deeper(depth_);
    const Value next = table(before, start, [&](int a, int b) {
      const auto it = ends.find({a, b});
      return it == ends.end() || it->second.size() <= k ? kOff : it->second[k];
    });
    NodeId here = check(at, next, kOff, false);
    const Value target = value_of(variable(fmt::format("to{}", depth_), places_, kOff), statics_.all_sites(e_.use));
    here = assign(here, target.expr, next.expr);
    const Env bound = env.with(Slot::to, target);
    if (to.test != nullptr) here = holds(*to.test, here, bound);
    moves(*body, here, bound, behind);
  }
}

}  // namespace rgtrans::ludii
