// The moves themselves: step, slide, hop, leap, add, remove, from one site to another.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

#include "core/support/depth.hpp"
#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

void Lowering::step(Arguments& arguments, NodeId at, const Env& given, const Body& behind) {
  Env env = given;
  const Value from = start_site(arguments, at, env);
  const Node* const directions = arguments.next_unless({"to", "then"});
  const To to = read_to(arguments.take_clause("to"));
  const Node* const then = arguments.take_clause("then");
  arguments.finish();
  const auto lines = lines_of(directions, env, true);
  const Beam beam = choose_beam("way", lines, from, at);
  if (!beam.way.valid()) return;
  const Deeper deeper(depth_);
  const ExprId target = variable(fmt::format("to{}", depth_), places_, kOff);
  at = assign(at, target, g_.access(beam.table, number(0)));
  at = check(at, target, number(kOff), false);
  Env bound = env;
  const Value site = value_of(target, statics_.all_sites(e_.use));
  bound[Slot::from] = from;
  bound[Slot::to] = site;
  if (to.test != nullptr) {
    const NodeId holds = node();
    ask(*to.test, at, holds, NodeId(), bound);
    at = holds;
  }
  finish_move(arguments.clause(), at, from, site, env, {{&to, bound}}, then, pairs_of(lines, 1, 2), behind);
}

void Lowering::slide(Arguments& arguments, NodeId at, const Env& given, const Body& behind) {
  Env env = given;
  const Value from = start_site(arguments, at, env);
  if (const Node* const next = arguments.peek(); next != nullptr && next->is_string()) refuse(arguments.clause());
  const auto [directions, between_clause, between, to, then] = read_route(arguments);
  if (between.region != nullptr || between.effect != nullptr) refuse(*between_clause);
  const auto lines = lines_of(directions, env, false);
  const Beam beam = choose_beam("way", lines, from, at);
  if (!beam.way.valid()) return;
  const Deeper deeper(depth_);
  const ExprId target = variable(fmt::format("to{}", depth_), places_, kOff);
  std::vector<int> indices;
  for (std::size_t i = 0; i <= beam.length; ++i) indices.push_back(static_cast<int>(i));
  const ExprId index = variable(fmt::format("index{}_{}", depth_, beam.length), indices, 0);
  const Value site = value_of(target, statics_.all_sites(e_.use));
  Env bound = env;
  bound[Slot::from] = from;
  bound[Slot::to] = site;
  NodeId loop = assign(at, index, number(0));
  // A piece cannot slide further than the longest line.
  const NodeId head = node();
  jump(loop, head);
  NodeId here = head;
  if (indices.back() > 0) here = check(here, index, number(indices.back()), false);
  here = assign(here, target, g_.access(beam.table, index));
  here = check(here, target, number(kOff), false);
  const NodeId arrived = node();
  if (to.test != nullptr) {
    // Such a site ends the line.
    const NodeId terminal = node(), further = node();
    ask(*to.test, here, terminal, further, bound);
    NodeId lands = terminal;
    if (to.effect_test != nullptr) {
      const NodeId fits = node();
      ask(*to.effect_test, terminal, fits, NodeId(), bound);
      lands = fits;
    }
    jump(lands, arrived);
    here = further;
  }
  Env on_way = bound;
  on_way[Slot::between] = site;
  NodeId free = node();
  if (between.test != nullptr) {
    ask(*between.test, here, free, NodeId(), on_way);
  } else {
    edge(here, free, ir::Compare{piece_on(target), number(0), false});
  }
  NodeId landing = free;
  if (to.effect_test != nullptr) {
    const NodeId fits = node();
    ask(*to.effect_test, free, fits, NodeId(), bound);
    landing = fits;
  }
  jump(landing, arrived);
  const Value following = table(value_of(index, indices), [&](int i) { return std::min(i + 1, indices.back()); });
  jump(assign(free, index, following.expr), head);
  To shown = to;
  shown.effect_test = nullptr;
  finish_move(arguments.clause(), arrived, from, site, env, {{&shown, bound}}, then, pairs_of(lines, 1, SIZE_MAX),
              behind);
}

