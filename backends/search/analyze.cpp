// Estimates figures about a game from plays. Plays between equal players show length, balance and drama; plays of a
// strong player against a weak one show how much thinking helps. Every figure is an average over plays with the 95 %
// interval of that sample.
#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/trim.hpp>
#include <map>
#include <numeric>
#include <set>
#include <unordered_set>

#include "backends/search/search.hpp"
#include "core/support/clock.hpp"
#include "core/support/secrets.hpp"
#include "core/support/support.hpp"

namespace rgtrans::search {

namespace {

class Analyst {
 public:
  Analyst(const Reasoner& game, std::span<const std::string> tags, const AnalyzeOptions& options)
      : game_(game), info_(game.info()), options_(options), unseen_(tags.begin(), tags.end()) {}

  Analysis run(const std::string& name) {
    const auto begin = Clock::now();
    out_.game = name;
    const std::string equal = fmt::format("mcts:{}", options_.simulations);
    const std::vector<std::string> seats(info_.players.size(), equal);
    for (std::uint64_t play = 0; play < options_.games && (play == 0 || !late(begin)); ++play) {
      const PlayRecord record = play_once(game_, seats, {.table = derived_seed(options_.seed, "play", play)}, limits());
      if (record.stopped == kInterruptedPlay) break;
      count(record);
      options_.following.tell([&] { return fmt::format("{}: {} of {} plays", name, play + 1, options_.games); });
      if (options_.following.stopped()) break;
    }
    if (out_.plays == 0) throw Error("interrupted before the first play was over");
    sum_up();
    if (options_.depth && !options_.following.stopped() && info_.players.size() > 1) measure_depth(equal);
    out_.unused_tags.assign(unseen_.begin(), unseen_.end());
    out_.seconds = seconds_since(begin);
    return std::move(out_);
  }

 private:
  void count(const PlayRecord& record) {
    ++out_.plays;
    double choices = 0, forced = 0, turns = 0;
    for (const std::uint32_t c : record.choices) {
      if (c == 0) continue;
      choices += c;
      forced += c == 1 ? 1 : 0;
      turns += 1;
    }
    out_.lengths.push_back(turns);
    branching_.push_back(turns > 0 ? choices / turns : 0);
    forced_.push_back(turns > 0 ? forced / turns : 0);
    ended_ += record.stopped.empty() ? 1 : 0;
    if (record.stopped.empty()) count_result(record.goals);
    count_leads(record);
    walk(record);
    out_.moves.push_back(record.moves);
  }
  void count_result(const std::vector<double>& goals) {
    const double best = std::ranges::max(goals);
    const auto sharing = std::ranges::count(goals, best);
    const bool drawn = goals.size() > 1 && sharing == static_cast<std::ptrdiff_t>(goals.size());
    draws_ += drawn ? 1 : 0;
    first_.push_back(goals.size() == 1 ? part(goals[0]) : goals[0] == best ? 1.0 / static_cast<double>(sharing) : 0);
  }
  [[nodiscard]] double part(double goal) const {
    const double span = info_.most_goal - info_.least_goal;
    return span > 0 ? (goal - info_.least_goal) / span : 0;
  }
  // The leader is the player with the highest expectation. A change counts if the lead is clear.
  void count_leads(const PlayRecord& record) {
    constexpr double kClear = 0.05;
    constexpr std::size_t kShown = 12;
    std::vector<double> line;
    double changes = 0;
    std::size_t leader = info_.players.size();
    for (const std::vector<double>& expected : record.expected) {
      if (expected.size() != info_.players.size()) continue;
      line.push_back(part(expected[0]));
      if (expected.size() < 2) continue;
      const auto best = static_cast<std::size_t>(std::ranges::max_element(expected) - expected.begin());
      double second = info_.least_goal;
      for (std::size_t p = 0; p < expected.size(); ++p) second = p == best ? second : std::max(second, expected[p]);
      if (part(expected[best]) - part(second) < kClear) continue;
      changes += leader != info_.players.size() && leader != best ? 1 : 0;
      leader = best;
    }
    lead_changes_.push_back(changes);
    if (out_.leads.size() < kShown) out_.leads.push_back(std::move(line));
  }
  // Replays it and records the edges that it uses.
  void walk(const PlayRecord& record) {
    const std::unique_ptr<Reasoner> r = game_.clone();
    std::unordered_set<std::string> met;
    bool repeats = false;
    for (const std::string& move : record.moves) {
      const std::size_t count = r->move_count();
      std::size_t index = count;
      for (std::size_t i = 0; i < count; ++i) {
        const std::string text = r->move_text(i);
        if (text == move) index = i;
        if (!unseen_.empty()) see(text);
      }
      r->apply(index);
      const std::vector<std::byte> state = r->state_bytes();
      repeats = !met.emplace(reinterpret_cast<const char*>(state.data()), state.size()).second || repeats;
      look_at_board(*r);
    }
    repeating_ += repeats ? 1 : 0;
  }
  void see(const std::string& move) {
    for (std::size_t at = 0; at < move.size();) {
      const std::size_t space = std::min(move.find(' ', at), move.size());
      unseen_.erase(move.substr(at, space - at));
      at = space + 1;
    }
  }
  // The board is the variable with most cells; a cell is used when it held more than one thing.
  void look_at_board(const Reasoner& r) {
    const std::vector<VariableView> variables = r.variables();
    const VariableView* board = nullptr;
    for (const VariableView& v : variables) {
      if (!v.cells.empty() && (board == nullptr || v.cells.size() > board->cells.size())) board = &v;
    }
    if (board == nullptr) return;
    cells_.resize(board->cells.size());
    for (std::size_t i = 0; i < board->cells.size(); ++i) {
      if (cells_[i].size() < 2) cells_[i].insert(board->cells[i].value);
    }
  }

