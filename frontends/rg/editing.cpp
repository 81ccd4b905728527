// Finds the names that an RG text declares: types with their members, constants, variables, and nodes. Nodes have a
// name space of their own and are declared by their outgoing edges. An item ends with ';' or before a line that begins
// like an item.
#include "frontends/rg/editing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/support/letters.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans::rg {

namespace {

using namespace outline;

const Lexicon kLexicon{.marks = {"==", "!=", "->", "$$"}};
constexpr unsigned kNodes = 1;  // the name space of nodes

enum Place : unsigned { kItem = 1, kLabel = 2, kPragma = 4, kValue = 8, kType = 16 };

constexpr std::array<LanguageWord, 20> kWords = {{
    {"type", "`type T = { a, b };` a set of symbols, in the order of moves; `type F = A -> B;` maps.",
     "type ${1:T} = { ${2:a, b} };", kItem},
    {"const", "`const c: T = value;` never changes.", "const ${1:c}: ${2:T} = ${3:value};", kItem},
    {"var", "`var v: T = value;` a part of the state, with its first value.", "var ${1:v}: ${2:T} = ${3:value};",
     kItem},
    {"player", "The player to move. An assignment ends the move of the previous player.", {}, kLabel, false},
    {"goals", "`Goals`: the score of each player.", {}, kLabel, false},
    {"visible", "`Visibility`: whether a player sees the tags that come next.", {}, kLabel, false},
    {"keeper", "The game itself, as a player.", {}, kLabel | kValue, false},
    {"random", "Chance, as a player.", {}, kLabel | kValue, false},
    {"Bool", "`{ 0, 1 }`", {}, kType, false},
    {"Goals", "`Player -> Score`", {}, kType, false},
    {"Visibility", "`Player -> Bool`", {}, kType, false},
    {"PlayerOrSystem", "All players, `keeper` and `random`.", {}, kType, false},
    {"artificialTag", "`@artificialTag a b;`: these tags are no part of the names of moves.", "artificialTag ${1};",
     kPragma},
    {"disjoint", "`@disjoint n : a b;`: of the edges from `n` to these nodes at most one is possible.",
     "disjoint ${1:n} : ${2:a} ${3:b};", kPragma},
    {"disjointExhaustive", "As `@disjoint`, and one of them always is.", "disjointExhaustive ${1:n} : ${2:a} ${3:b};",
     kPragma},
    {"repeat", "`@repeat n : v;`: a node that one walk may come to again.", "repeat ${1:n} : ${2:v};", kPragma},
    {"unique", "`@unique n;`: no two walks come to this node with the same state.", "unique ${1:n};", kPragma},
    {"tagIndex", "`@tagIndex n : 0;`: how many tags a move has at this node.", "tagIndex ${1:n} : ${2:0};", kPragma},
    {"iterator", "`@iterator`: how values are gone through here.", {}, kPragma},
    {"simpleApply", "`@simpleApply a b [tag, name: Type] x = y;`: the effect of a move, without a walk.", {}, kPragma},
}};

class Reader {
 public:
  explicit Reader(std::string_view text) : out_(text, kLexicon) {}

  Outline run() {
    add_built_ins();
    split();
    for (const Item& item : items_) declare(item);
    for (const Item& item : items_) read(item);
    return out_.finish();
  }

 private:
  struct Item {
    std::size_t first, end;
  };

  void add_built_ins() {
    const auto publish = [&](DeclaredKind kind, std::string_view name, std::string_view signature, unsigned space = 0) {
      out_.built_in(kind, name, signature);
      if (out_.find(name, space) == kNone) built_ins_.emplace_back(out_.last(), space);
    };
    publish(DeclaredKind::variable, "player", "var player: PlayerOrSystem = keeper;");
    publish(DeclaredKind::variable, "goals", "var goals: Goals;");
    publish(DeclaredKind::variable, "visible", "var visible: Visibility;");
    publish(DeclaredKind::element, "keeper", "a member of PlayerOrSystem");
    publish(DeclaredKind::element, "random", "a member of PlayerOrSystem");
    publish(DeclaredKind::type, "Bool", "type Bool = { 0, 1 };");
    publish(DeclaredKind::type, "Goals", "type Goals = Player -> Score;");
    publish(DeclaredKind::type, "Visibility", "type Visibility = Player -> Bool;");
    publish(DeclaredKind::type, "PlayerOrSystem", "type PlayerOrSystem = Player with keeper and random;");
  }

  [[nodiscard]] bool begins_item(std::size_t i) const {
    if (out_.is(i, "type") || out_.is(i, "const") || out_.is(i, "var")) return out_.is_name(i + 1);
    if (out_.is(i, "@")) return true;
    return out_.is(i + 1, ",") && out_.is(i + 3, ":");
  }

  void split() {
    bool inside = false;
    for (std::size_t i = 0; i < out_.size(); ++i) {
      if (!inside || (out_.at_margin(i) && begins_item(i))) {
        if (inside) items_.back().end = i;
        items_.push_back({i, out_.size()});
        inside = true;
      }
      if (out_.is(i, ";")) {
        items_.back().end = i + 1;
        inside = false;
      }
    }
  }

  [[nodiscard]] bool is_edge(const Item& item) const {
    return item.first + 3 < item.end && out_.is(item.first + 1, ",") && out_.is(item.first + 3, ":");
  }

