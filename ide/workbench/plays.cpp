// Verbs about plays: positions, leaves, random plays, and how fast engines are.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "backends/play/play.hpp"
#include "backends/search/search.hpp"
#include "core/support/clock.hpp"
#include "core/support/text.hpp"
#include "ide/workbench/ticker.hpp"
#include "ide/workbench/verbs.hpp"

namespace rgtrans::ide {

// --- Positions. ---

MovesReply moves(Bench& bench, const MovesRequest& request, const Stop& /*stop*/) {
  const GamePointer game = game_of(bench.document);
  const auto* const text = std::get_if<std::string>(&request.path);
  const auto reasoner = game->start();
  // A played text continues the path, so keeper's moves after it are not made yet.
  if (text == nullptr) {
    const auto& moves = std::get<std::vector<std::string>>(request.path);
    if (!moves.empty()) follow(*reasoner, moves);
  } else if (!text->empty()) {
    play::go_to(*reasoner, *text, game->wording());
  }
  MovesReply reply;
  reply.text = play::moves_text(*reasoner, game->wording());
  for (const std::string& line : split_lines(reply.text)) {
    if (!line.empty()) reply.moves.push_back(line);
  }
  reply.mover = reasoner->mover_name();
  reply.terminal = reasoner->terminal();
  return reply;
}

BoardReply board(Bench& bench, const BoardRequest& request, const Stop& /*stop*/) {
  return bench.play_of(game_of(bench.document)).board(request);
}

PlayReply show_play(Bench& bench, const PlayRequest& request, const Stop& /*stop*/) {
  return bench.play_of(game_of(bench.document)).play(request);
}

// --- Leaves. ---

PerftReply count_leaves(const Errand& errand, const PerftRequest& request, const Tell<PerftProgress>& tell) {
  const auto reasoner = errand.game->position(request.path);
  const auto check = [&] { errand.stop.check(); };
  PerftReply reply;
  reply.depth = request.depth;
  for (unsigned depth = 1; depth < request.depth; ++depth)
    reply.lines.push_back({depth, play::perft_in_steps(*reasoner, depth, check)});
  const auto begin = Clock::now();
  Ticker ticker;
  const std::size_t count = reasoner->terminal() ? 0 : reasoner->move_count();
  // Equal states behind moves of random count once, so there the sum is not that of the rows.
  const bool chance = !reasoner->terminal() && reasoner->mover() == reasoner->info().random();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string move = errand.game->wording().shown(reasoner->move_texts())[i];
    reasoner->apply(i);
    const std::uint64_t below = play::perft_in_steps(*reasoner, request.depth - 1, check);
    reasoner->undo();
    reasoner->move_count();
    reply.leaves += below;
    reply.rows.push_back({move, below});
    if (ticker.due()) tell({i + 1, count, reply.leaves});
  }
  if (chance) reply.leaves = play::perft_in_steps(*reasoner, request.depth, check);
  reply.seconds = seconds_since(begin);
  reply.lines.push_back({request.depth, reply.leaves});
  for (const PerftDepth& line : reply.lines)
    reply.text += fmt::format("{}perft {}: {}", reply.text.empty() ? "" : ", ", line.depth, line.leaves);
  return reply;
}

// --- Random plays. ---

namespace {

// Single plays from one position.
class RandomPlays {
 public:
  RandomPlays(Reasoner& reasoner, const Stop& stop, std::uint64_t seed)
      : reasoner_(reasoner), stop_(stop), start_(reasoner.state_bytes()), random_(seed) {}

  // `told` is called now and then.
  void make(std::uint64_t count, const std::function<void()>& told) {
    const auto begin = Clock::now();
    Ticker ticker;
    while (stats.playouts < count) {
      make_one([&] {
        stop_.check();
        stats.seconds = seconds_since(begin);
        if (ticker.due()) told();
      });
    }
    stats.seconds = seconds_since(begin);
    reasoner_.set_state_bytes(start_);
  }

  void tell(PlayoutsProgress& progress) const {
    progress.plays = stats.playouts;
    progress.lengths = lengths_;
    progress.outcomes.clear();
    for (const auto& [goals, times] : outcomes_) progress.outcomes.push_back({goals, times});
    progress.stopped = stats.stopped;
    progress.seconds = stats.seconds;
    progress.branching =
        stats.moves == 0 ? 0 : static_cast<double>(stats.branching_sum) / static_cast<double>(stats.moves);
  }

  PlayoutStats stats;

 private:
  void make_one(const std::function<void()>& check) {
    constexpr std::size_t kLongest = 5000;
    const GameInfo& info = reasoner_.info();
    PlayoutStats play;
    reasoner_.set_state_bytes(start_);
    while (!reasoner_.terminal() && play.moves < kLongest) {
      const std::size_t count = reasoner_.move_count();
      if (count == 0) throw Error("the play is stuck: there is no move, and it is not over");
      if (reasoner_.mover() < info.keeper()) {
        ++play.moves;
        play.branching_sum += count;
        play.branching_max = std::max<std::uint64_t>(play.branching_max, count);
      }
      reasoner_.apply(random_.below(static_cast<std::uint32_t>(count)));
      check();
    }
    finish(play);
  }

