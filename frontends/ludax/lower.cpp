#include "frontends/ludax/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "frontends/ludax/effects.hpp"
#include "frontends/ludax/emitter.hpp"

namespace rgtrans::ludax {

using ir::ExprId;
using ir::NodeId;
using Known = Last::Known;

namespace {

// The history variables that some term reads when their value is not known statically.
struct Needs {
  std::array<bool, 2> last{}, passed{};

  explicit Needs(const Plan& plan) {
    for (const Turn& turn : plan.turns) {
      look(turn.destination, std::nullopt);
      if (turn.result) look(*turn.result, turn.mover, true);
      for (const Effect& effect : turn.effects) {
        look(effect.mask, turn.mover);
        look(effect.value, turn.mover);
      }
      for (const Rule& rule : turn.rules) {
        look(rule.condition, turn.mover, false);
        look(rule.lead, turn.mover);
      }
    }
  }

 private:
  // `known`: the player whose last placement is the move of this turn.
  void look(const Mask& mask, std::optional<Player> known) {
    any_part(mask, [&](const Mask& part) {
      const bool reads = part.kind == Mask::Kind::last || part.kind == Mask::Kind::custodial;
      if (reads && part.player != known) last[index(part.player)] = true;
      return false;
    });
  }
  void look(const Atom& atom, Player known) {
    for (const Mask& mask : atom.masks) look(mask, known);
    if (atom.kind == Atom::Kind::connected && atom.player != known) last[index(atom.player)] = true;
  }
  void look(const Linear& value, Player known) {
    for_each_atom(value, [&](const Atom& atom) { look(atom, known); });
  }
  void look(const Condition& condition, Player mover, bool trial) {
    for_each_atom(condition, [&](const Atom& atom) { look(atom, mover); });
    const bool asks = condition.kind == Condition::Kind::passed || condition.kind == Condition::Kind::not_passed;
    if (asks && (trial || condition.player != mover)) passed[index(condition.player)] = true;
    for (const Condition& part : condition.parts) look(part, mover, trial);
  }
};

class Lowering {
 public:
  Lowering(const Plan& plan, const LowerOptions& options, ir::Game& game)
      : plan_(plan),
        options_(options),
        g_(game),
        t_(plan.board, game),
        e_(plan, t_, game),
        effects_(plan, e_),
        needs_(plan),
        board_(t_.board("board", plan.start)),
        cell_(t_.cell_variable("cell")) {
    for (const Turn& turn : plan_.turns) {
      e_.where = turn.where;
      nodes_.push_back({e_.node(), e_.node(), e_.node()});
    }
    for (const Position& position : plan.positions) ++uses_[position.turn];
  }

  void run() {
    e_.where = plan_.turns[plan_.positions.front().turn].where;
    enter(0, g_.begin(), plan_.has_first_move());
    for (std::size_t i = 0; i < plan_.turns.size(); ++i) lower_turn(i);
  }

 private:
  // The choice begins at `choice`. At `chosen`, the cell is known to be allowed.
  struct Nodes {
    NodeId begin, choice, chosen;
  };

  [[nodiscard]] ExprId last_variable(Player player) {
    return t_.place_variable(fmt::format("last_P{}", index(player) + 1));
  }

  // Before a choice, the last placements are from earlier turns.
  Context before_choice() {
    Context context;
    context.board = board_;
    for (Player player : kPlayers) {
      if (needs_.last[index(player)]) context.last[index(player)] = {Known::perhaps, last_variable(player), {}};
    }
    return context;
  }

  void lower_turn(std::size_t number) {
    const Turn& turn = plan_.turns[number];
    const Nodes& nodes = nodes_[number];
    e_.where = turn.where;
    NodeId at = e_.assign(nodes.begin, t_.mover(), t_.player(turn.mover));
    e_.jump(at, nodes.choice);
    const bool written = choose(turn, nodes);
    const NodeId shown = e_.node();
    e_.edge(nodes.chosen, shown, ir::TagVariable{t_.variable_id(cell_)});
    NodeId placed = shown;
    if (!written) placed = e_.assign(placed, g_.access(board_, cell_), t_.player(turn.placed));
    if (plan_.columns) placed = e_.pile_up(cell_, placed);
    const NodeId exit = e_.node();
    behind_move(turn, e_.assign(placed, t_.mover(), keeper()), exit, true);
    if (turn.force_pass && !has_move(number)) {
      const NodeId stuck = e_.node();
      e_.edge(at, stuck, ir::Reachability{nodes.choice, nodes.chosen, true});
      const NodeId passed = e_.node();
      e_.edge(stuck, passed, ir::Tag{g_.symbols.intern("pass")});
      behind_move(turn, e_.assign(passed, t_.mover(), keeper()), exit, false);
    }
    leave(number, exit);
  }

