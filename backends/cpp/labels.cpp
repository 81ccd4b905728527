// Labels and places of a game, for comments.
#include <fmt/format.h>

#include <filesystem>

#include "backends/cpp/cost_model.hpp"
#include "backends/cpp/model.hpp"

namespace rgtrans::cpp {

std::string label_text(const NumberedGame& model, const Step& step) {
  const ir::Game& game = model.game;
  const auto shown = [&](ExprId e) { return ir::describe_expression(game, e, ir::Casts::hidden); };
  std::string text;
  switch (step.kind) {
    case Deed::compare:
      text = shown(step.lhs) + (step.negated ? " != " : " == ") + shown(step.rhs);
      break;
    case Deed::assign:
      text = shown(step.lhs) + " = " + shown(step.rhs);
      break;
    case Deed::assign_any:
      text = shown(step.lhs) + " = any of " + std::to_string(game.members(step.type).size());
      break;
    case Deed::check:
      text = (step.negated ? "! " : "? ") + model.node_names[model.checks[step.check].from] + " -> " +
             model.node_names[model.checks[step.check].to];
      break;
    case Deed::tag:
      text = "$ " + game.symbols.str(step.symbol);
      break;
    case Deed::tag_variable:
      text = "$$ " + game.symbols.str(game.variable(step.variable).name);
      break;
    default:
      break;
  }
  if (text.size() <= kSizes.label) return text;
  text.resize(kSizes.label);
  return text + "...";
}

std::string place_text(const ir::Game& game, Range range) {
  if (!range.known()) return {};
  const Sources::File* const file = game.sources()->file_of(range.begin);
  if (file == nullptr) return {};
  return fmt::format("{}:{}", std::filesystem::path(file->name).filename().string(),
                     game.sources()->position(range.begin).line);
}

}  // namespace rgtrans::cpp
