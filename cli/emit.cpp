#include "cli/emit.hpp"

#include <algorithm>

namespace rgtrans::cli {

const OutputForm* find_output(std::string_view name) {
  const std::span<const OutputForm> forms = parts().forms;
  const auto it = std::ranges::find(forms, name, [](const OutputForm& form) { return std::string_view(form.name); });
  return it == forms.end() ? nullptr : &*it;
}

std::vector<std::string> emitter_names() {
  std::vector<std::string> names;
  for (const OutputForm& form : parts().forms) {
    if (form.text != nullptr) names.emplace_back(form.name);
  }
  return names;
}

std::string emit(const ir::Game& game, std::string_view form) { return here(find_output(form)->text)(game); }

}  // namespace rgtrans::cli
