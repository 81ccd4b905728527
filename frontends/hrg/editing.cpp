// Finds the names that an HRG text declares. A declaration begins at the margin, or outside of brackets, with `domain`,
// `graph` or `name :`. It extends to the next one, so that a missing bracket affects only one declaration.
#include "frontends/hrg/editing.hpp"

#include <algorithm>
#include <array>

#include "core/support/letters.hpp"
#include "frontends/hrg/parser.hpp"

namespace rgtrans::hrg {

namespace {

using namespace outline;

const Lexicon kLexicon{.marks = {"==", "!=", "<=", ">=", "->", "..", "&&", "||", "$$"}};

// The places where a word can occur.
enum Place : unsigned { kTop = 1, kStatement = 2, kExpression = 4, kCondition = 8, kType = 16, kAfterElement = 32 };

constexpr std::array<LanguageWord, 30> kWords = {{
    {"domain",
     "`domain D = a | b` declares a set of values. An element is a name, another domain, or a constructor such as "
     "`S(F, R) where F in 1..8, R in 1..8`.",
     "domain ${1:Name} = ${2:a} | ${3:b}", kTop},
    {"graph",
     "`graph g(p : T) { … }` declares a piece of play: statements that are followed from top to bottom. A play begins "
     "in `rules()`.",
     "graph ${1:name}(${2}) {\n  $0\n}", kTop},
    {"reusable", "`reusable graph g() { … }`: the automaton has one copy of the graph, which all calls share.",
     "reusable graph ${1:name}(${2}) {\n  $0\n}", kTop},
    {"branch", "`branch { … } or { … }` offers several ways to go on; `branch x in T { … }` one way for each value.",
     "branch {\n  $1\n} or {\n  $2\n}", kStatement},
    {"or", "The next arm of a `branch`.", "or {\n  $0\n}", kStatement},
    {"loop", "`loop { … }` repeats for ever; `break()` leaves it.", "loop {\n  $0\n}", kStatement},
    {"repeat", "`repeat 3 { … }` does the same several times; `repeat x in T { … }` once for each value, in order.",
     "repeat ${1:2} {\n  $0\n}", kStatement},
    {"while", "`while condition { … }`.", "while ${1:condition} {\n  $0\n}", kStatement},
    {"if", "`if condition { … } else { … }`; in an expression `if c then a else b`.", "if ${1:condition} {\n  $0\n}",
     kStatement},
    {"if", "`if c then a else b` is one of two values; there is always an `else`.",
     "if ${1:condition} then ${2:a} else ${3:b}", kExpression},
    {"forall", "`forall x : T { … }` does the same for each value of `T`.", "forall ${1:x} : ${2:T} {\n  $0\n}",
     kStatement},
    {"then", "`if c then a else b`.", {}, kExpression},
    {"else", "What happens, or which value it is, when the condition does not hold.", {}, kStatement | kExpression},
    {"in",
     "`x in D`: the value is an element of the domain; `X in 1..8` and `X in { a, b }` say which values a name stands "
     "for.",
     {},
     kExpression | kCondition},
    {"where", "`where X in 1..8, Y in { a, b }` after an element or an entry of a map: repeats it for all values.",
     "where ${1:X} in ${2:1}..${3:8}", kAfterElement | kExpression},
    {"check", "`check(condition)`: only walks on which the condition holds go on here.", "check(${1:condition})",
     kStatement},
    {"end", "`end()` ends the play.", "end()", kStatement},
    {"return", "`return()` leaves the graph.", "return()", kStatement},
    {"break", "`break()` leaves the loop.", "break()", kStatement},
    {"continue", "`continue()` begins the next round of the loop.", "continue()", kStatement},
    {"not", "`not(condition)`.", "not(${1:condition})", kCondition},
    {"reachable",
     "`reachable(g(x))`: there is a walk through the graph from here. What is done on the way is taken back.",
     "reachable(${1:graph}())", kCondition},
    {"true", "`true()` always holds.", "true()", kCondition},
    {"false", "`false()` never holds.", "false()", kCondition},
    {"player",
     "The player to move. An assignment ends the move of the previous player.",
     {},
     kStatement | kExpression | kCondition,
     false},
    {"goals",
     "The score of each player; it counts when the play ends.",
     {},
     kStatement | kExpression | kCondition,
     false},
    {"visible", "Whether a player sees the tags that come next.", {}, kStatement | kExpression, false},
    {"keeper",
     "The game itself, as a player: it makes the steps between moves and never has a choice.",
     {},
     kExpression | kCondition,
     false},
    {"random", "Chance, as a player: all its moves have the same probability.", {}, kExpression | kCondition, false},
    {"PlayerOrSystem", "All players, `keeper` and `random`.", {}, kType, false},
}};

bool is_keyword(std::string_view text) {
  return std::ranges::any_of(kWords, [&](const LanguageWord& word) { return word.keyword && word.text == text; });
}

class Reader {
 public:
  explicit Reader(std::string_view text) : out_(text, kLexicon) {}

