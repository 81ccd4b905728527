// An ObjectReader reads each JSON object. It returns typed members, records which keys were read, and reports the
// remaining ones with the names of known keys. Errors of the builder are reported at the member that its ArgumentError
// names.
#include "frontends/linegames/definition.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <type_traits>

#include "frontends/linegames/json_value.hpp"
#include "frontends/linegames/limits.hpp"

namespace rgtrans::linegames {
namespace {

using Kind = JsonValue::Kind;

class ObjectReader {
 public:
  ObjectReader(const JsonValue& node, std::string_view what, Diagnostics& diagnostics)
      : node_(node), what_(what), diagnostics_(diagnostics), valid_(node.kind() == Kind::object) {
    if (!valid_)
      diagnostics_.error(node.where(), fmt::format("{} must be an object, not {}", what, kind_name(node.kind())));
  }

  [[nodiscard]] bool valid() const { return valid_; }

  JsonValue member(std::string_view key) {
    known_.push_back(key);
    return node_.member(key);
  }
  JsonValue member(std::string_view key, Kind kind) {
    const JsonValue value = member(key);
    return value && expect(value, key, kind) ? value : JsonValue();
  }
  JsonValue required(std::string_view key) {
    const JsonValue value = member(key);
    if (!value && valid_) diagnostics_.error(node_.where(), fmt::format("{} needs '{}'", what_, key));
    return value;
  }
  std::optional<int> integer(std::string_view key) {
    const JsonValue value = member(key);
    return !value || value.kind() == Kind::null ? std::nullopt : integer_of(value, key);
  }
  std::optional<int> required_integer(std::string_view key) {
    const JsonValue value = required(key);
    return !value ? std::nullopt : integer_of(value, key);
  }
  bool flag(std::string_view key) {
    const JsonValue value = member(key, Kind::boolean);
    return value && value.is_true();
  }
  std::optional<std::string> text(std::string_view key) {
    const JsonValue value = member(key, Kind::string);
    return !value ? std::nullopt : std::optional(value.text());
  }
  template <class E>
  std::optional<E> choice(std::string_view key) {
    const JsonValue value = member(key, Kind::string);
    return !value ? std::nullopt : choice_of<E>(value, key);
  }
  std::optional<Direction> direction(std::string_view key, bool compass_only = false) {
    const JsonValue value = required(key);
    if (!value || !expect(value, key, Kind::string)) return std::nullopt;
    const auto direction = direction_from(value.text());
    if (!direction)
      diagnostics_.error(value.where(), fmt::format("'{}' is no direction", value.text()),
                         allowed_directions(compass_only));
    return direction;
  }
  // A text, or a list of texts.
  std::optional<std::vector<std::string>> names(std::string_view key) {
    const JsonValue value = member(key);
    return !value ? std::nullopt : names_of(value, key);
  }
  std::optional<std::vector<std::string>> names_of(const JsonValue& value, std::string_view key) {
    if (value.kind() == Kind::string) return std::vector{value.text()};
    if (!expect(value, key, Kind::array)) return std::nullopt;
    std::vector<std::string> result;
    for (const JsonValue& item : value.items()) {
      if (!expect(item, key, Kind::string)) return std::nullopt;
      result.push_back(item.text());
    }
    return result;
  }

  template <class E>
  std::optional<E> choice_of(const JsonValue& value, std::string_view key) {
    if (!expect(value, key, Kind::string)) return std::nullopt;
    try {
      return parse_enum<E>(key, value.text());
    } catch (const ArgumentError& error) {
      report(error, value.where());
      return std::nullopt;
    }
  }
  std::optional<int> integer_of(const JsonValue& value, std::string_view key) {
    if (!expect(value, key, Kind::number)) return std::nullopt;
    constexpr double kLimit = 1e9;
    if (std::abs(value.number()) <= kLimit) {
      const int whole = static_cast<int>(value.number());
      if (whole == value.number()) return whole;
    }
    diagnostics_.error(value.where(), fmt::format("{} must be a whole number", key));
    return std::nullopt;
  }
  bool expect(const JsonValue& value, std::string_view key, Kind kind) {
    if (value.kind() == kind) return true;
    diagnostics_.error(value.where(),
                       fmt::format("{} must be {}, not {}", key, kind_name(kind), kind_name(value.kind())));
    return false;
  }

  // Runs a call of the builder. Reports its errors at the member that caused them.
  bool attempt(const std::function<void()>& call, std::optional<Range> fallback = std::nullopt) {
    try {
      call();
      return true;
    } catch (const ArgumentError& error) {
      const JsonValue value = node_.member(error.parameter());
      report(error, value ? value.where() : fallback.value_or(node_.where()));
      return false;
    }
  }

