// Effects on what is not on the board: scores, numbers, pending sites, remembered values; and on counts and states.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

Lowering::Commit Lowering::do_score(const Call& call, NodeId& at, const Env& env, bool held) {
  const Node& role = call.need("player");
  // Some roles name several players.
  std::vector<Value> all;
  const bool others_only = role.is_word("NonMover") || role.is_word("Enemy");
  if (others_only || role.is_word("All")) {
    for (const int p : players_) {
      if (!others_only || p != env.mover) all.push_back(constant(p));
    }
  } else if (role.is_word("Each") || role.is_word("Shared") || role.is_word("Ally") || role.text.starts_with("Team")) {
    refuse(role);
  } else {
    all.push_back(role.is_word("Friend") ? constant(env.mover) : hold(player(role, env, at), at, held));
  }
  const Value amount = hold(integer(call.need("int"), env, at), at, held || all.size() > 1);
  const bool adds = call.clause().text == "addScore";
  const auto one = [this, amount, adds](const Value& who, NodeId there) {
    const ExprId place = g_.access(scores_, who.expr);
    Value result = amount;
    if (adds) {
      // Every point is paid with a piece that leaves the board, or there is a limit.
      const bool limited_ = limits_.contains("score");
      const int most = limited_ ? limits_.find("score")->second.high : score_bound_;
      std::set<int>& scores = domains_.values["score"];
      for (std::size_t before = 0; before != scores.size();) {
        before = scores.size();
        for (const int a : std::vector<int>(scores.begin(), scores.end())) {
          for (const int b : amount.domain) scores.insert(std::clamp(a + b, -most, most));
        }
        domains_.grown = domains_.grown || before != scores.size();
      }
      result = table(value_of(place, domain("score")), amount,
                     [&](int a, int b) { return limited_ ? a + b : std::clamp(a + b, -most, most); });
    }
    return store(there, "score", place, result);
  };
  return [this, all, one](NodeId here) {
    for (const Value& who : all) here = if_player(here, who, [&](NodeId there) { return one(who, there); });
    return here;
  };
}

// Acts on what a layer of a site holds; negative numbers are ignored.
NodeId Lowering::set_layer(NodeId at, const std::string& layer, ExprId map_ref, const Value& site,
                           const std::optional<Value>& level, const Value& amount) {
  const NodeId set = node(), behind = node();
  ask_test(amount, at, set, behind, [](int v) { return v >= 0; });
  Value kept = amount;
  std::erase_if(kept.domain, [](int v) { return v < 0; });
  if (!kept.domain.empty())
    jump(has_stacks_ ? set_on_level(set, layer, site, level, kept)
                     : store(set, layer, g_.access(map_ref, site.expr), kept),
         behind);
  return note_site(behind, site);
}

Lowering::Commit Lowering::do_set_site(const Call& call, NodeId& at, const Env& env, bool held) {
  std::optional<Value> level = level_in(call["level"], at, env);
  if (level) level = hold(*level, at, held);
  const Value site = hold(as_place(at_of(call, at, env)), at, held);
  const Value amount = hold(integer(call.need("int"), env, at), at, held);
  const bool counts = call.word() == "Count";
  return [this, site, amount, counts, level](NodeId here) {
    return if_site(here, site, [&](NodeId there) {
      if (!counts) return set_layer(there, "state", states_, site, level, amount);
      const NodeId set = node(), behind = node();
      const NodeId none = node();
      ask_test(amount, there, set, none, [](int v) { return v > 0; });
      jump(remove_from(none, site), behind);
      jump(set_count(set, site, amount), behind);
      return note_site(behind, site);
    });
  };
}

