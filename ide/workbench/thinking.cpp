// Verbs that look for good moves.
#include <algorithm>
#include <array>
#include <string_view>

#include "backends/search/search.hpp"
#include "core/support/clock.hpp"
#include "core/support/secrets.hpp"
#include "ide/workbench/verbs.hpp"

namespace rgtrans::ide {

namespace {

std::unique_ptr<Reasoner> open_position(const Errand& errand, const PlayPath& path) {
  if (errand.game->hides()) throw Error("moves are hidden in this game, so nobody may look at the whole position");
  auto reasoner = errand.game->position(path);
  if (reasoner->terminal()) throw Error("the play is over");
  return reasoner;
}

// The fastest reasoner that is ready, at the start of a play.
std::unique_ptr<Reasoner> fastest(const Errand& errand, bool& compiled) {
  std::unique_ptr<Reasoner> fast = errand.host.compiled(errand.game);
  compiled = fast != nullptr;
  return compiled ? std::move(fast) : errand.game->start();
}

Thoughts thoughts_of(const search::TreeReport& report, const std::vector<std::string>& moves, const GameInfo& info) {
  Thoughts thoughts;
  for (const search::RootMove& move : report.moves) {
    if (move.visits > 0 || move.proven)
      thoughts.moves.push_back({moves[move.move], move.visits, move.value, move.proven});
  }
  thoughts.values = report.values;
  thoughts.least = info.least_goal;
  thoughts.most = info.most_goal;
  thoughts.proven = report.proven;
  if (!report.moves.empty()) thoughts.best = moves[search::best_move(report)];
  return thoughts;
}

}  // namespace

// Ends early with its result if no client waits for more.
Thoughts think(const Errand& errand, const ThinkRequest& request, const Tell<Thoughts>& tell) {
  constexpr double kSlice = 0.2, kLeast = 0.02;  // seconds
  auto reasoner = open_position(errand, request.path);
  auto engine = search::make_tree(*reasoner, {}, 1);
  std::vector<std::string> moves = reasoner->move_texts();
  bool compiled = false;
  const auto begin = Clock::now();
  search::TreeReport report;
  Thoughts thoughts = thoughts_of(report, moves, reasoner->info());
  while (!errand.stop.requested() && seconds_since(begin) < request.seconds && !report.proven) {
    // The search starts anew on the compiled reasoner, which visits more positions in a slice than the interpreter did.
    if (!compiled) {
      if (auto fast = errand.host.compiled(errand.game)) {
        compiled = true;
        follow(*fast, errand.game->moves_of(request.path));
        reasoner = std::move(fast);
        engine = search::make_tree(*reasoner, {}, 1);
        moves = reasoner->move_texts();
      }
    }
    report =
        engine->run(*reasoner, {.seconds = std::min(kSlice, std::max(kLeast, request.seconds - seconds_since(begin)))});
    thoughts = thoughts_of(report, moves, reasoner->info());
    thoughts.seconds = seconds_since(begin);
    thoughts.compiled = compiled;
    if (thoughts.seconds < request.seconds) tell(thoughts);
  }
  return thoughts;
}

PlayerReply choose_move(const Errand& errand, const PlayerRequest& request, const Tell<Nothing>& /*tell*/) {
  // Others may be programs (command:PROGRAM), and a page must not start one.
  constexpr std::array<std::string_view, 3> kKinds = {"random", "mcts", "solver"};
  const std::string kind = request.player.substr(0, request.player.find(':'));
  if (std::ranges::find(kKinds, kind) == kKinds.end())
    throw Error("a player of a message is one of random, mcts and solver");
  const auto player = search::make_player(request.player);
  bool compiled = false;
  const auto reasoner = fastest(errand, compiled);
  const auto target = reasoner->clone();
  const std::vector<std::string> path = errand.game->moves_of(request.path);
  follow(*target, path);
  if (target->terminal()) throw Error("the play is over");
  const std::size_t seat = target->mover();
  if (seat >= reasoner->info().players.size()) throw Error("it is nobody's turn");
  player->start(*reasoner, seat, derived_seed(request.seed, "player", seat));
  const auto make = [&](std::size_t index) {
    player->observe(*reasoner, index);
    reasoner->apply(index);
  };
  const auto settle = [&] {
    while (reasoner->moves_unseen()) make(0);
  };
  settle();
  for (const std::string& move : path) {
    make(index_of(*reasoner, move));
    settle();
  }
  errand.stop.check();
  const std::size_t index = player->choose(*reasoner);
  PlayerReply reply;
  reply.move = reasoner->move_text(index);
  if (const search::TreeReport* thoughts = player->thoughts()) {
    reply.values = thoughts->values;
    reply.least = reasoner->info().least_goal;
    reply.most = reasoner->info().most_goal;
  }
  return reply;
}

SolveReply solve(const Errand& errand, const SolveRequest& request, const Tell<Nothing>& /*tell*/) {
  const auto reasoner = open_position(errand, request.path);
  search::SolveOptions options;
  options.seconds = request.seconds;
  const search::Solution found = search::solve(*reasoner, options);
  errand.stop.check();
  return {found.solved, found.method,  found.values,    found.low,     found.high,
          found.line,   found.repeats, found.positions, found.seconds, found.stopped};
}

AnalyzeReply analyze(const Errand& errand, const AnalyzeRequest& request, const Tell<Nothing>& /*tell*/) {
  search::AnalyzeOptions options;
  options.games = request.games;
  options.seed = request.seed;
  options.seconds = request.seconds;
  const GamePointer game = request.other ? open_document(*request.other)->load() : errand.game;
  errand.stop.check();
  const search::Analysis found = search::analyze(*game->start(), game->name(), {}, options);
  errand.stop.check();
  AnalyzeReply reply;
  for (const search::Figure& figure : found.figures) {
    reply.figures.push_back(
        {figure.key, figure.title, figure.estimate.value, figure.estimate.low, figure.estimate.high, figure.share});
  }
  reply.lengths = found.lengths;
  reply.plays = found.plays;
  reply.seconds = found.seconds;
  reply.verdict = search::verdict(found);
  reply.text = search::text(found);
  if (request.other) {
    scene::Witness witness(game->shown());
    witness.settle();
    scene::Scene board = game->painter().scene(witness);
    board.facts.clear();
    board.mover.clear();
    if (!board.boards.empty()) reply.svg = scene::svg(board);
  }
  return reply;
}

}  // namespace rgtrans::ide
