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

// Runs of targets with a friend behind them.
NodeId Lowering::effect_custodial(const Call& call, NodeId at, const Env& given) {
  Env env = given;
  const To between = read_to(call["between"]), to = read_to(call["to"]);
  if (between.test == nullptr || to.test == nullptr || between.effect_test != nullptr || to.effect != nullptr)
    refuse(call.clause());
  Bounds range = bounds_of(between.range, {1, kInfinity}, env);
  range.low = std::max(range.low, 1);
  const Value start = call["from"] == nullptr ? last_to_ : start_site(call["from"], at, env);
  env.component = 0;
  const auto lines = lines_of(call["dirs"], env, false);
  const ExprId map_ref = marks(at);
  const NodeId on_board = node(), marked_all = node();
  ask_test(start, at, on_board, marked_all, [this](int s) { return e_.is_board_site(s); });
  const NodeId walked = walk_lines(lines, start, on_board, [&](NodeId each, const Beam& beam) {
    const Runner runner = run_along(beam, each);
    const Value length = temporary(constant(0), each, runner.index.domain);
    const NodeId head = node(), end = node(), ran = node(), off = range.high == 1 ? end : node();
    jump(each, head);
    const NodeId here = read_site(beam, runner, head, off);
    Env bound = env;
    bound[Slot::between] = runner.site;
    NodeId target = node();
    ask(*between.test, here, target, ran, bound);
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
    Env flank = env;
    flank[Slot::to] = runner.site;
    ask(*to.test, some, flanked, end, flank);
    if (off != end) {
      // Behind the last site of a line, (to) is -1.
      const NodeId long_enough = node();
      ask_test(runner.index, off, long_enough, end, [&](int i) { return i >= range.low; });
      flank[Slot::to] = constant(kOff);
      ask(*to.test, long_enough, flanked, end, flank);
    }
    NodeId mark = assign(flanked, length.expr, runner.index.expr);
    mark = assign(mark, runner.index.expr, number(0));
    const NodeId mark_head = node(), mark_one = node();
    jump(mark, mark_head);
    ask_equal(mark_head, end, mark_one, runner.index, length);
    const NodeId there = read_site(beam, runner, mark_one, end);
    jump(step_on(runner, assign(there, g_.access(map_ref, runner.site.expr), number(1))), mark_head);
    return end;
  });
  jump(walked, marked_all);
  return act_on_marked(map_ref, statics_.all_sites(e_.use), Slot::between, between, marked_all, env);
}

// Neighbours that are targets and have friends on all their sides.
NodeId Lowering::effect_surround(const Call& call, NodeId at, const Env& given) {
  Env env = given;
  const To between = read_to(call["between"]), to = read_to(call["to"]);
  // Ludii drops its consequences.
  if (between.test == nullptr || to.test == nullptr || call["with"] != nullptr || between.effect_test != nullptr)
    refuse(call.clause());
  const auto except = call["except"] == nullptr ? std::optional(0) : statics_.integer(*call["except"], known(env));
  if (!except || *except < 0) refuse(call.clause());
  std::vector<int> numbers_;
  for (int k = 0; k <= *except; ++k) numbers_.push_back(k);
  const Value failed = temporary(constant(0), at, numbers_);
  const Value start = call["from"] == nullptr ? slot_value(Slot::from, env) : start_site(call["from"], at, env);
  env.component = 0;
  const auto neighbours = neighbours_of(call["dirs"], env);
  const ExprId map_ref = marks(at);
  const NodeId on_board = node(), marked_all = node();
  ask_test(start, at, on_board, marked_all, [this](int s) { return e_.is_board_site(s); });
  const NodeId walked =
      walk_lines(lines_of(call["dirs"], env, true), start, on_board, [&](NodeId each, const Beam& beam) {
        const Runner runner = run_along(beam, each);
        NodeId target = node();
        const NodeId end = node(), dead = node();
        const NodeId here = read_site(beam, runner, each, end);
        Env bound = env;
        bound[Slot::between] = runner.site;
        ask(*between.test, here, target, end, bound);
        target = assign(target, failed.expr, number(0));
        ask_neighbour(neighbours, runner.site, target, end, dead,
                      [&](const Value& other, NodeId from, NodeId free, NodeId held) {
                        const NodeId elsewhere = node();
                        ask_equal(from, held, elsewhere, other, start);
                        Env flank = env;
                        flank[Slot::to] = other;
                        // So many sides may be free.
                        const NodeId fails = node(), more = node();
                        ask(*to.test, elsewhere, held, fails, flank);
                        ask_equal(fails, free, more, failed, *except);
                        if (*except > 0) edge(more, held, ir::Assign{failed.expr, one_more(failed).expr});
                      });
        edge(dead, end, ir::Assign{g_.access(map_ref, runner.site.expr), number(1)});
        return end;
      });
  jump(walked, marked_all);
  return act_on_marked(map_ref, statics_.all_sites(e_.use), Slot::between, between, marked_all, env);
}

