// Integers: expressions over the variables of the game, and tables of what the equipment gives.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

std::span<const Ludeme<Lowering::Number>> Lowering::numbers() {
  static constexpr std::string_view kAtLevel = "[type] at:int [level:int]";
  static const auto kRows = std::to_array<Ludeme<Number>>({
      {"+|-|*|/|%|min|max|abs", "list", &Lowering::arithmetic},
      {"if", "bool int/yes int/no", &Lowering::number_if},
      {"toInt", "bool", &Lowering::to_int},
      {"who", kAtLevel, &Lowering::number_who},
      {"what", kAtLevel, &Lowering::number_what},
      {"state, value Piece", kAtLevel, &Lowering::number_layer},
      {"value Player", "player", &Lowering::number_value_of_player},
      {"value Pending", "", &Lowering::number_pending},
      {"count, size Stack", "[type] [in:region] [at:int]", &Lowering::number_count},
      {"count Pips", "", &Lowering::number_pips},
      {"face", "int", &Lowering::number_face},
      {"count Sites", "[type] in:region", &Lowering::number_sites},
      {"count Pieces", "[type] [role] [of:int] [str] [in:region] [if:bool]", &Lowering::number_pieces},
      {"count Groups", "[type] [dirs] [if:bool] [min:int]", &Lowering::number_groups},
      {"count Liberties", "[type] [at:int] [dirs] [if:bool]", &Lowering::number_liberties},
      {"count Moves|Turns|MovesThisTurn, counter", "", &Lowering::number_moves},
      {"count Active", "", &Lowering::number_active},
      {"count Steps", "[type] [dirs] int site", &Lowering::number_steps},
      {"size Group", "[type] at:int [dirs] [if:bool]", &Lowering::number_group_size},
      {"size Array", "any", &Lowering::number_size_of_array},
      {"size Territory", "[type] player [dirs]", &Lowering::number_territory},
      {"last To|From", "[afterConsequence:bool]", &Lowering::number_last},
      {"score", "player", &Lowering::number_score},
      {"var", "[str]", &Lowering::number_var},
      {"where Level", "any [player] [type] at:int [fromTop:bool]", &Lowering::number_where_level},
      {"where", "any [player] [state:int] [type]", &Lowering::number_where},
      {"trackSite Move", "[from:int] [player] [str] steps:int", &Lowering::number_track},
      {"trackSite EndSite", "[player] [str]", &Lowering::number_track},
      {"trackSite FirstSite", "[player] [str] [from:int] [if:bool]", &Lowering::number_track},
      {"handSite", "any/player [int]", &Lowering::number_of_terms},
      {"mapEntry", "[str] int", &Lowering::number_of_terms},
      {"id", "[str] player", &Lowering::number_of_terms},
      {"ahead", "[type] int [steps:int] [dirs]", &Lowering::number_ahead},
      {"row|column", "[type] of:int", &Lowering::number_of_terms},
      {"topLevel", "[type] at:int", &Lowering::number_stack},
      {"regionSite", "region index:int", &Lowering::number_region_site},
  });
  return kRows;
}

Known Lowering::known(const Env& env) const {
  Known result;
  for (int i = 0; i < kSlots; ++i) {
    const auto& slot = env.slots[nth(i)];
    if (!slot) result.slots[nth(i)] = kOff;
    if (slot && slot->constant) result.slots[nth(i)] = slot->constant;
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
      node.item(0).label == "at") {
    const auto site = leaf(node.item(0), env);
    if (site) return node.is_clause("who") ? who(*site) : what(*site);
    if (const auto value = statics_.integer(node.item(0), known(env)))
      return node.is_clause("who") ? who(constant(*value)) : what(constant(*value));
    return std::nullopt;
  }
  if (pips_.expr.valid() && names_clause("count Pips", node) && node.items.size() == 1) return pips_;
  if (node.is_clause("last") && node.items.size() == 1) {
    if (node.item(0).is_word("To")) return last_to_;
    if (node.item(0).is_word("From")) return last_from_;
  }
  if (node.is_clause("var")) {
    const std::string name = node.items.empty() ? "var" : "var_" + node.item(0).text;
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
  if (node.is_clause("is") && node.items.size() == 2 && node.item(0).is_word("In") && env[Slot::to] &&
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
    if (node.items.size() == 1 && node.is_clause("player")) return integer(node.item(0), env, at);
    refuse(node);
  }
  // The direction of a site ahead depends on the piece there, unless the direction is one of the board.
  if (const auto value = tabulate(node, env, [&](const Known& here) { return statics_.integer(node, here); }))
    return *value;
  const auto row = find_ludeme(numbers(), node);
  if (!row) refuse(node);
  return (this->*row->lower)(Call(node, row->names, row->signature), at, env);
}

Value Lowering::player(const Node& node, const Env& env, NodeId& at) { return integer(node, env, at); }

Value Lowering::arithmetic(const Call& call, NodeId& at, const Env& env) {
  const std::string& name = call.clause().text;
  Parts parts;
  for (const Node* one : call.list()) {
    for (const Node& item : one->each()) parts.push_back(&item);
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
    result = table(result, by, [&](int a, int b) { return combine(name, a, b).value_or(0); });
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
  Value result = temporary(constant(adds ? 0 : kOff), at, results_);
  const Value some = temporary(constant(0), at, std::vector<int>{0, 1});
  const auto each = [&](const Node& area, Slot slot, const Env& outer, NodeId here,
                        const std::function<NodeId(NodeId, const Env&)>& body) {
    if (is_region(area))
      return for_each_site(area, here, outer,
                           [&](NodeId one, const Value& site) { return body(one, outer.with(slot, site)); });
    const Value site = hold(integer(area, outer, here), here, true);
    return body(here, outer.with(slot, site));
  };
  at = each(first, Slot::from, env, at, [&](NodeId outer, const Env& from) {
    return each(second, Slot::to, from, outer, [&](NodeId here, const Env& both) {
      const Value one = integer(call.need("int"), both, here);
      note_values(values, one.domain);
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
  Value result = flag(at);
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

// The state or the value of a piece.
Value Lowering::number_layer(const Call& call, NodeId& at, const Env& env) {
  const bool state = call.word().empty();
  const std::string layer = state ? "state" : "value";
  const ExprId map_ref = state ? states_ : values_;
  const Value site = as_place(at_of(call, at, env));
  if (const auto level = level_in(call["level"], at, env)) return on_level(layer, site, *level);
  if (!map_ref.valid() || (site.constant && !e_.is_site(*site.constant))) return constant(0);
  return value_of(g_.access(map_ref, site.expr), domain(layer));
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
  const Value many = flag(at), amount = flag(at);
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

}  // namespace rgtrans::ludii