void Lowering::hop(Arguments& arguments, NodeId at, const Env& given, const Body& behind) {
  Env env = given;
  const Value from = start_site(arguments, at, env);
  const auto [directions, between_clause, between, to, then] = read_route(arguments);
  if (between.region != nullptr) refuse(*between_clause);
  // A condition on the effect of the landing changes the meaning of the move.
  if (to.effect_test != nullptr || to.test == nullptr) refuse(arguments.clause());
  if (between_clause != nullptr && between.test == nullptr) return;
  const auto lines = lines_of(directions, env, false);
  const Beam beam = choose_beam("way", lines, from, at);
  if (!beam.way.valid() || beam.length < 2) return;
  for (const auto& list : lines) {
    std::map<int, int> hurdles;
    for (const Radial& radial : list) {
      // Two hurdles on the way to one site would give two moves with one text.
      if (radial.size() > 2 && hurdles.try_emplace(radial[2], radial[1]).first->second != radial[1])
        refuse(arguments.clause());
    }
  }
  const Deeper deeper(depth_);
  const ExprId hurdle = variable(fmt::format("between{}", depth_), places_, kOff);
  const ExprId target = variable(fmt::format("to{}", depth_), places_, kOff);
  const std::vector<int> sites = statics_.all_sites(e_.use);
  Env bound = env;
  bound[Slot::from] = from;
  bound[Slot::between] = value_of(hurdle, sites);
  bound[Slot::to] = value_of(target, sites);
  at = assign(at, hurdle, g_.access(beam.table, number(0)));
  at = check(at, hurdle, number(kOff), false);
  if (between.test != nullptr) {
    Env on_way = bound;
    on_way[Slot::to] = env[Slot::to];
    const NodeId holds = node();
    ask(*between.test, at, holds, NodeId(), on_way);
    at = holds;
  }
  at = assign(at, target, g_.access(beam.table, number(1)));
  at = check(at, target, number(kOff), false);
  const NodeId lands = node();
  ask(*to.test, at, lands, NodeId(), bound);
  finish_move(arguments.clause(), lands, from, value_of(target, sites), env, {{&to, bound}, {&between, bound}}, then,
              pairs_of(lines, 2, 3), behind);
}

void Lowering::leap(Arguments& arguments, NodeId at, const Env& given, const Body& behind) {
  Env env = given;
  const bool rotations = arguments.flag("rotations", true);
  const Value from = start_site(arguments, at, env);
  const Node& walks = arguments.need("walks");
  const Node* const to_clause = arguments.take_clause("to");
  const To to = read_to(to_clause);
  const Node* const then = arguments.take_clause("then");
  arguments.finish();
  if (to.test == nullptr) refuse(arguments.clause());
  std::vector<std::vector<Radial>> lines;
  for (int site = 0; site < e_.board_size(); ++site) {
    auto& list = lines.emplace_back();
    for (const int end : statics_.walk_ends(walks, site, rotations, {})) list.push_back({site, end});
  }
  const Beam beam = choose_beam("way", lines, from, at);
  if (!beam.way.valid()) return;
  const Deeper deeper(depth_);
  const ExprId target = variable(fmt::format("to{}", depth_), places_, kOff);
  at = assign(at, target, g_.access(beam.table, number(0)));
  at = check(at, target, number(kOff), false);
  const Value site = value_of(target, statics_.all_sites(e_.use));
  Env bound = env;
  bound[Slot::from] = from;
  bound[Slot::to] = site;
  const NodeId holds = node();
  ask(*to.test, at, holds, NodeId(), bound);
  finish_move(arguments.clause(), holds, from, site, env, {{&to, bound}}, then, pairs_of(lines, 1, 2), behind);
}