  // Reports the members that were never read.
  void finish() {
    if (!valid_) return;
    for (const JsonValue& value : node_.items()) {
      if (std::ranges::find(known_, value.key()) != known_.end()) continue;
      std::string hint = did_you_mean(value.key(), known_);
      if (hint.empty()) hint = fmt::format("allowed: {}", fmt::join(known_, ", "));
      diagnostics_.error(value.key_range(), fmt::format("{} has no parameter '{}'", what_, value.key()), hint);
    }
  }

  void report(const ArgumentError& error, Range where) {
    const Diagnostic& first = error.diagnostics().front();
    diagnostics_.error(where, first.message, first.hint);
  }

 private:
  JsonValue node_;
  std::string_view what_;
  Diagnostics& diagnostics_;
  bool valid_;
  std::vector<std::string_view> known_;
};

class Reader {
 public:
  explicit Reader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  std::optional<LineGame> read(const JsonValue& root) {
    ObjectReader object(root, "the definition", diagnostics_);
    if (!object.valid()) return std::nullopt;
    if (auto name = object.text("name")) game_.name = *name;
    object.member("title");
    object.member("display");  // hints for drawing, which common code reads for all languages
    const JsonValue board = object.required("board");
    const JsonValue pieces = object.required("pieces");
    const JsonValue rules = object.member("rules");
    object.finish();
    // Each part requires that the preceding ones are valid.
    if (board) read_board(board);
    if (diagnostics_.has_errors()) return std::nullopt;
    if (object.expect(pieces, "pieces", Kind::array)) {
      for (const JsonValue& item : pieces.items()) read_pieces(item);
    }
    if (rules) read_rules(rules);
    if (!diagnostics_.has_errors()) object.attempt([&] { game_.check(); });
    if (diagnostics_.has_errors()) return std::nullopt;
    return std::move(game_);
  }

 private:
  void read_board(const JsonValue& node);
  void read_shape(ObjectReader& object, const JsonValue& kind);
  void read_custom(ObjectReader& object);
  void read_triangle(const JsonValue& node);
  void read_point(const JsonValue& node);
  void read_line(const JsonValue& node);
  void read_pieces(const JsonValue& node);
  void read_rules(const JsonValue& node);
  void read_targets(ObjectReader& object, std::string_view key, std::array<std::set<std::string>, 2>& targets);

