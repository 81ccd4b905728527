// Writes the game as an HRG program. In one turn, keeper tests whether the mover can move and whether a limit is
// reached; the player lifts a piece and steps or captures with it; keeper puts it down and updates counters. The
// program contains only parts that the rules need: a game without kings does not mention kings.
#include <fmt/format.h>

#include <algorithm>

#include "core/support/text.hpp"
#include "frontends/linegames/line_game.hpp"

namespace rgtrans::linegames {
namespace {

constexpr std::array<Player, 2> kPlayers = {Player::white, Player::black};

class Emitter {
 public:
  explicit Emitter(const LineGame& game)
      : game_(game),
        board_(game.board),
        rules_(game.rules),
        directions_(game.board.directions()),
        kings_(rules_.has_kings(game.setup)),
        flying_(rules_.flying != Flying::none),
        captures_(rules_.captures != Captures::none),
        published_(rules_.compat == Compat::published),
        turns_(rules_.turn_limit()),
        lead_(captures_ && rules_.on_limit == OnLimit::majority),
        promotion_(!rules_.promotion[0].empty() || !rules_.promotion[1].empty()),
        goals_(!rules_.goals[0].empty() || !rules_.goals[1].empty()),
        min_pieces_(captures_ && rules_.min_pieces > 0) {
    for (const Board::Point& point : board_.points()) sorted_.push_back(point.name);
    std::ranges::sort(sorted_);
    // Directions without lines are omitted. In the published form they keep their numbers.
    if (!published_) {
      std::erase_if(directions_, [&](Direction d) {
        return std::ranges::none_of(board_.points(), [&](const Board::Point& p) { return neighbour(p, d) != kNone; });
      });
    }
  }

  std::string run() {
    header();
    domains();
    walking();
    pieces();
    counters();
    variables();
    tests();
    moves();
    endings();
    turn();
    return std::move(out_);
  }

 private:
  // --- Text. --- Writes one or more lines. Text between braces is indented.
  template <class... Args>
  void lines(fmt::format_string<Args...> format, Args&&... args) {
    for (const std::string& line : split_lines(fmt::format(format, std::forward<Args>(args)...) + "\n")) {
      const bool comment = line.starts_with("//");
      if (line.starts_with('}')) --depth_;
      if (!line.empty()) out_.append(2 * depth_, ' ').append(line);
      if (line.ends_with('{') && !comment) ++depth_;
      out_ += '\n';
    }
  }

  // --- Names and expressions. ---
  static std::uint32_t neighbour(const Board::Point& point, Direction d) {
    return point.next[static_cast<std::size_t>(d)];
  }
  std::string direction(std::size_t index) const {
    return published_ ? fmt::format("S({})", index) : std::string(name_of(directions_[index]));
  }
  static std::string walk_name(Direction d) {
    std::string name = "to" + std::string(name_of(d));
    name[2] = static_cast<char>(name[2] - 'a' + 'A');
    return name;
  }
  static std::string piece_name(Player owner, bool king) {
    return fmt::format("{}{}", name_of(owner), king ? "King" : "Pawn");
  }
  std::string own(std::string_view at) const {
    return kings_ ? fmt::format("owner[board[{}]] == me", at) : fmt::format("board[{}] == pawn[me]", at);
  }
  std::string enemy(std::string_view at) const {
    return kings_ ? fmt::format("owner[board[{}]] == opponent[me]", at)
                  : fmt::format("board[{}] == pawn[opponent[me]]", at);
  }
  std::string flies() const { return rules_.flying == Flying::kings ? " && flies[piece] == 1" : ""; }

  // --- Declarations. ---
  void header();
  void domains();
  void walking();
  void pieces();
  void movement(std::string_view name, Movement movement);
  void counters();
  void variables();

  // --- Graphs. ---
  void tests();
  void choose_own();
  void choose_direction(std::string_view map, Movement movement);
  void approach();
  void slide();
  void moves();
  void capture();
  void endings();
  void turn();
  void limits();
  void lift(std::string_view player);
  void stepped();
  void captured();