  Outline run() {
    add_built_ins();
    split();
    for (const Chunk& chunk : chunks_) declare(chunk);
    for (const Chunk& chunk : chunks_) read(chunk);
    return out_.finish();
  }

 private:
  enum class Form : std::uint8_t { domain, graph, value, cases, other };
  struct Chunk {
    std::size_t first, end;
    Form form;
    NameId name = kNone;
  };

  void add_built_ins() {
    const std::pair<const char*, const char*> kVariables[] = {{"player", "player : PlayerOrSystem = keeper"},
                                                              {"goals", "goals : Player -> Score"},
                                                              {"visible", "visible : Player -> Bool"}};
    for (const auto& [name, signature] : kVariables) publish(DeclaredKind::variable, name, signature);
    for (const char* name : {"keeper", "random"}) publish(DeclaredKind::element, name, "an element of PlayerOrSystem");
    publish(DeclaredKind::type, "PlayerOrSystem", "domain PlayerOrSystem = keeper | random | Player");
  }
  void publish(DeclaredKind kind, std::string_view name, std::string_view signature) {
    out_.built_in(kind, name, signature);
    out_.publish(out_.last());
  }

  // --- Begins of declarations. ---

  [[nodiscard]] Form form_at(std::size_t i, std::size_t depth) const {
    const bool margin = out_.at_margin(i);
    if (depth > 0 && !margin) return Form::other;
    if (out_.is(i, "domain")) return Form::domain;
    if (out_.is(i, "graph") || (out_.is(i, "reusable") && out_.is(i + 1, "graph"))) return Form::graph;
    if (!out_.is_name(i) || is_keyword(out_.text(i))) return Form::other;
    if (out_.is(i + 1, ":")) return Form::value;
    return depth == 0 && out_.is(i + 1, "(") ? Form::cases : Form::other;
  }

  void split() {
    std::size_t depth = 0;
    for (std::size_t i = 0; i < out_.size(); ++i) {
      const std::string_view text = out_.text(i);
      if (out_.first_in_line(i)) {
        if (const Form form = form_at(i, depth); form != Form::other) {
          if (!chunks_.empty()) chunks_.back().end = i;
          chunks_.push_back({i, out_.size(), form});
          depth = 0;
        }
      }
      if (text == "(" || text == "[" || text == "{") ++depth;
      if ((text == ")" || text == "]" || text == "}") && depth > 0) --depth;
    }
  }

  // --- Global declarations. ---

  void declare(const Chunk& chunk) {
    switch (chunk.form) {
      case Form::domain:
        return declare_domain(chunk);
      case Form::graph:
        return declare_graph(chunk);
      case Form::value:
        return declare_value(chunk);
      default:
        return;
    }
  }

  NameId& name_of(const Chunk& chunk) { return chunks_[static_cast<std::size_t>(&chunk - chunks_.data())].name; }

