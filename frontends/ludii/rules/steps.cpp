// The moves themselves: step, slide, hop, leap, add, remove, select, promote, pass, from one site to another.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

namespace {

bool reads_slot(const Node& node, Slot slot) {
  return find_slot(node) == slot ||
         std::ranges::any_of(node.items, [slot](const Node& item) { return reads_slot(item, slot); });
}

}  // namespace

void Lowering::finish_step(const Call& call, const std::vector<std::vector<Radial>>& lines, const To& to,
                           const Value& from, NodeId at, const Env& env, const Body& behind, const Load& load) {
  const Deeper deeper(depth_);
  const Beam beam = choose_beam(fmt::format("way{}", depth_), lines, from, at);
  if (!beam.way.valid()) return;
  const Value target = value_of(variable(fmt::format("to{}", depth_), places_, kOff), beam.sites);
  at = assign(at, target.expr, g_.access(beam.table, number(0)));
  at = check(at, value_of(target.expr, places_), kOff, false);
  const Env bound = env.with(Slot::from, from).with(Slot::to, target);
  if (to.test != nullptr) at = holds(*to.test, at, bound);
  finish_move(at, from, target, env, {{to, bound}}, call["then"], pairs_of(lines, 1, 2), behind, load);
}

void Lowering::move_step(const Call& call, NodeId at, const Env& given, const Body& behind) {
  Env env = given;
  const Value from = start_site(call["from"], at, env);
  if (from.constant && !e_.is_board_site(*from.constant)) return;
  const To to = read_to(call["to"]);
  for_each_facing(call, from, at, env, true, [&](NodeId here, const Lines& lines, const Env& inner) {
    finish_step(call, lines, to, from, here, inner, behind, {.stack = call.flag("stack"), .keeps_state = true});
  });
}

void Lowering::move_slide(const Call& call, NodeId at, const Env& given, const Body& behind) {
  Env env = given;
  const Value from = start_site(call["from"], at, env);
  if (from.constant && !e_.is_board_site(*from.constant)) return;
  const To between = read_to(call["between"]);
  if (call["str"] != nullptr || between.region != nullptr || between.effect != nullptr) refuse(call.clause());
  for_each_facing(call, from, at, env, false, [&](NodeId here, const Lines& lines, const Env& inner) {
    finish_slide(call, lines, from, here, inner, behind);
  });
}

void Lowering::finish_slide(const Call& call, const Lines& lines, const Value& from, NodeId at, const Env& env,
                            const Body& behind) {
  const To between = read_to(call["between"]), to = read_to(call["to"]);
  const Bounds range = bounds_of(between.range, {1, kInfinity}, env);
  const Deeper deeper(depth_);
  const Beam beam = choose_beam(fmt::format("way{}", depth_), lines, from, at);
  if (!beam.way.valid()) return;
  const Runner runner = run_along(beam, at);
  const Value target = value_of(runner.site.expr, beam.sites);
  const Env bound = env.with(Slot::from, from).with(Slot::to, target);
  const NodeId head = node(), arrived = node();
  jump(at, head);
  NodeId here = read_site(beam, runner, head, NodeId());
  if (range.high < static_cast<int>(beam.length)) {
    const NodeId near = node();
    ask_test(runner.index, here, near, NodeId(), [&](int i) { return i < range.high; });
    here = near;
  }
  const auto land = [&](NodeId landing) {
    if (range.low > 1) {
      const NodeId far = node();
      ask_test(runner.index, landing, far, NodeId(), [&](int i) { return i + 1 >= range.low; });
      landing = far;
    }
    if (to.effect_test != nullptr) landing = holds(*to.effect_test, landing, bound);
    jump(landing, arrived);
  };
  if (to.test != nullptr) {
    // Such a site ends the line, if it is far enough.
    const NodeId far = node(), terminal = node(), further = node();
    ask_test(runner.index, here, far, further, [&](int i) { return i + 1 >= range.low; });
    ask(*to.test, far, terminal, further, bound);
    land(terminal);
    here = further;
  }
  NodeId free = node();
  if (between.test != nullptr) {
    ask(*between.test, here, free, NodeId(), bound.with(Slot::between, target));
  } else {
    ask_equal(here, free, NodeId(), what(target), 0);
  }
  land(free);
  jump(step_on(runner, free), head);
  To shown = to;
  shown.effect_test = nullptr;
  finish_move(arrived, from, target, env, {{shown, bound}}, call["then"], pairs_of(lines, 1, SIZE_MAX), behind,
              {.stack = call.flag("stack")});
}

