// Stacks of pieces. The maps of the sites (board, state, value) hold the top pieces; further maps hold all levels.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

namespace {

// Whether the clause makes a game one with stacks.
bool asks_for_stacks(const Node& node) {
  if (names_clause("place|size|count Stack, topLevel, where Level", node)) return true;
  if (node.is_clause("level") && node.items.empty()) return true;
  if (names_clause("forEach Piece", node) && node.labelled("top") != nullptr) return true;
  if (node.is_clause("from") && node.labelled("level") != nullptr) return true;
  const auto stacks = [](const Node& item) { return item.label == "stack" && item.is_word("True"); };
  return std::ranges::any_of(node.items, [&](const Node& item) { return stacks(item) || asks_for_stacks(item); });
}

// The first part of an effect that sees other pieces of a stack than that of (level).
const Node* find_other_level(const Node& node) {
  return node.find([](const Node& one) {
    return names_clause(
               "who, what, state, value Piece, count, size, topLevel, is Empty|Occupied|Line, can Move, "
               "no Pieces, all Sites",
               one) &&
           one.labelled("level") == nullptr;
  });
}

bool moves_pieces(const Node& node) { return find_clause("remove|fromTo|add|promote|move", node) != nullptr; }

}  // namespace

void Lowering::read_stacks() {
  has_stacks_ = asks_for_stacks(*d_.rules) || asks_for_stacks(*d_.equipment);
  if (!has_stacks_) return;
  // These act on whole stacks, or see all of their levels.
  for (const auto& [name, word] : std::to_array<std::pair<const char*, const char*>>({{"sow", ""},
                                                                                      {"swap", "Pieces"},
                                                                                      {"flip", ""},
                                                                                      {"push", ""},
                                                                                      {"is", "Within"},
                                                                                      {"is", "Threatened"},
                                                                                      {"is", "Pattern"},
                                                                                      {"set", "Count"}})) {
    if (mentions_clause(name, word))
      record({d_.rules->where,
              fmt::format("`({}{}{}` with stacks is not translated yet", name, *word == 0 ? "" : " ", word)});
  }
  if (mentions("EndOfTurn")) record({d_.rules->where, "`EndOfTurn` with stacks is not translated yet"});
}

// A level of a stack gets another state; that of the top is kept apart, too.
NodeId Lowering::set_on_level(NodeId at, const std::string& layer, const Value& site, const std::optional<Value>& level,
                              const Value& value) {
  const auto it = std::ranges::find(layers_, layer, &Layer::name);
  if (it == layers_.end()) throw Refused(where_, fmt::format("`{}` of a stack is not translated yet", layer));
  const NodeId end = node(), there = node();
  const Value l = temporary(level ? *level : top_level(site), at);
  ask_equal(at, end, there, on_level("piece", site, l), 0);
  const Value index = table(l, [this](int v) { return std::clamp(v, 0, highest_); });
  at = store(there, layer, g_.access(g_.access(it->levels, site.expr), index.expr), value);
  const NodeId top = node();
  ask_equal(at, top, end, index, top_level(site));
  jump(store(top, layer, g_.access(it->top, site.expr), value), end);
  return end;
}

// The pieces of a site from the bottom to the top.
void Lowering::make_stacks() {
  highest_ = std::max(1, total_);
  const std::vector<int> numbers_ = ascending(0, highest_);
  const auto levels_at = [this](int site) -> const std::vector<Square>& {
    static const std::vector<Square> kNone;
    const auto it = stacked_.find(site);
    return it == stacked_.end() ? kNone : it->second;
  };
  heights_ =
      map_variable("height", places_, numbers_, [&](int site) { return static_cast<int>(levels_at(site).size()); });
  const auto add_layer = [&](ExprId top, const std::string& name, const std::vector<int>& values, int Square::*member) {
    if (!top.valid()) return;
    const ir::ValueId all = map_of(places_, [&](int site) {
      const std::vector<Square>& held = levels_at(site);
      return map_of(numbers_, [&](int level) {
        const auto i = static_cast<std::size_t>(level);
        return number_value(i < held.size() ? held[i].*member : 0);
      });
    });
    const ir::TypeId arrow = arrow_type(places_, arrow_type(numbers_, type_of(values)));
    layers_.push_back({top, g_.variable_ref(g_.define_variable(fresh_name("stack_" + name), arrow, all)), name});
  };
  add_layer(board_, "piece", pieces_, &Square::component);
  add_layer(states_, "state", domain("state"), &Square::state);
  add_layer(values_, "value", domain("value"), &Square::value);
}

Value Lowering::height(const Value& site) {
  return value_of(g_.access(heights_, as_place(site).expr), ascending(0, highest_));
}

