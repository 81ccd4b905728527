// Straight code: applying a move that is known to be legal, and the system's own move. See writer.hpp.
//
// As long as no decision was taken that could turn out wrong, the rest of a legal move must go through here: then
// conditions with no alternative hold and are not tested, alternatives are told apart by the next tag or by
// conditions that exclude each other, and only what is left is searched.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

namespace {

class StraightWriter : CodeWriter {
  // What follows one label, and several such pieces as a function.
  struct Piece {
    std::uint32_t node;
    std::size_t nodes;  // that it has the steps of
    Text text;
  };
  struct StraightPart {
    FunctionId id;
    Text body;
    std::set<std::uint32_t> entries{};  // labels that other parts jump to
    std::size_t nodes = 0;
  };

 public:
  explicit StraightWriter(Workplace& at) : CodeWriter(at), search_(at) {}

  // All functions of the context.
  void write_entries() {
    plan_.find_first_tags();
    const bool applying = context_.purpose == Purpose::apply;
    const std::string name = applying ? "apply_move" : "system_move";
    std::vector<std::vector<std::uint32_t>> groups;
    if (context_.nodes.size() > kSizes.common_nodes) groups = plan_.separate_entries();
    if (groups.size() <= 1) {
      write_straight_function(context_.entries, name);
      return;
    }
    Parameters parameters = entry_parameters();
    Text dispatch(1);
    const FunctionId id = declare(name, parameters);
    dispatch.open("switch (s.node) {");
    for (const std::vector<std::uint32_t>& group : groups) {
      const std::string part = shared_.unique(name + "_from_" + model_.node_names[group[0]]);
      const FunctionId called = write_straight_function(group, part);
      for (const std::uint32_t entry : group) dispatch.line("case {}:", shared_.entry_number(entry));
      dispatch.line("  return " + shared_.functions.call(called) + "(" + print_arguments(parameters, &Parameter::name) +
                    ");");
    }
    dispatch.line("default:");
    dispatch.line("  return false;");
    dispatch.close();
    shared_.define(id, std::move(dispatch));
  }

  Parameters entry_parameters() const {
    Parameters result = {{Parameter::Role::state, "s"}, {Parameter::Role::cache, "c"}};
    if (context_.purpose == Purpose::apply) result.emplace_back(Parameter::Role::rest, "rest");
    return result;
  }

  FunctionId write_straight_function(const std::vector<std::uint32_t>& entries, const std::string& name) {
    scope_.text = Text(1);
    scope_.straight = true;
    scope_.scratch.clear();
    scope_.own_variables = context_.nodes.size() <= kSizes.straight_nodes;
    scope_.locals.clear();
    scope_.locals["rest"] = scope_.locals["moved"] = scope_.locals["count"] = scope_.locals["w"] = 1;
    scope_.rest = "rest";
    scope_.moved = "moved";
    scope_.count = "count";
    scope_.epoch.clear();
    std::ranges::fill(scope_.env, LocalValue());
    for (std::uint32_t v = 0; v < scope_.env.size(); ++v) {
      if (facts_.scratch(VarId(v)) && model_.assigned[v]) scope_.env[v] = expressions_.scratch_name(v);
    }
    open("switch (s.node) {");
    for (const std::uint32_t node : entries) {
      if (!context_.contains(node)) continue;
      line(fmt::format("case {}: ", shared_.entry_number(node)) + Code::jump(node) + ";");
      if (labels_.insert(node).second) label_queue_.push_back(node);
    }
    line("default: return false;");
    close();
    const Text dispatch = std::exchange(scope_.text, Text());
    std::vector<Piece> pieces;
    while (!label_queue_.empty()) {
      const std::uint32_t node = label_queue_.back();
      label_queue_.pop_back();
      scope_.depth = 0;
      scope_.nodes = 0;
      scope_.node = node;
      scope_.text.set_indent(0);
      line("at_{}:  // node {}", node, in_comment(model_.node_names[node]));
      scope_.text.set_indent(1);
      straight_out(node);
      pieces.push_back({node, scope_.nodes, std::exchange(scope_.text, Text())});
    }
    const FunctionId id = declare(name, entry_parameters());
    write_pieces(id, dispatch, pieces);
    search_.write_pending();
    return id;
  }