// The sites before the first hurdle, a run of hurdles, and the sites behind them.
void Lowering::move_hop(const Call& call, NodeId at, const Env& given, const Body& behind) {
  Env env = given;
  const Value from = start_site(call["from"], at, env);
  if (from.constant && !e_.is_board_site(*from.constant)) return;
  for_each_facing(call, from, at, env, false, [&](NodeId here, const Lines& lines, const Env& inner) {
    finish_hop(call, lines, from, here, inner, behind);
  });
}

void Lowering::finish_hop(const Call& call, const Lines& lines, const Value& from, NodeId at, const Env& env,
                          const Body& behind) {
  const To between = read_to(call["between"]), to = read_to(call["to"]);
  const auto limit = [&](const Node* node_) {
    const auto value = statics_.integer_or(node_, 0, known(env));
    if (!value) refuse(*node_);
    return std::max(0, *value);
  };
  const int before = limit(between.before), after = limit(between.after);
  const Bounds range = bounds_of(between.range, {1, 1}, env);
  // A condition on the effect of the landing changes the meaning of the move: it ends on the first site that is no
  // landing, and takes none of the hurdles.
  const bool shoots = to.effect_test != nullptr;
  if (to.test == nullptr || between.region != nullptr || range.low < 1 || between.effect_test != nullptr ||
      (shoots && range.high > 1))
    refuse(call.clause());
  // Without a least number, Ludii also lands before the last hurdles, if these sites are free.
  if (between.range != nullptr && between.range->is_clause("max") &&
      (before > 0 || !names_clause("is Empty", *to.test) || find_slot(to.test->last_item()) != Slot::to))
    refuse(call.clause());
  if (call["between"] != nullptr && between.test == nullptr) return;
  const Deeper deeper(depth_);
  const Beam beam = choose_beam(fmt::format("way{}", depth_), lines, from, at);
  if (!beam.way.valid() || beam.length < 2) return;
  const auto length = static_cast<int>(beam.length);
  const Runner runner = run_along(beam, at);
  const Value site = value_of(runner.site.expr, beam.sites);
  const Value hurdle = value_of(variable(fmt::format("between{}", depth_), places_, kOff), beam.sites);
  Env bound = env.with(Slot::from, from);
  const auto ask_hurdle = [&](NodeId here, NodeId yes, NodeId no) {
    if (between.test == nullptr) return jump(here, yes);
    ask(*between.test, here, yes, no, bound.with(Slot::between, site));
  };
  const auto ask_landing = [&](const Node& test, NodeId here, NodeId yes, NodeId no) {
    ask(test, here, yes, no, bound.with(Slot::to, site).with(Slot::between, hurdle));
  };
  // The way to the first hurdle.
  const NodeId first = node();
  NodeId head = node();
  jump(at, head);
  for (int i = 0; i <= std::min(before, length - 1); ++i) {
    const NodeId here = read_site(beam, runner, head, NodeId());
    const bool more = i < std::min(before, length - 1);
    const NodeId free = more ? node() : NodeId();
    ask_hurdle(here, first, free);
    if (!more) break;
    const NodeId passable = node();
    ask_landing(*to.test, free, passable, NodeId());
    head = step_on(runner, passable);
  }
  const Value first_index = before > 0 || range.high > 1 ? temporary(runner.index, at = first) : runner.index;
  NodeId run = before > 0 || range.high > 1 ? at : first;
  Pairs pairs = pairs_of(lines, 2, SIZE_MAX);
  const NodeId made = node();
  const int most = std::min(range.high, length - 1);
  const std::vector<int> numbers_ = ascending(0, most);
  const Value jumped = most > 1 ? temporary(constant(0), run, numbers_) : constant(1);
  for (int j = 1; j <= most; ++j) {
    run = assign(run, hurdle.expr, site.expr);
    if (most > 1) run = assign(run, jumped.expr, number(j));
    run = step_on(runner, run);
    // Landings behind this hurdle, or the next hurdle of the run.
    if (j >= range.low) {
      NodeId landing = node();
      jump(run, landing);
      for (int k = 0; k <= std::min(after, length); ++k) {
        const NodeId here = read_site(beam, runner, landing, NodeId());
        const NodeId lands = node(), fails = shoots ? node() : NodeId();
        ask_landing(*to.test, here, lands, fails);
        if (shoots) {
          ask_landing(*to.effect_test, fails, made, NodeId());
        } else {
          jump(lands, made);
        }
        if (k == std::min(after, length)) break;
        landing = step_on(runner, lands);
      }
    }
    if (j == most) break;
    const NodeId here = read_site(beam, runner, run, NodeId());
    const NodeId next = node();
    ask_hurdle(here, next, NodeId());
    run = next;
  }
  bound = bound.with(Slot::to, site).with(Slot::between, hurdle);
  std::string outcome = text_of({{to, bound}, {between, bound}}, call["then"]);
  NodeId shown = show(made, from, site, env, std::move(outcome), std::move(pairs));
  // Several ways to one site differ in their hurdles.
  if (!env.silent && hurdles_are_ambiguous(lines, before, most, after)) {
    shown = tag(tag(over(shown), hurdle), jumped);
  }
  const Made result{from, site};
  if (!acts(env)) return behind(shown, result);
  at = to_keeper(shown, env);
  const Value target = site;
  if (shoots) {
    To landing = to;
    landing.effect_test = nullptr;
    at = apply_all({{landing, bound}}, at);
  } else if (between.effect != nullptr && most > 1) {
    // Every hurdle in its turn. They see each other's effects, so these must be plain.
    if (!between.effect->is_clause("remove")) refuse(*between.effect);
    const Value kept = temporary(target, at, places_);
    at = apply_all({{to, bound}}, at);
    const Value left = temporary(jumped, at, numbers_);
    at = assign(at, runner.index.expr, first_index.expr);
    const NodeId loop_head = node(), done = node(), more = node();
    jump(at, loop_head);
    ask_equal(loop_head, done, more, left, 0);
    const NodeId there = read_site(beam, runner, more, done);
    const Env one = bound.with(Slot::between, runner.site).with(Slot::to, kept);
    NodeId acted = effect(*between.effect, there, one);
    acted = assign(acted, left.expr, one_less(left).expr);
    jump(step_on(runner, acted), loop_head);
    at = assign(done, runner.site.expr, kept.expr);
  } else {
    at = apply_all({{to, bound}, {between, bound}}, at);
  }
  at = call.flag("stack") ? restack_block(at, from, target, temporary(height(from), at))
                          : relocate(at, from, target, {}, false);
  consequences(call["then"], at, result, env, behind);
}