// Groups of targets beside a site that have no empty neighbour.
NodeId Lowering::effect_enclose(const Call& call, NodeId at, const Env& given) {
  Env env = given;
  type_in(call);
  const To between = read_to(call["between"]);
  if (between.test == nullptr || call["numException"] != nullptr || between.effect_test != nullptr)
    refuse(call.clause());
  const Value start = call["from"] == nullptr ? last_to_ : start_site(call["from"], at, env);
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
    Env bound = env;
    bound[Slot::between] = site;
    ask(*between.test, piece, yes, no, bound);
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
        begin = assign(begin, g_.access(group, runner.site.expr), number(1));
        begin = flood(group, neighbours, begin, fits);
        ask_exists(begin, alive, gone, [&](NodeId search, NodeId found) {
          const Deeper deeper(depth_);
          const Value site = value_of(variable(fmt::format("each{}", depth_), places_, kOff), sites);
          const NodeId chosen = node(), empty = node();
          edge(search, chosen, ir::AssignAny{site.expr, type_of(sites)});
          ask_equal(chosen, empty, NodeId(), what(site), 0);
          ask_neighbour(neighbours, site, empty, found, NodeId(),
                        [&](const Value& other, NodeId from, NodeId yes, NodeId no) {
                          ask_equal(from, yes, no, marked(group, other), 1);
                        });
        });
        NodeId all = gone;
        const Value site = temporary(constant(sites.front()), all, sites);
        jump(loop(sites, site, all,
                  [&](NodeId one) {
                    const NodeId in = node(), next = node();
                    ask_equal(one, in, next, marked(group, site), 1);
                    edge(in, next, ir::Assign{g_.access(dead, site.expr), number(1)});
                    return next;
                  }),
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
  const Value start = call["from"] == nullptr ? last_to_ : start_site(call["from"], at, env);
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
    Env bound = env;
    bound[Slot::to] = a;
    ask(*to.test, there, first, behind, bound);
    bound[Slot::to] = b;
    ask(*to.test, first, both, behind, bound);
    const NodeId marked_one = assign(both, g_.access(map_ref, a.expr), number(1));
    edge(marked_one, behind, ir::Assign{g_.access(map_ref, b.expr), number(1)});
    at = behind;
  }
  return act_on_marked(map_ref, statics_.all_sites(e_.use), Slot::to, to, at, env);
}

Value Lowering::seeds_of(const Call& call, NodeId& at, const Env& env) {
  if (call["count"] != nullptr) return integer(*call["count"], env, at);
  return count_on(call["int"] == nullptr ? last_to_ : integer(*call["int"], env, at));
}