  void declare_domain(const Chunk& chunk) {
    if (!out_.is_name(chunk.first + 1)) return;
    auto& domain = out_.declare(DeclaredKind::type, chunk.first + 1, out_.span(chunk.first, chunk.end));
    domain.signature = out_.line(chunk.first, chunk.end);
    domain.needed = domain.name == "Player" || domain.name == "Score";
    const NameId id = name_of(chunk) = out_.last();
    out_.publish(id);
    for (std::size_t i = chunk.first + 2; i < chunk.end; ++i) {
      if (out_.is(i, "=") || out_.is(i, "|")) declare_element(i + 1, chunk.end, id);
      if (out_.is(i, "(") || out_.is(i, "{")) i = out_.closing(i, chunk.end);
    }
  }

  // The name of another domain is not a declaration. That domain may follow later, so only case and use distinguish
  // them.
  void declare_element(std::size_t i, std::size_t end, NameId domain) {
    if ((!out_.is_name(i) && !out_.is_number(i)) || i >= end || is_keyword(out_.text(i))) return;
    const bool constructor = i + 1 < end && out_.is(i + 1, "(");
    if (!constructor && (is_upper(out_.text(i)) || out_.is_number(i))) return;
    if (out_.find(out_.text(i)) != kNone) return;
    std::size_t last = i + 1;
    while (last < end && !out_.is(last, "|"))
      last = std::max(last + 1, out_.is(last, "{") ? out_.closing(last, end) : 0);
    auto& element = out_.declare(DeclaredKind::element, i, out_.span(i, std::min(last, end)), domain);
    element.signature = out_.line(i, std::min(last, end)) + " : " + out_.declaration(domain).name;
    auto& named = out_.declaration(out_.last());
    named.needed = true;  // elements are values even if no rule uses them
    if (constructor) {
      named.callable = true;
      for (std::size_t k = i + 2; k < out_.closing(i + 1, end); ++k) {
        if (!out_.is(k, ",")) named.parameters.emplace_back(out_.text(k));
      }
    } else {
      named.listed = false;
    }
    out_.publish(out_.last());
  }

  void declare_graph(const Chunk& chunk) {
    const std::size_t name = chunk.first + (out_.is(chunk.first, "reusable") ? 2 : 1);
    if (!out_.is_name(name)) return;
    auto& graph = out_.declare(DeclaredKind::graph, name, out_.span(chunk.first, chunk.end));
    graph.callable = true;
    graph.needed = graph.name == "rules";
    std::size_t close = name + 1;
    if (out_.is(name + 1, "(")) {
      close = out_.closing(name + 1, chunk.end);
      for (std::size_t i = name + 2; i < close;) {
        std::size_t end = i;
        while (end < close && !out_.is(end, ",")) ++end;
        graph.parameters.push_back(out_.line(i, end));
        i = end + 1;
      }
    }
    graph.signature = out_.line(chunk.first, std::min(close + 1, chunk.end));
    name_of(chunk) = out_.last();
    out_.publish(out_.last());
  }

  void declare_value(const Chunk& chunk) {
    const std::size_t number = static_cast<std::size_t>(&chunk - chunks_.data());
    const auto cases_follow = [&] {
      return number + 1 < chunks_.size() && chunks_[number + 1].form == Form::cases &&
             out_.text(chunks_[number + 1].first) == out_.text(chunk.first);
    };
    const bool function = cases_follow();
    std::size_t last = number + 1;
    while (function && last < chunks_.size() && chunks_[last].form == Form::cases &&
           out_.text(chunks_[last].first) == out_.text(chunk.first))
      ++last;
    auto& value = out_.declare(function ? DeclaredKind::function : DeclaredKind::variable, chunk.first,
                               out_.span(chunk.first, chunks_[last - 1].end));
    std::size_t equals = chunk.first;
    while (equals < chunk.end && !out_.is(equals, "=")) ++equals;
    value.signature = out_.line(chunk.first, equals);
    if (function) {
      value.callable = true;
      for (std::size_t i = chunk.first + 2; i < equals; ++i) {
        if (out_.is_name(i) && out_.is(i + 1, "->")) value.parameters.emplace_back(out_.text(i));
      }
    }
    name_of(chunk) = out_.last();
    out_.publish(out_.last());
  }

