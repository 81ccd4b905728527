// Regions: which sites may belong to one, and whether a site does.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

std::span<const Ludeme<Lowering::Area>> Lowering::areas() {
  static const auto kRows = std::to_array<Ludeme<Area>>({
      {"sites", "[any]", &Lowering::area_one},
      {"array", "any", &Lowering::area_one},
      {"sites Empty", "[type]", &Lowering::area_empty},
      {"sites Occupied", "by:any [container:any] [component:any] [components:strs] [top:flag] [on:type]",
       &Lowering::area_occupied},
      {"sites Around", "[type] site [contents] [distance:int] [dirs] [if:bool] [includeSelf:flag]",
       &Lowering::area_around},
      {"sites Direction",
       "[from:site] [From:region] [dirs] [included:flag] [stop:bool] [stopIncluded:flag] [distance:int] [type]",
       &Lowering::area_direction},
      {"sites LineOfSight", "[sight] [type] [at:int] [dirs]", &Lowering::area_sight},
      {"sites Group", "[type] at:int [dirs] [if:bool]", &Lowering::area_group},
      {"sites From", "moves", &Lowering::area_moves},
      {"sites To", "moves", &Lowering::area_moves},
      {"sites Pending", "", &Lowering::area_pending},
      {"sites ToClear", "", &Lowering::area_pending},
      {"sites State", "[type] int", &Lowering::area_state},
      {"sites Start", "piece", &Lowering::area_start},
      {"sites Hand", "[type] [player]", &Lowering::area_hand},
      {"sites Track", "[player] [str] [from:int] [to:int]", &Lowering::area_track},
      {"sites Next", "[str]", &Lowering::area_owned},
      {"sites Prev", "[str]", &Lowering::area_owned},
      {"sites Player", "[str]", &Lowering::area_owned},
      {"values Remembered", "[str]", &Lowering::area_remembered},
      {"results", "[from:any] [From:any] [to:any] [To:any] int", &Lowering::area_results},
      {"union", "list", &Lowering::area_operation},
      {"intersection", "list", &Lowering::area_operation},
      {"difference", "any any/less", &Lowering::area_operation},
      {"if", "bool any/yes [any/no]", &Lowering::area_if},
      {"forEach", "[of:region] region [if:bool]", &Lowering::area_for_each},
      {"expand", "[region] [origin:int] [steps:int] [dirs] [type]", &Lowering::area_expand},
  });
  return kRows;
}

Lowering::Region Lowering::known_region(Sites sites, const Value& site) {
  Region result;
  result.exact = true;
  result.sites = std::move(sites);
  result.ask = [this, list = result.sites, site](NodeId from, NodeId yes, NodeId no) {
    ask_test(
        site, [&](int s) { return std::ranges::binary_search(list, s); }, from, yes, no);
  };
  return result;
}

Lowering::Region Lowering::from_marks(ExprId map, std::vector<int> sites, const Value& site) {
  return {std::move(sites),
          [this, map, site](NodeId from, NodeId yes, NodeId no) { ask_equal(from, yes, no, marked(map, site), 1); }};
}

Lowering::Region Lowering::region(const Node& node, const Value& site, NodeId& at, const Env& env) {
  if (auto sites = statics_.region(node, known(env))) return known_region(std::move(*sites), site);
  if (node.is_array()) return area_list(node, site, at, env);
  if (!is_region(node)) {
    const Value one = integer(node, env, at);
    limit_size(node, one.domain.size() * site.domain.size());
    return {one.domain, [this, one, site](NodeId from, NodeId yes, NodeId no) {
              const NodeId there = node_of_site(from, one, no);
              ask_equal(there, yes, no, site, one);
            }};
  }
  // Regions around an iterator are tables over both.
  const auto result = tabulate(
      node, env,
      [&](const Known& here) -> std::optional<int> {
        Known outer = here;
        outer[Slot::pips] = known(env)[Slot::pips];
        const auto sites = statics_.region(node, outer);
        if (!sites) return std::nullopt;
        return std::ranges::binary_search(*sites, here[Slot::pips].value_or(kOff)) ? 1 : 0;
      },
      std::pair(Slot::pips, site));
  if (result) {
    return {all_sites_, [this, value = *result](NodeId from, NodeId yes, NodeId no) {
              ask_test(
                  value, [](int v) { return v == 1; }, from, yes, no);
            }};
  }
  const auto* const row = find_ludeme(areas(), node);
  if (row == nullptr) refuse(node);
  return (this->*row->lower)(Call(node, row->name, row->signature), site, at, env);
}

