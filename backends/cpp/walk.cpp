// Searching code: every way from a node is tried. See writer.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

using ir::ExprKind;

namespace {
constexpr std::size_t kLongest = 40'000;  // characters of one function before parts of it become functions
constexpr int kDeepest = 24;              // nested blocks before a function of its own
constexpr std::size_t kMostPairs = 48;    // steps of one node that are compared with each other
constexpr std::size_t kMostTagEffort = 10'000'000;
}  // namespace

Writer::Writer(Shared& s, const Context& c)
    : shared_(s),
      model_(s.model),
      analysis_(s.analysis),
      context_(c),
      env_(model_.game.variables().size()),
      next_tags_(model_, context_, kMostTagEffort) {
  for (const Context::Node& node : context_.info) {
    for (const std::uint32_t i : node.out) {
      has_tags_ |= is_tag(model_.steps[i]);
    }
  }
}

bool Writer::tags_static(std::uint32_t node) const {
  const Context::Node& info = context_.at(node);
  return info.tags_min == info.tags_max && info.tags_max < kManyTags;
}

// Ways meet here, or a second visit must be recognised. A short way to the end is repeated instead.
bool Writer::own_function(std::uint32_t node) const {
  if (context_.is_goal(node)) return false;
  const Context::Node* info = &context_.at(node);
  if (info->test) return true;
  if (writes_loop(node)) return info->in_degree > 2;
  // A cycle through tags is met again at its entrance, which can be the start of a move.
  const bool entrance = info->tag_cycle && std::ranges::find(context_.entries, node) != context_.entries.end();
  if (info->in_degree < 2 && !entrance) return false;
  for (int i = 0; i < 3; ++i) {
    if (info->test || info->out.size() != 1 || !info->loop.empty()) return true;
    const Step& step = model_.steps[info->out[0]];
    if (step.ends_move && context_.purpose != Purpose::check) return false;
    if (step.kind == StepKind::assign_any || step.kind == StepKind::check) return true;
    if (context_.is_goal(step.to)) return false;
    info = &context_.at(step.to);
  }
  return true;
}

// A cycle that ends by itself and changes no variable whose change would begin a new epoch.
bool Writer::writes_loop(std::uint32_t node) const {
  const Context::Node& info = context_.at(node);
  return !info.loop.empty() && std::none_of(info.loop.begin(), info.loop.end(), [&](std::uint32_t s) {
    const Step& step = model_.steps[s];
    return excluded_.contains(s) ||
           (step.kind == StepKind::assign && info.reaches_test && context_.renewing.test(step.variable.value));
  });
}

std::string Writer::signature(std::uint32_t node, std::string_view name) {
  const Context::Node& info = context_.at(node);
  std::string text = fmt::format("{} {}(State& s, Cache& c", returns_value() ? "bool" : "void", name);
  if (context_.purpose == Purpose::apply) text += ", Rest rest";
  if (carries_tags()) {
    if (shared_.layout.packed) text += ", Packed moved";
    if (!tags_static(node)) text += ", unsigned count";
  }
  if (info.reaches_test) text += ", std::uint32_t epoch";
  for (const VarId v : analysis_.parameters(context_, node)) text += ", unsigned " + model_.identifiers[v.value];
  return text + ")";
}

std::string Writer::call(std::uint32_t node) {
  if (requested_.insert(node).second) pending_.push_back(node);
  std::string text = shared_.node_function(context_, node) + "(s, c";
  if (context_.purpose == Purpose::apply) text += ", " + rest_;
  if (carries_tags()) {
    if (shared_.layout.packed) text += ", " + moved_;
    if (!tags_static(node)) text += ", " + count_;
  }
  if (context_.at(node).reaches_test) text += ", " + (epoch_.empty() ? std::string("c.next_epoch()") : epoch_);
  for (const VarId v : analysis_.parameters(context_, node)) text += ", " + variable(v);
  return text + ")";
}

