// Chess from other positions: the rules of games/hrg/chess.hrg with another initial state must give the numbers
// that chess programs have agreed on.
#include <gmock/gmock.h>

#include <cstdlib>

#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans {
namespace {

struct Position {
  const char* name;
  const char* fen;  // white to move
  std::vector<std::uint64_t> leaves;

  friend void PrintTo(const Position& position, std::ostream* out) { *out << position.fen; }
};

void replace(std::string& text, const std::string& from, const std::string& to, const std::string& with) {
  const std::size_t begin = text.find(from);
  ASSERT_NE(begin, std::string::npos) << from;
  const std::size_t end = text.find(to, begin);
  ASSERT_NE(end, std::string::npos) << to;
  text.replace(begin, end + to.size() - begin, with);
}

std::string square(int file, int rank) { return "S(" + std::to_string(file) + ", " + std::to_string(rank) + ")"; }

std::string kind(char letter) {
  switch (letter) {
    case 'p':
      return "pawn";
    case 'n':
      return "knight";
    case 'b':
      return "bishop";
    case 'r':
      return "rook";
    case 'q':
      return "queen";
    default:
      return "king";
  }
}

// The text of chess.hrg with the position of a FEN as its initial state.
std::string chess_from(const std::string& fen) {
  std::string text = read_file(std::string(RGTRANS_SOURCE_DIR) + "/games/hrg/chess.hrg");
  std::string board = "board : Square -> Piece = { : none";
  std::string kings[2];
  int file = 1;
  int rank = 8;
  std::size_t i = 0;
  for (; fen[i] != ' '; ++i) {
    const char c = fen[i];
    if (c == '/') {
      file = 1;
      --rank;
    } else if (c >= '1' && c <= '8') {
      file += c - '0';
    } else {
      const bool white = c >= 'A' && c <= 'Z';
      const std::string man = kind(static_cast<char>(white ? c - 'A' + 'a' : c));
      board += " ; " + square(file, rank) + " = M(" + (white ? "white, " : "black, ") + man + ")";
      if (man == "king") kings[white ? 0 : 1] = square(file, rank);
      ++file;
    }
  }
  const std::string castling = fen.substr(i + 3, fen.find(' ', i + 3) - i - 3);
  auto may = [&](char letter) { return castling.find(letter) == std::string::npos ? "no" : "yes"; };
  replace(text, "board : Square -> Piece = {", "\n}", board + " }");
  replace(text, "kingAt : ", "}",
          "kingAt : Player -> Square = { white = " + kings[0] + " ; black = " + kings[1] + " }");
  replace(text, "mayCastle : ", "}",
          std::string("mayCastle : Corner -> Answer = { : no ; ") + square(8, 1) + " = " + may('K') + " ; " +
              square(1, 1) + " = " + may('Q') + " ; " + square(8, 8) + " = " + may('k') + " ; " + square(1, 8) + " = " +
              may('q') + " }");
  return text;
}

class ChessPosition : public testing::TestWithParam<Position> {};

TEST_P(ChessPosition, HasTheKnownNumbers) {
  Diagnostics diagnostics;
  ir::Game game = load_text("chess.hrg", chess_from(GetParam().fen), *find_frontend("hrg"), diagnostics);
  passes::optimize(game);
  auto reasoner = make_interpreter(game);
  unsigned depth = 0;
  for (std::uint64_t expected : GetParam().leaves) {
    ++depth;
    if (expected > 500'000 && !corpus::full()) break;
    EXPECT_EQ(reasoner->perft(depth), expected) << "depth " << depth;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Chess, ChessPosition,
    testing::Values(
        Position{
            "Initial", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", {20, 400, 8902, 197281, 4865609}},
        Position{"Kiwipete",
                 "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                 {48, 2039, 97862, 4085603}},
        Position{"RookEnding", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", {14, 191, 2812, 43238, 674624}},
        Position{
            "Promotions", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", {6, 264, 9467, 422333}},
        Position{"Position5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", {44, 1486, 62379, 2103487}}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace rgtrans
