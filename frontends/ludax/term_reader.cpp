#include "frontends/ludax/term_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rgtrans::ludax {

using ast::Kind;
using ast::Side;
using ast::Term;

namespace {

constexpr std::int64_t kMostNumber = 1'000'000;

bool stands_bare(Kind kind) { return kind == Kind::empty || kind == Kind::center || kind == Kind::corners; }

std::string_view name_of(WordKind kind) {
  return kind == WordKind::mask ? "mask" : kind == WordKind::function ? "function" : "predicate";
}

}  // namespace

void TermReader::fail(Range where, std::string message, std::string hint) {
  diagnostics_.error(where, std::move(message), std::move(hint));
  throw Failed();
}

// --- Kinds of words. ---

void TermReader::mismatch(const Node& node, std::string_view user, WordKind wanted) {
  const std::string_view word = node.is_list() ? node.head() : node.text;
  const Range where = node.is_list() && !node.items.empty() ? node.items.front().where : node.where;
  const std::string needs = fmt::format("`{}` needs {}", user, describe(wanted));
  if (node.kind == Node::Kind::number) fail(node.where, fmt::format("`{}` is a number, {}", node.text, needs));
  if (word.empty() || node.kind == Node::Kind::string || node.kind == Node::Kind::name) {
    fail(node.where, fmt::format("{}, not {}", needs, shown(node)));
  }
  if (const std::string what = what_is(word); !what.empty()) {
    std::string hint;
    if (wanted != WordKind::mask && find_word(word, WordKind::mask) != nullptr) {
      hint = wanted == WordKind::predicate ? "(exists m) is true when the set m has a cell"
                                           : "(count m) is the number of cells of the set m";
    }
    fail(node.where, fmt::format("{} is {}, {}", shown(node), what, needs), hint);
  }
  const std::array kinds = wanted == WordKind::mask       ? std::array{WordKind::mask, WordKind::mask}
                           : wanted == WordKind::function ? std::array{WordKind::function, WordKind::function}
                                                          : std::array{WordKind::predicate, WordKind::function};
  fail(where, fmt::format("unknown {} `{}`", name_of(wanted), word), nearest(word, kinds));
}

const Word& TermReader::word_of(const Node& node, std::string_view user, WordKind wanted) {
  const bool list = node.is_list();
  if (!list && node.kind != Node::Kind::word) mismatch(node, user, wanted);
  const Word* word = find_word(list ? node.head() : node.text, wanted);
  if (word == nullptr) mismatch(node, user, wanted);
  if (word->text == "pattern") {
    fail(node.where, "`pattern` has no defined meaning in Ludax",
         "the published language has the word in its grammar only; say what you mean with the other masks");
  }
  if (list && stands_bare(word->term)) {
    fail(node.where, fmt::format("`{0}` stands without parentheses and has no arguments", word->text));
  }
  if (!list && !stands_bare(word->term) && word->term != Kind::occupied) {
    fail(node.where, fmt::format("`{0}` needs parentheses: `({0} …)`", word->text));
  }
  return *word;
}

// --- Arguments. ---

Side TermReader::side_or(Arguments& arguments, Side standard) {
  const Node* node = arguments.peek();
  if (node == nullptr || node->kind != Node::Kind::word) return standard;
  if (node->text == "P1" || node->text == "P2") {
    fail(node->where, fmt::format("expected `mover` or `opponent` here, not `{}`", node->text));
  }
  if (node->text != "mover" && node->text != "opponent") return standard;
  arguments.next();
  return node->text == "mover" ? Side::mover : Side::opponent;
}

Side TermReader::side(Arguments& arguments) {
  const Node& node = arguments.need("`mover` or `opponent`");
  if (node.is_word("mover")) return Side::mover;
  if (node.is_word("opponent")) return Side::opponent;
  static constexpr std::array<std::string_view, 2> kSides = {"mover", "opponent"};
  fail(node.where, fmt::format("`{}` needs `mover` or `opponent`, not {}", arguments.head(), shown(node)),
       node.kind == Node::Kind::word ? did_you_mean(node.text, kSides) : "");
}