  void finish(PlayoutStats& play) {
    constexpr std::size_t kMostLengths = 1'000'000;
    const std::size_t players = reasoner_.info().players.size();
    play.playouts = 1;
    play.max_length = play.min_length = play.moves;
    play.length_squares = static_cast<double>(play.moves) * static_cast<double>(play.moves);
    if (lengths_.size() < kMostLengths) lengths_.push_back(play.moves);
    std::vector<std::string> goals;
    if (reasoner_.terminal()) {
      for (std::size_t p = 0; p < players; ++p) goals.push_back(reasoner_.goal(p));
      play.goal_sum = search::goal_numbers(reasoner_);
      const double best = *std::ranges::max_element(play.goal_sum);
      const bool shared = std::ranges::count(play.goal_sum, best) > 1;
      for (const double goal : play.goal_sum) {
        play.goal_squares.push_back(goal * goal);
        play.wins.push_back(goal == best && !shared ? 1 : 0);
      }
    } else {
      play.stopped = 1;
    }
    stats.merge(play);
    ++outcomes_[goals];
  }

  Reasoner& reasoner_;
  const Stop& stop_;
  std::vector<std::byte> start_;
  search::TreeRandom random_;
  std::vector<std::uint64_t> lengths_;
  std::map<std::vector<std::string>, std::size_t> outcomes_;
};

double per_second(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

}  // namespace

PlayoutsReply play_out(const Errand& errand, const PlayoutsRequest& request, const Tell<PlayoutsProgress>& tell) {
  const auto reasoner = errand.game->position(request.path);
  const GameInfo& info = reasoner->info();
  PlayoutsReply reply;
  reply.of = request.count;
  reply.players = info.players;
  RandomPlays plays(*reasoner, errand.stop, request.seed);
  PlayoutOptions options{.count = request.count, .seed = request.seed, .stop = errand.stop.flag()};
  if (request.each) {
    plays.make(request.count, [&] {
      plays.tell(reply);
      tell(reply);
    });
    // How fast the interpreter is when it need not look at each move.
    options.count = 0;
    options.seconds = 0.5;
  }
  const PlayoutStats fast = play::playouts(*reasoner, options);
  errand.stop.check();
  if (!request.each) plays.stats = fast;
  plays.tell(reply);
  reply.per_second = per_second(fast.playouts, fast.seconds);
  reply.statistics = Json::parse(play::json(plays.stats, info));
  reply.text = play::text(plays.stats, info);
  return reply;
}

// --- Engines, and the comparison of two games. ---

EnginesReply measure_engines(const Errand& errand, const EnginesRequest& request, const Tell<EnginesProgress>& tell) {
  const std::vector<std::string> path = errand.game->moves_of(request.path);
  EnginesReply reply;
  const auto measure = [&](const char* name, Reasoner& reasoner, double preparing) {
    tell({fmt::format("{} plays", name)});
    reasoner.reset();
    follow(reasoner, path);
    const PlayoutStats stats = reasoner.playouts({.seconds = request.seconds, .stop = errand.stop.flag()});
    errand.stop.check();
    reply.engines.push_back(
        {name, preparing, per_second(stats.playouts, stats.seconds), per_second(stats.moves, stats.seconds)});
  };
  measure("interpreter", *errand.game->start(), 0);
  tell({"the compiler works"});
  const auto begin = Clock::now();
  const auto compiled = errand.host.compile(errand.game->optimized(), errand.stop);
  measure("compiled", *compiled, seconds_since(begin));
  return reply;
}

CompareReply compare(const Errand& errand, const CompareRequest& request, const Tell<CompareProgress>& tell) {
  CompareReply reply;
  const auto measure = [&](const GamePointer& game) {
    const std::size_t side = reply.sides.size();
    const Errand one{errand.host, game, errand.stop};
    ComparedGame& result = reply.sides.emplace_back();
    result.name = game->name();
    tell({side, CompareStage::perft, 0, 1});
    result.nodes = game->optimized().graph.node_count();
    result.edges = game->optimized().graph.edge_count();
    PerftRequest leaves;
    leaves.depth = request.depth;
    result.perft = count_leaves(one, leaves, [&](const PerftProgress& progress) {
      tell({side, CompareStage::perft, progress.done, progress.of});
    });
    result.perft.rows.clear();
    PlayoutsRequest plays;
    plays.count = request.count;
    plays.seed = request.seed;
    result.playouts = play_out(one, plays, [&](const PlayoutsProgress& progress) {
      tell({side, CompareStage::playouts, progress.plays, progress.of});
    });
  };
  const GamePointer other = open_document(request.other)->load();
  errand.stop.check();
  measure(errand.game);
  measure(other);
  return reply;
}

}  // namespace rgtrans::ide