bool Lowering::hurdles_are_ambiguous(const std::vector<std::vector<Radial>>& lines, int before, int most, int after) {
  if (before > 0 || most > 1 || after > 0) return true;
  for (const auto& list : lines) {
    std::map<int, int> hurdles;
    for (const Radial& radial : list) {
      if (radial.size() > 2 && hurdles.try_emplace(radial[2], radial[1]).first->second != radial[1]) return true;
    }
  }
  return false;
}

void Lowering::move_leap(const Call& call, NodeId at, const Env& given, const Body& behind) {
  Env env = given;
  const Value from = start_site(call["from"], at, env);
  if (from.constant && !e_.is_board_site(*from.constant)) return;
  const To to = read_to(call["to"]);
  const bool forward = call.flag("forward");
  if (to.test == nullptr || (forward && env.component == 0)) refuse(call.clause());
  // Ends that lie ahead of the piece, by row and column.
  const auto is_ahead = [&](int site, int end) {
    constexpr int kQuarter = kCompass / 4, kEighth = kCompass / 8;
    const int facing = static_cast<int>(e_.facing(env.component));
    if (facing % kEighth != 0) refuse(call.clause());
    const auto &a = e_.topology->site(e_.use, site), &b = e_.topology->site(e_.use, end);
    // North and east are positive.
    const auto sign = [&](int axis) {
      const int distance = (facing - axis + kCompass) % kCompass;
      return distance < kQuarter || distance > 3 * kQuarter   ? 1
             : distance > kQuarter && distance < 3 * kQuarter ? -1
                                                              : 0;
    };
    const int up = sign(0), right = sign(kQuarter);
    return (up == 0 || (b.row - a.row) * up > 0) && (right == 0 || (b.column - a.column) * right > 0);
  };
  std::vector<std::vector<Radial>> lines;
  for (int site = 0; site < e_.board_size(); ++site) {
    auto& list = lines.emplace_back();
    for (const int end : statics_.walk_ends(call.need("array"), site, call.flag("rotations", true))) {
      if (!forward || is_ahead(site, end)) list.push_back({site, end});
    }
  }
  finish_step(call, lines, to, from, at, env, behind, {});
}