Side TermReader::player(const Node& node) {
  if (node.is_word("P1")) return Side::p1;
  if (node.is_word("P2")) return Side::p2;
  fail(node.where, fmt::format("expected `P1` or `P2`, not {}", shown(node)));
}

bool TermReader::boolean(const Node& node, std::string_view name) {
  if (node.is_word("true")) return true;
  if (node.is_word("false")) return false;
  fail(node.where, fmt::format("`{}:` is `true` or `false`, not {}", name, shown(node)));
}

std::int64_t TermReader::number(const Node& node) {
  if (node.kind != Node::Kind::number) fail(node.where, fmt::format("expected a number, not {}", shown(node)));
  if (node.text.front() == '-' || node.text.front() == '+') {
    fail(node.where, "numbers are written without a sign here", "(subtract 0 n) is negative");
  }
  std::int64_t value = 0;
  for (char digit : node.text) {
    value = value * 10 + (digit - '0');
    if (value > kMostNumber) fail(node.where, fmt::format("the number is larger than {}", kMostNumber));
  }
  return value;
}

void TermReader::length(const Node& node, Term& term) {
  term.number = number(node);
  term.number_where = node.where;
  if (term.number == 0) fail(node.where, "length must be at least 1");
}

void TermReader::directions(Arguments& arguments, std::string_view name, Term& term) {
  const Node* node = arguments.named(name);
  if (node == nullptr) return;
  const bool known = node->kind == Node::Kind::word &&
                     (name == "orientation" ? is_orientation(node->text) : directions_of_word(node->text) != 0);
  if (!known) {
    static constexpr std::array<std::string_view, 7> kOrientations = {
        "vertical", "horizontal", "orthogonal", "diagonal", "back_diagonal", "forward_diagonal", "any"};
    std::vector<std::string_view> candidates(kOrientations.begin(), kOrientations.end());
    if (name == "direction") candidates.insert(candidates.end(), kDirectionNames.begin(), kDirectionNames.end());
    std::string hint = node->kind == Node::Kind::word ? did_you_mean(node->text, candidates) : "";
    if (hint.empty()) hint = fmt::format("there are {}", fmt::join(candidates, ", "));
    fail(node->where, fmt::format("{} is no {}", shown(*node), name), hint);
  }
  term.directions = directions_of_word(node->text);
  term.directions_where = node->where;
}

// --- Terms. ---

Term TermReader::read(const Node& node, std::string_view user, WordKind wanted) {
  const bool list = node.is_list(), number = node.kind == Node::Kind::number;
  if (wanted == WordKind::predicate &&
      (number || find_word(list ? node.head() : node.text, WordKind::function) != nullptr)) {
    wanted = WordKind::function;
  }
  Term term;
  term.where = term.word = node.where;
  if (number && wanted == WordKind::function) {
    term.number = this->number(node);
    return term;
  }
  term.kind = word_of(node, user, wanted).term;
  if (list) {
    Arguments arguments(node, diagnostics_);
    read_arguments(arguments, term);
    arguments.finish();
    term.word = node.items.front().where;
  }
  return term;
}

void TermReader::operand(Arguments& arguments, std::string_view what, WordKind wanted, Term& term) {
  term.parts.push_back(read(arguments.need(what), arguments.head(), wanted));
}

void TermReader::operands(Arguments& arguments, std::string_view what, WordKind wanted, Term& term) {
  operand(arguments, what, wanted, term);
  while (const Node* node = arguments.next()) term.parts.push_back(read(*node, arguments.head(), wanted));
}

