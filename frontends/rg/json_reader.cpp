// Converts the JSON form to a syntax tree. Unknown keys are ignored. `kind` is required only if it determines the
// object.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>

#include "core/support/depth.hpp"
#include "core/support/json_tree.hpp"
#include "frontends/rg/limits.hpp"
#include "frontends/rg/names.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans::rg {

namespace {

class JsonReader {
 public:
  JsonReader(ast::Program& program, const JsonTree& tree, Diagnostics& diagnostics)
      : program_(program), tree_(tree), diagnostics_(diagnostics) {}

  void run() {
    const Row game = tree_.root();
    if (!struct_like(game, "GameDeclaration")) return;
    each(game, "types", [&](Row row) { definition(row, "TypeDeclaration", nullptr, program_.type_defs); });
    each(game, "constants", [&](Row row) { definition(row, "ConstantDeclaration", "value", program_.constants); });
    each(game, "variables",
         [&](Row row) { definition(row, "VariableDeclaration", "defaultValue", program_.variables); });
    each(game, "edges", [&](Row row) { edge(row); });
    each(game, "pragmas", [&](Row row) { pragma(row); });
    words(game);
  }

 private:
  using Row = JsonTree::Row;
  using Kind = JsonTree::Kind;

  // Thrown after a mistake was reported; the enclosing part is omitted.
  struct Broken {};

  [[noreturn]] void fail(Row row, std::string message, std::string hint = {}) {
    Range where = tree_.where(row);
    if (tree_.kind(row) == Kind::object || tree_.kind(row) == Kind::array) where.end = where.begin + 1;
    diagnostics_.error(where, std::move(message), std::move(hint));
    throw Broken{};
  }

  [[nodiscard]] Deeper enter(Row row) {
    if (depth_ > kMaxNesting) fail(row, fmt::format("nested more than {} levels deep", kMaxNesting));
    return Deeper(depth_);
  }

  Row member(Row object, std::string_view key, Kind kind, std::string_view owner) {
    const Row row = tree_.member(object, key);
    if (row == kNone) fail(object, fmt::format("{} has no key \"{}\"", owner, key));
    if (tree_.kind(row) != kind) {
      fail(row,
           fmt::format("\"{}\" of {} must be {}, not {}", key, owner, kind_name(kind), kind_name(tree_.kind(row))));
    }
    return row;
  }

  // Calls f for each element. After a mistake in one element, the others are still read.
  template <typename F>
  void each(Row object, std::string_view key, F&& f) {
    Row list = kNone;
    try {
      list = member(object, key, Kind::array, "GameDeclaration");
    } catch (const Broken&) {
      return;
    }
    for (Row row = tree_.first(list); row != kNone && !diagnostics_.full(); row = tree_.next(row)) {
      try {
        f(row);
      } catch (const Broken&) {
        continue;
      }
    }
  }

  // Checks an object whose kind is determined by its place. A contradicting kind is a mistake.
  bool struct_like(Row row, std::string_view kind) {
    if (tree_.kind(row) != Kind::object) {
      try {
        fail(row, fmt::format("expected an object of kind {}, found {}", kind, kind_name(tree_.kind(row))));
      } catch (const Broken&) {
        return false;
      }
    }
    const Row given = tree_.member(row, "kind");
    if (given == kNone || tree_.text(given) == kind) return true;
    diagnostics_.error(tree_.where(given), fmt::format("expected kind {}, found {}", kind, shown(given)));
    return false;
  }
  void require(Row row, std::string_view kind) {
    if (!struct_like(row, kind)) throw Broken{};
  }

  // The index of the object's kind in `kinds`.
  std::size_t kind_of(Row row, std::string_view what, std::span<const std::string_view> kinds) {
    if (tree_.kind(row) != Kind::object) {
      fail(row, fmt::format("expected {} (an object), found {}", what, kind_name(tree_.kind(row))));
    }
    const Row kind = member(row, "kind", Kind::string, what);
    const auto it = std::ranges::find(kinds, tree_.text(kind));
    if (it == kinds.end()) {
      fail(kind, fmt::format("{} is not a kind of {}", shown(kind), what), did_you_mean(tree_.text(kind), kinds));
    }
    return static_cast<std::size_t>(it - kinds.begin());
  }

  std::string shown(Row row) const {
    constexpr std::size_t kLongest = 40;
    const std::string_view text = tree_.text(row);
    return text.size() <= kLongest ? std::string(text) : std::string(text.substr(0, kLongest)) + "…";
  }

