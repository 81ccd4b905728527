// Regions around sites, of moves, of players and of tracks.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

// The values of a term for all pairs of sites of two regions.
Lowering::Region Lowering::area_results(const Call& call, const Value& site, NodeId&, const Env& env) {
  const Node* const first = call["from"] != nullptr ? call["from"] : call["From"];
  const Node* const second = call["to"] != nullptr ? call["to"] : call["To"];
  if (first == nullptr || second == nullptr) refuse(call.clause());
  return {all_sites_, [this, site, env, first, second, term = call["int"]](NodeId from, NodeId yes, NodeId no) {
            ask_exists(from, yes, no, [&](NodeId start, NodeId found) {
              const Deeper deeper(depth_);
              NodeId at = start;
              Env bound = env;
              const auto bind = [&](const Node& area, const char* name) {
                return is_region(area) ? choose(area, fmt::format("{}{}", name, depth_), at, bound)
                                       : integer(area, bound, at);
              };
              bound[Slot::from] = bind(*first, "first");
              bound[Slot::to] = bind(*second, "second");
              const Value value = integer(*term, bound, at);
              ask_equal(node_of_site(at, value, NodeId()), found, NodeId(), value, site);
            });
          }};
}

Lowering::Region Lowering::area_around(const Call& call, const Value& site, NodeId& at, const Env& env) {
  type_in(call);
  const auto distance = statics_.integer_or(call["distance"], 1, known(env));
  if (!distance) refuse(call.clause());
  const auto lines = lines_of(call["dirs"], env, false);
  std::set<std::pair<int, int>> near;
  for (const auto& list : lines) {
    for (const Radial& radial : list) {
      if (static_cast<int>(radial.size()) > *distance) near.emplace(radial.front(), radial[nth(*distance)]);
    }
  }
  const Node& start = call.need("site");
  const bool self = call.flag("includeSelf");
  const std::string contents = call["contents"] == nullptr ? "" : call["contents"]->text;
  const Node* const test = call["if"];
  const int mover = env.mover;
  // Not yet exact: whether pieces that all share are enemies here.
  const bool shares = std::ranges::any_of(e_.components, [this](const Component& c) { return c.owner == e_.shared(); });
  if (shares && contents.ends_with("Enemy")) refuse(call.clause());
  const auto fits = [contents, mover](int owner, int piece) {
    const bool empty = piece == 0, own = !empty && owner == mover, enemy = !empty && owner != mover && owner > 0;
    if (contents == "Empty") return empty;
    if (contents == "NotEmpty") return !empty;
    if (contents == "Own") return own;
    if (contents == "NotOwn") return !own;
    if (contents == "Enemy") return enemy;
    return contents != "NotEnemy" || !enemy;
  };
  const auto ask_near = [this, near, site, env, test, fits](const Value& from_site, NodeId from, NodeId yes,
                                                            NodeId no) {
    const NodeId close = node(), content = node();
    ask_equal(from, close, no, table(from_site, site, [&](int a, int b) { return near.contains({a, b}) ? 1 : 0; }), 1);
    ask_test(what(site), close, test == nullptr ? yes : content, no, [&](int c) { return fits(owner_of(c), c); });
    if (test == nullptr) return;
    ask(*test, content, yes, no, env.with(Slot::from, from_site).with(Slot::to, site));
  };
  if (!is_region(start)) {
    const Value from_site = integer(start, env, at);
    limit_size(start, from_site.domain.size() * site.domain.size());
    return {all_sites_, [this, ask_near, from_site, site, self](NodeId from, NodeId yes, NodeId no) {
              const NodeId there = node_of_site(from, from_site, no);
              const NodeId other = node();
              ask_equal(there, self ? yes : no, other, site, from_site);
              ask_near(from_site, other, yes, no);
            }};
  }
  return {all_sites_, [this, ask_near, &start, site, self, env](NodeId from, NodeId yes, NodeId no) {
            NodeId outside = node();
            ask_member(start, site, from, self ? yes : no, outside, env);
            ask_some(start, outside, yes, no, env,
                     [&](const Value& one, NodeId begin, NodeId found) { ask_near(one, begin, found, NodeId()); });
          }};
}

