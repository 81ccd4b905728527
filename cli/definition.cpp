#include "cli/definition.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/command.hpp"
#include "core/support/text.hpp"

namespace rgtrans::cli {

namespace {

// "FORM:{rg,json}" -> FORM, rg, json
void read_type(const std::string& text, OptionText& option) {
  const std::size_t brace = text.find('{');
  const std::size_t end = text.find('}');
  option.value = text.substr(0, std::min(text.find(':'), brace));
  if (option.value.empty()) option.value = "VALUE";
  if (brace != std::string::npos && end != std::string::npos)
    option.choices = split_list(text.substr(brace + 1, end - brace - 1));
}

OptionText text_of(const CLI::Option& option) {
  OptionText text;
  text.help = option.get_description();
  text.required = option.get_required();
  text.repeated = option.get_expected_max() > 1;
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  if (option.get_positional()) {
    text.names.clear();
    text.value = option.get_name(true);
  } else if (option.get_items_expected_max() > 0) {
    read_type(option.get_type_name(), text);
    text.standard = option.get_default_str();
  }
  return text;
}

}  // namespace

std::vector<CommandText> definition() {
  std::vector<CommandText> result;
  for (const Command* command : commands()) {
    CLI::App app{command->help, command->name};
    OptionSet options(app);
    const std::function<int()> run = command->setup(options);  // owns what the options write to
    CommandText text{command->name, command->help, command->example, {}};
    for (const CLI::Option* option : app.get_options())
      if (!option->get_group().empty()) text.options.push_back(text_of(*option));
    std::stable_partition(text.options.begin(), text.options.end(), [](const OptionText& o) { return o.positional(); });
    result.push_back(std::move(text));
  }
  return result;
}

}  // namespace rgtrans::cli