void Writer::write_search_entry() {
  for (const std::uint32_t node : context_.entries) {
    if (context_.contains(node) && requested_.insert(node).second) pending_.push_back(node);
  }
  write_pending();
}

void Writer::write_pending() {
  while (!pending_.empty()) {
    const std::uint32_t node = pending_.back();
    pending_.pop_back();
    write_function(node);
  }
}

void Writer::write_function(std::uint32_t node) {
  const std::string head = signature(node, shared_.node_function(context_, node));
  shared_.declarations.push_back(head + ";");
  straight_ = false;
  locals_.clear();
  cached_.clear();
  undo_.clear();
  known_.clear();
  for (std::string& value : env_) value.clear();
  for (const VarId v : analysis_.parameters(context_, node)) env_[v.value] = model_.identifiers[v.value];
  rest_ = "rest";
  moved_ = "moved";
  for (const char* name : {"rest", "moved", "count", "epoch"}) locals_[name] = 1;
  epoch_ = context_.at(node).reaches_test ? "epoch" : "";
  if (carries_tags()) count_ = tags_static(node) ? std::to_string(context_.at(node).tags_max) : "count";

  depth_ = 0;
  text = Text();
  text.set_indent(1);
  if (node != context_.entries[0] || !write_patterns()) {
    write_visit_test(node);
    walk_out(node);
    if (returns_value()) text.line("return false;");
  }
  const std::string body = text.take();
  text = Text();
  const std::string where = model_.place(model_.game.graph.where(NodeId(node)));
  text.line(
      fmt::format("// node {}{}{}", in_comment(model_.node_names[node]), where.empty() ? "" : ", ", in_comment(where)));
  text.open(head + " {");
  for (const std::uint32_t v : cached_) {
    text.line(fmt::format("const unsigned {0} = s.{0};", model_.identifiers[v]));
  }
  text.raw(body);
  text.close();
  text.line("");
  shared_.add_function(text.take());
}

void Writer::write_visit_test(std::uint32_t node) {
  const Context::Node& info = context_.at(node);
  if (!info.test) return;
  shared_.marks_visits = true;
  const std::vector<VarId> key = analysis_.visit_key(context_, node);
  std::uint64_t cells = 1;
  bool maps = false;
  for (const VarId v : key) {
    if (!model_.scalar(v))
      maps = true;
    else if (cells <= kMostVisitCells)
      cells *= model_.universes[model_.variable_shape(v).leaf].size();
  }
  const char* mark = "epoch";
  const std::string give_up = returns_value() ? "return false;" : "return;";
  if (!maps && !info.tag_cycle && cells <= kMostVisitCells) {
    const std::string field = shared_.unique("seen");
    shared_.cache_fields.push_back(fmt::format("std::uint32_t {}[{}] = {{}};", field, cells));
    std::string index;
    for (const VarId v : key) {
      const std::uint32_t size = model_.universes[model_.variable_shape(v).leaf].size();
      index = index.empty() ? variable(v) : fmt::format("({}) * {}u + {}", index, size, variable(v));
    }
    if (index.empty()) index = "0";
    text.line(fmt::format("if (c.{}[{}] == {}) {}", field, index, mark, give_up));
    text.line(fmt::format("c.{}[{}] = {};", field, index, mark));
    return;
  }
  shared_.keeps_keys = true;
  if (info.late) {
    shared_.counts_arrivals = true;
    text.open(fmt::format("if (++c.arrivals > {}u) {{", kLateVisits));
  }
  text.line(fmt::format("KeyBuilder key(c.keys, {}, {}u);", mark, node));
  for (const VarId v : key) {
    if (model_.scalar(v))
      text.line(fmt::format("key.add({});", variable(v)));
    else
      text.line(
          fmt::format("key.add(&s.{}, {});", model_.identifiers[v.value], region_size(model_.game.variable_ref(v))));
  }
  text.line("if (!key.first_visit()) " + give_up);
  if (info.late) text.close();
}

