#include "ide/desk/work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "backends/cpp/cpp.hpp"
#include "backends/play/play.hpp"
#include "backends/search/search.hpp"
#include "core/support/clock.hpp"
#include "core/support/secrets.hpp"

namespace rgtrans::ide {

namespace {

// Now and then, not for every step.
class Ticker {
 public:
  bool due() {
    constexpr double kPeriod = 0.15;
    if (seconds_since(last_) < kPeriod) return false;
    last_ = Clock::now();
    return true;
  }

 private:
  Clock::time_point last_ = Clock::now();
};

std::vector<std::string> path_of(const Errand& errand) {
  return errand.request.value("path", std::vector<std::string>());
}

std::unique_ptr<Reasoner> position(const Errand& errand) {
  auto reasoner = errand.game.playable().start->clone();
  reasoner->reset();
  follow(*reasoner, path_of(errand));
  return reasoner;
}

void stop_if_asked(const Errand& errand) {
  if (errand.stop) throw Error("cancelled");
}

std::string in_words(const Errand& errand, const std::string& move) {
  return errand.game.playable().wording.full(move);
}

}  // namespace

Json count_leaves(const Errand& errand) {
  const unsigned depth = std::clamp(errand.request.value("depth", 3U), 1U, 12U);
  const auto reasoner = position(errand);
  const auto begin = Clock::now();
  const auto check = [&] { stop_if_asked(errand); };
  Ticker ticker;
  Json rows = Json::array();
  const std::size_t count = reasoner->terminal() ? 0 : reasoner->move_count();
  // Equal states behind moves of random count once, so there the sum is not that of the rows.
  const bool chance = !reasoner->terminal() && reasoner->mover() == reasoner->info().random();
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string move = reasoner->move_text(i);
    reasoner->apply(i);
    const std::uint64_t below = play::perft_in_steps(*reasoner, depth - 1, check);
    reasoner->undo();
    reasoner->move_count();
    sum += below;
    rows.push_back({{"move", in_words(errand, move)}, {"leaves", below}});
    if (ticker.due()) errand.tell({{"done", i + 1}, {"of", count}, {"leaves", sum}});
  }
  if (chance) sum = play::perft_in_steps(*reasoner, depth, check);
  return {{"depth", depth}, {"leaves", sum}, {"rows", std::move(rows)}, {"seconds", seconds_since(begin)}};
}

Json play_out(const Errand& errand) {
  const std::size_t plays = std::clamp<std::size_t>(errand.request.value("count", std::size_t{200}), 1, 1'000'000);
  constexpr std::size_t kLongest = 5000;
  const auto reasoner = position(errand);
  const std::vector<std::byte> start = reasoner->state_bytes();
  const GameInfo& info = reasoner->info();
  search::TreeRandom random(errand.request.value("seed", 1U));
  std::vector<std::size_t> lengths;
  std::map<std::vector<std::string>, std::size_t> outcomes;
  double branching = 0, decisions = 0;
  std::size_t stopped = 0;
  const auto begin = Clock::now();
  Ticker ticker;
  const auto report = [&] {
    Json results = Json::array();
    for (const auto& [goals, times] : outcomes) results.push_back({{"goals", goals}, {"times", times}});
    return Json{{"plays", lengths.size()}, {"of", plays},
                {"lengths", lengths},      {"outcomes", results},
                {"stopped", stopped},      {"branching", decisions > 0 ? branching / decisions : 0},
                {"players", info.players}, {"seconds", seconds_since(begin)}};
  };
  while (lengths.size() < plays) {
    reasoner->set_state_bytes(start);
    std::size_t length = 0;
    while (!reasoner->terminal() && length < kLongest) {
      const std::size_t count = reasoner->move_count();
      if (count == 0) throw Error("the play is stuck: there is no move, and it is not over");
      if (reasoner->mover() < info.keeper()) {
        ++length;
        ++decisions;
        branching += static_cast<double>(count);
      }
      reasoner->apply(random.below(static_cast<std::uint32_t>(count)));
      if (ticker.due()) {
        stop_if_asked(errand);
        errand.tell(report());
      }
    }
    lengths.push_back(length);
    if (!reasoner->terminal()) ++stopped;
    std::vector<std::string> goals;
    for (std::size_t p = 0; reasoner->terminal() && p < info.players.size(); ++p) goals.push_back(reasoner->goal(p));
    ++outcomes[goals];
  }
  Json result = report();
  // How fast the interpreter is when it need not look at each move.
  reasoner->set_state_bytes(start);
  PlayoutOptions options;
  options.seconds = 0.5;
  const PlayoutStats stats = reasoner->playouts(options);
  result["perSecond"] = stats.seconds > 0 ? static_cast<double>(stats.playouts) / stats.seconds : 0;
  return result;
}

