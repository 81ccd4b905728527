#include "frontends/ludax/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "frontends/ludax/limits.hpp"
#include "frontends/ludax/term_reader.hpp"
#include "frontends/ludax/tree.hpp"

namespace rgtrans::ludax {

namespace {

class Reader {
 public:
  Reader(const Sources::File& file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics), terms_(diagnostics) {}

  std::optional<ast::Description> run() {
    const std::vector<Node> items = read_tree(file_, diagnostics_);
    if (diagnostics_.has_errors()) return std::nullopt;
    try {
      game(items);
    } catch (const Failed&) {
      return std::nullopt;
    }
    if (diagnostics_.has_errors()) return std::nullopt;
    return std::move(made_);
  }

 private:
  // Calls f. After a failure, reading continues behind the failed part.
  template <class F>
  void carefully(F&& f) {
    if (diagnostics_.full()) return;
    try {
      f();
    } catch (const Failed&) {
    }
  }

  // Reads the list that must follow, such as `(play …)`. `after` names the preceding part.
  Arguments section(Arguments& arguments, std::string_view name, std::string_view after) {
    const Node* node = arguments.peek();
    if (node == nullptr) {
      terms_.fail(arguments.closing(), fmt::format("expected `({} …)` after {}", name, after));
    }
    if (node->head() != name) wrong_section(*node, name, after);
    arguments.next();
    return {*node, diagnostics_};
  }
  [[noreturn]] void wrong_section(const Node& node, std::string_view name, std::string_view after) {
    std::string hint;
    const std::string_view word = node.is_list() ? node.head() : node.text;
    const std::array<std::string_view, 1> wanted = {name};
    if (find_word(word, WordKind::section) != nullptr) {
      hint =
          "a game is (game \"name\" (players 2) (equipment (board …)) (rules (start …) (play …) (end …))), in this "
          "order";
    } else {
      hint = did_you_mean(word, wanted);
    }
    terms_.fail(node.where, fmt::format("expected `({} …)` after {}, not {}", name, after, shown(node)), hint);
  }

  void game(const std::vector<Node>& items) {
    if (items.empty()) terms_.fail(file_.range(0, 0), "the description is empty", "it begins with (game \"name\" …");
    if (items.front().head() != "game") {
      terms_.fail(items.front().where, fmt::format("expected `(game …)`, not {}", shown(items.front())));
    }
    Arguments arguments(items.front(), diagnostics_);
    const Node& name = arguments.need("a name in double quotes");
    if (name.kind != Node::Kind::string) {
      terms_.fail(name.where, fmt::format("expected the name of the game in double quotes, not {}", shown(name)));
    }
    made_.name = std::string(name.text.substr(1, name.text.size() - 2));
    carefully([&] { players(section(arguments, "players", "the name")); });
    equipment(section(arguments, "equipment", "`(players …)`"));
    rules(section(arguments, "rules", "`(equipment …)`"));
    carefully([&] { arguments.finish(); });
    if (items.size() > 1) terms_.fail(items[1].where, "nothing may follow the game");
  }

  void players(Arguments arguments) {
    const Node& node = arguments.need("the number of players, 2");
    if (node.kind != Node::Kind::number || terms_.number(node) != 2) {
      terms_.fail(node.where, "Ludax games have exactly two players", "(players 2)");
    }
    arguments.finish();
  }

  void equipment(Arguments arguments) {
    Arguments board = section(arguments, "board", "`equipment`");
    const Node& node = board.need("a board: square, rectangle, hexagon or hex_rectangle");
    if (!node.is_list() || find_word(node.head(), WordKind::shape) == nullptr) {
      const std::string_view word = node.is_list() ? node.head() : node.text;
      static constexpr std::array kShapes = {WordKind::shape};
      terms_.fail(
          node.where, fmt::format("unknown board {}", shown(node)),
          node.is_list() && nearest(word, kShapes).empty()
              ? "there are (square n), (rectangle rows columns), (hexagon diameter), (hex_rectangle rows columns)"
              : nearest(word, kShapes));
    }
    made_.board_where = node.where;
    shape(Arguments(node, diagnostics_));
    board.finish();
    arguments.finish();
  }

  int size(Arguments& arguments) {
    const Node& node = arguments.need("a size");
    const bool number = node.kind == Node::Kind::number;
    if (!number || node.text.front() == '-' || node.text.find_first_not_of("+0") == std::string_view::npos) {
      terms_.fail(node.where, "board size must be a positive integer");
    }
    Node unsigned_node = node;
    if (node.text.front() == '+') unsigned_node.text.remove_prefix(1);
    return static_cast<int>(terms_.number(unsigned_node));
  }

