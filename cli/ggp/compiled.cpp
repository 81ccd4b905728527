#include "cli/ggp/compiled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "backends/cpp/cpp.hpp"
#include "core/passes/passes.hpp"
#include "core/support/support.hpp"

namespace rgtrans::cli::ggp {

CompiledMatch::CompiledMatch(const std::string& text, std::shared_ptr<const rules::MatchRules> rules,
                             std::function<bool()> stop)
    : rules_(std::move(rules)), playable_(gdl::make_playable(text)), beginning_(playable_) {
  passes::optimize(*playable_.game);
  cpp::BuildOptions build;
  build.generate.search = true;
  build.stop = std::move(stop);
  reasoner_ = cpp::make_cpp_reasoner(*playable_.game, build);
}

std::unique_ptr<Reasoner> CompiledMatch::after(Steps steps) const {
  gdl::Line line = beginning_;
  std::unique_ptr<Reasoner> position = reasoner_->clone();
  for (const std::vector<std::uint32_t>& joint : steps) {
    for (const std::string& move : line.step([&](std::uint32_t role) { return rules_->move_text(joint[role]); })) {
      search::run_keeper(*position);
      const auto index = position->find_move(move);
      if (!index) throw Error(fmt::format("the compiled reasoner has no move {}", move));
      position->apply(*index);
    }
  }
  return search::run_keeper(*position) ? std::move(position) : nullptr;
}

std::unique_ptr<Reasoner> CompiledMatch::decision(Steps steps, std::uint32_t role) const {
  std::unique_ptr<Reasoner> position = after(steps);
  if (!position) return nullptr;
  const std::vector<std::string>& players = position->info().players;
  const auto me = static_cast<std::size_t>(std::ranges::find(players, playable_.names.roles[role]) - players.begin());
  while (position->mover() != me && position->move_count() == 1) {
    position->apply(0);
    if (!search::run_keeper(*position)) return nullptr;
  }
  return position->mover() == me ? std::move(position) : nullptr;
}

std::string CompiledMatch::term(std::uint32_t role, const std::string& move) const {
  return beginning_.term(role, move).value_or(move);
}

}  // namespace rgtrans::cli::ggp