  // One function where it is short or has variables of its own; else several that end by calling each other.
  void write_pieces(FunctionId id, const Text& dispatch, const std::vector<Piece>& pieces) {
    std::size_t nodes = 0;
    for (const Piece& piece : pieces) nodes += piece.nodes;
    const bool split = nodes > kSizes.part_nodes && (scope_.scratch.empty() || !scope_.own_variables);
    const std::string name = shared_.functions.name(id);
    Parameters parameters = entry_parameters();
    Text begin(1);
    if (context_.purpose != Purpose::apply && context_.has_tags) {
      if (shared_.layout.packed) {
        begin.line("Packed moved = 0;");
        parameters.emplace_back(Parameter::Role::moved, "moved");
      }
      begin.line("unsigned count = 0;");
      parameters.emplace_back(Parameter::Role::count, "count");
    }
    if (scope_.own_variables) {
      for (const std::uint32_t v : scope_.scratch)
        begin.line("[[maybe_unused]] unsigned {} = 0;", model_.identifiers[v]);
    } else if (!scope_.scratch.empty()) {
      const std::string type = shared_.unique("Variables of " + name);
      shared_.tables.line("struct " + type + " {");
      for (const std::uint32_t v : scope_.scratch) shared_.tables.line("  unsigned " + model_.identifiers[v] + ";");
      shared_.tables.line("};");
      begin.line(type + " w = {};");
      parameters.emplace_back(Parameter::Role::locals, "w", type + "&");
    }
    begin.add(dispatch);
    std::vector<StraightPart> parts = {{id, std::move(begin), {}}};
    std::map<std::uint32_t, std::size_t> part_of;
    for (const Piece& piece : pieces) {
      if (split && (parts.size() == 1 || parts.back().nodes > kSizes.part_nodes)) parts.emplace_back();
      parts.back().body.add(piece.text);
      parts.back().nodes += piece.nodes;
      part_of[piece.node] = parts.size() - 1;
    }
    Parameters of_part = parameters;
    of_part.emplace_back(Parameter::Role::label, "at");
    for (std::size_t i = 1; i < parts.size(); ++i)
      parts[i].id = shared_.functions.create(shared_.unique(fmt::format("{}_part_{}", name, i)), context_.purpose);
    for (std::size_t i = 0; i < parts.size(); ++i) link_part(parts, i, part_of, of_part);
    shared_.define(id, std::move(parts[0].body));
    for (std::size_t i = 1; i < parts.size(); ++i) {
      Text body(1);
      body.open("switch (at) {");
      for (const std::uint32_t node : parts[i].entries)
        body.line(fmt::format("case {}: ", node) + Code::jump(node) + ";");
      body.line("default: return false;");
      body.close();
      body.add(parts[i].body);
      shared_.functions.at(parts[i].id).parameters = of_part;
      shared_.functions.declare(parts[i].id);
      shared_.define(parts[i].id, std::move(body));
    }
  }

  FunctionId declare(const std::string& name, Parameters parameters) {
    const FunctionId id = shared_.functions.create(name, context_.purpose);
    shared_.functions.at(id).parameters = std::move(parameters);
    shared_.functions.declare(id);
    return id;
  }

  // Where a piece continues in another part, it calls that.
  void link_part(std::vector<StraightPart>& parts, std::size_t index,
                 const std::map<std::uint32_t, std::size_t>& part_of, const Parameters& parameters) {
    parts[index].body = parts[index].body.with_jumps([&](std::uint32_t node) {
      const std::size_t target = part_of.at(node);
      if (target == index) return Code::jump(node);
      parts[target].entries.insert(node);
      return "return " + shared_.functions.call(parts[target].id) + "(" +
             print_arguments(parameters,
                             [&](const Parameter& parameter) {
                               return parameter.role == Parameter::Role::label ? std::to_string(node) : parameter.name;
                             }) +
             ")";
    });
  }

  void straight_node(std::uint32_t node) {
    const bool entry = std::ranges::find(context_.entries, node) != context_.entries.end();
    if (!entry && context_.in_degree(node) < 2 && scope_.depth < kSizes.straight_depth &&
        scope_.nodes < kSizes.search_nodes) {
      straight_out(node);
      return;
    }
    if (labels_.insert(node).second) label_queue_.push_back(node);
    line(Code::jump(node) + ";");
  }