  void shape(Arguments arguments) {
    const std::string_view head = arguments.head();
    const int rows = size(arguments);
    const bool two = head == "rectangle" || head == "hex_rectangle";
    const int columns = two ? size(arguments) : rows;
    arguments.finish();
    const bool hexagon = head == "hexagon";
    const Range where = arguments.list().where;
    if (hexagon && (rows % 2 == 0 || rows < 3)) {
      terms_.fail(where, "the diameter of a hexagon must be odd and at least 3",
                  fmt::format("did you mean {}?", std::max(3, rows + 1)));
    }
    const std::int64_t half = (rows - 1) / 2;
    const std::int64_t cells = hexagon ? 3 * half * half + 3 * half + 1 : std::int64_t{rows} * columns;
    if (cells > static_cast<std::int64_t>(limits::cells.value())) {
      terms_.fail(where, fmt::format("the board has {} cells, more than {}", cells, limits::cells),
                  limits::cells.advice());
    }
    made_.board = Board(head == "square"      ? Shape::square
                        : head == "rectangle" ? Shape::rectangle
                        : hexagon             ? Shape::hexagon
                                              : Shape::hex_rectangle,
                        rows, columns);
  }

  void rules(Arguments arguments) {
    std::string_view before = "`rules`";
    if (arguments.peek() != nullptr && arguments.peek()->head() == "start") {
      carefully([&] { start(section(arguments, "start", before)); });
      before = "`(start …)`";
    }
    play(section(arguments, "play", before));
    end(section(arguments, "end", "`(play …)`"));
    arguments.finish();
  }

  void start(Arguments arguments) {
    arguments.need("a rule such as (place P1 (27 36))");
    for (std::size_t i = 1; i < arguments.list().items.size(); ++i) {
      carefully([&] { start_place(arguments.list().items[i]); });
    }
  }

  void start_place(const Node& node) {
    if (node.head() != "place") {
      terms_.fail(node.where, fmt::format("expected `(place …)` in `start`, not {}", shown(node)),
                  "as in (place P1 (27 36))");
    }
    Arguments arguments(node, diagnostics_);
    ast::Placement placement;
    placement.who = terms_.player(arguments.need("`P1` or `P2`"));
    const Node& cells = arguments.need("a list of cells, as in (27 36)");
    if (!cells.is_list() || cells.items.empty()) {
      terms_.fail(cells.where, fmt::format("expected a list of cells, as in (27 36), not {}", shown(cells)));
    }
    for (const Node& cell : cells.items) {
      carefully([&] {
        const std::int64_t number = terms_.number(cell);
        if (number >= made_.board.size()) {
          terms_.fail(cell.where, fmt::format("cell {} does not exist: the board has {} cells, 0 to {}", number,
                                              made_.board.size(), made_.board.size() - 1));
        }
        placement.cells.emplace_back(number, cell.where);
      });
    }
    arguments.finish();
    made_.start.push_back(std::move(placement));
  }

  void play(Arguments arguments) {
    arguments.need("a phase: (repeat (P1 P2) (place …)) or (once-through …)");
    for (std::size_t i = 1; i < arguments.list().items.size(); ++i) {
      carefully([&] { made_.phases.push_back(phase(arguments.list().items[i])); });
    }
  }

  ast::Phase phase(const Node& node) {
    const std::string_view head = node.head();
    if (head != "repeat" && head != "once-through" && head != "once_through") {
      static constexpr std::array<std::string_view, 2> kPhases = {"repeat", "once-through"};
      terms_.fail(node.where, fmt::format("expected a phase, `(repeat …)` or `(once-through …)`, not {}", shown(node)),
                  did_you_mean(head, kPhases));
    }
    Arguments arguments(node, diagnostics_);
    ast::Phase phase;
    phase.where = node.where;
    phase.once = head != "repeat";
    const Node& movers = arguments.need("a list of players, as in (P1 P2)");
    if (!movers.is_list() || movers.items.empty()) {
      terms_.fail(movers.where, fmt::format("expected a list of players, as in (P1 P2), not {}", shown(movers)));
    }
    for (const Node& mover : movers.items) phase.movers.push_back(terms_.player(mover));
    place(section(arguments, "place", "the players of the phase"), phase);
    if (const Node* pass = arguments.peek(); pass != nullptr && pass->head() == "force_pass") {
      Arguments(*arguments.next(), diagnostics_).finish();
      phase.force_pass = true;
    }
    arguments.finish();
    return phase;
  }

