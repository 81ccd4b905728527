// The result of a comparison as JSON.
#include <nlohmann/json.hpp>

#include "backends/lockstep/equal.hpp"

namespace rgtrans::lockstep {

std::string json(const EqualResult& result, const NameMap* found, double seconds, const GameInfo& first,
                 const GameInfo& second) {
  nlohmann::ordered_json out;
  out["verdict"] = result.verdict == Verdict::equal       ? "equal"
                   : result.verdict == Verdict::different ? "different"
                                                          : "no difference found";
  out["match"] = name_of(result.match);
  out["states"] = result.states;
  out["moves"] = result.moves;
  out["depth"] = result.depth;
  out["plays"] = result.plays;
  out["seconds"] = seconds;
  if (!result.stopped.empty()) out["stopped"] = result.stopped;
  if (result.verdict == Verdict::different) {
    out["kind"] = result.kind;
    out["difference"] = result.difference;
    out["play"] = nlohmann::ordered_json::array();
    for (const EqualResult::Step& step : result.path)
      out["play"].push_back({{"mover", step.mover}, {"first", step.first}, {"second", step.second}});
  }
  if (found == nullptr) return out.dump(2) + "\n";
  for (std::size_t p = 0; p < found->players.size(); ++p)
    out["renaming"]["players"][first.players[p]] = second.players[found->players[p]];
  out["renaming"]["moves"] = nlohmann::ordered_json::array();
  for (const auto& entry : found->moves) {
    const auto& [a, b] = found->names(entry);
    out["renaming"]["moves"].push_back({{"mover", first.mover_name(entry.first.first)}, {"first", a}, {"second", b}});
  }
  return out.dump(2) + "\n";
}

}  // namespace rgtrans::lockstep
