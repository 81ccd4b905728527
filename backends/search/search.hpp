// Strong play on the Reasoner interface. Tree search handles games of perfect and of hidden information; players are
// built on it, and matches let them play each other. Positions can be solved exactly, and figures about a game are
// estimated from plays.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "backends/interpreter/interpreter.hpp"
#include "backends/reasoner.hpp"
#include "backends/search/tree.hpp"  // IWYU pragma: export
#include "core/support/following.hpp"
#include "core/support/pieces.hpp"

namespace rgtrans::search {

// --- Tree search. ---

// A search that keeps what it learnt between calls.
class TreeSearch {
 public:
  virtual ~TreeSearch() = default;
  // Searches below the position, which is not over and in which a player or random moves. The numbers of moves
  // are those of its list.
  virtual TreeReport run(Reasoner& position, const Budget& budget) = 0;
  // May be called by another thread: the present run ends soon.
  virtual void stop() = 0;
};
// For games in which everybody sees everything. A reasoner that brings a search of its own (Reasoner::make_search) is
// searched by that.
std::shared_ptr<TreeSearch> make_tree(const Reasoner& game, const TreeOptions& options, std::uint64_t seed);
// The number of the move to make: a proven win, else the most visited move that is not known to be worse.
std::uint32_t best_move(const TreeReport& report);

// Lets keeper move. False when the play is over then.
bool run_keeper(Reasoner& reasoner);
// The goals as numbers; a goal that is no number counts 0.
std::vector<double> goal_numbers(const Reasoner& reasoner);

// --- Search without seeing everything. ---

// The knowledge of one player during a play: a sample of the positions that are consistent with the player's
// observations. It describes the moment after the last move that the player made or partly observed. Later unseen moves
// stay open, so that a search lets the others choose them well. For observed moves it assumes that the others chose at
// random.
class SeatKnowledge {
 public:
  // The play begins in the present state of `game`, which is known.
  SeatKnowledge(const Reasoner& game, std::size_t seat, std::uint64_t seed);
  // The move `index` is about to be made in `play`. Of others' moves only what the player sees is used.
  void observe(Reasoner& play, std::size_t index);
  // Advances by an observation: `mover` made a move that this player sees as `text`.
  void saw(std::size_t mover, const std::string& text);
  // The positions are these from now on.
  void set_positions(std::vector<std::vector<std::byte>> positions) { positions_ = std::move(positions); }

  [[nodiscard]] std::size_t seat() const { return seat_; }
  // None when nothing of the sample fitted what he saw.
  [[nodiscard]] const std::vector<std::vector<std::byte>>& positions() const { return positions_; }

 private:
  [[nodiscard]] double advance(std::size_t mover, const std::string& text);