void Writer::walk_success() {
  if (context_.purpose == Purpose::check) {
    for (auto it = undo_.rbegin(); it != undo_.rend(); ++it) text.line(*it);
  }
  text.line("return true;");
}

void Writer::walk_node(std::uint32_t node) {
  if (context_.is_goal(node)) {
    walk_success();
    return;
  }
  const bool room = depth_ < kDeepest && text.str().size() < kLongest;
  if (!own_function(node) && (room || on_way_.contains(node))) {
    walk_out(node);
    return;
  }
  if (!returns_value()) {
    text.line(call(node) + ";");
    return;
  }
  if (context_.purpose != Purpose::check || undo_.empty()) {
    text.line("if (" + call(node) + ") return true;");
    return;
  }
  text.open("if (" + call(node) + ") {");
  walk_success();
  text.close();
}

void Writer::walk_out(std::uint32_t node) {
  ++depth_;
  if (writes_loop(node))
    walk_loop_steps(node);
  else
    walk_steps(context_.at(node).out);
  --depth_;
}

// The variables of the cycle are changed in place; at each node on it the other ways are gone first.
void Writer::walk_loop_steps(std::uint32_t head) {
  const std::vector<std::uint32_t>& loop = context_.at(head).loop;
  const std::vector<std::string> before = env_;
  std::map<std::uint32_t, std::string> changed;
  text.open("{");
  for (const std::uint32_t s : loop) {
    const Step& step = model_.steps[s];
    const std::uint32_t v = step.variable.valid() ? step.variable.value : 0;
    if (step.kind != StepKind::assign || changed.contains(v) || !context_.at(head).live.test(v)) continue;
    const std::string name = fresh(model_.identifiers[v]);
    text.line(fmt::format("unsigned {} = {};", name, variable(step.variable)));
    changed.emplace(v, name);
  }
  for (const auto& [v, name] : changed) env_[v] = name;
  text.open("for (;;) {");
  for (const std::uint32_t s : loop) {
    const Step& step = model_.steps[s];
    std::vector<std::uint32_t> others, same;
    for (const std::uint32_t other : context_.at(step.from).out) {
      const StepKind kind = model_.steps[other].kind;
      const bool on = other == s || (model_.steps[other].to == step.to && kind == step.kind &&
                                     (kind == StepKind::compare || kind == StepKind::check));
      (on ? same : others).push_back(other);
    }
    walk_steps(others);
    comment_step(step);
    if (step.kind == StepKind::compare || step.kind == StepKind::check) {
      if (!known_.contains(s)) text.line(fmt::format("if (!({})) break;", arm_condition({step.to, true, same})));
    } else if (step.kind == StepKind::assign && analysis_.assignment_live(context_, step)) {
      const std::uint32_t v = step.variable.value;
      const std::string name = fresh(model_.identifiers[v]);
      text.line(
          fmt::format("const unsigned {} = {};", name, value(step.rhs, model_.variable_shape(step.variable).leaf)));
      env_[v] = name;
    }
  }
  for (const auto& [v, name] : changed) text.line(fmt::format("{} = {};", name, env_[v]));
  text.close();
  text.close();
  env_ = before;
}

// Steps out of one node: those that exclude each other become one chain of conditions.
void Writer::walk_steps(std::vector<std::uint32_t> steps) {
  std::erase_if(steps, [&](std::uint32_t s) { return excluded_.contains(s); });
  if (steps.empty()) return;
  std::erase_if(steps, [&](std::uint32_t s) { return known_.contains(s) && s != steps[0]; });
  if (steps.empty()) return;
  if (known_.contains(steps[0])) {
    walk_node(model_.steps[steps[0]].to);
    return;
  }
  const std::vector<Arm> arms = arms_of(steps);
  if (arms.size() > kMostPairs && walk_switch(arms)) return;
  std::vector<bool> done(arms.size(), false);
  for (std::size_t i = 0; i < arms.size(); ++i) {
    if (done[i]) continue;
    if (!arms[i].guarded) {
      comment_step(model_.steps[arms[i].steps[0]]);
      walk_step(model_.steps[arms[i].steps[0]]);
      continue;
    }
    std::vector<Arm> group = {arms[i]};
    for (std::size_t k = i + 1; k < arms.size() && arms.size() <= kMostPairs; ++k) {
      if (done[k] || !arms[k].guarded) continue;
      if (!std::all_of(group.begin(), group.end(), [&](const Arm& arm) { return excludes(arm, arms[k]); })) continue;
      group.push_back(arms[k]);
      done[k] = true;
    }
    if (!walk_switch(group)) walk_chain(group);
  }
}

