// The rules of the start, and the variables of the game.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

namespace {

template <class F>
void for_each_node(const Node& node, const Node* parent, F&& f) {
  f(node, parent);
  for (const Node& item : node.items) for_each_node(item, &node, f);
}

bool asks_for_moves(const Node& game, std::string_view player) {
  return game.find([&](const Node& node) {
    return node.is_clause("no") && node.items.size() == 2 && node.item(0).is_word("Moves") &&
           node.item(1).is_word(player);
  }) != nullptr;
}

}  // namespace

bool Lowering::mentions(std::string_view word) const {
  return d_.game->find([&](const Node& node) {
    return node.label == word || (!node.is_string() && node.text == word);
  }) != nullptr;
}

bool Lowering::mentions_clause(std::string_view name, std::string_view word) const {
  return d_.game->find([&](const Node& node) {
    return node.is_clause(name) && (word.empty() || node.begins_with_word(word));
  }) != nullptr;
}

void Lowering::put(int site, int component, int count, int state, int value, const Node& rule) {
  if (site < 0 || !e_.is_site(site)) throw Refused(rule.where, "there is no such site");
  last_placed_ = site;
  has_start_ = true;
  if (has_stacks_) {
    auto& levels = stacked_[site];
    levels.insert(levels.end(), static_cast<std::size_t>(std::max(0, count)), {component, 1, state, value});
    start_[site] = {component, static_cast<int>(levels.size()), state, value};
    return;
  }
  Square& square = start_[site];
  // A piece that is there stays there.
  if (square.component == 0) {
    square = {component, count, state, value};
  } else {
    square.count += count;
  }
}

std::vector<int> Lowering::start_sites(const Node& where, const Known& known) {
  const auto one = is_region(where) ? std::nullopt : statics_.integer(where, known);
  const auto several = one ? std::optional(Sites{*one}) : statics_.region(where, known);
  if (!several) refuse(where);
  return *several;
}

void Lowering::place(const Node& rule, const Known& known) {
  const bool stack = names_clause("place Stack", rule);
  if (rule.items.empty() || (rule.item(0).is_word() && !stack)) refuse(rule);
  if (const Node* const items = rule.labelled("items")) {
    // One piece on the other.
    for (const Node& item : items->items) {
      Node one = rule;
      std::erase_if(one.items, [](const Node& part) { return part.label == "items"; });
      one.items.insert(one.items.begin() + 1, item);
      place(one, known);
    }
    return;
  }
  const Call call(rule, stack ? "place Stack" : "place",
                  "str [str/container] [type] [site] [strs] [coord:str] [count:int] [counts:array] [state:int] "
                  "[value:int]");
  const Node& name = call.need("str");
  const int places = (call["container"] != nullptr ? 1 : 0) + (call["site"] != nullptr ? 1 : 0) +
                     (call["strs"] != nullptr ? 1 : 0) + (call["coord"] != nullptr ? 1 : 0);
  if (places > 1 || (call["counts"] != nullptr && call["site"] == nullptr) ||
      (call["type"] != nullptr && statics_.type_or(call["type"]) != e_.use))
    refuse(rule);
  const auto number_of = [&](std::string_view label, int otherwise) {
    if (call[label] == nullptr) return otherwise;
    const auto value = statics_.integer(*call[label], known);
    if (!value) refuse(*call[label]);
    return *value;
  };
  // Not yet exact: several pieces at once on a stack.
  if (has_stacks_ && !stack && (call["count"] != nullptr || call["counts"] != nullptr)) refuse(rule);
  const int count = number_of("count", 1), state = number_of("state", 0), value = number_of("value", 0);
  const auto hand_site = [&](const Container& hand) {
    for (int i = 0; i < hand.size; ++i) {
      if (!start_.contains(hand.first + i)) return hand.first + i;
    }
    return kOff;
  };
  int component = e_.find_component(name.text);
  if (const Node* const container = call["container"]) {
    bool found_one = false;
    for (const Container& one : e_.containers) {
      if (one.kind != Container::Kind::hand) continue;
      int piece = component;
      if (piece == 0 && one.name.starts_with(container->text))
        piece = e_.find_component(fmt::format("{}{}", name.text, one.owner));
      else if (one.name != container->text)
        continue;
      if (piece == 0) continue;
      const int site = hand_site(one);
      if (site == kOff) refuse(rule);
      put(site, piece, count, state, value, rule);
      found_one = true;
    }
    if (found_one) return;
    const int site = e_.topology->find_label(e_.use, container->text);
    if (site < 0 || component == 0) refuse(rule);
    return put(site, component, count, state, value, rule);
  }
  if (component == 0) throw Refused(name.where, fmt::format("there is no piece \"{}\" to place", name.text));
  if (const Node* const coordinate = call["coord"])
    return put(e_.topology->find_label(e_.use, coordinate->text), component, count, state, value, rule);
  if (call["site"] == nullptr) refuse(rule);
  std::size_t index = 0;
  for (const int site : start_sites(*call["site"], known)) {
    // A list of one number holds for all sites.
    const auto* const counts = call["counts"] == nullptr ? nullptr : &call["counts"]->items;
    const auto listed = counts == nullptr        ? std::optional(count)
                        : counts->size() == 1    ? statics_.integer(counts->front(), known)
                        : index < counts->size() ? statics_.integer((*counts)[index], known)
                                                 : std::nullopt;
    if (!listed) refuse(*call["counts"]);
    put(site, component, *listed, state, value, rule);
    ++index;
  }
}