  std::unique_ptr<Reasoner> reasoner_;
  std::size_t seat_;
  TreeRandom random_;
  std::vector<std::vector<std::byte>> positions_;
};

// Information-set search: each simulation begins in one of the positions that the player thinks possible. Every player
// chooses by a tree of its own, whose nodes represent its observations. If players move simultaneously, nobody sees the
// choices of the others, so the search is decoupled selection there.
class InformationSearch {
 public:
  InformationSearch(const Reasoner& game, const TreeOptions& options, std::uint64_t seed);
  ~InformationSearch();
  InformationSearch(const InformationSearch&) = delete;
  InformationSearch& operator=(const InformationSearch&) = delete;
  // `moves` are the texts of the player's legal moves; the numbers of the report's moves are theirs.
  TreeReport run(const SeatKnowledge& knowledge, const std::vector<std::string>& moves, const Budget& budget);

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

// --- Players. ---

// A player does not answer, or answers nonsense: it loses the play.
class PlayerError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One seat of one play. All that the player may know is passed to observe().
class SeatPlayer {
 public:
  virtual ~SeatPlayer() = default;
  // A play begins in the present state of `game`.
  virtual void start(const Reasoner& game, std::size_t seat, std::uint64_t seed) = 0;
  // Somebody, keeper, random and this player included, is about to make a move.
  virtual void observe(Reasoner& play, std::size_t index) = 0;
  // The number of the move to make; it is this player's turn. Players that can cheat by looking at what is hidden do
  // not.
  virtual std::size_t choose(Reasoner& play) = 0;
  // The value per player that the last choose() estimated, or null if this player estimates none.
  [[nodiscard]] virtual const TreeReport* thoughts() const { return nullptr; }
};

// "random", "mcts:1000" (simulations), "mcts:2s" (seconds a move), "solver" or "solver:5s", "command:PROGRAM …".
// Options after commas: "mcts:1000,rave=100,threads=2". Throws Error for anything else.
std::unique_ptr<SeatPlayer> make_player(const std::string& text);
// Only such options: "rave=100,threads=2". Throws Error for anything else.
void set_tree_options(const std::string& settings, TreeOptions& options, Budget& budget);

// --- One play, and many. ---

// The sources of a play's random numbers. A number drawn for one purpose reveals nothing about the others
// (core/support/secrets.hpp), so a player may know its own seed.
struct PlaySeeds {
  std::uint64_t table = 0;    // of chance, and of the players' seeds
  std::uint64_t opening = 0;  // of the moves that players are made to begin with
  [[nodiscard]] std::uint64_t of_player(std::size_t seat) const;
};
struct PlayRecord {
  std::vector<std::string> seats;  // the player of each seat, as named on the command line
  PlaySeeds seeds;
  std::vector<std::string> moves;      // all, keeper's and random's included: a path of `rgtrans moves --path`
  std::vector<std::uint32_t> choices;  // moves to choose from, of each
  std::vector<std::vector<double>>
      expected;                 // after each move of a player that thinks: its expectation for each player
  std::vector<double> goals;    // none when the play was stopped
  std::vector<double> seconds;  // by seat
  std::uint64_t player_moves = 0;
  std::string stopped;  // why it ended otherwise than by the rules
  int fault = -1;       // the seat whose player did not answer
};
struct PlayLimits {
  std::uint64_t most_moves = 10'000;
  std::uint64_t random_opening = 0;     // moves of players made at random before
  double seconds = 0;                   // no move is made after so long; 0: no limit
  const std::uint32_t* stop = nullptr;  // nor after something else than 0 is stored there
};
// Why such a play ended.
inline constexpr std::string_view kInterruptedPlay = "interrupted";
// Plays from the present state of `game`, which is left as it is.
PlayRecord play_once(const Reasoner& game, std::span<const std::string> seats, const PlaySeeds& seeds,
                     const PlayLimits& limits);

// A number with the ends of its 95 % interval.
struct Estimate {
  double value = 0, low = 0, high = 0;
};
[[nodiscard]] Estimate mean_of(std::span<const double> values);
// A share of so many cases (Wilson's interval).
[[nodiscard]] Estimate share_of(double successes, double cases);

struct MatchOptions {
  std::vector<std::string> players;  // at least as many as seats, or two
  std::uint64_t games = 100;
  std::uint64_t seed = 1;
  unsigned parallel = 1;
  PlayLimits limits{};
  // Stop as soon as it is decided whether the first player is stronger by elo1 or not by more than elo0 (errors 5 %).
  // A sample is the score of a round: its plays have the same opening, so their results are not independent.
  bool sprt = false;
  double elo0 = 0, elo1 = 20;
  Following following{};  // a play that is ended early does not count
};
struct Standing {
  std::string player;
  std::uint64_t plays = 0;
  double score = 0;  // 1 for each play that was won, a half or less where several share the best result
  std::uint64_t wins = 0, draws = 0, losses = 0, faults = 0;
  Estimate share{};  // score of a play
  Estimate elo{};    // against the average of the others
  double seconds = 0;
  std::uint64_t moves = 0;
  double mean_goal = 0;
};
struct MatchResult {
  std::vector<Standing> standings;
  std::uint64_t plays = 0;
  // With two players in two seats: rounds in which the first one scored 0, ½, 1, 1½, 2.
  std::vector<std::uint64_t> pairs;
  std::uint64_t seed = 0;
  std::string verdict;  // of the sequential test
  double llr = 0;
};
// Counts the plays of a match in their order, whatever the order in which they end.
class MatchTally {
 public:
  // `report` is called for each record, in order.
  MatchTally(const GameInfo& info, const MatchOptions& options, std::function<void(const PlayRecord&)> report = {});
  void add(std::uint64_t play, PlayRecord record);
  // The sequential test has decided, so that no other play counts.
  [[nodiscard]] bool over() const { return over_; }
  [[nodiscard]] std::uint64_t plays() const { return result_.plays; }
  // The first player and its score so far.
  [[nodiscard]] std::string progress() const;
  [[nodiscard]] MatchResult result() const;

