// Steps of searching code, from one node to the next. See writer.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

// Steps out of one node: those that exclude each other become one chain of conditions.
void SearchWriter::walk_steps(std::vector<std::uint32_t> steps) {
  std::erase_if(steps, [&](std::uint32_t s) { return scope_.excluded.contains(s); });
  if (steps.empty()) return;
  if (scope_.known.contains(steps[0])) return walk_node(model_.steps[steps[0]].to);
  std::erase_if(steps, [&](std::uint32_t s) { return scope_.known.contains(s); });
  if (context_.purpose == Purpose::apply && scope_.known.empty() && scope_.excluded.empty()) {
    // Where a move is applied, the next tag determines which way can be taken.
    if (const auto ways = plan_.by_value(steps)) {
      const auto enter = [&](const Arm& way) {
        if (way.guarded)
          walk_chain({way});
        else
          walk_step(model_.steps[way.steps[0]]);
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

// A function that lists moves sets a variable from the state, such as the place of the king.
bool SearchWriter::is_of_state(const Step& step) const {
  return context_.purpose == Purpose::moves && model_.is_cell(step.rhs);
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
  const WrittenCell cell = write_cell(step.variable, target, expressions_.written(step, target, new_value));
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
    if (!scope_.rare) ++shared_.single_ends;
    return line("out = {}(c, out, {});", scope_.may_duplicate ? "add_once" : "add_move", label);
  }
  open(context_.purpose == Purpose::apply ? fmt::format("if (finished({})) {{", scope_.rest) : "{");
  write_end_stores(step);
  if (context_.carries_tags()) line("c.set_label({});", label);
  line("return true;");
  close();
}

}  // namespace rgtrans::cpp