// A rule without a site is a part of the history, too.
void Lowering::note_start() {
  last_placed_ = kOff;
  has_start_ = true;
}

void Lowering::set_at_start(const Node& rule, const Known& known) {
  if (names_clause("set Count", rule)) {
    const Call call(rule, "set Count", "int [type] [at:int] [to:region]");
    const auto count = statics_.integer(call.need("int"), known);
    const Node* const where = call["at"] != nullptr ? call["at"] : call["to"];
    if (!count || where == nullptr || e_.components.empty()) refuse(rule);
    for (const int site : *count > 0 ? start_sites(*where, known) : Sites())
      put(site, static_cast<int>(e_.components.size()), *count, 0, 0, rule);
  } else if (names_clause("set Score", rule)) {
    const Call call(rule, "set Score", "[role] int");
    const auto score = statics_.integer(call.need("int"), known);
    if (!score) refuse(rule);
    for (int p = 1; p <= n_; ++p) {
      const bool all = call["role"] == nullptr || call["role"]->is_word("Each") || call["role"]->is_word("All");
      if (!all && statics_.role(call["role"]->text, known) != p) continue;
      score_at_start_[p] = *score;
      note_start();
    }
  } else if (names_clause("set RememberValue", rule)) {
    const Call call(rule, "set RememberValue", "[str] site [unique:flag]");
    auto& values = remembered_at_start_["remembered_" + (call["str"] == nullptr ? std::string() : call["str"]->text)];
    for (const int v : start_sites(call.need("site"), known)) {
      values.insert(v);
      note_start();
    }
  } else {
    const Call call(rule, "set", "role [type] site");
    const auto owner = statics_.role(call.need("role").text, known);
    if (!owner) refuse(rule);
    int component = *owner;
    if (*owner < 1 || *owner > n_) {
      const auto all = statics_.components_like("", *owner);
      component = all.empty() ? 0 : all.front();
    }
    if (component < 1 || component > static_cast<int>(e_.components.size())) refuse(rule);
    for (const int site : start_sites(call.need("site"), known)) put(site, component, 1, 0, 0, rule);
  }
}