// No site is equal to -1.
NodeId Lowering::node_of_site(NodeId from, const Value& site, NodeId no) {
  if (site.domain.empty() || site.domain.front() >= 0) return from;
  const NodeId there = node();
  ask_test(
      site, [](int s) { return s >= 0; }, from, there, no);
  return there;
}

void Lowering::ask_member(const Node& area, const Value& site, NodeId from, NodeId yes, NodeId no, const Env& env) {
  const Region one = region(area, site, from, env);
  one.ask(from, yes, no);
}

Value Lowering::choose(const Node& area, const std::string& name, NodeId& at, const Env& env) {
  const ExprId chosen = variable(name, places_, kOff);
  Value site = value_of(chosen, all_sites_);
  const Region one = region(area, site, at, env);
  std::erase_if(site.domain, [&](int s) { return !std::ranges::binary_search(one.sites, s); });
  if (site.domain.empty()) {
    at = node();
    return constant(kOff);
  }
  const NodeId picked = node();
  edge(at, picked, ir::AssignAny{chosen, type_of(site.domain)});
  at = picked;
  if (one.exact) return site;
  const NodeId inside = node();
  one.ask(at, inside, NodeId());
  at = inside;
  return site;
}

NodeId Lowering::for_each_site(const Node& area, NodeId at, const Env& env,
                               const std::function<NodeId(NodeId, const Value&)>& body) {
  const Deeper deeper(depth_);
  const ExprId each = variable(fmt::format("each{}", depth_), places_, kOff);
  Value site = value_of(each, all_sites_);
  const Region one = region(area, site, at, env);
  std::erase_if(site.domain, [&](int s) { return !std::ranges::binary_search(one.sites, s); });
  return loop(site.domain, site, at, [&](NodeId here) {
    if (one.exact) return body(here, site);
    const NodeId in = node(), behind = node();
    one.ask(here, in, behind);
    jump(body(in, site), behind);
    return behind;
  });
}

Lowering::Region Lowering::area_list(const Node& array, const Value& site, NodeId& at, const Env& env) {
  std::vector<Region> parts;
  std::set<int> all;
  for (const Node& item : array.items) {
    parts.push_back(region(item, site, at, env));
    for (const int s : parts.back().sites) {
      if (s >= 0) all.insert(s);
    }
  }
  return {{all.begin(), all.end()}, [this, parts](NodeId from, NodeId yes, NodeId no) {
            for (std::size_t i = 0; i < parts.size(); ++i) {
              const NodeId next = i + 1 == parts.size() ? no : node();
              parts[i].ask(from, yes, next);
              from = next;
            }
            if (parts.empty()) jump(from, no);
          }};
}

Lowering::Region Lowering::area_one(const Call& call, const Value& site, NodeId& at, const Env& env) {
  const Node* const what_ = call["any"];
  if (what_ == nullptr) {
    if (!env.group.valid()) refuse(call.clause());
    return from_marks(env.group, all_sites_, site);
  }
  if (what_->is_array()) return area_list(*what_, site, at, env);
  if (what_->is_clause("player")) return owned_sites(*what_, nullptr, site, at, env);
  if (!what_->is_clause() || !is_region(*what_)) refuse(call.clause());
  return region(*what_, site, at, env);
}

Lowering::Region Lowering::area_empty(const Call& call, const Value& site, NodeId&, const Env&) {
  if (statics_.type_or(call["type"]) != e_.use) refuse(call.clause());
  return {statics_.all_sites(e_.use), [this, site](NodeId from, NodeId yes, NodeId no) {
            const NodeId there = node();
            ask_test(
                site, [this](int s) { return e_.is_board_site(s); }, from, there, no);
            ask_equal(there, yes, no, what(site), 0);
          }};
}

