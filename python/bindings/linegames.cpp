// The builder of line games. Choices are texts here; their names are checked by the C++ core, so that messages are
// the same as for definitions in JSON.
#include "frontends/linegames/linegames.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings/bindings.hpp"

namespace py = pybind11;

namespace rgtrans::python {
namespace {

using namespace linegames;
using Texts = std::vector<std::string>;

Direction direction(const std::string& parameter, const std::string& text, bool compass_only = false) {
  if (const auto d = direction_from(text)) return *d;
  throw ArgumentError(parameter, fmt::format("{} cannot be '{}'", parameter, text), allowed_directions(compass_only));
}

Player player(const std::string& text) { return parse_enum<Player>("player", text); }

void set_board(LineGame& game, Board board) {
  if (!game.board.points().empty()) {
    throw ArgumentError("board", fmt::format("the game already has a {} board", name_of(game.board.kind())),
                        "add to it with attach_triangle, add_point, add_line or merge");
  }
  game.board = std::move(board);
}

void add_point(LineGame& game, const std::string& name, const std::map<std::string, std::string>& edges,
               const std::optional<std::pair<double, double>>& at) {
  Edges list;
  for (const auto& [d, target] : edges) list.emplace_back(direction("edges", d), target);
  game.board.add_point(name, list, at ? std::optional(Place{at->first, at->second}) : std::nullopt);
}

using Targets = std::map<std::string, Texts>;

std::array<std::set<std::string>, 2> targets(const Targets& given) {
  std::array<std::set<std::string>, 2> result;
  for (const auto& [side, points] : given) {
    result[static_cast<std::size_t>(player(side))] = std::set<std::string>(points.begin(), points.end());
  }
  return result;
}

// One rule by name; every value a text, a number or a mapping.
void assign_rule(LineGame& game, const std::string& name, const py::object& value) {
  Rules& rules = game.rules;
  const auto choose = [&]<class E>(E& target) {
    if (!py::isinstance<py::str>(value))
      throw ArgumentError(name, fmt::format("{} must be a text", name), allowed(kTexts<E>));
    target = parse_enum<E>(name, value.cast<std::string>());
  };
  const auto number = [&]() -> std::optional<int> {
    if (value.is_none()) return std::nullopt;
    if (!py::isinstance<py::int_>(value)) throw ArgumentError(name, fmt::format("{} must be a whole number", name));
    return value.cast<int>();
  };
  const auto points = [&](std::array<std::set<std::string>, 2>& target) {
    if (py::isinstance<py::str>(value) && value.cast<std::string>() == "far-row") {
      target = {far_row(game.board, Player::white), far_row(game.board, Player::black)};
    } else if (py::isinstance<py::dict>(value)) {
      target = targets(value.cast<Targets>());
    } else {
      throw ArgumentError(name, fmt::format("{} cannot be that", name),
                          "allowed: 'far-row', or {'white': [points], 'black': [points]}");
    }
  };
  if (name == "captures")
    choose(rules.captures);
  else if (name == "sequence")
    choose(rules.sequence);
  else if (name == "steps")
    choose(rules.steps);
  else if (name == "jumps")
    choose(rules.jumps);
  else if (name == "flying")
    choose(rules.flying);
  else if (name == "no_move")
    choose(rules.no_move);
  else if (name == "on_limit")
    choose(rules.on_limit);
  else if (name == "first")
    choose(rules.first);
  else if (name == "compat")
    choose(rules.compat);
  else if (name == "promotion")
    points(rules.promotion);
  else if (name == "goals")
    points(rules.goals);
  else if (name == "min_pieces")
    rules.min_pieces = number().value_or(0);
  else if (name == "stagnation")
    rules.stagnation = number();
  else if (name == "max_turns")
    rules.max_turns = number();
  else if (name == "scores")
    rules.scores = value.cast<std::array<int, 3>>();
  else
    throw ArgumentError(name, fmt::format("there is no rule '{}'", name));
}

void set_rule(LineGame& game, const std::string& name, const py::object& value) {
  try {
    assign_rule(game, name, value);
  } catch (const py::cast_error&) {
    throw ArgumentError(name, fmt::format("{} cannot be {}", name, py::repr(value).cast<std::string>()),
                        name == "scores" ? "allowed: three whole numbers, of a win, a draw and a loss"
                                         : "see help(rgtrans.linegames.LineGame.rules)");
  }
}

py::dict rules_of(const LineGame& game) {
  const Rules& rules = game.rules;
  py::dict result;
  const auto text = [](std::string_view t) { return std::string(t); };
  result["captures"] = text(text_of(rules.captures));
  result["sequence"] = text(text_of(rules.sequence));
  result["steps"] = text(text_of(rules.steps));
  result["jumps"] = text(text_of(rules.jumps));
  result["flying"] = text(text_of(rules.flying));
  result["min_pieces"] = rules.min_pieces;
  const auto targets = [](const std::array<std::set<std::string>, 2>& points) {
    py::dict sides;
    sides["white"] = Texts(points[0].begin(), points[0].end());
    sides["black"] = Texts(points[1].begin(), points[1].end());
    return sides;
  };
  result["promotion"] = targets(rules.promotion);
  result["goals"] = targets(rules.goals);
  result["no_move"] = text(text_of(rules.no_move));
  result["on_limit"] = text(text_of(rules.on_limit));
  result["first"] = text(text_of(rules.first));
  result["stagnation"] = rules.stagnation;
  result["max_turns"] = rules.turn_limit();
  result["scores"] = rules.scores;
  result["compat"] = text(text_of(rules.compat));
  return result;
}

LineGame from_json(const std::string& json, const std::string& name) {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add(name, json);
  auto game = read_definition(file, diagnostics);
  diagnostics.throw_if_errors();
  return std::move(*game);
}

std::vector<Texts> lines_of(const LineGame& game) {
  std::vector<Texts> result;
  for (const auto& line : game.board.lines()) {
    Texts& names = result.emplace_back();
    for (const std::uint32_t id : line) names.push_back(game.board.points()[id].name);
  }
  return result;
}

std::optional<std::string> neighbour(const LineGame& game, const std::string& point, const std::string& d) {
  const std::uint32_t id = game.board.require("point", point);
  const std::uint32_t to = game.board.points()[id].next[static_cast<std::size_t>(direction("direction", d))];
  return to == kNone ? std::nullopt : std::optional(game.board.points()[to].name);
}

}  // namespace

void bind_linegames(py::module_& module) {
  py::class_<LineGame>(module, "LineGame")
      .def(py::init([](const std::string& name) {
             LineGame game;
             game.name = name;
             return game;
           }),
           py::arg("name"))
      .def_static("from_json", &from_json, py::arg("json"), py::arg("name"))
      .def("copy", [](const LineGame& game) { return game; })
      .def_readwrite("name", &LineGame::name)
      .def("point", [](LineGame& g) { set_board(g, Board::point()); })
      .def("grid", [](LineGame& g, int w, int h) { set_board(g, Board::grid(w, h)); })
      .def("alquerque", [](LineGame& g, int w, int h) { set_board(g, Board::alquerque(w, h)); })
      .def("square_with_diagonals", [](LineGame& g, int x, int y) { set_board(g, Board::square_with_diagonals(x, y)); })
      .def("circle", [](LineGame& g, int spokes, int rings) { set_board(g, Board::circle(spokes, rings)); })
      .def("attach_triangle",
           [](LineGame& g, const std::string& side, int rows, const std::string& root) {
             g.board.attach_triangle(direction("side", side, true), rows, root);
           })
      .def("add_point", &add_point)
      .def("add_line", [](LineGame& g, const std::string& from, const std::string& to,
                          const std::string& d) { g.board.add_line(from, to, direction("direction", d)); })
      .def("remove_point", [](LineGame& g, const std::string& name) { g.board.remove_point(name); })
      .def("merge", [](LineGame& g, const LineGame& other, const std::map<std::string, std::string>& glue,
                       const std::string& prefix) { g.board.merge(other.board, glue, prefix); })
      .def("put",
           [](LineGame& g, const std::string& who, const Texts& points, bool replace, bool king) {
             g.setup.put(g.board, player(who), points, {replace, king});
           })
      .def("rows",
           [](LineGame& g, const std::string& who, int first, int last, bool replace, bool king) {
             g.setup.rows(g.board, player(who), first, last, {replace, king});
           })
      .def("halves",
           [](LineGame& g, const std::string& north, const std::string& middle, bool replace, bool king) {
             g.setup.halves(g.board, parse_enum<Player>("north", north), parse_enum<MiddleRow>("middle_row", middle),
                            {replace, king});
           })
      .def("spokes",
           [](LineGame& g, const std::string& who, const std::vector<int>& spokes, bool replace, bool king) {
             g.setup.spokes(g.board, player(who), spokes, {replace, king});
           })
      .def("triangle",
           [](LineGame& g, const std::string& who, const std::string& side, bool replace, bool king) {
             g.setup.triangle(g.board, player(who), direction("side", side, true), {replace, king});
           })
      .def("clear", [](LineGame& g, const Texts& points) { g.setup.clear(g.board, points); })
      .def("set_rule", &set_rule)
      .def_property_readonly("rules", &rules_of)
      .def("check", &LineGame::check)
      .def("to_hrg", &LineGame::to_hrg)
      .def("to_json", &LineGame::to_json)
      .def("svg", &LineGame::svg)
      .def("summary", &LineGame::summary)
      .def_property_readonly("points",
                             [](const LineGame& g) {
                               Texts result;
                               for (const Board::Point& point : g.board.points()) result.push_back(point.name);
                               return result;
                             })
      .def_property_readonly("directions",
                             [](const LineGame& g) {
                               Texts result;
                               for (const Direction d : g.board.directions()) result.emplace_back(name_of(d));
                               return result;
                             })
      .def_property_readonly("edge_count", [](const LineGame& g) { return g.board.edge_count(); })
      .def_property_readonly("pieces",
                             [](const LineGame& g) {
                               std::map<std::string, std::pair<std::string, bool>> result;
                               for (const auto& [name, piece] : g.setup.pieces())
                                 result.emplace(name, std::pair{std::string(name_of(piece.owner)), piece.king});
                               return result;
                             })
      .def("at", [](const LineGame& g, int row, int column) { return g.board.at(row, column); })
      .def("triangle_point",
           [](const LineGame& g, const std::string& side, int row, int column) {
             return g.board.triangle_point(direction("side", side, true), row, column);
           })
      .def("neighbour", &neighbour)
      .def("lines", &lines_of);
}

}  // namespace rgtrans::python
