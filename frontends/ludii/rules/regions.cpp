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
      {"sites Empty", "[type] [int]", &Lowering::area_empty},
      {"sites Occupied", "by:any [container:any] [component:any] [components:strs] [top:flag] [on:type]",
       &Lowering::area_occupied},
      {"sites Around", "[type] site [contents] [distance:int] [dirs] [if:bool] [includeSelf:flag]",
       &Lowering::area_around},
      {"sites Direction",
       "[from:site] [From:region] [dirs] [included:flag] [stop:bool] [stopIncluded:flag] [distance:int] [type]",
       &Lowering::area_direction},
      {"sites LineOfSight", "[sight] [type] [at:int] [dirs]", &Lowering::area_sight},
      {"sites Group", "[type] at:int [dirs] [if:bool]", &Lowering::area_group},
      {"sites From|To", "moves", &Lowering::area_moves},
      {"sites Pending|ToClear", "", &Lowering::area_pending},
      {"sites State", "[type] int", &Lowering::area_state},
      {"sites Start", "piece", &Lowering::area_start},
      {"sites Hand", "[type] [player]", &Lowering::area_hand},
      {"sites Track", "[player] [str] [from:int] [to:int]", &Lowering::area_track},
      {"sites Next|Prev|Player", "[str]", &Lowering::area_owned},
      {"values Remembered", "[str]", &Lowering::area_remembered},
      {"results", "[from:any] [From:any] [to:any] [To:any] int", &Lowering::area_results},
      {"union|intersection", "list", &Lowering::area_operation},
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
    ask_test(site, from, yes, no, [&](int s) { return std::ranges::binary_search(list, s); });
  };
  return result;
}

Lowering::Region Lowering::from_marks(ExprId map, std::vector<int> sites, const Value& site) {
  return where_one(std::move(sites), marked(map, site));
}

// The sites for which a table has 1.
Lowering::Region Lowering::where_one(std::vector<int> sites, const Value& value) {
  return {std::move(sites), equals(value, 1)};
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
  // Regions around an iterator are tables over both. A region is computed once for all sites.
  std::optional<Known> last;
  std::optional<Sites> sites;
  const auto result = tabulate(
      node, env,
      [&](const Known& here) -> std::optional<int> {
        Known outer = here;
        outer[Slot::pips] = known(env)[Slot::pips];
        if (!last || *last != outer) sites = statics_.region(node, outer);
        last = std::move(outer);
        if (!sites) return std::nullopt;
        // Sites of another type can have numbers that no site of the board has.
        if (!std::ranges::includes(all_sites_, *sites)) refuse(node);
        return std::ranges::binary_search(*sites, here[Slot::pips].value_or(kOff)) ? 1 : 0;
      },
      std::pair(Slot::pips, site));
  if (result) return where_one(all_sites_, *result);
  const auto row = find_ludeme(areas(), node);
  if (!row) refuse(node);
  return (this->*row->lower)(Call(node, row->names, row->signature), site, at, env);
}

