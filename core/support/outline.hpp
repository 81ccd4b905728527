// The names that a text declares and the places that use them, for editors.
//
// An outline is read from tokens, not from a syntax tree. While somebody types, the text is usually wrong, and an
// incomplete line must not hide the declarations around it. The reader of a language finds the few places that declare
// names and treats every other name as a use. It needs no grammar of expressions and reports no mistakes.
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

// A half-open range of bytes in the text.
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

// The lexical rules of a language. A number is a name that consists of digits.
struct Lexicon {
  std::string_view line_comment = "//";
  std::string_view other_line_comment = {};
  std::string_view name_characters = {};               // in addition to letters, digits, '_' and non-ASCII characters
  bool strings = false;                                // strings in double quotes, on one line
  std::initializer_list<std::string_view> marks = {};  // tokens of several characters, longer ones first
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
  label,  // label of a board's edges
  key,
  game,
};

using NameId = std::uint32_t;

// A name that the text declares or that the language predefines.
struct Declaration {
  std::string name;
  DeclaredKind kind = DeclaredKind::variable;
  Span at;                    // the name; empty for a predefined one
  Span whole;                 // the whole declaration
  Span scope = kEverywhere;   // the region in which the name can be used
  NameId parent = kNone;      // the enclosing declaration
  std::string signature;      // as the author wrote it, on one line
  std::string documentation;  // the comment before the declaration
  std::vector<std::string> parameters;
  bool callable = false;  // used with arguments in parentheses
  bool listed = true;     // large enough for a list of the text's declarations
  bool needed = false;    // used by the language even if the text does not use it

  [[nodiscard]] bool built_in() const { return at.empty(); }
};

enum class Use : std::uint8_t { declares, reads, writes, calls };

struct Occurrence {
  Span at;
  NameId name = kNone;
  Use use = Use::reads;
};

// A text that editors show at a place although the author did not write it.
struct InlineHint {
  std::uint32_t at = 0;
  std::string text;
};

struct Call {
  NameId caller = kNone, callee = kNone;
  Span at;
};

struct Outline {
  std::vector<Lexeme> lexemes;            // includes comments; all lists except declarations are in order of position
  std::vector<Declaration> declarations;  // indexed by NameId
  std::vector<Occurrence> occurrences;
  std::vector<Span> keywords;
  std::vector<Span> folds;
  std::vector<InlineHint> hints;
  std::vector<Call> calls;

  // The name at a position, or the name that ends there.
  [[nodiscard]] const Occurrence* occurrence_at(std::size_t at) const;
  // The number of lexemes that begin before `at`.
  [[nodiscard]] std::size_t lexemes_before(std::size_t at) const;
};

// Builds an outline. Positions are word indices: words are the lexemes other than comments.
class Outliner {
 public:
  Outliner(std::string_view text, const Lexicon& lexicon);

  [[nodiscard]] std::size_t size() const { return words_.size(); }
  [[nodiscard]] Span at(std::size_t word) const { return lexeme(word).at; }
  // "" after the last word.
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
  [[nodiscard]] bool at_margin(std::size_t word) const;  // the first word of its line, without indentation
  // The bracket that matches the one at `open`, of any kind; `end` if there is none before `end`.
  [[nodiscard]] std::size_t closing(std::size_t open, std::size_t end) const {
    return open < partners_.size() ? std::min<std::size_t>(partners_[open], end) : end;
  }
  // The span from the word `first` up to, but excluding, the word `end`.
  [[nodiscard]] Span span(std::size_t first, std::size_t end) const;
  // The words in [first, end), with each run of white space reduced to one space.
  [[nodiscard]] std::string line(std::size_t first, std::size_t end) const;

  // Declares a name at its place and records that occurrence. The reference is valid until the next declaration.
  Declaration& declare(DeclaredKind kind, std::size_t word, Span whole, NameId parent = kNone);
  Declaration& built_in(DeclaredKind kind, std::string_view name, std::string_view signature);
  [[nodiscard]] NameId last() const { return static_cast<NameId>(outline_.declarations.size() - 1); }
  [[nodiscard]] Declaration& declaration(NameId id) { return outline_.declarations[id]; }
  void use(std::size_t word, NameId name, Use how = Use::reads) { use(at(word), name, how); }
  void use(Span at, NameId name, Use how) { outline_.occurrences.push_back({at, name, how}); }
  void call(NameId caller, NameId callee, std::size_t word) { outline_.calls.push_back({caller, callee, at(word)}); }
  void keyword(std::size_t word) { outline_.keywords.push_back(at(word)); }
  void hint(std::uint32_t at, std::string text) { outline_.hints.push_back({at, std::move(text)}); }

  // Global names, in separate name spaces: a node may have the same name as a variable.
  void publish(NameId name, unsigned space = 0);
  [[nodiscard]] NameId find(std::string_view name, unsigned space = 0) const;
  // Local names; the innermost comes last.
  void enter(NameId name) { locals_.emplace_back(outline_.declarations[name].name, name); }
  [[nodiscard]] std::size_t depth() const { return locals_.size(); }
  void leave(std::size_t depth) { locals_.resize(depth); }
  [[nodiscard]] NameId find_local(std::string_view name) const;

  // Attaches comments to the declarations that follow them, and computes the folds.
  Outline finish();

 private:
  [[nodiscard]] const Lexeme& lexeme(std::size_t word) const { return outline_.lexemes[words_[word]]; }
  void add_documentation();
  void add_folds();

  std::string_view text_;
  std::string_view comment_mark_;
  Outline outline_;
  std::vector<std::uint32_t> words_;
  std::vector<std::uint32_t> partners_;  // matching closing bracket, by word; past the last word if there is none
  std::unordered_map<std::string, NameId> published_[3];
  std::vector<std::pair<std::string, NameId>> locals_;
};

}  // namespace rgtrans::outline