  void straight_out(std::uint32_t node) {
    ++scope_.depth;
    ++scope_.nodes;
    const std::vector<std::uint32_t>& out = context_.at(node).out;
    const bool test = context_.purpose != Purpose::apply;
    if (out.size() == 1) {
      straight_step(model_.steps[out[0]], test);
    } else if (const auto shown = planner_.straight.choose_shown(node)) {
      straight_shown(*shown);
    } else if (context_.purpose == Purpose::apply && plan_.knows_first_tags()) {
      straight_by_tag(plan_.groups_by_tag(out));
    } else {
      straight_choice(out);
    }
    --scope_.depth;
  }

  void straight_by_tag(const std::vector<std::vector<std::uint32_t>>& groups) {
    if (groups.size() == 1) return straight_choice(groups[0]);
    open("{");
    const std::string tag = define("unsigned", "tag", "tag_at(rest, 0)");
    const bool many = groups.size() > kCosts.compared_ways;
    if (many) open("switch ({}) {{", tag);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      Bits tags(model_.tags.size());
      for (const Step& step : model_.steps_at(groups[g])) tags |= plan_.first_tags(step);
      const auto body = [&] { straight_choice(groups[g]); };
      if (many) {
        for (const std::size_t t : tags) line("case {}u:", t);
        block("{", body);
      } else if (g + 1 < groups.size()) {
        block(fmt::format("{}if ({}) {{", g == 0 ? "" : "else ", tag_test(tags, tag)), body);
      } else {
        block("else {", body);
      }
    }
    if (many) {
      line("default:");
      line("  return false;");
      close();
    }
    close();
  }

  void straight_lookout(const Lookout& found) {
    const std::string x = expressions_.scratch_name(found.variable.value);
    scope_.scratch.insert(found.variable.value);
    const Step& holds = *found.holds;
    comment_step(holds);
    const std::string next =
        fmt::format("{0} = next_member({0}, {1}, [&]([[maybe_unused]] unsigned word) {{ return {2}; }});", x,
                    found.last, expressions_.word_where(found.word, found.last / 64 + 1).at("word"));
    if (found.reads_cells) {
      // The first values are tried one after the other, for there may be many with which it holds.
      open("{");
      line("unsigned tries = {};", kCosts.lookout_tries);
      line(fmt::format("for (; {} <= {} && tries != 0 && !(", x, found.last) + expressions_.condition(holds) +
           fmt::format("); --tries) ++{};", x));
      line("if (tries == 0) " + next);
      close();
    } else {
      line(next);
    }
    block(fmt::format("if ({} <= {}) {{", x, found.last), [&] { straight_node(found.found); });
    line("{} = {};", x, found.last);
    straight_node(found.none);
  }