void Lowering::add(Arguments& arguments, NodeId at, const Env& env, const Body& behind) {
  const Node* const piece = arguments.take_clause("piece");
  const Node* const to_clause = arguments.take_clause("to");
  const To to = read_to(to_clause);
  const Node* const then = arguments.take_clause("then");
  arguments.finish();
  if (to.region == nullptr) refuse(arguments.clause());
  int component = env.mover;
  if (piece != nullptr) {
    Arguments inner(*piece);
    const Node& name = inner.need("a name");
    inner.finish();
    const auto number =
        name.is_string() ? std::optional(e_.find_component(name.text)) : statics_.integer(name, known(env));
    if (!number || *number < 1 || *number > static_cast<int>(e_.components.size())) refuse(name);
    component = *number;
  }
  if (component > static_cast<int>(e_.components.size())) refuse(arguments.clause());
  // A piece that is there stays there, so only empty sites are simple.
  const Deeper deeper(depth_);
  const bool single = to.region->is_integer() || find_slot(*to.region) || to.region->is_clause("last");
  if (single) refuse(*to.region);
  const auto [site, chosen] = choose(*to.region, fmt::format("to{}", depth_), at, env);
  if (site.constant) return;
  at = chosen;
  Env bound = env;
  bound[Slot::to] = site;
  if (to.test != nullptr) {
    const NodeId holds = node();
    ask(*to.test, at, holds, NodeId(), bound);
    at = holds;
  }
  bound[Slot::from] = site;
  at = show(at, site, site, env, fmt::format("add {} {}", component, then == nullptr ? "" : then->whole()),
            pairs_of(site, site));
  if (!env.silent) {
    at = assign(at, mover(), g_.symbol(g_.keeper()));
    if (to.effect != nullptr) refuse(*to_clause);
    const NodeId empty = node(), placed = node();
    ask_equal(at, empty, placed, piece_on(site.expr), number(0));
    jump(assign(empty, piece_on(site.expr), number(component)), placed);
    at = placed;
  }
  consequences(then, at, site, site, env, behind);
}

void Lowering::remove(Arguments& arguments, NodeId at, const Env& env, const Body& behind) {
  const Node& region = arguments.need("a region");
  const Node* const then = arguments.take_clause("then");
  arguments.finish();
  const Deeper deeper(depth_);
  const bool single = find_slot(region) || region.is_clause("last") || region.is_integer();
  if (single) refuse(region);
  const auto [site, chosen] = choose(region, fmt::format("to{}", depth_), at, env);
  if (site.constant) return;
  at = check(chosen, piece_on(site.expr), number(0), false);
  at = show(at, site, site, env, fmt::format("remove {}", then == nullptr ? "" : then->whole()), pairs_of(site, site));
  if (!env.silent) {
    at = assign(at, mover(), g_.symbol(g_.keeper()));
    at = assign(at, piece_on(site.expr), number(0));
  }
  consequences(then, at, site, site, env, behind);
}

// Chooses a site of (from region if:…), with (from) bound while its condition is tested.
void Lowering::from_to(Arguments& arguments, NodeId at, const Env& env, const Body& behind) {
  const Node* const from_clause = arguments.take_clause("from");
  const Node* const to_clause = arguments.take_clause("to");
  const Node* const then = arguments.take_clause("then");
  arguments.finish();
  if (from_clause == nullptr || to_clause == nullptr) refuse(arguments.clause());
  const To origin = read_to(from_clause), to = read_to(to_clause);
  if (origin.effect != nullptr || to.region == nullptr) refuse(arguments.clause());
  const Deeper deeper(depth_);
  const auto is_site = [](const Node& node) { return find_slot(node) || node.is_clause("last") || node.is_integer(); };
  const auto pick = [&](const Node& region, const std::string& name, const Env& here) -> Value {
    if (is_site(region)) {
      const Value site = integer(region, here);
      const NodeId there = node();
      ask_test(
          site, [this](int s) { return e_.is_site(s); }, at, there, NodeId());
      at = there;
      return site;
    }
    const auto [site, chosen] = choose(region, fmt::format("{}{}", name, depth_), at, here);
    at = chosen;
    return site;
  };
  const Value from = origin.region == nullptr ? slot_value(Slot::from, env) : pick(*origin.region, "from", env);
  if (from.constant) return;
  Env bound = env;
  bound[Slot::from] = from;
  at = check(at, piece_on(from.expr), number(0), false);
  if (origin.test != nullptr) {
    const NodeId holds = node();
    ask(*origin.test, at, holds, NodeId(), bound);
    at = holds;
  }
  const Value site = pick(*to.region, "to", bound);
  if (site.constant) return;
  bound[Slot::to] = site;
  if (to.test != nullptr) {
    const NodeId holds = node();
    ask(*to.test, at, holds, NodeId(), bound);
    at = holds;
  }
  // A piece that stays where it is would be removed by the general code.
  at = check(at, from.expr, site.expr, false);
  finish_move(arguments.clause(), at, from, site, env, {{&to, bound}}, then, pairs_of(from, site), behind);
}

void Lowering::select(Arguments& arguments, NodeId, const Env&, const Body&) { refuse(arguments.clause()); }

}  // namespace rgtrans::ludii
