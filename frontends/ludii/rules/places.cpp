// Numbers that the equipment gives for places: sites of hands, tracks and lines, distances, names of pieces.
#include <algorithm>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::NodeId;

Value Lowering::number_hand(const Call& call, NodeId& at, const Env& env) {
  const Value who = player(call.need("player"), env, at);
  const Value index = call["int"] == nullptr ? constant(0) : integer(*call["int"], env, at);
  return table(who, index, [this](int p, int i) {
    const Container* const hand = e_.hand_of(p);
    return hand == nullptr || i < 0 || i >= hand->size ? kOff : hand->first + i;
  });
}

Value Lowering::number_map(const Call& call, NodeId& at, const Env& env) {
  const Node* const name = call["str"];
  return table(integer(call.need("int"), env, at), [&](int key) {
    for (const NamedMap& map : e_.maps) {
      if (name != nullptr && map.name != name->text) continue;
      for (const auto& [from, to] : map.pairs) {
        if (from == key && to != kOff) return to;
      }
    }
    return key;
  });
}

Value Lowering::number_id(const Call& call, NodeId& at, const Env& env) {
  const Node* const name = call["str"];
  const Node* const who = call["player"];
  if (who == nullptr) refuse(call.clause());
  return table(player(*who, env, at), [&](int owner) {
    if (name == nullptr) return owner;
    const auto found = owner < 0 ? std::vector<int>() : statics_.components_like(name->text, owner);
    return found.empty() ? kOff : found.front();
  });
}

// A property of a site.
Value Lowering::number_place(const Call& call, NodeId& at, const Env& env) {
  type_in(call);
  const Node& of = call.need("of");
  return table(integer(of, env, at), [&](int site) {
    Known here;
    here.terms[&of] = site;
    return statics_.integer(call.clause(), here).value_or(kOff);
  });
}

// A site some steps along a line. The directions may depend on the piece there.
Value Lowering::number_ahead(const Call& call, NodeId& at, const Env& env) {
  const Value site = integer(call.need("int"), env, at);
  const Value steps = call["steps"] == nullptr ? constant(1) : integer(*call["steps"], env, at);
  static const Node kForward{Node::Kind::word, {}, {}, "Forward", {}};
  const Node& where = call["dirs"] == nullptr ? kForward : *call["dirs"];
  type_in(call);
  const auto ahead = [&](int from, int piece, int k) {
    if (from < 0 || !e_.is_board_site(from)) return from < 0 ? kOff : from;
    const auto list = statics_.directions(where, piece == 0 ? Direction::n : e_.facing(piece), from, known(env));
    if (!list) refuse(where);
    for (const Direction d : *list) {
      for (const Radial& radial : e_.topology->radials(e_.use, d, from)) {
        if (k >= 0 && static_cast<int>(radial.size()) > k) return radial[static_cast<std::size_t>(k)];
      }
    }
    return from;
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

Value Lowering::number_track(const Call& call, NodeId& at, const Env& env) {
  std::optional<int> owner = env.mover;
  if (call["player"] != nullptr) {
    const Value who = player(*call["player"], env, at);
    if (!who.constant) refuse(call.clause());
    owner = who.constant;
  }
  const Track* const track = statics_.track(call["str"], owner);
  if (track == nullptr || track->sites.empty()) return constant(kOff);
  if (track->has_inner_loop) refuse(call.clause());
  const auto size = static_cast<int>(track->sites.size());
  if (call.word() == "EndSite") return constant(track->sites.back());
  const auto index_of = [track](int site) {
    const auto it = std::ranges::find(track->sites, site);
    return it == track->sites.end() ? -1 : static_cast<int>(it - track->sites.begin());
  };
  if (call.word() == "FirstSite") {
    const Value from = call["from"] == nullptr ? constant(track->sites.front()) : integer(*call["from"], env, at);
    if (call["if"] == nullptr) return table(from, [&](int s) { return index_of(s) < 0 ? kOff : s; });
    Value site = temporary(from, at, places_);
    const Value end = temporary(from, at, places_);
    const NodeId head = node(), met = node(), further = node(), behind = node(), none = node();
    ask_test(end, at, head, none, [&](int s) { return index_of(s) >= 0; });
    Env inner = env;
    inner[Slot::to] = site;
    ask(*call["if"], head, met, further, inner);
    jump(met, behind);
    const Value next = table(site, [&](int s) {
      const int i = index_of(s);
      return i < 0 ? kOff : track->sites[static_cast<std::size_t>((i + 1) % size)];
    });
    const NodeId moved = assign(further, site.expr, next.expr);
    ask_equal(moved, none, head, site, end);
    edge(none, behind, ir::Assign{site.expr, number(kOff)});
    at = behind;
    return site;
  }
  const Value from = call["from"] == nullptr ? slot_value(Slot::from, env) : integer(*call["from"], env, at);
  const Value steps = integer(call.need("steps"), env, at);
  limit_size(call.clause(), from.domain.size() * steps.domain.size());
  return table(from, steps, [&](int site, int k) {
    const int i = index_of(site);
    if (i < 0) return kOff;
    const int to = i + std::max(k, 0);
    if (to < size) return track->sites[static_cast<std::size_t>(to)];
    return track->loop ? track->sites[static_cast<std::size_t>(to % size)] : kOff;
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
    std::vector<int> distances;
    for (int d = 0; d <= none; ++d) distances.push_back(d);
    const Value best = temporary(constant(none), at, distances);
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
    std::vector<int> numbers_;
    for (int i = -1; i <= std::max(0, index.domain.back()); ++i) numbers_.push_back(i);
    const Value left = temporary(table(index, [](int i) { return std::max(i, -1); }), at, numbers_);
    Value result = temporary(constant(kOff), at, places_);
    at = for_each_site(call.need("region"), at, env, [&](NodeId here, const Value& site) {
      const NodeId is = node(), behind = node();
      ask_equal(here, is, behind, left, 0);
      edge(is, behind, ir::Assign{result.expr, site.expr});
      return assign(behind, left.expr, table(left, [](int i) { return std::max(i - 1, -1); }).expr);
    });
    return result;
  }
  return table(index, [&](int i) {
    return i < 0 || i >= static_cast<int>(sites->size()) ? kOff : (*sites)[static_cast<std::size_t>(i)];
  });
}

}  // namespace rgtrans::ludii
