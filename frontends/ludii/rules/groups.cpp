// Groups of connected sites, found by marking, and the sites along lines.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

std::vector<std::vector<int>> Lowering::neighbours_of(const Node* directions, const Env& env) {
  std::vector<std::vector<int>> result;
  // The pieces there face their own ways.
  Env any = env;
  any.component = 0;
  any.facing.reset();
  const auto lines = lines_of(directions, any, true);
  for (const auto& list : lines) {
    auto& one = result.emplace_back();
    for (const Radial& radial : list) {
      if (std::ranges::find(one, radial[1]) == one.end()) one.push_back(radial[1]);
    }
  }
  return result;
}

// Asks whether some neighbour is marked, one after the other.
void Lowering::ask_neighbour(const std::vector<std::vector<int>>& neighbours, const Value& site, NodeId from,
                             NodeId yes, NodeId no,
                             const std::function<void(const Value&, NodeId, NodeId, NodeId)>& ask_one) {
  std::size_t most = 0;
  for (const auto& list : neighbours) most = std::max(most, list.size());
  for (std::size_t k = 0; k < most; ++k) {
    const Value next = table(site, [&](int s) {
      if (!e_.is_board_site(s) || neighbours[nth(s)].size() <= k) return kOff;
      return neighbours[nth(s)][k];
    });
    const NodeId there = node(), other = node();
    ask_equal(from, other, there, next, kOff);
    ask_one(next, there, yes, other);
    from = other;
  }
  jump(from, no);
}

NodeId Lowering::flood(ExprId map_ref, const std::vector<std::vector<int>>& neighbours, NodeId at,
                       const std::function<void(const Value&, NodeId, NodeId, NodeId)>& fits) {
  const std::vector<int> sites = statics_.all_sites(e_.use);
  const Value changed = temporary(constant(0), at, std::vector<int>{0, 1});
  const Value site = temporary(constant(0), at, sites);
  const NodeId head = node(), behind = node();
  jump(at, head);
  NodeId here = assign(head, changed.expr, number(0));
  here = loop(sites, site, here, [&](NodeId each) {
    const NodeId open = node(), good = node(), near = node(), next = node();
    ask_equal(each, next, open, marked(map_ref, site), 1);
    ask_neighbour(neighbours, site, open, good, next, is_marked(map_ref));
    fits(site, good, near, next);
    jump(assign(mark(near, map_ref, site), changed.expr, number(1)), next);
    return next;
  });
  ask_equal(here, head, behind, changed, 1);
  return behind;
}

// Marks the group of a site: pieces like the one there, or sites that satisfy the condition.
ExprId Lowering::mark_group(const Value& start, const Node* directions, const Node* test, NodeId& at, const Env& env) {
  const ExprId map_ref = marks(at);
  const NodeId there = node(), begin = node(), behind = node();
  ask_test(start, at, there, behind, [this](int s) { return e_.is_board_site(s); });
  const Value piece = what(start);
  const auto fits = [&](const Value& site, NodeId from, NodeId yes, NodeId no) {
    if (test == nullptr) return ask_equal(from, yes, no, what(site), piece);
    ask(*test, from, yes, no, env.with(Slot::from, start).with(Slot::to, site));
  };
  fits(start, there, begin, behind);
  const NodeId here = mark(begin, map_ref, start);
  jump(flood(map_ref, neighbours_of(directions, env), here, fits), behind);
  at = behind;
  return map_ref;
}

// The number of sites for which the answer is yes.
Value Lowering::count_sites(NodeId& at, std::optional<Value> site, const FitsSite& ask_one) {
  const std::vector<int> sites = statics_.all_sites(e_.use);
  Value result = temporary(constant(0), at, ascending(0, e_.board_size()));
  if (!site) site = temporary(constant(0), at, sites);
  at = loop(sites, *site, at, [&](NodeId here) {
    return when(
        here, [&](NodeId from, NodeId yes, NodeId no) { ask_one(*site, from, yes, no); },
        [&](NodeId) { return counting(result); });
  });
  return result;
}

// Whether a site is marked.
std::function<void(const Value&, NodeId, NodeId, NodeId)> Lowering::is_marked(ExprId map_ref) {
  return [this, map_ref](const Value& site, NodeId from, NodeId yes, NodeId no) {
    ask_equal(from, yes, no, marked(map_ref, site), 1);
  };
}