Lowering::Owned Lowering::owned_by(const Node* node, const Env& env, NodeId& at) {
  const auto any = [this](const std::function<bool(int)>& f) {
    return Owned{[this, f](int c, int) { return c != 0 && f(owner_of(c)); }, std::nullopt};
  };
  if (node == nullptr || node->is_word("All")) return any([](int) { return true; });
  const int mover = env.mover;
  if (node->is_word("NonMover") || node->is_word("Enemy"))
    return any([this, mover](int o) { return o != mover && o >= 1 && o <= n_; });
  if (node->is_word("Friend")) return any([mover](int o) { return o == mover; });
  if (node->is_word("Ally") || node->is_word("TeamMover") || node->text.starts_with("Team")) refuse(*node);
  const Value who = player(*node, env, at);
  if (who.constant) return any([p = *who.constant](int o) { return o == p; });
  return {[this](int c, int p) { return c != 0 && owner_of(c) == p; }, who};
}

void Lowering::ask_owned(const Owned& owned, const Value& component, NodeId from, NodeId yes, NodeId no) {
  if (!owned.player)
    return ask_test(
        component, [&](int c) { return owned.fits(c, 0); }, from, yes, no);
  ask_test(
      table(component, *owned.player, [&](int c, int p) { return owned.fits(c, p) ? 1 : 0; }),
      [](int v) { return v == 1; }, from, yes, no);
}

Lowering::Region Lowering::area_occupied(const Call& call, const Value& site, NodeId& at, const Env& env) {
  Owned owned = owned_by(&call.need("by"), env, at);
  std::vector<std::string> names;
  if (const Node* const list = call["components"]) {
    for (const Node& one : list->is_array() ? std::span(list->items) : std::span(list, 1)) names.push_back(one.text);
  }
  if (const Node* const one = call["component"]) {
    if (one->is_string()) {
      names.push_back(one->text);
    } else {
      const Value wanted = integer(*one, env, at);
      if (!wanted.constant) refuse(*one);
      owned.fits = [f = owned.fits, c = *wanted.constant](int component, int p) { return component == c && f(c, p); };
    }
  }
  if (!names.empty()) {
    owned.fits = [this, f = owned.fits, names](int component, int p) {
      return f(component, p) && std::ranges::any_of(names, [&](const std::string& name) {
               return e_.component(component).name.find(name) != std::string::npos;
             });
    };
  }
  // Hands are included on boards of cells only.
  std::vector<int> sites = e_.use == SiteType::cell ? all_sites_ : statics_.all_sites(e_.use);
  if (const Node* const container = call["container"]) {
    std::size_t index = 0;
    if (container->is_string()) {
      const auto it = std::ranges::find(e_.containers, container->text, &Container::name);
      if (it == e_.containers.end()) refuse(*container);
      index = static_cast<std::size_t>(it - e_.containers.begin());
    } else {
      const auto value = statics_.integer(*container, known(env));
      if (!value || *value < 0 || *value >= static_cast<int>(e_.containers.size())) refuse(*container);
      index = static_cast<std::size_t>(*value);
    }
    const Container& one = e_.containers[index];
    std::erase_if(sites, [&](int s) { return s < one.first || s >= one.first + one.size; });
    if (index > 0) {
      sites.clear();
      for (int i = 0; i < one.size; ++i) sites.push_back(one.first + i);
    }
  }
  if (const Node* const on = call["on"]; on != nullptr && statics_.type_or(on) != e_.use) refuse(*on);
  return {sites, [this, owned, site, sites](NodeId from, NodeId yes, NodeId no) {
            const NodeId there = node();
            ask_test(
                site, [&](int s) { return std::ranges::binary_search(sites, s); }, from, there, no);
            ask_owned(owned, what(site), there, yes, no);
          }};
}