  Diagnostics& diagnostics_;
  LineGame game_;
};

void Reader::read_shape(ObjectReader& object, const JsonValue& kind) {
  const auto sized = [&](std::string_view a, std::string_view b, Board (*make)(int, int)) {
    const auto x = object.required_integer(a);
    const auto y = object.required_integer(b);
    if (x && y) object.attempt([&] { game_.board = make(*x, *y); });
  };
  if (kind.text() == "point")
    game_.board = Board::point();
  else if (kind.text() == "custom")
    read_custom(object);
  else if (kind.text() == "grid")
    sized("width", "height", Board::grid);
  else if (kind.text() == "alquerque")
    sized("width", "height", Board::alquerque);
  else if (kind.text() == "square_with_diagonals")
    sized("squares_x", "squares_y", Board::square_with_diagonals);
  else if (kind.text() == "circle")
    sized("spokes", "rings", Board::circle);
  else
    diagnostics_.error(kind.where(), fmt::format("there is no board '{}'", kind.text()),
                       "allowed: point, grid, alquerque, square_with_diagonals, circle, custom");
}

// Their order determines the numbers of directions in published labels.
void Reader::read_custom(ObjectReader& object) {
  std::vector<Direction> directions;
  for (const std::string& name : object.names("directions").value_or(std::vector<std::string>{})) {
    const auto direction = direction_from(name);
    if (!direction) {
      diagnostics_.error(object.member("directions").where(), fmt::format("'{}' is no direction", name),
                         allowed_directions(false));
    } else if (std::ranges::find(directions, *direction) == directions.end()) {
      directions.push_back(*direction);
    }
  }
  game_.board = Board::custom(std::move(directions));
}

void Reader::read_board(const JsonValue& node) {
  ObjectReader object(node, "the board", diagnostics_);
  if (!object.valid()) return;
  const JsonValue kind = object.required("kind");
  if (kind && object.expect(kind, "kind", Kind::string)) read_shape(object, kind);
  const auto removed = object.names("remove");
  const auto each = [&](std::string_view key, void (Reader::*read)(const JsonValue&)) {
    const JsonValue list = object.member(key, Kind::array);
    if (!list || diagnostics_.has_errors()) return;
    for (const JsonValue& item : list.items()) (this->*read)(item);
  };
  if (removed && !diagnostics_.has_errors()) {
    const JsonValue list = node.member("remove");
    for (const std::string& name : *removed) object.attempt([&] { game_.board.remove_point(name); }, list.where());
  }
  each("triangles", &Reader::read_triangle);
  each("points", &Reader::read_point);
  each("lines", &Reader::read_line);
  object.finish();
}

void Reader::read_triangle(const JsonValue& node) {
  ObjectReader object(node, "a triangle", diagnostics_);
  if (!object.valid()) return;
  const auto side = object.direction("side", true);
  const auto rows = object.required_integer("rows");
  const auto root = object.text("root");
  object.finish();
  if (side && rows) object.attempt([&] { game_.board.attach_triangle(*side, *rows, root.value_or("")); });
}

void Reader::read_point(const JsonValue& node) {
  ObjectReader object(node, "a point", diagnostics_);
  if (!object.valid()) return;
  const JsonValue name = object.required("name");
  Edges edges;
  if (const JsonValue list = object.member("edges", Kind::object)) {
    for (const JsonValue& edge : list.items()) {
      const auto direction = direction_from(edge.key());
      if (!direction) {
        diagnostics_.error(edge.key_range(), fmt::format("'{}' is no direction", edge.key()),
                           allowed_directions(false));
      } else if (object.expect(edge, edge.key(), Kind::string)) {
        edges.emplace_back(*direction, edge.text());
      }
    }
  }
  std::optional<Place> place;
  if (const JsonValue at = object.member("at", Kind::array)) {
    const std::vector<JsonValue> pair = at.items();
    const auto number = [](const JsonValue& value) { return value.kind() == Kind::number; };
    if (pair.size() == 2 && std::ranges::all_of(pair, number))
      place = Place{pair[0].number(), pair[1].number()};
    else
      diagnostics_.error(at.where(), "at must be two numbers: to the east, to the south");
  }
  object.finish();
  if (name && object.expect(name, "name", Kind::string)) {
    object.attempt([&] { game_.board.add_point(name.text(), edges, place); });
  }
}

void Reader::read_line(const JsonValue& node) {
  ObjectReader object(node, "a line", diagnostics_);
  if (!object.valid()) return;
  object.required("from");
  object.required("to");
  const auto from = object.text("from");
  const auto to = object.text("to");
  const auto direction = object.direction("direction");
  object.finish();
  if (from && to && direction) object.attempt([&] { game_.board.add_line(*from, *to, *direction); });
}

void Reader::read_pieces(const JsonValue& node) {
  ObjectReader object(node, "a placement", diagnostics_);
  if (!object.valid()) return;
  static constexpr std::array<std::string_view, 6> kWays = {"points", "rows", "halves", "spokes", "triangle", "clear"};
  std::vector<std::string_view> given;
  for (const std::string_view way : kWays) {
    if (object.member(way)) given.push_back(way);
  }
  const auto player = object.choice<Player>("player");
  const Setup::Options options{object.flag("replace"), object.flag("king")};
  object.finish();
  if (given.size() != 1) {
    diagnostics_.error(node.where(),
                       given.empty() ? "this placement says nothing" : "this placement says several things",
                       fmt::format("exactly one of: {}", fmt::join(kWays, ", ")));
    return;
  }
  const std::string_view way = given.front();
  const JsonValue value = node.member(way);
  Setup& setup = game_.setup;
  const Board& board = game_.board;
  const auto attempt = [&](const std::function<void()>& call) { object.attempt(call, value.where()); };
  if (way == "clear") {
    if (const auto names = object.names_of(value, way)) attempt([&] { setup.clear(board, *names); });
    return;
  }
  if (way == "halves") {
    ObjectReader halves(value, "halves", diagnostics_);
    const auto north = halves.choice<Player>("north").value_or(Player::black);
    const auto middle = halves.choice<MiddleRow>("middle_row").value_or(MiddleRow::empty);
    halves.finish();
    if (halves.valid()) attempt([&] { setup.halves(board, north, middle, options); });
    return;
  }
  if (!player) {
    if (!node.member("player")) diagnostics_.error(node.where(), "a placement needs 'player'", allowed(kTexts<Player>));
    return;
  }
  if (way == "points") {
    if (const auto names = object.names_of(value, way)) attempt([&] { setup.put(board, *player, *names, options); });
  } else if (way == "rows") {
    ObjectReader rows(value, "rows", diagnostics_);
    const int first = rows.integer("first").value_or(0);
    const int last = rows.integer("last").value_or(0);
    rows.finish();
    if (rows.valid() && !diagnostics_.has_errors()) {
      rows.attempt([&] { setup.rows(board, *player, first, last, options); });
    }
  } else if (way == "spokes") {
    if (!object.expect(value, way, Kind::array)) return;
    std::vector<int> spokes;
    for (const JsonValue& item : value.items()) spokes.push_back(object.integer_of(item, way).value_or(-1));
    if (!diagnostics_.has_errors()) attempt([&] { setup.spokes(board, *player, spokes, options); });
  } else {
    const auto side = object.direction("triangle", true);
    if (side) attempt([&] { setup.triangle(board, *player, *side, options); });
  }
}

// "promotion" and "goals": "far-row", or an object with the points of white and of black.
void Reader::read_targets(ObjectReader& object, std::string_view key, std::array<std::set<std::string>, 2>& targets) {
  const JsonValue value = object.member(key);
  if (!value) return;
  if (value.kind() == Kind::string && value.text() == "far-row") {
    for (const Player player : {Player::white, Player::black}) {
      object.attempt([&] { targets[static_cast<std::size_t>(player)] = far_row(game_.board, player); }, value.where());
    }
    return;
  }
  if (value.kind() != Kind::object) {
    diagnostics_.error(value.where(), fmt::format("{} cannot be that", key),
                       "allowed: \"far-row\", or {\"white\": [points], \"black\": [points]}");
    return;
  }
  ObjectReader sides(value, key, diagnostics_);
  for (const Player player : {Player::white, Player::black}) {
    if (const auto names = sides.names(name_of(player))) {
      targets[static_cast<std::size_t>(player)] = std::set<std::string>(names->begin(), names->end());
    }
  }
  sides.finish();
}

void Reader::read_rules(const JsonValue& node) {
  ObjectReader object(node, "rules", diagnostics_);
  if (!object.valid()) return;
  Rules& rules = game_.rules;
  const auto choose = [&](std::string_view key, auto& target) {
    if (const auto value = object.choice<std::remove_reference_t<decltype(target)>>(key)) target = *value;
  };
  choose("captures", rules.captures);
  choose("sequence", rules.sequence);
  choose("steps", rules.steps);
  choose("jumps", rules.jumps);
  choose("flying", rules.flying);
  choose("no_move", rules.no_move);
  choose("on_limit", rules.on_limit);
  choose("first", rules.first);
  choose("compat", rules.compat);
  read_targets(object, "promotion", rules.promotion);
  read_targets(object, "goals", rules.goals);
  rules.min_pieces = object.integer("min_pieces").value_or(0);
  rules.stagnation = object.integer("stagnation");
  rules.max_turns = object.integer("max_turns");
  if (const JsonValue scores = object.member("scores", Kind::array)) {
    const std::vector<JsonValue> three = scores.items();
    if (three.size() != 3) diagnostics_.error(scores.where(), "scores must be three numbers: of a win, a draw, a loss");
    for (std::size_t i = 0; i < 3 && three.size() == 3; ++i) {
      rules.scores[i] = object.integer_of(three[i], "scores").value_or(0);
    }
  }
  object.finish();
  if (!diagnostics_.has_errors()) object.attempt([&] { rules.check(game_.board, game_.setup); });
}

// Reports repeated keys of an object, recursively. kMaxJsonDepth bounds the recursion.
void report_doubled_keys(const JsonValue& value, Diagnostics& diagnostics) {
  std::map<std::string_view, Range> first;
  for (const JsonValue& item : value.items()) {
    if (value.kind() == Kind::object) {
      const auto [known, fresh] = first.try_emplace(item.key(), item.key_range());
      if (!fresh)
        diagnostics.error(item.key_range(), fmt::format("'{}' is given twice", item.key()))
            .notes.push_back({known->second, "first here"});
    }
    report_doubled_keys(item, diagnostics);
  }
}

}  // namespace

std::optional<LineGame> read_definition(const Sources::File& file, Diagnostics& diagnostics) {
  const JsonTree tree(file, diagnostics, {limits::values, kMaxJsonDepth});
  if (tree.empty()) return std::nullopt;
  const JsonValue root(tree, tree.root());
  report_doubled_keys(root, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return Reader(diagnostics).read(root);
}

}  // namespace rgtrans::linegames
