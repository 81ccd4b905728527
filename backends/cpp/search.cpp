// Searching code: every way from a node is tried. See writer.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

void CodeWriter::comment_step(const Step& step) {
  if (step.kind != Deed::nothing) scope_.text.comment(shared_.comment(step));
}

// The values that the searching code holds in locals go to the state.
void CodeWriter::write_end_stores(const Step& step) {
  const std::uint32_t player = model_.game.player().value;
  const std::string new_player = expressions_.value(step.rhs, model_.variable_shape(model_.game.player()).leaf);
  scope_.text.line(fmt::format("const unsigned next_player = {};", new_player));
  for (std::uint32_t v = 0; v < scope_.env.size(); ++v) {
    if (v == player || scope_.env[v].empty() || !facts_.state.test(v)) continue;
    if (!facts_.exact && !facts_.live_at_entry(step.to).test(v)) continue;
    scope_.text.line(
        fmt::format("s.{0} = static_cast<decltype(s.{0})>({1});", model_.identifiers[v], scope_.env[v].text));
  }
  scope_.text.line(fmt::format("s.{0} = static_cast<decltype(s.{0})>(next_player);", model_.identifiers[player]));
  scope_.text.line(
      fmt::format("s.node = {};  // {}", shared_.entry_number(step.to), in_comment(model_.node_names[step.to])));
}

void CodeWriter::write_switch(const std::vector<Arm>& arms, const CodePlan::Switch& by,
                              const std::function<void(std::uint32_t)>& enter, std::string_view otherwise) {
  const Step& first = model_.steps[arms[0].steps[0]];
  comment_step(first);
  scope_.text.open("switch (" + expressions_.value(first.lhs, by.universe) + ") {");
  for (std::size_t a = 0; a < arms.size(); ++a) {
    const std::vector<std::uint32_t>& codes = by.codes[a];
    for (std::size_t i = 0; i + 1 < codes.size(); ++i)
      scope_.text.line("case " + shared_.enumerator(by.universe, codes[i]) + ":");
    scope_.text.open("case " + shared_.enumerator(by.universe, codes.back()) + ": {");
    enter(arms[a].target);
    scope_.text.close();
  }
  scope_.text.line("default:");
  scope_.text.line(fmt::format("  {}", otherwise));
  scope_.text.close();
}

Code CodeWriter::arm_condition(const Arm& arm) {
  const Step& first = model_.steps[arm.steps[0]];
  if (arm.steps.size() == 1) return expressions_.condition(first);
  if (const auto codes = plan_.arm_codes(arm, first.lhs))
    return expressions_.set_condition(first.lhs, *codes, *model_.universe_of(first.lhs));
  Code code;
  for (const std::uint32_t s : arm.steps) {
    if (!code.empty()) code += " || ";
    code += expressions_.condition(model_.steps[s]);
  }
  return code;
}

std::string CodeWriter::tag_test(const Bits& tags, const std::string& tag) {
  if (tags.none()) return "false";
  const std::size_t first = *tags.first();
  std::size_t last = first;
  for (const std::size_t t : tags) last = t;
  if (first == last) return fmt::format("{} == {}u", tag, first);
  if (last - first + 1 == tags.count()) return fmt::format("{} - {}u <= {}u", tag, first, last - first);
  if (model_.tags.size() > kSizes.tag_bytes) {
    const std::vector<std::uint64_t> words = tags.to_words();
    const std::string table = shared_.number_table(words, {words.size()}, "std::uint64_t", "tags");
    return fmt::format("({}[{} / 64] >> {} % 64 & 1) != 0", table, tag, tag);
  }
  std::vector<std::uint64_t> member(model_.tags.size(), 0);
  for (const std::size_t t : tags) member[t] = 1;
  return fmt::format("{}[{}] != 0", shared_.number_table(member, {member.size()}, "std::uint8_t", "tags"), tag);
}

std::string CodeWriter::of_value(const Codes& codes, const Bits& possible, std::uint32_t universe,
                                 const std::string& x) {
  const std::size_t first = possible.first().value_or(0);
  bool same = true;
  bool constant = possible.any();
  for (const std::size_t i : possible) {
    same = same && codes[i] == i;
    constant = constant && codes[i] == codes[first];
  }
  if (same) return x;
  if (constant) return fmt::format("{}u", codes[first]);
  const std::vector<std::uint64_t> numbers(codes.begin(), codes.end());
  return shared_.number_table(numbers, {numbers.size()}, shared_.cell_type(universe), "value") + "[" + x + "]";
}