// Conditions that lead to one node are one arm: the node is entered once, whichever of them hold.
std::vector<Writer::Arm> Writer::arms_of(const std::vector<std::uint32_t>& steps) const {
  std::vector<Arm> arms;
  std::unordered_map<std::uint32_t, std::size_t> guarded_to;
  for (const std::uint32_t s : steps) {
    const Step& step = model_.steps[s];
    const bool guarded = step.kind == StepKind::compare || step.kind == StepKind::check;
    if (guarded) {
      const auto [same, fresh] = guarded_to.try_emplace(step.to, arms.size());
      if (!fresh) {
        arms[same->second].steps.push_back(s);
        continue;
      }
    }
    arms.push_back({step.to, guarded, {s}});
  }
  return arms;
}

bool Writer::excludes(const Arm& a, const Arm& b) const {
  for (const std::uint32_t x : a.steps) {
    for (const std::uint32_t y : b.steps) {
      if (!analysis_.conditions_exclude(model_.steps[x], model_.steps[y])) return false;
    }
  }
  return true;
}

std::string Writer::arm_condition(const Arm& arm) {
  const Step& first = model_.steps[arm.steps[0]];
  if (arm.steps.size() == 1) return condition(first);
  if (const auto codes = arm_codes(arm, first.lhs))
    return set_condition(first.lhs, *codes, *model_.universe_of(first.lhs));
  std::string text;
  for (const std::uint32_t s : arm.steps) text += (text.empty() ? "" : " || ") + condition(model_.steps[s]);
  return text;
}

// The constants that `lhs` is compared with, when that is all the arm does.
std::optional<std::vector<std::uint32_t>> Writer::arm_codes(const Arm& arm, ExprId lhs) const {
  if (model_.steps[arm.steps[0]].kind != StepKind::compare) return std::nullopt;
  const auto universe = model_.universe_of(lhs);
  if (!universe) return std::nullopt;
  std::vector<std::uint32_t> codes;
  for (const std::uint32_t s : arm.steps) {
    const Step& step = model_.steps[s];
    if (step.kind != StepKind::compare || step.negated || step.lhs != lhs) return std::nullopt;
    const Folded constant = model_.fold(step.rhs);
    if (!constant.symbol.valid() || !model_.has(*universe, constant.symbol)) return std::nullopt;
    codes.push_back(model_.code(*universe, constant.symbol));
  }
  return codes;
}

void Writer::walk_chain(const std::vector<Arm>& arms) {
  for (std::size_t k = 0; k < arms.size(); ++k) {
    const Step& step = model_.steps[arms[k].steps[0]];
    const bool sure = k == 1 && arms.size() == 2 && arms[0].steps.size() == 1 && arms[1].steps.size() == 1 &&
                      analysis_.complementary(model_.steps[arms[0].steps[0]], step);
    comment_step(step);
    text.open(sure ? "else {" : fmt::format("{}if ({}) {{", k == 0 ? "" : "else ", arm_condition(arms[k])));
    walk_node(arms[k].target);
    text.close();
  }
}

bool Writer::walk_switch(const std::vector<Arm>& arms) {
  constexpr std::size_t kFewest = 3;
  if (arms.size() < kFewest) return false;
  const auto enter = [&](std::uint32_t target) {
    walk_node(target);
    text.line("break;");
  };
  return write_switch(arms, enter, "break;");
}