void Lowering::move_shoot(const Call& call, NodeId at, const Env& given, const Body& behind) {
  Env env = given;
  const To between = read_to(call["between"]), to = read_to(call["to"]);
  // Ludii asks nothing between. Without a condition on the target, it asks for an empty cell on any board.
  if (to.effect != nullptr || between.effect != nullptr || between.range != nullptr) refuse(call.clause());
  if (to.test == nullptr && e_.use != SiteType::cell) refuse(call.clause());
  const Value from = first_site(call, last_to_, at, env);
  const std::vector<int> components = components_in(&call.need("piece"), env);
  if (components.size() != 1) refuse(call.clause());
  env.component = 0;
  const auto lines = lines_of(call["dirs"], env, false);
  const Deeper deeper(depth_);
  at = after_test(from, at, NodeId(), [this](int s) { return e_.is_board_site(s); });
  const Beam beam = choose_beam(fmt::format("way{}", depth_), lines, from, at);
  if (!beam.way.valid()) return;
  const Runner runner = run_along(beam, at);
  const Value target = value_of(runner.site.expr, beam.sites);
  const NodeId head = node(), free = node();
  jump(at, head);
  const NodeId here = read_site(beam, runner, head, NodeId());
  if (to.test != nullptr) {
    ask(*to.test, here, free, NodeId(), env.with(Slot::to, target));
  } else {
    ask_equal(here, free, NodeId(), what(target), 0);
  }
  jump(step_on(runner, free), head);
  make_move(call, free, {target, target}, env, text_of({{to, env}}, call["then"]) + call.need("piece").whole(), behind,
            [&](NodeId here_) { return place_on(here_, target, constant(components.front())); });
}