SearchWriter::SearchWriter(Workplace& at)
    : CodeWriter(at),
      loops_(
          at,
          [this](const Step& step) {
            renew_epoch(step);
            if (context_.purpose == Purpose::moves)
              walk_behind(step);
            else
              walk_node(step.to);
          },
          SetWriter(
              at, [this] { walk_success(); }, [this](std::uint32_t node) { walk_node(node); }),
          targets_),
      targets_(at, [this](std::uint32_t node) { walk_node(node); }),
      rounds_(
          at, [this] { walk_success(); }, [](std::uint32_t) {}),
      defers_(may_defer()) {}

// On a device nothing calls itself if that can be avoided: a check that changes no map may try its ways in any order,
// and so what is left to try can wait in a list. It could call itself where it comes back to a node.
bool SearchWriter::may_defer() const {
  if (!shared_.for_device || context_.purpose != Purpose::check) return false;
  bool comes_back = false;
  for (const CodeContext::Node& node : context_.info) {
    for (const std::uint32_t s : node.out) {
      const Step& step = model_.steps[s];
      if (is_assignment(step) && !model_.scalar(step.variable)) return false;
      comes_back |= context_.contains(step.to) && context_.at(step.to).component == node.component;
    }
  }
  return comes_back;
}

FunctionId SearchWriter::function_of(std::uint32_t node) { return shared_.node_function(context_, node, defers_); }

void SearchWriter::defer(std::uint32_t node) {
  request(node);
  shared_.defers = keeps_list_ = true;
  std::string item;
  const auto add = [&](const std::string& value) { item += fmt::format("static_cast<std::uint32_t>({}), ", value); };
  if (context_.at(node).reaches_test) add(scope_.epoch.empty() ? kNextEpoch : scope_.epoch);
  for (const VarId v : facts_.parameters(context_, node)) add(expressions_.variable(v));
  const auto [it, fresh] = deferred_.try_emplace(node, deferred_.size());
  scope_.text.line(fmt::format("c.work.add({{{}{}u}});", item, it->second));
}

// The check as others call it: it continues until something holds, or nothing is left to try.
void SearchWriter::write_worker() {
  const std::uint32_t entry = context_.entries[0];
  const FunctionId id = declare(shared_.node_function(context_, entry), entry);
  const auto same_names = [](const Parameter& parameter) { return parameter.name; };
  const Code first = call(entry, same_names);
  Text text;
  text.set_indent(1);
  if (deferred_.empty()) {
    text.line("return " + first + ";");
  } else {
    shared_.functions.at(id).keeps_list = true;
    text.line("const unsigned before = c.work.size;");
    text.line("bool holds = " + first + ";");
    text.open("while (!holds && c.work.size > before) {");
    text.open("switch (c.work.take()) {");
    for (const auto& [node, number] : deferred_) {
      text.open(fmt::format("case {}: {{", number));
      const auto taken = [](const Parameter& parameter) {
        using enum Parameter::Role;
        return (parameter.role == epoch || parameter.role == value ? "at_" : "") + parameter.name;
      };
      const Parameters parameters = shared_.node_parameters(context_, node);
      for (auto parameter = parameters.rbegin(); parameter != parameters.rend(); ++parameter) {
        if (taken(*parameter) != parameter->name)
          text.line(fmt::format("const std::uint32_t {} = c.work.take();", taken(*parameter)));
      }
      text.line("holds = " + call(node, taken) + ";");
      text.line("break;");
      text.close();
    }
    text.line("default: break;");
    text.close();
    text.close();
    text.line("c.work.size = before;");
    text.line("return holds;");
  }
  shared_.functions.at(id).body = std::move(text);
  shared_.define(id);
}

// The record of a function that is going to be written.
FunctionId SearchWriter::declare(FunctionId id, std::uint32_t node) {
  FunctionRecord& function = shared_.functions.at(id);
  function.parameters = shared_.node_parameters(context_, node);
  if (!context_.returns_value()) {
    function.result = FunctionRecord::Result::moves;
    function.any_output = shared_.any_output();
  }
  if (const Around* const around = context_.purpose == Purpose::check ? planner_.sets.around(node) : nullptr) {
    for (Parameter& parameter : function.parameters) {
      if (parameter.role == Parameter::Role::value) parameter.type = fmt::format("Start<{}>", around->walks.words);
    }
  }
  shared_.functions.declare(id);
  return id;
}

