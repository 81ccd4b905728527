// Finds the names that a GDL text declares: relations by their heads, roles, and the variables of each rule. The
// position of a name determines whether it is a relation, a function symbol or a constant. In prefix notation a
// statement ends at its closing bracket, or before a bracket in the first column. So a missing bracket does not affect
// the next rule.
#include "frontends/gdl/editing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/support/letters.hpp"
#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/syntax/syntax.hpp"

namespace rgtrans::gdl {

namespace {

using namespace outline;

const Lexicon kPrefix{.line_comment = ";", .name_characters = "!\"#$%&'*+,-./:<=>?@[\\]^`{|}~"};
const Lexicon kInfix{.line_comment = ";", .name_characters = "+<>-", .marks = {":-"}};

enum Place : unsigned { kHead = 1, kBody = 2 };

constexpr std::array<LanguageWord, 17> kWords = {{
    {"role", "`(role r)`: r plays.", "role ${1:white}", kHead | kBody},
    {"init", "`(init f)`: the fact f holds at first.", "init (${1:cell 1 1 b})", kHead},
    {"true", "`(true f)`: the fact f holds now.", "true (${1})", kBody},
    {"next", "`(next f)`: the fact f holds after this step.", "next (${1})", kHead},
    {"legal", "`(legal r m)`: the role r may do m.", "legal ${1:?r} (${2})", kHead},
    {"does", "`(does r m)`: the role r does m in this step.", "does ${1:?r} (${2})", kBody},
    {"goal", "`(goal r n)`: the state is worth n, from 0 to 100, to the role r.", "goal ${1:?r} ${2:100}", kHead},
    {"terminal", "The play is over.", {}, kHead | kBody},
    {"base", "`(base f)`: f can be a fact. It is not used.", "base (${1})", kHead},
    {"input", "`(input r m)`: m can be a move of r. It is not used.", "input ${1:?r} (${2})", kHead},
    {"sees", "`(sees r p)`: the role r perceives p (GDL-II).", "sees ${1:?r} ${2}", kHead},
    {"random", "The role that chooses by chance (GDL-II).", {}, kBody},
    {"<=", "`(<= head body…)`: the head holds when all of the body does.", "<= ($1)\n    ($0)", kHead},
    {"not", "`(not s)`: s does not hold.", "not (${1})", kBody},
    {"or", "`(or s t …)`: one of them holds.", "or (${1}) (${2})", kBody},
    {"and", "`(and s t …)`: all of them hold.", "and (${1}) (${2})", kBody},
    {"distinct", "`(distinct s t)`: the terms are different.", "distinct ${1:?x} ${2:?y}", kBody},
}};

bool is_keyword(std::string_view text) {
  return std::ranges::find(kWords, std::string_view(lower_case(text)), &LanguageWord::text) != kWords.end();
}
// Keywords whose argument is a sentence or a fact, so that a name in it is treated like a relation.
bool wraps(std::string_view text) {
  const std::string word = lower_case(text);
  return word == "init" || word == "true" || word == "next" || word == "base" || word == "not" || word == "or" ||
         word == "and";
}

// The shared part of both notations: declarations by key, and the variables of a rule.
class Reader {
 public:
  Reader(std::string_view text, bool infix) : out_(text, infix ? kInfix : kPrefix), infix_(infix) {}

  Outline run() {
    split();
    for (pass_ = 0; pass_ < 2; ++pass_) {
      for (const Chunk& chunk : chunks_) {
        const std::size_t depth = out_.depth();
        variables_.clear();
        chunk_ = &chunk;
        head_ = kNone;
        infix_ ? read_infix(chunk) : read_prefix(chunk);
        out_.leave(depth);
      }
    }
    return out_.finish();
  }

 private:
  struct Chunk {
    std::size_t first, end;
  };
  enum class Role : std::uint8_t { head, sentence, fact, term };

  void split() {
    std::size_t depth = 0;
    for (std::size_t i = 0; i < out_.size(); ++i) {
      const std::string_view text = out_.text(i);
      const bool margin = out_.at_margin(i) &&
                          (infix_ ? out_.is_name(i) && !out_.is(i - 1, "&") && !out_.is(i - 1, ":-") : text == "(");
      // An unterminated infix rule ends before the next head.
      const bool next_rule = infix_ && depth == 0 && out_.first_in_line(i) && i > 0 && !out_.is(i - 1, "&") &&
                             !out_.is(i - 1, ":-") && !out_.is(i - 1, "~") && out_.is_name(i);
      if (chunks_.empty() || (depth == 0 && !infix_) || next_rule || margin) {
        if (!chunks_.empty()) chunks_.back().end = i;
        chunks_.push_back({i, out_.size()});
        depth = 0;
      }
      if (text == "(") ++depth;
      if (text == ")" && depth > 0) --depth;
    }
  }