  void place(Arguments arguments, ast::Phase& phase) {
    phase.placed = terms_.side_or(arguments, ast::Side::mover);
    Arguments destination = section(arguments, "destination", "`place`");
    carefully([&] {
      phase.destination = terms_.mask(destination.need("a set of cells"), "destination");
      destination.finish();
    });
    if (arguments.peek() != nullptr && arguments.peek()->head() == "result") {
      Arguments result = section(arguments, "result", "");
      carefully([&] {
        phase.result = terms_.predicate(result.need("a condition"), "result");
        result.finish();
      });
    }
    if (arguments.peek() != nullptr && arguments.peek()->head() == "effects") {
      Arguments effects = section(arguments, "effects", "");
      effects.need("an effect");
      for (std::size_t i = 1; i < effects.list().items.size(); ++i) {
        carefully([&] { phase.effects.push_back(effect(effects.list().items[i])); });
      }
    }
    arguments.finish();
  }

  ast::Effect effect(const Node& node) {
    const std::string_view head = node.head();
    if (find_word(head, WordKind::effect) == nullptr) {
      static constexpr std::array kEffects = {WordKind::effect};
      const std::string near = nearest(head, kEffects);
      terms_.fail(node.where, fmt::format("unknown effect {}", shown(node)),
                  near.empty() ? "there are capture, flip, increment_score and set_score" : near);
    }
    Arguments arguments(node, diagnostics_);
    ast::Effect effect;
    effect.where = node.where;
    if (head == "capture" || head == "flip") {
      effect.kind = head == "flip" ? ast::Effect::Kind::flip : ast::Effect::Kind::capture;
      effect.term = terms_.mask(arguments.need("a set of cells"), head);
      effect.side = terms_.side_or(arguments, ast::Side::opponent);
      const Node* scores = head == "capture" ? arguments.named("increment_score") : nullptr;
      effect.scores = scores != nullptr && terms_.boolean(*scores, "increment_score");
    } else {
      effect.kind = head == "set_score" ? ast::Effect::Kind::set_score : ast::Effect::Kind::increment_score;
      effect.side = terms_.side(arguments);
      effect.term = terms_.function(arguments.need("a number"), head);
    }
    arguments.finish();
    return effect;
  }

  void end(Arguments arguments) {
    arguments.need("a rule such as (if (full_board) (draw))");
    for (std::size_t i = 1; i < arguments.list().items.size(); ++i) {
      carefully([&] { made_.rules.push_back(rule(arguments.list().items[i])); });
    }
  }

  ast::Rule rule(const Node& node) {
    if (node.head() != "if") {
      terms_.fail(node.where, fmt::format("expected `(if condition result)` in `end`, not {}", shown(node)));
    }
    Arguments arguments(node, diagnostics_);
    ast::Rule rule;
    rule.where = node.where;
    rule.condition = terms_.predicate(arguments.need("a condition"), "if");
    result(arguments.need("a result, as in (mover win)"), rule);
    arguments.finish();
    return rule;
  }

  void result(const Node& node, ast::Rule& rule) {
    const auto& items = node.items;
    if (items.size() == 1 && items[0].is_word("draw")) {
      rule.result = ast::Rule::Result::draw;
    } else if (items.size() == 1 && items[0].is_word("by_score")) {
      rule.result = ast::Rule::Result::by_score;
    } else if (items.size() == 2 && (items[0].is_word("mover") || items[0].is_word("opponent")) &&
               (items[1].is_word("win") || items[1].is_word("lose"))) {
      rule.side = items[0].is_word("mover") ? ast::Side::mover : ast::Side::opponent;
      rule.result = items[1].is_word("win") ? ast::Rule::Result::win : ast::Rule::Result::lose;
    } else {
      static constexpr std::array kResults = {WordKind::result, WordKind::player};
      std::string hint;
      for (const Node& item : items) {
        const std::string near = nearest(item.text, kResults);
        const bool known = item.is_word("P1") || item.is_word("P2");
        if (hint.empty() && item.kind == Node::Kind::word && what_is(item.text).empty()) hint = near;
        if (hint.empty() && known) hint = "winners are named relative to who has just moved: mover or opponent";
      }
      if (hint.empty())
        hint = "there are (mover win), (mover lose), (opponent win), (opponent lose), (draw), (by_score)";
      terms_.fail(node.where, fmt::format("unknown result {}", shown(node)), hint);
    }
  }

  const Sources::File& file_;
  Diagnostics& diagnostics_;
  TermReader terms_;
  ast::Description made_;
};

}  // namespace

std::optional<ast::Description> read_description(const Sources::File& file, Diagnostics& diagnostics) {
  return Reader(file, diagnostics).run();
}

}  // namespace rgtrans::ludax