// Comparisons of one expression with constants, each with others.
bool Writer::write_switch(const std::vector<Arm>& arms, const std::function<void(std::uint32_t)>& enter,
                          std::string_view otherwise) {
  const Step& first = model_.steps[arms[0].steps[0]];
  std::vector<std::vector<std::uint32_t>> codes;
  std::set<std::uint32_t> used;
  for (const Arm& arm : arms) {
    auto mine = arm_codes(arm, first.lhs);
    if (!mine || std::ranges::any_of(*mine, [&](std::uint32_t code) { return !used.insert(code).second; }))
      return false;
    codes.push_back(std::move(*mine));
  }
  const std::uint32_t universe = *model_.universe_of(first.lhs);
  comment_step(first);
  text.open("switch (" + value(first.lhs, universe) + ") {");
  for (std::size_t a = 0; a < arms.size(); ++a) {
    for (std::size_t i = 0; i + 1 < codes[a].size(); ++i)
      text.line("case " + shared_.enumerator(universe, codes[a][i]) + ":");
    text.open("case " + shared_.enumerator(universe, codes[a].back()) + ": {");
    enter(arms[a].target);
    text.close();
  }
  text.line("default:");
  text.line(fmt::format("  {}", otherwise));
  text.close();
  return true;
}

void Writer::comment_step(const Step& step) {
  if (step.kind != StepKind::empty) text.line(shared_.comment(step));
}

void Writer::walk_step(const Step& step) {
  switch (step.kind) {
    case StepKind::empty:
      walk_node(step.to);
      break;
    case StepKind::compare:
    case StepKind::check:
      text.open("if (" + condition(step) + ") {");
      walk_node(step.to);
      text.close();
      break;
    case StepKind::assign:
      walk_assign(step);
      break;
    case StepKind::assign_any:
      walk_any(step);
      break;
    case StepKind::tag:
    case StepKind::tag_variable:
      walk_tag(step);
      break;
  }
}

// A variable changed that is part of no visit key: visits from here on are new ones.
void Writer::renew_epoch(const Step& step) {
  if (!context_.renewing.test(step.variable.value) || !context_.at(step.to).reaches_test) return;
  const std::string name = fresh("epoch");
  text.line(fmt::format("const std::uint32_t {} = c.next_epoch();", name));
  epoch_ = name;
}

void Writer::walk_assign(const Step& step) {
  if (step.ends_move && context_.purpose != Purpose::check) {
    walk_end(step);
    return;
  }
  const std::string epoch = epoch_;
  walk_assignment(step);
  epoch_ = epoch;
}

void Writer::walk_assignment(const Step& step) {
  if (!analysis_.assignment_live(context_, step)) {
    walk_node(step.to);
    return;
  }
  const std::uint32_t v = step.variable.value;
  const Shape shape = model_.shape(model_.game.expressions().type(step.lhs));
  const std::string new_value = value(step.rhs, shape.leaf);
  if (model_.scalar(step.variable)) {
    const std::string before = env_[v];
    if (model_.fold(step.rhs).known() && !context_.renewing.test(v)) {
      env_[v] = new_value;
      walk_node(step.to);
    } else {
      const std::string name = fresh(model_.identifiers[v]);
      text.open("{");
      text.line(fmt::format("const unsigned {} = {};", name, new_value));
      env_[v] = name;
      renew_epoch(step);
      walk_node(step.to);
      text.close();
    }
    env_[v] = before;
  } else if (shape.scalar()) {
    walk_cell(place(step.lhs), new_value, step);
  } else {
    const std::string saved = fresh("saved");
    const std::string size = region_size(step.lhs);
    const std::string target = place(step.lhs);
    text.open("{");
    text.line(fmt::format("unsigned char {}[{}];", saved, size));
    text.line(fmt::format("std::memcpy({}, &{}, {});", saved, target, size));
    text.line(fmt::format("copy_map(&{}, &{}, {});", target, new_value, size));
    undo_.push_back(fmt::format("std::memcpy(&{}, {}, {});", target, saved, size));
    renew_epoch(step);
    walk_node(step.to);
    text.line(undo_.back());
    undo_.pop_back();
    text.close();
  }
}