Lowering::Region Lowering::area_operation(const Call& call, const Value& site, NodeId& at, const Env& env) {
  Parts nodes = call.list();
  if (call["any"] != nullptr) nodes = {&call.need("any"), &call.need("less")};
  std::vector<Region> parts;
  for (const Node* one : nodes) parts.push_back(region(*one, site, at, env));
  if (parts.empty()) refuse(call.clause());
  const std::string& name = call.clause().text;
  std::vector<int> sites = parts.front().sites;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    std::vector<int> combined;
    if (name == "union") {
      std::ranges::set_union(sites, parts[i].sites, std::back_inserter(combined));
    } else if (name == "intersection") {
      std::ranges::set_intersection(sites, parts[i].sites, std::back_inserter(combined));
    } else if (parts[i].exact) {
      std::ranges::set_difference(sites, parts[i].sites, std::back_inserter(combined));
    } else {
      combined = sites;
    }
    sites = std::move(combined);
  }
  const bool first_wins = name == "union", minus = name == "difference";
  return {sites, [this, parts, first_wins, minus](NodeId from, NodeId yes, NodeId no) {
            for (std::size_t i = 0; i < parts.size(); ++i) {
              const bool last = i + 1 == parts.size(), less = minus && i > 0;
              const NodeId next = last ? NodeId() : node();
              const NodeId in = less ? no : first_wins || last ? yes : next;
              const NodeId out = less ? (last ? yes : next) : first_wins && !last ? next : no;
              parts[i].ask(from, in, out);
              from = next;
            }
          }};
}

Lowering::Region Lowering::area_if(const Call& call, const Value& site, NodeId& at, const Env& env) {
  // Both regions are made before the condition is asked.
  const Region yes_part = region(call.need("yes"), site, at, env);
  const Region no_part = call["no"] == nullptr ? known_region({}, site) : region(*call["no"], site, at, env);
  const Value flag = temporary(constant(0), at, std::vector<int>{0, 1});
  const NodeId yes = node(), joined = node();
  ask(call.need("bool"), at, yes, joined, env);
  edge(yes, joined, ir::Assign{flag.expr, number(1)});
  at = joined;
  std::vector<int> sites;
  std::ranges::set_union(yes_part.sites, no_part.sites, std::back_inserter(sites));
  return {sites, [this, flag, yes_part, no_part](NodeId from, NodeId in, NodeId out) {
            const NodeId first = node(), second = node();
            ask_equal(from, first, second, flag, 1);
            yes_part.ask(first, in, out);
            no_part.ask(second, in, out);
          }};
}

Lowering::Region Lowering::area_for_each(const Call& call, const Value& site, NodeId& at, const Env& env) {
  if (call["of"] != nullptr) return area_union_for(call, site, at, env);
  if (call["if"] == nullptr) refuse(call.clause());
  const Region inner = region(call.need("region"), site, at, env);
  return {inner.sites, [this, inner, site, env, test = call["if"]](NodeId from, NodeId yes, NodeId no) {
            const NodeId in = node();
            inner.ask(from, in, no);
            Env bound = env;
            bound[Slot::site] = site;
            const Deeper deeper(depth_);
            ask(*test, in, yes, no, bound);
          }};
}

// The union of a region for each site of another one.
Lowering::Region Lowering::area_union_for(const Call& call, const Value& site, NodeId&, const Env& env) {
  const Node* const of = call["of"];
  const Node* const inner = call["region"];
  if (call["if"] != nullptr) refuse(call.clause());
  return {all_sites_, [this, site, env, of, inner](NodeId from, NodeId yes, NodeId no) {
            ask_exists(from, yes, no, [&](NodeId start, NodeId found) {
              const Deeper deeper(depth_);
              NodeId at = start;
              Env bound = env;
              bound[Slot::site] = choose(*of, fmt::format("each{}", depth_), at, env);
              ask_member(*inner, site, at, found, NodeId(), bound);
            });
          }};
}

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
  const auto distance =
      call["distance"] == nullptr ? std::optional(1) : statics_.integer(*call["distance"], known(env));
  if (!distance) refuse(call.clause());
  const auto lines = lines_of(call["dirs"], env, false);
  std::set<std::pair<int, int>> near;
  for (const auto& list : lines) {
    for (const Radial& radial : list) {
      if (static_cast<int>(radial.size()) > *distance)
        near.emplace(radial.front(), radial[static_cast<std::size_t>(*distance)]);
    }
  }
  const Node& start = call.need("site");
  const bool self = call.flag("includeSelf");
  const std::string contents = call["contents"] == nullptr ? "" : call["contents"]->text;
  const Node* const test = call["if"];
  const int mover = env.mover;
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
    ask_test(
        table(from_site, site,
              [&](int a, int b) {
                return near.contains({a, b}) ? 1 : 0;
              }),
        [](int v) { return v == 1; }, from, close, no);
    ask_test(
        what(site), [&](int c) { return fits(owner_of(c), c); }, close, test == nullptr ? yes : content, no);
    if (test == nullptr) return;
    Env bound = env;
    bound[Slot::from] = from_site;
    bound[Slot::to] = site;
    ask(*test, content, yes, no, bound);
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
            ask_exists(outside, yes, no, [&](NodeId begin, NodeId found) {
              const Deeper deeper(depth_);
              const Value one = choose(start, fmt::format("each{}", depth_), begin, env);
              ask_near(one, begin, found, NodeId());
            });
          }};
}