void SearchWriter::request(std::uint32_t node) {
  if (requested_.insert(node).second) pending_.push_back(node);
}

Code SearchWriter::call(std::uint32_t node, const std::function<std::string(const Parameter&)>& value_of,
                        bool new_epoch) {
  return shared_.functions.call(function_of(node), new_epoch) + "(" +
         print_arguments(shared_.node_parameters(context_, node), value_of) + ")";
}

Code SearchWriter::call(std::uint32_t node) {
  request(node);
  calls_itself_ |= node == scope_.node;
  const auto value_of = [&](const Parameter& parameter) -> std::string {
    using enum Parameter::Role;
    switch (parameter.role) {
      case rest:
        return scope_.rest;
      case moved:
        return scope_.moved;
      case count:
        return scope_.count.text;
      case epoch:
        return scope_.epoch.empty() ? kNextEpoch : scope_.epoch;
      case value:
        return expressions_.variable(parameter.variable);
      default:
        return parameter.name;
    }
  };
  return call(node, value_of, context_.at(node).reaches_test && scope_.epoch.empty());
}

void SearchWriter::write_search_entry() {
  for (const std::uint32_t node : context_.entries) {
    if (context_.contains(node)) request(node);
  }
  write_pending();
  if (defers_) write_worker();
}

void SearchWriter::write_pending() {
  while (!pending_.empty()) {
    const std::uint32_t node = pending_.back();
    pending_.pop_back();
    write_function(node);
  }
}

void SearchWriter::write_function(std::uint32_t node) {
  const FunctionId id = declare(function_of(node), node);
  scope_.straight = false;
  scope_.locals.clear();
  scope_.cached.clear();
  scope_.undo.clear();
  scope_.known.clear();
  std::ranges::fill(scope_.env, LocalValue());
  for (const VarId v : facts_.parameters(context_, node)) scope_.env[v.value] = model_.identifiers[v.value];
  scope_.rest = "rest";
  scope_.moved = "moved";
  for (const char* name : {"rest", "moved", "count", "epoch", "out"}) scope_.locals[name] = 1;
  scope_.epoch = context_.at(node).reaches_test ? "epoch" : "";
  if (context_.carries_tags())
    scope_.count = context_.tags_static(node) ? TagCount(context_.at(node).tags_max) : TagCount("count");
  scope_.may_duplicate = facts_.duplicates && facts_.duplicate_behind[node];

  scope_.node = node;
  scope_.nodes = 0;
  scope_.depth = 0;
  calls_itself_ = marks_ = keeps_list_ = false;
  scope_.text = Text();
  scope_.text.set_indent(1);
  const char* const found_nothing = context_.returns_value() ? "return false;" : "return out;";
  const FunctionPlan choice = planner_.choose(scope_);
  bool complete = true;
  if (const auto* const targets = std::get_if<TargetChoice>(&choice)) {
    targets_.write(*targets);
  } else if (const auto* const around = std::get_if<const Around*>(&choice)) {
    rounds_.write(**around);
  } else {
    const auto* const form = std::get_if<CheckForm>(&choice);
    if (form != nullptr) write(*form);
    complete = form != nullptr && form->complete();
    if (!complete) {
      write_visit_test(node);
      walk_out(node);
    }
  }
  if (!complete || !std::holds_alternative<CheckForm>(choice)) scope_.text.line(found_nothing);
  Text body;
  body.set_indent(1);
  if (shared_.by_parts && context_.purpose == Purpose::moves && !context_.tags_static(node))
    body.line("if (c.in_vain(count)) return out;");
  for (const std::uint32_t v : scope_.cached) {
    body.line(fmt::format("const unsigned {0} = s.{0};", model_.identifiers[v]));
  }
  body.add(std::exchange(scope_.text, Text()));
  const std::string where = model_.place(model_.game.graph.where(NodeId(node)));
  FunctionRecord& function = shared_.functions.at(id);
  function.comment =
      fmt::format("node {}{}{}", in_comment(model_.node_names[node]), where.empty() ? "" : ", ", in_comment(where));
  function.floods = calls_itself_ && marks_ && context_.purpose == Purpose::check && !shared_.for_device;
  function.keeps_list = keeps_list_;
  function.body = std::move(body);
  shared_.recursive |= function.floods;
  shared_.define(id);
}