void Writer::walk_cell(const std::string& target, const std::string& new_value, const Step& step) {
  const std::string cell = fresh("cell");
  const std::string old = fresh("old");
  text.open("{");
  text.line(fmt::format("auto& {} = {};", cell, target));
  text.line(fmt::format("const auto {} = {};", old, cell));
  text.line(fmt::format("{} = static_cast<std::remove_reference_t<decltype({})>>({});", cell, cell, new_value));
  undo_.push_back(fmt::format("{} = {};", cell, old));
  renew_epoch(step);
  walk_node(step.to);
  text.line(undo_.back());
  undo_.pop_back();
  text.close();
}

void Writer::walk_any(const Step& step) {
  const std::string epoch = epoch_;
  walk_choice(step);
  epoch_ = epoch;
}

void Writer::walk_choice(const Step& step) {
  if (!analysis_.assignment_live(context_, step)) {
    walk_node(step.to);
    return;
  }
  const std::uint32_t v = step.variable.value;
  if (!model_.scalar(step.variable)) {
    const std::string name = fresh("any");
    std::vector<std::uint64_t> codes;
    for (const std::uint32_t c : model_.member_codes(step.type)) codes.push_back(c);
    const std::string list = shared_.number_table(codes, {codes.size()}, "std::uint16_t", "members");
    text.open(fmt::format("for (const unsigned {} : {}) {{", name, list));
    walk_cell(place(step.lhs), name, step);
    text.close();
    return;
  }
  const std::string before = env_[v];
  const std::string name = fresh(model_.identifiers[v] == "" ? "x" : model_.identifiers[v]);
  env_[v] = name;
  if (const int later = context_.purpose == Purpose::apply ? shown_after(step) : -1; later >= 0) {
    const std::uint32_t universe = model_.variable_shape(step.variable).leaf;
    BitSet tags(model_.tags.size());
    for (const std::uint32_t c : model_.member_codes(step.type)) tags.set(model_.universes[universe].tags[c]);
    const std::string tag = fresh("tag");
    text.open("{");
    text.line(fmt::format("const unsigned {} = tag_at({}, {});", tag, rest_, later));
    env_[v] = before;
    env_[v] = name;
    text.open(fmt::format("if ({}) {{", tag_test(tags, tag)));
    text.line(fmt::format("const unsigned {} = {};", name, decode(universe, tag)));
    renew_epoch(step);
    walk_node(step.to);
    text.close();
    text.close();
  } else {
    env_[v] = before;
    walk_loop(step, name);
  }
  env_[v] = before;
}