Json measure_engines(const Errand& errand) {
  const double seconds = std::clamp(errand.request.value("seconds", 1.0), 0.05, 30.0);
  const std::vector<std::string> path = path_of(errand);
  Json engines = Json::array();
  const auto measure = [&](const char* name, Reasoner& reasoner, double preparing) {
    errand.tell({{"stage", fmt::format("{} plays", name)}});
    reasoner.reset();
    follow(reasoner, path);
    PlayoutOptions options;
    options.seconds = seconds;
    const PlayoutStats stats = reasoner.playouts(options);
    stop_if_asked(errand);
    const double spent = std::max(stats.seconds, 1e-9);
    engines.push_back({{"name", name},
                       {"preparing", preparing},
                       {"plays", static_cast<double>(stats.playouts) / spent},
                       {"moves", static_cast<double>(stats.moves) / spent}});
  };
  measure("interpreter", *errand.game.playable().start->clone(), 0);
  errand.tell({{"stage", "the compiler works"}});
  cpp::BuildOptions options;
  options.stop = [&] { return errand.stop.load(); };
  const auto begin = Clock::now();
  std::unique_ptr<Reasoner> compiled;
  try {
    compiled = cpp::make_cpp_reasoner(errand.game.playable().optimized, options);
  } catch (const cpp::Stopped&) {
    stop_if_asked(errand);
  }
  measure("compiled", *compiled, seconds_since(begin));
  return {{"engines", std::move(engines)}};
}

Json compare(const Errand& errand) {
  const auto other = open_game(errand.request.at("other"));
  stop_if_asked(errand);
  Json sides = Json::array();
  const auto measure = [&](const OpenedGame& game) {
    const Json request = {{"depth", errand.request.value("depth", 3U)},
                          {"count", errand.request.value("count", std::size_t{200})},
                          {"seed", errand.request.value("seed", 1U)}};
    const char* stage = "perft";
    const auto tell = [&](const Json& progress) {
      errand.tell({{"side", sides.size()}, {"stage", stage}, {"progress", progress}});
    };
    const Errand one{game, request, tell, errand.stop};
    tell(nullptr);
    Json side = {{"name", game.name},
                 {"nodes", game.playable().optimized.graph.node_count()},
                 {"edges", game.playable().optimized.graph.edge_count()},
                 {"perft", count_leaves(one)}};
    side["perft"].erase("rows");
    stage = "playouts";
    side["playouts"] = play_out(one);
    sides.push_back(std::move(side));
  };
  measure(errand.game);
  measure(*other);
  return {{"sides", std::move(sides)}};
}

Json think(const Errand& errand) {
  if (errand.game.hides) throw Error("moves are hidden in this game, so nobody may look at the whole position");
  const double seconds = std::clamp(errand.request.value("seconds", 2.0), 0.05, 600.0);
  const auto reasoner = position(errand);
  if (reasoner->terminal()) throw Error("the play is over");
  const auto engine = search::make_tree(*reasoner, {}, 1);
  const std::vector<std::string> moves = reasoner->move_texts();
  const auto begin = Clock::now();
  search::TreeReport report;
  const auto told = [&] {
    Json list = Json::array();
    for (const search::RootMove& move : report.moves) {
      if (move.visits == 0 && !move.proven) continue;
      list.push_back(
          {{"move", moves[move.move]}, {"visits", move.visits}, {"value", move.value}, {"proven", move.proven}});
    }
    const GameInfo& info = reasoner->info();
    return Json{{"moves", std::move(list)},
                {"values", report.values},
                {"least", info.least_goal},
                {"most", info.most_goal},
                {"proven", report.proven},
                {"seconds", seconds_since(begin)},
                {"best", report.moves.empty() ? Json() : Json(moves[search::best_move(report)])}};
  };
  constexpr double kSlice = 0.2;
  while (!errand.stop && seconds_since(begin) < seconds && !report.proven) {
    search::Budget budget;
    budget.seconds = std::min(kSlice, std::max(0.02, seconds - seconds_since(begin)));
    report = engine->run(*reasoner, budget);
    if (seconds_since(begin) < seconds) errand.tell(told());
  }
  return told();
}

Json reply(const Errand& errand) {
  const auto player = search::make_player(errand.request.value("player", "mcts:1000"));
  const auto reasoner = errand.game.playable().start->clone();
  reasoner->reset();
  const auto target = position(errand);
  if (target->terminal()) throw Error("the play is over");
  const std::size_t seat = target->mover();
  if (seat >= reasoner->info().players.size()) throw Error("it is nobody's turn");
  player->start(*reasoner, seat, derived_seed(errand.request.value("seed", std::uint64_t{1}), "player", seat));
  const auto make = [&](std::size_t index) {
    player->observe(*reasoner, index);
    reasoner->apply(index);
  };
  const auto settle = [&] {
    while (reasoner->moves_unseen()) make(0);
  };
  settle();
  for (const std::string& move : path_of(errand)) {
    const auto index = reasoner->find_move(move);
    if (!index) throw Error("a move of the path is none");
    make(*index);
    settle();
  }
  stop_if_asked(errand);
  const std::size_t index = player->choose(*reasoner);
  Json answer = {{"move", reasoner->move_text(index)}};
  if (const search::TreeReport* thoughts = player->thoughts()) {
    answer["values"] = thoughts->values;
    answer["least"] = reasoner->info().least_goal;
    answer["most"] = reasoner->info().most_goal;
  }
  return answer;
}

}  // namespace rgtrans::ide