  // --- Local declarations and uses. ---

  void read(const Chunk& chunk) {
    const std::size_t depth = out_.depth();
    switch (chunk.form) {
      case Form::domain:
        read_domain(chunk);
        break;
      case Form::graph:
        read_graph(chunk);
        break;
      case Form::cases:
        read_case(chunk);
        break;
      default:
        read_words(chunk.first + 1, chunk.end, kNone);
    }
    out_.leave(depth);
  }

  // Declares the names before `in`, after a `where` among these words.
  void enter_ranges(std::size_t first, std::size_t end) {
    bool inside = false;
    for (std::size_t i = first; i < end; ++i) {
      inside = inside || out_.is(i, "where");
      if (!inside || !out_.is_name(i) || !out_.is(i + 1, "in")) continue;
      // The name's first occurrence precedes its range.
      std::size_t declared = i;
      for (std::size_t k = first; k < i; ++k) {
        if (out_.text(k) == out_.text(i)) {
          declared = k;
          break;
        }
      }
      enter(declared, out_.span(first, end), out_.line(i, range_end(i, end)));
    }
  }
  [[nodiscard]] std::size_t range_end(std::size_t i, std::size_t end) const {
    while (i < end && !out_.is(i, ",") && !out_.is(i, "|") && !out_.is(i, ";") && !out_.is(i, "}"))
      i = out_.is(i, "{") ? out_.closing(i, end) + 1 : i + 1;
    return std::min(i, end);
  }

  void enter(std::size_t word, Span scope, std::string signature) {
    auto& parameter = out_.declare(DeclaredKind::parameter, word, out_.span(word, word + 1));
    parameter.scope = scope;
    parameter.signature = std::move(signature);
    parameter.listed = false;
    parameter.needed = true;
    out_.enter(out_.last());
  }

  void read_domain(const Chunk& chunk) {
    out_.keyword(chunk.first);
    std::size_t first = chunk.first + 2;
    for (std::size_t i = first; i <= chunk.end; ++i) {
      if (i < chunk.end && (out_.is(i, "(") || out_.is(i, "{"))) {
        i = std::min(out_.closing(i, chunk.end), chunk.end - 1);
        continue;
      }
      if (i < chunk.end && !out_.is(i, "|")) continue;
      const std::size_t depth = out_.depth();
      enter_ranges(first, i);
      read_words(first, i, kNone);
      out_.leave(depth);
      first = i + 1;
    }
  }

  void read_case(const Chunk& chunk) {
    const NameId function = out_.find(out_.text(chunk.first));
    if (function != kNone) out_.use(chunk.first, function, Use::declares);
    const std::size_t close = out_.closing(chunk.first + 1, chunk.end);
    std::size_t argument = 0, depth = 0;
    for (std::size_t i = chunk.first + 1; i < close; ++i) {
      if (out_.is(i, "(")) ++depth;
      if (out_.is(i, ")") && depth > 0) --depth;
      if (out_.is(i, ",") && depth == 1) ++argument;
      if (!out_.is_name(i) || out_.text(i) == "_" || out_.is(i + 1, "(") || !is_upper(out_.text(i))) continue;
      if (const NameId known = out_.find_local(out_.text(i)); known != kNone) continue;
      std::string signature(out_.text(i));
      if (depth == 1 && function != kNone && argument < out_.declaration(function).parameters.size()) {
        const std::string type = " : " + out_.declaration(function).parameters[argument];
        signature += type;
        out_.hint(out_.at(i).end, type);
      }
      enter(i, out_.span(chunk.first, chunk.end), signature);
    }
    read_words(chunk.first + 1, chunk.end, kNone);
  }