// What a layer holds on a level; beyond the top of a stack there is nothing.
Value Lowering::on_level(const std::string& layer, const Value& site, const Value& level) {
  const auto it = std::ranges::find(layers_, layer, &Layer::name);
  if (it == layers_.end() || (site.constant && !e_.is_site(*site.constant))) return constant(0);
  const Value index = table(level, [this](int l) { return l < 0 || l > highest_ ? highest_ : l; });
  return value_of(g_.access(g_.access(it->levels, as_place(site).expr), index.expr),
                  layer == "piece" ? pieces_ : domain(layer));
}

Value Lowering::top_level(const Value& site) { return one_less(height(site)); }

// A piece of the level leaves the stack, and those above it sink.
NodeId Lowering::take_level(NodeId at, const Value& place, const Value& level) {
  const Value site = settled(place, at);
  const Value last = temporary(top_level(site), at), l = temporary(constant(0), at, last.domain);
  at = assign(at, l.expr, level.expr);
  const NodeId head = node(), done = node(), more = node();
  jump(at, head);
  ask_equal(head, done, more, l, last);
  const Value next = table(l, [this](int v) { return std::min(v + 1, highest_ - 1); });
  NodeId here = more;
  for (const Layer& one : layers_) {
    const ExprId levels = g_.access(one.levels, site.expr);
    here = assign(here, g_.access(levels, l.expr), g_.access(levels, next.expr));
  }
  edge(here, head, ir::Assign{l.expr, next.expr});
  here = assign(done, g_.access(heights_, site.expr), last.expr);
  const NodeId empty = node(), some = node(), behind = node();
  for (const Layer& one : layers_)
    here = assign(here, g_.access(g_.access(one.levels, site.expr), last.expr), number(0));
  ask_equal(here, empty, some, last, 0);
  NodeId cleared = empty, lowered = some;
  const Value below = one_less(last);
  for (const Layer& one : layers_) {
    const ExprId top = g_.access(one.top, site.expr);
    cleared = assign(cleared, top, number(0));
    lowered = assign(lowered, top, g_.access(g_.access(one.levels, site.expr), below.expr));
  }
  jump(cleared, behind);
  jump(lowered, behind);
  return behind;
}

// `contents`: by layer; nothing means 0.
NodeId Lowering::push_on(NodeId at, const Value& place, const std::map<std::string, Value>& contents) {
  const Value site = settled(place, at);
  const Value h = temporary(height(site), at);
  for (const Layer& one : layers_) {
    const auto it = contents.find(one.name);
    const ExprId value = it == contents.end() ? number(0) : it->second.expr;
    at = assign(
        at,
        g_.access(g_.access(one.levels, site.expr), table(h, [this](int v) { return std::min(v, highest_ - 1); }).expr),
        value);
    at = assign(at, g_.access(one.top, site.expr), value);
  }
  return assign(at, g_.access(heights_, site.expr), table(h, [this](int v) { return std::min(v + 1, highest_); }).expr);
}

// A piece moves from a level of one site, or from its top, to the top of another one.
NodeId Lowering::restack(NodeId at, const Value& start, const Value& target, const std::optional<Value>& level,
                         bool keeps) {
  // Not yet exact: the state of a piece that moves without a level. The dice have states, too.
  const bool has_states =
      mentions_clause("set", "State") || std::ranges::any_of(stacked_, [](const auto& one) {
        return std::ranges::any_of(one.second, [](const Square& piece) { return piece.state != 0; });
      });
  if (!keeps && (has_states || values_.valid()))
    throw Refused(where_, "states of pieces that leave a stack are not translated yet");
  const Value from = settled(start, at), to = settled(target, at);
  const NodeId end = node(), there = node();
  at = apart(at, end, from, to);
  const Value l = temporary(level ? *level : top_level(from), at);
  ask_equal(at, end, there, on_level("piece", from, l), 0);
  at = there;
  std::map<std::string, Value> contents;
  for (const Layer& one : layers_) {
    if (one.name == "piece" || keeps) contents.emplace(one.name, temporary(on_level(one.name, from, l), at));
  }
  at = push_on(take_level(at, from, l), to, contents);
  jump(at, end);
  return note_site(end, to);
}

// Pieces that move to their own site stay there.
NodeId Lowering::apart(NodeId at, NodeId end, const Value& from, const Value& to) {
  if (std::ranges::none_of(from.domain, [&](int s) { return to.may_be(s); })) return at;
  const NodeId other = node();
  ask_equal(at, end, other, from, to);
  return other;
}

