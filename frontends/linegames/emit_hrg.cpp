// The game as an HRG program. One turn is: the keeper looks whether the side to move can move and whether a limit
// is reached; the player lifts a piece and steps or captures with it; the keeper puts it down and does the
// bookkeeping. Only what the rules of the game need is written: a game without kings has no word about kings.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

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
    // A direction without lines is left out; the published form keeps its number.
    if (!published_) {
      std::erase_if(directions_, [&](Direction d) {
        return std::ranges::none_of(board_.points(),
                                    [&](const Board::Point& p) { return neighbour(p, d) != Board::kNowhere; });
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
  // --- Text. ---
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_.append(2 * depth_, ' ');
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }
  template <class... Args>
  void open(fmt::format_string<Args...> format, Args&&... args) {
    line(format, std::forward<Args>(args)...);
    ++depth_;
  }
  void next_arm(std::string_view text) {
    --depth_;
    line("{}", text);
    ++depth_;
  }
  void close() {
    --depth_;
    line("}}");
  }
  void gap() { out_ += '\n'; }

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
  line("// {}", name);
  line("// {}", game_.summary());
  line("// Moves: point NORMAL direction{}, for a step", flying_ ? " target" : "");
  if (captures_) {
    std::string_view more = rules_.sequence == Sequence::whole ? ", the last two repeated" : "";
    if (!flying_ && rules_.sequence == Sequence::whole) more = " direction ...";
    line("//        point CAPTURE direction{}{}", flying_ ? " target" : "", more);
    if (rules_.sequence == Sequence::stepwise) {
      line("//        direction{}{}", flying_ ? " target" : "",
           rules_.captures == Captures::optional && !published_ ? " or PASS, after a capture" : ", after a capture");
    }
  }
  gap();
}

void Emitter::domains() {
  line("domain Piece = empty | whitePawn | blackPawn{} | border", kings_ ? " | whiteKing | blackKing" : "");
  line("domain Player = {}", published_ ? "black | white" : "white | black");
  const auto [win, draw, loss] = rules_.scores;
  std::string scores = fmt::format("{}", draw);
  if (loss != draw) scores += fmt::format(" | {}", loss);
  if (win != draw) scores += fmt::format(" | {}", win);
  line("domain Score = {}", scores);
  line("domain Bool = 0 | 1");
  line("domain Position = {}", fmt::join(sorted_, " | "));
  line("domain PositionOrNull = null | Position");
  if (published_) {
    line("domain Direction = S(X) where X in 0..{}", directions_.size() - 1);
  } else {
    std::vector<std::string_view> names;
    for (const Direction d : directions_) names.push_back(name_of(d));
    line("domain Direction = {}", fmt::join(names, " | "));
  }
  if (rules_.stagnation) line("domain Stagnation = I(X) where X in 0..{}", *rules_.stagnation);
  if (turns_) line("domain Turns = I(X) where X in 0..{}", *turns_);
  const int most = std::max(game_.setup.count(Player::white), game_.setup.count(Player::black));
  if (lead_) line("domain Lead = I(X) where X in 0..{}", 2 * most);
  if (min_pieces_) line("domain Pieces = I(X) where X in 0..{}", most);
  gap();
}

void Emitter::walking() {
  for (const Direction d : directions_) {
    const std::string name = walk_name(d);
    line("{} : PositionOrNull -> PositionOrNull", name);
    for (const std::string& from : sorted_) {
      const std::uint32_t to = neighbour(board_.points()[board_.find(from)], d);
      if (to != Board::kNowhere) line("{}({}) = {}", name, from, board_.points()[to].name);
    }
    line("{}(_) = null", name);
    gap();
  }
  line("next : Direction -> PositionOrNull -> PositionOrNull");
  for (std::size_t i = 0; i < directions_.size(); ++i) line("next({}) = {}", direction(i), walk_name(directions_[i]));
  gap();
}

void Emitter::pieces() {
  line("opponent : Player -> Player");
  line("opponent(white) = black");
  line("opponent(black) = white");
  gap();
  if (!kings_) {
    line("pawn : Player -> Piece");
    for (const Player player : kPlayers) line("pawn({}) = {}", name_of(player), piece_name(player, false));
    gap();
  } else {
    line("owner : Piece -> PlayerOrSystem");
    for (const Player player : kPlayers) {
      for (const bool king : {false, true}) line("owner({}) = {}", piece_name(player, king), name_of(player));
    }
    line("owner(_) = keeper");
    gap();
  }
  if (promotion_) {
    line("promoted : Piece -> PositionOrNull -> Piece");
    for (const Player player : kPlayers) {
      for (const std::string& point : rules_.promotion[static_cast<std::size_t>(player)]) {
        line("promoted({}, {}) = {}", piece_name(player, false), point, piece_name(player, true));
      }
    }
    line("promoted(P, _) = P");
    gap();
  }
  if (rules_.flying == Flying::kings) {
    line("flies : Piece -> Bool");
    for (const Player player : kPlayers) line("flies({}) = 1", piece_name(player, true));
    line("flies(_) = 0");
    gap();
  }
  movement("steps", rules_.steps);
  if (captures_) movement("jumps", rules_.jumps);
  if (goals_) {
    line("reached : Player -> PositionOrNull -> Bool");
    for (const Player player : kPlayers) {
      for (const std::string& point : rules_.goals[static_cast<std::size_t>(player)]) {
        line("reached({}, {}) = 1", name_of(player), point);
      }
    }
    line("reached(_, _) = 0");
    gap();
  }
}

void Emitter::movement(std::string_view name, Movement movement) {
  if (movement == Movement::any) return;
  line("{} : {} -> Direction -> Bool", name, kings_ ? "Piece" : "Player");
  for (const Player player : kPlayers) {
    for (std::size_t i = 0; i < directions_.size(); ++i) {
      if (!linegames::moves(movement, player, directions_[i])) continue;
      line("{}({}, {}) = 1", name, kings_ ? piece_name(player, false) : std::string(name_of(player)), direction(i));
    }
    if (kings_) line("{}({}, _) = 1", name, piece_name(player, true));
  }
  line("{}(_, _) = 0", name);
  gap();
}

void Emitter::counters() {
  if (rules_.stagnation) {
    line("longer : Stagnation -> Stagnation");
    line("longer(I(X)) = if X < {0} then I(X + 1) else I({0})", *rules_.stagnation);
    gap();
  }
  if (turns_) {
    line("nextTurn : Turns -> Turns");
    line("nextTurn(I(X)) = if X < {0} then I(X + 1) else I({0})", *turns_);
    gap();
  }
  const int most = std::max(game_.setup.count(Player::white), game_.setup.count(Player::black));
  if (lead_) {
    line("// The lead counts white's pieces less black's; {} is a tie.", most);
    line("whiteGains : Lead -> Lead");
    line("whiteGains(I(X)) = if X < {0} then I(X + 1) else I({0})", 2 * most);
    line("blackGains : Lead -> Lead");
    line("blackGains(I(X)) = if X > 0 then I(X - 1) else I(0)");
    line("gain : Player -> Lead -> Lead");
    line("gain(white) = whiteGains");
    line("gain(black) = blackGains");
    line("leader : Lead -> PlayerOrSystem");
    line("leader(I(X)) = if X > {0} then white else if X < {0} then black else keeper", most);
    gap();
  }
  if (min_pieces_) {
    line("fewer : Pieces -> Pieces");
    line("fewer(I(X)) = if X > 0 then I(X - 1) else I(0)");
    line("tooFew : Pieces -> Bool");
    line("tooFew(I(X)) = if X < {} then 1 else 0", rules_.min_pieces);
    gap();
  }
}

void Emitter::variables() {
  open("board : PositionOrNull -> Piece = {{");
  line(": empty;");
  std::string last = "null = border";
  for (const auto& [point, piece] : game_.setup.pieces()) {
    line("{};", last);
    last = fmt::format("{} = {}", point, piece_name(piece.owner, piece.king));
  }
  line("{}", last);
  close();
  line("me : Player = {}", name_of(rules_.first));
  line("pos : PositionOrNull = null");
  if (kings_) line("piece : Piece = empty");
  if (flying_) line("start : PositionOrNull = null");
  if (rules_.stagnation) line("stagnation : Stagnation = I(0)");
  if (turns_) line("turn : Turns = I(0)");
  const int white = game_.setup.count(Player::white);
  const int black = game_.setup.count(Player::black);
  if (lead_) line("lead : Lead = I({})", std::max(white, black) + white - black);
  if (min_pieces_) line("pieces : Player -> Pieces = {{ white = I({}); black = I({}) }}", white, black);
  gap();
}

// From `pos` in direction d to the enemy that would be jumped over.
void Emitter::approach() {
  if (!flying_) {
    line("pos = next[d][pos]");
    line("check({})", enemy("pos"));
    return;
  }
  open("loop {{");
  line("pos = next[d][pos]");
  open("branch {{");
  line("check({})", enemy("pos"));
  line("break()");
  next_arm("} or {");
  line("check(board[pos] == empty && pos != start{})", flies());
  close();
  close();
}

// Any number of further empty points in direction d. Coming round a circle ends at the start.
void Emitter::slide() {
  line("check(board[pos] == empty)");
  open("loop {{");
  open("branch {{");
  line("break()");
  next_arm("} or {");
  line("pos = next[d][pos]");
  line("check(board[pos] == empty && pos != start{})", flies());
  close();
  close();
}

void Emitter::tests() {
  if (captures_) {
    open("graph canJumpOn() {{");
    if (flying_) line("start = pos");
    open("branch d in Direction {{");
    if (rules_.jumps != Movement::any) line("check(jumps[{}][d] == 1)", kings_ ? "piece" : "me");
    if (flying_) {
      approach();
      line("check(board[next[d][pos]] == empty)");
    } else {
      line("check({})", enemy("next[d][pos]"));
      line("check(board[next[d][next[d][pos]]] == empty)");
    }
    close();
    close();
    gap();
  }
  const auto start = [&] {
    line("pos = Position(*)");
    line("check({})", own("pos"));
    if (kings_) line("piece = board[pos]");
  };
  const auto step = [&] {
    open("branch d in Direction {{");
    if (rules_.steps != Movement::any) line("check(steps[{}][d] == 1)", kings_ ? "piece" : "me");
    line("check(board[next[d][pos]] == empty)");
    close();
  };
  if (rules_.captures == Captures::mandatory) {
    open("graph canCapture() {{");
    start();
    line("canJumpOn()");
    close();
    gap();
  }
  open("graph {}() {{", rules_.captures == Captures::optional ? "canMove" : "canStep");
  start();
  if (rules_.captures == Captures::optional) {
    open("branch {{");
    step();
    next_arm("} or {");
    line("canJumpOn()");
    close();
  } else {
    step();
  }
  close();
  gap();
}

void Emitter::moves() {
  open("graph lift() {{");
  line("pos = Position(*)");
  line("check({})", own("pos"));
  if (kings_) line("piece = board[pos]");
  line("board[pos] = empty");
  line("$$ pos");
  close();
  gap();

  open("graph step() {{");
  line("$ NORMAL");
  if (flying_) line("start = pos");
  open("branch d in Direction {{");
  if (rules_.steps != Movement::any) line("check(steps[{}][d] == 1)", kings_ ? "piece" : "me");
  line("pos = next[d][pos]");
  line("$ d");
  if (flying_) slide();
  close();
  line("{}", flying_ ? "$$ pos" : "check(board[pos] == empty)");
  close();
  gap();

  if (captures_) capture();
}

void Emitter::capture() {
  open("graph jump() {{");
  if (flying_) line("start = pos");
  open("branch d in Direction {{");
  if (rules_.jumps != Movement::any) line("check(jumps[{}][d] == 1)", kings_ ? "piece" : "me");
  approach();
  line("board[pos] = empty");
  line("pos = next[d][pos]");
  line("$ d");
  if (flying_) slide();
  close();
  line("{}", flying_ ? "$$ pos" : "check(board[pos] == empty)");
  if (lead_) line("lead = gain[me][lead]");
  if (min_pieces_) line("pieces[opponent[me]] = fewer[pieces[opponent[me]]]");
  close();
  gap();

  const bool mandatory = rules_.captures == Captures::mandatory;
  open("graph capture() {{");
  line("$ CAPTURE");
  if (rules_.sequence == Sequence::single) line("jump()");
  if (rules_.sequence == Sequence::whole) {
    open("loop {{");
    line("jump()");
    if (mandatory) {
      open("if not(reachable(canJumpOn())) {{");
      line("break()");
      close();
    } else {
      open("branch {{");
      next_arm("} or {");
      line("break()");
      close();
    }
    close();
  }
  if (rules_.sequence == Sequence::stepwise) {
    line("jump()");
    open("loop {{");
    open("if reachable(canJumpOn()) {{");
    if (mandatory) {
      line("player = me");
      line("jump()");
    } else {
      // Published games decide here, without a tag, whether the player goes on.
      if (!published_) line("player = me");
      open("branch {{");
      if (!published_) line("$ PASS");
      line("break()");
      next_arm("} or {");
      if (published_) line("player = me");
      line("jump()");
      close();
    }
    next_arm("} else {");
    line("break()");
    close();
    close();
  }
  close();
  gap();
}

void Emitter::endings() {
  const auto [win, draw, loss] = rules_.scores;
  open("graph win(winner : Player) {{");
  line("goals[winner] = {}", win);
  line("goals[opponent[winner]] = {}", loss);
  line("end()");
  close();
  gap();
  open("graph limitReached() {{");
  if (lead_) {
    for (const Player player : kPlayers) {
      open("if leader[lead] == {} {{", name_of(player));
      line("win({})", name_of(player));
      close();
    }
  } else if (!captures_ && rules_.on_limit == OnLimit::majority &&
             game_.setup.count(Player::white) != game_.setup.count(Player::black)) {
    // Nothing is ever captured, so the majority is known beforehand.
    const bool white = game_.setup.count(Player::white) > game_.setup.count(Player::black);
    line("win({})", white ? "white" : "black");
    close();
    gap();
    return;
  }
  line("end()");
  close();
  gap();
}

void Emitter::limits() {
  std::string condition;
  if (rules_.stagnation) condition = fmt::format("stagnation == I({})", *rules_.stagnation);
  if (turns_) condition += fmt::format("{}turn == I({})", condition.empty() ? "" : " || ", *turns_);
  open("if {} {{", condition);
  line("limitReached()");
  close();
}

void Emitter::lift(std::string_view player) {
  line("player = {}", player);
  line("lift()");
}

void Emitter::stepped() {
  line("step()");
  line("player = keeper");
  if (rules_.stagnation) line("stagnation = longer[stagnation]");
}

void Emitter::captured() {
  line("capture()");
  line("player = keeper");
  if (rules_.stagnation) line("stagnation = I(0)");
}

void Emitter::turn() {
  const auto immobile = [&] {
    switch (rules_.no_move) {
      case NoMove::loss:
        line("win(opponent[me])");
        break;
      case NoMove::win:
        line("win(me)");
        break;
      case NoMove::draw:
        line("end()");
        break;
    }
  };
  open("graph move() {{");
  if (rules_.captures == Captures::mandatory) {
    open("if reachable(canCapture()) {{");
    limits();
    lift("me");
    captured();
    next_arm("} else {");
  }
  open("if reachable({}()) {{", rules_.captures == Captures::optional ? "canMove" : "canStep");
  limits();
  lift("me");
  if (rules_.captures == Captures::optional) {
    open("branch {{");
    stepped();
    next_arm("} or {");
    captured();
    close();
  } else {
    stepped();
  }
  next_arm("} else {");
  immobile();
  close();
  if (rules_.captures == Captures::mandatory) close();
  close();
  gap();

  open("graph rules() {{");
  open("loop {{");
  line("move()");
  line("board[pos] = {}", promotion_ ? "promoted[piece][pos]" : kings_ ? "piece" : "pawn[me]");
  if (goals_) {
    open("if reached[me][pos] == 1 {{");
    line("win(me)");
    close();
  }
  if (min_pieces_) {
    open("if tooFew[pieces[opponent[me]]] == 1 {{");
    line("win(me)");
    close();
  }
  if (turns_) line("turn = nextTurn[turn]");
  line("me = opponent[me]");
  close();
  close();
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