void Lowering::move_add(const Call& call, NodeId at, const Env& env, const Body& behind) {
  if (call.flag("stack")) refuse(call.clause());
  const To to = read_to(call["to"]);
  if (to.region == nullptr) refuse(call.clause());
  const Node* const piece = call["piece"];
  const Node* const state = piece == nullptr ? nullptr : Call(*piece, "piece", "[any] [state:int]")["state"];
  std::optional<Value> named;
  if (piece != nullptr && !piece->item(0).is_string() && !piece->item(0).is_array())
    named = integer(piece->item(0), env, at);
  std::vector<int> components = piece == nullptr ? std::vector<int>{env.mover}
                                : named          ? named->domain
                                                 : components_in(piece, env);
  if (!named && components.size() > 1 && !is_region(*to.region)) components.resize(1);
  for (const int component : components) {
    if (named && component < 1) continue;
    if (component < 1 || component > static_cast<int>(e_.components.size())) refuse(call.clause());
    const Deeper deeper(depth_);
    NodeId here = named && !named->constant ? check(at, *named, component) : at;
    Value site = pick(*to.region, "to", here, env);
    if (site.constant && *site.constant == kOff) continue;
    Env bound = env.with(Slot::to, site);
    if (to.test != nullptr) here = holds(*to.test, here, bound);
    bound[Slot::from] = site;
    const std::string outcome = fmt::format(
        "add {}{}{} {}", component, state == nullptr ? "" : " state " + state->whole(),
        call["count"] == nullptr ? "" : " count " + call["count"]->whole(), text_of({{to, bound}}, call["then"]));
    make_move(call, here, {site, site}, env, outcome, behind, [&](NodeId at_) {
      std::optional<Value> count, local;
      if (call["count"] != nullptr) count = hold(integer(*call["count"], bound, at_), at_, true);
      if (state != nullptr) local = hold(integer(*state, bound, at_), at_, true);
      return place_on(apply_all({{to, bound}}, at_), site, constant(component), count, local);
    });
  }
}

void Lowering::move_remove(const Call& call, NodeId at, const Env& env, const Body& behind) {
  if (call["level"] != nullptr || call["at"] != nullptr) refuse(call.clause());
  type_in(call);
  const Deeper deeper(depth_);
  const Value site = pick(call.need("site"), "to", at, env);
  if (site.constant && *site.constant == kOff) return;
  at = check(at, what(site), 0, false);
  // A site is cleared at once, and a move is made at least once; stacks would lose several pieces.
  if (call["count"] != nullptr && has_stacks_) refuse(*call["count"]);
  make_move(call, at, {site, site}, env, "remove " + whole_then(call), behind,
            [&](NodeId here) { return remove_from(here, site); });
}

void Lowering::from_to(const Call& call, NodeId at, const Env& env, const Body& behind) {
  if (const Node* const role = call["role"]; role != nullptr && !role->is_word("Mover")) refuse(*role);
  const To origin = read_to(call["from"]), to = read_to(call["to"]);
  if (origin.effect != nullptr || to.level != nullptr) refuse(call.clause());
  // A condition on the effect sees (from) as it is around the move.
  if (to.effect_test != nullptr && origin.region != nullptr && find_slot(*origin.region) != Slot::from &&
      reads_slot(*to.effect_test, Slot::from))
    refuse(*to.effect_test);
  const Deeper deeper(depth_);
  const Value from = origin.region == nullptr ? slot_value(Slot::from, env) : pick(*origin.region, "from", at, env);
  if (from.constant && *from.constant == kOff) return;
  const Env started = env.with(Slot::from, from);
  at = check(at, what(from), 0, false);
  if (origin.test != nullptr) at = holds(*origin.test, at, started);
  const Value site = to.region == nullptr ? slot_value(Slot::to, env) : pick(*to.region, "to", at, started);
  if (site.constant && *site.constant == kOff) return;
  const Env bound = started.with(Slot::to, site);
  if (to.test != nullptr) at = holds(*to.test, at, bound);
  finish_move(at, from, site, env, {{to, bound}}, call["then"], pairs_of(from, site), behind,
              {.count = call["count"], .level = origin.level, .copy = call.flag("copy"), .stack = call.flag("stack")});
}

void Lowering::move_select(const Call& call, NodeId at, const Env& env, const Body& behind) {
  if (const Node* const role = call["role"]; role != nullptr && !role->is_word("Mover")) refuse(*role);
  const To origin = read_to(call["from"]), to = read_to(call["to"]);
  if (origin.effect != nullptr || to.effect != nullptr) refuse(call.clause());
  const Deeper deeper(depth_);
  const Value from = origin.region == nullptr ? slot_value(Slot::from, env) : pick(*origin.region, "from", at, env);
  if (from.constant && *from.constant == kOff) return;
  Env bound = env.with(Slot::from, from).with(Slot::to, from);
  if (origin.test != nullptr) at = holds(*origin.test, at, bound);
  Value target = from;
  if (to.clause != nullptr) {
    if (to.region == nullptr) refuse(*to.clause);
    target = pick(*to.region, "to", at, bound);
    if (target.constant && *target.constant == kOff) return;
    bound[Slot::to] = target;
    if (to.test != nullptr) at = holds(*to.test, at, bound);
  }
  make_move(call, at, {from, target}, env, "select " + whole_then(call), behind, [](NodeId here) { return here; });
}

