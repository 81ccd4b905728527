#include "backends/lockstep/explored_game.hpp"

#include <map>

#include "core/support/text.hpp"

namespace rgtrans::lockstep {

namespace {

void describe(const ExploredGame::State& a, const ExploredGame::State& b, const GameInfo& first, EqualResult& result) {
  if (a.over != b.over) {
    result.kind = "end";
    result.difference = fmt::format("the play is over in the {} game only", a.over ? "first" : "second");
  } else if (a.scores != b.scores) {
    result.kind = "score";
    const auto one = split_list(a.scores, " "), other = split_list(b.scores, " ");
    for (std::size_t p = 0; p < one.size(); ++p) {
      if (one[p] == other[p]) continue;
      result.difference = fmt::format("the score of {} is {} in the first game and {} in the second", first.players[p],
                                      one[p], other[p]);
      return;
    }
  } else if (a.mover != b.mover) {
    result.kind = "mover";
    result.difference = fmt::format("{} moves in the first game and {} in the second", first.mover_name(a.mover),
                                    first.mover_name(b.mover));
  } else {
    result.kind = a.moves.size() == b.moves.size() ? "views" : "moves";
    result.difference = a.moves.size() == b.moves.size()
                            ? "players see other moves as the same one"
                            : fmt::format("{} moves and {} moves", a.moves.size(), b.moves.size());
  }
}

// The number of plies that show a difference, or `most` if fewer do not.
std::size_t agreement(ExploredGame& one, std::uint32_t a, ExploredGame& other, std::uint32_t b, std::size_t most) {
  std::size_t plies = 0;
  while (plies < most && one.signature(a, plies) == other.signature(b, plies)) ++plies;
  return plies;
}

}  // namespace

void explain_difference(const Reasoner& first, const Reasoner& second, const std::vector<std::size_t>& players,
                        std::size_t plies, const EqualOptions& options, EqualResult& result) {
  ExploredGame one(first, players, false, options), other(second, players, true, options);
  std::uint32_t a = 0, b = 0;
  result.path.clear();
  for (;; --plies) {
    // The fewest plies that show it lead to the nearest difference.
    plies = agreement(one, a, other, b, plies);
    if (plies == 0) break;
    std::map<std::uint64_t, std::ptrdiff_t> surplus;
    const auto part = [&](ExploredGame& graph, const ExploredGame::Move& move) {
      return combine_hash(move.look, graph.signature(move.behind, plies - 1));
    };
    const std::vector<ExploredGame::Move> from = one.at(a).moves, to = other.at(b).moves;
    for (const ExploredGame::Move& move : from) ++surplus[part(one, move)];
    for (const ExploredGame::Move& move : to) --surplus[part(other, move)];
    const ExploredGame::Move *i = nullptr, *j = nullptr;
    std::size_t longest = 0;
    for (const ExploredGame::Move& move : from) {
      for (const ExploredGame::Move& reply : to) {
        if (surplus[part(one, move)] <= 0 || surplus[part(other, reply)] >= 0) continue;
        const std::size_t equal = agreement(one, move.behind, other, reply.behind, plies);
        if (i != nullptr && equal <= longest) continue;
        i = &move;
        j = &reply;
        longest = equal;
      }
    }
    if (i == nullptr || longest == plies) break;  // the moves themselves differ
    const auto& [mover, text] = one.names()[i->name];
    result.path.push_back({first.info().mover_name(mover), text, other.names()[j->name].second});
    a = i->behind;
    b = j->behind;
  }
  describe(one.at(a), other.at(b), first.info(), result);
}

}  // namespace rgtrans::lockstep
