// Integers: expressions over the variables of the game, and tables of what the equipment gives.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

std::span<const Ludeme<Lowering::Number>> Lowering::numbers() {
  static constexpr std::string_view kAt = "[type] at:int", kAtLevel = "[type] at:int [level:int]";
  static const auto kRows = std::to_array<Ludeme<Number>>({
      {"+", "list", &Lowering::arithmetic},
      {"-", "list", &Lowering::arithmetic},
      {"*", "list", &Lowering::arithmetic},
      {"/", "list", &Lowering::arithmetic},
      {"%", "list", &Lowering::arithmetic},
      {"min", "list", &Lowering::arithmetic},
      {"max", "list", &Lowering::arithmetic},
      {"abs", "list", &Lowering::arithmetic},
      {"if", "bool int/yes int/no", &Lowering::number_if},
      {"toInt", "bool", &Lowering::to_int},
      {"who", kAtLevel, &Lowering::number_who},
      {"what", kAtLevel, &Lowering::number_what},
      {"state", kAtLevel, &Lowering::number_state},
      {"value Piece", kAtLevel, &Lowering::number_value_of_piece},
      {"value Player", "player", &Lowering::number_value_of_player},
      {"value Pending", "", &Lowering::number_pending},
      {"count", "[type] [in:region] [at:int]", &Lowering::number_count},
      {"count Pips", "", &Lowering::number_pips},
      {"face", "int", &Lowering::number_face},
      {"count Sites", "[type] in:region", &Lowering::number_sites},
      {"count Pieces", "[type] [role] [of:int] [str] [in:region] [if:bool]", &Lowering::number_pieces},
      {"count Groups", "[type] [dirs] [if:bool] [min:int]", &Lowering::number_groups},
      {"count Liberties", "[type] [at:int] [dirs] [if:bool]", &Lowering::number_liberties},
      {"count Moves", "", &Lowering::number_moves},
      {"count Turns", "", &Lowering::number_moves},
      {"count MovesThisTurn", "", &Lowering::number_moves},
      {"count Active", "", &Lowering::number_active},
      {"count Steps", "[type] [dirs] int site", &Lowering::number_steps},
      {"counter", "", &Lowering::number_moves},
      {"size Group", "[type] at:int [dirs] [if:bool]", &Lowering::number_group_size},
      {"size Array", "any", &Lowering::number_size_of_array},
      {"size Stack", "[type] [in:region] [at:int]", &Lowering::number_count},
      {"size Territory", "[type] player [dirs]", &Lowering::number_territory},
      {"last To", "[afterConsequence:bool]", &Lowering::number_last},
      {"last From", "[afterConsequence:bool]", &Lowering::number_last},
      {"score", "player", &Lowering::number_score},
      {"var", "[str]", &Lowering::number_var},
      {"where Level", "any [player] [type] at:int [fromTop:bool]", &Lowering::number_where_level},
      {"where", "any [player] [state:int] [type]", &Lowering::number_where},
      {"trackSite Move", "[from:int] [player] [str] steps:int", &Lowering::number_track},
      {"trackSite EndSite", "[player] [str]", &Lowering::number_track},
      {"trackSite FirstSite", "[player] [str] [from:int] [if:bool]", &Lowering::number_track},
      {"handSite", "any/player [int]", &Lowering::number_hand},
      {"mapEntry", "[str] int", &Lowering::number_map},
      {"id", "[str] [player]", &Lowering::number_id},
      {"ahead", "[type] int [steps:int] [dirs]", &Lowering::number_ahead},
      {"row", "[type] of:int", &Lowering::number_place},
      {"column", "[type] of:int", &Lowering::number_place},
      {"topLevel", kAt, &Lowering::number_stack},
      {"regionSite", "region index:int", &Lowering::number_region_site},
  });
  return kRows;
}

Known Lowering::known(const Env& env) const {
  Known result;
  for (int i = 0; i < kSlots; ++i) {
    const auto& slot = env.slots[static_cast<std::size_t>(i)];
    if (!slot) result.slots[static_cast<std::size_t>(i)] = kOff;
    if (slot && slot->constant) result.slots[static_cast<std::size_t>(i)] = slot->constant;
  }
  result[Slot::mover] = env.mover;
  result.terms = env.terms;
  result.heading = env.heading;
  const bool open = (uses_next_ && env.after_move) || may_eliminate_;
  result[Slot::next] = env.next ? env.next->constant : open ? std::nullopt : std::optional(others(env.mover));
  result[Slot::prev] = env.prev && env.prev->constant ? env.prev->constant : std::nullopt;
  return result;
}

