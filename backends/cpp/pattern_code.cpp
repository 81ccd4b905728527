// Writes checks that read the cells of one board, by their plan (pattern_plan.hpp).
#include <fmt/format.h>

#include <algorithm>

#include "backends/cpp/writer.hpp"

namespace rgtrans::cpp {

namespace {

constexpr const char* kAllCells = "0xffffffffffffffffu";

// Writes the plan of one check.
class PatternWriter {
 public:
  PatternWriter(const PatternPlan& plan, Shared& shared) : plan_(plan), shared_(shared) {}

  // `mask` gives the name of a kind's mask and writes it where that is new, `index` the text of a parameter.
  template <class MaskOf, class IndexOf>
  void write(Text& text, MaskOf&& mask, IndexOf&& index) {
    const auto join = [](const std::vector<std::string>& parts, const char* with) {
      return parts.size() == 1 ? parts[0] : fmt::format("({})", fmt::join(parts, with));
    };
    const auto meets = [&](const PatternGroup& group, const CellKind& kind) {
      const std::string cells = any_table(group, kind, index);
      return cells == kAllCells ? mask(kind) : fmt::format("({} & {})", mask(kind), cells);
    };
    for (const PatternGroup& group : plan_.needed) {
      const CellKind& kind = group.kinds[0];
      text.line("if (({} & ~{}) != 0) return false;", any_table(group, kind, index), mask(kind));
    }
    std::vector<std::string> tests;
    for (const PatternGroup& group : plan_.any) tests.push_back(meets(group, group.kinds[0]));
    if (!tests.empty()) text.line("if ({} != 0) return true;", join(tests, " | "));
    for (const PatternGroup& group : plan_.meetings) {
      std::vector<std::string> cells;
      for (const CellKind& kind : group.kinds) cells.push_back(meets(group, kind));
      const std::string other = mask(group.other);
      text.open("for (std::uint64_t rest = {}; rest != 0; rest &= rest - 1) {{", join(cells, " | "));
      text.line("if (({}[lowest_bit(rest)] & ~{}) == 0) return true;",
                table(group, plan_.others(group), kPatternCells, "between", index), other);
      text.close();
    }
    for (const PatternGroup& group : plan_.sets) {
      std::vector<std::string> all;
      const bool sole = group.kinds.size() == 1;
      for (const CellKind& kind : group.kinds) {
        std::string in = mask(kind);
        // Full sets stand for "never": they are not contained in what other sets use.
        if (kind == group.kinds[0] && plan_.has_empty_row(group))
          in += fmt::format(" & 0x{:x}u", PatternPlan::used(group, kind));
        all.push_back(fmt::format("{}contained({}, {})", sole ? "any_" : "", set_table(group, kind, index), in));
      }
      text.line("if ({}{}) return true;", join(all, " & "), sole ? "" : " != 0");
    }
    text.line("return false;");
  }

 private:
  template <class IndexOf>
  std::string table(const PatternGroup& group, const std::vector<std::uint64_t>& words, std::size_t width,
                    const char* name, IndexOf&& index) {
    std::vector<std::size_t> dimensions;
    std::string where;
    for (const std::uint32_t p : PatternPlan::parameters(group)) {
      dimensions.push_back(plan_.size(p));
      where += "[" + index(p) + "]";
    }
    if (width == 1 && dimensions.empty()) return fmt::format("0x{:x}u", words[0]);
    if (width > 1) dimensions.push_back(width);
    return shared_.number_table(words, dimensions, "std::uint64_t", name) + where;
  }

  template <class IndexOf>
  std::string any_table(const PatternGroup& group, const CellKind& kind, IndexOf&& index) {
    return table(group, plan_.cells(group, kind), 1, "cells", index);
  }

  template <class IndexOf>
  std::string set_table(const PatternGroup& group, const CellKind& kind, IndexOf&& index) {
    const std::vector<std::uint64_t> words = plan_.case_sets(group, kind);
    return table(group, words, words.size() / plan_.rows(PatternPlan::parameters(group)), "sets", index);
  }