Value Lowering::one_more(const Value& value) {
  const int most = value.domain.back();
  return table(value, [&](int v) { return std::min(v + 1, most); });
}

Value Lowering::one_less(const Value& value) {
  return table(value, [](int v) { return std::max(0, v - 1); });
}

Value Lowering::number_group_size(const Call& call, NodeId& at, const Env& env) {
  const Value start = at_of(call, at, env);
  const ExprId map_ref = mark_group(start, call["dirs"], call["if"], at, env);
  return count_sites(at, {}, is_marked(map_ref));
}

Lowering::Region Lowering::area_group(const Call& call, const Value& site, NodeId& at, const Env& env) {
  const Value start = at_of(call, at, env);
  return from_marks(mark_group(start, call["dirs"], call["if"], at, env), statics_.all_sites(e_.use), site);
}

Value Lowering::number_groups(const Call& call, NodeId& at, const Env& env) {
  type_in(call);
  const auto least = statics_.integer_or(call["min"], 0, known(env));
  if (!least || *least > 1) refuse(call.clause());
  const auto neighbours = neighbours_of(call["dirs"], env);
  const std::vector<int> sites = statics_.all_sites(e_.use);
  const Value result = temporary(constant(0), at, ascending(0, e_.board_size()));
  const Value start = temporary(constant(0), at, sites);
  const ExprId map_ref = marks(at);
  const auto fits = [&](const Value& one, NodeId from, NodeId yes, NodeId no) {
    if (call["if"] == nullptr) return ask_equal(from, no, yes, what(one), 0);
    ask(*call["if"], from, yes, no, env.with(Slot::to, one));
  };
  at = loop(sites, start, at, [&](NodeId here) {
    const NodeId open = node(), begin = node(), next = node();
    ask_equal(here, next, open, marked(map_ref, start), 1);
    fits(start, open, begin, next);
    const NodeId inside = assign(mark(begin, map_ref, start), result.expr, one_more(result).expr);
    jump(flood(map_ref, neighbours, inside, fits), next);
    return next;
  });
  return result;
}

// The empty neighbours of a group.
Value Lowering::number_liberties(const Call& call, NodeId& at, const Env& env) {
  type_in(call);
  const Value start = integer_or(call["at"], last_to_, env, at);
  const ExprId map_ref = mark_group(start, call["dirs"], call["if"], at, env);
  const auto neighbours = neighbours_of(call["dirs"], env);
  return count_sites(at, {}, [&](const Value& site, NodeId from, NodeId yes, NodeId no) {
    const NodeId empty = node();
    ask_equal(from, empty, no, what(site), 0);
    ask_neighbour(neighbours, site, empty, yes, no, is_marked(map_ref));
  });
}

// Empty sites from which no piece of others can be reached over empty sites.
Value Lowering::number_territory(const Call& call, NodeId& at, const Env& env) {
  type_in(call);
  const Owned owned = owned_by(&call.need("player"), env, at);
  const auto neighbours = neighbours_of(call["dirs"], env);
  const ExprId map_ref = marks(at);
  const std::vector<int> sites = statics_.all_sites(e_.use);
  const Value site = temporary(constant(0), at, sites);
  // First the empty sites beside pieces of others.
  at = loop(sites, site, at, [&](NodeId here) {
    const NodeId empty = node(), in = node(), next = node();
    ask_equal(here, empty, next, what(site), 0);
    ask_neighbour(neighbours, site, empty, in, next, [&](const Value& other, NodeId from, NodeId yes, NodeId no) {
      const NodeId piece = node();
      ask_equal(from, no, piece, what(other), 0);
      ask_owned(owned, what(other), piece, no, yes);
    });
    edge(in, next, marking(map_ref, site));
    return next;
  });
  at = flood(map_ref, neighbours, at,
             [&](const Value& one, NodeId from, NodeId yes, NodeId no) { ask_equal(from, yes, no, what(one), 0); });
  return count_sites(at, site, [&](const Value& one, NodeId from, NodeId yes, NodeId no) {
    const NodeId empty = node();
    ask_equal(from, empty, no, what(one), 0);
    ask_equal(empty, no, yes, marked(map_ref, one), 1);
  });
}