  void read_graph(const Chunk& chunk) {
    out_.keyword(chunk.first);
    if (out_.is(chunk.first, "reusable")) out_.keyword(chunk.first + 1);
    if (chunk.name == kNone) return read_words(chunk.first + 1, chunk.end, kNone);
    const std::size_t name = chunk.first + (out_.is(chunk.first, "reusable") ? 2 : 1);
    std::size_t close = name;
    if (out_.is(name + 1, "(")) {
      close = out_.closing(name + 1, chunk.end);
      for (std::size_t i = name + 2; i < close; ++i) {
        if (!out_.is_name(i) || !out_.is(i + 1, ":")) continue;
        std::size_t end = i;
        while (end < close && !out_.is(end, ",")) ++end;
        enter(i, out_.span(chunk.first, chunk.end), out_.line(i, end));
        out_.declaration(out_.last()).needed = false;
      }
    }
    read_words(name + 1, chunk.end, chunk.name);
  }

  // Declares the name of a loop for the extent of its block.
  bool read_loop_head(std::size_t i, std::size_t end) {
    const bool in = (out_.is(i, "branch") || out_.is(i, "repeat")) && out_.is_name(i + 1) && out_.is(i + 2, "in");
    const bool all = out_.is(i, "forall") && out_.is_name(i + 1) && out_.is(i + 2, ":");
    if (i + 2 >= end || (!in && !all)) return false;
    std::size_t open = i + 3;
    if (out_.is(open, "{")) open = out_.closing(open, end) + 1;  // branch x in { a, b } { … }
    while (open < end && !out_.is(open, "{")) ++open;
    const std::size_t close = std::min(out_.closing(open, end) + 1, end);
    enter(i + 1, out_.span(i, close), out_.line(i + 1, std::min(open, end)));
    blocks_.emplace_back(close, out_.depth() - 1);
    return true;
  }

  [[nodiscard]] bool assigned(std::size_t i, std::size_t end) const {
    const bool statement = out_.first_in_line(i) || out_.is(i - 1, "{") || out_.is(i - 1, "}");
    std::size_t next = i + 1;
    while (next < end && out_.is(next, "[")) next = out_.closing(next, end) + 1;
    return statement && next < end && out_.is(next, "=");
  }

  // Entries of map literals declare names of their own.
  void enter_entry(std::size_t first, std::size_t end) {
    constexpr std::size_t kMost = 4000;  // limit: an unfinished text may have no end of the entry
    end = std::min(end, first + kMost);
    std::size_t last = first, depth = 0;
    for (; last < end; ++last) {
      const std::string_view text = out_.text(last);
      if (text == "(" || text == "[" || text == "{") ++depth;
      if ((text == ")" || text == "]" || text == "}") && depth-- == 0) break;
      if (text == ";" && depth == 0) break;
    }
    const std::size_t before = out_.depth();
    bool has_where = false;
    for (std::size_t i = first; i < last && !has_where; ++i) has_where = out_.is(i, "where");
    if (!has_where) return;
    enter_ranges(first, last);
    blocks_.emplace_back(last, before);
  }

  void read_words(std::size_t first, std::size_t end, NameId graph) {
    const std::size_t outer = blocks_.size();
    for (std::size_t i = first; i < end; ++i) {
      while (blocks_.size() > outer && blocks_.back().first <= i) {
        out_.leave(blocks_.back().second);
        blocks_.pop_back();
      }
      const std::string_view text = out_.text(i);
      if ((text == "{" || text == ";") && graph == kNone) enter_entry(i + 1, end);
      if (!out_.is_name(i)) continue;
      if (read_loop_head(i, end)) {
        out_.keyword(i);
        out_.keyword(++i + 1);
      } else {
        read_name(i, end, graph);
      }
    }
    while (blocks_.size() > outer) {
      out_.leave(blocks_.back().second);
      blocks_.pop_back();
    }
  }