// No site is equal to -1.
NodeId Lowering::node_of_site(NodeId from, const Value& site, NodeId no) {
  if (site.domain.empty() || site.domain.front() >= 0) return from;
  return after_test(site, from, no, [](int s) { return s >= 0; });
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
  guess(chosen, site.domain, at);
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
    return when(here, one.ask, [&](NodeId in) { return body(in, site); });
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

// A region has no negative numbers, but a list can have some.
void Lowering::refuse_negative(const Node& list, NodeId& at, const Env& env) {
  if (list.is_clause("array") && list.items.size() == 1) return refuse_negative(list.item(0), at, env);
  if (!list.is_array()) return;
  for (const Node& item : list.items) {
    if (!is_region(item) && integer(item, env, at).domain.front() < 0) refuse(item);
  }
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

const Container* Lowering::container_of(const Node& named, std::optional<int> owner, const Env& env) const {
  if (!named.is_string()) {
    const auto index = statics_.integer(named, known(env));
    if (!index || *index < 0 || *index >= static_cast<int>(e_.containers.size())) refuse(named);
    return &e_.containers[nth(*index)];
  }
  auto it = std::ranges::find(e_.containers, named.text, &Container::name);
  if (it == e_.containers.end() && owner)
    it = std::ranges::find(e_.containers, fmt::format("{}{}", named.text, *owner), &Container::name);
  return it == e_.containers.end() ? nullptr : &*it;
}

std::vector<int> Lowering::sites_of(const Container& container) const {
  if (container.first == 0) return statics_.all_sites(e_.use);
  return ascending(container.first, container.first + container.size - 1);
}

// A piece that is on a site only to ask whether it would be under threat there leaves the site in the region.
Lowering::Region Lowering::area_empty(const Call& call, const Value& site, NodeId&, const Env& env) {
  if (statics_.type_or(call["type"]) != e_.use) refuse(call.clause());
  const std::vector<int> sites =
      call["int"] == nullptr ? statics_.all_sites(e_.use) : sites_of(*container_of(*call["int"], {}, env));
  return {sites, [this, site, sites, supposed = env.within.supposed](NodeId from, NodeId yes, NodeId no) {
            const NodeId there =
                after_test(site, from, no, [&](int s) { return std::ranges::binary_search(sites, s); });
            if (!supposed) return ask_equal(there, yes, no, what(site), 0);
            const NodeId occupied = node(), here = node();
            ask_equal(there, yes, occupied, what(site), 0);
            ask_equal(occupied, here, no, site, threatened());
            ask_equal(here, yes, no, stood_here(), 0);
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
  if (!owned.player) return ask_test(component, from, yes, no, [&](int c) { return owned.fits(c, 0); });
  ask_equal(from, yes, no, table(component, *owned.player, [&](int c, int p) { return owned.fits(c, p) ? 1 : 0; }), 1);
}

Lowering::Region Lowering::area_occupied(const Call& call, const Value& site, NodeId& at, const Env& env) {
  Owned owned = owned_by(&call.need("by"), env, at);
  std::vector<std::string> names;
  if (const Node* const list = call["components"]) {
    for (const Node& one : list->each()) names.push_back(one.text);
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
  if (e_.use == SiteType::cell && call["container"] == nullptr) refuse_dice(owned, call.clause());
  // Hands are included on boards of cells only.
  std::vector<int> sites = e_.use == SiteType::cell ? all_sites_ : statics_.all_sites(e_.use);
  std::optional<Value> in_hand;
  if (const Node* const container = call["container"]) {
    // The hand of the player who is named.
    const bool hand = container->is_string() && container->text.find("Hand") != std::string::npos;
    const auto owner = hand ? statics_.integer(call.need("by"), known(env)) : std::nullopt;
    if (const Container* const one = container_of(*container, owner, env)) {
      sites = sites_of(*one);
    } else if (hand && owned.player) {
      // The hand of whoever it is.
      std::map<int, std::vector<int>> hands;
      std::set<int> all;
      for (const int p : owned.player->domain) {
        const Container* const one_hand = container_of(*container, p, env);
        if (one_hand != nullptr) hands[p] = sites_of(*one_hand);
        all.insert(hands[p].begin(), hands[p].end());
      }
      sites.assign(all.begin(), all.end());
      in_hand =
          table(site, *owned.player, [&](int s, int p) { return std::ranges::binary_search(hands[p], s) ? 1 : 0; });
    } else {
      refuse(*container);
    }
  }
  if (const Node* const on = call["on"]; on != nullptr && statics_.type_or(on) != e_.use) refuse(*on);
  return {sites, [this, owned, site, sites, in_hand, top = call.flag("top")](NodeId from, NodeId yes, NodeId no) {
            NodeId there = after_test(site, from, no, [&](int s) { return std::ranges::binary_search(sites, s); });
            if (in_hand) {
              const NodeId inside = node();
              ask_equal(there, inside, no, *in_hand, 1);
              there = inside;
            }
            if (!top) return ask_any_level(owned, site, there, yes, no);
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
  const Value chosen = flag(at);
  at = when(
      at, [&](NodeId from, NodeId yes, NodeId no_) { ask(call.need("bool"), from, yes, no_, env); },
      ir::Assign{chosen.expr, number(1)});
  std::vector<int> sites;
  std::ranges::set_union(yes_part.sites, no_part.sites, std::back_inserter(sites));
  return {sites, [this, chosen, yes_part, no_part](NodeId from, NodeId in, NodeId out) {
            const NodeId first = node(), second = node();
            ask_equal(from, first, second, chosen, 1);
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
            const Deeper deeper(depth_);
            ask(*test, in, yes, no, env.with(Slot::site, site));
          }};
}

// The union of a region for each site of another one.
Lowering::Region Lowering::area_union_for(const Call& call, const Value& site, NodeId&, const Env& env) {
  const Node* const of = call["of"];
  const Node* const inner = call["region"];
  if (call["if"] != nullptr) refuse(call.clause());
  return {all_sites_, [this, site, env, of, inner](NodeId from, NodeId yes, NodeId no) {
            ask_some(*of, from, yes, no, env, [&](const Value& each, NodeId at, NodeId found) {
              ask_member(*inner, site, at, found, NodeId(), env.with(Slot::site, each));
            });
          }};
}

}  // namespace rgtrans::ludii