  const PatternPlan& plan_;
  Shared& shared_;
};

Code any_of(const std::vector<Code>& conditions) {
  if (conditions.empty()) return {};
  Code all = conditions[0];
  for (std::size_t i = 1; i < conditions.size(); ++i) all += " | " + conditions[i];
  return conditions.size() > 1 ? "(" + all + ")" : all;
}

class CheckWriter : CodeWriter {
 public:
  using CodeWriter::CodeWriter;
  void write(const CheckForm& form) {
    if (form.patterns) {
      write_patterns(form);
    } else if (form.expression) {
      comment("What this check asks, without branches.");
      line("return " + ways_from(context_.entries[0]) + ";");
    }
  }

  void write_patterns(const CheckForm& form) {
    const CheckPatterns& patterns = *form.patterns;
    PatternWriter code(*form.plan, shared_);
    const std::string& board = model_.identifiers[patterns.board.value];
    const std::uint32_t leaf = model_.variable_shape(patterns.board).leaf;
    std::map<std::uint32_t, std::string> masks;
    const unsigned bits = shared_.cell_bits(leaf);
    std::string planes;
    const auto mask_of_value = [&](std::uint32_t index) {
      std::string& name = masks[index];
      if (!name.empty()) return name;
      const PatternValue& asked = patterns.values[index];
      if (asked.place) {
        const std::uint32_t keys = model_.variable_shape(patterns.board).keys.back();
        return name = fmt::format("bit_in_word({}, 0)", expressions_.value(asked.expression, keys));
      }
      const std::string value = expressions_.value(asked.expression, leaf);
      const bool all = model_.game.expressions().kind(asked.row) == ir::ExprKind::variable;
      if (all && form.plan->in_planes(bits) && planes.empty()) {
        planes = fresh("planes");
        line("const auto {} = planes_of<{}>(s.{}, 0);", planes, bits, board);
      }
      name = fresh("holds");
      line("const std::uint64_t {} = {};", name,
           planes.empty() || !all ? expressions_.equal_cells(asked.row, value, 1).at("0")
                                  : planes + ".equal(" + value + ")");
      return name;
    };
    const auto mask = [&](const CellKind& kind) {
      std::string all;
      for (const std::uint32_t index : kind.values) all += (all.empty() ? "" : " | ") + mask_of_value(index);
      if (kind.values.size() > 1) all = "(" + all + ")";
      if (kind.negated) all = "~" + all;
      for (const std::uint32_t place : kind.except) all += " & ~" + mask_of_value(place);
      return kind.except.empty() ? all : "(" + all + ")";
    };
    const auto index = [&](std::uint32_t parameter) {
      const ExprId expression = patterns.parameters[parameter];
      return expressions_.value(expression, model_.shape(model_.game.expressions().type(expression)).leaf);
    };
    comment("All ways of this check, as sets of cells and what they hold.");
    if (form.complete()) return code.write(scope_.text, mask, index);
    const ArrayShape& shape = model_.variable_shape(patterns.board);
    const std::uint32_t keys = shape.keys.back();
    std::vector<std::string> tests;
    if (!patterns.assumed.empty()) tests.push_back(expressions_.hold(patterns.assumed));
    for (const ExprId place : patterns.inside)
      tests.push_back(fmt::format("{} < {}", expressions_.value(place, keys),
                                  std::min<std::size_t>(kPatternCells, shape.sizes.back())));
    open("if ({}) {{", fmt::join(tests, " && "));
    code.write(scope_.text, mask, index);
    close();
  }

  // Of a check that becomes one expression. Of more comparisons most fail at once, and branches leave out the others.
  Code ways_from(std::uint32_t node) {
    std::vector<Code> ways;
    for (const Arm& arm : plan_.arms_of(context_.at(node).out)) {
      std::vector<Code> alike;
      for (const std::uint32_t s : arm.steps) {
        comment_step(model_.steps[s]);
        if (arm.guarded) alike.push_back("(" + expressions_.condition(model_.steps[s]) + ")");
      }
      Code way = any_of(alike);
      if (!context_.is_goal(arm.target)) {
        const Code rest = ways_from(arm.target);
        way = way.empty() ? rest : "(" + way + " & " + rest + ")";
      }
      ways.push_back(way.empty() ? Code("true") : way);
    }
    return any_of(ways);
  }
};

}  // namespace

void write_check(Workplace& at, const CheckForm& form) { CheckWriter(at).write(form); }

}  // namespace rgtrans::cpp