  const LineGame& game_;
  const Board& board_;
  const Rules& rules_;
  std::vector<Direction> directions_;
  std::vector<std::string> sorted_;
  const bool kings_, flying_, captures_, published_;
  const std::optional<int> turns_;
  const bool lead_, promotion_, goals_, min_pieces_;
  std::string out_;
  std::size_t depth_ = 0;
};

void Emitter::header() {
  std::string name = game_.name;
  std::ranges::replace_if(
      name, [](unsigned char c) { return c < ' '; }, ' ');
  lines("// {}", name);
  lines("// {}", game_.summary());
  lines("// Moves: point NORMAL direction{}, for a step", flying_ ? " target" : "");
  if (captures_) {
    std::string_view more = rules_.sequence == Sequence::whole ? ", the last two repeated" : "";
    if (!flying_ && rules_.sequence == Sequence::whole) more = " direction ...";
    lines("//        point CAPTURE direction{}{}", flying_ ? " target" : "", more);
    if (rules_.sequence == Sequence::stepwise) {
      lines("//        direction{}{}", flying_ ? " target" : "",
            rules_.captures == Captures::optional && !published_ ? " or PASS, after a capture" : ", after a capture");
    }
  }
  lines("");
}

void Emitter::domains() {
  lines("domain Piece = empty | whitePawn | blackPawn{} | border", kings_ ? " | whiteKing | blackKing" : "");
  lines("domain Player = {}", published_ ? "black | white" : "white | black");
  const auto [win, draw, loss] = rules_.scores;
  std::string scores = fmt::format("{}", draw);
  if (loss != draw) scores += fmt::format(" | {}", loss);
  if (win != draw) scores += fmt::format(" | {}", win);
  lines("domain Score = {}", scores);
  lines("domain Bool = 0 | 1");
  lines("domain Position = {}", fmt::join(sorted_, " | "));
  lines("domain PositionOrNull = null | Position");
  if (published_) {
    lines("domain Direction = S(X) where X in 0..{}", directions_.size() - 1);
  } else {
    std::vector<std::string_view> names;
    for (const Direction d : directions_) names.push_back(name_of(d));
    lines("domain Direction = {}", fmt::join(names, " | "));
  }
  if (rules_.stagnation) lines("domain Stagnation = I(X) where X in 0..{}", *rules_.stagnation);
  if (turns_) lines("domain Turns = I(X) where X in 0..{}", *turns_);
  const int most = std::max(game_.setup.count(Player::white), game_.setup.count(Player::black));
  if (lead_) lines("domain Lead = I(X) where X in 0..{}", 2 * most);
  if (min_pieces_) lines("domain Pieces = I(X) where X in 0..{}", most);
  lines("");
}

void Emitter::walking() {
  for (const Direction d : directions_) {
    const std::string name = walk_name(d);
    lines("{} : PositionOrNull -> PositionOrNull", name);
    for (const std::string& from : sorted_) {
      const std::uint32_t to = neighbour(board_.points()[board_.find(from)], d);
      if (to != kNone) lines("{}({}) = {}", name, from, board_.points()[to].name);
    }
    lines("{}(_) = null\n", name);
  }
  lines("next : Direction -> PositionOrNull -> PositionOrNull");
  for (std::size_t i = 0; i < directions_.size(); ++i) lines("next({}) = {}", direction(i), walk_name(directions_[i]));
  lines("");
}

void Emitter::pieces() {
  lines("opponent : Player -> Player");
  lines("opponent(white) = black");
  lines("opponent(black) = white\n");
  if (!kings_) {
    lines("pawn : Player -> Piece");
    for (const Player player : kPlayers) lines("pawn({}) = {}", name_of(player), piece_name(player, false));
    lines("");
  } else {
    lines("owner : Piece -> PlayerOrSystem");
    for (const Player player : kPlayers) {
      for (const bool king : {false, true}) lines("owner({}) = {}", piece_name(player, king), name_of(player));
    }
    lines("owner(_) = keeper\n");
  }
  if (promotion_) {
    lines("promoted : Piece -> PositionOrNull -> Piece");
    for (const Player player : kPlayers) {
      for (const std::string& point : rules_.promotion[static_cast<std::size_t>(player)]) {
        lines("promoted({}, {}) = {}", piece_name(player, false), point, piece_name(player, true));
      }
    }
    lines("promoted(P, _) = P\n");
  }
  if (rules_.flying == Flying::kings) {
    lines("flies : Piece -> Bool");
    for (const Player player : kPlayers) lines("flies({}) = 1", piece_name(player, true));
    lines("flies(_) = 0\n");
  }
  movement("steps", rules_.steps);
  if (captures_) movement("jumps", rules_.jumps);
  if (goals_) {
    lines("reached : Player -> PositionOrNull -> Bool");
    for (const Player player : kPlayers) {
      for (const std::string& point : rules_.goals[static_cast<std::size_t>(player)]) {
        lines("reached({}, {}) = 1", name_of(player), point);
      }
    }
    lines("reached(_, _) = 0\n");
  }
}

void Emitter::movement(std::string_view name, Movement movement) {
  if (movement == Movement::any) return;
  lines("{} : {} -> Direction -> Bool", name, kings_ ? "Piece" : "Player");
  for (const Player player : kPlayers) {
    for (std::size_t i = 0; i < directions_.size(); ++i) {
      if (!linegames::moves(movement, player, directions_[i])) continue;
      lines("{}({}, {}) = 1", name, kings_ ? piece_name(player, false) : std::string(name_of(player)), direction(i));
    }
    if (kings_) lines("{}({}, _) = 1", name, piece_name(player, true));
  }
  lines("{}(_, _) = 0\n", name);
}

void Emitter::counters() {
  if (rules_.stagnation) {
    lines("longer : Stagnation -> Stagnation");
    lines("longer(I(X)) = if X < {0} then I(X + 1) else I({0})\n", *rules_.stagnation);
  }
  if (turns_) {
    lines("nextTurn : Turns -> Turns");
    lines("nextTurn(I(X)) = if X < {0} then I(X + 1) else I({0})\n", *turns_);
  }
  const int most = std::max(game_.setup.count(Player::white), game_.setup.count(Player::black));
  if (lead_) {
    lines("// The lead counts white's pieces less black's; {} is a tie.", most);
    lines("whiteGains : Lead -> Lead");
    lines("whiteGains(I(X)) = if X < {0} then I(X + 1) else I({0})", 2 * most);
    lines("blackGains : Lead -> Lead");
    lines("blackGains(I(X)) = if X > 0 then I(X - 1) else I(0)");
    lines("gain : Player -> Lead -> Lead");
    lines("gain(white) = whiteGains");
    lines("gain(black) = blackGains");
    lines("leader : Lead -> PlayerOrSystem");
    lines("leader(I(X)) = if X > {0} then white else if X < {0} then black else keeper\n", most);
  }
  if (min_pieces_) {
    lines("fewer : Pieces -> Pieces");
    lines("fewer(I(X)) = if X > 0 then I(X - 1) else I(0)");
    lines("tooFew : Pieces -> Bool");
    lines("tooFew(I(X)) = if X < {} then 1 else 0\n", rules_.min_pieces);
  }
}

void Emitter::variables() {
  lines("board : PositionOrNull -> Piece = {{");
  lines(": empty;");
  std::string last = "null = border";
  for (const auto& [point, piece] : game_.setup.pieces()) {
    lines("{};", last);
    last = fmt::format("{} = {}", point, piece_name(piece.owner, piece.king));
  }
  lines("{}", last);
  lines("}}");
  lines("me : Player = {}", name_of(rules_.first));
  lines("pos : PositionOrNull = null");
  if (kings_) lines("piece : Piece = empty");
  if (flying_) lines("start : PositionOrNull = null");
  if (rules_.stagnation) lines("stagnation : Stagnation = I(0)");
  if (turns_) lines("turn : Turns = I(0)");
  const int white = game_.setup.count(Player::white);
  const int black = game_.setup.count(Player::black);
  if (lead_) lines("lead : Lead = I({})", std::max(white, black) + white - black);
  if (min_pieces_) lines("pieces : Player -> Pieces = {{ white = I({}); black = I({}) }}", white, black);
  lines("");
}

// Chooses a piece of the mover.
void Emitter::choose_own() {
  lines("pos = Position(*)");
  lines("check({})", own("pos"));
  if (kings_) lines("piece = board[pos]");
}

// Chooses a direction in which the piece may step or jump.
void Emitter::choose_direction(std::string_view map, Movement movement) {
  lines("branch d in Direction {{");
  if (movement != Movement::any) lines("check({}[{}][d] == 1)", map, kings_ ? "piece" : "me");
}

// Moves from `pos` in direction d to the enemy piece to jump over.
void Emitter::approach() {
  if (!flying_) {
    lines("pos = next[d][pos]");
    lines("check({})", enemy("pos"));
    return;
  }
  lines("loop {{");
  lines("pos = next[d][pos]");
  lines("branch {{");
  lines("check({})", enemy("pos"));
  lines("break()");
  lines("}} or {{");
  lines("check(board[pos] == empty && pos != start{})", flies());
  lines("}}\n}}");
}

// Passes any number of further empty points in direction d. A circle ends at the start.
void Emitter::slide() {
  lines("check(board[pos] == empty)");
  lines("loop {{");
  lines("branch {{");
  lines("break()");
  lines("}} or {{");
  lines("pos = next[d][pos]");
  lines("check(board[pos] == empty && pos != start{})", flies());
  lines("}}\n}}");
}

void Emitter::tests() {
  if (captures_) {
    lines("graph canJumpOn() {{");
    if (flying_) lines("start = pos");
    choose_direction("jumps", rules_.jumps);
    if (flying_) {
      approach();
      lines("check(board[next[d][pos]] == empty)");
    } else {
      lines("check({})", enemy("next[d][pos]"));
      lines("check(board[next[d][next[d][pos]]] == empty)");
    }
    lines("}}\n}}\n");
  }
  const auto step = [&] {
    choose_direction("steps", rules_.steps);
    lines("check(board[next[d][pos]] == empty)");
    lines("}}");
  };
  if (rules_.captures == Captures::mandatory) {
    lines("graph canCapture() {{");
    choose_own();
    lines("canJumpOn()");
    lines("}}\n");
  }
  lines("graph {}() {{", rules_.captures == Captures::optional ? "canMove" : "canStep");
  choose_own();
  if (rules_.captures == Captures::optional) {
    lines("branch {{");
    step();
    lines("}} or {{");
    lines("canJumpOn()");
    lines("}}");
  } else {
    step();
  }
  lines("}}\n");
}

void Emitter::moves() {
  lines("graph lift() {{");
  choose_own();
  lines("board[pos] = empty");
  lines("$$ pos");
  lines("}}\n");

  lines("graph step() {{");
  lines("$ NORMAL");
  if (flying_) lines("start = pos");
  choose_direction("steps", rules_.steps);
  lines("pos = next[d][pos]");
  lines("$ d");
  if (flying_) slide();
  lines("}}");
  lines("{}", flying_ ? "$$ pos" : "check(board[pos] == empty)");
  lines("}}\n");

  if (captures_) capture();
}

void Emitter::capture() {
  lines("graph jump() {{");
  if (flying_) lines("start = pos");
  choose_direction("jumps", rules_.jumps);
  approach();
  lines("board[pos] = empty");
  lines("pos = next[d][pos]");
  lines("$ d");
  if (flying_) slide();
  lines("}}");
  lines("{}", flying_ ? "$$ pos" : "check(board[pos] == empty)");
  if (lead_) lines("lead = gain[me][lead]");
  if (min_pieces_) lines("pieces[opponent[me]] = fewer[pieces[opponent[me]]]");
  lines("}}\n");

  const bool mandatory = rules_.captures == Captures::mandatory;
  lines("graph capture() {{");
  lines("$ CAPTURE");
  if (rules_.sequence == Sequence::single) lines("jump()");
  if (rules_.sequence == Sequence::whole) {
    lines("loop {{");
    lines("jump()");
    if (mandatory) {
      lines("if not(reachable(canJumpOn())) {{");
      lines("break()");
      lines("}}");
    } else {
      lines("branch {{");
      lines("}} or {{");
      lines("break()");
      lines("}}");
    }
    lines("}}");
  }
  if (rules_.sequence == Sequence::stepwise) {
    lines("jump()");
    lines("loop {{");
    lines("if reachable(canJumpOn()) {{");
    if (mandatory) {
      lines("player = me");
      lines("jump()");
    } else {
      // In published games the player decides here, without a tag, whether to continue.
      if (!published_) lines("player = me");
      lines("branch {{");
      if (!published_) lines("$ PASS");
      lines("break()");
      lines("}} or {{");
      if (published_) lines("player = me");
      lines("jump()");
      lines("}}");
    }
    lines("}} else {{");
    lines("break()");
    lines("}}\n}}");
  }
  lines("}}\n");
}

void Emitter::endings() {
  const auto [win, draw, loss] = rules_.scores;
  lines("graph win(winner : Player) {{");
  lines("goals[winner] = {}", win);
  lines("goals[opponent[winner]] = {}", loss);
  lines("end()");
  lines("}}\n");
  lines("graph limitReached() {{");
  if (lead_) {
    for (const Player player : kPlayers) {
      lines("if leader[lead] == {} {{", name_of(player));
      lines("win({})", name_of(player));
      lines("}}");
    }
  } else if (!captures_ && rules_.on_limit == OnLimit::majority &&
             game_.setup.count(Player::white) != game_.setup.count(Player::black)) {
    // Without captures, the majority is known in advance.
    const bool white = game_.setup.count(Player::white) > game_.setup.count(Player::black);
    lines("win({})", white ? "white" : "black");
    lines("}}\n");
    return;
  }
  lines("end()");
  lines("}}\n");
}

void Emitter::limits() {
  std::string condition;
  if (rules_.stagnation) condition = fmt::format("stagnation == I({})", *rules_.stagnation);
  if (turns_) condition += fmt::format("{}turn == I({})", condition.empty() ? "" : " || ", *turns_);
  lines("if {} {{", condition);
  lines("limitReached()");
  lines("}}");
}

void Emitter::lift(std::string_view player) {
  lines("player = {}", player);
  lines("lift()");
}

void Emitter::stepped() {
  lines("step()");
  lines("player = keeper");
  if (rules_.stagnation) lines("stagnation = longer[stagnation]");
}

void Emitter::captured() {
  lines("capture()");
  lines("player = keeper");
  if (rules_.stagnation) lines("stagnation = I(0)");
}

void Emitter::turn() {
  lines("graph move() {{");
  if (rules_.captures == Captures::mandatory) {
    lines("if reachable(canCapture()) {{");
    limits();
    lift("me");
    captured();
    lines("}} else {{");
  }
  lines("if reachable({}()) {{", rules_.captures == Captures::optional ? "canMove" : "canStep");
  limits();
  lift("me");
  if (rules_.captures == Captures::optional) {
    lines("branch {{");
    stepped();
    lines("}} or {{");
    captured();
    lines("}}");
  } else {
    stepped();
  }
  lines("}} else {{");
  lines("{}", rules_.no_move == NoMove::loss  ? "win(opponent[me])"
              : rules_.no_move == NoMove::win ? "win(me)"
                                              : "end()");
  lines("}}");
  if (rules_.captures == Captures::mandatory) lines("}}");
  lines("}}\n");

  lines("graph rules() {{");
  lines("loop {{");
  lines("move()");
  lines("board[pos] = {}", promotion_ ? "promoted[piece][pos]" : kings_ ? "piece" : "pawn[me]");
  if (goals_) {
    lines("if reached[me][pos] == 1 {{");
    lines("win(me)");
    lines("}}");
  }
  if (min_pieces_) {
    lines("if tooFew[pieces[opponent[me]]] == 1 {{");
    lines("win(me)");
    lines("}}");
  }
  if (turns_) lines("turn = nextTurn[turn]");
  lines("me = opponent[me]");
  lines("}}\n}}");
}

}  // namespace

void LineGame::check() const {
  board.check();
  setup.check(board);
  for (const Player player : kPlayers) {
    if (setup.count(player) > 0) continue;
    throw ArgumentError("pieces", fmt::format("{} has no pieces", name_of(player)),
                        "each side needs at least one piece");
  }
  rules.check(board, setup);
}

std::string LineGame::to_hrg() const {
  check();
  return Emitter(*this).run();
}

std::string LineGame::summary() const {
  std::string text =
      fmt::format("{} points, {} lines; {} white, {} black; captures {}", board.points().size(), board.lines().size(),
                  setup.count(Player::white), setup.count(Player::black), text_of(rules.captures));
  if (rules.captures != Captures::none) text += fmt::format(", {}", text_of(rules.sequence));
  if (rules.stagnation) text += fmt::format("; stagnation {}", *rules.stagnation);
  if (const auto turns = rules.turn_limit()) text += fmt::format("; {} turns", *turns);
  return text;
}

}  // namespace rgtrans::linegames