Value Lowering::slot_value(Slot slot, const Env& env) {
  if (slot == Slot::mover) return constant(env.mover);
  if (slot == Slot::next) {
    if (env.next) return *env.next;
    return (uses_next_ && env.after_move) || may_eliminate_ ? next_ : constant(others(env.mover));
  }
  if (slot == Slot::prev) return env.prev ? *env.prev : prev_;
  const auto& value = env[slot];
  return value ? *value : constant(kOff);
}

int Lowering::owner_of(int component) const { return component == 0 ? 0 : e_.component(component).owner; }

// The site, or -1 for a number that is no site.
Value Lowering::as_place(const Value& site) {
  const auto is_place = [this](int s) { return std::ranges::binary_search(places_, s); };
  return std::ranges::all_of(site.domain, is_place) ? site : table(site, [&](int s) { return is_place(s) ? s : kOff; });
}

Value Lowering::what(const Value& site) {
  if (site.constant && !e_.is_site(*site.constant)) return constant(0);
  return piece_on(as_place(site));
}

Value Lowering::who(const Value& site) {
  return table(what(site), [this](int component) { return owner_of(component); });
}

Value Lowering::count_on(const Value& site) {
  if (has_stacks_) return height(site);
  if (!counts_.valid()) return table(what(site), [](int component) { return component == 0 ? 0 : 1; });
  if (site.constant && !e_.is_site(*site.constant)) return constant(0);
  return value_of(g_.access(counts_, as_place(site).expr), domain("count"));
}

Value Lowering::sum(const Value& a, const Value& b) {
  return table(a, b, [](int x, int y) { return x + y; });
}

SiteType Lowering::type_in(const Call& call) const {
  const SiteType type = statics_.type_or(call["type"]);
  // Hands have cells only, and their numbers are no numbers of vertices.
  if (type != e_.use && !(type == SiteType::cell && e_.containers.size() > 1)) refuse(*call["type"]);
  return type;
}

Value Lowering::at_of(const Call& call, NodeId& at, const Env& env) {
  type_in(call);
  return integer(call.need("at"), env, at);
}

std::optional<Value> Lowering::leaf(const Node& node, const Env& env) {
  if (const auto slot = find_slot(node)) return slot_value(*slot, env);
  if (node.is_word("Mover")) return constant(env.mover);
  if (node.is_word("Next")) return slot_value(Slot::next, env);
  if (node.is_word("Prev")) return slot_value(Slot::prev, env);
  if (node.is_word("Player")) return slot_value(Slot::player, env);
  // Of a stack, (what at:…) means the lowest piece.
  if ((node.is_clause("who") || (node.is_clause("what") && !has_stacks_)) && node.items.size() == 1 &&
      node.items[0].label == "at") {
    const auto site = leaf(node.items[0], env);
    if (site) return node.is_clause("who") ? who(*site) : what(*site);
    if (const auto value = statics_.integer(node.items[0], known(env)))
      return node.is_clause("who") ? who(constant(*value)) : what(constant(*value));
    return std::nullopt;
  }
  if (pips_.expr.valid() && names_clause("count Pips", node) && node.items.size() == 1) return pips_;
  if (node.is_clause("last") && node.items.size() == 1) {
    if (node.items[0].is_word("To")) return last_to_;
    if (node.items[0].is_word("From")) return last_from_;
  }
  if (node.is_clause("var")) {
    const std::string name = node.items.empty() ? "var" : "var_" + node.items[0].text;
    return found(name, kOff);
  }
  return std::nullopt;
}

bool Lowering::collect_leaves(const Node& node, const Env& env, std::vector<Leaf>& leaves, bool bound) {
  // Terms within a filter see other iterators than those around it.
  if (bound && (node.is_clause("who") || node.is_clause("what"))) return false;
  if (auto value = leaf(node, env)) {
    const auto slot = find_slot(node);
    const bool known_slot = slot && std::ranges::any_of(leaves, [&](const Leaf& one) { return one.slot == slot; });
    if (known_slot || (value->constant && (slot || node.is_word()))) return true;
    leaves.push_back({&node, slot, *value});
    return true;
  }
  // A condition without a site means the iterator.
  if (node.is_clause("is") && node.items.size() == 2 && node.items[0].is_word("In") && env[Slot::to] &&
      !env[Slot::to]->constant) {
    if (std::ranges::none_of(leaves, [](const Leaf& one) { return one.slot == Slot::to; }))
      leaves.push_back({nullptr, Slot::to, *env[Slot::to]});
  }
  return std::ranges::all_of(node.items, [&](const Node& item) {
    const bool filter = item.label == "if" || item.label == "stop" || item.label == "cond" || node.is_clause("forEach");
    return collect_leaves(item, env, leaves, bound || filter);
  });
}