// The top pieces of a stack move as a block.
NodeId Lowering::restack_block(NodeId at, const Value& start, const Value& target, const Value& size) {
  const Value from = settled(start, at), to = settled(target, at);
  if (layers_.size() > 1) throw Refused(where_, "whole stacks with states are not translated yet");
  const NodeId end = node();
  at = apart(at, end, from, to);
  const Value h = temporary(height(from), at);
  const Value base = temporary(table(h, size, [](int v, int k) { return std::clamp(v - k, 0, v); }), at, h.domain);
  const Value l = temporary(base, at);
  const auto each = [&](NodeId begin, const std::function<NodeId(NodeId)>& body) {
    const NodeId head = node(), done = node(), more = node();
    jump(assign(begin, l.expr, base.expr), head);
    ask_equal(head, done, more, l, h);
    edge(body(more), head, ir::Assign{l.expr, table(l, [this](int v) { return std::min(v + 1, highest_); }).expr});
    return done;
  };
  at = each(at, [&](NodeId here) { return push_on(here, to, {{"piece", on_level("piece", from, l)}}); });
  at = each(at, [&](NodeId here) {
    return assign(here, g_.access(g_.access(layers_.front().levels, from.expr), l.expr), number(0));
  });
  at = assign(at, g_.access(heights_, from.expr), base.expr);
  const Value below = table(base, [this](int v) { return v == 0 ? highest_ : v - 1; });
  at = assign(at, g_.access(board_, from.expr), on_level("piece", from, below).expr);
  jump(at, end);
  return note_site(end, to);
}

// Whether a piece on any level fits.
void Lowering::ask_any_level(const Owned& owned, const Value& site, NodeId from, NodeId yes, NodeId no) {
  if (!has_stacks_) return ask_owned(owned, what(site), from, yes, no);
  ask_exists(from, yes, no, [&](NodeId start, NodeId found) {
    const Deeper deeper(depth_);
    const Value level = choose_level(start, fmt::format("any_level{}", depth_));
    ask_owned(owned, on_level("piece", site, level), start, found, NodeId());
  });
}

Value Lowering::choose_level(NodeId& at, const std::string& name) {
  const std::vector<int> levels = ascending(0, highest_ - 1);
  return guess(variable(name, levels, 0), levels, at);
}

// Acts for each level of a stack.
NodeId Lowering::effect_level(const Call& call, NodeId at, const Env& env) {
  const bool from_top = call["word"] != nullptr && call["word"]->is_word("FromTop");
  const Node& body = call.need("moves");
  // All levels are found before anything acts: those below a piece that leaves keep their numbers.
  if (!has_stacks_ || call["then"] != nullptr || (!from_top && moves_pieces(body))) refuse(call.clause());
  if (const Node* const other = find_other_level(body)) refuse(*other);
  const Value site = temporary(as_place(integer(call.need("int"), env, at)), at, places_);
  const NodeId end = node(), there = node();
  ask_equal(at, end, there, what(site), 0);
  at = there;
  const Value last = temporary(top_level(site), at);
  const Value level = temporary(from_top ? last : constant(0), at, last.domain);
  const NodeId head = node(), more = node();
  jump(at, head);
  const NodeId done = effect(body, head, env.with(Slot::level, level));
  ask_equal(done, end, more, level, from_top ? constant(0) : last);
  edge(more, head, ir::Assign{level.expr, table(level, [this, from_top](int v) {
                                            return from_top ? std::max(0, v - 1) : std::min(v + 1, highest_ - 1);
                                          }).expr});
  return end;
}

Value Lowering::number_where_level(const Call& call, NodeId& at, const Env& env) {
  if (!has_stacks_ || call["fromTop"] != nullptr) refuse(call.clause());
  const Value site = temporary(as_place(integer(call.need("at"), env, at)), at, places_);
  const Node& what_ = call.need("any");
  Value component;
  if (what_.is_string()) {
    if (call["player"] == nullptr) refuse(call.clause());
    const auto owner = statics_.integer(*call["player"], known(env));
    const auto list = owner && *owner >= 0 ? statics_.components_like(what_.text, *owner) : std::vector<int>();
    if (list.size() != 1) refuse(call.clause());
    // Not yet exact: which of several pieces is found.
    std::ptrdiff_t pieces = 0;
    for (const auto& [place, levels] : stacked_) pieces += std::ranges::count(levels, list.front(), &Square::component);
    if (pieces != 1) refuse(call.clause());
    component = constant(list.front());
  } else {
    refuse(what_);
  }
  Value level = temporary(constant(highest_ - 1), at, ascending(-1, highest_ - 1));
  const NodeId head = node(), done = node(), next = node();
  jump(at, head);
  const NodeId asked = node();
  ask_equal(head, done, asked, level, kOff);
  ask_equal(asked, done, next, on_level("piece", site, level), component);
  edge(next, head, ir::Assign{level.expr, table(level, [](int v) { return std::max(-1, v - 1); }).expr});
  at = done;
  return level;
}

}  // namespace rgtrans::ludii
