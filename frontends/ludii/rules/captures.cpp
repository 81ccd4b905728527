// Captures of several pieces, and sowing.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "frontends/ludii/rules/lowering.hpp"
#include "frontends/ludii/rules/touches.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

// Marks sites on the lines of a site of the board.
NodeId Lowering::mark_along(const Lines& lines, const Value& start, NodeId at,
                            const std::function<NodeId(NodeId at, const Beam& beam)>& body) {
  return when(at, passes(start, [this](int s) { return e_.is_board_site(s); }),
              [&](NodeId on_board) { return walk_lines(lines, start, on_board, body); });
}

// Runs of targets with a friend behind them.
NodeId Lowering::effect_custodial(const Call& call, NodeId at, const Env& given) {
  Env env = given;
  const To between = read_to(call["between"]), to = read_to(call["to"]);
  if (between.test == nullptr || to.test == nullptr || between.effect_test != nullptr || to.effect != nullptr)
    refuse(call.clause());
  Bounds range = bounds_of(between.range, {1, kInfinity}, env);
  range.low = std::max(range.low, 1);
  const Value start = first_site(call, last_to_, at, env);
  env.component = 0;
  const auto lines = lines_of(call["dirs"], env, false);
  const ExprId map_ref = marks(at);
  const NodeId marked_all = mark_along(lines, start, at, [&](NodeId each, const Beam& beam) {
    const Runner runner = run_along(beam, each);
    const Value length = temporary(constant(0), each, runner.index.domain);
    const NodeId head = node(), end = node(), ran = node(), off = range.high == 1 ? end : node();
    jump(each, head);
    const NodeId here = read_site(beam, runner, head, off);
    NodeId target = node();
    ask(*between.test, here, target, ran, env.with(Slot::between, runner.site));
    if (range.high < static_cast<int>(beam.length)) {
      // Longer runs are cut; the site behind must be a friend then.
      const NodeId more = node();
      ask_test(runner.index, target, more, ran, [&](int i) { return i < range.high; });
      target = more;
    }
    jump(step_on(runner, target), head);
    // The site behind the run.
    const NodeId some = node(), flanked = node();
    ask_test(runner.index, ran, some, end, [&](int i) { return i >= range.low; });
    ask(*to.test, some, flanked, end, env.with(Slot::to, runner.site));
    if (off != end) {
      // Behind the last site of a line, (to) is -1.
      const NodeId long_enough = node();
      ask_test(runner.index, off, long_enough, end, [&](int i) { return i >= range.low; });
      ask(*to.test, long_enough, flanked, end, env.with(Slot::to, constant(kOff)));
    }
    const NodeId measured = assign(assign(flanked, length.expr, runner.index.expr), runner.index.expr, number(0));
    const NodeId mark_head = node(), mark_one = node();
    jump(measured, mark_head);
    ask_equal(mark_head, end, mark_one, runner.index, length);
    const NodeId there = read_site(beam, runner, mark_one, end);
    jump(step_on(runner, mark(there, map_ref, runner.site)), mark_head);
    return end;
  });
  return act_on_marked(map_ref, statics_.all_sites(e_.use), Slot::between, between, marked_all, env);
}

// Neighbours that are targets and have friends on all their sides.
NodeId Lowering::effect_surround(const Call& call, NodeId at, const Env& given) {
  Env env = given;
  const To between = read_to(call["between"]), to = read_to(call["to"]);
  // Ludii drops its consequences.
  if (between.test == nullptr || to.test == nullptr || call["with"] != nullptr || between.effect_test != nullptr)
    refuse(call.clause());
  const auto except = statics_.integer_or(call["except"], 0, known(env));
  if (!except || *except < 0) refuse(call.clause());
  const Value failed = temporary(constant(0), at, ascending(0, *except));
  const Value start = first_site(call, slot_value(Slot::from, env), at, env);
  env.component = 0;
  const auto neighbours = neighbours_of(call["dirs"], env);
  const ExprId map_ref = marks(at);
  const NodeId marked_all =
      mark_along(lines_of(call["dirs"], env, true), start, at, [&](NodeId each, const Beam& beam) {
        const Runner runner = run_along(beam, each);
        NodeId target = node();
        const NodeId end = node(), dead = node();
        const NodeId here = read_site(beam, runner, each, end);
        ask(*between.test, here, target, end, env.with(Slot::between, runner.site));
        target = assign(target, failed.expr, number(0));
        ask_neighbour(neighbours, runner.site, target, end, dead,
                      [&](const Value& other, NodeId from, NodeId free, NodeId held) {
                        const NodeId elsewhere = node();
                        ask_equal(from, held, elsewhere, other, start);
                        // So many sides may be free.
                        const NodeId fails = node(), more = node();
                        ask(*to.test, elsewhere, held, fails, env.with(Slot::to, other));
                        ask_equal(fails, free, more, failed, *except);
                        if (*except > 0) edge(more, held, counting(failed));
                      });
        edge(dead, end, marking(map_ref, runner.site));
        return end;
      });
  return act_on_marked(map_ref, statics_.all_sites(e_.use), Slot::between, between, marked_all, env);
}

