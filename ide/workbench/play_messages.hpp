// The messages about plays of a game: positions, figures, engines, good moves.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ide/workbench/messages.hpp"

namespace rgtrans::ide {

// --- Plays. ---

// Moves as in RG, without those of the keeper that show nothing; or a path of `rgtrans moves --path`.
using PlayPath = std::variant<std::vector<std::string>, std::string>;

struct MovesRequest {
  static constexpr std::string_view kName = "MovesRequest";
  PlayPath path;
  static void fields(auto& visit) { visit.maybe("path", &MovesRequest::path, "moves, or a path such as /a/b"); }
};
struct MovesReply {
  static constexpr std::string_view kName = "MovesReply";
  std::vector<std::string> moves;
  std::string mover;
  bool terminal = false;
  std::string text;
  static void fields(auto& visit) {
    visit("moves", &MovesReply::moves, "to go on with the path by");
    visit("mover", &MovesReply::mover);
    visit("terminal", &MovesReply::terminal);
    visit("text", &MovesReply::text);
  }
};

struct BoardRequest : MovesRequest {
  static constexpr std::string_view kName = "BoardRequest";
  bool flip = false;
  std::optional<std::size_t> viewer;
  static void fields(auto& visit) {
    MovesRequest::fields(visit);
    visit.maybe("flip", &BoardRequest::flip, "as the second player sees it");
    visit("viewer", &BoardRequest::viewer, "the player who looks, where something is hidden");
  }
};
struct BoardReply {
  static constexpr std::string_view kName = "BoardReply";
  std::string svg, text;
  Json scene;
  static void fields(auto& visit) {
    visit("svg", &BoardReply::svg);
    visit("text", &BoardReply::text);
    visit("scene", &BoardReply::scene, "for those who draw it themselves");
  }
};

struct PlayRequest : BoardRequest {
  static constexpr std::string_view kName = "PlayRequest";
  bool texts = true;
  static void fields(auto& visit) {
    BoardRequest::fields(visit);
    visit.maybe("texts", &PlayRequest::texts, "show the position as text, too");
  }
};
struct MoveMade {
  static constexpr std::string_view kName = "MoveMade";
  std::string mover, text;
  static void fields(auto& visit) {
    visit("mover", &MoveMade::mover);
    visit("text", &MoveMade::text);
  }
};
struct MoveChoice {
  static constexpr std::string_view kName = "MoveChoice";
  std::string move, text;
  std::vector<std::vector<std::string>> targets;
  static void fields(auto& visit) {
    visit("move", &MoveChoice::move, "as in RG");
    visit("text", &MoveChoice::text, "as people say it");
    visit("targets", &MoveChoice::targets, "cells to point at, one after the other; of each any of these");
  }
};
struct NamedValue {
  static constexpr std::string_view kName = "NamedValue";
  std::string name, value;
  static void fields(auto& visit) {
    visit("name", &NamedValue::name);
    visit("value", &NamedValue::value);
  }
};
struct PlayReply {
  static constexpr std::string_view kName = "PlayReply";
  std::string mover;
  std::vector<std::string> outcome;
  std::vector<MoveMade> made;
  std::vector<MoveChoice> moves;
  std::vector<std::string> last;
  std::vector<NamedValue> facts, variables;
  std::string svg;
  std::optional<std::string> text;
  static void fields(auto& visit) {
    visit("mover", &PlayReply::mover, "nobody when the play is over");
    visit("outcome", &PlayReply::outcome, "by player, when it is over");
    visit("made", &PlayReply::made);
    visit("moves", &PlayReply::moves);
    visit("last", &PlayReply::last, "cells of the last move");
    visit("facts", &PlayReply::facts, "facts that are not on the board");
    visit("variables", &PlayReply::variables);
    visit("svg", &PlayReply::svg, "nothing for a game without a board");
    visit("text", &PlayReply::text);
  }
};

struct PerftRequest : MovesRequest {
  static constexpr std::string_view kName = "PerftRequest";
  unsigned depth = 3;
  static void fields(auto& visit) {
    MovesRequest::fields(visit);
    visit.maybe("depth", &PerftRequest::depth, "1 to 100", Between{1, 100});
  }
};
struct PerftRow {
  static constexpr std::string_view kName = "PerftRow";
  std::string move;
  std::uint64_t leaves = 0;
  static void fields(auto& visit) {
    visit("move", &PerftRow::move);
    visit("leaves", &PerftRow::leaves);
  }
};
struct PerftDepth {
  static constexpr std::string_view kName = "PerftDepth";
  unsigned depth = 0;
  std::uint64_t leaves = 0;
  static void fields(auto& visit) {
    visit("depth", &PerftDepth::depth);
    visit("leaves", &PerftDepth::leaves);
  }
};
struct PerftReply {
  static constexpr std::string_view kName = "PerftReply";
  unsigned depth = 0;
  std::uint64_t leaves = 0;
  std::vector<PerftDepth> lines;
  std::vector<PerftRow> rows;
  double seconds = 0;
  std::string text;
  static void fields(auto& visit) {
    visit("depth", &PerftReply::depth);
    visit("leaves", &PerftReply::leaves, "at that depth");
    visit("lines", &PerftReply::lines, "the same for each depth up to it");
    visit("rows", &PerftReply::rows, "by first move");
    visit("seconds", &PerftReply::seconds, "for the rows");
    visit("text", &PerftReply::text);
  }
};
struct PerftProgress {
  static constexpr std::string_view kName = "PerftProgress";
  std::size_t done = 0, of = 0;
  std::uint64_t leaves = 0;
  static void fields(auto& visit) {
    visit("done", &PerftProgress::done, "first moves");
    visit("of", &PerftProgress::of);
    visit("leaves", &PerftProgress::leaves);
  }
};

struct PlayoutsRequest : MovesRequest {
  static constexpr std::string_view kName = "PlayoutsRequest";
  std::uint64_t count = 100, seed = 1;
  bool each = true;
  static void fields(auto& visit) {
    MovesRequest::fields(visit);
    visit.maybe("count", &PlayoutsRequest::count, "of plays", Between{1, 100'000'000});
    visit.maybe("seed", &PlayoutsRequest::seed);
    visit.maybe("each", &PlayoutsRequest::each, "look at each play; else they are those of `rgtrans playouts`");
  }
};
struct OutcomeCount {
  static constexpr std::string_view kName = "OutcomeCount";
  std::vector<std::string> goals;
  std::size_t times = 0;
  static void fields(auto& visit) {
    visit("goals", &OutcomeCount::goals, "by player; none of a play that was stopped");
    visit("times", &OutcomeCount::times);
  }
};
struct PlayoutsProgress {
  static constexpr std::string_view kName = "PlayoutsProgress";
  std::uint64_t plays = 0, of = 0;
  std::vector<std::uint64_t> lengths;
  std::vector<OutcomeCount> outcomes;
  std::uint64_t stopped = 0;
  double branching = 0;
  std::vector<std::string> players;
  double seconds = 0;
  static void fields(auto& visit) {
    visit("plays", &PlayoutsProgress::plays);
    visit("of", &PlayoutsProgress::of);
    visit("lengths", &PlayoutsProgress::lengths, "of each play, up to a million of them");
    visit("outcomes", &PlayoutsProgress::outcomes);
    visit("stopped", &PlayoutsProgress::stopped, "plays that did not end");
    visit("branching", &PlayoutsProgress::branching, "moves to choose from, on average");
    visit("players", &PlayoutsProgress::players);
    visit("seconds", &PlayoutsProgress::seconds);
  }
};
struct PlayoutsReply : PlayoutsProgress {
  static constexpr std::string_view kName = "PlayoutsReply";
  double per_second = 0;
  Json statistics;
  std::string text;
  static void fields(auto& visit) {
    PlayoutsProgress::fields(visit);
    visit("perSecond", &PlayoutsReply::per_second, "plays at full speed");
    visit("statistics", &PlayoutsReply::statistics, "as printed by `rgtrans playouts --json`");
    visit("text", &PlayoutsReply::text);
  }
};

struct EnginesRequest : MovesRequest {
  static constexpr std::string_view kName = "EnginesRequest";
  double seconds = 1;
  static void fields(auto& visit) {
    MovesRequest::fields(visit);
    visit.maybe("seconds", &EnginesRequest::seconds, "of plays on each engine", Between{0.05, 30});
  }
};
struct EngineSpeed {
  static constexpr std::string_view kName = "EngineSpeed";
  std::string name;
  double preparing = 0, plays = 0, moves = 0;
  static void fields(auto& visit) {
    visit("name", &EngineSpeed::name);
    visit("preparing", &EngineSpeed::preparing, "seconds");
    visit("plays", &EngineSpeed::plays, "in a second");
    visit("moves", &EngineSpeed::moves, "in a second");
  }
};
struct EnginesReply {
  static constexpr std::string_view kName = "EnginesReply";
  std::vector<EngineSpeed> engines;
  static void fields(auto& visit) { visit("engines", &EnginesReply::engines); }
};
struct EnginesProgress {
  static constexpr std::string_view kName = "EnginesProgress";
  std::string stage;
  static void fields(auto& visit) { visit("stage", &EnginesProgress::stage); }
};

struct CompareRequest {
  static constexpr std::string_view kName = "CompareRequest";
  unsigned depth = 3;
  std::uint64_t count = 200, seed = 1;
  OpenRequest other;
  static void fields(auto& visit) {
    visit.maybe("depth", &CompareRequest::depth, "of leaves, 1 to 100", Between{1, 100});
    visit.maybe("count", &CompareRequest::count, "of plays", Between{1, 1'000'000});
    visit.maybe("seed", &CompareRequest::seed);
    visit("other", &CompareRequest::other, "the game to compare with");
  }
};
struct ComparedGame {
  static constexpr std::string_view kName = "ComparedGame";
  std::string name;
  std::size_t nodes = 0, edges = 0;
  PerftReply perft;
  PlayoutsReply playouts;
  static void fields(auto& visit) {
    visit("name", &ComparedGame::name);
    visit("nodes", &ComparedGame::nodes);
    visit("edges", &ComparedGame::edges);
    visit("perft", &ComparedGame::perft);
    visit("playouts", &ComparedGame::playouts);
  }
};
struct CompareReply {
  static constexpr std::string_view kName = "CompareReply";
  std::vector<ComparedGame> sides;
  static void fields(auto& visit) { visit("sides", &CompareReply::sides, "this game and the other one"); }
};
enum class CompareStage : std::uint8_t { perft, playouts };
template <>
struct EnumWords<CompareStage> {
  static constexpr std::array<std::string_view, 2> kWords = {"perft", "playouts"};
};
struct CompareProgress {
  static constexpr std::string_view kName = "CompareProgress";
  std::size_t side = 0;
  CompareStage stage = CompareStage::perft;
  std::uint64_t done = 0, of = 1;
  static void fields(auto& visit) {
    visit("side", &CompareProgress::side, "0 or 1");
    visit("stage", &CompareProgress::stage);
    visit("done", &CompareProgress::done);
    visit("of", &CompareProgress::of);
  }
};

// --- Good moves. ---

struct ThinkRequest : MovesRequest {
  static constexpr std::string_view kName = "ThinkRequest";
  double seconds = 2;
  static void fields(auto& visit) {
    MovesRequest::fields(visit);
    visit.maybe("seconds", &ThinkRequest::seconds, "0.05 to 600", Between{0.05, 600});
  }
};
struct MoveThought {
  static constexpr std::string_view kName = "MoveThought";
  std::string move;
  std::uint64_t visits = 0;
  double value = 0;
  bool proven = false;
  static void fields(auto& visit) {
    visit("move", &MoveThought::move);
    visit("visits", &MoveThought::visits);
    visit("value", &MoveThought::value, "for the mover, 0 to 1");
    visit("proven", &MoveThought::proven);
  }
};
struct Thoughts {
  static constexpr std::string_view kName = "Thoughts";
  std::vector<MoveThought> moves;
  std::vector<double> values;
  double least = 0, most = 0;
  bool proven = false;
  double seconds = 0;
  bool compiled = false;
  std::optional<std::string> best;
  static void fields(auto& visit) {
    visit("moves", &Thoughts::moves);
    visit("values", &Thoughts::values, "the expectation of each player");
    visit("least", &Thoughts::least, "the lowest goal of the game");
    visit("most", &Thoughts::most);
    visit("proven", &Thoughts::proven);
    visit("seconds", &Thoughts::seconds);
    visit("compiled", &Thoughts::compiled, "by a search in compiled code instead of the interpreter");
    visit("best", &Thoughts::best);
  }
};

struct PlayerRequest : MovesRequest {
  static constexpr std::string_view kName = "PlayerRequest";
  std::string player = "mcts:1000";
  std::uint64_t seed = 1;
  static void fields(auto& visit) {
    MovesRequest::fields(visit);
    visit.maybe("player", &PlayerRequest::player, "as for `rgtrans match`");
    visit.maybe("seed", &PlayerRequest::seed);
  }
};
struct PlayerReply {
  static constexpr std::string_view kName = "PlayerReply";
  std::string move;
  std::optional<std::vector<double>> values;
  std::optional<double> least, most;
  static void fields(auto& visit) {
    visit("move", &PlayerReply::move);
    visit("values", &PlayerReply::values, "the expectation of each player, if this player estimates it");
    visit("least", &PlayerReply::least, "the lowest goal of the game");
    visit("most", &PlayerReply::most);
  }
};

struct SolveRequest : MovesRequest {
  static constexpr std::string_view kName = "SolveRequest";
  double seconds = 10;
  static void fields(auto& visit) {
    MovesRequest::fields(visit);
    visit.maybe("seconds", &SolveRequest::seconds, "0.05 to 600", Between{0.05, 600});
  }
};
struct SolveReply {
  static constexpr std::string_view kName = "SolveReply";
  bool solved = false;
  std::string method;
  std::vector<double> values;
  double low = 0, high = 0;
  std::vector<std::string> line;
  bool repeats = false;
  std::uint64_t positions = 0;
  double seconds = 0;
  std::string stopped;
  static void fields(auto& visit) {
    visit("solved", &SolveReply::solved);
    visit("method", &SolveReply::method);
    visit("values", &SolveReply::values, "for each player, when it is solved");
    visit("low", &SolveReply::low, "bounds of the first player's value, when it is not");
    visit("high", &SolveReply::high);
    visit("line", &SolveReply::line, "best moves of all");
    visit("repeats", &SolveReply::repeats, "the line ends where a position comes back");
    visit("positions", &SolveReply::positions, "looked at");
    visit("seconds", &SolveReply::seconds);
    visit("stopped", &SolveReply::stopped, "why it is not solved");
  }
};

// --- Positions that somebody sets up. ---

struct ArrangeRequest : MovesRequest {
  static constexpr std::string_view kName = "ArrangeRequest";
  std::vector<CellValue> cells;
  std::optional<std::string> from, to;
  std::optional<std::size_t> piece;
  bool flip = false;
  static void fields(auto& visit) {
    MovesRequest::fields(visit);
    visit.maybe("cells", &ArrangeRequest::cells, "changed so far");
    visit("from", &ArrangeRequest::from, "the cell whose content moves; without `to` it becomes empty");
    visit("to", &ArrangeRequest::to, "the cell that gets the content, or the piece");
    visit("piece", &ArrangeRequest::piece, "of the palette");
    visit.maybe("flip", &ArrangeRequest::flip);
  }
};
struct PalettePiece {
  static constexpr std::string_view kName = "PalettePiece";
  std::string name, svg;
  static void fields(auto& visit) {
    visit("name", &PalettePiece::name);
    visit("svg", &PalettePiece::svg);
  }
};
struct ArrangeReply {
  static constexpr std::string_view kName = "ArrangeReply";
  PositionSetup setup;
  std::vector<CellValue> cells;
  std::vector<std::string> followed;
  std::string svg;
  std::vector<PalettePiece> palette;
  static void fields(auto& visit) {
    visit("setup", &ArrangeReply::setup, "the position, for `open`");
    visit("cells", &ArrangeReply::cells, "changed so far");
    visit("followed", &ArrangeReply::followed, "variables that named a cell whose piece was moved");
    visit("svg", &ArrangeReply::svg);
    visit("palette", &ArrangeReply::palette);
  }
};

struct AnalyzeRequest {
  static constexpr std::string_view kName = "AnalyzeRequest";
  std::uint64_t games = 30, seed = 1;
  double seconds = 10;
  std::optional<OpenRequest> other;
  static void fields(auto& visit) {
    visit.maybe("games", &AnalyzeRequest::games, "of plays, 1 to 10000", Between{1, 10'000});
    visit.maybe("seed", &AnalyzeRequest::seed);
    visit.maybe("seconds", &AnalyzeRequest::seconds, "0.1 to 600", Between{0.1, 600});
    visit("other", &AnalyzeRequest::other, "a variant, which is analyzed instead of the game that is open");
  }
};
struct AnalyzedFigure {
  static constexpr std::string_view kName = "AnalyzedFigure";
  std::string key, title;
  double value = 0, low = 0, high = 0;
  bool share = false;
  static void fields(auto& visit) {
    visit("key", &AnalyzedFigure::key);
    visit("title", &AnalyzedFigure::title);
    visit("value", &AnalyzedFigure::value);
    visit("low", &AnalyzedFigure::low, "ends of the 95 % interval");
    visit("high", &AnalyzedFigure::high);
    visit("share", &AnalyzedFigure::share, "shown in per cent");
  }
};
struct AnalyzeReply {
  static constexpr std::string_view kName = "AnalyzeReply";
  std::vector<AnalyzedFigure> figures;
  std::vector<double> lengths;
  std::uint64_t plays = 0;
  double seconds = 0;
  std::string verdict, text, svg;
  static void fields(auto& visit) {
    visit("figures", &AnalyzeReply::figures);
    visit("lengths", &AnalyzeReply::lengths, "of the plays of equal players");
    visit("plays", &AnalyzeReply::plays);
    visit("seconds", &AnalyzeReply::seconds);
    visit("verdict", &AnalyzeReply::verdict, "in a sentence");
    visit("text", &AnalyzeReply::text);
    visit("svg", &AnalyzeReply::svg, "the board of a variant at the start of a play; empty without one");
  }
};

}  // namespace rgtrans::ide