void SearchWriter::write_visit_test(std::uint32_t node) {
  const CodeContext::Node& info = context_.at(node);
  if (!info.test) return;
  shared_.marks_visits = true;
  const std::vector<VarId> key = facts_.visit_key(context_, node);
  std::uint64_t cells = 1;
  bool maps = false;
  for (const VarId v : key) {
    if (!model_.scalar(v))
      maps = true;
    else if (cells <= kMostVisitCells)
      cells *= model_.universes[model_.variable_shape(v).leaf].size();
  }
  const char* mark = "epoch";
  const std::string give_up = context_.returns_value() ? "return false;" : "return out;";
  if (!maps && !info.tag_cycle && cells <= kMostVisitCells) {
    const Code marks = "c." + shared_.functions.add_field({"std::uint32_t", shared_.unique("seen"), cells});
    std::string index;
    for (const VarId v : key) {
      const std::uint32_t size = model_.universes[model_.variable_shape(v).leaf].size();
      index = index.empty() ? expressions_.variable(v)
                            : fmt::format("({}) * {}u + {}", index, size, expressions_.variable(v));
    }
    if (index.empty()) index = "0";
    scope_.text.line("if (" + marks + fmt::format("[{}] == {}) {}", index, mark, give_up));
    scope_.text.line(marks + fmt::format("[{}] = {};", index, mark));
    marks_ = true;
    return;
  }
  shared_.keeps_keys = true;
  if (info.late) {
    shared_.counts_arrivals = true;
    scope_.text.open(fmt::format("if (++c.arrivals > {}u) {{", kLateVisits));
  }
  scope_.text.line(fmt::format("KeyBuilder key(c.keys, {}, {}u);", mark, node));
  for (const VarId v : key) {
    if (model_.scalar(v))
      scope_.text.line(fmt::format("key.add({});", expressions_.variable(v)));
    else
      scope_.text.line(fmt::format("key.add(&s.{}, {});", model_.identifiers[v.value],
                                   expressions_.region_size(model_.game.variable_ref(v))));
  }
  scope_.text.line("if (!key.first_visit()) " + give_up);
  if (info.late) scope_.text.close();
}

void SearchWriter::walk_success() {
  if (context_.purpose == Purpose::check) {
    for (auto it = scope_.undo.rbegin(); it != scope_.undo.rend(); ++it) scope_.text.line(*it);
  }
  scope_.text.line("return true;");
}

void SearchWriter::walk_node(std::uint32_t node) {
  if (context_.is_goal(node)) {
    walk_success();
    return;
  }
  const bool room = scope_.depth < kSizes.search_depth && scope_.nodes < kSizes.search_nodes;
  if (!plan_.own_function(node, scope_.excluded) && (room || scope_.on_way.contains(node))) {
    walk_out(node);
    return;
  }
  // What goes round by round does not call itself.
  if (defers_ && planner_.sets.around(node) == nullptr) {
    defer(node);
    return;
  }
  if (!context_.returns_value()) {
    if (facts_.waits[node])
      write_waiting(node);
    else
      scope_.text.line("out = " + call(node) + ";");
    return;
  }
  if (context_.purpose != Purpose::check || scope_.undo.empty()) {
    scope_.text.line("if (" + call(node) + ") return true;");
    return;
  }
  scope_.text.open("if (" + call(node) + ") {");
  walk_success();
  scope_.text.close();
}

void SearchWriter::walk_out(std::uint32_t node) {
  ++scope_.depth;
  ++scope_.nodes;
  const bool may_duplicate = scope_.may_duplicate;
  const auto parts = [&](std::uint32_t at) { return facts_.duplicates && facts_.may_fork_duplicates[at]; };
  scope_.may_duplicate =
      may_duplicate || parts(node) ||
      std::ranges::any_of(context_.at(node).loop, [&](std::uint32_t s) { return parts(model_.steps[s].from); });
  if (plan_.writes_loop(node, scope_.excluded))
    walk_loop_steps(node);
  else if (context_.at(node).most_rounds == 0)
    walk_steps(context_.at(node).out);
  else
    throw std::logic_error("a cycle whose rounds are counted is no loop");
  scope_.may_duplicate = may_duplicate;
  --scope_.depth;
}