  // Whether there is a move wherever the play enters this turn, so that nobody has to pass.
  [[nodiscard]] bool has_move(std::size_t turn) const {
    if (plan_.positions.front().turn == turn && !plan_.has_first_move()) return false;
    return std::ranges::all_of(plan_.positions, [&](const Position& position) {
      return plan_.positions[position.next].turn != turn || plan_.always_has_move(position, plan_.turns[turn]);
    });
  }

  [[nodiscard]] ExprId keeper() { return g_.symbol(g_.keeper()); }

  // Emits the edges from `choice` to `chosen`. Returns true if they also place the piece.
  bool choose(const Turn& turn, const Nodes& nodes) {
    const Context before = before_choice();
    NodeId fits = turn.result ? e_.node() : nodes.chosen;
    if (plan_.columns) {
      e_.choose_open_cell(nodes.choice, fits);
    } else {
      choose_cell(turn.destination, nodes.choice, fits, before);
    }
    if (!turn.result) return false;
    Context trial = before;
    trial.trial = true;
    trial.last[index(turn.mover)] = {Known::somewhere, cell_, turn.placed};
    const bool write_first = !needs_no_piece(turn);
    if (write_first) fits = e_.assign(fits, g_.access(board_, cell_), t_.player(turn.placed));
    e_.ask(*turn.result, fits, nodes.chosen, NodeId(), trial);
    return write_first;
  }

  void choose_cell(const Mask& destination, NodeId from, NodeId fits, const Context& context) {
    Mask rest = destination;
    const Cells among = widest(plan_.board, rest);
    if (std::ranges::count(among, true) == 0) return;
    const NodeId picked = e_.node();
    e_.edge(from, picked, ir::AssignAny{cell_, t_.cells_type(among)});
    if (rest.is_region()) {
      rest = region(Cells(among.size(), true));
    } else if (rest.kind == Mask::Kind::all_of && rest.parts.front().is_region()) {
      rest = all_of(plan_.board, {rest.parts.begin() + 1, rest.parts.end()});
    }
    e_.ask(rest, {cell_, false}, picked, fits, NodeId(), context);
  }

  // Whether the result depends only on arrangements around the new piece, which are visible before it is placed.
  static bool needs_no_piece(const Turn& turn) {
    bool only_runs = true;
    for_each_atom(*turn.result, [&](const Atom& atom) {
      only_runs = only_runs && atom.kind == Atom::Kind::count && atom.masks.front().kind == Mask::Kind::custodial &&
                  atom.masks.front().player == turn.mover && turn.placed == turn.mover;
    });
    return only_runs;
  }

  void behind_move(const Turn& turn, NodeId at, NodeId exit, bool placed) {
    Context context = before_choice();
    Last& last = context.last[index(turn.mover)];
    last = placed ? Last{Known::somewhere, cell_, turn.placed} : Last{};
    if (needs_.last[index(turn.mover)]) at = e_.assign(at, last_variable(turn.mover), placed ? cell_ : t_.nowhere());
    context.passed[index(turn.mover)] = truth_of(!placed);
    if (plan_.passes && needs_.passed[index(turn.mover)]) {
      at = e_.assign(at, t_.flag(fmt::format("passed_P{}", index(turn.mover) + 1)), t_.number(placed ? 0 : 1));
    }
    for (const Effect& effect : turn.effects) at = effects_.apply(effect, turn, at, context);
    const std::size_t rules = turn.rules.size() - (turn.full_is_stuck ? 1 : 0);
    for (const Rule& rule : std::span(turn.rules).first(rules)) {
      e_.where = rule.where;
      const NodeId next = e_.node();
      const NodeId ends = e_.node();
      e_.ask(rule.condition, at, ends, next, context);
      finish(rule, ends, context);
      at = next;
    }
    e_.where = turn.where;
    e_.jump(at, exit);
  }