  void read_name(std::size_t i, std::size_t end, NameId graph) {
    const std::string_view text = out_.text(i);
    NameId name = out_.find_local(text);
    const bool call = out_.is(i + 1, "(");
    if (name == kNone && is_keyword(text)) return out_.keyword(i);
    if (name == kNone) name = out_.find(text);
    if (name == kNone) return;
    const DeclaredKind kind = out_.declaration(name).kind;
    out_.use(i, name, call ? Use::calls : assigned(i, end) ? Use::writes : Use::reads);
    if (call && graph != kNone && kind == DeclaredKind::graph) out_.call(graph, name, i);
  }

  Outliner out_;
  std::vector<Chunk> chunks_;
  std::vector<std::pair<std::size_t, std::size_t>> blocks_;  // by the word where names are left: how many remain
};

Outline read(std::string_view text) { return Reader(text).run(); }

// The words before a place determine which words can occur there.
Wanted wanted(const Outline& outline, std::string_view text, std::size_t at) {
  const std::size_t count = outline.lexemes_before(at);
  std::vector<std::string_view> before;  // nearest word first
  bool new_line = true;
  for (std::size_t i = count; i > 0 && before.size() < 400; --i) {
    if (outline.lexemes[i - 1].kind == LexemeKind::comment) continue;
    if (before.empty()) {
      const Span last = outline.lexemes[i - 1].at;
      new_line = text.substr(last.end, at - std::min<std::size_t>(last.end, at)).find('\n') != std::string_view::npos;
    }
    before.push_back(outline.lexemes[i - 1].at.of(text));
  }
  const auto is = [&](std::size_t i, std::string_view word) { return i < before.size() && before[i] == word; };
  int depth = 0;
  bool inside_graph = false, inside_domain = false;
  for (std::string_view word : before) {
    if (word == "}" || word == ")" || word == "]") --depth;
    if (word == "{" || word == "(" || word == "[") ++depth;
    if (word == "graph") inside_graph = true;
    if (word == "domain") inside_domain = true;
    if (word == "graph" || word == "domain") break;
  }
  constexpr unsigned kTypes = kind_bits(DeclaredKind::type);
  constexpr unsigned kValues = kind_bits(DeclaredKind::element, DeclaredKind::variable, DeclaredKind::parameter,
                                         DeclaredKind::function, DeclaredKind::type);
  const bool margin = at == 0 || text[at - 1] == '\n';
  if (before.empty() || (new_line && depth <= 0) || (margin && new_line)) return {0, kTop};
  if (is(0, "domain") || is(0, "graph") || is(0, "reusable")) return {0, is(0, "reusable") ? kTop : 0U};
  // A ':' is followed by the type of a name or by the default value of a map.
  if (is(0, ":") && (is(1, "{") || is(1, ";"))) return {kValues, kExpression};
  if (is(0, ":") || is(0, "->") || (is(0, "in") && (is(2, "branch") || is(2, "repeat")))) return {kTypes, kType};
  if (inside_domain && depth <= 0) return {kind_bits(DeclaredKind::type, DeclaredKind::element), kAfterElement};
  if (is(0, "$") || is(0, "$$"))
    return {kind_bits(DeclaredKind::variable, DeclaredKind::parameter, DeclaredKind::element), 0};
  if (is(0, "(") && is(1, "reachable")) return {kind_bits(DeclaredKind::graph), 0};
  if (is(0, "if") || is(0, "while") || is(0, "&&") || is(0, "||") || is(0, "!") ||
      (is(0, "(") && (is(1, "check") || is(1, "not"))))
    return {kValues, kCondition | kExpression};
  if (inside_graph && (new_line || is(0, "{") || is(0, "}")))
    return {kind_bits(DeclaredKind::graph, DeclaredKind::variable, DeclaredKind::parameter), kStatement};
  return {kValues, kExpression};
}

bool is_name(std::string_view name) { return !name.empty() && !is_keyword(name) && all_word(name); }

}  // namespace

const Editing kEditing{.words = kWords, .outline = read, .wanted = wanted, .is_name = is_name, .triggers = "$"};

}  // namespace rgtrans::hrg