// The variables of the cycle are changed in place; at each node on it the other ways are taken first.
void SearchWriter::walk_loop_steps(std::uint32_t head) {
  const std::vector<std::uint32_t>& loop = context_.at(head).loop;
  const std::vector<LocalValue> before = scope_.env;
  std::map<std::uint32_t, std::string> changed;
  scope_.text.open("{");
  for (const std::uint32_t s : loop) {
    const Step& step = model_.steps[s];
    const std::uint32_t v = step.variable.valid() ? step.variable.value : 0;
    if (step.kind != Deed::assign || changed.contains(v) || !context_.live_at(head).test(v)) continue;
    const std::string name = expressions_.fresh(model_.identifiers[v]);
    scope_.text.line(fmt::format("unsigned {} = {};", name, expressions_.variable(step.variable)));
    changed.emplace(v, name);
  }
  for (const auto& [v, name] : changed) scope_.env[v] = name;
  // What was known of the variables before holds in the first round alone.
  const std::set<std::uint32_t> known = scope_.known;
  std::erase_if(scope_.known, [&](std::uint32_t s) {
    const Step& condition = model_.steps[s];
    return condition.kind != Deed::compare || std::ranges::any_of(changed, [&](const auto& entry) {
             return model_.reads(condition.lhs, VarId(entry.first)) || model_.reads(condition.rhs, VarId(entry.first));
           });
  });
  if (const std::uint64_t most = context_.at(head).most_rounds; most == 0) {
    scope_.text.open("for (;;) {");
  } else {
    scope_.text.open(fmt::format("for (unsigned {0} = 0; {0} < {1}; ++{0}) {{", expressions_.fresh("round"), most));
  }
  for (const std::uint32_t s : loop) {
    const Step& step = model_.steps[s];
    std::vector<std::uint32_t> others, same;
    for (const std::uint32_t other : context_.at(step.from).out) {
      const Deed kind = model_.steps[other].kind;
      const bool on = other == s || (model_.steps[other].to == step.to && kind == step.kind &&
                                     (kind == Deed::compare || kind == Deed::check));
      (on ? same : others).push_back(other);
    }
    walk_steps(others);
    comment_step(step);
    if (step.kind == Deed::compare || step.kind == Deed::check) {
      if (!scope_.known.contains(s)) scope_.text.line("if (!(" + arm_condition({step.to, true, same}) + ")) break;");
    } else if (step.kind == Deed::assign && facts_.assignment_live(context_, step)) {
      const std::uint32_t v = step.variable.value;
      const std::string name = expressions_.fresh(model_.identifiers[v]);
      scope_.text.line(fmt::format("const unsigned {} = {};", name,
                                   expressions_.value(step.rhs, model_.variable_shape(step.variable).leaf)));
      scope_.env[v] = name;
    }
  }
  for (const auto& [v, name] : changed) scope_.text.line(fmt::format("{} = {};", name, scope_.env[v].text));
  scope_.text.close();
  scope_.text.close();
  scope_.env = before;
  scope_.known = known;
}

// Steps out of one node: those that exclude each other become one chain of conditions.
void SearchWriter::walk_steps(std::vector<std::uint32_t> steps) {
  std::erase_if(steps, [&](std::uint32_t s) { return scope_.excluded.contains(s); });
  if (steps.empty()) return;
  std::erase_if(steps, [&](std::uint32_t s) { return scope_.known.contains(s) && s != steps[0]; });
  if (steps.empty()) return;
  if (scope_.known.contains(steps[0])) {
    walk_node(model_.steps[steps[0]].to);
    return;
  }
  if (context_.purpose == Purpose::apply && scope_.known.empty() && scope_.excluded.empty()) {
    if (const auto ways = plan_.by_value(steps)) return walk_by_value(*ways);
  }
  const std::vector<Arm> arms = plan_.arms_of(steps);
  if (arms.size() > kCosts.excluded_pairs) {
    if (const auto by = choose_switch(arms)) return walk_switch(arms, *by);
  }
  std::vector<bool> done(arms.size(), false);
  for (std::size_t i = 0; i < arms.size(); ++i) {
    if (done[i]) continue;
    if (!arms[i].guarded) {
      comment_step(model_.steps[arms[i].steps[0]]);
      walk_step(model_.steps[arms[i].steps[0]]);
      continue;
    }
    std::vector<Arm> group = {arms[i]};
    for (std::size_t k = i + 1; k < arms.size() && arms.size() <= kCosts.excluded_pairs; ++k) {
      if (done[k] || !arms[k].guarded) continue;
      if (!std::all_of(group.begin(), group.end(), [&](const Arm& arm) { return plan_.excludes(arm, arms[k]); }))
        continue;
      group.push_back(arms[k]);
      done[k] = true;
    }
    if (const auto by = choose_switch(group))
      walk_switch(group, *by);
    else
      walk_chain(group);
  }
}