std::optional<Value> Lowering::tabulate(const Node& node, const Env& env,
                                        const std::function<std::optional<int>(const Known&)>& f,
                                        std::optional<std::pair<Slot, Value>> extra) {
  constexpr std::size_t kMostLeaves = 2;
  std::vector<Leaf> leaves;
  if (!collect_leaves(node, env, leaves, false)) return std::nullopt;
  if (extra && !extra->second.constant) {
    std::erase_if(leaves, [&](const Leaf& one) { return one.slot == extra->first; });
    leaves.push_back({nullptr, extra->first, extra->second});
  }
  Known base = known(env);
  if (extra && extra->second.constant) base[extra->first] = extra->second.constant;
  std::vector<const Leaf*> open;
  for (const Leaf& one : leaves) {
    if (one.value.constant) {
      base.terms[one.node] = *one.value.constant;
    } else {
      open.push_back(&one);
    }
  }
  if (open.size() > kMostLeaves) return std::nullopt;
  std::size_t entries = 1;
  for (const Leaf* one : open) entries *= one->value.domain.size();
  limit_size(node, entries);
  spend(entries);
  bool all_known = true;
  const auto evaluate = [&](std::vector<int> values) {
    Known here = base;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (open[i]->slot) here[*open[i]->slot] = values[i];
      if (open[i]->node != nullptr && !open[i]->slot) here.terms[open[i]->node] = values[i];
    }
    const auto result = all_known ? f(here) : std::nullopt;
    all_known = all_known && result;
    return result.value_or(0);
  };
  Value result;
  if (open.empty()) {
    result = constant(evaluate({}));
  } else if (open.size() == 1) {
    // Values are computed before any table is made of them.
    std::map<int, int> values;
    for (const int a : open[0]->value.domain) values[a] = evaluate({a});
    if (all_known) result = table(open[0]->value, [&](int a) { return values[a]; });
  } else {
    // The table asks for them in this order.
    std::vector<int> values;
    for (const int a : open[0]->value.domain) {
      for (const int b : open[1]->value.domain) values.push_back(evaluate({a, b}));
    }
    std::size_t next = 0;
    if (all_known) result = table(open[0]->value, open[1]->value, [&](int, int) { return values[next++]; });
  }
  return all_known ? std::optional(result) : std::nullopt;
}

Value Lowering::integer(const Node& node, const Env& env, NodeId& at) {
  if (const auto value = statics_.integer(node, known(env))) return constant(*value);
  if (auto value = leaf(node, env)) return *value;
  if (node.is_clause("players") || node.is_clause("player")) {
    if (node.items.size() == 1 && node.is_clause("player")) return integer(node.items[0], env, at);
    refuse(node);
  }
  // The direction of a site ahead depends on the piece there, unless the direction is one of the board.
  if (const auto value = tabulate(node, env, [&](const Known& here) { return statics_.integer(node, here); }))
    return *value;
  const auto* const row = find_ludeme(numbers(), node);
  if (row == nullptr) refuse(node);
  return (this->*row->lower)(Call(node, row->name, row->signature), at, env);
}

Value Lowering::player(const Node& node, const Env& env, NodeId& at) { return integer(node, env, at); }

Value Lowering::arithmetic(const Call& call, NodeId& at, const Env& env) {
  const std::string& name = call.clause().text;
  const auto combine = [&](int a, int b) {
    if (name == "+") return a + b;
    if (name == "-") return a - b;
    if (name == "*") return a * b;
    if (name == "/") return b == 0 ? 0 : a / b;
    if (name == "%") return b == 0 ? 0 : a % b;
    return name == "min" ? std::min(a, b) : std::max(a, b);
  };
  Parts parts;
  for (const Node* one : call.list()) {
    if (!one->is_array()) {
      parts.push_back(one);
      continue;
    }
    for (const Node& item : one->items) parts.push_back(&item);
  }
  if (parts.empty()) refuse(call.clause());
  if (parts.size() == 1 && parts[0]->is_clause("results")) return fold_results(*parts[0], name, at, env);
  Value result = integer(*parts[0], env, at);
  if (name == "abs") return table(result, [](int v) { return std::abs(v); });
  if (name == "-" && parts.size() == 1) return table(result, [](int v) { return -v; });
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const Value by = integer(*parts[i], env, at);
    limit_size(call.clause(), result.domain.size() * by.domain.size());
    // Larger factors have no place in an integer.
    constexpr int kMostFactor = 10000;
    const auto large = [](int v) { return std::abs(v) > kMostFactor; };
    if (name == "*" && (std::ranges::any_of(result.domain, large) || std::ranges::any_of(by.domain, large)))
      refuse(call.clause());
    result = table(result, by, combine);
  }
  return result;
}