void Writer::walk_loop(const Step& step, const std::string& name) {
  std::uint32_t fork = step.to;
  std::set<std::uint32_t> way = {step.to};
  std::vector<Filter> filters = find_filters(step.variable, fork, way);
  // Where the ways then part by conditions that can be decided for many values at once, each way gets a loop of its
  // own: nothing is tested value by value.
  std::vector<Filter> ways;
  std::vector<std::uint32_t> rest;
  if (!context_.is_goal(fork) && !own_function(fork)) {
    const std::vector<Arm> arms = arms_of(context_.at(fork).out);
    for (const Arm& arm : arms) {
      std::string word = arm.guarded && arms.size() > 1 ? filter_word(step.variable, arm.steps) : "";
      if (!word.empty())
        ways.push_back({std::move(word), arm.steps});
      else
        rest.insert(rest.end(), arm.steps.begin(), arm.steps.end());
    }
  }
  // A function with nothing but conditions on the value: it is called only where one of them holds.
  if (!context_.is_goal(fork) && own_function(fork)) {
    const std::vector<std::uint32_t>& out = context_.at(fork).out;
    const bool asks = !out.empty() && std::all_of(out.begin(), out.end(), [&](std::uint32_t s) {
      return model_.steps[s].kind == StepKind::compare;
    });
    if (std::string word = asks ? filter_word(step.variable, out) : ""; !word.empty()) {
      filters.push_back({std::move(word), {}});
    }
  }
  if (ways.empty()) {
    write_loop(step, name, filters);
    return;
  }
  const std::set<std::uint32_t> before = excluded_;
  const std::set<std::uint32_t> way_before = on_way_;
  on_way_.insert(way.begin(), way.end());
  for (std::size_t w = 0; w < ways.size(); ++w) {
    excluded_ = before;
    excluded_.insert(rest.begin(), rest.end());
    for (std::size_t other = 0; other < ways.size(); ++other) {
      if (other != w) excluded_.insert(ways[other].steps.begin(), ways[other].steps.end());
    }
    std::vector<Filter> with = filters;
    with.push_back(ways[w]);
    write_loop(step, w == 0 ? name : fresh(model_.identifiers[step.variable.value]), with);
  }
  if (!rest.empty()) {
    excluded_ = before;
    for (const Filter& way : ways) excluded_.insert(way.steps.begin(), way.steps.end());
    write_loop(step, fresh(model_.identifiers[step.variable.value]), filters);
  }
  excluded_ = before;
  on_way_ = way_before;
}

void Writer::write_loop(const Step& step, const std::string& name, const std::vector<Filter>& filters) {
  const std::uint32_t v = step.variable.value;
  const std::vector<std::uint32_t> codes = model_.member_codes(step.type);
  const auto body = [&] {
    const std::string before = env_[v];
    const std::string epoch = epoch_;
    env_[v] = name;
    renew_epoch(step);
    walk_node(step.to);
    env_[v] = before;
    epoch_ = epoch;
  };
  if (filters.empty()) {
    if (codes.back() - codes.front() + 1 == codes.size()) {
      text.open(fmt::format("for (unsigned {0} = {1}; {0} <= {2}; ++{0}) {{", name, codes.front(), codes.back()));
    } else {
      std::vector<std::uint64_t> list(codes.begin(), codes.end());
      text.open(fmt::format("for (const unsigned {} : {}) {{", name,
                            shared_.number_table(list, {list.size()}, "std::uint16_t", "members")));
    }
    body();
    text.close();
    return;
  }
  std::vector<std::uint64_t> domain(codes.back() / 64 + 1, 0);
  for (const std::uint32_t c : codes) domain[c / 64] |= std::uint64_t{1} << (c % 64);
  const bool one_word = domain.size() == 1;
  const std::string word = one_word ? "0" : fresh("word");
  std::string bits = one_word
                         ? (~domain[0] == 0 ? "" : fmt::format("0x{:x}u", domain[0]))
                         : shared_.number_table(domain, {domain.size()}, "std::uint64_t", "all") + "[" + word + "]";
  for (const Filter& filter : filters) {
    std::string text_of = filter.word;
    text_of.replace(text_of.find("$word"), 5, word);
    bits += (bits.empty() ? "" : " & ") + text_of;
  }
  const std::set<std::uint32_t> before = known_;
  for (const Filter& filter : filters) known_.insert(filter.steps.begin(), filter.steps.end());
  if (!one_word) text.open(fmt::format("for (unsigned {0} = 0; {0} < {1}; ++{0}) {{", word, domain.size()));
  const std::string mask = fresh("mask");
  text.open(fmt::format("for (std::uint64_t {0} = {1}; {0} != 0; {0} &= {0} - 1) {{", mask, bits));
  text.line(fmt::format("const unsigned {} = {}lowest_bit({});", name, one_word ? "" : "64 * " + word + " + ", mask));
  body();
  text.close();
  if (!one_word) text.close();
  known_ = before;
}