// Groups of targets beside a site that have no empty neighbour.
NodeId Lowering::effect_enclose(const Call& call, NodeId at, const Env& given) {
  Env env = given;
  type_in(call);
  const To between = read_to(call["between"]);
  if (between.test == nullptr || call["numException"] != nullptr || between.effect_test != nullptr)
    refuse(call.clause());
  const Value start = first_site(call, last_to_, at, env);
  env.component = 0;
  const auto neighbours = neighbours_of(call["dirs"], env);
  const std::vector<int> sites = statics_.all_sites(e_.use);
  const ExprId dead = marks(at);
  const NodeId there = node(), on_board = node(), marked_all = node();
  ask_test(start, at, there, marked_all, [this](int s) { return e_.is_board_site(s); });
  ask_equal(there, marked_all, on_board, what(start), 0);
  const auto fits = [&](const Value& site, NodeId from, NodeId yes, NodeId no) {
    // An empty target would have to be enclosed by one chain.
    const NodeId piece = node();
    ask_equal(from, no, piece, what(site), 0);
    ask(*between.test, piece, yes, no, env.with(Slot::between, site));
  };
  const NodeId walked =
      walk_lines(lines_of(call["dirs"], env, true), start, on_board, [&](NodeId each, const Beam& beam) {
        const Runner runner = run_along(beam, each);
        const NodeId end = node(), fresh = node(), target = node(), alive = end, gone = node();
        const NodeId here = read_site(beam, runner, each, end);
        ask_equal(here, end, fresh, marked(dead, runner.site), 1);
        fits(runner.site, fresh, target, end);
        NodeId begin = target;
        const ExprId group = marks(begin);
        begin = flood(group, neighbours, mark(begin, group, runner.site), fits);
        ask_some(sites, begin, alive, gone, [&](const Value& site, NodeId search, NodeId found) {
          const NodeId empty = node();
          ask_equal(search, empty, NodeId(), what(site), 0);
          ask_neighbour(neighbours, site, empty, found, NodeId(), is_marked(group));
        });
        NodeId all = gone;
        const Value site = temporary(constant(sites.front()), all, sites);
        jump(loop(sites, site, all,
                  [&](NodeId one) { return when(one, equals(marked(group, site), 1), marking(dead, site)); }),
             end);
        return end;
      });
  jump(walked, marked_all);
  return act_on_marked(dead, sites, Slot::between, between, marked_all, env);
}

// Targets on both sides of a site.
NodeId Lowering::effect_intervene(const Call& call, NodeId at, const Env& given) {
  Env env = given;
  const To between = read_to(call["between"]), to = read_to(call["to"]);
  const Bounds range = bounds_of(between.range, {1, 1}, env);
  const Node* const where = call["dirs"];
  const auto direction = where == nullptr   ? std::optional(Direction::adjacent)
                         : where->is_word() ? find_direction(where->text)
                                            : std::nullopt;
  if (to.test == nullptr || range.low != 1 || range.high != 1 || to.effect_test != nullptr || !direction ||
      between.test != nullptr || between.effect != nullptr)
    refuse(call.clause());
  const Value start = first_site(call, last_to_, at, env);
  env.component = 0;
  const auto windows = lines_through(*direction, 3, false);
  std::size_t most = 0;
  std::map<int, std::vector<std::pair<int, int>>> pairs;
  for (const auto& [site, list] : windows) {
    for (const std::vector<int>& window : list) {
      // The site must be the middle one: a neighbour of both.
      std::vector<int> ends;
      for (const int one : window) {
        const auto near = e_.topology->neighbours(e_.use, site, Direction::all);
        if (one != site && std::ranges::find(near, one) != near.end()) ends.push_back(one);
      }
      if (ends.size() == 2) pairs[site].emplace_back(ends[0], ends[1]);
    }
    most = std::max(most, pairs[site].size());
  }
  const ExprId map_ref = marks(at);
  for (std::size_t k = 0; k < most; ++k) {
    const auto end_of = [&](bool first) {
      return table(start, [&](int s) {
        const auto it = pairs.find(s);
        if (it == pairs.end() || it->second.size() <= k) return kOff;
        return first ? it->second[k].first : it->second[k].second;
      });
    };
    const Value a = end_of(true), b = end_of(false);
    const NodeId behind = node(), there = node(), first = node(), both = node();
    ask_equal(at, behind, there, a, kOff);
    ask(*to.test, there, first, behind, env.with(Slot::to, a));
    ask(*to.test, first, both, behind, env.with(Slot::to, b));
    edge(mark(both, map_ref, a), behind, marking(map_ref, b));
    at = behind;
  }
  return act_on_marked(map_ref, statics_.all_sites(e_.use), Slot::to, to, at, env);
}

