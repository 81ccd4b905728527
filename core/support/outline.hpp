// What a person who edits a text wants to know about it: which names it declares, and where each of them is used.
//
// An outline is read from tokens, not from a syntax tree: while somebody types, a text is wrong most of the time, and
// one half line must not hide what is around it. So the reader of a language looks for the few places in which names
// are declared and takes every other name for a use; it needs no grammar of expressions, and nothing is a mistake to
// it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/support/ids.hpp"

namespace rgtrans::outline {

// Half-open, in bytes of the text.
struct Span {
  std::uint32_t begin = 0, end = 0;
  [[nodiscard]] bool touches(std::size_t at) const { return begin <= at && at <= end; }
  [[nodiscard]] bool empty() const { return begin == end; }
  [[nodiscard]] std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
  bool operator==(const Span&) const = default;
};
inline constexpr Span kEverywhere{0, std::numeric_limits<std::uint32_t>::max()};

enum class LexemeKind : std::uint8_t { name, number, string, mark, comment };

struct Lexeme {
  Span at;
  LexemeKind kind = LexemeKind::mark;
};

// What the characters of a language make. A number is a name of digits.
struct Lexicon {
  std::string_view line_comment = "//";
  std::string_view other_line_comment = {};
  std::string_view name_characters = {};               // besides letters, digits, '_' and what is not ASCII
  bool strings = false;                                // in double quotes, on one line
  std::initializer_list<std::string_view> marks = {};  // of more than one character, longer ones first
};
std::vector<Lexeme> read_lexemes(std::string_view text, const Lexicon& lexicon);

enum class DeclaredKind : std::uint8_t {
  type,
  element,
  constant,
  variable,
  parameter,
  function,
  graph,
  node,
  macro,
  relation,
  label,  // of the edges of a board
  key,
  game,
};

using NameId = std::uint32_t;

// A name that the text declares, or that every text of the language has.
struct Declaration {
  std::string name;
  DeclaredKind kind = DeclaredKind::variable;
  Span at;                    // the name; empty for a built-in one
  Span whole;                 // everything that declares it
  Span scope = kEverywhere;   // where it can be used
  NameId parent = kNone;      // what it is a part of
  std::string signature;      // in the author's words, on one line
  std::string documentation;  // the comment in front of it
  std::vector<std::string> parameters;
  bool callable = false;  // written with arguments in parentheses
  bool listed = true;     // large enough for a list of what a text declares
  bool needed = false;    // the language uses it, even if the text does not

  [[nodiscard]] bool built_in() const { return at.empty(); }
};

enum class Use : std::uint8_t { declares, reads, writes, calls };

struct Occurrence {
  Span at;
  NameId name = kNone;
  Use use = Use::reads;
};

// Something to show in the text that is not written there.
struct InlineHint {
  std::uint32_t at = 0;
  std::string text;
};

struct Call {
  NameId caller = kNone, callee = kNone;
  Span at;
};

struct Outline {
  std::vector<Lexeme> lexemes;            // comments, too; in order, as all lists but the next
  std::vector<Declaration> declarations;  // by NameId
  std::vector<Occurrence> occurrences;
  std::vector<Span> keywords;
  std::vector<Span> folds;
  std::vector<InlineHint> hints;
  std::vector<Call> calls;

  // The name at a place, or the one that ends there.
  [[nodiscard]] const Occurrence* occurrence_at(std::size_t at) const;
  // How many lexemes begin before `at`.
  [[nodiscard]] std::size_t lexemes_before(std::size_t at) const;
};

// What a reader writes an outline with. It counts words: the lexemes that are no comments.
class Outliner {
 public:
  Outliner(std::string_view text, const Lexicon& lexicon);

  [[nodiscard]] std::size_t size() const { return words_.size(); }
  [[nodiscard]] Span at(std::size_t word) const { return lexeme(word).at; }
  // "" behind the last word.
  [[nodiscard]] std::string_view text(std::size_t word) const {
    return word < words_.size() ? at(word).of(text_) : std::string_view();
  }
  [[nodiscard]] bool is(std::size_t word, std::string_view expected) const { return text(word) == expected; }
  [[nodiscard]] bool is_name(std::size_t word) const {
    return word < words_.size() && lexeme(word).kind == LexemeKind::name;
  }
  [[nodiscard]] bool is_number(std::size_t word) const {
    return word < words_.size() && lexeme(word).kind == LexemeKind::number;
  }
  [[nodiscard]] bool is_string(std::size_t word) const {
    return word < words_.size() && lexeme(word).kind == LexemeKind::string;
  }
  [[nodiscard]] bool first_in_line(std::size_t word) const;
  [[nodiscard]] bool at_margin(std::size_t word) const;  // first in its line, and nothing in front of it
  // The bracket that belongs to the one at `open`, of whatever kind; `end` when there is none before that.
  [[nodiscard]] std::size_t closing(std::size_t open, std::size_t end) const {
    return open < partners_.size() ? std::min<std::size_t>(partners_[open], end) : end;
  }
  // From the first word to the one before `end`.
  [[nodiscard]] Span span(std::size_t first, std::size_t end) const;
  // The words in between, with single spaces for what parts them in the text.
  [[nodiscard]] std::string line(std::size_t first, std::size_t end) const;

  // A name with a place, which occurs there. The reference is valid until the next declaration.
  Declaration& declare(DeclaredKind kind, std::size_t word, Span whole, NameId parent = kNone);
  Declaration& built_in(DeclaredKind kind, std::string_view name, std::string_view signature);
  [[nodiscard]] NameId last() const { return static_cast<NameId>(outline_.declarations.size() - 1); }
  [[nodiscard]] Declaration& declaration(NameId id) { return outline_.declarations[id]; }
  void use(std::size_t word, NameId name, Use how = Use::reads) { use(at(word), name, how); }
  void use(Span at, NameId name, Use how) { outline_.occurrences.push_back({at, name, how}); }
  void call(NameId caller, NameId callee, std::size_t word) { outline_.calls.push_back({caller, callee, at(word)}); }
  void keyword(std::size_t word) { outline_.keywords.push_back(at(word)); }
  void hint(std::uint32_t at, std::string text) { outline_.hints.push_back({at, std::move(text)}); }

  // Names that can be used everywhere, in spaces of their own: a node may be called like a variable.
  void publish(NameId name, unsigned space = 0);
  [[nodiscard]] NameId find(std::string_view name, unsigned space = 0) const;
  // Names that can be used in a part of the text, the innermost last.
  void enter(NameId name) { locals_.emplace_back(outline_.declarations[name].name, name); }
  [[nodiscard]] std::size_t depth() const { return locals_.size(); }
  void leave(std::size_t depth) { locals_.resize(depth); }
  [[nodiscard]] NameId find_local(std::string_view name) const;

  // Adds comments to what stands behind them, and folds.
  Outline finish();

 private:
  [[nodiscard]] const Lexeme& lexeme(std::size_t word) const { return outline_.lexemes[words_[word]]; }
  void add_documentation();
  void add_folds();

  std::string_view text_;
  std::string_view comment_mark_;
  Outline outline_;
  std::vector<std::uint32_t> words_;
  std::vector<std::uint32_t> partners_;  // of opening brackets, by word; beyond all words where there is none
  std::unordered_map<std::string, NameId> published_[3];
  std::vector<std::pair<std::string, NameId>> locals_;
};

}  // namespace rgtrans::outline