void Writer::walk_tag(const Step& step) {
  if (context_.purpose == Purpose::check || (context_.purpose == Purpose::system && !carries_tags())) {
    walk_node(step.to);
    return;
  }
  std::string tag;
  if (step.kind == StepKind::tag) {
    tag = fmt::format("{}u", model_.tag_of.at(step.symbol.value));
  } else {
    const std::uint32_t universe = model_.variable_shape(step.variable).leaf;
    if (model_.assigned[step.variable.value]) {
      tag = encode(universe, variable(step.variable));
    } else {
      const Folded folded = model_.fold(model_.game.variable_ref(step.variable));
      tag = fmt::format("{}u", model_.tag_of.at(folded.symbol.value));
    }
  }
  const std::string rest_before = rest_;
  const std::string moved_before = moved_;
  const std::string count_before = count_;
  const std::string epoch_before = epoch_;
  if (context_.purpose == Purpose::apply) {
    text.open(fmt::format("if (tag_at({}, 0) == {}) {{", rest_, tag));
    const std::string name = fresh("rest");
    if (analysis_.hides) text.line(fmt::format("if (c.observing) c.note_rest({}, seen_by(s));", rest_));
    text.line(fmt::format("const Rest {} = drop({});", name, rest_));
    rest_ = name;
  } else {
    text.open("{");
    if (analysis_.hides && context_.purpose == Purpose::system) {
      text.line(fmt::format("if (c.observing) c.note({}, seen_by(s));", count_));
    }
    if (shared_.layout.packed) {
      const std::string name = fresh("moved");
      text.line(fmt::format("const Packed {} = {} | with_tag({}, {});", name, moved_, tag, count_));
      moved_ = name;
    } else {
      text.line(fmt::format("c.add_tag({}, {});", count_, tag));
    }
    if (tags_static(step.from))
      count_ = std::to_string(context_.at(step.from).tags_max + 1);
    else {
      const std::string name = fresh("count");
      text.line(fmt::format("const unsigned {} = {} + 1;", name, count_));
      count_ = name;
    }
  }
  if (context_.contains(step.to) && context_.at(step.to).reaches_test) {
    const std::string name = fresh("epoch");
    text.line(fmt::format("const std::uint32_t {} = c.next_epoch();", name));
    epoch_ = name;
  }
  walk_node(step.to);
  text.close();
  rest_ = rest_before;
  moved_ = moved_before;
  count_ = count_before;
  epoch_ = epoch_before;
}

// The values that the searching code holds in locals go to the state.
void Writer::write_end_stores(const Step& step) {
  const std::uint32_t player = model_.game.player().value;
  const std::string new_player = value(step.rhs, model_.variable_shape(model_.game.player()).leaf);
  text.line(fmt::format("const unsigned {} = {};", "next_player", new_player));
  for (std::uint32_t v = 0; v < env_.size(); ++v) {
    if (v == player || env_[v].empty() || !analysis_.state.test(v)) continue;
    if (!analysis_.exact && !analysis_.live_at_entry(step.to).test(v)) continue;
    text.line(fmt::format("s.{0} = static_cast<decltype(s.{0})>({1});", model_.identifiers[v], env_[v]));
  }
  text.line(fmt::format("s.{0} = static_cast<decltype(s.{0})>(next_player);", model_.identifiers[player]));
  text.line(fmt::format("s.node = {};  // {}", shared_.entry_number(step.to), in_comment(model_.node_names[step.to])));
}

void Writer::walk_end(const Step& step) {
  if (context_.purpose == Purpose::moves) {
    const bool twice = analysis_.duplicates && analysis_.duplicate_end[step.from];
    text.line(fmt::format("c.{}({});", twice ? "add_once" : "add_move", shared_.layout.packed ? moved_ : count_));
    return;
  }
  if (context_.purpose == Purpose::apply)
    text.open(fmt::format("if (finished({})) {{", rest_));
  else
    text.open("{");
  write_end_stores(step);
  if (carries_tags()) {
    text.line(shared_.layout.packed ? fmt::format("c.set_label({});", moved_)
                                    : fmt::format("c.set_label({});", count_));
  }
  text.line("return true;");
  text.close();
}

}  // namespace rgtrans::cpp
