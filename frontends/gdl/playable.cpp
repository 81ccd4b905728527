#include "frontends/gdl/playable.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/gdl/gdl.hpp"

namespace rgtrans::gdl {

Playable make_playable(const std::string& text) {
  Diagnostics diagnostics;
  GroundOptions options;
  options.cone = true;
  Playable out;
  out.program =
      std::make_unique<GroundProgram>(ground(diagnostics.sources()->add("<description>", text), diagnostics, options));
  diagnostics.throw_if_errors();
  out.network = std::make_unique<Network>(*out.program);
  out.game = std::make_unique<ir::Game>(lower(*out.program, diagnostics.sources(), {}, diagnostics, &out.names));
  diagnostics.throw_if_errors();
  return out;
}

Line::Line(const Playable& playable) : playable_(playable), machine_(*playable.program, *playable.network) {
  const GroundProgram& program = *playable.program;
  for (std::uint32_t m = 0; m < program.moves.size(); ++m) {
    by_term_.emplace(fmt::format("{} {}", program.moves[m].role, program.text(program.moves[m].term)), m);
  }
}

// A role with a single move does not decide in some phases.
bool Line::decides(std::uint32_t role) const {
  const TurnStructure& turns = playable_.names.turns;
  if (turns.group == kNone) return turns.phases[0].forced[role] == TurnStructure::kDecides;
  const FactGroup& group = playable_.names.groups[turns.group];
  for (std::uint32_t i = 0; i < group.facts.size(); ++i) {
    if (!machine_.fact(group.facts[i])) continue;
    for (const auto& phase : turns.phases) {
      if (std::ranges::find(phase.values, i) != phase.values.end()) {
        return phase.forced[role] == TurnStructure::kDecides;
      }
    }
  }
  return true;
}

std::vector<std::string> Line::step(const std::function<std::string(std::uint32_t role)>& term) {
  std::vector<std::string> moves;
  std::vector<std::uint32_t> joint;
  for (std::uint32_t r = 0; r < playable_.program->roles.size(); ++r) {
    const std::string text = term(r);
    const auto found = by_term_.find(fmt::format("{} {}", r, text));
    if (found == by_term_.end()) throw Error(fmt::format("there is no move {}", text));
    joint.push_back(found->second);
    if (decides(r)) moves.push_back(playable_.names.moves[found->second]);
  }
  machine_.step(joint);
  return moves;
}

std::optional<std::string> Line::term(std::uint32_t role, const std::string& move) const {
  for (std::uint32_t m = 0; m < playable_.program->moves.size(); ++m) {
    if (playable_.program->moves[m].role == role && playable_.names.moves[m] == move) {
      return playable_.program->text(playable_.program->moves[m].term);
    }
  }
  return std::nullopt;
}

}  // namespace rgtrans::gdl