  Range name_at(Row row) {
    if (tree_.kind(row) != Kind::string)
      fail(row, fmt::format("expected a name, found {}", kind_name(tree_.kind(row))));
    const std::string_view text = tree_.text(row);
    if (is_keyword(text)) fail(row, fmt::format("the keyword {} cannot be a name", text));
    if (!is_name(text)) {
      fail(row, fmt::format("'{}' is not a name", shown(row)), "a name consists of letters, digits and _");
    }
    return tree_.where(row);
  }
  Range name(Row object, std::string_view key, std::string_view owner) {
    return name_at(member(object, key, Kind::string, owner));
  }

  // The author's texts of symbols, which other tools need not write.
  void words(Row game) {
    if (tree_.member(game, "words") == kNone) return;
    try {
      const Row list = member(game, "words", Kind::object, "GameDeclaration");
      for (Row row = tree_.first(list); row != kNone; row = tree_.next(row)) {
        const std::string_view text = tree_.text(row);
        if (tree_.kind(row) != Kind::string || text.empty() || text.find_first_of("\r\n") != std::string_view::npos)
          fail(row, "the text of a symbol is a string of one line");
        program_.words.emplace(tree_.key(row), text);
      }
    } catch (const Broken&) {
      return;
    }
  }

  // --- Types, values, expressions ---
  std::uint32_t type_member(Row object, std::string_view key, std::string_view owner) {
    return type(member(object, key, Kind::object, owner));
  }

  std::uint32_t type(Row row) {
    const Deeper deeper = enter(row);
    static constexpr std::string_view kKinds[] = {"TypeReference", "Arrow", "Set"};
    switch (kind_of(row, "a type", kKinds)) {
      case 0:
        return ast::add(program_.types, {ast::Type::Kind::name, name(row, "identifier", "TypeReference"), 0, 0});
      case 1: {
        const std::uint32_t from = type_member(row, "lhs", "Arrow");
        const std::uint32_t to = type_member(row, "rhs", "Arrow");
        if (program_.types[from].kind == ast::Type::Kind::arrow) {
          fail(tree_.member(row, "lhs"), "the source of an arrow must be a name or a set");
        }
        return ast::add(program_.types, {ast::Type::Kind::arrow, tree_.where(row), from, to});
      }
      default:
        break;
    }
    const ast::Slice members = names(row, "identifiers", "Set");
    if (members.size() == 0) fail(row, "a set has at least one member");
    return ast::add(program_.types, {ast::Type::Kind::set, tree_.where(row), members.begin, members.end});
  }

  // Calls at(row) for each element of a list.
  ast::Slice list(Row object, std::string_view key, std::string_view owner, Range (JsonReader::*at)(Row)) {
    const auto begin = static_cast<std::uint32_t>(program_.names.size());
    const Row list = member(object, key, Kind::array, owner);
    for (Row row = tree_.first(list); row != kNone; row = tree_.next(row)) program_.names.push_back((this->*at)(row));
    return {begin, static_cast<std::uint32_t>(program_.names.size())};
  }
  ast::Slice names(Row object, std::string_view key, std::string_view owner) {
    return list(object, key, owner, &JsonReader::name_at);
  }
  ast::Slice nodes(Row object, std::string_view key, std::string_view owner) {
    return list(object, key, owner, &JsonReader::node_at);
  }

  std::uint32_t value(Row row) {
    const Deeper deeper = enter(row);
    static constexpr std::string_view kKinds[] = {"Element", "Map"};
    if (kind_of(row, "a value", kKinds) == 0) {
      return ast::add(program_.values, {false, name(row, "identifier", "Element"), {}});
    }
    std::vector<ast::Entry> entries;
    const Row list = member(row, "entries", Kind::array, "Map");
    for (Row item = tree_.first(list); item != kNone; item = tree_.next(item)) {
      require(item, "ValueEntry");
      const Row key = tree_.member(item, "identifier");
      const bool is_default = key == kNone || tree_.kind(key) == Kind::null;
      const Range where = is_default ? tree_.where(key == kNone ? item : key) : name_at(key);
      entries.push_back({where, is_default, value(member(item, "value", Kind::object, "ValueEntry"))});
    }
    const auto begin = static_cast<std::uint32_t>(program_.entries.size());
    program_.entries.insert(program_.entries.end(), entries.begin(), entries.end());
    const ast::Slice slice{begin, static_cast<std::uint32_t>(program_.entries.size())};
    return ast::add(program_.values, {true, tree_.where(row), slice});
  }