void Lowering::start_rule(const Node& rule, Known known) {
  if (rule.is_array()) {
    for (const Node& item : rule.items) start_rule(item, known);
  } else if (rule.is_clause("place")) {
    place(rule, known);
  } else if (rule.is_clause("set")) {
    set_at_start(rule, known);
  } else if (names_clause("forEach Site", rule)) {
    const Call call(rule, "forEach Site", "region [if:bool] any");
    for (const int site : start_sites(call.need("region"), known)) {
      known[Slot::site] = site;
      if (call["if"] != nullptr) {
        const auto fits = statics_.condition(*call["if"], known);
        if (!fits) refuse(*call["if"]);
        if (!*fits) continue;
      }
      start_rule(call.need("any"), known);
    }
  } else if (names_clause("forEach Value", rule)) {
    const Call call(rule, "forEach Value", "min:int max:int any");
    const auto low = statics_.integer(call.need("min"), known), high = statics_.integer(call.need("max"), known);
    if (!low || !high || *high - *low > static_cast<int>(places_.size())) refuse(rule);
    for (int v = *low; v <= *high; ++v) {
      known[Slot::value] = v;
      start_rule(call.need("any"), known);
    }
  } else if (names_clause("forEach Player", rule)) {
    for (int p = 1; p <= n_; ++p) {
      known[Slot::player] = p;
      start_rule(rule.last_item(), known);
    }
  } else {
    refuse(rule);
  }
}

// A counter of moves: it stops where no comparison can tell its values apart.
Value Lowering::counter(const std::string& name, const Node& where) {
  const int first = name == "counter" ? kOff : name == "Turns" ? 1 : 0;
  const std::string variable_name = "count_" + name;
  if (const auto it = variables_.find(variable_name); it != variables_.end())
    return value_of(it->second.first, it->second.second);
  const auto is_it = [&](const Node& node) {
    return name == "counter" ? node.is_clause("counter") : node.is_clause("count") && node.begins_with_word(name);
  };
  // No more players are active than there are.
  const std::function<std::optional<int>(const Node&)> largest = [&](const Node& node) -> std::optional<int> {
    if (names_clause("count Active", node)) return n_;
    if (!node.is_clause("*") || node.items.size() != 2) return statics_.integer(node, {});
    const auto a = largest(node.item(0)), b = largest(node.item(1));
    return a && b && *a >= 0 && *b >= 0 && *a < 5000 && *b < 5000 ? std::optional(*a * *b) : std::nullopt;
  };
  int most = first + 1, cycle = 1;
  std::set<const Node*> shifted;
  const auto note = [&](const Node& node, const Node* parent) {
    // The remainder of the number and a constant.
    if (node.is_clause("%") && node.items.size() == 2) {
      const Node& sum = node.item(0);
      const bool adds = (sum.is_clause("+") || sum.is_clause("-")) && sum.items.size() == 2;
      const auto by = statics_.integer(node.last_item(), {});
      const auto shift = adds ? statics_.integer(sum.last_item(), {}) : std::nullopt;
      if (shift && is_it(sum.item(0)) && by && *by > 0 && *by < 100) {
        shifted.insert(&sum.item(0));
        most = std::max(most, std::abs(*shift) + 1);
        cycle = cycle * *by;
      }
    }
    if (!is_it(node) || parent == nullptr || shifted.contains(&node)) return;
    static constexpr std::array<std::string_view, 6> kComparisons = {"=", "!=", "<", "<=", ">", ">="};
    const Node& other = &parent->item(0) == &node ? parent->last_item() : parent->item(0);
    const auto value =
        parent->items.size() == 2 && !other.is_word("Even") && !other.is_word("Odd") ? largest(other) : std::nullopt;
    if (std::ranges::find(kComparisons, parent->text) != kComparisons.end() && value) {
      most = std::max(most, *value + 1);
    } else if (parent->is_clause("%") && value && *value > 0 && *value < 100) {
      cycle = cycle * *value;
    } else if (parent->is_clause("is") && (other.is_word("Even") || other.is_word("Odd"))) {
      cycle = cycle * 2;
    } else {
      refuse(node);
    }
  };
  for_each_node(*d_.game, nullptr, note);
  if (most > 5000 || cycle > 1000 || (cycle > 1 && name == "counter")) refuse(where);
  // Values beyond go round, if their remainders matter.
  const int last = cycle > 1 ? (most / cycle + 2) * cycle - 1 + first : most + (name == "Moves" ? 1 : 0);
  cycles_[name] = cycle;
  const std::vector<int> values = ascending(first, last);
  return value_of(variable(variable_name, values, first), values);
}

NodeId Lowering::count_up(NodeId at, const std::string& name) {
  const auto it = variables_.find("count_" + name);
  if (it == variables_.end()) return at;
  const Value value = value_of(it->second.first, it->second.second);
  const int last = value.domain.back(), cycle = cycles_[name];
  return assign(at, value.expr, table(value, [&](int v) {
                                  if (v < last) return v + 1;
                                  return cycle > 1 ? v + 1 - cycle : last;
                                }).expr);
}

