// Numbers that the equipment gives for places: sites of hands, tracks and lines, distances, names of pieces.
#include <algorithm>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::NodeId;

int index_on(const Track& track, int site) {
  const auto it = std::ranges::find(track.sites, site);
  return it == track.sites.end() ? -1 : static_cast<int>(it - track.sites.begin());
}

// A term over one or two numbers that follows from the equipment.
Value Lowering::number_of_terms(const Call& call, NodeId& at, const Env& env) {
  type_in(call);
  std::vector<std::pair<const Node*, Value>> terms;
  for (const std::string_view name : {"player", "int", "of"}) {
    if (call[name] != nullptr) terms.emplace_back(call[name], integer(*call[name], env, at));
  }
  if (terms.empty()) refuse(call.clause());
  const auto evaluate = [&](int first, int second) {
    Known here;
    here.terms = {{terms.front().first, first}, {terms.back().first, second}};
    return statics_.integer(call.clause(), here).value_or(kOff);
  };
  if (terms.size() == 1) return table(terms.front().second, [&](int v) { return evaluate(v, v); });
  return table(terms.front().second, terms.back().second, evaluate);
}

// A site some steps along a line. The directions may depend on the piece there.
Value Lowering::number_ahead(const Call& call, NodeId& at, const Env& env) {
  const Value site = integer(call.need("int"), env, at);
  const Value steps = integer_or(call["steps"], constant(1), env, at);
  static const Node kForward{Node::Kind::word, {}, {}, "Forward", {}};
  const Node& where = call["dirs"] == nullptr ? kForward : *call["dirs"];
  type_in(call);
  const auto ahead = [&](int from, int piece, int k) {
    if (from < 0 || !e_.is_board_site(from)) return from < 0 ? kOff : from;
    const auto list = statics_.directions(where, piece == 0 ? Direction::n : e_.facing(piece), from, known(env));
    if (!list) refuse(where);
    return statics_.site_ahead(e_.use, from, *list, k);
  };
  const Value piece = what(site);
  if (steps.constant) {
    limit_size(call.clause(), site.domain.size() * piece.domain.size());
    return table(site, piece, [&](int from, int c) { return ahead(from, c, *steps.constant); });
  }
  return table(site, steps, [&](int from, int k) { return ahead(from, 0, k); });
}

Value Lowering::number_stack(const Call& call, NodeId& at, const Env& env) {
  return table(count_on(at_of(call, at, env)), [](int) { return 0; });
}

// The player that the argument names in every position; `otherwise` without it.
std::optional<int> Lowering::fixed_player(const Call& call, std::string_view name, std::optional<int> otherwise,
                                          NodeId& at, const Env& env) {
  if (call[name] == nullptr) return otherwise;
  const Value who = integer(*call[name], env, at);
  if (!who.constant) refuse(call.clause());
  return who.constant;
}

Value Lowering::number_track(const Call& call, NodeId& at, const Env& env) {
  const Track* const track = statics_.track(call["str"], fixed_player(call, "player", env.mover, at, env));
  if (track == nullptr || track->sites.empty()) return constant(kOff);
  if (track->has_inner_loop) refuse(call.clause());
  const auto size = static_cast<int>(track->sites.size());
  if (call.word() == "EndSite") return constant(track->sites.back());
  const auto index_of = [track](int site) { return index_on(*track, site); };
  if (call.word() == "FirstSite") {
    const Value from = integer_or(call["from"], constant(track->sites.front()), env, at);
    if (call["if"] == nullptr) return table(from, [&](int s) { return index_of(s) < 0 ? kOff : s; });
    Value site = temporary(from, at, places_);
    const Value end = temporary(from, at, places_);
    const NodeId head = node(), met = node(), further = node(), behind = node(), none = node();
    ask_test(end, at, head, none, [&](int s) { return index_of(s) >= 0; });
    ask(*call["if"], head, met, further, env.with(Slot::to, site));
    jump(met, behind);
    const Value next = table(site, [&](int s) {
      const int i = index_of(s);
      return i < 0 ? kOff : track->sites[nth((i + 1) % size)];
    });
    const NodeId moved = assign(further, site.expr, next.expr);
    ask_equal(moved, none, head, site, end);
    edge(none, behind, ir::Assign{site.expr, number(kOff)});
    at = behind;
    return site;
  }
  const Value from = integer_or(call["from"], slot_value(Slot::from, env), env, at);
  const Value steps = integer(call.need("steps"), env, at);
  limit_size(call.clause(), from.domain.size() * steps.domain.size());
  return table(from, steps, [&](int site, int k) {
    const int i = index_of(site);
    if (i < 0) return kOff;
    const int to = i + std::max(k, 0);
    if (to < size) return track->sites[nth(to)];
    return track->loop ? track->sites[nth(to % size)] : kOff;
  });
}

