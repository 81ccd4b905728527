#include "cli/emit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "cli/command.hpp"
#include "core/support/text.hpp"

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

std::string form_by_name(const std::string& output, std::initializer_list<std::string_view> forms,
                         std::string_view standard) {
  constexpr std::array kPictures = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf"};
  const std::string extension = std::filesystem::path(output).extension().string();
  if (std::ranges::find(kPictures, extension) != kPictures.end()) {
    throw UsageError(fmt::format("{}: pictures are written as SVG only; let the name end in .svg", output));
  }
  for (const std::string_view form : forms) {
    if (extension == fmt::format(".{}", form)) return std::string(form);
  }
  return std::string(standard);
}

std::string emit(const ir::Game& game, std::string_view form, const GameOrigin& origin,
                 const ProjectArguments& arguments) {
  std::string text = here(find_output(form)->text)(game, arguments);
  if (form != "rg") return text;
  const std::string file = printable(std::filesystem::path(origin.name).filename().string());
  return fmt::format("// Translated by rgtrans from {} (language: {}).\n",
                     origin.name == "<stdin>" ? "standard input" : file, origin.language) +
         text;
}

}  // namespace rgtrans::cli