Value Lowering::seeds_of(const Call& call, NodeId& at, const Env& env) {
  if (call["count"] != nullptr) return integer(*call["count"], env, at);
  return count_on(integer_or(call["int"], last_to_, env, at));
}

// Seeds go one by one into the holes of a track; a capture may follow where the last one falls.
NodeId Lowering::effect_sow(const Call& call, NodeId at, const Env& env) {
  type_in(call);
  const int per_hole = statics_.integer_or(call["numPerHole"], 1, known(env)).value_or(0);
  if (!counts_.valid() || per_hole < 1 || (per_hole > 1 && call["origin"] != nullptr)) refuse(call.clause());
  const std::optional<int> owner = fixed_player(call, "owner", {}, at, env);
  const Track* const track = statics_.track(call["str"], owner);
  // A name without an owner is that of the track.
  if (track == nullptr ||
      (call["str"] != nullptr && (owner ? track->owner != *owner : track->name != call["str"]->text)))
    return at;
  const auto& sites = track->sites;
  const std::vector<int> indices = ascending(0, static_cast<int>(sites.size()) - 1);
  if (sites.empty() || std::ranges::any_of(sites, [&](int s) { return !e_.is_site(s); })) refuse(call.clause());
  const Value start = hold(integer_or(call["int"], last_to_, env, at), at, true);
  const Value given = table(env.seeds ? *env.seeds : seeds_of(call, at, env), [](int k) { return std::max(0, k); });
  const Value seeds = temporary(given, at, ascending(0, given.domain.back()));
  const Value first = table(start, [&](int s) { return index_on(*track, s); });
  const NodeId done = node(), begin = node(), sown = node();
  ask_equal(at, done, begin, first, -1);
  NodeId here = begin;
  const Value index = temporary(constant(0), here, indices);
  here = assign(here, index.expr, first.expr);
  const Value hole = table(index, [&](int i) { return sites[nth(i)]; });
  const auto next_of = [&](const Value& from) {
    return table(from, [&](int i) { return std::max(0, track->next[nth(i)]); });
  };
  const Value reached = temporary(hole, here, places_);
  const bool ends = std::ranges::any_of(track->next, [](int i) { return i < 0; });
  const Value fewer = one_less(seeds);
  if (call["origin"] != nullptr) {
    // One seed stays.
    const NodeId stays = node(), some = node(), none = node();
    ask(*call["origin"], here, stays, none, env.with(Slot::from, start));
    ask_test(seeds, stays, some, none, [](int k) { return k > 0; });
    edge(some, none, ir::Assign{seeds.expr, fewer.expr});
    here = none;
  }
  // Nothing sees the seeds that fall before the last one has fallen.
  SiteMaps before;
  const std::uint32_t written = kBoard | (call["sowEffect"] == nullptr ? 0 : touches(*call["sowEffect"]).writes);
  for (const Node* const one : {call["skipIf"], call["sowEffect"]}) {
    if (one == nullptr) continue;
    if (!can_freeze(*one, written)) refuse(*one);
    if (!before[0].valid()) before = freeze(here);
  }
  const NodeId head = node(), more = node();
  jump(here, head);
  ask_test(seeds, head, more, sown, [](int k) { return k > 0; });
  NodeId step = more;
  if (ends) {
    const NodeId inside = node();
    ask_test(index, step, inside, sown, [&](int i) { return track->next[nth(i)] >= 0; });
    step = inside;
  }
  step = assign(step, index.expr, next_of(index).expr);
  Env bound = env.with(Slot::from, start).with(Slot::to, hole).with(Slot::value, seeds);
  if (const Node* const skip = call["skipIf"]) {
    const NodeId check_node = node(), skipped = node(), good = node();
    jump(step, check_node);
    exchange_maps(before);
    ask(*skip, check_node, skipped, good, bound);
    exchange_maps(before);
    edge(skipped, check_node, ir::Assign{index.expr, next_of(index).expr});
    step = good;
  }
  // A hole that is stepped over is still the one that conditions see.
  step = assign(step, reached.expr, hole.expr);
  bound[Slot::to] = reached;
  if (!call.flag("includeSelf", true)) {
    const NodeId self = node(), other = node();
    ask_equal(step, self, other, hole, start);
    edge(self, other, ir::Assign{index.expr, next_of(index).expr});
    step = other;
  }
  if (const Node* const also = call["sowEffect"]) {
    const Commit commit = plan_frozen(*also, before, step, bound);
    step = commit(step);
  }
  for (int i = 0; i < per_hole; ++i) {
    if (i > 0) {
      const NodeId left = node();
      ask_test(seeds, step, left, head, [](int k) { return k > 0; });
      step = left;
    }
    step = assign(relocate(step, start, hole, {}, false, true), seeds.expr, fewer.expr);
  }
  jump(step, head);
  here = sown;
  if (call["apply"] == nullptr) {
    jump(here, done);
    return done;
  }
  const Env test = env.with(Slot::to, reached);
  const Env acting = test.with(Slot::from, start).with(Slot::value, seeds);
  const Node& capture = *call["apply"];
  const auto ask_capture = [&](NodeId from, NodeId yes, NodeId no, const Env& with) {
    if (call["if"] == nullptr) return jump(from, yes);
    ask(*call["if"], from, yes, no, with);
  };
  const NodeId captures = node();
  if (call["backtracking"] == nullptr && call["forward"] == nullptr) {
    ask_capture(here, captures, done, test);
    jump(effect(capture, captures, acting), done);
    return done;
  }
  // The holes are found before anything is taken.
  const bool back = call["backtracking"] != nullptr;
  const Node& going_on = back ? *call["backtracking"] : *call["forward"];
  const ExprId map_ref = marks(here);
  const NodeId loop_head = node(), marked_all = node(), goes_on = node(), there = node();
  ask_capture(here, captures, marked_all, test);
  ask_capture(loop_head, captures, marked_all, acting);
  const NodeId noted = mark(captures, map_ref, reached);
  ask(going_on, noted, goes_on, marked_all, acting);
  const auto& links = back ? track->previous : track->next;
  const NodeId linked = node(), moved = node(), again = node();
  ask_test(index, goes_on, linked, marked_all, [&](int i) { return links[nth(i)] >= 0; });
  edge(linked, moved, ir::Assign{index.expr, table(index, [&](int i) { return std::max(0, links[nth(i)]); }).expr});
  ask(going_on, assign(moved, reached.expr, hole.expr), there, marked_all, acting);
  if (back) {
    ask_equal(there, marked_all, again, hole, start);
  } else {
    jump(there, again);
  }
  // A hole that is marked already would be captured twice.
  ask_equal(again, marked_all, loop_head, marked(map_ref, hole), 1);
  std::vector<int> holes = sites;
  std::ranges::sort(holes);
  holes.erase(std::unique(holes.begin(), holes.end()), holes.end());
  jump(each_marked(map_ref, holes, marked_all,
                   [&](NodeId in, const Value& site) { return effect(capture, in, acting.with(Slot::to, site)); }),
       done);
  return done;
}