Lowering::Region Lowering::area_expand(const Call& call, const Value& site, NodeId& at, const Env& env) {
  type_in(call);
  const auto steps = statics_.integer_or(call["steps"], 1, known(env));
  if (!steps || *steps < 0) refuse(call.clause());
  const auto neighbours = neighbours_of(call["dirs"], env);
  std::set<std::pair<int, int>> near;
  for (int s = 0; s < e_.board_size(); ++s) {
    std::set<int> reached = {s};
    for (int k = 0; k < std::min(*steps, e_.board_size()); ++k) {
      const std::set<int> before = reached;
      for (const int one : before) {
        const auto& next = neighbours[nth(one)];
        reached.insert(next.begin(), next.end());
      }
    }
    for (const int one : reached) near.emplace(s, one);
  }
  limit_size(call.clause(), near.size() * 4);
  const auto is_near = [near](int a, int b) { return near.contains({a, b}) || (a == b && a >= 0) ? 1 : 0; };
  if (const Node* const origin = call["origin"]) {
    const Value from_site = integer(*origin, env, at);
    return {all_sites_, [this, is_near, from_site, site](NodeId from, NodeId yes, NodeId no) {
              ask_equal(from, yes, no, table(from_site, site, is_near), 1);
            }};
  }
  const Node& start = call.need("region");
  return {all_sites_, [this, is_near, &start, site, env](NodeId from, NodeId yes, NodeId no) {
            ask_some(start, from, yes, no, env, [&](const Value& from_site, NodeId begin, NodeId found) {
              ask_equal(begin, found, NodeId(), table(from_site, site, is_near), 1);
            });
          }};
}

Lowering::Region Lowering::area_moves(const Call& call, const Value& site, NodeId&, const Env& env) {
  const bool from_sites = call.word() == "From";
  return {all_sites_, [this, site, env, from_sites, moves_ = &call.need("moves")](NodeId from, NodeId yes, NodeId no) {
            ask_exists(from, yes, no, [&](NodeId start, NodeId found) {
              const Deeper deeper(depth_);
              moves(*moves_, start, env.searching(), [&](NodeId end, const Made& made) {
                ask_equal(end, found, NodeId(), from_sites ? made.from : made.to, site);
              });
            });
          }};
}

Lowering::Region Lowering::area_pending(const Call& call, const Value& site, NodeId&, const Env& env) {
  const bool pending = call.word() == "Pending";
  const ExprId map_ref = pending ? pending_ : to_clear_;
  if (!map_ref.valid()) return known_region({}, site);
  if (!pending) return from_marks(map_ref, all_sites_, site);
  return {all_sites_, [this, site, env](NodeId from, NodeId yes, NodeId no) { ask_pending(site, from, yes, no, env); }};
}

Lowering::Region Lowering::area_state(const Call& call, const Value& site, NodeId& at, const Env& env) {
  type_in(call);
  const Value state = integer(call.need("int"), env, at);
  return {statics_.all_sites(e_.use), [this, state, site](NodeId from, NodeId yes, NodeId no) {
            const NodeId there = after_test(site, from, no, [this](int s) { return e_.is_board_site(s); });
            if (!states_.valid()) return ask_equal(there, yes, no, state, 0);
            ask_equal(there, yes, no, value_of(g_.access(states_, site.expr), domain("state")), state);
          }};
}

