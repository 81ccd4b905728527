// Searching code: every way from a node is tried. See writer.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

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
  if (!requested_.insert(node).second) return;
  pending_.push_back(node);
  if (scope_.rare) rare_.insert(node);
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
  scope_.rare = rare_.contains(node);
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
  if (const auto* const targets = std::get_if<Targets>(&choice)) {
    write_targets(at_, **targets);
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
  const std::string where = place_text(model_.game, model_.game.graph.where(NodeId(node)));
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
  const Bits key = facts_.visit_key(context_, node);
  const std::uint64_t cells = facts_.key_cells(key);
  const std::string give_up = context_.returns_value() ? "return false;" : "return out;";
  if (!info.tag_cycle && cells <= kSizes.visit_cells) {
    const Code marks = "c." + shared_.functions.add_field({"std::uint32_t", shared_.unique("seen"), cells});
    std::string index;
    for (const std::size_t v : key) {
      const std::string value = expressions_.variable(VarId(v));
      index = index.empty() ? value : fmt::format("({}) * {}u + {}", index, model_.universe(VarId(v)).size(), value);
    }
    if (index.empty()) index = "0";
    line("if (" + marks + fmt::format("[{}] == epoch) {}", index, give_up));
    line(marks + fmt::format("[{}] = epoch;", index));
    marks_ = true;
    return;
  }
  shared_.keeps_keys = true;
  if (info.late) {
    shared_.counts_arrivals = true;
    open("if (++c.arrivals > {}u) {{", kCosts.late_visits);
  }
  line("KeyBuilder key(c.keys, epoch, {}u);", node);
  for (const std::size_t v : key) {
    if (model_.scalar(VarId(v)))
      line("key.add({});", expressions_.variable(VarId(v)));
    else
      line("key.add(&s.{}, {});", model_.identifiers[v], expressions_.region_size(model_.game.variable_ref(VarId(v))));
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

namespace {

// The check that begins at the node and asks for the same as this one, which has come there.
std::optional<std::uint32_t> same_question(const GameFacts& facts, const CodeContext& context, std::uint32_t node) {
  if (context.purpose != Purpose::check || context.at(node).reaches_test) return std::nullopt;
  const auto found = facts.model.check_of.find({node, facts.model.checks[context.check].to});
  if (found == facts.model.check_of.end() || found->second == context.check) return std::nullopt;
  const CodeContext& other = facts.checks[found->second];
  // Not if the other one could ask this one in turn.
  if (other.always || !other.contains(node) || other.contains(context.entries[0])) return std::nullopt;
  return found->second;
}

}  // namespace

void SearchWriter::walk_node(std::uint32_t node) {
  if (context_.is_goal(node)) {
    walk_success();
    return;
  }
  if (const auto other = same_question(facts_, context_, node)) {
    block("if (" + expressions_.check_call(*other) + ") {", [&] { walk_success(); });
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

}  // namespace rgtrans::cpp