Lowering::Region Lowering::area_expand(const Call& call, const Value& site, NodeId& at, const Env& env) {
  type_in(call);
  const auto steps = call["steps"] == nullptr ? std::optional(1) : statics_.integer(*call["steps"], known(env));
  if (!steps || *steps < 0) refuse(call.clause());
  const auto neighbours = neighbours_of(call["dirs"], env);
  std::set<std::pair<int, int>> near;
  for (int s = 0; s < e_.board_size(); ++s) {
    std::set<int> reached = {s};
    for (int k = 0; k < std::min(*steps, e_.board_size()); ++k) {
      const std::set<int> before = reached;
      for (const int one : before) {
        const auto& next = neighbours[static_cast<std::size_t>(one)];
        reached.insert(next.begin(), next.end());
      }
    }
    for (const int one : reached) near.emplace(s, one);
  }
  limit_size(call.clause(), near.size() * 4);
  const auto is_near = [near](int a, int b) { return near.contains({a, b}) || (a == b && a >= 0) ? 1 : 0; };
  const auto one = [](int v) { return v == 1; };
  if (const Node* const origin = call["origin"]) {
    const Value from_site = integer(*origin, env, at);
    return {all_sites_, [this, is_near, one, from_site, site](NodeId from, NodeId yes, NodeId no) {
              ask_test(table(from_site, site, is_near), one, from, yes, no);
            }};
  }
  const Node& start = call.need("region");
  return {all_sites_, [this, is_near, one, &start, site, env](NodeId from, NodeId yes, NodeId no) {
            ask_exists(from, yes, no, [&](NodeId begin, NodeId found) {
              const Deeper deeper(depth_);
              const Value from_site = choose(start, fmt::format("each{}", depth_), begin, env);
              ask_test(table(from_site, site, is_near), one, begin, found, NodeId());
            });
          }};
}

Lowering::Region Lowering::area_moves(const Call& call, const Value& site, NodeId&, const Env& env) {
  const bool from_sites = call.word() == "From";
  return {all_sites_, [this, site, env, from_sites, moves_ = &call.need("moves")](NodeId from, NodeId yes, NodeId no) {
            ask_exists(from, yes, no, [&](NodeId start, NodeId found) {
              const Deeper deeper(depth_);
              Env inner = env;
              inner.silent = true;
              inner.checked = false;
              moves(*moves_, start, inner, [&](NodeId end, const Made& made) {
                ask_equal(end, found, NodeId(), from_sites ? made.from : made.to, site);
              });
            });
          }};
}

Lowering::Region Lowering::area_pending(const Call& call, const Value& site, NodeId&, const Env&) {
  const ExprId map_ref = call.word() == "Pending" ? pending_ : to_clear_;
  if (!map_ref.valid()) return known_region({}, site);
  return from_marks(map_ref, all_sites_, site);
}