void Lowering::is_connected(const Call& call, NodeId from, NodeId yes, NodeId no, const Env& env) {
  type_in(call);
  const Value start = integer_or(call["at"], last_to_, env, from);
  Parts parts;
  const Node* const what_ = &call.need("any");
  NodeId own = node(), foreign;
  const NodeId there = node();
  ask_test(start, from, there, no, [this](int s) { return e_.is_board_site(s); });
  ask_test(who(start), there, own, no, [](int p) { return p > 0; });
  if (what_->is_array()) {
    for (const Node& item : what_->items) parts.push_back(&item);
  } else if (is_role(*what_)) {
    const Value role = player(*what_, env, own);
    if (!role.constant) {
      if (!what_->is_word("Next")) refuse(*what_);
      for (const int p : role.domain) {
        Env inner = env;
        inner.next = constant(p);
        is_connected(call, check(own, role, p), yes, no, inner);
      }
      return;
    }
    // For the stone of another player, only regions with the stone itself would count.
    const NodeId same = node(), other = node();
    ask_equal(own, same, other, who(start), role);
    foreign = other;
    own = same;
    for (const NamedRegion& one : e_.regions) {
      if (one.owner != *role.constant) continue;
      // Each part of the region is a region of its own.
      for (const Node* part : one.parts) parts.push_back(part);
    }
  } else if (what_->is_word("Sides")) {
    for (int d = 0; d < kCompass; ++d) {
      const Sites side = e_.topology->side(e_.use, static_cast<Direction>(d));
      if (side.empty()) continue;
      Node sites{Node::Kind::array, what_->where, {}, {}, {}};
      for (const int s : side) sites.items.push_back({Node::Kind::word, what_->where, {}, std::to_string(s), {}});
      parts.push_back(&keep(std::move(sites)));
    }
  } else {
    refuse(*what_);
  }
  const auto k = statics_.integer_or(call["literal"], static_cast<int>(parts.size()), known(env));
  if (!k) refuse(call.clause());
  if (parts.empty() || *k > static_cast<int>(parts.size())) {
    jump(foreign.valid() ? foreign : own, no);
    return jump(own, no);
  }
  const std::vector<int> numbers = ascending(0, static_cast<int>(parts.size()));
  if (foreign.valid()) {
    const Value around = temporary(constant(0), foreign, numbers);
    for (const Node* part : parts) {
      foreign = when(
          foreign, [&](NodeId at, NodeId in, NodeId out) { ask_member(*part, start, at, in, out, env); },
          [&](NodeId) { return counting(around); });
    }
    ask_test(around, foreign, yes, no, [&](int v) { return v >= *k; });
  }
  const ExprId map_ref = marks(own);
  own = mark(own, map_ref, start);
  const Value owner = who(start);
  own = flood(map_ref, neighbours_of(call["dirs"], env), own,
              [&](const Value& site, NodeId at, NodeId in, NodeId out) { ask_equal(at, in, out, who(site), owner); });
  const bool all = *k == static_cast<int>(parts.size());
  const Value reached = all ? constant(0) : temporary(constant(0), own, numbers);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const NodeId touched = node(), next = node();
    ask_some(*parts[i], own, touched, all ? no : next, env, [&](const Value& site, NodeId begin, NodeId found) {
      ask_equal(begin, found, NodeId(), marked(map_ref, site), 1);
    });
    if (all) {
      jump(touched, next);
    } else {
      edge(touched, next, counting(reached));
    }
    own = next;
  }
  if (all) return jump(own, yes);
  ask_test(reached, own, yes, no, [&](int v) { return v >= *k; });
}

// --- Sites along lines. ---

NodeId Lowering::walk_lines(const std::vector<std::vector<Radial>>& lines, const Value& start, NodeId at,
                            const std::function<NodeId(NodeId at, const Beam& beam)>& body) {
  std::size_t ways = 0;
  for (const auto& list : lines) ways = std::max(ways, list.size());
  if (ways == 0) return at;
  const Deeper deeper(depth_);
  const std::vector<int> numbers = ascending(0, static_cast<int>(ways) - 1);
  const Beam beam = choose_beam(fmt::format("line{}", depth_), lines, start, at, true);
  return loop(numbers, value_of(beam.way, numbers), at, [&](NodeId here) { return body(here, beam); });
}

// The index of a place on a line, and the site there.
Lowering::Runner Lowering::run_along(const Beam& beam, NodeId& at) {
  const std::vector<int> indices = ascending(0, static_cast<int>(beam.length));
  Runner runner;
  runner.index = temporary(constant(0), at, indices);
  runner.site = temporary(constant(kOff), at, places_);
  return runner;
}

