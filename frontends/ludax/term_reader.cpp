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

// --- Which word it is. ---

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

Term TermReader::mask(const Node& node, std::string_view user) {
  const Word& word = word_of(node, user, WordKind::mask);
  Term term;
  if (node.is_list()) {
    Arguments arguments(node, diagnostics_);
    term = mask_with_arguments(word.term, arguments);
    arguments.finish();
    term.word = node.items.front().where;
  } else {
    term.word = node.where;
    term.kind = word.term;
  }
  term.where = node.where;
  return term;
}

Term TermReader::list_of_masks(Kind kind, Arguments& arguments) {
  Term term;
  term.kind = kind;
  term.parts.push_back(mask(arguments.need("a set of cells"), arguments.head()));
  while (const Node* node = arguments.next()) term.parts.push_back(mask(*node, arguments.head()));
  return term;
}

Term TermReader::mask_with_arguments(Kind kind, Arguments& arguments) {
  Term term;
  term.kind = kind;
  switch (kind) {
    case Kind::every:
    case Kind::either:
      return list_of_masks(kind, arguments);
    case Kind::except:
      term.parts.push_back(mask(arguments.need("a set of cells"), "not"));
      break;
    case Kind::adjacent:
      term.parts.push_back(mask(arguments.need("a set of cells"), "adjacent"));
      directions(arguments, "direction", term);
      break;
    case Kind::custodial: {
      const Node& node = arguments.need("a number or `any`");
      if (!node.is_word("any")) length(node, term);
      term.side = side_or(arguments, Side::mover);
      directions(arguments, "orientation", term);
      break;
    }
    case Kind::edge: {
      const Node& node = arguments.need("the name of an edge");
      const auto it = std::ranges::find(kEdgeNames, node.text);
      if (node.kind != Node::Kind::word || it == kEdgeNames.end()) {
        fail(node.where, fmt::format("{} is no edge", shown(node)),
             fmt::format("there are {}", fmt::join(kEdgeNames, ", ")));
      }
      term.edge = static_cast<Edge>(it - kEdgeNames.begin());
      term.number_where = node.where;
      break;
    }
    case Kind::occupied:
      term.kind = Kind::owned;
      term.side = side(arguments);
      break;
    default:  // prev_move
      term.side = side(arguments);
      break;
  }
  return term;
}

Term TermReader::function(const Node& node, std::string_view user) {
  Term term;
  term.where = term.word = node.where;
  if (node.kind == Node::Kind::number) {
    term.kind = Kind::number;
    term.number = number(node);
    return term;
  }
  const Word& word = word_of(node, user, WordKind::function);
  Arguments arguments(node, diagnostics_);
  term = function_with_arguments(word.term, arguments);
  arguments.finish();
  term.where = node.where;
  term.word = node.items.front().where;
  return term;
}

Term TermReader::function_with_arguments(Kind kind, Arguments& arguments) {
  Term term;
  term.kind = kind;
  const std::string_view head = arguments.head();
  switch (kind) {
    case Kind::add:
    case Kind::multiply:
      term.parts.push_back(function(arguments.need("a number"), head));
      while (const Node* node = arguments.next()) term.parts.push_back(function(*node, head));
      break;
    case Kind::subtract:
      for (int i = 0; i < 2; ++i) term.parts.push_back(function(arguments.need("two numbers"), head));
      break;
    case Kind::count:
      term.parts.push_back(mask(arguments.need("a set of cells"), head));
      break;
    case Kind::score:
      term.side = side(arguments);
      break;
    case Kind::line:
      length(arguments.need("a length"), term);
      directions(arguments, "orientation", term);
      if (const Node* exact = arguments.named("exact")) term.exact = boolean(*exact, "exact");
      break;
    default:  // connected
      targets(arguments.need("targets: `corners`, `edges`, `edgesNoCorners` or a list of sets of cells"), term);
      term.side = side_or(arguments, Side::mover);
      directions(arguments, "direction", term);
      break;
  }
  return term;
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
    // `((edge top) (edge bottom))` is a list of masks; `(corners center)` one, too, although it begins with a word.
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

Term TermReader::predicate(const Node& node, std::string_view user) {
  const std::string_view word_text = node.is_list() ? node.head() : node.text;
  if (node.kind == Node::Kind::number || find_word(word_text, WordKind::function) != nullptr) {
    return function(node, user);
  }
  const Word& word = word_of(node, user, WordKind::predicate);
  Arguments arguments(node, diagnostics_);
  Term term = predicate_with_arguments(word.term, arguments);
  arguments.finish();
  term.where = node.where;
  term.word = node.items.front().where;
  return term;
}

Term TermReader::predicate_with_arguments(Kind kind, Arguments& arguments) {
  Term term;
  term.kind = kind;
  const std::string_view head = arguments.head();
  switch (kind) {
    case Kind::all:
    case Kind::any:
      term.parts.push_back(predicate(arguments.need("a condition"), head));
      while (const Node* node = arguments.next()) term.parts.push_back(predicate(*node, head));
      break;
    case Kind::negation:
      term.parts.push_back(predicate(arguments.need("a condition"), head));
      break;
    case Kind::equal:
      term.parts.push_back(function(arguments.need("a number"), head));
      while (const Node* node = arguments.next()) term.parts.push_back(function(*node, head));
      break;
    case Kind::at_least:
    case Kind::at_most:
      for (int i = 0; i < 2; ++i) term.parts.push_back(function(arguments.need("two numbers"), head));
      break;
    case Kind::exists:
      term.parts.push_back(mask(arguments.need("a set of cells"), head));
      break;
    case Kind::mover_is:
      term.side = player(arguments.need("`P1` or `P2`"));
      break;
    case Kind::passed: {
      const Node& node = arguments.need("`mover`, `opponent` or `both`");
      static constexpr std::array<std::string_view, 5> kWho = {"mover", "opponent", "P1", "P2", "both"};
      const auto it = std::ranges::find(kWho, node.text);
      if (node.kind != Node::Kind::word || it == kWho.end()) {
        fail(node.where, fmt::format("`passed` needs `mover`, `opponent` or `both`, not {}", shown(node)),
             node.kind == Node::Kind::word ? did_you_mean(node.text, kWho) : "");
      }
      term.side = static_cast<Side>(it - kWho.begin());
      break;
    }
    default:  // full_board
      break;
  }
  return term;
}

}  // namespace rgtrans::ludax