Lowering::Region Lowering::area_state(const Call& call, const Value& site, NodeId& at, const Env& env) {
  type_in(call);
  const Value state = integer(call.need("int"), env, at);
  return {statics_.all_sites(e_.use), [this, state, site](NodeId from, NodeId yes, NodeId no) {
            const NodeId there = node();
            ask_test(
                site, [this](int s) { return e_.is_board_site(s); }, from, there, no);
            if (!states_.valid()) return ask_equal(there, yes, no, state, 0);
            ask_equal(there, yes, no, value_of(g_.access(states_, site.expr), domain("state")), state);
          }};
}

Lowering::Region Lowering::area_start(const Call& call, const Value& site, NodeId& at, const Env& env) {
  std::set<int> sites;
  const Node& named = call.need("piece").items.front();
  if (!named.is_string() && !named.is_array()) {
    const Value component = integer(named, env, at);
    limit_size(call.clause(), component.domain.size() * site.domain.size());
    const Value in = table(component, site, [this](int c, int s) {
      const auto it = start_.find(s);
      return c > 0 && it != start_.end() && it->second.component == c && e_.is_board_site(s) ? 1 : 0;
    });
    return {statics_.all_sites(e_.use), [this, in](NodeId from, NodeId yes, NodeId no) {
              ask_test(
                  in, [](int v) { return v == 1; }, from, yes, no);
            }};
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
  return {sites, [this, in](NodeId from, NodeId yes, NodeId no) {
            ask_test(
                in, [](int v) { return v == 1; }, from, yes, no);
          }};
}

Lowering::Region Lowering::area_owned(const Call& call, const Value& site, NodeId& at, const Env& env) {
  return owned_sites(call.clause().items.front(), call["str"], site, at, env);
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
  return {all_sites_, [this, in](NodeId from, NodeId yes, NodeId no) {
            ask_test(
                in, [](int v) { return v == 1; }, from, yes, no);
          }};
}

Lowering::Region Lowering::area_track(const Call& call, const Value& site, NodeId& at, const Env& env) {
  std::optional<int> owner;
  if (call["player"] != nullptr) {
    const Value who = player(*call["player"], env, at);
    if (!who.constant) refuse(call.clause());
    owner = who.constant;
  }
  const Track* const track = statics_.track(call["str"], owner);
  if (track == nullptr) return known_region({}, site);
  const auto& list = track->sites;
  std::set<int> all;
  for (const int s : list) {
    if (s >= 0) all.insert(s);
  }
  const std::vector<int> sites(all.begin(), all.end());
  if (call["from"] == nullptr && call["to"] == nullptr) return known_region(sites, site);
  if (track->has_inner_loop) refuse(call.clause());
  const Value first = call["from"] == nullptr ? constant(list.front()) : integer(*call["from"], env, at);
  const Value last = call["to"] == nullptr ? constant(list.back()) : integer(*call["to"], env, at);
  if (!first.constant && !last.constant) refuse(call.clause());
  const auto size = static_cast<int>(list.size());
  const auto index_of = [list](int s) {
    const auto it = std::ranges::find(list, s);
    return it == list.end() ? -1 : static_cast<int>(it - list.begin());
  };
  const auto between = [index_of, size](int a, int b, int s) {
    const int i = index_of(a), j = index_of(b), k = index_of(s);
    if (i < 0 || j < 0 || k < 0) return 0;
    return (k - i + size) % size <= (j - i + size) % size ? 1 : 0;
  };
  const Value in = first.constant ? table(last, site, [&](int b, int s) { return between(*first.constant, b, s); })
                                  : table(first, site, [&](int a, int s) { return between(a, *last.constant, s); });
  return {sites, [this, in](NodeId from, NodeId yes, NodeId no) {
            ask_test(
                in, [](int v) { return v == 1; }, from, yes, no);
          }};
}

Lowering::Region Lowering::area_remembered(const Call& call, const Value& site, NodeId&, const Env&) {
  const Memory one = memory(call["str"]);
  if (!one.map.valid()) return known_region({}, site);
  return {one.keys, [this, one, site](NodeId from, NodeId yes, NodeId no) {
            const NodeId there = node();
            ask_test(
                site, [&](int v) { return std::ranges::binary_search(one.keys, v); }, from, there, no);
            ask_equal(there, yes, no, value_of(g_.access(one.map, site.expr), {0, 1}), 1);
          }};
}

}  // namespace rgtrans::ludii
