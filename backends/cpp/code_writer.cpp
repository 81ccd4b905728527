// What all writers of functions share: names, comments, stores, switches, tests of tags.
#include <fmt/format.h>

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
                                const std::function<void(const Arm&)>& enter, std::string_view otherwise) {
  const std::string table = shared_.number_table(ways.arm_of, {model_.universe(ways.base).size(), model_.tags.size()},
                                                 "std::uint8_t", "ways");
  open("switch ({}[{}][tag_at({}, 0)]) {{", table, base, scope_.rest);
  for (std::size_t arm = 0; arm < ways.arms.size(); ++arm)
    block(fmt::format("case {}: {{", arm), [&] { enter(ways.arms[arm]); });
  line("default: {}", otherwise);
  close();
}

}  // namespace rgtrans::cpp