// The distance to the nearest site of a region that does not change.
Value Lowering::number_steps(const Call& call, NodeId& at, const Env& env) {
  type_in(call);
  auto relation = Direction::adjacent;
  if (const Node* const word = call["dirs"]) {
    const auto found = find_direction(word->text);
    if (!found || !is_relation(*found)) refuse(*word);
    relation = *found;
  }
  // A game has one table of distances, for the first of these relations that it mentions.
  for (const std::string_view first : {"Adjacent", "All", "OffDiagonal", "Diagonal"}) {
    const auto direction = find_direction(first);
    if (relation != direction && mentions_clause("count", "Steps") && mentions(first) &&
        relation != Direction::adjacent)
      refuse(call.clause());
    if (relation == direction) break;
  }
  const Value from = integer(call.need("int"), env, at);
  const Node& to = call.need("site");
  const auto nearest = [&](int a, const Sites& targets) {
    int best = 0;
    if (a < 0) return 0;
    for (const int b : targets) {
      if (b < 0 || b >= e_.board_size() || a >= e_.board_size()) continue;
      const int d = statics_.distance(e_.use, relation, a, b);
      if (d >= 0 && (best == 0 || d < best)) best = d;
      if (a == b) return 0;
    }
    return best;
  };
  if (const auto sites = is_region(to) ? statics_.region(to, known(env)) : std::nullopt)
    return table(from, [&](int a) { return nearest(a, *sites); });
  if (is_region(to)) {
    // The least of the distances to its sites.
    const Value start = settled(from, at);
    const int none = e_.board_size();
    const Value best = temporary(constant(none), at, ascending(0, none));
    at = for_each_site(to, at, env, [&](NodeId here, const Value& target) {
      const Value one = table(start, target, [&](int a, int b) {
        const int d = nearest(a, {b});
        return d > 0 || (a == b && a >= 0) ? d : none;
      });
      return assign(here, best.expr, table(best, one, [](int x, int y) { return std::min(x, y); }).expr);
    });
    return table(best, [none](int d) { return d == none ? 0 : d; });
  }
  const Value other = integer(to, env, at);
  limit_size(call.clause(), from.domain.size() * other.domain.size());
  return table(from, other, [&](int a, int b) { return nearest(a, {b}); });
}

Value Lowering::number_region_site(const Call& call, NodeId& at, const Env& env) {
  const auto sites = statics_.region(call.need("region"), known(env));
  const Value index = integer(call.need("index"), env, at);
  if (!sites) {
    // As many sites of the region come before it.
    const Value left = temporary(table(index, [](int i) { return std::max(i, -1); }), at,
                                 ascending(-1, std::max(0, index.domain.back())));
    Value result = temporary(constant(kOff), at, places_);
    at = for_each_site(call.need("region"), at, env, [&](NodeId here, const Value& site) {
      const NodeId behind = when(here, equals(left, 0), ir::Assign{result.expr, site.expr});
      return assign(behind, left.expr, table(left, [](int i) { return std::max(i - 1, -1); }).expr);
    });
    return result;
  }
  return table(index, [&](int i) { return i < 0 || i >= static_cast<int>(sites->size()) ? kOff : (*sites)[nth(i)]; });
}

}  // namespace rgtrans::ludii
