// The choices of the generator as text: for each function its strategy, then what was chosen inside. Functions with
// equal choices are printed once. For example:
//   63: targets, cost 10: 35 targets of a value at most, 2 words decide each
//     - walk, cost 135: conditions one by one
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "backends/cpp/shared.hpp"

namespace rgtrans::cpp {

namespace {

std::string print_cost(double cost) { return cost > 0 ? fmt::format(", cost {:.3g}", cost) : ""; }

// The choice, and below it the alternatives.
using PrintedChoice = std::pair<std::string, std::string>;

PrintedChoice print_choice(const Decision& decision) {
  std::string text = (decision.place.empty() ? "" : decision.place + ": ") + decision.strategy +
                     print_cost(decision.cost) + (decision.reason.empty() ? "" : ": " + decision.reason);
  std::string rejected;
  for (const Rejected& other : decision.rejected) {
    if (!other.reason.empty())
      rejected += fmt::format("      - {}{}: {}\n", other.strategy, print_cost(other.cost), other.reason);
  }
  return {text, rejected};
}

// Choices in the order in which they first come, and how often each comes.
class CountedChoices {
 public:
  void add(const PrintedChoice& choice) {
    const auto it = std::ranges::find(choices_, choice, &std::pair<PrintedChoice, std::size_t>::first);
    if (it != choices_.end())
      ++it->second;
    else
      choices_.emplace_back(choice, 1);
  }
  [[nodiscard]] std::string print() const {
    std::string text;
    for (const auto& [choice, times] : choices_)
      text += "    " + choice.first + (times > 1 ? fmt::format(" ({} times)\n", times) : "\n") + choice.second;
    return text;
  }

 private:
  std::vector<std::pair<PrintedChoice, std::size_t>> choices_;
};

}  // namespace

std::string print_plan(const Shared& shared) {
  const auto plural = [](std::uint32_t number) { return number == 1 ? "" : "s"; };
  static constexpr std::array kPurposes = {"whole game", "list moves", "apply a move", "moves of the keeper", "checks"};
  const MoveLayout& layout = shared.layout;
  std::string text = fmt::format("moves: {} tags of {} bits at most, {}\n", layout.capacity, layout.bits,
                                 layout.packed ? layout.wide ? "in two words" : "in one word" : "in an array");
  for (const std::size_t v : shared.facts.state) {
    const BitPlanes& planes = shared.planes[v];
    if (shared.model.scalar(VarId(v)) || (!planes && planes.reason.empty())) continue;
    text += fmt::format("{}: {}: {}\n", shared.model.game.symbols.text(shared.model.game.variable(VarId(v)).name),
                        planes ? fmt::format("{} bit plane{}, {} word{} each", planes.bits, plural(planes.bits),
                                             planes.words, plural(planes.words))
                               : "cells alone",
                        planes.reason);
  }
  std::map<Purpose, std::vector<std::uint32_t>> functions;  // in the order of their first choice
  std::map<std::pair<Purpose, std::uint32_t>, CountedChoices> choices;
  for (const Decision& decision : shared.decisions.made) {
    const auto [it, fresh] = choices.try_emplace({decision.purpose, decision.function});
    if (fresh) functions[decision.purpose].push_back(decision.function);
    it->second.add(print_choice(decision));
  }
  for (const auto& [purpose, nodes] : functions) {
    text += std::string(kPurposes.at(static_cast<std::size_t>(purpose))) + "\n";
    std::vector<std::pair<std::string, std::vector<std::string>>> printed;  // choices, functions
    for (const std::uint32_t node : nodes) {
      const std::string where = place_text(shared.model.game, shared.model.game.graph.where(NodeId(node)));
      const std::string name = shared.model.node_names[node] + (where.empty() ? "" : " (" + where + ")");
      const std::string body = choices.at({purpose, node}).print();
      const auto same = std::ranges::find(printed, body, [](const auto& entry) { return entry.first; });
      if (same == printed.end())
        printed.push_back({body, {name}});
      else
        same->second.push_back(name);
    }
    for (const auto& [body, names] : printed) text += fmt::format("  {}:\n{}", fmt::join(names, ", "), body);
  }
  return text;
}

}  // namespace rgtrans::cpp