  // --- Prefix. ---

  void read_prefix(const Chunk& chunk) {
    std::size_t at = chunk.first;
    if (out_.is(at, "(") && out_.is(at + 1, "<=")) {
      out_.keyword(at + 1);
      at = prefix_item(at + 2, chunk.end, Role::head);
      while (at < chunk.end && !out_.is(at, ")")) at = prefix_item(at, chunk.end, Role::sentence);
    } else {
      while (at < chunk.end) at = prefix_item(at, chunk.end, Role::head);
    }
  }

  // Reads a word or a list; returns the index after it.
  std::size_t prefix_item(std::size_t at, std::size_t end, Role role) {
    if (at >= end) return end;
    if (!out_.is(at, "(")) {
      if (!out_.is(at, ")")) name(at, role, {}, at + 1);
      return at + 1;
    }
    const std::size_t close = out_.closing(at, end);
    const std::size_t word = at + 1;
    std::vector<std::string> arguments;
    std::vector<std::size_t> parts;
    for (std::size_t i = word + 1; i < close;) {
      parts.push_back(i);
      const std::size_t next = out_.is(i, "(") ? std::min(out_.closing(i, close) + 1, close) : i + 1;
      arguments.push_back(out_.line(i, next));
      i = next;
    }
    if (word < close && !out_.is(word, "(")) name(word, role, arguments, close + 1);
    const Role inner = role_inside(word, role);
    if (++nesting_ < kMaxOutlineNesting) {
      for (const std::size_t part : parts) prefix_item(part, close, inner);
    }
    --nesting_;
    return std::min(close + 1, end);
  }

  [[nodiscard]] Role role_inside(std::size_t word, Role role) const {
    if (role == Role::term || role == Role::fact) return Role::term;
    if (!wraps(out_.text(word))) return Role::term;
    const std::string text = lower_case(out_.text(word));
    return text == "not" || text == "or" || text == "and" ? Role::sentence : Role::fact;
  }

  // --- Infix: word ( arguments ), with `:-`, `&` and `~` between. ---

  void read_infix(const Chunk& chunk) {
    bool body = false;
    for (std::size_t i = chunk.first; i < chunk.end;) {
      body = body || out_.is(i, ":-");
      i = out_.is_name(i) || out_.is_number(i) ? infix_term(i, chunk.end, body ? Role::sentence : Role::head) : i + 1;
    }
  }

  std::size_t infix_term(std::size_t word, std::size_t end, Role role) {
    if (!out_.is(word + 1, "(")) {
      name(word, role, {}, word + 1);
      return word + 1;
    }
    const std::size_t close = out_.closing(word + 1, end);
    std::vector<std::string> arguments;
    std::size_t first = word + 2, depth = 0;
    for (std::size_t i = word + 2; i <= close && i < end; ++i) {
      if (out_.is(i, "(")) ++depth;
      if ((out_.is(i, ",") && depth == 0) || i == close) {
        if (i > first) arguments.push_back(out_.line(first, i));
        first = i + 1;
      }
      if (out_.is(i, ")") && depth > 0) --depth;
    }
    name(word, role, arguments, close + 1);
    const Role inner = role_inside(word, role);
    if (++nesting_ < kMaxOutlineNesting) {
      for (std::size_t i = word + 2; i < close;)
        i = out_.is_name(i) || out_.is_number(i) ? infix_term(i, close, inner) : i + 1;
    }
    --nesting_;
    return std::min(close + 1, end);
  }

  // --- Names. ---

  [[nodiscard]] bool is_variable(std::string_view text) const {
    return infix_ ? is_upper(text.front()) : text.front() == '?';
  }

  void name(std::size_t word, Role role, std::vector<std::string> arguments, std::size_t end) {
    const std::string_view text = out_.text(word);
    if (out_.is_number(word)) return;
    if (is_variable(text)) return variable(word);
    const bool outer = role == Role::head || role == Role::sentence;
    if (outer && is_keyword(text)) {
      if (pass_ == 0) out_.keyword(word);
      return;
    }
    // (f) equals f; relations of different arity differ; facts have their own namespace.
    const std::string key = fmt::format("{}{}/{}",
                                        outer                ? ""
                                        : role == Role::fact ? "fact "
                                                             : "term ",
                                        text, role == Role::term ? 0 : arguments.size());
    const bool declares = role == Role::head || (role == Role::fact && is_output()) || role == Role::term;
    const auto known = names_.find(key);
    if (pass_ == 0) {
      if (!declares || known != names_.end()) return;
      return declare(word, key, role, std::move(arguments), end);
    }
    if (known == names_.end()) return;
    const NameId id = known->second;
    const bool head = role == Role::head;
    out_.use(word, id, head ? Use::declares : Use::reads);
    if (head && head_ == kNone) head_ = id;
    if (!head && outer && head_ != kNone) out_.call(head_, id, word);
  }