// The value of a player, or of a piece.
Lowering::Commit Lowering::do_set_player(const Call& call, NodeId& at, const Env& env, bool held) {
  const Value amount = hold(integer(call.need("int"), env, at), at, held);
  if (call["at"] != nullptr) {
    const Value site = hold(as_place(at_of(call, at, env)), at, held);
    return [this, site, amount](NodeId here) {
      return if_site(here, site, [&](NodeId there) { return set_layer(there, "value", values_, site, {}, amount); });
    };
  }
  if (call["player"] == nullptr) refuse(call.clause());
  const Value who = hold(player(*call["player"], env, at), at, held);
  return [this, who, amount](NodeId here) {
    return if_player(here, who, [&](NodeId there) {
      return store(there, "player_value", g_.access(player_values_, who.expr), amount);
    });
  };
}

Lowering::Commit Lowering::do_set_number(const Call& call, NodeId& at, const Env& env, bool held) {
  const Value amount = call["int"] == nullptr ? constant(kOff) : hold(integer(*call["int"], env, at), at, held);
  if (call.word() == "Counter") {
    const Value counter_ = counter("counter", call.clause());
    // Counters stop above all numbers with which they are compared, but they must not begin below the first one.
    if (amount.domain.front() < counter_.domain.front()) refuse(call.clause());
    return [this, counter_, amount](NodeId here) {
      const int most = counter_.domain.back(), least = counter_.domain.front();
      return assign(here, counter_.expr, table(amount, [&](int v) { return std::clamp(v, least, most); }).expr);
    };
  }
  const std::string name = call["str"] == nullptr ? "var" : "var_" + call["str"]->text;
  return [this, name, amount](NodeId here) { return store(here, name, found(name, kOff).expr, amount); };
}

Lowering::Commit Lowering::do_pending(const Call& call, NodeId& at, const Env& env, bool held) {
  const Node* const what_ = call["site"];
  if (what_ == nullptr) {
    return [this](NodeId here) { return mark(here, pending_, constant(1)); };
  }
  if (!is_region(*what_)) {
    const Value value = hold(integer(*what_, env, at), at, held);
    for (const int v : value.domain) {
      if (!std::ranges::binary_search(places_, v)) refuse(call.clause());
    }
    return [this, value](NodeId here) { return mark(here, pending_, value); };
  }
  const ExprId map_ref = mark_region(*what_, at, env);
  const Value site = temporary(constant(all_sites_.front()), at, all_sites_);
  return [this, map_ref, site](NodeId here) {
    return loop(all_sites_, site, here,
                [&](NodeId each) { return when(each, equals(marked(map_ref, site), 1), marking(pending_, site)); });
  };
}

namespace {

// Whether the game counts remembered values of that name, or forgets one of them.
bool counts_memory(const Node& node, std::string_view name) {
  const auto named = [&](const Node& clause) {
    return clause.items.size() > 1 && clause.item(1).is_string() ? clause.item(1).text == name : name.empty();
  };
  return node.find([&](const Node& one) {
    return (names_clause("forget Value", one) && named(one) && !one.last_item().is_word("All")) ||
           names_clause("size Array", one);
  }) != nullptr;
}

}  // namespace

// The values that are remembered under a name.
Lowering::Memory Lowering::memory(const Node* name) {
  const std::string text = "remembered_" + (name == nullptr ? std::string() : name->text);
  const std::set<int>& start = remembered_at_start_[text];
  Memory result{text, domain(text, start), {}};
  if (!result.keys.empty())
    result.map = map_variable(text, result.keys, {0, 1}, [&](int v) { return start.contains(v) ? 1 : 0; });
  return result;
}

Lowering::Commit Lowering::do_remember(const Call& call, NodeId& at, const Env& env, bool held) {
  const Value value = hold(integer(call.need("int"), env, at), at, held);
  // Values that are remembered twice would have to be counted.
  if (!call.flag("unique") && counts_memory(*d_.game, call["str"] == nullptr ? "" : call["str"]->text))
    refuse(call.clause());
  note_values(memory(call["str"]).name, value.domain);
  const Memory one = memory(call["str"]);
  return [this, one, value](NodeId here) { return one.map.valid() ? mark(here, one.map, value) : here; };
}