// One move that adds a piece and does all that a capture from there does, if it takes something.
void Lowering::move_append(const Call& call, NodeId at, const Env& env, const Body& behind) {
  Node capture = call.need("moves");
  Node* apply = nullptr;
  for (Node& part : capture.items) {
    for (Node& item : part.items) {
      if (part.is_clause("between") && item.is_clause("apply")) apply = &item;
    }
  }
  const bool both = capture.is_clause("custodial") && apply != nullptr && apply->items.size() == 1 &&
                    apply->item(0).is_clause("allCombinations") && apply->item(0).items.size() == 2;
  if (!both || !apply->item(0).item(0).is_clause("add")) refuse(call.clause());
  // Each captured piece has a move that adds the piece once more, which changes nothing.
  const Node& addition = keep(apply->item(0).item(0));
  Node change = apply->item(0).item(1);
  apply->items = {std::move(change)};
  const Node& captures = keep(std::move(capture));
  const NodeId good = node();
  ask_exists(at, good, NodeId(), [&](NodeId start, NodeId found) {
    const auto [done, did] = watched(start, [&](NodeId here) { return effect(captures, here, env); });
    jump(check(done, did, 1), found);
  });
  const auto to = std::ranges::find_if(addition.items, [](const Node& item) { return item.is_clause("to"); });
  const To target = read_to(to == addition.items.end() ? nullptr : &*to);
  if (target.region == nullptr || is_region(*target.region) || target.test != nullptr) refuse(addition);
  at = good;
  const Value site = pick(*target.region, "to", at, env);
  const std::string outcome =
      "append " + captures.whole() + addition.whole() + (call["then"] == nullptr ? "" : call["then"]->whole());
  make_move(call, at, {site, site}, env, outcome, behind, [&](NodeId here) {
    const std::uint32_t before = std::exchange(written_, 0);
    const Commit change_all = plan(captures, here, env), add = plan(addition, here, env);
    written_ = before;
    return change_all(add(here));
  });
}

}  // namespace rgtrans::ludii
