// The report of `rgtrans check --prove`.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "backends/proper/proper.hpp"
#include "core/support/play_path.hpp"

namespace rgtrans::proper {

namespace {

// "5478", or "10^45" for a number that is only an estimate of a magnitude.
std::string written(double number) {
  if (number < 1e15) return fmt::format("{:.0f}", number);
  return fmt::format("10^{:.0f}", std::ceil(std::log10(number)));
}

// A path of a long play would hide the reason.
std::string shortened(const std::string& path) {
  constexpr std::size_t kShown = 200;
  if (path.size() <= kShown) return path;
  return fmt::format("{} moves, which --json prints", path_length(path));
}

}  // namespace

std::string text(const ProperReport& report, const Sources& sources) {
  std::string out;
  for (const DutyAnswer& answer : report.answers) {
    const std::string place = sources.describe(answer.where);
    const std::string where = place.empty() ? "" : fmt::format(" ({})", place);
    switch (answer.standing) {
      case DutyStanding::proved:
        out += fmt::format("  {}: proved because {}\n", describe(answer.duty), answer.reason);
        break;
      case DutyStanding::refuted:
        out += fmt::format("  {}: refuted by this play: {}\n    {}{}\n", describe(answer.duty), shortened(*answer.play),
                           answer.reason, where);
        break;
      case DutyStanding::open:
        out += fmt::format("  {}: not decided\n    {}{}\n", describe(answer.duty), answer.reason, where);
        break;
    }
  }
  const PlayBounds& bounds = report.bounds;
  const auto add = [&](const std::optional<double>& bound, const char* what) {
    if (bound) out += fmt::format("  {} {} {}\n", bounds.exact ? "exactly" : "at most", written(*bound), what);
  };
  add(bounds.states, "states");
  add(bounds.moves, bounds.exact ? "moves in the state with the most moves" : "moves in a state");
  add(bounds.length, bounds.exact ? "moves in the longest play" : "moves in a play");
  return out;
}

nlohmann::ordered_json json(const ProperReport& report, const Sources& sources) {
  nlohmann::ordered_json out;
  for (const DutyAnswer& answer : report.answers) {
    nlohmann::ordered_json entry{{"condition", name(answer.duty)},
                                 {"text", describe(answer.duty)},
                                 {"standing", describe(answer.standing)},
                                 {"reason", answer.reason}};
    if (const std::string place = sources.describe(answer.where); !place.empty()) entry["where"] = place;
    if (answer.play) entry["play"] = *answer.play;
    out["conditions"].push_back(std::move(entry));
  }
  const PlayBounds& bounds = report.bounds;
  nlohmann::ordered_json numbers{{"exact", bounds.exact}};
  if (bounds.states) numbers["states"] = *bounds.states;
  if (bounds.moves) numbers["moves_in_a_state"] = *bounds.moves;
  if (bounds.length) numbers["moves_in_a_play"] = *bounds.length;
  out["bounds"] = std::move(numbers);
  return out;
}

}  // namespace rgtrans::proper