  std::uint32_t expression_member(Row object, std::string_view key, std::string_view owner) {
    return expression(member(object, key, Kind::object, owner));
  }

  std::uint32_t expression(Row row) {
    const Deeper deeper = enter(row);
    static constexpr std::string_view kKinds[] = {"Reference", "Access", "Cast"};
    switch (kind_of(row, "an expression", kKinds)) {
      case 0: {
        const Range where = name(row, "identifier", "Reference");
        return ast::add(program_.expressions, {ast::Expression::Kind::name, where, where, 0, 0});
      }
      case 1: {
        const std::uint32_t map = expression_member(row, "lhs", "Access");
        const std::uint32_t index = expression_member(row, "rhs", "Access");
        return ast::add(program_.expressions, {ast::Expression::Kind::access, tree_.where(row), {}, map, index});
      }
      default:
        break;
    }
    const Row to = member(row, "lhs", Kind::object, "Cast");
    static constexpr std::string_view kNamed[] = {"TypeReference"};
    kind_of(to, "the type of a cast", kNamed);
    const Range target = name(to, "identifier", "TypeReference");
    const std::uint32_t operand = expression_member(row, "rhs", "Cast");
    return ast::add(program_.expressions, {ast::Expression::Kind::cast, tree_.where(row), target, operand, 0});
  }

  // --- Items ---
  void definition(Row row, std::string_view kind, const char* value_key, std::vector<ast::Definition>& list) {
    require(row, kind);
    ast::Definition def;
    def.where = tree_.where(row);
    def.name = name(row, "identifier", kind);
    def.type = type_member(row, "type", kind);
    if (value_key != nullptr) def.value = value(member(row, value_key, Kind::object, kind));
    list.push_back(def);
  }

  Range node_at(Row row) {
    require(row, "Node");
    return name(row, "identifier", "Node");
  }
  Range node(Row object, std::string_view key, std::string_view owner) {
    return node_at(member(object, key, Kind::object, owner));
  }

  bool negated(Row object, std::string_view owner) {
    return tree_.text(member(object, "negated", Kind::boolean, owner)) == "true";
  }

  void edge(Row row) {
    require(row, "EdgeDeclaration");
    ast::Edge edge;
    edge.source = node(row, "lhs", "EdgeDeclaration");
    edge.target = node(row, "rhs", "EdgeDeclaration");
    label(member(row, "label", Kind::object, "EdgeDeclaration"), edge);
    edge.end = tree_.where(row).end;
    program_.edges.push_back(edge);
  }

  void label(Row row, ast::Edge& edge) {
    using enum ast::Edge::Label;
    static constexpr std::string_view kKinds[] = {"Skip",         "Comparison", "Assignment", "AssignmentAny",
                                                  "Reachability", "Tag",        "TagVariable"};
    static constexpr ast::Edge::Label kLabels[] = {empty, compare, assign, assign_any, reachability, tag, tag_variable};
    const std::size_t kind = kind_of(row, "a label", kKinds);
    const std::string_view owner = kKinds[kind];
    edge.label = kLabels[kind];
    switch (edge.label) {
      case empty:
        break;
      case compare:
      case assign:
        edge.a = expression_member(row, "lhs", owner);
        edge.b = expression_member(row, "rhs", owner);
        edge.negated = edge.label == compare && negated(row, owner);
        break;
      case assign_any:
        edge.a = expression_member(row, "lhs", owner);
        edge.b = type_member(row, "rhs", owner);
        break;
      case reachability:
        edge.a = ast::add(program_.names, node(row, "lhs", owner));
        edge.b = ast::add(program_.names, node(row, "rhs", owner));
        edge.negated = negated(row, owner);
        break;
      case tag:
        edge.a = ast::add(program_.names, name(row, "symbol", owner));
        break;
      case tag_variable:
        edge.a = ast::add(program_.names, name(row, "identifier", owner));
        break;
    }
  }

  // --- Pragmas ---
  ast::Slice node_list(Row object, std::initializer_list<std::string_view> keys, std::string_view owner) {
    const auto begin = static_cast<std::uint32_t>(program_.names.size());
    for (std::string_view key : keys) program_.names.push_back(node(object, key, owner));
    return {begin, static_cast<std::uint32_t>(program_.names.size())};
  }

  std::uint64_t number(Row object, std::string_view key, std::string_view owner, std::uint64_t most) {
    const Row row = member(object, key, Kind::number, owner);
    const std::string_view text = tree_.text(row);
    std::uint64_t result = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
    if (error == std::errc() && end == text.data() + text.size() && result <= most) return result;
    fail(row, fmt::format("\"{}\" of {} must be an integer from 0 to {}", key, owner, most));
  }

