// Searching code: every way from a node is tried. See writer.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

std::string CodeWriter::define(std::string_view type, std::string_view name, std::string_view value) {
  std::string unique = fresh(name);
  line("const {} {} = {};", type, unique, value);
  return unique;
}

void CodeWriter::comment_step(const Step& step) {
  if (step.kind != Deed::nothing) comment(shared_.comment(step));
}

void CodeWriter::write_store(std::string_view name, std::string_view value) {
  line("s.{0} = static_cast<decltype(s.{0})>({1});", name, value);
}

// The values that the searching code holds in locals go to the state.
void CodeWriter::write_end_stores(const Step& step) {
  const std::uint32_t player = model_.game.player().value;
  const std::string new_player = expressions_.value(step.rhs, model_.variable_shape(model_.game.player()).leaf);
  line("const unsigned next_player = {};", new_player);
  for (std::uint32_t v = 0; v < scope_.env.size(); ++v) {
    if (v == player || scope_.env[v].empty() || !facts_.state.test(v)) continue;
    if (facts_.exact || facts_.live_at_entry(step.to).test(v)) write_store(model_.identifiers[v], scope_.env[v].text);
  }
  write_store(model_.identifiers[player], "next_player");
  line("s.node = {};  // {}", shared_.entry_number(step.to), in_comment(model_.node_names[step.to]));
}

void CodeWriter::write_switch(const std::vector<Arm>& arms, const CodePlan::Switch& by,
                              const std::function<void(std::uint32_t)>& enter, std::string_view otherwise) {
  const Step& first = model_.steps[arms[0].steps[0]];
  comment_step(first);
  open("switch (" + expressions_.value(first.lhs, by.universe) + ") {");
  for (std::size_t a = 0; a < arms.size(); ++a) {
    const std::vector<std::uint32_t>& codes = by.codes[a];
    for (std::size_t i = 0; i + 1 < codes.size(); ++i) line("case " + shared_.enumerator(by.universe, codes[i]) + ":");
    block("case " + shared_.enumerator(by.universe, codes.back()) + ": {", [&] { enter(arms[a].target); });
  }
  line("default:");
  line("  {}", otherwise);
  close();
}

Code CodeWriter::arm_condition(const Arm& arm) {
  const Step& first = model_.steps[arm.steps[0]];
  if (arm.steps.size() == 1) return expressions_.condition(first);
  if (const auto codes = plan_.arm_codes(arm, first.lhs)) {
    const std::uint32_t universe = *model_.universe_of(first.lhs);
    Bits set(model_.universes[universe].size());
    for (const std::uint32_t code : *codes) set.set(code);
    return expressions_.member(set, expressions_.value(first.lhs, universe));
  }
  Code code;
  for (const Step& step : model_.steps_at(arm.steps))
    code += (code.empty() ? Code() : Code(" || ")) + expressions_.condition(step);
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
    const std::string table = shared_.number_list(tags.to_words(), "std::uint64_t", "tags");
    return fmt::format("({}[{} / 64] >> {} % 64 & 1) != 0", table, tag, tag);
  }
  return fmt::format("{}[{}] != 0", shared_.member_list(tags, model_.tags.size(), "tags"), tag);
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
  return shared_.number_list(codes, shared_.cell_type(universe), "value") + "[" + x + "]";
}

// What shows a variable. One that nothing sets is no part of the state.
std::string CodeWriter::tag_of(VarId variable) {
  if (!model_.assigned[variable.value])
    return fmt::format("{}u", model_.tag_of.at(model_.fold(model_.game.variable_ref(variable)).symbol.value));
  return expressions_.encode(model_.variable_shape(variable).leaf, expressions_.variable(variable));
}

std::string CodeWriter::split_condition(const SetItem& item) {
  const auto& [variable, code] = *item.split;
  return fmt::format("{} == {}", expressions_.variable(variable),
                     shared_.enumerator(model_.variable_shape(variable).leaf, code));
}