  // The head of a rule for `init`, `next` or `base` declares its facts.
  [[nodiscard]] bool is_output() const {
    std::size_t first = chunk_->first;
    while (first < chunk_->end && (out_.is(first, "(") || out_.is(first, "<="))) ++first;
    const std::string word = lower_case(out_.text(first));
    return word == "init" || word == "next" || word == "base";
  }

  void declare(std::size_t word, const std::string& key, Role role, std::vector<std::string> arguments,
               std::size_t end) {
    const bool term = role == Role::term;
    auto& declared = out_.declare(term                 ? DeclaredKind::element
                                  : role == Role::fact ? DeclaredKind::variable
                                                       : DeclaredKind::relation,
                                  word, term ? out_.span(word, word + 1) : out_.span(chunk_->first, chunk_->end));
    const std::size_t first = infix_ || arguments.empty() ? word : word - 1;
    declared.signature = out_.line(first, std::min(end, chunk_->end));
    declared.parameters = std::move(arguments);
    declared.callable = !declared.parameters.empty() && !term;
    declared.listed = !term;
    declared.needed = term;
    names_.emplace(key, out_.last());
  }

  void variable(std::size_t word) {
    if (pass_ == 0) return;
    const std::string text(out_.text(word));
    const auto [known, fresh] = variables_.try_emplace(text, kNone);
    if (!fresh) return out_.use(word, known->second);
    auto& declared = out_.declare(DeclaredKind::parameter, word, out_.span(word, word + 1));
    declared.scope = out_.span(chunk_->first, chunk_->end);
    declared.signature = text + ": a variable of this rule";
    declared.listed = false;
    declared.needed = true;
    known->second = out_.last();
  }

  Outliner out_;
  bool infix_;
  std::vector<Chunk> chunks_;
  const Chunk* chunk_ = nullptr;
  NameId head_ = kNone;
  unsigned pass_ = 0;
  static constexpr unsigned kMaxOutlineNesting = 300;  // of lists; deeper ones have no names
  unsigned nesting_ = 0;
  std::map<std::string, NameId> names_;
  std::map<std::string, NameId> variables_;
};

bool is_infix(std::string_view text) { return detect_notation(text) == Notation::infix; }

Outline read(std::string_view text) { return Reader(text, is_infix(text)).run(); }

Wanted wanted(const Outline& outline, std::string_view text, std::size_t at) {
  const std::size_t before = outline.lexemes_before(at);
  int depth = 0;
  std::string_view last;
  bool rule = false;
  for (std::size_t i = before; i-- > 0;) {
    if (outline.lexemes[i].kind == LexemeKind::comment) continue;
    const std::string_view word = outline.lexemes[i].at.of(text);
    if (last.empty()) last = word;
    if (word == ")") --depth;
    if (word == "(") ++depth;
    if (word == "<=" || word == ":-") {
      rule = true;
      break;
    }
    if (word == "(" && (outline.lexemes[i].at.begin == 0 || text[outline.lexemes[i].at.begin - 1] == '\n')) break;
  }
  constexpr unsigned kSentences = kind_bits(DeclaredKind::relation, DeclaredKind::variable, DeclaredKind::function);
  constexpr unsigned kTerms = kind_bits(DeclaredKind::element, DeclaredKind::parameter);
  if (last.empty()) return {kSentences, kHead};
  if (last == "(" || last == "&" || last == "~" || last == ":-" || last == "<=")
    return {kSentences | kTerms, rule ? kHead | kBody : kHead};
  return {depth > 1 || rule ? kTerms | kSentences : kTerms, 0};
}

bool is_name(std::string_view name) {
  return !name.empty() && !is_keyword(name) && std::ranges::none_of(name, [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '(' || c == ')' || c == ';' || c == ',' || c == '&' || c == '~';
  });
}

void check(const Sources::File& file, Diagnostics& diagnostics) { read_program(file, diagnostics, false); }

}  // namespace

const Editing kEditing{.words = kWords,
                       .outline = read,
                       .wanted = wanted,
                       .is_name = is_name,
                       .line_comment = ";",
                       .triggers = "(?",
                       .lists = true,
                       .check = check};

}  // namespace rgtrans::gdl