// Goes to the site of the index, unless the line has ended.
NodeId Lowering::read_site(const Beam& beam, const Runner& runner, NodeId at, NodeId ended) {
  const NodeId inside = node(), there = node();
  ask_equal(at, ended, inside, runner.index, runner.index.domain.back());
  const NodeId read = assign(inside, runner.site.expr, g_.access(beam.table, runner.index.expr));
  ask_equal(read, ended, there, runner.site, kOff);
  return there;
}

NodeId Lowering::step_on(const Runner& runner, NodeId at) {
  return assign(at, runner.index.expr, one_more(runner.index).expr);
}

Lowering::Region Lowering::area_direction(const Call& call, const Value& site, NodeId& at, const Env& env) {
  const Node* const start = call["from"] != nullptr ? call["from"] : call["From"];
  const auto most = statics_.integer_or(call["distance"], kInfinity, known(env));
  if (start == nullptr || !most) refuse(call.clause());
  const ExprId map_ref = marks(at);
  Env facing = env;
  if (find_slot(*start) != Slot::from) facing.component = 0;
  const auto lines = lines_of(call["dirs"], facing, false);
  const auto from_site = [&](const Value& origin, NodeId here) {
    const NodeId there = node(), behind = node();
    ask_test(origin, here, there, behind, [this](int s) { return e_.is_board_site(s); });
    NodeId begin = there;
    if (call.flag("included")) begin = mark(begin, map_ref, origin);
    begin = walk_lines(lines, origin, begin, [&](NodeId each, const Beam& beam) {
      const Runner runner = run_along(beam, each);
      const NodeId head = node(), end = node(), going = node();
      jump(each, head);
      NodeId read = read_site(beam, runner, head, end);
      if (*most < static_cast<int>(beam.length)) {
        const NodeId near = node();
        ask_test(runner.index, read, near, end, [&](int i) { return i < *most; });
        read = near;
      }
      if (const Node* const stop = call["stop"]) {
        const NodeId stops = node();
        ask(*stop, read, stops, going, env.with(Slot::to, runner.site));
        jump(call.flag("stopIncluded") ? mark(stops, map_ref, runner.site) : stops, end);
      } else {
        jump(read, going);
      }
      jump(step_on(runner, mark(going, map_ref, runner.site)), head);
      return end;
    });
    jump(begin, behind);
    return behind;
  };
  if (is_region(*start)) {
    at = for_each_site(*start, at, env, [&](NodeId here, const Value& one) { return from_site(one, here); });
  } else {
    const Value origin = integer(*start, env, at);
    at = from_site(origin, at);
  }
  return from_marks(map_ref, statics_.all_sites(e_.use), site);
}

// Per line: the first piece, the empty sites before it, or the last of these.
Lowering::Region Lowering::area_sight(const Call& call, const Value& site, NodeId& at, const Env& env) {
  type_in(call);
  const std::string kind = call["sight"] == nullptr ? "Piece" : call["sight"]->text;
  const Value origin = integer_or(call["at"], last_to_, env, at);
  const ExprId map_ref = marks(at);
  Env facing = env;
  if (call["at"] == nullptr || find_slot(*call["at"]) != Slot::from) facing.component = 0;
  at = walk_lines(lines_of(call["dirs"], facing, false), origin, at, [&](NodeId each, const Beam& beam) {
    const Runner runner = run_along(beam, each);
    const Value last = temporary(constant(kOff), each, places_);
    const NodeId head = node(), end = node(), piece = node(), empty = node(), behind = node();
    jump(each, head);
    const NodeId read = read_site(beam, runner, head, end);
    ask_equal(read, empty, piece, what(runner.site), 0);
    jump(kind == "Piece" ? mark(piece, map_ref, runner.site) : piece, end);
    NodeId passed = kind == "Empty" ? mark(empty, map_ref, runner.site) : empty;
    passed = assign(passed, last.expr, runner.site.expr);
    jump(step_on(runner, passed), head);
    if (kind != "Farthest") return end;
    const NodeId some = node();
    ask_equal(end, behind, some, last, kOff);
    edge(some, behind, marking(map_ref, last));
    return behind;
  });
  return from_marks(map_ref, statics_.all_sites(e_.use), site);
}

}  // namespace rgtrans::ludii