// Where a move is applied, the next tag determines which way can be taken.
void SearchWriter::walk_by_value(const CodePlan::ByValue& ways) {
  const std::uint32_t universe = model_.variable_shape(ways.base).leaf;
  const std::string table = shared_.number_table(ways.arm_of, {model_.universes[universe].size(), model_.tags.size()},
                                                 "std::uint8_t", "ways");
  scope_.text.open(
      fmt::format("switch ({}[{}][tag_at({}, 0)]) {{", table, expressions_.variable(ways.base), scope_.rest));
  for (std::size_t arm = 0; arm < ways.arms.size(); ++arm) {
    scope_.text.open(fmt::format("case {}: {{", arm));
    const Arm way{model_.steps[ways.arms[arm][0]].to, is_condition(model_.steps[ways.arms[arm][0]]), ways.arms[arm]};
    if (way.guarded)
      walk_chain({way});
    else
      walk_step(model_.steps[way.steps[0]]);
    scope_.text.line("break;");
    scope_.text.close();
  }
  scope_.text.line("default: break;");
  scope_.text.close();
}

void SearchWriter::walk_chain(const std::vector<Arm>& arms) {
  for (std::size_t k = 0; k < arms.size(); ++k) {
    const Step& step = model_.steps[arms[k].steps[0]];
    const bool sure = k == 1 && arms.size() == 2 && arms[0].steps.size() == 1 && arms[1].steps.size() == 1 &&
                      facts_.complementary(model_.steps[arms[0].steps[0]], step);
    comment_step(step);
    scope_.text.open(sure ? Code("else {") : Code(k == 0 ? "if (" : "else if (") + arm_condition(arms[k]) + ") {");
    walk_node(arms[k].target);
    scope_.text.close();
  }
}

std::optional<CodePlan::Switch> SearchWriter::choose_switch(const std::vector<Arm>& arms) const {
  constexpr std::size_t kFewest = 3;
  return arms.size() < kFewest ? std::nullopt : plan_.switch_on(arms);
}

void SearchWriter::walk_switch(const std::vector<Arm>& arms, const CodePlan::Switch& by) {
  const auto enter = [&](std::uint32_t target) {
    walk_node(target);
    scope_.text.line("break;");
  };
  write_switch(arms, by, enter, "break;");
}

// What follows a choice of a value, or an assignment of one.
void SearchWriter::walk_behind(const Step& step) {
  if (const auto targets = planner_.choose_behind(step, scope_))
    targets_.write(*targets);
  else
    walk_node(step.to);
}

void SearchWriter::walk_step(const Step& step) {
  switch (step.kind) {
    case Deed::compare:
    case Deed::check:
      scope_.text.open("if (" + expressions_.condition(step) + ") {");
      walk_node(step.to);
      scope_.text.close();
      break;
    case Deed::assign:
      walk_assign(step);
      break;
    case Deed::assign_any:
      walk_any(step);
      break;
    case Deed::tag:
    case Deed::tag_variable:
      walk_tag(step);
      break;
    default:
      walk_node(step.to);
      break;
  }
}

// A variable changed that is part of no visit key: visits from here on are new ones.
void SearchWriter::renew_epoch(const Step& step) {
  if (!context_.begins_epoch.test(step.variable.value) || !context_.at(step.to).reaches_test) return;
  const std::string name = expressions_.fresh("epoch");
  scope_.text.line(fmt::format("const std::uint32_t {} = c.next_epoch();", name));
  scope_.epoch = name;
}