Lowering::Commit Lowering::do_forget(const Call& call, NodeId& at, const Env& env, bool held) {
  const Memory one = memory(call["str"]);
  const Node& what_ = call.need("any");
  if (!one.map.valid()) {
    return [](NodeId here) { return here; };
  }
  if (what_.is_word("All")) {
    const Value key = temporary(constant(one.keys.front()), at, one.keys);
    return [this, one, key](NodeId here) {
      return loop(one.keys, key, here,
                  [&](NodeId each) { return assign(each, g_.access(one.map, key.expr), number(0)); });
    };
  }
  const Value value = hold(integer(what_, env, at), at, held);
  return [this, one, value](NodeId here) {
    return when(here, passes(value, [&](int v) { return std::ranges::binary_search(one.keys, v); }),
                ir::Assign{g_.access(one.map, value.expr), number(0)});
  };
}

Lowering::Commit Lowering::do_trigger(const Call& call, NodeId& at, const Env& env, bool held) {
  const Value who = hold(integer(call.need("int"), env, at), at, held);
  return [this, who](NodeId here) { return if_player(here, who, marking(triggered_, who)); };
}

Value Lowering::number_size_of_array(const Call& call, NodeId& at, const Env& env) {
  const Node& list = call.need("any");
  if (list.is_clause("array") && list.items.size() == 1 && !list.item(0).is_array() && is_region(list.item(0)) &&
      (list.item(0).is_clause("sites") || list.item(0).is_clause("forEach"))) {
    return add_up(at, static_cast<int>(all_sites_.size()), [&](const std::function<NodeId(NodeId, const Value&)>& add) {
      at = for_each_site(list.item(0), at, env, [&](NodeId here, const Value&) { return add(here, constant(1)); });
    });
  }
  if (list.is_clause("results") || list.is_clause("array") || list.is_array()) refuse(call.clause());
  std::vector<int> keys = region(list, constant(kOff), at, env).sites;
  if (keys.empty()) return constant(0);
  Value result = temporary(constant(0), at, ascending(0, static_cast<int>(keys.size())));
  const Value key = temporary(constant(keys.front()), at, keys);
  at = loop(keys, key, at, [&](NodeId here) {
    return when(
        here, [&](NodeId from, NodeId yes, NodeId no) { ask_member(list, key, from, yes, no, env); },
        [&](NodeId) { return counting(result); });
  });
  return result;
}

// --- Numbers of pieces. ---

Value Lowering::number_count(const Call& call, NodeId& at, const Env& env) {
  type_in(call);
  if (call["in"] == nullptr) return count_on(integer_or(call["at"], last_to_, env, at));
  const Node& area = *call["in"];
  return add_up(at, count_bound(), [&](const std::function<NodeId(NodeId, const Value&)>& add) {
    at = for_each_site(area, at, env, [&](NodeId here, const Value& site) { return add(here, count_on(site)); });
  });
}

// Sites are disjoint, and the sum of all counts never grows, or each of them has a limit.
int Lowering::count_bound() const {
  const auto limit = limits_.find("count");
  const auto sites = static_cast<int>(all_sites_.size());
  return limit == limits_.end() ? std::max({total_, sites, 1}) : limit->second.high * sites;
}

// A sum of counts.
Value Lowering::add_up(NodeId& at, int most,
                       const std::function<void(const std::function<NodeId(NodeId, const Value&)>&)>& build) {
  constexpr int kMostSum = 20'000;
  if (most > kMostSum) throw Refused(where_, "no bound is known for this sum, so it is not translated yet");
  Value result = temporary(constant(0), at, ascending(0, most));
  build([&](NodeId here, const Value& one) {
    const NodeId next = node();
    edge(here, next,
         ir::Assign{result.expr, table(
                                     result, one, [most](int a, int b) { return std::min(a + b, most); },
                                     fmt::format("sum to {}", most))
                                     .expr});
    return next;
  });
  return result;
}

Value Lowering::number_sites(const Call& call, NodeId& at, const Env& env) {
  return add_up(at, static_cast<int>(all_sites_.size()), [&](const std::function<NodeId(NodeId, const Value&)>& add) {
    at = for_each_site(call.need("in"), at, env, [&](NodeId here, const Value&) { return add(here, constant(1)); });
  });
}