// Seeds go one by one into the holes of a track; a capture may follow where the last one falls.
NodeId Lowering::effect_sow(const Call& call, NodeId at, const Env& env) {
  type_in(call);
  const auto per_hole =
      call["numPerHole"] == nullptr ? 1 : statics_.integer(*call["numPerHole"], known(env)).value_or(0);
  if (!counts_.valid() || per_hole < 1 || (per_hole > 1 && call["origin"] != nullptr)) refuse(call.clause());
  std::optional<int> owner;
  if (call["owner"] != nullptr) {
    const Value who = integer(*call["owner"], env, at);
    if (!who.constant) refuse(call.clause());
    owner = who.constant;
  }
  const Track* const track = statics_.track(call["str"], owner);
  // A name without an owner is that of the track.
  if (track == nullptr ||
      (call["str"] != nullptr && (owner ? track->owner != *owner : track->name != call["str"]->text)))
    return at;
  const auto& sites = track->sites;
  const auto size = static_cast<int>(sites.size());
  std::vector<int> indices;
  for (int i = 0; i < size; ++i) indices.push_back(i);
  if (size == 0 || std::ranges::any_of(sites, [&](int s) { return !e_.is_site(s); })) refuse(call.clause());
  const Value start = hold(call["int"] == nullptr ? last_to_ : integer(*call["int"], env, at), at, true);
  const Value given = table(env.seeds ? *env.seeds : seeds_of(call, at, env), [](int k) { return std::max(0, k); });
  std::vector<int> numbers_;
  for (int k = 0; k <= given.domain.back(); ++k) numbers_.push_back(k);
  const Value seeds = temporary(given, at, numbers_);
  const Value first = table(start, [&](int s) {
    const auto it = std::ranges::find(sites, s);
    return it == sites.end() ? -1 : static_cast<int>(it - sites.begin());
  });
  const NodeId done = node(), begin = node(), sown = node();
  ask_equal(at, done, begin, first, -1);
  NodeId here = begin;
  const Value index = temporary(constant(0), here, indices);
  here = assign(here, index.expr, first.expr);
  const Value hole = table(index, [&](int i) { return sites[static_cast<std::size_t>(i)]; });
  const auto next_of = [&](const Value& from) {
    return table(from, [&](int i) { return std::max(0, track->next[static_cast<std::size_t>(i)]); });
  };
  const Value reached = temporary(hole, here, places_);
  const bool ends = std::ranges::any_of(track->next, [](int i) { return i < 0; });
  const Value fewer = table(seeds, [](int k) { return std::max(0, k - 1); });
  if (call["origin"] != nullptr) {
    // One seed stays.
    const NodeId stays = node(), some = node(), none = node();
    Env at_start = env;
    at_start[Slot::from] = start;
    ask(*call["origin"], here, stays, none, at_start);
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
    ask_test(index, step, inside, sown, [&](int i) { return track->next[static_cast<std::size_t>(i)] >= 0; });
    step = inside;
  }
  step = assign(step, index.expr, next_of(index).expr);
  Env bound = env;
  bound[Slot::from] = start;
  bound[Slot::to] = hole;
  bound[Slot::value] = seeds;
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
  Env test = env;
  test[Slot::to] = reached;
  Env acting = test;
  acting[Slot::from] = start;
  acting[Slot::value] = seeds;
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
  const NodeId noted = assign(captures, g_.access(map_ref, reached.expr), number(1));
  ask(going_on, noted, goes_on, marked_all, acting);
  const auto& links = back ? track->previous : track->next;
  const NodeId linked = node(), moved = node(), again = node();
  ask_test(index, goes_on, linked, marked_all, [&](int i) { return links[static_cast<std::size_t>(i)] >= 0; });
  edge(linked, moved, ir::Assign{index.expr, table(index, [&](int i) {
                                               return std::max(0, links[static_cast<std::size_t>(i)]);
                                             }).expr});
  ask(going_on, assign(moved, reached.expr, hole.expr), there, marked_all, acting);
  if (back) {
    ask_equal(there, marked_all, again, hole, start);
  } else {
    jump(there, again);
  }
  // A hole that is marked already would be captured twice.
  ask_equal(again, marked_all, loop_head, marked(map_ref, hole), 1);
  To one;
  one.effect = &capture;
  jump(act_on_holes(map_ref, sites, one, marked_all, acting), done);
  return done;
}

NodeId Lowering::act_on_holes(ExprId map_ref, std::vector<int> sites, const To& apply, NodeId at, const Env& env) {
  std::ranges::sort(sites);
  sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
  const Value site = temporary(constant(sites.front()), at, sites);
  return loop(sites, site, at, [&](NodeId here) {
    const NodeId in = node(), behind = node();
    ask_equal(here, in, behind, marked(map_ref, site), 1);
    Env bound = env;
    bound[Slot::to] = site;
    jump(effect(*apply.effect, in, bound), behind);
    return behind;
  });
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
                    apply->items[0].is_clause("allCombinations") && apply->items[0].items.size() == 2;
  if (!both || !apply->items[0].items[0].is_clause("add")) refuse(call.clause());
  // Each captured piece has a move that adds the piece once more, which changes nothing.
  const auto kept = [this](Node node) -> const Node& {
    kept_nodes_.push_back(std::make_unique<Node>(std::move(node)));
    return *kept_nodes_.back();
  };
  const Node& addition = kept(apply->items[0].items[0]);
  Node change = apply->items[0].items[1];
  apply->items = {std::move(change)};
  const Node& captures = kept(std::move(capture));
  const NodeId good = node();
  ask_exists(at, good, NodeId(), [&](NodeId start, NodeId found) {
    const Value did = temporary(constant(0), start, std::vector<int>{0, 1});
    did_.push_back(did.expr);
    const NodeId done = effect(captures, start, env);
    did_.pop_back();
    jump(check(done, did, 1), found);
  });
  const auto to = std::ranges::find_if(addition.items, [](const Node& item) { return item.is_clause("to"); });
  const To target = read_to(to == addition.items.end() ? nullptr : &*to);
  if (target.region == nullptr || is_region(*target.region) || target.test != nullptr) refuse(addition);
  at = good;
  const Value site = pick(*target.region, "to", at, env);
  at = show(at, site, site, env,
            "append " + captures.whole() + addition.whole() + (call["then"] == nullptr ? "" : call["then"]->whole()),
            pairs_of(site, site));
  if (acts(env)) {
    at = to_keeper(at, env);
    const std::uint32_t before = std::exchange(written_, 0);
    const Commit change_all = plan(captures, at, env), add = plan(addition, at, env);
    written_ = before;
    at = change_all(add(at));
  }
  consequences(call["then"], at, {site, site}, env, behind);
}

}  // namespace rgtrans::ludii