Lowering::Region Lowering::area_start(const Call& call, const Value& site, NodeId& at, const Env& env) {
  std::set<int> sites;
  const Node& named = call.need("piece").item(0);
  if (!named.is_string() && !named.is_array()) {
    const Value component = integer(named, env, at);
    limit_size(call.clause(), component.domain.size() * site.domain.size());
    const Value in = table(component, site, [this](int c, int s) {
      const auto it = start_.find(s);
      return c > 0 && it != start_.end() && it->second.component == c && e_.is_board_site(s) ? 1 : 0;
    });
    return where_one(statics_.all_sites(e_.use), in);
  }
  for (const int component : components_in(&call.need("piece"), env)) {
    for (const auto& [s, square] : start_) {
      if (square.component == component && e_.is_board_site(s)) sites.insert(s);
    }
  }
  return known_region({sites.begin(), sites.end()}, site);
}

Lowering::Region Lowering::area_hand(const Call& call, const Value& site, NodeId& at, const Env& env) {
  const Value who = call["player"] == nullptr ? constant(e_.shared()) : player(*call["player"], env, at);
  std::vector<int> sites;
  for (const int s : all_sites_) {
    if (!e_.is_board_site(s)) sites.push_back(s);
  }
  const Value in = table(site, who, [this](int s, int p) {
    const Container* const hand = e_.hand_of(p);
    return hand != nullptr && s >= hand->first && s < hand->first + hand->size ? 1 : 0;
  });
  return where_one(sites, in);
}

Lowering::Region Lowering::area_owned(const Call& call, const Value& site, NodeId& at, const Env& env) {
  return owned_sites(call.clause().item(0), call["str"], site, at, env);
}

Lowering::Region Lowering::owned_sites(const Node& owner, const Node* name, const Value& site, NodeId& at,
                                       const Env& env) {
  const Value who = player(owner, env, at);
  std::set<std::pair<int, int>> owned;
  for (const NamedRegion& one : e_.regions) {
    if (name != nullptr && one.name.find(name->text) == std::string::npos) continue;
    if (!one.sites) refuse(owner);
    for (const int s : *one.sites) owned.emplace(one.owner, s);
  }
  const Value in = table(site, who, [&](int s, int p) { return owned.contains({p, s}) ? 1 : 0; });
  return where_one(all_sites_, in);
}

Lowering::Region Lowering::area_track(const Call& call, const Value& site, NodeId& at, const Env& env) {
  const Track* const track = statics_.track(call["str"], fixed_player(call, "player", {}, at, env));
  if (track == nullptr) return known_region({}, site);
  const auto& list = track->sites;
  std::set<int> all;
  for (const int s : list) {
    if (s >= 0) all.insert(s);
  }
  const std::vector<int> sites(all.begin(), all.end());
  if (call["from"] == nullptr && call["to"] == nullptr) return known_region(sites, site);
  if (track->has_inner_loop) refuse(call.clause());
  const Value first = integer_or(call["from"], constant(list.front()), env, at);
  const Value last = integer_or(call["to"], constant(list.back()), env, at);
  const auto size = static_cast<int>(list.size());
  const auto index_of = [track](int s) { return index_on(*track, s); };
  // The steps from the first site: to the last one, and to the site.
  const auto steps = [index_of, size](int a, int b) {
    const int i = index_of(a), j = index_of(b);
    return i < 0 || j < 0 ? -1 : (j - i + size) % size;
  };
  const Value in = table(table(first, site, steps), table(first, last, steps),
                         [](int to_site, int to_last) { return to_site >= 0 && to_site <= to_last ? 1 : 0; });
  return where_one(sites, in);
}

Lowering::Region Lowering::area_remembered(const Call& call, const Value& site, NodeId&, const Env&) {
  const Memory one = memory(call["str"]);
  if (!one.map.valid()) return known_region({}, site);
  return {one.keys, [this, one, site](NodeId from, NodeId yes, NodeId no) {
            const NodeId there =
                after_test(site, from, no, [&](int v) { return std::ranges::binary_search(one.keys, v); });
            ask_equal(there, yes, no, marked(one.map, site), 1);
          }};
}

}  // namespace rgtrans::ludii