void TermReader::read_arguments(Arguments& arguments, Term& term) {
  constexpr std::string_view kCells = "a set of cells", kNumber = "a number", kCondition = "a condition";
  switch (term.kind) {
    case Kind::every:
    case Kind::either:
      return operands(arguments, kCells, WordKind::mask, term);
    case Kind::add:
    case Kind::multiply:
    case Kind::equal:
      return operands(arguments, kNumber, WordKind::function, term);
    case Kind::all:
    case Kind::any:
      return operands(arguments, kCondition, WordKind::predicate, term);
    case Kind::except:
    case Kind::count:
    case Kind::exists:
      return operand(arguments, kCells, WordKind::mask, term);
    case Kind::negation:
      return operand(arguments, kCondition, WordKind::predicate, term);
    case Kind::subtract:
    case Kind::at_least:
    case Kind::at_most:
      for (int i = 0; i < 2; ++i) operand(arguments, "two numbers", WordKind::function, term);
      break;
    case Kind::adjacent:
      operand(arguments, kCells, WordKind::mask, term);
      return directions(arguments, "direction", term);
    case Kind::custodial: {
      const Node& node = arguments.need("a number or `any`");
      if (!node.is_word("any")) length(node, term);
      term.side = side_or(arguments, Side::mover);
      return directions(arguments, "orientation", term);
    }
    case Kind::edge:
      return edge(arguments.need("the name of an edge"), term);
    case Kind::occupied:
      term.kind = Kind::owned;
      term.side = side(arguments);
      break;
    case Kind::prev_move:
    case Kind::score:
      term.side = side(arguments);
      break;
    case Kind::line:
      length(arguments.need("a length"), term);
      directions(arguments, "orientation", term);
      if (const Node* exact = arguments.named("exact")) term.exact = boolean(*exact, "exact");
      break;
    case Kind::connected:
      targets(arguments.need("targets: `corners`, `edges`, `edgesNoCorners` or a list of sets of cells"), term);
      term.side = side_or(arguments, Side::mover);
      return directions(arguments, "direction", term);
    case Kind::mover_is:
      term.side = player(arguments.need("`P1` or `P2`"));
      break;
    case Kind::passed:
      return passed(arguments.need("`mover`, `opponent` or `both`"), term);
    case Kind::empty:
    case Kind::center:
    case Kind::corners:
    case Kind::owned:
    case Kind::number:
    case Kind::full_board:
      break;
  }
}

void TermReader::edge(const Node& node, Term& term) {
  const auto it = std::ranges::find(kEdgeNames, node.text);
  if (node.kind != Node::Kind::word || it == kEdgeNames.end()) {
    fail(node.where, fmt::format("{} is no edge", shown(node)),
         fmt::format("there are {}", fmt::join(kEdgeNames, ", ")));
  }
  term.edge = static_cast<Edge>(it - kEdgeNames.begin());
  term.number_where = node.where;
}

void TermReader::passed(const Node& node, Term& term) {
  static constexpr std::array<std::string_view, 5> kWho = {"mover", "opponent", "P1", "P2", "both"};
  const auto it = std::ranges::find(kWho, node.text);
  if (node.kind != Node::Kind::word || it == kWho.end()) {
    fail(node.where, fmt::format("`passed` needs `mover`, `opponent` or `both`, not {}", shown(node)),
         node.kind == Node::Kind::word ? did_you_mean(node.text, kWho) : "");
  }
  term.side = static_cast<Side>(it - kWho.begin());
}

void TermReader::targets(const Node& node, Term& term) {
  static constexpr std::array<std::string_view, 3> kNames = {"corners", "edges", "edgesNoCorners"};
  if (node.kind == Node::Kind::word) {
    const auto it = std::ranges::find(kNames, node.text);
    if (it != kNames.end()) {
      term.targets = static_cast<ast::Targets>(1 + (it - kNames.begin()));
      return;
    }
  }
  if (!node.is_list() || node.items.empty() || !node.head().empty()) {
    // `((edge top) (edge bottom))` is a list of masks. So is `(corners center)`, although it begins with a word.
    const bool masks =
        node.is_list() && !node.items.empty() &&
        (node.items.front().is_word("corners") || node.items.front().is_word("center") ||
         node.items.front().is_word("empty") ||
         (node.items.front().is_word("occupied") &&
          !(node.items.size() == 2 && (node.items[1].is_word("mover") || node.items[1].is_word("opponent")))));
    if (!masks) {
      std::string hint = node.kind == Node::Kind::word ? did_you_mean(node.text, kNames) : "";
      if (hint.empty())
        hint = "targets are `corners`, `edges`, `edgesNoCorners`, or a list such as ((edge top) center)";
      fail(node.where, fmt::format("`connected` needs targets, not {}", shown(node)), hint);
    }
  }
  for (const Node& item : node.items) term.parts.push_back(mask(item, "connected"));
}

}  // namespace rgtrans::ludax