void Lowering::read_state() {
  const auto zero = [](int) { return 0; };
  int most_literal = 1;
  for_each_node(*d_.game, nullptr, [&](const Node& node, const Node*) {
    if (node.is_clause("addScore") && !node.items.empty() && node.last_item().is_integer())
      most_literal = std::max(most_literal, std::abs(std::stoi(node.last_item().text)));
  });
  bool counted = false, has_hand = false;
  for_each_node(*d_.game, nullptr, [&](const Node& node, const Node*) {
    const auto labels = [](const Node& item) { return item.label == "count"; };
    if (node.is_clause("add") || names_clause("move Add", node))
      counted = counted || std::ranges::any_of(node.items, labels);
  });
  for (const Container& one : e_.containers) has_hand = has_hand || one.kind == Container::Kind::hand;
  for (const auto& [site, square] : start_) {
    if (!std::ranges::binary_search(dice_, site)) total_ += square.count;
    counted = counted || square.count > 1;
  }
  counted = !has_stacks_ && (counted || has_hand || mentions_clause("sow") || mentions_clause("set", "Count"));
  const auto at_start = [this](int Square::*member) {
    return [this, member](int site) {
      const auto it = start_.find(site);
      return it == start_.end() ? 0 : it->second.*member;
    };
  };
  board_ = map_variable("board", places_, pieces_, at_start(&Square::component));
  if (counted) {
    const int adds = mentions_clause("add") || mentions("Add") ? static_cast<int>(all_sites_.size()) : 0;
    std::set<int>& values = domains_.values["count"];
    for (int i = 0; i <= std::max(1, total_ + adds); ++i) values.insert(i);
    counts_ = found_map("count", places_, at_start(&Square::count));
  }
  // Ludii has one table of distances, for one of the relations that a game names.
  std::set<std::string> relations;
  for_each_node(*d_.game, nullptr, [&](const Node& node, const Node*) {
    if (!names_clause("count Steps", node) && !names_clause("sites Distance", node)) return;
    std::string relation = "Adjacent";
    for (const Node& item : node.items) {
      const auto found = item.is_word() ? find_direction(item.text) : std::nullopt;
      if (found && is_relation(*found)) relation = item.text;
    }
    relations.insert(relation);
  });
  if (relations.size() > 1) record({d_.rules->where, "distances by several relations are not translated yet"});
  const bool start_states = std::ranges::any_of(start_, [](const auto& one) { return one.second.state != 0; });
  const bool start_values = std::ranges::any_of(start_, [](const auto& one) { return one.second.value != 0; });
  for (const int die : dice_) {
    for (int face = 0; face < static_cast<int>(faces_of(die).size()); ++face) domain("state", {face});
  }
  if (start_states || !dice_.empty() || mentions_clause("set", "State") || mentions_clause("flip") || mentions("state"))
    states_ = found_map("state", places_, at_start(&Square::state));
  bool site_values = start_values, player_values = false;
  for_each_node(*d_.game, nullptr, [&](const Node& node, const Node*) {
    if (!names_clause("set Value", node)) return;
    const bool at = std::ranges::any_of(node.items, [](const Node& item) { return item.label == "at"; });
    (at ? site_values : player_values) = true;
  });
  if (site_values) values_ = found_map("value", places_, at_start(&Square::value));
  if (has_stacks_) make_stacks();
  if (player_values || mentions_clause("value", "Player"))
    player_values_ = found_map("player_value", player_keys_, [](int) { return kOff; });
  if (mentions_clause("addScore") || mentions_clause("score") || mentions_clause("set", "Score")) {
    score_bound_ = std::max(total_, static_cast<int>(all_sites_.size())) * most_literal;
    for (const auto& [p, score] : score_at_start_) score_bound_ += std::abs(score);
    scores_ = found_map("score", player_keys_, [this](int p) {
      const auto it = score_at_start_.find(p);
      return it == score_at_start_.end() ? 0 : it->second;
    });
  }
  if (mentions_clause("set", "Pending")) {
    pending_ = map_variable("pending", places_, {0, 1}, zero);
    if (mentions("ifAfterwards")) old_pending_ = map_variable("old_pending", places_, {0, 1}, zero);
  }
  if (mentions("EndOfTurn")) {
    to_clear_ = map_variable("to_clear", places_, {0, 1}, zero);
    named_next_ = variable("named_next", {0, 1}, 0);
  }
  if (mentions("Visited")) visited_ = map_variable("visited", places_, {0, 1}, zero);
  if (mentions_clause("trigger")) triggered_ = map_variable("triggered", player_keys_, {0, 1}, zero);
  if (has_swap_) {
    swapped_ = number_variable("swapped", {0, 1}, 0);
    plies_ = number_variable("plies", {0, 1, 2}, 0);
  }
  for_each_node(*d_.rules, nullptr, [&](const Node& node, const Node*) {
    may_eliminate_ = may_eliminate_ || (n_ > 2 && node.is_clause("result") && !node.items.empty() &&
                                        (node.last_item().is_word("Win") || node.last_item().is_word("Loss")));
  });
  if (may_eliminate_) {
    const std::vector<int> numbers_ = ascending(0, n_);
    active_ = map_variable("active", player_keys_, {0, 1}, [this](int p) { return p >= 1 && p <= n_ ? 1 : 0; });
    lost_now_ = map_variable("lost_now", player_keys_, {0, 1}, zero);
    for (auto [value, name] :
         {std::pair(&winners_, "winners"), {&losers_, "losers"}, {&losers_before_, "losers_before"}})
      *value = number_variable(name, numbers_, 0);
  }
  uses_next_ = may_eliminate_ || has_swap_ || mentions_clause("moveAgain") || mentions_clause("set", "NextPlayer");
  uses_prev_ = uses_next_ || mentions("Prev") || mentions("prev");
  uses_after_ = mentions("afterConsequence");
  last_from_ = number_variable("last_from", places_, last_placed_);
  last_to_ = number_variable("last_to", places_, last_placed_);
  if (uses_after_) last_after_ = number_variable("last_after", places_, last_placed_);
  if (uses_next_) next_ = number_variable("next", players_, others(1));
  std::vector<int> nobody = players_;
  nobody.insert(nobody.begin(), 0);
  if (uses_prev_) prev_ = number_variable("prev", nobody, 0);
  if (mentions_clause("pass") || mentions("Pass")) made_pass_ = variable("made_pass", {0, 1}, 0);
  if (mentions_clause("was", "Pass")) passed_before_ = number_variable("passed_before", {0, 1}, 0);
  // Without a start, missing plies count as passes, but not for (all Passed).
  all_pass_ =
      dice_.empty() && !mentions_clause("all", "Passed") && !mentions("NoEnd") && !(n_ == 1 && made_pass_.valid());
  passes_ = number_variable("passes", ascending(0, std::max(2, n_) - 1), has_start_ || !all_pass_ ? 0 : n_ - 1);
  // (no Moves P1) reads a flag that stays until the player has another turn.
  stuck_.assign(static_cast<std::size_t>(n_) + 1, ExprId());
  for (const int player : players_) {
    if (!asks_for_moves(*d_.game, fmt::format("P{}", player)) && !(n_ > 1 && asks_for_moves(*d_.game, "Player")))
      continue;
    if (asks_for_moves(*d_.game, "Next"))
      throw Refused(d_.rules->where, "`(no Moves Next)` with `(no Moves P1)` is not translated yet");
    stuck_[nth(player)] = variable(fmt::format("stuck_{}", player), {0, 1}, 0);
  }
  for (const std::string_view name : {"Moves", "Turns", "MovesThisTurn"}) {
    if (mentions_clause("count", name)) counter(std::string(name), *d_.rules);
  }
  if (has_swap_ && (mentions_clause("count", "Turns") || mentions_clause("count", "MovesThisTurn")))
    swaps_ = number_variable("swaps", {0, 1}, 0);
  if (mentions_clause("counter") || mentions_clause("set", "Counter")) counter("counter", *d_.rules);
}

}  // namespace rgtrans::ludii