  void straight_choice(const std::vector<std::uint32_t>& steps) {
    const StraightChoice choice = planner_.straight.choose(steps);
    if (const auto* const lookout = std::get_if<Lookout>(&choice)) return straight_lookout(*lookout);
    if (const auto* const sole = std::get_if<SoleWay>(&choice)) return straight_node(sole->to);
    if (const auto* const ways = std::get_if<CodePlan::ByValue>(&choice)) {
      const auto enter = [&](const Arm& way) { straight_step(model_.steps[way.steps[0]], false); };
      return write_by_value(*ways, expressions_.variable(ways->base), enter, "return false;");
    }
    if (const auto* const arms = std::get_if<SwitchedArms>(&choice))
      return write_switch(
          arms->arms, arms->by, [&](std::uint32_t target) { straight_node(target); }, "return false;");
    const bool applying = context_.purpose == Purpose::apply;
    const bool exclusive = std::holds_alternative<ExclusiveSteps>(choice);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step& step = model_.steps[steps[i]];
      const bool last = i + 1 == steps.size();
      comment_step(step);
      if (exclusive) {
        const bool sure =
            last && i > 0 && (applying || (steps.size() == 2 && facts_.complementary(model_.steps[steps[0]], step)));
        block(sure ? Code("else {") : Code(i == 0 ? "if (" : "else if (") + expressions_.condition(step) + ") {",
              [&] { straight_node(step.to); });
        if (last && !sure) line("return false;");
      } else if (last) {
        straight_step(step, !applying);
      } else {
        block("{", [&] { search_.walk_step(step); });
      }
    }
  }

  void straight_step(const Step& step, bool test) {
    if (is_condition(step) && test) {
      comment_step(step);
      line("if (!(" + expressions_.condition(step) + ")) return false;");
    } else if (is_assignment(step)) {
      comment_step(step);
      return step.kind == Deed::assign ? straight_assign(step) : straight_any(step);
    } else if (is_tag(step) && context_.purpose == Purpose::apply) {
      pass_tag();
    } else if (is_tag(step) && context_.has_tags) {
      if (facts_.hides) line("if (c.observing) c.note(count, seen_by(s));");
      const std::string tag = step.kind == Deed::tag
                                  ? fmt::format("{}u", model_.tag_of.at(step.symbol.value))
                                  : expressions_.encode(model_.variable_shape(step.variable).leaf,
                                                        expressions_.value(model_.game.variable_ref(step.variable),
                                                                           model_.variable_shape(step.variable).leaf));
      if (shared_.layout.packed)
        line("moved |= with_tag({}, count);", tag);
      else
        line("c.add_tag(count, {});", tag);
      line("++count;");
    }
    straight_node(step.to);
  }

  void straight_assign(const Step& step) {
    if (step.ends_move) return straight_end(step);
    if (facts_.assignment_live(context_, step)) {
      const ArrayShape shape = model_.shape(model_.game.expressions().type(step.lhs));
      const std::string new_value = expressions_.value(step.rhs, shape.leaf);
      const std::uint32_t v = step.variable.value;
      if (facts_.scratch(step.variable)) {
        scope_.scratch.insert(v);
        line("{} = {};", expressions_.scratch_name(v), new_value);
      } else if (shape.scalar()) {
        const std::string target = expressions_.place(step.lhs);
        line(expressions_.write_cell(step.variable, target, expressions_.written(step, target, new_value)));
      } else {
        line(expressions_.copy_map(step, expressions_.place(step.lhs), new_value));
      }
    }
    straight_node(step.to);
  }

  // The variable becomes what the tag shows that comes so many tags later.
  void read_tag(VarId variable, int later) {
    const std::uint32_t universe = model_.variable_shape(variable).leaf;
    write_variable(variable, expressions_.decode(universe, fmt::format("tag_at(rest, {})", later)));
  }

  void write_variable(VarId variable, const std::string& value) {
    if (facts_.scratch(variable)) {
      scope_.scratch.insert(variable.value);
      line("{} = {};", expressions_.scratch_name(variable.value), value);
    } else {
      write_store(model_.identifiers[variable.value], value);
    }
  }

  void straight_shown(const CodePlan::ShownNext& shown) {
    comment(shown.variables.size() == 1 ? "Whatever way was gone, the tag tells."
                                        : "Whatever way was gone, the tags tell.");
    for (const VarId variable : shown.variables) {
      if (variable.valid()) read_tag(variable, 0);
      pass_tag();
    }
    straight_node(shown.to);
  }

  void pass_tag() {
    if (facts_.hides) line("if (c.observing) c.note_rest(rest, seen_by(s));");
    line("rest = drop(rest);");
  }

  void straight_any(const Step& step) {
    if (!facts_.assignment_live(context_, step)) return straight_node(step.to);
    const int later = context_.purpose == Purpose::apply && model_.scalar(step.variable) ? plan_.shown_after(step) : -1;
    if (later >= 0) {
      read_tag(step.variable, later);
      return straight_node(step.to);
    }
    if (const auto shown = planner_.straight.choose_shown(step.from)) return straight_shown(*shown);
    if (const auto chosen = planner_.straight.choose_by_tag(step)) {
      const std::string table = shared_.number_table(
          chosen->value_of, {model_.universe(chosen->base).size(), model_.tags.size()}, "std::uint8_t", "chosen");
      write_variable(step.variable, fmt::format("{}[{}][tag_at(rest, 0)]", table, expressions_.variable(chosen->base)));
      return straight_node(step.to);
    }
    block("{", [&] { search_.walk_any(step); });
    line("return false;");
  }

  void straight_end(const Step& step) {
    open("{");
    write_end_stores(step);
    if (context_.purpose == Purpose::system && context_.has_tags) {
      line(shared_.layout.packed ? "c.set_label(moved);" : "c.set_label(count);");
    }
    line("return true;");
    close();
  }

 private:
  SearchWriter search_;
  std::set<std::uint32_t> labels_;
  std::vector<std::uint32_t> label_queue_;
};

}  // namespace

void write_straight(Workplace& at) { StraightWriter(at).write_entries(); }

}  // namespace rgtrans::cpp