  void apply(Row row, std::string_view owner, ast::PragmaText& pragma) {
    pragma.first = node_list(row, {"lhs", "rhs"}, owner);
    const Row tags = member(row, "tags", Kind::array, owner);
    for (Row item = tree_.first(tags); item != kNone; item = tree_.next(item)) {
      if (tree_.kind(item) != Kind::object) fail(item, "a tag is {\"Symbol\": …} or {\"Variable\": …}");
      if (const Row symbol = tree_.member(item, "Symbol"); symbol != kNone) {
        pragma.tags.push_back({name(symbol, "symbol", "Symbol"), kNone});
      } else if (const Row variable = tree_.member(item, "Variable"); variable != kNone) {
        const Range bound = name(variable, "identifier", "Variable");
        pragma.tags.push_back({bound, type_member(variable, "type", "Variable")});
      } else {
        fail(item, "a tag is {\"Symbol\": …} or {\"Variable\": …}");
      }
    }
    const Row effects = member(row, "assignments", Kind::array, owner);
    for (Row item = tree_.first(effects); item != kNone; item = tree_.next(item)) {
      const std::uint32_t lhs = expression_member(item, "lhs", "assignment");
      pragma.effects.push_back({lhs, expression_member(item, "rhs", "assignment")});
    }
  }

  void pragma(Row row) {
    using enum ast::PragmaText::Kind;
    static constexpr std::string_view kKinds[] = {
        "ArtificialTag", "Disjoint",    "DisjointExhaustive", "Integer",
        "Iterator",      "Repeat",      "SimpleApply",        "SimpleApplyExhaustive",
        "TagIndex",      "TagMaxIndex", "TranslatedFromRbg",  "Unique",
        "Unknown"};
    ast::PragmaText pragma;
    const std::size_t kind = kind_of(row, "a pragma", kKinds);
    const std::string_view owner = kKinds[kind];
    pragma.kind = static_cast<ast::PragmaText::Kind>(kind);  // both lists have the same order
    pragma.where = tree_.where(row);
    switch (pragma.kind) {
      case artificial_tag:
        pragma.first = names(row, "tags", owner);
        break;
      case disjoint:
      case disjoint_exhaustive:
        pragma.first = node_list(row, {"node"}, owner);
        pragma.second = nodes(row, "nodes", owner);
        break;
      case integer:
        pragma.number = number(row, "offset", owner, ~std::uint64_t{0});
        pragma.second = names(row, "identifiers", owner);
        break;
      case iterator:
        pragma.first = node_list(row, {"node_a", "node_b", "node_c"}, owner);
        pragma.second.begin = ast::add(program_.names, name(row, "variable", owner));
        pragma.second.end = pragma.second.begin + 1;
        break;
      case repeat:
        pragma.first = nodes(row, "nodes", owner);
        pragma.second = names(row, "identifiers", owner);
        break;
      case simple_apply:
      case simple_apply_exhaustive:
        apply(row, owner, pragma);
        break;
      case tag_index:
      case tag_max_index:
        pragma.number = number(row, "index", owner, 0xffffffffU);
        pragma.first = nodes(row, "nodes", owner);
        break;
      case translated_from_rbg:
        break;
      case unique:
        pragma.first = nodes(row, "nodes", owner);
        break;
      case unknown: {
        const Row content = member(row, "content", Kind::string, owner);
        if (tree_.text(content).find(';') != std::string_view::npos) fail(content, "the text of a pragma has no ';'");
        if (begins_like_known_pragma(tree_.text(content)))
          fail(content, "this pragma is known: it has a kind of its own");
        pragma.content = tree_.where(content);
        break;
      }
    }
    program_.pragmas.push_back(std::move(pragma));
  }

  ast::Program& program_;
  const JsonTree& tree_;
  Diagnostics& diagnostics_;
  std::size_t depth_ = 0;
};

}  // namespace

ast::Program parse_json(const Sources::File& file, Diagnostics& diagnostics) {
  ast::Program program;
  program.file = &file;
  // Each level of a map value takes three levels of JSON.
  const JsonTree tree(file, diagnostics,
                      {limits::json_values, static_cast<std::size_t>(3 * kMaxNesting + 32), kMaxNesting.advice()});
  program.respelt = tree.respelt();
  if (!tree.empty()) JsonReader(program, tree, diagnostics).run();
  return program;
}

}  // namespace rgtrans::rg