Value Lowering::number_pieces(const Call& call, NodeId& at, const Env& env) {
  const Owned wanted = counted_pieces(call, env, at);
  return add_up(at, count_bound(), [&](const std::function<NodeId(NodeId, const Value&)>& add) {
    const auto one = [&](NodeId here, const Value& site) {
      const NodeId in = node(), behind = node();
      NodeId good = in;
      if (has_stacks_) {
        // Each level counts.
        if (call["if"] != nullptr) refuse(*call["if"]);
        const Value level = temporary(constant(0), here, height(site).domain);
        const NodeId head = node(), more = node(), next = node();
        jump(here, head);
        ask_equal(head, behind, more, level, height(site));
        ask_owned(wanted, on_level("piece", site, level), more, in, next);
        jump(add(in, constant(1)), next);
        edge(next, head,
             ir::Assign{level.expr, table(level, [this](int l) { return std::min(l + 1, highest_); }).expr});
        return behind;
      }
      ask_owned(wanted, what(site), here, in, behind);
      if (call["if"] != nullptr) {
        good = node();
        ask(*call["if"], in, good, behind, env.with(Slot::site, site));
      }
      jump(add(good, count_on(site)), behind);
      return behind;
    };
    if (call["in"] != nullptr) {
      at = for_each_site(*call["in"], at, env, one);
      return;
    }
    const Value site = temporary(constant(all_sites_.front()), at, all_sites_);
    at = loop(all_sites_, site, at, [&](NodeId here) { return one(here, site); });
  });
}

// The first board site with a piece of that name, or -1.
Value Lowering::number_where(const Call& call, NodeId& at, const Env& env) {
  const Node& what_ = call.need("any");
  if (call["type"] != nullptr && statics_.type_or(call["type"]) != e_.use) refuse(*call["type"]);
  std::optional<Value> state;
  if (call["state"] != nullptr) state = integer(*call["state"], env, at);
  if (!what_.is_string()) return first_with(integer(what_, env, at), state, at);
  if (call["player"] == nullptr) refuse(call.clause());
  const Value who = player(*call["player"], env, at);
  std::vector<int> named;
  for (const int p : who.domain) {
    for (const int c : statics_.components_like(what_.text, p < 0 ? kEnd : p)) named.push_back(c);
  }
  const Value component = table(who, [&](int p) {
    const auto list = p < 0 ? std::vector<int>() : statics_.components_like(what_.text, p);
    if (list.size() > 1) return -2;
    return list.empty() ? 0 : list.front();
  });
  if (component.may_be(-2)) refuse(call.clause());
  return first_with(component, state, at);
}

Value Lowering::first_with(const Value& component, const std::optional<Value>& state, NodeId& at) {
  const std::vector<int> sites = statics_.all_sites(e_.use);
  std::vector<int> results = sites;
  results.insert(results.begin(), kOff);
  Value result = temporary(constant(kOff), at, results);
  const Value site = temporary(constant(sites.front()), at, sites);
  const NodeId done = node();
  const NodeId end = loop(sites, site, at, [&](NodeId here) {
    const NodeId piece = node(), next = node(), hit = node();
    ask_test(component, here, piece, next, [](int c) { return c > 0; });
    const NodeId good = state ? node() : hit;
    if (has_stacks_) {
      if (state) throw Refused(where_, "`state:` of stacks is not translated yet");
      ask_exists(piece, good, next, [&](NodeId start, NodeId found) {
        const Value level = choose_level(start, "level_of_piece");
        ask_equal(start, found, NodeId(), on_level("piece", site, level), component);
      });
    } else {
      ask_equal(piece, good, next, what(site), component);
    }
    if (state) {
      const Value here_state = states_.valid() ? value_of(g_.access(states_, site.expr), domain("state")) : constant(0);
      ask_equal(good, hit, next, here_state, *state);
    }
    edge(hit, done, ir::Assign{result.expr, site.expr});
    return next;
  });
  jump(end, done);
  at = done;
  return result;
}

}  // namespace rgtrans::ludii