void SearchWriter::walk_assign(const Step& step) {
  if (step.ends_move && context_.purpose != Purpose::check) {
    walk_end(step);
    return;
  }
  const std::string epoch = scope_.epoch;
  walk_assignment(step);
  scope_.epoch = epoch;
}

// Where moves are listed, a variable is set to what the state has, as where the king stands.
bool SearchWriter::is_of_state(const Step& step) const {
  const auto& e = model_.game.expressions();
  return context_.purpose == Purpose::moves && e.kind(step.rhs) == ir::ExprKind::access &&
         model_.assigned[e.variable(e.root(step.rhs)).value];
}

void SearchWriter::walk_assignment(const Step& step) {
  if (!facts_.assignment_live(context_, step)) {
    walk_node(step.to);
    return;
  }
  const std::uint32_t v = step.variable.value;
  const ArrayShape shape = model_.shape(model_.game.expressions().type(step.lhs));
  const std::string new_value = expressions_.value(step.rhs, shape.leaf);
  if (model_.scalar(step.variable)) {
    const LocalValue before = scope_.env[v];
    if (model_.fold(step.rhs).known() && !context_.begins_epoch.test(v)) {
      scope_.env[v] = {new_value, true};
      walk_node(step.to);
    } else {
      const std::string name = expressions_.fresh(model_.identifiers[v]);
      scope_.text.open("{");
      scope_.text.line(fmt::format("const unsigned {} = {};", name, new_value));
      scope_.env[v] = name;
      renew_epoch(step);
      if (is_of_state(step))
        walk_behind(step);
      else
        walk_node(step.to);
      scope_.text.close();
    }
    scope_.env[v] = before;
  } else if (shape.scalar()) {
    walk_cell(expressions_.place(step.lhs), new_value, step);
  } else {
    const std::string saved = expressions_.fresh("saved");
    const std::string size = expressions_.region_size(step.lhs);
    const std::string target = expressions_.place(step.lhs);
    scope_.text.open("{");
    scope_.text.line(fmt::format("unsigned char {}[{}];", saved, size));
    scope_.text.line(fmt::format("std::memcpy({}, &{}, {});", saved, target, size));
    scope_.text.line(expressions_.copy_map(step, new_value));
    scope_.undo.push_back(fmt::format("std::memcpy(&{}, {}, {});", target, saved, size));
    renew_epoch(step);
    walk_node(step.to);
    scope_.text.line(scope_.undo.back());
    scope_.undo.pop_back();
    scope_.text.close();
  }
}

void SearchWriter::walk_cell(const std::string& target, const std::string& new_value, const Step& step) {
  scope_.text.open("{");
  const WrittenCell cell = write_cell(target, new_value);
  scope_.undo.push_back(cell.undo);
  renew_epoch(step);
  note_write(step.to, cell.name);
  walk_node(step.to);
  forget_write(step.to);
  scope_.text.line(scope_.undo.back());
  scope_.undo.pop_back();
  scope_.text.close();
}

void SearchWriter::walk_any(const Step& step) {
  const std::string epoch = scope_.epoch;
  walk_choice(step);
  scope_.epoch = epoch;
}

void SearchWriter::walk_choice(const Step& step) {
  if (!facts_.assignment_live(context_, step)) {
    walk_node(step.to);
    return;
  }
  const std::uint32_t v = step.variable.value;
  if (!model_.scalar(step.variable)) {
    const std::string name = expressions_.fresh("any");
    std::vector<std::uint64_t> codes;
    for (const std::uint32_t c : model_.member_codes(step.type)) codes.push_back(c);
    const std::string list = shared_.number_table(codes, {codes.size()}, "std::uint16_t", "members");
    scope_.text.open(fmt::format("for (const unsigned {} : {}) {{", name, list));
    walk_cell(expressions_.place(step.lhs), name, step);
    scope_.text.close();
    return;
  }
  const LocalValue before = scope_.env[v];
  const std::string name = expressions_.fresh(model_.identifiers[v] == "" ? "x" : model_.identifiers[v]);
  scope_.env[v] = name;
  if (const int later = context_.purpose == Purpose::apply ? plan_.shown_after(step) : -1; later >= 0) {
    const std::uint32_t universe = model_.variable_shape(step.variable).leaf;
    Bits tags(model_.tags.size());
    for (const std::uint32_t c : model_.member_codes(step.type)) tags.set(model_.universes[universe].tags[c]);
    const std::string tag = expressions_.fresh("tag");
    scope_.text.open("{");
    scope_.text.line(fmt::format("const unsigned {} = tag_at({}, {});", tag, scope_.rest, later));
    scope_.text.open(fmt::format("if ({}) {{", tag_test(tags, tag)));
    scope_.text.line(fmt::format("const unsigned {} = {};", name, expressions_.decode(universe, tag)));
    renew_epoch(step);
    walk_node(step.to);
    scope_.text.close();
    scope_.text.close();
  } else {
    scope_.env[v] = before;
    loops_.write(step, name);
  }
  scope_.env[v] = before;
}