// The sum, the largest or the least of the values of a term for all pairs of sites of two regions.
Value Lowering::fold_results(const Node& results, const std::string& name, NodeId& at, const Env& env) {
  const Call call(results, "results", "[from:any] [From:any] [to:any] [To:any] int");
  const Node& first = call["from"] != nullptr ? *call["from"] : call.need("From");
  const Node& second = call["to"] != nullptr ? *call["to"] : call.need("To");
  const bool adds = name == "+";
  if (!adds && name != "max") refuse(results);
  // The values of the term are known when it has been lowered; the sum has as many terms as there are pairs.
  const auto size = static_cast<int>(all_sites_.size());
  const int pairs = (is_region(first) ? size : 1) * (is_region(second) ? size : 1);
  const std::string values = fmt::format("results_{}", results.where.begin);
  const std::vector<int> known_values = domain(values, {0});
  std::set<int> all = {kOff};
  if (adds) {
    const int low = std::min(0, known_values.front()), high = std::max(0, known_values.back());
    constexpr int kMostSum = 20'000;
    if (pairs > kMostSum || std::max(-low, high) > kMostSum / pairs)
      throw Refused(where_, "no bound is known for this sum, so it is not translated yet");
    for (int i = low * pairs; i <= high * pairs; ++i) all.insert(i);
  } else {
    all.insert(known_values.begin(), known_values.end());
  }
  const std::vector<int> results_(all.begin(), all.end());
  // Of no values, the largest is -1.
  const Value result = temporary(constant(adds ? 0 : kOff), at, results_);
  const Value some = temporary(constant(0), at, std::vector<int>{0, 1});
  const auto each = [&](const Node& area, Slot slot, const Env& outer, NodeId here,
                        const std::function<NodeId(NodeId, const Env&)>& body) {
    Env bound = outer;
    if (is_region(area))
      return for_each_site(area, here, outer, [&](NodeId one, const Value& site) {
        bound[slot] = site;
        return body(one, bound);
      });
    bound[slot] = hold(integer(area, outer, here), here, true);
    return body(here, bound);
  };
  at = each(first, Slot::from, env, at, [&](NodeId outer, const Env& from) {
    return each(second, Slot::to, from, outer, [&](NodeId here, const Env& both) {
      const Value one = integer(call.need("int"), both, here);
      std::set<int>& known = domains_.values[values];
      const std::size_t before = known.size();
      known.insert(one.domain.begin(), one.domain.end());
      domains_.grown = domains_.grown || known.size() != before;
      const int low = results_.front(), high = results_.back();
      if (adds)
        return assign(here, result.expr,
                      table(result, one, [=](int a, int b) { return std::clamp(a + b, low, high); }).expr);
      const Value next = table(result, one, [=](int a, int b) { return std::clamp(std::max(a, b), low, high); });
      const NodeId more = node(), fresh = node(), behind = node();
      ask_equal(here, more, fresh, some, 1);
      edge(more, behind, ir::Assign{result.expr, next.expr});
      jump(assign(assign(fresh, some.expr, number(1)), result.expr,
                  table(one, [=](int b) { return std::clamp(b, low, high); }).expr),
           behind);
      return behind;
    });
  });
  return result;
}

Value Lowering::number_if(const Call& call, NodeId& at, const Env& env) {
  NodeId yes = node(), no = node();
  ask(call.need("bool"), at, yes, no, env);
  const Value a = integer(call.need("yes"), env, yes), b = integer(call.need("no"), env, no);
  std::set<int> all(a.domain.begin(), a.domain.end());
  all.insert(b.domain.begin(), b.domain.end());
  const std::vector<int> values(all.begin(), all.end());
  Value result = temporary(a, yes, values);
  const NodeId joined = node();
  jump(yes, joined);
  edge(no, joined, ir::Assign{result.expr, b.expr});
  at = joined;
  return result;
}