// Ways with different next tags, once the value of a variable is known.
void CodeWriter::write_by_value(const CodePlan::ByValue& ways, const std::string& base,
                                const std::function<void(const std::vector<std::uint32_t>&)>& enter,
                                std::string_view otherwise) {
  const std::string table = shared_.number_table(ways.arm_of, {model_.universe(ways.base).size(), model_.tags.size()},
                                                 "std::uint8_t", "ways");
  open("switch ({}[{}][tag_at({}, 0)]) {{", table, base, scope_.rest);
  for (std::size_t arm = 0; arm < ways.arms.size(); ++arm)
    block(fmt::format("case {}: {{", arm), [&] { enter(ways.arms[arm]); });
  line("default: {}", otherwise);
  close();
}

SearchWriter::SearchWriter(Workplace& at) : CodeWriter(at), defers_(may_defer()) {
  at.enter = [this](std::uint32_t node) { walk_node(node); };
  at.enter_value = [this](const Step& step) {
    renew_epoch(step);
    if (context_.purpose == Purpose::moves)
      walk_behind(step);
    else
      walk_node(step.to);
  };
  at.success = [this] { walk_success(); };
}

// On a device nothing calls itself if that can be avoided: a check that changes no map may try its ways in any order,
// and so what is left to try can wait in a list. It could call itself where it comes back to a node.
bool SearchWriter::may_defer() const {
  if (!shared_.for_device || context_.purpose != Purpose::check) return false;
  bool comes_back = false;
  for (const CodeContext::Node& node : context_.info) {
    for (const Step& step : model_.steps_at(node.out)) {
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
  line("c.work.add({{{}{}u}});", item, it->second);
}

// The check as others call it: it continues until something holds, or nothing is left to try.
void SearchWriter::write_worker() {
  const std::uint32_t entry = context_.entries[0];
  const FunctionId id = declare(shared_.node_function(context_, entry), entry);
  const auto same_names = [](const Parameter& parameter) { return parameter.name; };
  const Code first = call(entry, same_names);
  Text text(1);
  if (deferred_.empty()) {
    text.line("return " + first + ";");
  } else {
    shared_.functions.at(id).keeps_list = true;
    text.line("const unsigned before = c.work.size;");
    text.line("bool holds = " + first + ";");
    text.open("while (!holds && c.work.size > before) {");
    text.open("switch (c.work.take()) {");
    for (const auto& [node, number] : deferred_) {
      text.open("case {}: {{", number);
      const auto taken = [](const Parameter& parameter) {
        using enum Parameter::Role;
        return (parameter.role == epoch || parameter.role == value ? "at_" : "") + parameter.name;
      };
      const Parameters parameters = shared_.node_parameters(context_, node);
      for (auto parameter = parameters.rbegin(); parameter != parameters.rend(); ++parameter) {
        if (taken(*parameter) != parameter->name)
          text.line("const std::uint32_t {} = c.work.take();", taken(*parameter));
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
  shared_.define(id, std::move(text));
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
  scope_.text = Text(1);
  const char* const found_nothing = context_.returns_value() ? "return false;" : "return out;";
  const FunctionPlan choice = planner_.choose(scope_);
  bool complete = true;
  if (const auto* const targets = std::get_if<TargetChoice>(&choice)) {
    write_targets(at_, *targets);
  } else if (const auto* const around = std::get_if<const Around*>(&choice)) {
    write_rounds(at_, **around);
  } else {
    const auto* const form = std::get_if<CheckForm>(&choice);
    if (form != nullptr) write_check(at_, *form);
    complete = form != nullptr && form->complete();
    if (!complete) {
      write_visit_test(node);
      walk_out(node);
    }
  }
  if (!complete || !std::holds_alternative<CheckForm>(choice)) line(found_nothing);
  Text body(1);
  if (shared_.by_parts && context_.purpose == Purpose::moves && !context_.tags_static(node))
    body.line("if (c.in_vain(count)) return out;");
  for (const std::uint32_t v : scope_.cached) body.line("const unsigned {0} = s.{0};", model_.identifiers[v]);
  body.add(std::exchange(scope_.text, Text()));
  const std::string where = model_.place(model_.game.graph.where(NodeId(node)));
  FunctionRecord& function = shared_.functions.at(id);
  function.comment =
      fmt::format("node {}{}{}", in_comment(model_.node_names[node]), where.empty() ? "" : ", ", in_comment(where));
  function.floods = calls_itself_ && marks_ && context_.purpose == Purpose::check && !shared_.for_device;
  function.keeps_list = keeps_list_;
  shared_.recursive |= function.floods;
  shared_.define(id, std::move(body));
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
      cells *= model_.universe(v).size();
  }
  const char* mark = "epoch";
  const std::string give_up = context_.returns_value() ? "return false;" : "return out;";
  if (!maps && !info.tag_cycle && cells <= kMostVisitCells) {
    const Code marks = "c." + shared_.functions.add_field({"std::uint32_t", shared_.unique("seen"), cells});
    std::string index;
    for (const VarId v : key) {
      const std::uint32_t size = model_.universe(v).size();
      index = index.empty() ? expressions_.variable(v)
                            : fmt::format("({}) * {}u + {}", index, size, expressions_.variable(v));
    }
    if (index.empty()) index = "0";
    line("if (" + marks + fmt::format("[{}] == {}) {}", index, mark, give_up));
    line(marks + fmt::format("[{}] = {};", index, mark));
    marks_ = true;
    return;
  }
  shared_.keeps_keys = true;
  if (info.late) {
    shared_.counts_arrivals = true;
    open("if (++c.arrivals > {}u) {{", kLateVisits);
  }
  line("KeyBuilder key(c.keys, {}, {}u);", mark, node);
  for (const VarId v : key) {
    if (model_.scalar(v))
      line("key.add({});", expressions_.variable(v));
    else
      line("key.add(&s.{}, {});", model_.identifiers[v.value], expressions_.region_size(model_.game.variable_ref(v)));
  }
  line("if (!key.first_visit()) " + give_up);
  if (info.late) close();
}

void SearchWriter::walk_success() {
  if (context_.purpose == Purpose::check) {
    for (auto it = scope_.undo.rbegin(); it != scope_.undo.rend(); ++it) line(*it);
  }
  line("return true;");
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
      line("out = " + call(node) + ";");
    return;
  }
  if (context_.purpose != Purpose::check || scope_.undo.empty()) {
    line("if (" + call(node) + ") return true;");
    return;
  }
  block("if (" + call(node) + ") {", [&] { walk_success(); });
}

void SearchWriter::walk_out(std::uint32_t node) {
  ++scope_.nodes;
  const Restored restored(scope_.may_duplicate, scope_.depth);
  ++scope_.depth;
  const auto parts = [&](std::uint32_t at) { return facts_.duplicates && facts_.may_fork_duplicates[at]; };
  scope_.may_duplicate =
      scope_.may_duplicate || parts(node) ||
      std::ranges::any_of(context_.at(node).loop, [&](std::uint32_t s) { return parts(model_.steps[s].from); });
  if (plan_.writes_loop(node, scope_.excluded))
    walk_loop_steps(node);
  else if (context_.at(node).most_rounds == 0)
    walk_steps(context_.at(node).out);
  else
    throw std::logic_error("a cycle whose rounds are counted is no loop");
}

// The variables of the cycle are changed in place; at each node on it the other ways are taken first.
void SearchWriter::walk_loop_steps(std::uint32_t head) {
  const std::vector<std::uint32_t>& loop = context_.at(head).loop;
  const Restored restored(scope_.env, scope_.known);
  std::map<std::uint32_t, std::string> changed;
  open("{");
  for (const Step& step : model_.steps_at(loop)) {
    const std::uint32_t v = step.variable.valid() ? step.variable.value : 0;
    if (step.kind != Deed::assign || changed.contains(v) || !context_.live_at(head).test(v)) continue;
    const std::string name = fresh(model_.identifiers[v]);
    line("unsigned {} = {};", name, expressions_.variable(step.variable));
    changed.emplace(v, name);
  }
  for (const auto& [v, name] : changed) scope_.env[v] = name;
  // What was known of the variables before holds in the first round alone.
  std::erase_if(scope_.known, [&](std::uint32_t s) {
    const Step& condition = model_.steps[s];
    return condition.kind != Deed::compare || std::ranges::any_of(changed, [&](const auto& entry) {
             return model_.reads(condition.lhs, VarId(entry.first)) || model_.reads(condition.rhs, VarId(entry.first));
           });
  });
  const std::uint64_t most = context_.at(head).most_rounds;
  open(most == 0 ? "for (;;) {" : fmt::format("for (unsigned {0} = 0; {0} < {1}; ++{0}) {{", fresh("round"), most));
  for (const Step& step : model_.steps_at(loop)) {
    std::vector<std::uint32_t> others, same;
    for (const Step& other : model_.steps_at(context_.at(step.from).out)) {
      const bool guards = is_condition(step) && other.kind == step.kind && other.to == step.to;
      (other.number == step.number || guards ? same : others).push_back(other.number);
    }
    walk_steps(others);
    comment_step(step);
    if (is_condition(step)) {
      if (!scope_.known.contains(step.number)) line("if (!(" + arm_condition({step.to, true, same}) + ")) break;");
    } else if (step.kind == Deed::assign && facts_.assignment_live(context_, step)) {
      const std::uint32_t v = step.variable.value;
      scope_.env[v] = define("unsigned", model_.identifiers[v],
                             expressions_.value(step.rhs, model_.variable_shape(step.variable).leaf));
    }
  }
  for (const auto& [v, name] : changed) line("{} = {};", name, scope_.env[v].text);
  close();
  close();
}

// Steps out of one node: those that exclude each other become one chain of conditions.
void SearchWriter::walk_steps(std::vector<std::uint32_t> steps) {
  std::erase_if(steps, [&](std::uint32_t s) { return scope_.excluded.contains(s); });
  if (steps.empty()) return;
  if (scope_.known.contains(steps[0])) return walk_node(model_.steps[steps[0]].to);
  std::erase_if(steps, [&](std::uint32_t s) { return scope_.known.contains(s); });
  if (context_.purpose == Purpose::apply && scope_.known.empty() && scope_.excluded.empty()) {
    // Where a move is applied, the next tag determines which way can be taken.
    if (const auto ways = plan_.by_value(steps)) {
      const auto enter = [&](const std::vector<std::uint32_t>& way) {
        const Step& first = model_.steps[way[0]];
        if (is_condition(first))
          walk_chain({{first.to, true, way}});
        else
          walk_step(first);
        line("break;");
      };
      return write_by_value(*ways, expressions_.variable(ways->base), enter, "break;");
    }
  }
  const auto walk_target = [&](std::uint32_t target) {
    walk_node(target);
    line("break;");
  };
  const std::vector<Arm> arms = plan_.arms_of(steps);
  const bool many = arms.size() > kCosts.excluded_pairs;
  if (const auto by = many ? plan_.switch_on(arms) : std::nullopt)
    return write_switch(arms, *by, walk_target, "break;");
  std::vector<bool> done(arms.size(), false);
  for (std::size_t i = 0; i < arms.size(); ++i) {
    if (done[i]) continue;
    if (!arms[i].guarded) {
      comment_step(model_.steps[arms[i].steps[0]]);
      walk_step(model_.steps[arms[i].steps[0]]);
      continue;
    }
    std::vector<Arm> group = {arms[i]};
    for (std::size_t k = i + 1; k < arms.size() && !many; ++k) {
      const auto excludes = [&](const Arm& arm) { return plan_.excludes(arm, arms[k]); };
      if (done[k] || !arms[k].guarded || !std::ranges::all_of(group, excludes)) continue;
      group.push_back(arms[k]);
      done[k] = true;
    }
    if (const auto by = plan_.switch_on(group))
      write_switch(group, *by, walk_target, "break;");
    else
      walk_chain(group);
  }
}

void SearchWriter::walk_chain(const std::vector<Arm>& arms) {
  for (std::size_t k = 0; k < arms.size(); ++k) {
    const Step& step = model_.steps[arms[k].steps[0]];
    const bool sure = k == 1 && arms.size() == 2 && arms[0].steps.size() == 1 && arms[1].steps.size() == 1 &&
                      facts_.complementary(model_.steps[arms[0].steps[0]], step);
    comment_step(step);
    block(sure ? Code("else {") : Code(k == 0 ? "if (" : "else if (") + arm_condition(arms[k]) + ") {",
          [&] { walk_node(arms[k].target); });
  }
}

// What follows a choice of a value, or an assignment of one.
void SearchWriter::walk_behind(const Step& step) {
  if (const auto targets = planner_.choose_behind(step, scope_))
    write_targets(at_, *targets);
  else
    walk_node(step.to);
}

void SearchWriter::walk_step(const Step& step) {
  const Restored restored(scope_.epoch);
  switch (step.kind) {
    case Deed::compare:
    case Deed::check:
      return block("if (" + expressions_.condition(step) + ") {", [&] { walk_node(step.to); });
    case Deed::assign:
      return step.ends_move && context_.purpose != Purpose::check ? walk_end(step) : walk_assignment(step);
    case Deed::assign_any:
      return walk_any(step);
    case Deed::tag:
    case Deed::tag_variable:
      return walk_tag(step);
    default:
      return walk_node(step.to);
  }
}

// A variable changed that is part of no visit key: visits from here on are new ones.
void SearchWriter::renew_epoch(const Step& step) {
  if (!context_.begins_epoch.test(step.variable.value) || !context_.at(step.to).reaches_test) return;
  scope_.epoch = define("std::uint32_t", "epoch", "c.next_epoch()");
}

// Where moves are listed, a variable is set to what the state has, as where the king stands.
bool SearchWriter::is_of_state(const Step& step) const {
  const auto& e = model_.game.expressions();
  return context_.purpose == Purpose::moves && e.kind(step.rhs) == ir::ExprKind::access &&
         model_.assigned[e.variable(e.root(step.rhs)).value];
}

void SearchWriter::walk_assignment(const Step& step) {
  if (!facts_.assignment_live(context_, step)) return walk_node(step.to);
  const std::uint32_t v = step.variable.value;
  const ArrayShape shape = model_.shape(model_.game.expressions().type(step.lhs));
  const std::string new_value = expressions_.value(step.rhs, shape.leaf);
  if (model_.scalar(step.variable)) {
    const Restored restored(scope_.env[v]);
    if (model_.fold(step.rhs).known() && !context_.begins_epoch.test(v)) {
      scope_.env[v] = {new_value, true};
      return walk_node(step.to);
    }
    block("{", [&] {
      scope_.env[v] = define("unsigned", model_.identifiers[v], new_value);
      renew_epoch(step);
      if (is_of_state(step))
        walk_behind(step);
      else
        walk_node(step.to);
    });
  } else if (shape.scalar()) {
    walk_cell(new_value, step);
  } else {
    const std::string saved = fresh("saved");
    const std::string size = expressions_.region_size(step.lhs);
    const std::string target = fresh("region");
    open("{");
    line("auto& {} = {};", target, expressions_.place(step.lhs));
    line("unsigned char {}[{}];", saved, size);
    line("std::memcpy({}, &{}, {});", saved, target, size);
    line(expressions_.copy_map(step, target, new_value));
    walk_changed(step, fmt::format("std::memcpy(&{}, {}, {});", target, saved, size));
    close();
  }
}

// What follows a change of a map, and the line that takes the change back.
void SearchWriter::walk_changed(const Step& step, const std::string& undo, std::string_view cell) {
  scope_.undo.push_back(undo);
  renew_epoch(step);
  if (!cell.empty()) note_write(step.to, cell);
  walk_node(step.to);
  if (!cell.empty()) forget_write(step.to);
  line(undo);
  scope_.undo.pop_back();
}

void SearchWriter::walk_cell(const std::string& new_value, const Step& step) {
  open("{");
  const std::string target = expressions_.place(step.lhs);
  const WrittenCell cell = write_cell(target, expressions_.written(step, target, new_value));
  walk_changed(step, cell.undo, cell.name);
  close();
}

void SearchWriter::walk_any(const Step& step) {
  const Restored epoch(scope_.epoch);
  if (!facts_.assignment_live(context_, step)) return walk_node(step.to);
  const std::uint32_t v = step.variable.value;
  const std::vector<std::uint32_t> codes = model_.member_codes(step.type);
  if (!model_.scalar(step.variable)) {
    const std::string name = fresh("any");
    open("for (const unsigned {} : {}) {{", name, shared_.number_list(codes, "std::uint16_t", "members"));
    walk_cell(name, step);
    return close();
  }
  const Restored restored(scope_.env[v]);
  const std::string name = fresh(model_.identifiers[v] == "" ? "x" : model_.identifiers[v]);
  const int later = context_.purpose == Purpose::apply ? plan_.shown_after(step) : -1;
  if (later < 0) return write_loops(at_, step, name);
  const std::uint32_t universe = model_.variable_shape(step.variable).leaf;
  Bits tags(model_.tags.size());
  for (const std::uint32_t c : codes) tags.set(model_.universes[universe].tags[c]);
  scope_.env[v] = name;
  open("{");
  const std::string tag = define("unsigned", "tag", fmt::format("tag_at({}, {})", scope_.rest, later));
  open("if ({}) {{", tag_test(tags, tag));
  line("const unsigned {} = {};", name, expressions_.decode(universe, tag));
  renew_epoch(step);
  walk_node(step.to);
  close();
  close();
}

void SearchWriter::walk_tag(const Step& step) {
  if (context_.purpose == Purpose::check || (context_.purpose == Purpose::system && !context_.carries_tags()))
    return walk_node(step.to);
  const std::string tag =
      step.kind == Deed::tag_variable ? tag_of(step.variable) : fmt::format("{}u", model_.tag_of.at(step.symbol.value));
  const Restored restored(scope_.rest, scope_.moved, scope_.count);
  if (context_.purpose == Purpose::apply) {
    open("if (tag_at({}, 0) == {}) {{", scope_.rest, tag);
    if (facts_.hides) line("if (c.observing) c.note_rest({}, seen_by(s));", scope_.rest);
    scope_.rest = define("Rest", "rest", fmt::format("drop({})", scope_.rest));
  } else {
    open("{");
    if (facts_.hides && context_.purpose == Purpose::system)
      line("if (c.observing) c.note({}, seen_by(s));", scope_.count.text);
    if (shared_.layout.packed)
      scope_.moved =
          define("Packed", "moved", fmt::format("{} | with_tag({}, {})", scope_.moved, tag, scope_.count.text));
    else
      line("c.add_tag({}, {});", scope_.count.text, tag);
    scope_.count = context_.tags_static(step.from) ? TagCount(context_.at(step.from).tags_max + 1)
                                                   : TagCount(define("unsigned", "count", scope_.count.text + " + 1"));
  }
  if (context_.contains(step.to) && context_.at(step.to).reaches_test)
    scope_.epoch = define("std::uint32_t", "epoch", "c.next_epoch()");
  walk_node(step.to);
  close();
}

void SearchWriter::walk_end(const Step& step) {
  const std::string& label = shared_.layout.packed ? scope_.moved : scope_.count.text;
  if (context_.purpose == Purpose::moves) {
    ++shared_.single_ends;
    return line("out = {}(c, out, {});", scope_.may_duplicate ? "add_once" : "add_move", label);
  }
  open(context_.purpose == Purpose::apply ? fmt::format("if (finished({})) {{", scope_.rest) : "{");
  write_end_stores(step);
  if (context_.carries_tags()) line("c.set_label({});", label);
  line("return true;");
  close();
}

}  // namespace rgtrans::cpp