void SearchWriter::walk_tag(const Step& step) {
  if (context_.purpose == Purpose::check || (context_.purpose == Purpose::system && !context_.carries_tags())) {
    walk_node(step.to);
    return;
  }
  std::string tag;
  if (step.kind == Deed::tag) {
    tag = fmt::format("{}u", model_.tag_of.at(step.symbol.value));
  } else {
    const std::uint32_t universe = model_.variable_shape(step.variable).leaf;
    if (model_.assigned[step.variable.value]) {
      tag = expressions_.encode(universe, expressions_.variable(step.variable));
    } else {
      const Folded folded = model_.fold(model_.game.variable_ref(step.variable));
      tag = fmt::format("{}u", model_.tag_of.at(folded.symbol.value));
    }
  }
  const std::string rest_before = scope_.rest;
  const std::string moved_before = scope_.moved;
  const TagCount count_before = scope_.count;
  const std::string epoch_before = scope_.epoch;
  if (context_.purpose == Purpose::apply) {
    scope_.text.open(fmt::format("if (tag_at({}, 0) == {}) {{", scope_.rest, tag));
    const std::string name = expressions_.fresh("rest");
    if (facts_.hides) scope_.text.line(fmt::format("if (c.observing) c.note_rest({}, seen_by(s));", scope_.rest));
    scope_.text.line(fmt::format("const Rest {} = drop({});", name, scope_.rest));
    scope_.rest = name;
  } else {
    scope_.text.open("{");
    if (facts_.hides && context_.purpose == Purpose::system) {
      scope_.text.line(fmt::format("if (c.observing) c.note({}, seen_by(s));", scope_.count.text));
    }
    if (shared_.layout.packed) {
      const std::string name = expressions_.fresh("moved");
      scope_.text.line(
          fmt::format("const Packed {} = {} | with_tag({}, {});", name, scope_.moved, tag, scope_.count.text));
      scope_.moved = name;
    } else {
      scope_.text.line(fmt::format("c.add_tag({}, {});", scope_.count.text, tag));
    }
    if (context_.tags_static(step.from))
      scope_.count = TagCount(context_.at(step.from).tags_max + 1);
    else {
      const std::string name = expressions_.fresh("count");
      scope_.text.line(fmt::format("const unsigned {} = {} + 1;", name, scope_.count.text));
      scope_.count = name;
    }
  }
  if (context_.contains(step.to) && context_.at(step.to).reaches_test) {
    const std::string name = expressions_.fresh("epoch");
    scope_.text.line(fmt::format("const std::uint32_t {} = c.next_epoch();", name));
    scope_.epoch = name;
  }
  walk_node(step.to);
  scope_.text.close();
  scope_.rest = rest_before;
  scope_.moved = moved_before;
  scope_.count = count_before;
  scope_.epoch = epoch_before;
}

void SearchWriter::walk_end(const Step& step) {
  if (context_.purpose == Purpose::moves) {
    ++shared_.single_ends;
    scope_.text.line(fmt::format("out = {}(c, out, {});", scope_.may_duplicate ? "add_once" : "add_move",
                                 shared_.layout.packed ? scope_.moved : scope_.count.text));
    return;
  }
  if (context_.purpose == Purpose::apply)
    scope_.text.open(fmt::format("if (finished({})) {{", scope_.rest));
  else
    scope_.text.open("{");
  write_end_stores(step);
  if (context_.carries_tags()) {
    scope_.text.line(fmt::format("c.set_label({});", shared_.layout.packed ? scope_.moved : scope_.count.text));
  }
  scope_.text.line("return true;");
  scope_.text.close();
}

}  // namespace rgtrans::cpp