void Lowering::move_promote(const Call& call, NodeId at, const Env& env, const Body& behind) {
  type_in(call);
  const Deeper deeper(depth_);
  const Value site = call["int"] == nullptr ? slot_value(Slot::to, env) : pick(*call["int"], "to", at, env);
  if (site.constant && *site.constant == kOff) return;
  for (const int component : components_in(call["piece"], env, call["player"])) {
    make_move(call, at, {site, site}, env, fmt::format("promote {} {}", component, whole_then(call)), behind,
              [&](NodeId here) { return place_on(remove_from(here, site), site, constant(component)); });
  }
}

void Lowering::move_pass(const Call& call, NodeId at, const Env& env, const Body& behind) {
  const Made made{constant(kOff), constant(kOff)};
  if (!env.silent) {
    const NodeId shown = node();
    edge(at, shown, ir::Tag{g_.symbols.intern("pass")});
    at = node();
    outcomes_.push_back({shown, at, text_of({}, call["then"]) + env.then, {{kOff, kOff}}, 0});
  }
  if (acts(env)) at = assign(to_keeper(at, env), made_pass_, number(1));
  consequences(call["then"], at, made, env, behind);
}

void Lowering::move_swap(const Call& call, NodeId at, const Env& env, const Body& behind) {
  if (!call.need("word").is_word("Pieces")) refuse(call.clause());
  const Value a = call["any"] == nullptr ? last_from_ : pick(*call["any"], "from", at, env);
  const Value b = call["second"] == nullptr ? last_to_ : pick(*call["second"], "to", at, env);
  make_move(call, at, {a, b}, env, "swap" + text_of({}, call["then"]), behind,
            [&](NodeId here) { return exchange(here, a, b); });
}

std::string Lowering::whole_then(const Call& call) { return call["then"] == nullptr ? "" : call["then"]->whole(); }

// Shows and makes a move that acts in one way.
void Lowering::make_move(const Call& call, NodeId at, const Made& made, const Env& env, const std::string& outcome,
                         const Body& behind, const std::function<NodeId(NodeId)>& act) {
  at = show(at, made.from, made.to, env, outcome, pairs_of(made.from, made.to));
  if (acts(env)) at = act(to_keeper(at, env));
  consequences(call["then"], at, made, env, behind);
}

// The components that (piece …) names, of an owner if one is given.
std::vector<int> Lowering::components_in(const Node* piece, const Env& env, const Node* role) {
  if (piece == nullptr) return {};
  const Call call(*piece, "piece", "any [player] [state:int]");
  const Node& names = call.need("any");
  if (role == nullptr) role = call["player"];
  std::vector<int> result;
  for (const Node& name : names.each()) {
    if (!name.is_string()) {
      const auto number_ = statics_.integer(name, known(env));
      if (!number_) refuse(name);
      result.push_back(*number_);
      continue;
    }
    int component = e_.find_component(name.text);
    if (role != nullptr) {
      const auto owner = statics_.role(role->text, known(env));
      const auto found = owner ? statics_.components_like(name.text, *owner) : std::vector<int>();
      // A search may move a piece that has no such other one.
      if (found.empty() && env.silent) continue;
      if (found.empty()) refuse(*piece);
      component = found.front();
    }
    if (component == 0) {
      // The name without an owner, in a place where the owner follows from it.
      refuse(name);
    }
    result.push_back(component);
  }
  return result;
}

}  // namespace rgtrans::ludii