  void declare(const Item& item) {
    const std::size_t name = item.first + 1;
    const bool named = name < item.end && (out_.is_name(name) || out_.is_number(name));
    if (is_edge(item)) return declare_node(item);
    const auto definition = [&](DeclaredKind kind) -> outline::Declaration& {
      auto& declared = out_.declare(kind, name, out_.span(item.first, item.end));
      declared.signature = out_.line(item.first, item.end);
      out_.publish(out_.last());
      return declared;
    };
    if (named && out_.is(item.first, "const")) definition(DeclaredKind::constant);
    if (named && out_.is(item.first, "var")) {
      auto& declared = definition(DeclaredKind::variable);
      declared.needed = declared.name == "player" || declared.name == "goals" || declared.name == "visible";
    }
    if (!named || !out_.is(item.first, "type")) return;
    auto& type = definition(DeclaredKind::type);
    type.needed = type.name == "Player" || type.name == "Score";
    const NameId id = out_.last();
    for (std::size_t i = name + 1; i < item.end && out_.is(name + 2, "{"); ++i) {
      if ((out_.is_name(i) || out_.is_number(i)) && out_.find(out_.text(i)) == kNone && !out_.is_number(i)) {
        auto& member = out_.declare(DeclaredKind::element, i, out_.span(i, i + 1), id);
        member.signature = fmt::format("{}: a member of {}", out_.text(i), out_.text(name));
        member.listed = false;
        member.needed = true;
        out_.publish(out_.last());
      }
    }
  }

  void declare_node(const Item& item) {
    if (out_.find(out_.text(item.first), kNodes) != kNone) return;
    auto& node = out_.declare(DeclaredKind::node, item.first, out_.span(item.first, item.end));
    node.signature = out_.line(item.first, item.end);
    node.needed = true;
    out_.publish(out_.last(), kNodes);
  }

  // Publish built-in names last: the text's own declarations take precedence.
  void publish_rest() {
    for (const auto& [id, space] : built_ins_) out_.publish(id, space);
    built_ins_.clear();
  }

  void read(const Item& item) {
    publish_rest();
    if (is_edge(item)) return read_edge(item);
    const bool pragma = out_.is(item.first, "@");
    if (pragma || out_.is(item.first, "type") || out_.is(item.first, "const") || out_.is(item.first, "var"))
      out_.keyword(item.first);
    if (pragma && item.first + 1 < item.end) out_.keyword(item.first + 1);
    // Names in a pragma refer to nodes first, then to variables.
    for (std::size_t i = item.first + (pragma ? 2 : 1); i < item.end; ++i) {
      if (!pragma || !use(i, kNodes)) use(i, 0);
    }
  }

  void read_edge(const Item& item) {
    use(item.first, kNodes);
    use(item.first + 2, kNodes);
    const bool check = out_.is(item.first + 4, "?") || out_.is(item.first + 4, "!");
    if (check) {
      const NameId start = out_.find(out_.text(item.first), kNodes);
      const NameId entered = out_.find(out_.text(item.first + 5), kNodes);
      if (start != kNone && entered != kNone) out_.call(start, entered, item.first + 5);
    }
    std::size_t assigned = item.first + 4;
    while (assigned < item.end && !out_.is(assigned, "=")) ++assigned;
    for (std::size_t i = item.first + 4; i < item.end; ++i)
      use(i, check ? kNodes : 0, i == item.first + 4 && assigned < item.end ? Use::writes : Use::reads);
  }

  bool use(std::size_t i, unsigned space, Use how = Use::reads) {
    if (!out_.is_name(i) && !out_.is_number(i)) return false;
    const NameId name = out_.find(out_.text(i), space);
    if (name == kNone) return false;
    out_.use(i, name, how);
    return true;
  }

  Outliner out_;
  std::vector<Item> items_;
  std::vector<std::pair<NameId, unsigned>> built_ins_;
};

Outline read(std::string_view text) { return Reader(text).run(); }

Wanted wanted(const Outline& outline, std::string_view text, std::size_t at) {
  std::vector<std::string_view> item;  // words of the item, in reverse order
  for (std::size_t i = outline.lexemes_before(at); i-- > 0;) {
    if (outline.lexemes[i].kind == LexemeKind::comment) continue;
    const std::string_view word = outline.lexemes[i].at.of(text);
    if (word == ";") break;
    item.push_back(word);
  }
  constexpr unsigned kSymbols = kind_bits(DeclaredKind::element);
  constexpr unsigned kNode = kind_bits(DeclaredKind::node);
  if (item.empty()) return {kNode, kItem};
  const std::string_view first = item.back(), last = item.front();
  const bool has_equals = std::ranges::find(item, "=") != item.end();
  const bool has_colon = std::ranges::find(item, ":") != item.end();
  if (first == "@")
    return {item.size() == 1 ? 0 : kNode | kind_bits(DeclaredKind::variable), item.size() == 1 ? kPragma : 0U};
  if (first == "type") return {has_equals && last != "{" ? kind_bits(DeclaredKind::type) : 0, has_equals ? kType : 0U};
  if (first == "const" || first == "var") {
    if (has_equals) return {kSymbols | kind_bits(DeclaredKind::constant), kValue};
    return {has_colon ? kind_bits(DeclaredKind::type) : 0, has_colon ? kType : 0U};
  }
  if (!has_colon || last == "?" || last == "->" || (last == "!" && item.size() > 1 && item[1] == ":"))
    return {kNode, 0};
  if (last == "$") return {kSymbols, 0};
  return {kSymbols | kind_bits(DeclaredKind::constant, DeclaredKind::variable, DeclaredKind::type), kLabel};
}

bool may_be_name(std::string_view name) {
  return !name.empty() && name != "type" && name != "const" && name != "var" && all_word(name);
}

}  // namespace

const Editing kEditing{.words = kWords, .outline = read, .wanted = wanted, .is_name = may_be_name, .triggers = "@$"};

}  // namespace rgtrans::rg