Value Lowering::to_int(const Call& call, NodeId& at, const Env& env) {
  const NodeId yes = node(), no = node(), joined = node();
  Value result = temporary(constant(0), at, std::vector<int>{0, 1});
  ask(call.need("bool"), at, yes, no, env);
  edge(yes, joined, ir::Assign{result.expr, number(1)});
  jump(no, joined);
  at = joined;
  return result;
}

// The level that is given.
std::optional<Value> Lowering::level_in(const Node* level, NodeId& at, const Env& env) {
  if (level == nullptr) return std::nullopt;
  if (!has_stacks_) refuse(*level);
  return integer(*level, env, at);
}

Value Lowering::number_who(const Call& call, NodeId& at, const Env& env) {
  const Value site = at_of(call, at, env);
  const auto level = level_in(call["level"], at, env);
  if (!level) return who(site);
  return table(on_level("piece", site, *level), [this](int component) { return owner_of(component); });
}

Value Lowering::number_what(const Call& call, NodeId& at, const Env& env) {
  const Value site = at_of(call, at, env);
  const auto level = level_in(call["level"], at, env);
  return has_stacks_ ? on_level("piece", site, level.value_or(constant(0))) : what(site);
}

Value Lowering::number_state(const Call& call, NodeId& at, const Env& env) {
  const Value site = as_place(at_of(call, at, env));
  if (const auto level = level_in(call["level"], at, env)) return on_level("state", site, *level);
  if (!states_.valid() || (site.constant && !e_.is_site(*site.constant))) return constant(0);
  return value_of(g_.access(states_, site.expr), domain("state"));
}

Value Lowering::number_value_of_piece(const Call& call, NodeId& at, const Env& env) {
  const Value site = as_place(at_of(call, at, env));
  if (const auto level = level_in(call["level"], at, env)) return on_level("value", site, *level);
  if (!values_.valid() || (site.constant && !e_.is_site(*site.constant))) return constant(0);
  return value_of(g_.access(values_, site.expr), domain("value"));
}

Value Lowering::number_value_of_player(const Call& call, NodeId& at, const Env& env) {
  const Value who = player(call.need("player"), env, at);
  return value_of(g_.access(player_values_, who.expr), domain("player_value"));
}

Value Lowering::number_score(const Call& call, NodeId& at, const Env& env) {
  const Value who = player(call.need("player"), env, at);
  return value_of(g_.access(scores_, who.expr), domain("score"));
}

Value Lowering::number_var(const Call& call, NodeId&, const Env&) {
  const Node* const name = call["str"];
  return found(name == nullptr ? "var" : "var_" + name->text, kOff);
}

// The pending value, if there is exactly one, or 0.
Value Lowering::number_pending(const Call&, NodeId& at, const Env& env) {
  if (!pending_.valid()) return constant(0);
  const Value result = temporary(constant(0), at, places_);
  const Value site = temporary(constant(places_.front()), at, places_);
  const Value many = temporary(constant(0), at, std::vector<int>{0, 1});
  const Value amount = temporary(constant(0), at, std::vector<int>{0, 1});
  at = loop(places_, site, at, [&](NodeId here) {
    const NodeId is = node(), behind = node(), first = node(), second = node();
    ask_pending(site, here, is, behind, env);
    ask_equal(is, second, first, amount, 1);
    jump(assign(second, many.expr, number(1)), behind);
    jump(assign(assign(first, amount.expr, number(1)), result.expr, site.expr), behind);
    return behind;
  });
  return table(many, result, [](int m, int r) { return m == 1 ? 0 : r; });
}

Value Lowering::number_last(const Call& call, NodeId&, const Env&) {
  if (call.flag("afterConsequence")) {
    if (call.word() != "To") refuse(call.clause());
    return last_after_;
  }
  return call.word() == "To" ? last_to_ : last_from_;
}

Value Lowering::number_moves(const Call& call, NodeId&, const Env& env) {
  const std::string name(call.word().empty() ? "counter" : call.word());
  Value value = counter(name, call.clause());
  // Within consequences and ends, this move is counted, too.
  if (name == "Moves" && env.counted) {
    const int last = value.domain.back(), cycle = cycles_[name];
    return table(value, [&](int v) { return v < last ? v + 1 : cycle > 1 ? v + 1 - cycle : last; });
  }
  return value;
}

Value Lowering::number_active(const Call&, NodeId&, const Env&) {
  if (!may_eliminate_) return constant(n_);
  return table(winners_, losers_, [this](int w, int l) { return std::max(0, n_ - w - l); });
}

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
    const Value result = temporary(constant(kOff), at, places_);
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