  static Estimate within(Estimate share) { return {share.value, std::max(share.low, 0.0), std::min(share.high, 1.0)}; }
  void add(std::string key, std::string title, Estimate estimate, bool share = false) {
    out_.figures.push_back({std::move(key), std::move(title), estimate, share});
  }
  void sum_up() {
    const auto plays = static_cast<double>(out_.plays);
    add("length", "turns of a play", mean_of(out_.lengths));
    add("branching", "moves to choose from", mean_of(branching_));
    add("forced", "turns without a choice", within(mean_of(forced_)), true);
    add("ended", "plays that end by the rules", share_of(ended_, plays), true);
    if (info_.players.size() > 1) {
      const double score = std::accumulate(first_.begin(), first_.end(), 0.0);
      add("first", fmt::format("score of {}", info_.players[0]), share_of(score, ended_), true);
      add("draws", "draws", share_of(draws_, ended_), true);
      add("lead_changes", "changes of the lead", mean_of(lead_changes_));
    } else {
      add("first", "result, of the most possible", within(mean_of(first_)), true);
    }
    add("repetition", "plays with a repetition", share_of(repeating_, plays), true);
    if (!cells_.empty()) {
      const auto used = static_cast<double>(std::ranges::count_if(cells_, [](const auto& c) { return c.size() > 1; }));
      const double share = used / static_cast<double>(cells_.size());
      add("board", "cells of the board that change", {share, share, share}, true);
    }
  }
  void measure_depth(const std::string& weak) {
    const auto begin = Clock::now();
    MatchOptions match;
    match.players = {fmt::format("mcts:{}", options_.simulations * 10), weak};
    match.seed = options_.seed;
    match.limits = limits();
    match.following.stop = options_.following.stop;
    double score = 0, plays = 0;
    for (std::uint64_t left = options_.games; left > 0 && (plays == 0 || !late(begin)); left -= match.games) {
      // Where there is time for all of them, they are one match.
      match.games = options_.seconds > 0 ? std::min<std::uint64_t>(left, info_.players.size()) : left;
      ++match.seed;
      if (options_.following.stopped()) break;
      const Standing strong = run_match(game_, match, {}).standings[0];
      score += strong.score;
      plays += static_cast<double>(strong.plays);
    }
    add("depth", "score of ten times the simulations", share_of(score, plays), true);
  }
  [[nodiscard]] PlayLimits limits() const {
    return {.most_moves = options_.most_moves, .seconds = 2 * options_.seconds, .stop = options_.following.stop};
  }
  [[nodiscard]] bool late(Clock::time_point begin) const {
    return options_.seconds > 0 && 2 * seconds_since(begin) >= options_.seconds;
  }

  const Reasoner& game_;
  const GameInfo& info_;
  const AnalyzeOptions& options_;
  Analysis out_;
  std::set<std::string> unseen_;
  std::vector<std::set<std::string>> cells_;
  std::vector<double> branching_, forced_, first_, lead_changes_;
  double ended_ = 0, draws_ = 0, repeating_ = 0;
};

}  // namespace

const Figure* Analysis::find(std::string_view key) const {
  const auto it = std::ranges::find(figures, key, &Figure::key);
  return it == figures.end() ? nullptr : &*it;
}

Analysis analyze(const Reasoner& game, const std::string& name, std::span<const std::string> tags,
                 const AnalyzeOptions& options) {
  return Analyst(game, tags, options).run(name);
}

void find_dead_rules(const ir::Game& written, Analysis& analysis, std::uint64_t most_steps) {
  const WalkedEdges walked = walked_edges(written, analysis.moves, most_steps);
  double edges = 0, used = 0;
  struct Line {
    std::uint32_t offset;
    bool met;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Line> lines;  // by file and number
  const Sources& sources = *written.sources();
  for (const ir::EdgeId edge : written.graph.edges()) {
    const bool met = walked.edges[edge.value];
    edges += 1;
    used += met ? 1 : 0;
    const Range where = written.graph.where(edge);
    if (!where.known()) continue;
    const std::pair key(sources.file_of(where.begin)->base, sources.position(where.begin).line);
    Line& line = lines.try_emplace(key, Line{where.begin, false}).first->second;
    line.met = line.met || met;
  }
  const double share = edges > 0 ? used / edges : 1;
  analysis.figures.push_back(
      {"rules", fmt::format("rules used, in {} positions", walked.states), {share, share, share}, true});
  for (const auto& [key, line] : lines) {
    if (line.met) continue;
    std::string text(sources.line_of(line.offset));
    boost::trim(text);
    analysis.dead_rules.push_back(
        {fmt::format("{}:{}", sources.file_of(line.offset)->name, key.second), std::move(text)});
  }
}

}  // namespace rgtrans::search