 private:
  void count(const PlayRecord& record);
  void end_round();

  std::size_t seats_;
  double least_goal_, most_goal_;
  MatchOptions options_;
  std::function<void(const PlayRecord&)> report_;
  bool over_ = false;
  std::map<std::uint64_t, PlayRecord> finished_;  // that wait for earlier ones
  MatchResult result_;
  std::vector<double> round_;    // scores of the first player in the present round
  std::vector<double> samples_;  // its mean scores in the rounds before
};
// The play with this number. What is random in it depends on the number and the seed of the match alone.
PlayRecord play_of_match(const Reasoner& game, const MatchOptions& options, std::uint64_t play);
// Seats change from play to play; the plays of a round have the same opening. `report` is called for each record, in
// order.
MatchResult run_match(const Reasoner& game, const MatchOptions& options,
                      const std::function<void(const PlayRecord&)>& report);
[[nodiscard]] std::string text(const MatchResult& result);
[[nodiscard]] std::string json(const MatchResult& result);

// The plays of a match as lines of JSON, each of which holds a digest of all lines before it.
class MatchRecords {
 public:
  MatchRecords(const GameInfo& info, const MatchOptions& options, std::function<void(std::string_view)> write);
  ~MatchRecords();
  MatchRecords(const MatchRecords&) = delete;
  MatchRecords& operator=(const MatchRecords&) = delete;
  void add(const PlayRecord& record);
  // The last line is marked as the last one.
  void finish();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};
// Replays them and returns their number. Throws Error if a line is missing, changed or misplaced, or if seats, seeds,
// random moves or results are not those of this match.
std::uint64_t check_records(const Reasoner& game, LineSource& lines);

// --- Exact solutions. ---

// A group of at most `most` renamings that map the game to itself, such as reflections of its board, without the
// identity. Each one is verified; the search may overlook some. Players, scores and built-in names stay fixed.
std::vector<Renaming> symmetries(const ir::Game& game, std::size_t most = 64, std::uint64_t most_work = 300'000'000);

// A proof is wanted, about a position of this game, as it was written.
struct ProofRequest {
  const ir::Game* written = nullptr;
  std::vector<std::string> path;  // the moves to the position, keeper's included
  // Is given the proof piece by piece, before it is certain that there will be one.
  std::function<void(std::string_view)> write;
};
struct SolveOptions {
  double seconds = 0;  // 0: as long as it takes
  std::uint64_t memory = 2ULL << 30U;
  // The value of an endless play comes from this game, not from the solved one, which may have lost scores that no play
  // reaches.
  const ir::Game* written = nullptr;
  const ProofRequest* proof = nullptr;
  Following following{};
};
struct Solution {
  bool solved = false;
  std::string method;
  std::vector<double> values;     // of the position, per player, when it is solved
  double low = 0, high = 0;       // bounds of the first player's value while it is unknown
  std::vector<std::string> line;  // best moves of all to the end (or to where it repeats)
  bool repeats = false;           // the line ends at a repeated position
  // Whether the second player's value assumes that the goals of both have the same sum at all ends, those included that
  // the search did not meet.
  bool assumes_sum = false;
  bool cyclic = false;          // positions can repeat
  double cycle_value = 0;       // the value of an endless play for the first player
  std::uint64_t positions = 0;  // looked at
  double seconds = 0;
  std::string stopped;  // why it is not solved, or not proven
  bool proven = false;  // the proof is complete
};
// Solves the present position of a game in which nothing is hidden (throws Error else).
Solution solve(const Reasoner& position, const SolveOptions& options);

struct ProofVerdict {
  bool holds = false;
  std::string text;  // the proven statement, or the reason for the failure
};
// Verifies proofs about one position of a game, by the rules as the author wrote them. The checker determines the
// position, the player and the value of an endless play. It computes the value that the strategies in the proof
// guarantee.
class ProofChecker {
 public:
  // Throws Error where there cannot be a proof: for games with hidden moves or more than two players.
  explicit ProofChecker(const ir::Game& written, std::vector<std::string> path = {});
  ~ProofChecker();
  ProofChecker(const ProofChecker&) = delete;
  ProofChecker& operator=(const ProofChecker&) = delete;
  // The proven statement, for people. Throws Error if the proof is wrong. Time and memory are limited as for solving.
  std::string check(LineSource& proof, const SolveOptions& limits) const;
  [[nodiscard]] ProofVerdict judge(std::string_view proof) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// --- Figures about a game. ---

struct AnalyzeOptions {
  std::uint64_t games = 30;         // of equal players, and as many of a strong one against a weak one
  std::uint64_t simulations = 100;  // of the equal players; the strong one has ten times as many
  std::uint64_t seed = 1;
  std::uint64_t most_moves = 500;  // of one play
  // Half of it for each of the two comparisons: plays begin until then, at least one. A single play that takes twice
  // the whole time is stopped. 0: no limit.
  double seconds = 0;
  bool depth = true;  // play the strong against the weak
  TreeOptions tree{};
  Following following{};  // a play that is ended early does not count
};
struct Figure {
  std::string key;    // in JSON and CSV
  std::string title;  // for people
  Estimate estimate;
  bool share = false;  // shown in per cent
};
// A line of the description that no move in these plays used.
struct DeadRule {
  std::string place;  // file:line
  std::string text;
};
struct Analysis {
  std::string game;
  std::vector<Figure> figures;
  std::vector<double> lengths;                  // of each play of equal players
  std::vector<std::vector<double>> leads;       // of some plays: the first player's expectation, 0 to 1, by turn
  std::vector<std::string> unused_tags;         // parts of moves that were never legal in these plays
  std::vector<std::vector<std::string>> moves;  // of each play of equal players
  std::vector<DeadRule> dead_rules;             // by find_dead_rules()
  std::uint64_t plays = 0;
  double seconds = 0;
  [[nodiscard]] const Figure* find(std::string_view key) const;
};
// `tags`: all parts of moves that the game names, to find those that never occur.
Analysis analyze(const Reasoner& game, const std::string& name, std::span<const std::string> tags,
                 const AnalyzeOptions& options);
// Follows the plays on the game as it was written, edge by edge, within so many of them: a figure, and the lines
// without a walked edge.
void find_dead_rules(const ir::Game& written, Analysis& analysis, std::uint64_t most_steps = 2'000'000);
// The figures in a sentence: the score of each player, the length of plays, the lines that were never used.
[[nodiscard]] std::string verdict(const Analysis& analysis);
[[nodiscard]] std::string text(const Analysis& analysis);
[[nodiscard]] std::string json(std::span<const Analysis> games);
[[nodiscard]] std::string csv(std::span<const Analysis> games);
// One self-contained page with charts.
[[nodiscard]] std::string html(std::span<const Analysis> games, const AnalyzeOptions& options);

}  // namespace rgtrans::search