  void finish(const Rule& rule, NodeId at, const Context& context) {
    switch (rule.result) {
      case ast::Rule::Result::draw:
        return e_.jump(at, over());
      case ast::Rule::Result::win:
      case ast::Rule::Result::lose:
        return e_.jump(at, won(rule.winner));
      case ast::Rule::Result::by_score: {
        if (rule.lead.is_constant()) {
          const std::int64_t lead = rule.lead.constant;
          return e_.jump(at, lead == 0 ? over() : won(lead > 0 ? Player::p1 : Player::p2));
        }
        const Emitter::Number lead = e_.compute(rule.lead, at, context);
        e_.release();
        const Interval signs{-1, 1};
        const ExprId sign = t_.mapped(
            "sign", lead.range, signs, [](std::int64_t n) { return n > 0   ? 1
                                                                   : n < 0 ? -1
                                                                           : 0; }, lead.value);
        e_.edge(lead.after, won(Player::p1), ir::Compare{sign, t_.number(1), false});
        e_.edge(lead.after, won(Player::p2), ir::Compare{sign, t_.number(-1), false});
        e_.edge(lead.after, over(), ir::Compare{sign, t_.number(0), false});
      }
    }
  }

  // A play is over when a move ends in `end`.
  NodeId over() {
    if (!over_.valid()) {
      over_ = e_.node();
      e_.edge(over_, g_.end(), ir::Assign{t_.mover(), keeper()});
    }
    return over_;
  }

  NodeId won(Player winner) {
    NodeId& node = won_[index(winner)];
    if (!node.valid()) {
      node = e_.node();
      const NodeId next = e_.assign(node, t_.goal(winner), t_.number(100));
      e_.edge(next, over(), ir::Assign{t_.goal(other(winner)), t_.number(0)});
    }
    return node;
  }

  // Leads to the next turn, which depends on the position if several positions share the turn.
  void leave(std::size_t number, NodeId exit) {
    if (options_.max_plies) exit = count_plies(exit);
    std::size_t left = uses_[number];
    for (std::size_t i = 0; i < plan_.positions.size(); ++i) {
      const Position& position = plan_.positions[i];
      if (position.turn != number) continue;
      NodeId here = exit;
      if (--left > 0) {
        here = e_.node();
        const NodeId next = e_.node();
        const ExprId step = t_.step_variable(plan_.positions.size());
        e_.ask_equal(exit, here, next, step, t_.number(static_cast<std::int64_t>(i)));
        exit = next;
      }
      const Turn& next_turn = plan_.turns[plan_.positions[position.next].turn];
      enter(position.next, here, !plan_.turns[number].full_is_stuck && plan_.always_has_move(position, next_turn));
    }
  }

  void enter(std::size_t position, NodeId at, bool has_move) {
    const std::size_t number = plan_.positions[position].turn;
    const Nodes& nodes = nodes_[number];
    if (uses_[number] > 1) {
      const ExprId step = t_.step_variable(plan_.positions.size());
      at = e_.assign(at, step, t_.number(static_cast<std::int64_t>(position)));
    }
    if (has_move || plan_.turns[number].force_pass) return e_.jump(at, nodes.begin);
    e_.ask_search(at, nodes.begin, over(), nodes.choice, nodes.chosen);
  }

  NodeId count_plies(NodeId at) {
    const Interval range{0, *options_.max_plies};
    const ExprId plies = t_.number_variable("plies", range, 0);
    at = e_.assign(at, plies,
                   t_.mapped(
                       "plus_1", range, range, [](std::int64_t n) { return n + 1; }, plies));
    const NodeId next = e_.node();
    e_.ask_equal(at, over(), next, plies, t_.number(range.high));
    return next;
  }

  const Plan& plan_;
  const LowerOptions& options_;
  ir::Game& g_;
  Tables t_;
  Emitter e_;
  Effects effects_;
  Needs needs_;
  ExprId board_, cell_;
  std::vector<Nodes> nodes_;
  std::array<NodeId, 2> won_;
  NodeId over_;
  std::map<std::size_t, std::size_t> uses_;  // by turn: number of positions
};

// Positions of the cells. Only the board and the scores are part of the position; other variables are auxiliary.
std::shared_ptr<const ir::Words> words_of(const Board& board, const ir::Game& game) {
  auto words = std::make_shared<ir::Words>();
  const std::vector<Board::Place> places = board.places();
  for (std::size_t cell = 0; cell < places.size(); ++cell)
    words->places[game.symbols.find(std::to_string(cell))] = {places[cell].x, places[cell].y};
  const bool hexagonal = board.shape() == Shape::hexagon || board.shape() == Shape::hex_rectangle;
  words->shape = hexagonal ? ir::CellShape::hexagon : ir::CellShape::square;
  for (const ir::Variable& variable : game.variables()) {
    const std::string_view name = game.symbols.text(variable.name);
    if (name != "board" && !name.starts_with("score_")) words->asides.insert(variable.name);
  }
  return words;
}

}  // namespace

void lower(const Plan& plan, const LowerOptions& options, ir::Game& game) {
  Lowering(plan, options, game).run();
  game.words = words_of(plan.board, game);
}

}  // namespace rgtrans::ludax
